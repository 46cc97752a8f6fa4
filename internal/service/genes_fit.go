package service

import (
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
)

// fitGene shortens a gene, the least important parts first.
func fitGene(g *entity.Gene, maxAnswer int) []string {
	refs := &g.CrossReferences
	cut := fit(g, maxAnswer, []part{
		{"pmids of go_terms", func(int) {
			for i := range g.GOTerms {
				g.GOTerms[i].PMIDs = nil
			}
		}},
		{"go_terms", shortenList(&g.GOTerms)},
		{"phenotypes", shortenList(&g.Phenotypes)},
		{"locations", shortenList(&g.Locations)},
		{"refseq", shortenList(&refs.RefSeq)},
		{"ensembl_transcript", shortenList(&refs.EnsemblTranscript)},
		{"aliases", shortenList(&g.Aliases)},
		{"summary", shortenText(&g.Summary)},
		{"uniprot", shortenList(&refs.UniProt)},
	})
	return cutRecord(cut, id.Gene.URL(refs.Entrez))
}
