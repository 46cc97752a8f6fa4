package datasets_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/datasets"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// TestSandbox: the source reads the records of the sandbox, page by page.
func TestSandbox(t *testing.T) {
	t.Parallel()
	records, err := sourcetest.Embedded()
	expect.NoError(t, err)
	d := sourcetest.All(t, records).Datasets
	var notes entity.Notes
	first, err := d.Orthologs(t.Context(), datasets.OrthologQuery{Gene: "990000300"}, &notes)
	expect.NoError(t, err)
	expect.That(t, len(first.Orthologs) == 100 && *first.Total == 312 && first.Token != "", "%d of %v, token %q", len(first.Orthologs),
		first.Total, first.Token)
	next, err := d.Orthologs(t.Context(), datasets.OrthologQuery{Gene: "990000300", Token: first.Token}, &notes)
	expect.NoError(t, err)
	expect.Is(t, next.Orthologs[0].ID, "NCBIGene:990000400", "the first of the second page")
	if _, err := d.Orthologs(t.Context(), datasets.OrthologQuery{Gene: "7157", Token: first.Token}, &notes); err == nil {
		t.Error("the token of another set is taken")
	}
	none, err := d.Orthologs(t.Context(), datasets.OrthologQuery{Gene: "999999999"}, &notes)
	expect.That(t, err == nil && none == nil, "an unknown gene: %v, %v", none, err)
	for gene, want := range map[string]string{"7157": "NM_000546.6", "672": "NM_007294.4", "348": "NM_000041.4", "4747": "NM_006158.5"} {
		products, err := d.Products(t.Context(), gene, &notes)
		expect.NoError(t, err)
		transcript := products.Transcripts[0]
		expect.That(t, transcript.Accession == want && transcript.SelectCategory == "MANE_SELECT", "the first transcript of %s: %+v", gene,
			transcript)
		if transcript.Length != nil {
			bases := 0
			for _, exon := range transcript.Locations[0].Exons {
				bases += exon.End - exon.Start + 1
			}
			expect.Is(t, bases, *transcript.Length, "bases in the exons of %s", want)
		}
	}
}

// TestKey: the key of NCBI is in a header, and in no URL.
func TestKey(t *testing.T) {
	t.Parallel()
	cfg, err := config.Read([]string{"NCBI_API_KEY=k3y"})
	expect.NoError(t, err)
	all := source.All()
	described := all[slices.IndexFunc(all, func(s source.Source) bool { return s.Name == source.Datasets })]
	requested := described.Doer(cfg, "test", doer(func(req *http.Request) {
		expect.Is(t, req.Header.Get("api-key"), "k3y", "the header")
		expect.That(t, !strings.Contains(req.URL.String(), "k3y"), "the key is in %s", req.URL)
	}))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://datasets.test/version", nil)
	expect.NoError(t, err)
	resp, err := requested.Do(req)
	expect.NoError(t, err)
	defer resp.Body.Close()
	expect.Is(t, req.Header.Get("api-key"), "", "the header of the caller's request")
}

// A doer inspects a request.
type doer func(*http.Request)

func (d doer) Do(req *http.Request) (*http.Response, error) {
	d(req)
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
}

// TestShares: Datasets shares the turns of the E-utilities, and gets no request if it is switched off.
func TestShares(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		environ string
		shared  bool
		off     int // number of sources
	}{
		{"BIOFACT_SOURCES=ctgov,ncbi,datasets", true, 3},
		{"BIOFACT_DATASETS_URL=http://localhost:1/datasets/v2", false, 0},
		{"BIOFACT_SOURCES=ncbi", true, 5},
	} {
		cfg, err := config.Read([]string{tt.environ})
		expect.NoError(t, err)
		budgets, off := map[string]string{}, 0
		for _, s := range source.All() {
			o := s.Options(cfg, upstream.Options{})
			budgets[s.Name] = o.Budget
			if o.Off != nil {
				off++
				expect.That(t, strings.Contains(o.Off.Message, s.Title+" is switched off") &&
					strings.Contains(o.Off.Hint, "BIOFACT_SOURCES"), "%+v", o.Off)
			}
		}
		expect.Is(t, budgets[source.Datasets] == budgets[source.NCBI], tt.shared, "%s: one budget", tt.environ)
		expect.Is(t, budgets[source.IDConv], budgets[source.NCBI], "%s: budget of the ID converter", tt.environ)
		expect.Is(t, off, tt.off, "%s: sources that are off", tt.environ)
		expect.Is(t, len(source.Used(cfg)), len(source.All())-tt.off, "%s: sources that are asked", tt.environ)
	}
}

// FuzzReply: any answer of Datasets is an error, no record, or rows with the id of a gene, and a failure is never an empty page.
func FuzzReply(f *testing.F) {
	for _, body := range []string{
		`{}`, `{"reports":[]}`, `{"results":[]}`, `{"total_count":3}`, `{"code":5}`, `[]`, `null`, ``, `{"reports":[null,{}]}`,
		`{"reports":[{"gene":{"gene_id":"1","taxname":"a"}}],"next_page_token":"x","total_count":-1}`,
		`{"reports":[{"product":{"gene_id":"7157","transcripts":[{"accession_version":"NM_1.1"}]}}]}`,
		`{"messages":[{"warning":{"gene_warning_code":"UNRECOGNIZED_TAX_TOKEN"}},{"error":{"message":"x"}}]}`,
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		d := sourcetest.All(t, fixedBody(body)).Datasets
		var notes entity.Notes
		page, err := d.Orthologs(t.Context(), datasets.OrthologQuery{Gene: "7157", Taxa: []string{"9606"}}, &notes)
		empty := strings.HasPrefix(strings.TrimSpace(body), "{")
		expect.That(t, err != nil || page != nil || empty, "%q is taken for an empty page", body)
		if err == nil && page != nil {
			expect.That(t, page.Total == nil || *page.Total >= 0, "a total of %v", page.Total)
			expect.That(t, len(page.Orthologs) > 0 || page.UnknownTaxa != nil, "an empty page of %q", body)
			for _, row := range page.Orthologs {
				expect.That(t, strings.HasPrefix(row.ID, "NCBIGene:"), "%q gives the id %q", body, row.ID)
			}
		}
		products, err := d.Products(t.Context(), "7157", &notes)
		expect.That(t, err != nil || products == nil || products.Gene != "", "%q gives %+v", body, products)
	})
}

// fixedBody answers every request with the same body.
type fixedBody string

func (a fixedBody) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(string(a))), Request: req,
	}, nil
}
