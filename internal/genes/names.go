package genes

import (
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
)

// A geneName is one name of a list: an NCBI Gene id, an id of another database, or a symbol. A UniProt accession without a label may also
// be a symbol. Any other name cannot be looked up.
type geneName struct {
	text    string // as given
	gene    string
	symbol  string
	kind    *id.Kind
	foreign string
}

func readGeneName(text string) (n geneName) {
	n.text = entity.Clean(text)
	if gene, ok := id.Gene.Read(text); ok {
		n.gene = gene
		return n
	}
	var labelled bool
	if n.kind, n.foreign, labelled = id.OfGene(text); !labelled {
		n.symbol, _ = entrez.Symbol(id.Gene.Unlabel(text))
	}
	return n
}

func (n *geneName) empty() bool { return n.gene == "" && n.symbol == "" && n.kind == nil }

// A geneMatch has the genes that one name of a list matches.
type geneMatch struct {
	ids       []string // best match first
	tier      int      // how the genes match: 0 by symbol or id, 1 by alias, 2 by full name
	ambiguous bool     // all ids match equally well, so the name has no single match
}

// A geneList holds the state of the lookup of a list of names.
type geneList struct {
	names     []geneName
	matches   []geneMatch
	read      []string // ids whose summaries were read, or are not at NCBI
	summaries map[string]*ncbi.GeneSummary
	query     geneQuery
	within    string // restriction of all searches, see geneQuery.restriction
	human     bool   // only human genes were searched
}

// geneState says why a gene id has no current candidate; "" if it has one.
func geneState(gene string, g *ncbi.GeneSummary) string {
	curie := id.Gene.CURIE(gene)
	switch {
	case g == nil:
		return "NCBI has no gene " + curie + "."
	case g.Candidate.ID == "":
		return "The NCBI record of " + curie + " is too incomplete to show it here; try get_gene."
	case g.Current != "":
		return curie + " was replaced by " + id.Gene.CURIE(g.Current) + ", which get_gene answers."
	case g.Discontinued:
		return curie + " was discontinued by NCBI."
	}
	return ""
}
