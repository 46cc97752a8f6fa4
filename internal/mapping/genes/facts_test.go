package genes_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/genes"
)

// TestGenesAreTrue compares the genes of the sandbox with NCBI's records, where they are at hand: a fact is equal or absent, and a list is
// whole or absent. The summary and the sentences are ours.
func TestGenesAreTrue(t *testing.T) {
	t.Parallel()
	real := genesOf(t, expect.Corpus(t, "gene", "it compares embedded genes with NCBI's records")+"/efetch_gene_*.xml.gz")
	compared, facts, alone := 0, 0, 0
	for id, gene := range genesOf(t, "../../sandbox/data/ncbi/gene*.xml.gz") {
		if real[id] == nil {
			alone++
			continue
		}
		compared++
		facts += sameFacts(t, id, gene, real[id])
	}
	t.Logf("%d genes compared, %d facts; %d have no record at hand", compared, facts, alone)
	expect.That(t, compared > 2, "only %d genes were compared", compared)
}

// genesOf returns the entities of the genes in some files, with their GeneRIFs.
func genesOf(t *testing.T, pattern string) map[string]map[string]any {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	expect.NoError(t, err)
	all := map[string]map[string]any{}
	for _, path := range paths {
		expect.NoErrorf(t, entrez.ReadGenes(bytes.NewReader(expect.Read(t, path)), 0, func(g *entrez.Gene) error {
			gene, _, err := genes.Gene(g)
			gene.GeneRIFs, gene.Summary = genes.GeneRIFs(g), ""
			for i := range gene.GeneRIFs {
				gene.GeneRIFs[i].Text = ""
			}
			text, _ := json.Marshal(gene)
			var fields map[string]any
			expect.NoError(t, json.Unmarshal(text, &fields))
			all[g.ID] = fields
			return err
		}), "%s", path)
	}
	return all
}

// sameFacts reports each fact of an embedded value that the real one does not have, and returns the number of facts.
func sameFacts(t *testing.T, path string, got, want any) (facts int) {
	t.Helper()
	switch got := got.(type) {
	case map[string]any:
		of, _ := want.(map[string]any)
		for key, value := range got {
			facts += sameFacts(t, path+"."+key, value, of[key])
		}
	case []any:
		of, _ := want.([]any)
		if len(of) != len(got) {
			t.Errorf("%s has %d rows of %d", path, len(got), len(of))
			return 0
		}
		for i := range got {
			facts += sameFacts(t, fmt.Sprintf("%s[%d]", path, i), got[i], of[i])
		}
	default:
		facts = 1
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %v, not %v", path, want, got)
		}
	}
	return facts
}
