package genes

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
	"github.com/biofact-mcp/biofact/internal/tool"
)

const (
	// maxNear is the number of near genes that a notice names, nearRows of those that are read.
	maxNear, nearRows = 5, 20
	// minFamily is the length from which on the beginning of a symbol may be that of a family.
	minFamily = 3
)

// near adds the call for genes whose symbol is near that of a query, if no gene has it: for a slip, or for the name of a family. For other
// words that no gene has, it adds the call in the spelling that NCBI suggests. It reports whether it found one.
func (s *Genes) near(ctx context.Context, q geneQuery, args geneWords, rows *geneRows, notes *entity.Notes) (bool, error) {
	hasSymbol := slices.ContainsFunc(rows.ids, func(gene string) bool { return rows.tier(gene) < 2 })
	switch {
	case slices.ContainsFunc(rows.found.PhrasesNotFound, func(p string) bool { return strings.Contains(p, "[orgn]") }):
	case q.Symbol != "" && !strings.Contains(q.Symbol, "(") && !hasSymbol && (rows.total == 0 || looksLikeSymbol(q.Symbol)):
		found, err := s.nearSymbols(ctx, q, args, notes)
		if err != nil && ctx.Err() == nil {
			notes.Add("Near symbols could not be searched: " + entity.AsError(err).Message)
		}
		return found, ctx.Err()
	case q.Symbol == "" && rows.total == 0 && !strings.ContainsAny(args.Query, `"[]:*`):
		spelling, err := s.sources.Articles.Spellings.Get(ctx, args.Query, notes)
		if err != nil || entity.Clean(spelling.Corrected) == "" {
			return false, ctx.Err()
		}
		notes.Add("No gene has these words. In the spelling that NCBI suggests: call " + tools.SearchGenes + " again with " +
			tool.Object("query", entity.Clean(spelling.Corrected)) + ".")
		return true, nil
	}
	return false, nil
}

// nearSymbols searches the genes with a symbol near that of a query, human ones if no organism is given.
func (s *Genes) nearSymbols(ctx context.Context, q geneQuery, args geneWords, notes *entity.Notes) (bool, error) {
	within, err := q.restriction(args)
	if err != nil {
		return false, err
	}
	if q.Human {
		within += " AND " + entrez.Taxon{ID: humanOrganism}.Term()
	}
	forms, family := nearForms(q.Symbol)
	var terms []string
	for _, form := range forms {
		term, _ := entrez.Term(form+"[gene]", entrez.GeneFields())
		terms = append(terms, term)
	}
	if family != "" {
		terms = append(terms, family)
	}
	search := ncbi.Search{Term: "(" + strings.Join(terms, " OR ") + ")" + within, Max: nearRows}
	found, err := s.sources.Genes.Searches.Get(ctx, search, notes)
	if err != nil || len(found.IDs) == 0 {
		return false, err
	}
	summaries, err := s.sources.Genes.Summaries.GetAll(ctx, found.IDs, notes)
	if _, err = source.LeaveOut(found.IDs, err, notes); err != nil {
		return false, err
	}
	symbols := nearest(q.Symbol, forms, found.IDs, summaries)
	if len(symbols) == 0 {
		return false, nil
	}
	call := tool.Object("query", symbols)
	if family != "" && len(symbols) == maxNear {
		call = tool.Object("query", family)
	}
	notes.Add(fmt.Sprintf("No gene has the symbol or alias %s. Near it: %s. Call %s again with %s.", envelope.Quoted(q.Symbol),
		strings.Join(symbols, ", "), tools.SearchGenes, call))
	return true, nil
}

// nearest returns the symbols of some genes: first those that have a near form as symbol or alias, then those that begin with the symbol.
func nearest(symbol string, forms, ids []string, genes map[string]*ncbi.GeneSummary) (symbols []string) {
	for _, named := range []bool{true, false} {
		for _, gene := range ids {
			g := genes[gene]
			if g == nil || g.Candidate.Symbol == "" || len(symbols) == maxNear {
				continue
			}
			isForm := slices.ContainsFunc(forms, func(form string) bool { return tierOf(g, form) < 2 })
			own := strings.ToUpper(g.Candidate.Symbol)
			if isForm == named && (named || strings.HasPrefix(own, strings.ToUpper(stem(symbol)))) {
				symbols = append(symbols, g.Candidate.Symbol)
			}
		}
	}
	return entity.Once(symbols)
}

// nearForms returns the symbols that a slip may have made into another: two characters exchanged, one too many, a hyphen, o for zero.
// family is the term for the symbols that begin with its letters; it may be empty.
func nearForms(symbol string) (forms []string, family string) {
	for i := range len(symbol) - 1 {
		forms = append(forms, symbol[:i]+symbol[i+1:i+2]+symbol[i:i+1]+symbol[i+2:])
	}
	for i := range symbol {
		forms = append(forms, symbol[:i]+symbol[i+1:])
	}
	forms = append(forms, strings.ReplaceAll(symbol, "-", ""), strings.ReplaceAll(symbol, "0", "O"), strings.ReplaceAll(symbol, "O", "0"))
	if i := strings.IndexFunc(symbol, unicode.IsDigit); i > 1 { // PD1 is PD-1
		forms = append(forms, symbol[:i]+"-"+symbol[i:])
	}
	forms = slices.DeleteFunc(forms, func(form string) bool {
		_, ok := entrez.Symbol(form)
		return !ok || len(form) < minFamily || strings.EqualFold(form, symbol)
	})
	if beginning := stem(symbol); len(beginning) >= minFamily {
		family = beginning + "*[sym]"
	}
	return entity.Once(forms), family
}

// stem returns a symbol without the numbers and signs at its end.
func stem(symbol string) string { return strings.TrimRight(symbol, "0123456789-") }
