// Package sandbox replaces the network: an http.RoundTripper that answers as the public sources do, as strictly as they do, from
// full records in their own form.
//
// Newcomers, developers of agents and the tests use it to run the client code that calls the real services. The package knows nothing of
// Biofact: no entities, no mapping, no tools. It understands the queries that Biofact writes and refuses other queries with the upstream's
// own 400. It is not a second search engine.
//
// Each source has its own package: ctgov is ClinicalTrials.gov API v2, over package query, ncbi is NCBI E-utilities, datasets is NCBI
// Datasets, openfda is openFDA, and pmc has the full texts of PubMed Central and Europe PMC. This package routes requests to them.
package sandbox

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
	"sync"

	"github.com/biofact-mcp/biofact/internal/reply"
	"github.com/biofact-mcp/biofact/internal/sandbox/ctgov"
	"github.com/biofact-mcp/biofact/internal/sandbox/datasets"
	"github.com/biofact-mcp/biofact/internal/sandbox/ncbi"
	"github.com/biofact-mcp/biofact/internal/sandbox/openfda"
	"github.com/biofact-mcp/biofact/internal/sandbox/pmc"
	"github.com/biofact-mcp/biofact/internal/sandbox/records"
)

// data holds the records that New serves, one folder for each source.
//
//go:embed data
var data embed.FS

// Sandbox answers HTTP requests as the sources do. It is safe for concurrent use.
type Sandbox struct {
	trials   func() (*ctgov.Registry, error)
	eutils   *ncbi.Utilities
	datasets func() (*datasets.Datasets, error)
	texts    func() (pmc.Articles, error)
	europe   func() (*pmc.EuropePMC, error)
	drugs    func() (*openfda.OpenFDA, error)
	folder   *records.Folder
}

// LeftOut returns the files of the opened folder that hold no records, each with the reason.
func (s *Sandbox) LeftOut() []string { return s.folder.LeftOut() }

// New returns a sandbox over the embedded records. It reads each kind of record at the first request for it, so that a server that never
// requests them starts faster. An error in the records is then the error of that request.
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

// newSandbox returns a sandbox that reads its records at the first request for them.
func newSandbox(ctx context.Context, f *records.Folder, texts func() (pmc.Articles, error)) *Sandbox {
	return &Sandbox{
		folder:   f,
		trials:   sync.OnceValues(func() (*ctgov.Registry, error) { return ctgov.Read(ctx, f) }),
		eutils:   ncbi.New(ctx, f, texts),
		datasets: sync.OnceValues(func() (*datasets.Datasets, error) { return datasets.Read(ctx, f) }),
		texts:    texts,
		europe: sync.OnceValues(func() (*pmc.EuropePMC, error) {
			all, err := texts()
			if err != nil {
				return nil, err
			}
			return pmc.NewEuropePMC(ctx, f, all)
		}),
		drugs: sync.OnceValues(func() (*openfda.OpenFDA, error) { return openfda.Read(ctx, f) }),
	}
}

// Open returns a sandbox over the records at path, a file or a folder of files:
//
//   - studies: .jsonl or .jsonl.gz of one full record a line, .json of one study
//     or of one page {"studies":[...]}
//
//   - genes: .xml or .xml.gz of Entrezgene-Set, which EFetch serves unchanged
//
//   - articles: .xml or .xml.gz with PubmedArticle and PubmedBookArticle, which
//     EFetch serves unchanged too. They are held in memory. If several files have
//     the same article, the first one counts.
//
//   - articles in the format of MEDLINE, as they were recorded: .nbib or
//     .nbib.gz. EFetch has an error for an article without one.
//
//   - variants: .jsonl or .jsonl.gz of one document summary of ClinVar a line, in
//     the folder ncbi
//
//   - reports of NCBI Datasets: .jsonl or .json of one report, or of one page
//     {"reports":[...]}, a value after the other
//
//   - records of openFDA: .jsonl of one record a line, in the folder openfda,
//     with the name of the endpoint: label, drugsfda, ndc, event, enforcement,
//     shortages, substance
//
//   - full texts in JATS, with the PMCID: .xml or .xml.gz
//
//   - rows of searches of Europe PMC: .jsonl of one row a line, whose member bodyText is searched too, or recorded answers
//
// The folders ctgov, datasets, europepmc, ncbi, openfda and pmc have records of that source only. A source without records answers
// requests and finds nothing. A folder may hold other files too:
// a file with a bad record is left out, see LeftOut, and of two records with one id the first
// one counts. In a single file a bad record and an id that occurs twice are errors that name the file and, if known, the line; so is a
// limit that is exceeded, and a path without any record. Reading ends when ctx ends.
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
	s := newSandbox(ctx, f, sync.OnceValues(func() (pmc.Articles, error) { return pmc.Read(ctx, f) }))
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
	drugs, err := s.drugs()
	if err != nil {
		return nil, err
	}
	if trials.Count()+others+reports.Count()+drugs.Count() == 0 {
		return nil, fmt.Errorf("%s: no record at all", path)
	}
	return s, nil
}

// Trials returns ClinicalTrials.gov.
func (s *Sandbox) Trials() http.RoundTripper { return over(s.trials, (*ctgov.Registry).Answer) }

// EUtils returns NCBI's E-utilities.
func (s *Sandbox) EUtils() http.RoundTripper { return reply.Func(s.eutils.Answer) }

// Datasets returns NCBI Datasets.
func (s *Sandbox) Datasets() http.RoundTripper { return over(s.datasets, (*datasets.Datasets).Answer) }

// OpenFDA returns openFDA.
func (s *Sandbox) OpenFDA() http.RoundTripper { return over(s.drugs, (*openfda.OpenFDA).Answer) }

// EuropePMC returns Europe PMC.
func (s *Sandbox) EuropePMC() http.RoundTripper { return over(s.europe, (*pmc.EuropePMC).Answer) }

// IDConverter returns the ID converter of PubMed Central.
func (s *Sandbox) IDConverter() http.RoundTripper { return over(s.texts, pmc.Articles.Convert) }

// over returns a source over records that are read at the first request.
func over[T any](records func() (T, error), answer func(T, *http.Request) (reply.Reply, error)) http.RoundTripper {
	return reply.Func(func(req *http.Request) (reply.Reply, error) {
		read, err := records()
		if err != nil {
			return reply.Reply{}, err
		}
		return answer(read, req)
	})
}

// RoundTrip answers a request to any source: the path names the source. The default is ClinicalTrials.gov, whose own 404 answers unknown
// paths.
func (s *Sandbox) RoundTrip(req *http.Request) (*http.Response, error) {
	switch {
	case ncbi.Serves(req.URL.Path):
		return s.EUtils().RoundTrip(req)
	case datasets.Serves(req.URL.Path):
		return s.Datasets().RoundTrip(req)
	case strings.Contains(req.URL.Path, "/europepmc/"):
		return s.EuropePMC().RoundTrip(req)
	case openfda.Serves(req.URL.Path):
		return s.OpenFDA().RoundTrip(req)
	case strings.Contains(req.URL.Path, "/idconv/"):
		return s.IDConverter().RoundTrip(req)
	}
	return s.Trials().RoundTrip(req)
}
