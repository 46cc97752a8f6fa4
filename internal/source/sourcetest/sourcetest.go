// Package sourcetest opens the sources with the clients of a test.
package sourcetest

import (
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/sources"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// A Setup configures the sources. A source without a client is not opened.
type Setup struct {
	CTGovURL string
	CTGov    *upstream.Client

	EUtilsURL            string
	EUtils               *upstream.Client
	Tool, Email, APIKey  string
	RecordAge, SearchAge time.Duration

	Datasets *upstream.Client

	Mirror *ctgov.Mirror // of the registry; nil: none

	Store   *store.Store // nil: no answer is stored
	Observe source.Observer
}

// Sources opens the sources that have a client.
func (s Setup) Sources(tb testing.TB) sources.Sources {
	tb.Helper()
	access := map[string]source.Access{}
	for _, described := range source.All() {
		a := source.Access{Source: described, Store: s.Store, Observe: s.Observe}
		switch described.Name {
		case source.CTGov:
			a.URL, a.Client = s.CTGovURL, s.CTGov
		case source.NCBI:
			a.URL, a.Client = s.EUtilsURL, s.EUtils
			a.Doer = &entrez.Identified{Next: s.EUtils, Tool: s.Tool, Email: s.Email, APIKey: s.APIKey}
		case source.Datasets:
			a.URL, a.Client = "https://datasets.test/datasets/v2", s.Datasets
		}
		access[described.Name] = a
	}
	opened, err := sources.Open(&config.Config{RecordAge: s.RecordAge, SearchAge: s.SearchAge}, access, s.Mirror)
	if err != nil {
		tb.Fatal(err)
	}
	if s.CTGov == nil {
		opened.Trials = nil
	}
	if s.EUtils == nil {
		opened.Genes, opened.Articles = nil, nil
	}
	if s.Datasets == nil {
		opened.Datasets = nil
	}
	return *opened
}

// All opens all sources of the table over one transport, with one attempt at each request, no pace and no store. The version of the program
// is test.
func All(tb testing.TB, base http.RoundTripper) sources.Sources {
	tb.Helper()
	return Cached(tb, base, nil)
}

// Cached opens all sources as All does, over a store.
func Cached(tb testing.TB, base http.RoundTripper, cache *store.Store) sources.Sources {
	tb.Helper()
	return Mirrored(tb, base, cache, nil)
}

// Mirrored opens all sources as Cached does, with a mirror of the registry.
func Mirrored(tb testing.TB, base http.RoundTripper, cache *store.Store, mirror *ctgov.Mirror) sources.Sources {
	tb.Helper()
	cfg, err := config.Read(nil)
	if err != nil {
		tb.Fatal(err)
	}
	access := map[string]source.Access{}
	for _, described := range source.All() {
		o := described.Options(cfg, upstream.Options{
			Base: base, MaxBody: 16 << 20, UserAgent: cfg.UserAgent(version), Log: slog.New(slog.DiscardHandler),
		})
		o.Tries, o.Interval, o.Latency = 1, 0, 0
		client := upstream.NewClient(o)
		access[described.Name] = source.Access{
			Source: described, URL: described.BaseURL(cfg), Client: client, Doer: described.Doer(cfg, version, client),
			Store: cache,
		}
	}
	opened, err := sources.Open(cfg, access, mirror)
	if err != nil {
		tb.Fatal(err)
	}
	return *opened
}

const version = "test"
