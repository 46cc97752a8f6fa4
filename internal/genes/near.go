package genes

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// maxNear is the number of near genes that a notice names, and of genes that one name of a list may mean. nearRows is the number of those
// that are read.
const maxNear, nearRows = 5, 50

// near adds the call for the names at NCBI that are near a query without a gene: the symbols that may have become a date, those that begin
// with a symbol, or the spelling of the words. It reports whether it found one.
func (s *Genes) near(ctx context.Context, q geneQuery, args geneWords, rows *geneRows, notes *entity.Notes) (bool, error) {
	hasSymbol := slices.ContainsFunc(rows.ids, func(gene string) bool { return rows.tier(gene) < 2 })
	symbols := beforeSpreadsheet(q.Symbol)
	switch {
	case hasSymbol || slices.ContainsFunc(rows.found.PhrasesNotFound, func(p string) bool { return strings.Contains(p, "[orgn]") }):
		return false, nil
	case symbols != nil:
		notes.Add(spreadsheetNotice([]string{q.Symbol}, symbols))
		return true, nil
	case q.Symbol != "" && (rows.total == 0 || looksLikeSymbol(q.Symbol)):
		found, err := s.family(ctx, q, args, notes)
		if err != nil && ctx.Err() == nil {
			notes.Add("Near symbols could not be searched: " + entity.AsError(err).Message)
		}
		if found || ctx.Err() != nil {
			return found, ctx.Err()
		}
	}
	if rows.total > 0 || strings.ContainsAny(args.Query, `"[]():*`) {
		return false, nil
	}
	spelling, err := s.sources.Articles.Spellings.Get(ctx, args.Query, notes)
	if err != nil || entity.Clean(spelling.Corrected) == "" {
		return false, ctx.Err()
	}
	notes.Add("No gene has these words. In the spelling that NCBI suggests: call " + tools.SearchGenes + " again with " +
		tool.Object("query", entity.Clean(spelling.Corrected)) + ".")
	return true, nil
}

// family adds the call for the genes whose symbols begin with that of a query, human ones if no organism is given.
func (s *Genes) family(ctx context.Context, q geneQuery, args geneWords, notes *entity.Notes) (bool, error) {
	within, err := q.restriction(args)
	if err != nil || len(q.Symbol) < 2 || strings.Contains(q.Symbol, "(") {
		return false, err
	}
	if q.Human {
		within += " AND " + entrez.Taxon{ID: humanOrganism}.Term()
	}
	beginning := q.Symbol + "*[sym]"
	found, err := s.sources.Genes.Searches.Get(ctx, ncbi.Search{Term: beginning + within, Max: maxNear}, notes)
	if err != nil || len(found.IDs) == 0 {
		return false, err
	}
	summaries, err := s.sources.Genes.Summaries.GetAll(ctx, found.IDs, notes)
	if _, err = source.LeaveOut(found.IDs, err, notes); err != nil {
		return false, err
	}
	var symbols []string
	for _, gene := range found.IDs {
		if g := summaries[gene]; g != nil && g.Candidate.Symbol != "" {
			symbols = append(symbols, g.Candidate.Symbol)
		}
	}
	if symbols = entity.Once(symbols); len(symbols) == 0 {
		return false, nil
	}
	call := tool.Object("query", symbols)
	if found.Count > maxNear {
		call = tool.Object("query", beginning)
	}
	notes.Add(fmt.Sprintf("No gene has the symbol or alias %s. Symbols that begin with it: %s. Call %s again with %s.",
		envelope.Quoted(q.Symbol), strings.Join(symbols, ", "), tools.SearchGenes, call))
	return true, nil
}

// matchProteins looks up the names of a list that are no symbols, in one search: a protein may be of several genes, whose full names begin
// with its name. CD3 is of CD3D, CD3E and CD3G.
func (s *Genes) matchProteins(ctx context.Context, list *geneList, notes *entity.Notes) error {
	var terms []string
	for i := range list.names {
		if list.mayBeProtein(i) {
			terms = append(terms, entrez.InField(list.names[i].symbol, "gfn"))
		}
	}
	if terms == nil {
		return nil
	}
	found, err := s.sources.Genes.Searches.Get(ctx,
		ncbi.Search{Term: "(" + strings.Join(terms, " OR ") + ")" + list.searched(), Max: nearRows}, notes)
	if err != nil {
		return err
	}
	summaries, err := s.sources.Genes.Summaries.GetAll(ctx, found.IDs, notes)
	if _, err = source.LeaveOut(found.IDs, err, notes); err != nil {
		return err
	}
	maps.Copy(list.summaries, summaries)
	for i, n := range list.names {
		if !list.mayBeProtein(i) {
			continue
		}
		ids := slices.DeleteFunc(slices.Clone(found.IDs), func(gene string) bool {
			g := summaries[gene]
			return g == nil || g.Candidate.ID == "" || !beginsWith(g.Candidate.Name, n.symbol)
		})
		if len(ids) > 0 && len(ids) <= maxNear {
			list.matches[i] = geneMatch{ids: ids, tier: 2}
		}
	}
	return nil
}

// mayBeProtein reports whether a name of the list is a word that no gene has as its symbol, and no date.
func (l *geneList) mayBeProtein(i int) bool {
	n := l.names[i]
	return n.symbol != "" && n.kind == nil && l.matches[i].ids == nil && beforeSpreadsheet(n.symbol) == nil
}

// beginsWith reports whether the first word of a full name is a name.
func beginsWith(fullName, name string) bool {
	first, _, _ := strings.Cut(fullName, " ")
	return strings.EqualFold(strings.TrimRight(first, ",-"), name)
}

// spreadsheetDate matches a symbol such as SEPT2 after a spreadsheet has read it as a date: 2-Sep, Sep-02.
var spreadsheetDate = lazyregexp.New(
	`(?i)^(?:0?([1-9][0-9]?)-)?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:-0?([1-9][0-9]?))?$`)

// monthSymbols has the beginnings of the symbols that become a month, where they are not its three letters.
var monthSymbols = map[string][]string{"MAR": {"MARCH", "MARC"}, "SEP": {"SEPT", "SEP"}}

// beforeSpreadsheet returns the symbols that a spreadsheet may have made into a date; nil for any other text.
func beforeSpreadsheet(text string) (symbols []string) {
	m := spreadsheetDate.FindStringSubmatch(text)
	if m == nil || (m[1] == "") == (m[3] == "") {
		return nil
	}
	month := strings.ToUpper(m[2])
	beginnings := monthSymbols[month]
	if beginnings == nil {
		beginnings = []string{month}
	}
	for _, beginning := range beginnings {
		symbols = append(symbols, beginning+m[1]+m[3])
	}
	return symbols
}

// spreadsheetNotice returns the notice about dates, with the call for the symbols that they may have been.
func spreadsheetNotice(dates, symbols []string) string {
	return strings.Join(dates, ", ") + ": a spreadsheet's date? For the symbols that it may have been call " + tools.SearchGenes +
		" with " + tool.Object("query", symbols) + "."
}
