package genes_test

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/genes"
	"github.com/biofact-mcp/biofact/internal/sandbox"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// A countingTransport counts its requests.
type countingTransport struct {
	http.RoundTripper
	requests int
}

func (c *countingTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	c.requests++
	return c.RoundTripper.RoundTrip(req)
}

// largeSet is a gene of the sandbox with 312 genes in its ortholog set.
const largeSet, inLargeSet = "NCBIGene:990000300", 312

// TestOrthologPages reads an ortholog set of more than 300 genes page by page: each gene comes once, every page has the total, and pages of
// any size, also cut ones, need the same four requests.
func TestOrthologPages(t *testing.T) {
	t.Parallel()
	records, err := sourcetest.Embedded()
	expect.NoError(t, err)
	requests := &countingTransport{RoundTripper: records}
	log := slog.New(slog.DiscardHandler)
	opened := sourcetest.Setup{
		RecordAge: 24 * time.Hour, Store: store.New(store.Options{Log: log, MaxBytes: 1 << 24}),
		Datasets: upstream.NewClient(upstream.Options{Source: "NCBI Datasets", Base: requests, Tries: 1, MaxBody: 1 << 20, Log: log}),
	}.Sources(t)
	for _, tt := range []struct{ size, maxAnswer, pages int }{{50, 400_000, 7}, {7, 400_000, 45}, {200, 400_000, 2}, {100, 400_000, 4},
		{200, 10_000, 10}} {
		s := genes.New(opened, tt.maxAnswer)
		args := tools.GetGeneOrthologsArgs{EntrezID: largeSet, PageSize: tt.size}
		seen := map[string]int{}
		pages, tagged := 0, 0
		for {
			answer, err := s.GetGeneOrthologs(t.Context(), args)
			expect.NoError(t, err)
			pages++
			total := answer.Value.Pagination.TotalCount
			expect.Must(t, total != nil && *total == inLargeSet, "total %v", total)
			for _, item := range answer.Value.Items {
				seen[item.ID]++
				if item.Requested {
					tagged++
				}
			}
			if cut := strings.Contains(strings.Join(answer.Notices, " "), "was cut"); cut != (tt.maxAnswer == 10_000 &&
				answer.Value.Pagination.Cursor != "") {
				t.Errorf("notices %q", answer.Notices)
			}
			if args.Cursor = answer.Value.Pagination.Cursor; args.Cursor == "" {
				break
			}
		}
		expect.Is(t, len(seen), inLargeSet, "different genes in pages of %d", tt.size)
		expect.That(t, tagged == 1 && seen[largeSet] == 1, "the gene itself: %d times, marked %d times", seen[largeSet], tagged)
		expect.That(t, pages >= tt.pages && pages <= tt.pages+2, "%d pages of %d", pages, tt.size)
	}
	expect.Is(t, requests.requests, 4, "requests")
}

// TestRefusedOrthologToken: if NCBI Datasets no longer accepts a page token, the error names the call of the first page.
func TestRefusedOrthologToken(t *testing.T) {
	t.Parallel()
	all, err := sourcetest.Embedded()
	expect.NoError(t, err)
	refusing := roundTrip(func(req *http.Request) (*http.Response, error) {
		if query := req.URL.Query(); query.Has("page_token") {
			query.Set("page_token", "b2xk")
			req.URL.RawQuery = query.Encode()
		}
		return all.RoundTrip(req)
	})
	s := genes.New(sourcetest.All(t, refusing), 400_000)
	args := tools.GetGeneOrthologsArgs{EntrezID: largeSet, PageSize: 100}
	first, err := s.GetGeneOrthologs(t.Context(), args)
	expect.NoError(t, err)
	args.Cursor = first.Value.Pagination.Cursor
	for range 2 { // the first cursor may lead to the first page of Datasets
		answer, err := s.GetGeneOrthologs(t.Context(), args)
		if e := entity.AsError(err); err != nil {
			expect.That(t, e.Code == entity.InvalidInput && strings.Contains(e.Message, "no longer accepts") &&
				strings.Contains(e.Hint, "For the first page call get_gene_orthologs with"), "%+v", e)
			return
		}
		args.Cursor = answer.Value.Pagination.Cursor
	}
	t.Error("the token is accepted")
}

// A roundTrip is an http.RoundTripper.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// TestDatasetsFaults: a failure of NCBI Datasets is an error and never an empty answer, and leaves no cache entry.
func TestDatasetsFaults(t *testing.T) {
	t.Parallel()
	records, err := sourcetest.Embedded()
	expect.NoError(t, err)
	cfg, err := config.Read(nil)
	expect.NoError(t, err)
	log := slog.New(slog.DiscardHandler)
	all := source.All()
	described := all[slices.IndexFunc(all, func(s source.Source) bool { return s.Name == source.Datasets })]
	for _, fault := range sandbox.AllFaults() {
		t.Run(string(fault), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				failing := fault
				o := described.Options(cfg, upstream.Options{MaxBody: 1 << 20, Log: log, Base: &sandbox.Faults{
					Next: records.Datasets(), Plan: func(int, *http.Request) sandbox.Fault { return failing },
				}})
				s := genes.New(sourcetest.Setup{
					RecordAge: 24 * time.Hour, Store: store.New(store.Options{Log: log, MaxBytes: 1 << 20}),
					Datasets: upstream.NewClient(o),
				}.Sources(t), 400_000)
				for _, works := range []bool{false, true} {
					if works {
						failing = sandbox.NoFault
					}
					ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
					orthologs, err := s.GetGeneOrthologs(ctx,
						tools.GetGeneOrthologsArgs{EntrezID: "672", Organism: []string{"mouse"}, PageSize: 50})
					transcripts, also := s.GetGeneTranscripts(ctx, tools.GetGeneTranscriptsArgs{EntrezID: "672", PageSize: 10})
					cancel()
					if works {
						expect.That(t, err == nil && len(orthologs.Value.Items) == 1 && also == nil && len(transcripts.Value.Items) == 3,
							"after it: %v, %v", err, also)
						continue
					}
					for _, err := range []error{err, also} {
						e := entity.AsError(err)
						expect.That(t, err != nil && (e.Code == entity.UpstreamError || e.Code == entity.RateLimited) &&
							strings.Contains(e.Message, "NCBI Datasets"), "%v", err)
					}
				}
			})
		})
	}
}

// TestOrthologTaxa: a notice names an organism without a gene in the set, also among others, and a group finds the genes of its members.
func TestOrthologTaxa(t *testing.T) {
	t.Parallel()
	records, err := sourcetest.Embedded()
	expect.NoError(t, err)
	log := slog.New(slog.DiscardHandler)
	s := genes.New(sourcetest.Setup{
		RecordAge: time.Hour, Store: store.New(store.Options{Log: log, MaxBytes: 1 << 20}),
		Datasets: upstream.NewClient(upstream.Options{Source: "NCBI Datasets", Base: records, Tries: 1, MaxBody: 1 << 20, Log: log}),
	}.Sources(t), 400_000)
	for _, tt := range []struct {
		organisms []string
		rows, of  int
		lacking   string
	}{
		{[]string{"mouse", "yeast"}, 50, 1, `no gene of "yeast".`},
		{[]string{"mouse", "rat", "house mouse"}, 50, 2, ""},
		{[]string{"mammals"}, 50, 8, ""},
		{[]string{"40674"}, 2, 8, ""},
		{[]string{"rodents", "yeast", "primates"}, 50, 5, `no gene of "yeast".`},
		{[]string{"human", "mouse", "fungi", "rat"}, 1, 3, `no gene of "fungi".`},
	} {
		answer, err := s.GetGeneOrthologs(t.Context(),
			tools.GetGeneOrthologsArgs{EntrezID: "7157", Organism: tt.organisms, PageSize: tt.rows})
		expect.NoError(t, err)
		total := answer.Value.Pagination.TotalCount
		expect.That(t, total != nil && *total == tt.of && len(answer.Value.Items) == min(tt.rows, tt.of), "%q: %d rows", tt.organisms,
			len(answer.Value.Items))
		notices := strings.Join(answer.Notices, "\n")
		expect.That(t, strings.Contains(notices, tt.lacking) && strings.Contains(notices, "no gene of") == (tt.lacking != ""), "%q: %s",
			tt.organisms, notices)
	}
}
