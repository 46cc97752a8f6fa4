package service

import (
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
)

// fitGene shortens a gene, the least important parts first.
func fitGene(g *entity.Gene, maxAnswer int) []string {
	refs := &g.CrossReferences
	cut := fit(g, maxAnswer, []part{
		cutBy("pmids of go_terms", func(int) {
			for i := range g.GOTerms {
				g.GOTerms[i].PMIDs = nil
			}
		}),
		cutList("go_terms", &g.GOTerms),
		cutList("phenotypes", &g.Phenotypes),
		cutList("locations", &g.Locations),
		cutList("refseq", &refs.RefSeq),
		cutList("ensembl_transcript", &refs.EnsemblTranscript),
		cutList("aliases", &g.Aliases),
		cutText("summary", &g.Summary),
		cutList("uniprot", &refs.UniProt),
	})
	return cutRecord(cut, id.Gene.URL(refs.Entrez))
}
