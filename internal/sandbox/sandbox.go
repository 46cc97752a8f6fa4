// Package sandbox is the upstream without a network: an http.RoundTripper
// that answers as the public sources answer, as strictly as they do, from
// full records in their own JSON.
//
// It exists so that a newcomer, an agent's developer and our tests drive the
// same client code that talks to the real service. It therefore knows nothing
// of Biofact: no entities, no mapping, no tool. It understands the queries that Biofact
// writes and refuses the rest with the upstream's own 400; it is no second search engine.
//
// File trials.go is ClinicalTrials.gov API v2, over package registry. Files named eutils* are NCBI
// E-utilities, and each Entrez database has files of its own: genes* and
// articles*.
package sandbox

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/biofact-mcp/biofact/internal/registry"
)

// The data sets that New serves, one record a line.
var (
	//go:embed data/studies.jsonl
	embedded string
	//go:embed data/genes.jsonl
	embeddedGenes string
	//go:embed data/articles.jsonl
	embeddedArticles string
)

// Sandbox answers HTTP requests as the upstreams would. It is safe for
// concurrent use.
type Sandbox struct {
	now    func() time.Time
	trials func() (*trials, error)
	eutils *eutils
}

// New returns a sandbox over the embedded data sets. Each is parsed at the first
// request to its source, or its Entrez database, so that a server that never asks
// does not pay for it; an error of its records is then the error of that request.
func New() (*Sandbox, error) {
	genes := sync.OnceValues(loadEmbeddedGenes)
	articles := sync.OnceValues(func() (*articles, error) { return loadEmbeddedArticles(genes) })
	return newSandbox(sync.OnceValues(loadEmbedded), genes, articles), nil
}

func newSandbox(trials func() (*trials, error), genes func() (*genes, error), articles func() (*articles, error)) *Sandbox {
	return &Sandbox{now: time.Now, trials: trials, eutils: &eutils{databases: map[string]func() (database, error){
		"gene":   func() (database, error) { return genes() },
		"pubmed": func() (database, error) { return articles() },
	}}}
}

// Open returns a sandbox over the records at path, a file or a folder of files:
//
//   - studies: .jsonl or .jsonl.gz of one full record a line, .json of one study
//     or of one page {"studies":[...]}
//   - genes: .xml or .xml.gz of Entrezgene-Set, which EFetch serves as they are
//   - articles: .xml or .xml.gz with PubmedArticle and PubmedBookArticle, which
//     EFetch serves as they are too. They are held in memory. Of an article that
//     stands in several files the first counts.
//
// A source of which path has no record is there and knows nothing. A bad record,
// any other id that stands twice and a path without any record are errors that name the
// file and, where there is one, the line; so is what exceeds a limit. The reading
// ends when ctx does.
func Open(ctx context.Context, path string) (*Sandbox, error) {
	t, g, a, err := open(ctx, path, usual)
	if err != nil {
		return nil, fmt.Errorf("reading sandbox records: %w", err)
	}
	return newSandbox(
		func() (*trials, error) { return t, nil },
		func() (*genes, error) { return g, nil },
		func() (*articles, error) { return a, nil },
	), nil
}

func open(ctx context.Context, path string, most limits) (*trials, *genes, *articles, error) {
	l := &loader{limits: most}
	if err := l.read(ctx, path); err != nil {
		return nil, nil, nil, err
	}
	t, err := newTrials(l.studies)
	if err != nil {
		return nil, nil, nil, err
	}
	list, rest, err := readArticleSets(ctx, l.sets, most.held)
	if err != nil {
		return nil, nil, nil, err
	}
	g, err := readGeneSets(ctx, rest, most)
	if err != nil {
		return nil, nil, nil, err
	}
	a, err := newArticles(list, func() (*genes, error) { return g, nil })
	if err != nil {
		return nil, nil, nil, err
	}
	if len(t.studies.Records())+len(g.list)+len(a.list) == 0 {
		return nil, nil, nil, fmt.Errorf("%s: no record at all", path)
	}
	return t, g, a, nil
}

func loadEmbedded() (*trials, error) {
	records, err := readLines(strings.NewReader(embedded), "embedded studies.jsonl", usual.line)
	if err != nil {
		return nil, fmt.Errorf("reading sandbox records: %w", err)
	}
	t, err := newTrials(records)
	if err != nil {
		return nil, fmt.Errorf("reading sandbox records: %w", err)
	}
	return t, nil
}

func loadEmbeddedGenes() (*genes, error) {
	g, err := readGenes(strings.NewReader(embeddedGenes))
	if err != nil {
		return nil, fmt.Errorf("reading sandbox records: embedded genes.jsonl: %w", err)
	}
	return g, nil
}

func loadEmbeddedArticles(genes func() (*genes, error)) (*articles, error) {
	a, err := readArticles(strings.NewReader(embeddedArticles), genes)
	if err != nil {
		return nil, fmt.Errorf("reading sandbox records: embedded articles.jsonl: %w", err)
	}
	return a, nil
}

// answer is what a source says, before it is put into an HTTP response.
type answer struct {
	status      int
	contentType string
	location    string
	header      http.Header // besides the two above
	body        []byte
	stream      io.ReadCloser // instead of body: of unknown length
}

// Trials returns ClinicalTrials.gov.
func (s *Sandbox) Trials() http.RoundTripper {
	return door{s, func(req *http.Request) (answer, error) {
		t, err := s.trials()
		if err != nil {
			return answer{}, err
		}
		return t.answer(req)
	}}
}

// EUtils returns NCBI's E-utilities.
func (s *Sandbox) EUtils() http.RoundTripper { return door{s, s.eutils.answer} }

// RoundTrip answers one request for a caller who reaches both sources the same
// way: by the path it finds the source. ClinicalTrials.gov is the default because
// its own unknown paths end in its own 404.
func (s *Sandbox) RoundTrip(req *http.Request) (*http.Response, error) {
	if _, ok := utilityOf(req.URL.Path); ok {
		return s.EUtils().RoundTrip(req)
	}
	return s.Trials().RoundTrip(req)
}

// A door leads to one source of a sandbox.
type door struct {
	sandbox *Sandbox
	answer  func(*http.Request) (answer, error)
}

// RoundTrip answers one request. Whatever the upstream would say, errors
// included, is a response; the error is only ever that of the request's
// context or of an embedded data set that cannot be read.
func (d door) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		defer req.Body.Close()
	}
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	ans, err := d.answer(req)
	if bad, ok := errors.AsType[registry.BadRequest](err); ok {
		ans, err = plain(http.StatusBadRequest, bad.Sentence("the sandbox")), nil
	}
	if err != nil {
		return nil, err
	}
	return d.sandbox.response(req, ans), nil
}

func plain(status int, sentence string) answer {
	return answer{status: status, contentType: "text/plain;charset=UTF-8", body: []byte(sentence)}
}

func (s *Sandbox) response(req *http.Request, ans answer) *http.Response {
	header := http.Header{"Date": {s.now().UTC().Format(http.TimeFormat)}}
	maps.Copy(header, ans.header)
	if ans.contentType != "" {
		header.Set("Content-Type", ans.contentType)
	}
	if ans.location != "" {
		header.Set("Location", ans.location)
	}
	body, length := ans.stream, int64(-1)
	if body == nil {
		body, length = io.NopCloser(bytes.NewReader(ans.body)), int64(len(ans.body))
	}
	return &http.Response{
		Status:        fmt.Sprintf("%d %s", ans.status, http.StatusText(ans.status)),
		StatusCode:    ans.status,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        header,
		Body:          body,
		ContentLength: length,
		Request:       req,
	}
}
