package genes

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
)

// A geneQuery is a search as it is sent to NCBI.
type geneQuery struct {
	Term   string // finds all matches
	Head   string // finds the genes with the symbol; empty: the query is not a symbol
	Symbol string // the query as a symbol; empty: the query is not a symbol
	Human  bool   // human genes rank before others that match equally well
	taxon  entrez.Taxon
	added  string // the part of Term that is not from the caller; may be empty
}

// readGeneQuery returns the terms of a search for its arguments, and notices. The query goes to NCBI as it was given.
func readGeneQuery(args geneWords) (q geneQuery, notices []string, err error) {
	term, notices := readRange(id.Gene.Unlabel(args.Query), args.Organism)
	if named := namedGene.FindStringSubmatch(term); named != nil && distinguishesGenes(named[1]) {
		term = named[1]
		notices = append(notices, "query: searched is "+envelope.Quoted(term)+` without the word "gene".`)
	}
	symbol, isSymbol := entrez.Symbol(term)
	if oneLetter := isSymbol && args.Organism != "" && utf8.RuneCountInString(symbol) == 1; !oneLetter && !distinguishesGenes(term) {
		return q, nil, envelope.Refuse("query", args.Query,
			"has no word that distinguishes genes: it needs one with two letters or digits, or one letter with organism").
			As(entity.AmbiguousQuery).Again(tools.SearchGenes, "with a symbol, a name or the function of the gene")
	}
	within, err := q.restriction(args)
	if err != nil {
		return q, nil, err
	}
	q.Human = args.Organism == ""
	switch {
	case isSymbol && !strings.Contains(term, "["):
		q.added = entrez.InField(symbol, "gene")
		q.Symbol, q.Head = symbol, q.added+within
		term += " OR " + q.added
	case isSymbol:
		q.Symbol, q.Head = symbol, "("+term+")"+within
	}
	q.Term = "(" + term + ")" + within
	return q, notices, nil
}

// restriction returns the part of a term that restricts a search to current records, and to the organism if one is given.
func (q *geneQuery) restriction(args geneWords) (string, error) {
	if args.Organism == "" {
		return " AND " + aliveFilter, nil
	}
	other, negated := entity.Negated(args.Organism)
	if negated {
		return "", excludedOrganism(args, other)
	}
	var err error
	q.taxon, err = readOrganism(tools.SearchGenes, args.Organism)
	return " AND " + aliveFilter + " AND " + q.taxon.Term(), err
}

// looksLikeSymbol reports whether a word looks like a symbol and not like an ordinary word: it has a digit, or capital letters only.
func looksLikeSymbol(word string) bool {
	_, ok := entrez.Symbol(word)
	capitals := len(word) > 1 && word == strings.ToUpper(word)
	return ok && (capitals || strings.ContainsFunc(word, unicode.IsDigit)) && !strings.Contains(word, "[")
}

const (
	// headRows limits the genes that are ranked by symbol and alias. The genes after them stay in NCBI's order.
	headRows = 100
	// listRows is the number of ids that one search requests.
	listRows = 1000
	// aliveFilter excludes replaced and discontinued records.
	aliveFilter = "alive[prop]"
)
