// Package sandbox is the upstream without a network: an http.RoundTripper
// that answers as the public sources answer, as strictly as they do, from
// full records in their own JSON.
//
// It exists so that a newcomer, an agent's developer and our tests drive the
// same client code that talks to the real service. It therefore knows nothing
// of Biofact: no entities, no mapping, no tool. It understands the query
// language that Biofact writes and refuses the rest with the upstream's own
// 400; it is no second search engine.
//
// Files named trials* are ClinicalTrials.gov API v2.
package sandbox

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// embedded is the data set that New serves, one full study record a line.
//
//go:embed data/studies.jsonl
var embedded string

// Sandbox answers HTTP requests as the upstreams would. It is safe for
// concurrent use.
type Sandbox struct {
	now    func() time.Time
	trials func() (*trials, error)
}

// New returns a sandbox over the embedded data set. The records are parsed at
// the first request, so that a server that never asks does not pay for them;
// an error of theirs is then the error of that request.
func New() (*Sandbox, error) {
	return &Sandbox{now: time.Now, trials: sync.OnceValues(loadEmbedded)}, nil
}

// Open returns a sandbox over the records at path: a .jsonl or .jsonl.gz file
// of one full study record a line, a .json file of one study or of one page
// {"studies":[...]}, or a folder of such .json files. A bad record, an NCT id
// that stands twice and a path without any record are errors that name the
// file and, where there is one, the line.
func Open(path string) (*Sandbox, error) {
	records, err := readRecords(path)
	if err != nil {
		return nil, fmt.Errorf("reading sandbox records: %w", err)
	}
	t, err := newTrials(path, records)
	if err != nil {
		return nil, fmt.Errorf("reading sandbox records: %w", err)
	}
	return &Sandbox{now: time.Now, trials: func() (*trials, error) { return t, nil }}, nil
}

func loadEmbedded() (*trials, error) {
	const name = "embedded studies.jsonl"
	records, err := readLines(strings.NewReader(embedded), name)
	if err != nil {
		return nil, fmt.Errorf("reading sandbox records: %w", err)
	}
	t, err := newTrials(name, records)
	if err != nil {
		return nil, fmt.Errorf("reading sandbox records: %w", err)
	}
	return t, nil
}

// answer is what a source says, before it is put into an HTTP response.
type answer struct {
	status      int
	contentType string
	location    string
	body        []byte
}

// refusal is a request that the source answers with 400 and this sentence.
type refusal string

func (r refusal) Error() string { return string(r) }

func refuse(format string, args ...any) error {
	return refusal(fmt.Sprintf(format, args...))
}

// RoundTrip answers one request. Whatever the upstream would say, errors
// included, is a response; the error is only ever that of the request's
// context or of an embedded data set that cannot be read.
func (s *Sandbox) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		defer req.Body.Close()
	}
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	ans, err := s.answer(req)
	if sentence, ok := errors.AsType[refusal](err); ok {
		ans, err = plain(http.StatusBadRequest, string(sentence)), nil
	}
	if err != nil {
		return nil, err
	}
	return s.response(req, ans), nil
}

// answer finds the source that a request is meant for. ClinicalTrials.gov is
// the default because its own unknown paths end in its own 404.
func (s *Sandbox) answer(req *http.Request) (answer, error) {
	t, err := s.trials()
	if err != nil {
		return answer{}, err
	}
	return t.answer(req)
}

func plain(status int, sentence string) answer {
	return answer{status: status, contentType: "text/plain;charset=UTF-8", body: []byte(sentence)}
}

func (s *Sandbox) response(req *http.Request, ans answer) *http.Response {
	header := http.Header{"Date": {s.now().UTC().Format(http.TimeFormat)}}
	if ans.contentType != "" {
		header.Set("Content-Type", ans.contentType)
	}
	if ans.location != "" {
		header.Set("Location", ans.location)
	}
	return &http.Response{
		Status:        fmt.Sprintf("%d %s", ans.status, http.StatusText(ans.status)),
		StatusCode:    ans.status,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        header,
		Body:          io.NopCloser(bytes.NewReader(ans.body)),
		ContentLength: int64(len(ans.body)),
		Request:       req,
	}
}
