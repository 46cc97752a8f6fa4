package genes_test

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/datasets"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/genes"
	"github.com/biofact-mcp/biofact/internal/mapping/mappingtest"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

// reports returns the reports of NCBI Datasets in the sandbox, one a line, and a report with errors in all fields.
func reports(t testing.TB) []string {
	t.Helper()
	all := []string{`{"gene":{"gene_id":"1","symbol":"\u0000","taxname":"a\u202eb","tax_id":"-1","type":"UNKNOWN","chromosomes":["","X|Y"],"omim_ids":["12"],` +
		`"ensembl_gene_ids":["ENSG00000000001.2","ENSG00000000002"],"annotations":[{"genomic_locations":[{},{"genomic_accession_version":"NC_1.1",` +
		`"genomic_range":{"begin":"0","end":"x","orientation":"none"}}]}]},"product":{"gene_id":"1","transcript_count":0,"transcripts":[{},` +
		`{"accession_version":"NM_1.1","length":-1,"cds":{"range":[{}]},"genomic_locations":[{},{"genomic_accession_version":"NC_1.1","exons":[{"order":1}]}]}]}}`}
	for _, name := range []string{"genes", "products"} {
		text, err := os.ReadFile("../../sandbox/data/datasets/" + name + ".jsonl")
		expect.NoError(t, err)
		all = append(all, strings.Split(strings.TrimSpace(string(text)), "\n")...)
	}
	return all
}

// mapReport maps a report as a gene and as products, and returns violations of the schemas.
func mapReport(t testing.TB, document string) (mapped []string, problems []string) {
	t.Helper()
	var report datasets.V2reportsGeneReportMatch
	if json.Unmarshal([]byte(document), &report) != nil {
		return nil, nil
	}
	ortholog, notices, err := genes.GeneOrtholog(&report)
	if err == nil {
		problems = append(problems, mappingtest.Check(t, "gene-ortholog", ortholog)...)
	} else {
		expect.That(t, errors.Is(err, text.ErrIncomplete), "%v", err)
	}
	transcripts, more, err := genes.GeneTranscripts(&report)
	expect.That(t, err == nil || errors.Is(err, text.ErrIncomplete), "%v", err)
	for _, transcript := range transcripts {
		problems = append(problems, mappingtest.Check(t, "gene-transcript", transcript)...)
		mapped = append(mapped, string(mappingtest.Encode(t, transcript, "")))
	}
	return append(append(append(mapped, string(mappingtest.Encode(t, ortholog, ""))), notices...), more...), problems
}

// TestReportFields: the lists of fields, which the drift check uses, have all fields of a report that the mappers read.
func TestReportFields(t *testing.T) {
	t.Parallel()
	listed := append(genes.GeneOrthologFields(), genes.GeneTranscriptFields()...)
	for _, text := range reports(t) {
		var full map[string]any
		expect.NoError(t, json.Unmarshal([]byte(text), &full))
		part, err := json.Marshal(only(full, "", listed))
		expect.NoError(t, err)
		want, problems := mapReport(t, text)
		got, _ := mapReport(t, string(part))
		expect.Equal(t, "mapped from the fields that are listed alone", want, got)
		expect.That(t, problems == nil, "%v", problems)
	}
}

// only returns a value reduced to the listed fields.
func only(value any, at string, listed []string) any {
	switch v := value.(type) {
	case []any:
		var out []any
		for _, item := range v {
			out = append(out, only(item, at, listed))
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for key, inner := range v {
			path := strings.TrimPrefix(at+"."+key, ".")
			if slices.ContainsFunc(listed, func(field string) bool { return strings.HasPrefix(field+".", path+".") }) {
				out[key] = only(inner, path, listed)
			}
		}
		return out
	}
	return value
}

// FuzzGeneReport: any report that decodes is incomplete or maps to valid entities.
func FuzzGeneReport(f *testing.F) {
	for _, text := range reports(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, problems := mapReport(t, text); problems != nil {
			t.Error(problems)
		}
	})
}
