package genes

import (
	"math"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
)

// geneCandidates is the answer of search_genes.
type geneCandidates = entity.Answer[entity.Page[entity.GeneSearchCandidate]]

// candidatesOf returns the candidates for genes that were requested by id. Their scores start at the given position. It adds a notice for
// each id without a current record.
func candidatesOf(ids []string, found map[string]*ncbi.GeneSummary, position, tier int,
	notes *entity.Notes) (out []entity.GeneSearchCandidate) {
	for _, gene := range ids {
		g := found[gene]
		if notice := geneState(gene, g); notice != "" {
			notes.Add(notice)
		}
		if g != nil && g.Candidate.ID != "" {
			candidate := g.Candidate
			candidate.Score = score(position+len(out), tier)
			out = append(out, candidate)
		}
	}
	return out
}

// score returns a number that decreases strictly with the position in the list, over all pages. Each tier has its own range: 0 has numbers
// above 0.9, 1 above 0.8, 2 the others.
func score(position, tier int) float64 {
	bases, spans := [...]float64{0.9, 0.8, 0}, [...]float64{0.1, 0.1, 0.8}
	value := bases[tier] + spans[tier]/(1+float64(position)/50)
	if position > 2000 { // rounding would make neighbours equal
		return value
	}
	return math.Round(value*1e6) / 1e6
}

// tierOf returns how a symbol names a gene: 0 as its own symbol, 1 as an alias, 2 not at all.
func tierOf(g *ncbi.GeneSummary, symbol string) int {
	if strings.EqualFold(g.Candidate.Symbol, symbol) {
		return 0
	}
	if slices.ContainsFunc(g.Aliases, func(alias string) bool { return strings.EqualFold(alias, symbol) }) {
		return 1
	}
	return 2
}
