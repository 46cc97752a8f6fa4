package genes_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
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
	compared, facts, single := 0, 0, 0
	for id, gene := range genesOf(t, "../../sandbox/data/ncbi/gene*.xml.gz") {
		if real[id] == nil {
			single++
			continue
		}
		compared++
		facts += expect.SameFacts(t, id, gene, real[id])
	}
	t.Logf("%d genes compared, %d facts; %d have no record at hand", compared, facts, single)
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
