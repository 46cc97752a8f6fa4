// Package sandbox is the upstream without a network: an http.RoundTripper
// that answers as the public sources answer, as strictly as they do, from
// full records in their own form.
//
// It exists so that a newcomer, an agent's developer and our tests drive the
// same client code that talks to the real service. It therefore knows nothing
// of Biofact: no entities, no mapping, no tool. It understands the queries that Biofact
// writes and refuses the rest with the upstream's own 400; it is no second search engine.
//
// Each source is a package of its own: ctgov is ClinicalTrials.gov API v2, over package
// registry, ncbi is NCBI E-utilities, datasets NCBI Datasets, and pmc full texts at PubMed Central and Europe PMC. This
// package is the door to them.
package sandbox

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
	"sync"

	"github.com/biofact-mcp/biofact/internal/sandbox/ctgov"
	"github.com/biofact-mcp/biofact/internal/sandbox/datasets"
	"github.com/biofact-mcp/biofact/internal/sandbox/ncbi"
	"github.com/biofact-mcp/biofact/internal/sandbox/pmc"
	"github.com/biofact-mcp/biofact/internal/sandbox/records"
	"github.com/biofact-mcp/biofact/internal/sandbox/reply"
)

// data holds the records that New serves, one folder for each source.
//
//go:embed data
var data embed.FS

// Sandbox answers HTTP requests as the upstreams would. It is safe for
// concurrent use.
type Sandbox struct {
	trials   func() (*ctgov.Registry, error)
	eutils   *ncbi.Utilities
	datasets func() (*datasets.Datasets, error)
	texts    func() (pmc.Articles, error)
}

// New returns a sandbox over the embedded records. Each kind of them is read at the
// first request for it, so that a server that never asks does not pay for it; an
// error of the records is then the error of that request.
func New() (*Sandbox, error) {
	embedded, err := fs.Sub(data, "data")
	if err != nil {
		return nil, err
	}
	f, err := records.Embedded(embedded)
	if err != nil {
		return nil, err
	}
	return newSandbox(context.Background(), f, sync.OnceValues(pmc.Embedded)), nil
}

// newSandbox returns a sandbox that reads its records when they are asked for.
func newSandbox(ctx context.Context, f *records.Folder, texts func() (pmc.Articles, error)) *Sandbox {
	return &Sandbox{
		trials:   sync.OnceValues(func() (*ctgov.Registry, error) { return ctgov.Read(ctx, f) }),
		eutils:   ncbi.New(ctx, f, texts),
		datasets: sync.OnceValues(func() (*datasets.Datasets, error) { return datasets.Read(ctx, f) }),
		texts:    texts,
	}
}

// Open returns a sandbox over the records at path, a file or a folder of files:
//
//   - studies: .jsonl or .jsonl.gz of one full record a line, .json of one study
//     or of one page {"studies":[...]}
//   - genes: .xml or .xml.gz of Entrezgene-Set, which EFetch serves as they are
//   - articles: .xml or .xml.gz with PubmedArticle and PubmedBookArticle, which
//     EFetch serves as they are too. They are held in memory. Of an article that
//     stands in several files the first counts.
//   - variants: .jsonl or .jsonl.gz of one document summary of ClinVar a line, in
//     the folder ncbi
//   - reports of NCBI Datasets: .jsonl or .json of one report, or of one page
//     {"reports":[...]}, a value after the other
//
// The folders ctgov, datasets and ncbi in it hold records of that source only.
// A source of which path has no record is there and knows nothing. A bad record,
// any other id that stands twice and a path without any record are errors that name the
// file and, where there is one, the line; so is a limit that is exceeded. The reading
// ends when ctx does.
func Open(ctx context.Context, path string) (*Sandbox, error) {
	s, err := open(ctx, path, records.DefaultLimits)
	if err != nil {
		return nil, fmt.Errorf("reading sandbox records: %w", err)
	}
	return s, nil
}

func open(ctx context.Context, path string, most records.Limits) (*Sandbox, error) {
	f, err := records.Open(ctx, path, most)
	if err != nil {
		return nil, err
	}
	s := newSandbox(ctx, f, func() (pmc.Articles, error) { return nil, nil })
	trials, err := s.trials()
	if err != nil {
		return nil, err
	}
	others, err := s.eutils.Count()
	if err != nil {
		return nil, err
	}
	reports, err := s.datasets()
	if err != nil {
		return nil, err
	}
	if trials.Count()+others+reports.Count() == 0 {
		return nil, fmt.Errorf("%s: no record at all", path)
	}
	return s, nil
}

// Trials returns ClinicalTrials.gov.
func (s *Sandbox) Trials() http.RoundTripper {
	return reply.Func(func(req *http.Request) (reply.Reply, error) {
		trials, err := s.trials()
		if err != nil {
			return reply.Reply{}, err
		}
		return trials.Answer(req)
	})
}

// EUtils returns NCBI's E-utilities.
func (s *Sandbox) EUtils() http.RoundTripper { return reply.Func(s.eutils.Answer) }

// Datasets returns NCBI Datasets.
func (s *Sandbox) Datasets() http.RoundTripper {
	return reply.Func(func(req *http.Request) (reply.Reply, error) {
		reports, err := s.datasets()
		if err != nil {
			return reply.Reply{}, err
		}
		return reports.Answer(req)
	})
}

// EuropePMC returns Europe PMC.
func (s *Sandbox) EuropePMC() http.RoundTripper { return s.fullTexts(pmc.Articles.EuropePMC) }

// IDConverter returns the ID converter of PubMed Central.
func (s *Sandbox) IDConverter() http.RoundTripper { return s.fullTexts(pmc.Articles.Convert) }

// fullTexts returns a source over the full texts.
func (s *Sandbox) fullTexts(answer func(pmc.Articles, *http.Request) (reply.Reply, error)) http.RoundTripper {
	return reply.Func(func(req *http.Request) (reply.Reply, error) {
		texts, err := s.texts()
		if err != nil {
			return reply.Reply{}, err
		}
		return answer(texts, req)
	})
}

// RoundTrip answers one request of a caller that reaches all sources the same way: the
// path names the source. ClinicalTrials.gov is the default because
// its own unknown paths end in its own 404.
func (s *Sandbox) RoundTrip(req *http.Request) (*http.Response, error) {
	switch {
	case ncbi.Serves(req.URL.Path):
		return s.EUtils().RoundTrip(req)
	case datasets.Serves(req.URL.Path):
		return s.Datasets().RoundTrip(req)
	case strings.Contains(req.URL.Path, "/europepmc/"):
		return s.EuropePMC().RoundTrip(req)
	case strings.Contains(req.URL.Path, "/idconv/"):
		return s.IDConverter().RoundTrip(req)
	}
	return s.Trials().RoundTrip(req)
}
