package genes

import (
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
)

// fitGene shortens a gene, the least important parts first.
func fitGene(g *entity.Gene, maxAnswer int) []string {
	refs := &g.CrossReferences
	cut := envelope.Fit(g, maxAnswer, []envelope.Part{
		envelope.CutBy("pmids of go_terms", func(int) {
			for i := range g.GOTerms {
				g.GOTerms[i].PMIDs = nil
			}
		}),
		envelope.CutList("go_terms", &g.GOTerms),
		envelope.CutList("phenotypes", &g.Phenotypes),
		envelope.CutList("locations", &g.Locations),
		envelope.CutList("refseq", &refs.RefSeq),
		envelope.CutList("ensembl_transcript", &refs.EnsemblTranscript),
		envelope.CutList("aliases", &g.Aliases),
		envelope.CutText("summary", &g.Summary),
		envelope.CutList("uniprot", &refs.UniProt),
	})
	return envelope.CutRecord(cut, id.Gene.URL(refs.Entrez))
}
