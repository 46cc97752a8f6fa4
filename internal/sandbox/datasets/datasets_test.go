package datasets_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/sandbox/datasets"
	"github.com/biofact-mcp/biofact/internal/sandbox/records"
)

// over returns Datasets over a saved page of reports and lines of them.
func over(t *testing.T) *datasets.Datasets {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{
		"page.json": `{"reports":[{"gene":{"gene_id":"1","symbol":"A","tax_id":"9606","taxname":"Homo sapiens","gene_groups":[{"id":"1"}]},"query":["1"]},` +
			`{"gene":{"gene_id":"2","tax_id":"10090","taxname":"Mus musculus","common_name":"house mouse","gene_groups":[{"id":"1"}]}}],"total_count":2}`,
		"lines.jsonl": `{"product":{"gene_id":"1","transcripts":[]}}` + "\n" + `{"gene":{"gene_id":"3","gene_groups":[{"id":"3"}]}}` +
			"\n" + `{"gene_id":"4"}`,
		"studies.jsonl": `{"protocolSection":{}}`,
	} {
		expect.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	f, err := records.Open(t.Context(), folder, records.DefaultLimits)
	expect.NoError(t, err)
	d, err := datasets.Read(t.Context(), f)
	expect.NoError(t, err)
	expect.Is(t, d.Count(), 4, "reports")
	return d
}

// TestAnswers: it answers the requests of the official document that it knows, and refuses others.
func TestAnswers(t *testing.T) {
	t.Parallel()
	d := over(t)
	for _, tt := range []struct {
		question string
		status   int
		genes    []string
	}{
		{"/version", 200, nil},
		{"/gene/id/1/orthologs", 200, []string{"1", "2"}},
		{"/gene/id/2/orthologs?taxon_filter=9606&taxon_filter=3702&page_size=1000", 200, []string{"1"}},
		{"/gene/id/1/orthologs?taxon_filter=House+mouse&returned_content=COMPLETE", 200, []string{"2"}},
		{"/gene/id/1/orthologs?page_size=1", 200, []string{"1"}},
		{"/gene/id/1/orthologs?taxon_filter=Homo+nonexistens", 200, nil},
		{"/gene/id/9/orthologs", 200, nil},
		{"/gene/id/9,1/product_report?page_size=20", 200, []string{"1"}},
		{"/gene/id/1/orthologs?page_size=1001", 400, nil},
		{"/gene/id/1/orthologs?page_size=0", 400, nil},
		{"/gene/id/1/orthologs?page_token=bm9uZQ", 400, nil},
		{"/gene/id/1/orthologs?returned_content=IDS_ONLY", 400, nil},
		{"/gene/id/1/orthologs?fields=symbol", 400, nil},
		{"/gene/id/1,2/orthologs", 400, nil},
		{"/gene/id/TP53/product_report", 400, nil},
		{"/gene/id/1/product_report?taxon_filter=9606", 400, nil},
		{"/gene/id/1", 404, nil},
		{"/gene/id/1/links", 404, nil},
		{"/taxonomy/taxon/9606", 404, nil},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://example.org/datasets/v2"+tt.question, nil)
		expect.NoError(t, err)
		expect.That(t, datasets.Serves(req.URL.Path), "%s is not of Datasets", tt.question)
		got, err := d.Answer(req)
		expect.NoError(t, err)
		var page struct {
			Reports []struct {
				Gene, Product struct {
					ID string `json:"gene_id"`
				}
			}
			Code int
		}
		expect.NoError(t, json.Unmarshal(got.Body, &page))
		var genes []string
		for _, report := range page.Reports {
			genes = append(genes, report.Gene.ID+report.Product.ID)
		}
		expect.That(t, got.Status == tt.status && slices.Equal(genes, tt.genes) && (page.Code != 0) == (tt.status != http.StatusOK),
			"%s: status %d, genes %v: %s", tt.question, got.Status, genes, got.Body)
	}
}
