package e2e

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/biofact-mcp/biofact/gen/schemas"
	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/contract"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// A recordKind says where files of records have the ids, and which calls read a record. ID is the id, and OTHER that of another record.
type recordKind struct {
	files expect.Records
	id    string // pattern
	calls []string
}

// recordKinds returns the kinds of records that tools read by their id.
func recordKinds(t *testing.T) map[string]recordKind {
	t.Helper()
	fullTexts, err := filepath.Glob("../internal/sandbox/pmc/data/*.xml")
	expect.NoError(t, err)
	return map[string]recordKind{
		"trials": {expect.Trials("studies", "results", "more"), `"nctId": ?"(NCT\d{8})"`, []string{
			`get_trial {"nct_id": "ID"}`, `get_trial {"nct_id": "ID", "sections": "summary"}`,
			`get_trial_locations {"nct_id": "ID", "page_size": 500}`, `compare_trials {"nct_ids": ["ID", "OTHER"]}`,
			`get_trial_results {"nct_id": "ID"}`, `get_trial_results {"nct_id": "ID", "section": "outcomes"}`,
			`get_trial_results {"nct_id": "ID", "section": "outcomes", "format": "csv"}`,
			`get_trial_results {"nct_id": "ID", "section": "adverse_events", "page_size": 500}`,
			`get_trial_results {"nct_id": "ID", "section": "participant_flow"}`,
			`get_trial_results {"nct_id": "ID", "section": "baseline"}`, `get_trial_results {"nct_id": "ID", "section": "more_info"}`,
			`get_trial_results {"nct_id": "ID", "section": "comparisons"}`, `get_trial_results {"nct_id": "ID", "section": "arms"}`,
		}},
		"genes": {expect.Genes(), `<Gene-track_geneid>(\d+)<`, []string{
			`get_gene {"entrez_id": "ID"}`, `get_gene_orthologs {"entrez_id": "ID"}`, `get_gene_transcripts {"entrez_id": "ID"}`,
			`get_gene_variants {"entrez_id": "ID"}`, `get_pubmed_links {"entrez_id": "ID"}`,
		}},
		"articles": {expect.Articles("efetch"), `<(?:MedlineCitation|BookDocument)[^>]*>\s*<PMID[^>]*>(\d+)<`, []string{
			`fetchArticleDetails {"pmids": ["ID", "OTHER"], "includeGrantInfo": true}`,
			`fetchArticleDetails {"pmids": ["ID"], "detailLevel": "abstract"}`,
			`fetchArticleDetails {"pmids": ["ID"], "detailLevel": "full_xml"}`,
			`fetchArticleDetails {"pmids": ["ID"], "detailLevel": "citation_data"}`,
			`convertArticleIds {"ids": ["ID", "OTHER"]}`, `getArticleRelationships {"sourcePmid": "ID"}`,
			`getArticleRelationships {"sourcePmid": "ID", "relationshipType": "citation_formats"}`,
		}},
		"full texts": {expect.Records{Paths: fullTexts}, `pub-id-type="pmcid">(PMC\d+)<`, []string{
			`getArticleFullText {"id": "ID", "maxBytes": 400000}`, `getArticleFullText {"id": "ID", "maxBytes": 4000}`,
			`getArticleFullText {"id": "ID", "outlineOnly": true}`, `getArticleFullText {"id": "ID", "include": "tables"}`,
		}},
	}
}

// TestEveryRecord reads every record with every tool for it: the answers are valid in both profiles. The full texts are the embedded ones;
// TestFullTextCorpus reads the others.
func TestEveryRecord(t *testing.T) {
	t.Parallel()
	for name, kind := range recordKinds(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from := config.SandboxEmbedded
			if kind.files.Real {
				expect.Slow(t)
				from = kind.files.Folder(t)
			}
			var ids []string
			for _, path := range kind.files.Paths {
				for _, found := range regexp.MustCompile(kind.id).FindAllSubmatch(expect.Read(t, path), -1) {
					ids = append(ids, string(found[1]))
				}
			}
			slices.Sort(ids)
			ids = slices.Compact(ids)
			expect.Must(t, len(ids) > 2, "only %d records", len(ids))
			a, p := corpusApp(t, from), profiles{contract.New(), map[string]*jsonschema.Schema{}}
			refused := 0
			for i, id := range ids {
				words := strings.NewReplacer("ID", id, "OTHER", ids[(i+1)%len(ids)])
				for _, call := range kind.calls {
					if !p.check(t, a, words.Replace(call)) {
						refused++
					}
				}
			}
			t.Logf("%d records, %d answers, of these %d errors", len(ids), len(ids)*len(kind.calls), refused)
			expect.That(t, 2*refused < len(ids)*len(kind.calls), "%d errors", refused)
		})
	}
}

// profiles are the schemas in both profiles.
type profiles struct {
	closed *contract.Contract
	open   map[string]*jsonschema.Schema
}

// check makes a call, such as get_trial {"nct_id": "NCT00000000"}, and validates its answer. It reports whether the answer is no error.
func (p profiles) check(t *testing.T, a *app.App, call string) bool {
	t.Helper()
	tool, arguments, _ := strings.Cut(call, " ")
	result := a.Tool(tool).Call(t.Context(), a.Log, []byte(arguments))
	problems, err := p.closed.Validate(tool+".output", result.JSON)
	expect.That(t, err == nil && len(problems) == 0, "%s: %v %.600v", call, err, problems)
	if p.open[tool] == nil {
		p.open[tool], err = jsonschema.CompileString(tool, string(schemas.Open(tool+".output")))
		expect.NoError(t, err)
	}
	var document any
	expect.NoError(t, json.Unmarshal(result.JSON, &document))
	expect.NoErrorf(t, p.open[tool].Validate(document), "%s, open profile", call)
	return !result.IsError
}
