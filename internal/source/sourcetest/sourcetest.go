// Package sourcetest opens the sources over clients that a test has made.
package sourcetest

import (
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// A Setup says how the sources are reached. A source without a client is not
// opened.
type Setup struct {
	CTGovURL string
	CTGov    *upstream.Client

	EUtilsURL            string
	EUtils               *upstream.Client
	Tool, Email, APIKey  string
	RecordAge, SearchAge time.Duration

	Store   *store.Store // nil: nothing is kept
	Observe source.Observer
}

// Trials opens ClinicalTrials.gov; nil: it has no client.
func (s Setup) Trials(tb testing.TB) *ctgov.Registry {
	tb.Helper()
	if s.CTGov == nil {
		return nil
	}
	registry, err := ctgov.New(s.access(source.CTGov, s.CTGovURL, s.CTGov))
	if err != nil {
		tb.Fatal(err)
	}
	return registry
}

// Genes opens NCBI Gene; nil: NCBI has no client.
func (s Setup) Genes(tb testing.TB) *ncbi.Genes {
	tb.Helper()
	if s.EUtils == nil {
		return nil
	}
	genes, err := ncbi.NewGenes(s.ncbi())
	if err != nil {
		tb.Fatal(err)
	}
	return genes
}

// Articles opens PubMed; nil: NCBI has no client.
func (s Setup) Articles(tb testing.TB) *ncbi.Articles {
	tb.Helper()
	if s.EUtils == nil {
		return nil
	}
	articles, err := ncbi.NewArticles(s.ncbi())
	if err != nil {
		tb.Fatal(err)
	}
	return articles
}

func (s Setup) ncbi() ncbi.Options {
	access := s.access(source.NCBI, s.EUtilsURL, s.EUtils)
	access.Doer = &entrez.Identified{Next: s.EUtils, Tool: s.Tool, Email: s.Email, APIKey: s.APIKey}
	return ncbi.Options{Access: access, RecordAge: s.RecordAge, SearchAge: s.SearchAge}
}

func (s Setup) access(name, url string, client *upstream.Client) source.Access {
	access := source.Access{URL: url, Client: client, Store: s.Store, Observe: s.Observe}
	for _, described := range source.All() {
		if described.Name == name {
			access.Source = described
		}
	}
	return access
}
