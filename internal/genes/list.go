package genes

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
	"github.com/biofact-mcp/biofact/internal/tool"
)

const (
	// maxGeneNames limits the names of one list, and maxForeign those that are ids of other databases: each of them takes a request.
	maxGeneNames = 100
	maxForeign   = 10
	// listedRows limits the genes that all names of a list together may match: two requests return their summaries.
	listedRows = 400
)

// SearchGenes serves search_genes.
func (s *Genes) SearchGenes(
	ctx context.Context, args tools.SearchGenesArgs,
) (entity.Answer[entity.Page[entity.GeneSearchCandidate]], error) {
	words := geneWords{args, strings.Join(args.Query, ", ")}
	if args.Pmid != "" {
		return s.genesOfArticle(ctx, words)
	}
	if pasted := envelope.PastedSearch(tools.SearchGenes, "query", words.Query, false); pasted != nil {
		return geneCandidates{}, pasted
	}
	if words.Query == "" {
		return geneCandidates{}, envelope.Refuse("query", "", "is required and was not given").Again(tools.SearchGenes,
			`with query, such as {"query":"BRCA1"}, or with the pmid of an article, such as {"pmid":"25842826"}`)
	}
	if ids, _ := id.Gene.Only(words.Query); ids != nil {
		return s.genesByID(ctx, entity.Once(ids), words)
	}
	names, certain := listedGenes(args.Query), len(args.Query) > 1
	if kind, foreign, labelled := id.OfGene(words.Query); kind != nil {
		names, certain = []geneName{{text: words.Query, kind: kind, foreign: foreign}}, labelled
	}
	if names == nil {
		return s.genesByWords(ctx, words)
	}
	answer, found, err := s.genesByName(ctx, names, words)
	if found || certain || err != nil {
		return answer, err
	}
	other, err := s.genesByWords(ctx, words)
	other.Provenance.UpstreamRequests += answer.Provenance.UpstreamRequests
	return other, err
}

var (
	nameSeparator = lazyregexp.New(`\s*[,;|\n]\s*(?:(?:and|or)\s+)?`)
	lastName      = lazyregexp.New(`\s+(?:and|or)\s+`)
)

// listedGenes returns the names of a list, or of one text that has names between commas. It returns nil if a text is not a list.
func listedGenes(query []string) (names []geneName) {
	for _, text := range query {
		parts := nameSeparator.Split(strings.TrimSpace(text), -1)
		if len(parts) > 1 { // TP53, BRCA1 and MLL
			last := len(parts) - 1
			parts = append(parts[:last:last], lastName.Split(parts[last], -1)...)
		}
		read := make([]geneName, 0, len(parts))
		for _, part := range parts {
			if part != "" {
				read = append(read, readGeneName(part))
			}
		}
		if len(query) > 1 && slices.ContainsFunc(read, func(n geneName) bool { return n.empty() }) {
			read = []geneName{readGeneName(text)} // a name of several words
		}
		names = append(names, read...)
	}
	if len(query) == 1 && !isList(names) {
		return nil
	}
	seen := map[string]bool{} // a name counts once, without regard to case
	return slices.DeleteFunc(names, func(n geneName) bool {
		key := strings.ToLower(n.text)
		duplicate := seen[key]
		seen[key] = true
		return duplicate
	})
}

// isList reports whether the parts of one text are names of genes. Ordinary words between commas are not a list, nor are a symbol and its
// organism.
func isList(parts []geneName) bool {
	if len(parts) < 2 || slices.ContainsFunc(parts, func(n geneName) bool { return n.empty() }) {
		return false
	}
	last := parts[len(parts)-1].text
	if taxon, err := entrez.Organism(last); err == nil && taxon.ID > 0 && last == strings.ToLower(last) {
		return false
	}
	return slices.ContainsFunc(parts, func(n geneName) bool { return n.symbol == "" || looksLikeSymbol(n.text) })
}

// genesByName answers one row for each name, in the order of the list. It also reports whether it found any gene.
func (s *Genes) genesByName(ctx context.Context, names []geneName, args geneWords) (answer geneCandidates, found bool, err error) {
	if err := checkList(names, args); err != nil {
		return answer, false, err
	}
	list := geneList{names: names, matches: make([]geneMatch, len(names)), summaries: map[string]*ncbi.GeneSummary{}}
	list.human = args.Organism == "" && slices.ContainsFunc(names, func(n geneName) bool { return n.symbol != "" })
	if list.within, err = list.query.restriction(args); err != nil {
		return answer, false, err
	}
	if _, err := envelope.PageAt(tools.SearchGenes, []any{names, list.within}, args.SearchGenesArgs, args.Cursor); err != nil {
		return answer, false, err // a list has one page only
	}
	if err := s.matchSymbols(ctx, &list, args, &answer.Notes); err != nil {
		return answer, false, err
	}
	for i := range names {
		if n := &names[i]; n.kind != nil && list.matches[i].ids == nil {
			if list.matches[i], err = s.matchForeign(ctx, &list, n, &answer.Notes); err != nil {
				return answer, false, err
			}
		}
	}
	list.answer(&answer, args.PageSize)
	return answer, len(answer.Value.Items) > 0, nil
}

// checkList returns the error for a list that one call cannot answer.
func checkList(names []geneName, args geneWords) error {
	var unknown []string
	foreign := 0
	for _, n := range names {
		if n.empty() {
			unknown = append(unknown, n.text)
		}
		if n.kind != nil {
			foreign++
		}
	}
	refuse := func(reason string, details ...any) envelope.Refusal {
		return envelope.Refuse("query", entity.Cut(args.Query, 200), reason, details...)
	}
	switch {
	case len(unknown) == len(names):
		return refuse("a list takes symbols and ids of genes, and holds none").
			Hint("To search by words: %s", tool.OnceForEach(tools.SearchGenes+" again", "query", unknown))
	case len(names) > maxGeneNames:
		return refuse("holds %d names, more than the %d that one call takes", len(names), maxGeneNames).
			Again(tools.SearchGenes, "with at most %d names at a time", maxGeneNames)
	case len(names) > args.PageSize:
		return refuse("holds %d names, more than page_size allows", len(names)).
			Again(tools.SearchGenes, "with %s", tool.Object("page_size", len(names)))
	case foreign > maxForeign:
		return refuse("holds %d ids of other databases, each of which takes a request", foreign).
			Again(tools.SearchGenes, "with at most %d of them at a time, or with symbols", maxForeign)
	}
	return nil
}

// matchSymbols looks up the symbols of a list in one search, together with its NCBI Gene ids. Without an organism it searches human genes
// only.
func (s *Genes) matchSymbols(ctx context.Context, list *geneList, args geneWords, notes *entity.Notes) error {
	var terms, ids []string
	for _, n := range list.names {
		switch {
		case n.gene != "":
			ids = append(ids, n.gene)
		case n.symbol != "":
			terms = append(terms, entrez.InField(n.symbol, "gene"))
		}
	}
	if terms != nil {
		found, err := s.sources.Genes.Searches.Get(ctx,
			ncbi.Search{Term: "(" + strings.Join(terms, " OR ") + ")" + list.searched(), Max: listedRows}, notes)
		if err != nil {
			return err
		}
		if unknownTaxon(list.query.taxon, found) {
			return unknownOrganism(tools.SearchGenes, args.Organism)
		}
		if found.Count > len(found.IDs) {
			notes.Add(fmt.Sprintf("The names match %d genes, of which the first %d were checked: "+
				"call search_genes with fewer names at a time.", found.Count, len(found.IDs)))
		}
		ids = append(ids, found.IDs...)
	}
	summaries, err := s.sources.Genes.Summaries.GetAll(ctx, entity.Once(ids), notes)
	list.read, err = source.LeaveOut(entity.Once(ids), err, notes)
	if err != nil {
		return err
	}
	list.summaries = summaries
	for i, n := range list.names {
		if n.gene != "" {
			list.matches[i] = geneMatch{ids: []string{n.gene}}
		} else if n.symbol != "" {
			list.matches[i] = list.matchSymbol(n.symbol, ids)
		}
	}
	return s.matchProteins(ctx, list, notes)
}

// searched returns the restriction of the searches for names.
func (l *geneList) searched() string {
	if l.human {
		return l.within + " AND " + entrez.Taxon{ID: humanOrganism}.Term()
	}
	return l.within
}

// matchSymbol returns the genes that have the symbol as their own, or else as an alias.
func (l *geneList) matchSymbol(symbol string, ids []string) geneMatch {
	for tier := range 2 {
		var matching []string
		for _, gene := range ids {
			if g := l.summaries[gene]; g != nil && g.Candidate.ID != "" && tierOf(g, symbol) == tier {
				matching = append(matching, gene)
			}
		}
		if matching != nil {
			return geneMatch{ids: entity.Once(matching), tier: tier}
		}
	}
	return geneMatch{}
}

// answer writes the rows of a list, and notices about its names.
func (l *geneList) answer(answer *geneCandidates, pageSize int) {
	var of nameNotices
	for i, n := range l.names {
		match := l.matches[i]
		if !l.describe(&of, n, match) {
			continue
		}
		if match.ambiguous && len(l.names) == 1 {
			answer.Add(n.text + " is in several records, but no record states it as the id of its gene.")
		}
		if !match.ambiguous && match.tier < 2 {
			match.ids = match.ids[:1]
		}
		for _, gene := range match.ids {
			l.row(answer, gene, n, match)
		}
	}
	for _, part := range []struct {
		about, after string
		names        []string
	}{
		{"Aliases: ", ".", of.aliases},
		{"By full names that begin with the name: ", ".", of.proteins},
		{"Of several genes of a name the first in NCBI's order is shown: ", ".", of.others},
		{"Not looked up, being neither symbols nor ids: ", ". Search for each of them separately.", of.unread},
		{"NCBI finds no current " + l.noun() + " by ", l.searchAdvice(of.missing), of.missing},
	} {
		if len(part.names) > 0 {
			answer.Add(part.about + entity.Cut(strings.Join(part.names, "; "), 600) + part.after)
		}
	}
	if of.dates != nil {
		answer.Add(spreadsheetNotice(of.dates, of.symbols))
	}
	if l.human {
		answer.Add("Symbols were looked up among human genes. For another organism give organism.")
	}
	answer.Value.Pagination = entity.Pagination{PageSize: pageSize, TotalCount: new(len(answer.Value.Items))}
}

// nameNotices are the names of a list, by the notices about them.
type nameNotices struct{ aliases, proteins, others, missing, unread, dates, symbols []string }

// describe adds a name to the notices, and reports whether it has rows.
func (l *geneList) describe(of *nameNotices, n geneName, match geneMatch) bool {
	before := beforeSpreadsheet(n.symbol)
	switch {
	case n.empty():
		of.unread = append(of.unread, n.text)
		return false
	case len(match.ids) == 0 && before != nil:
		of.dates, of.symbols = append(of.dates, n.text), append(of.symbols, before...)
		return false
	case len(match.ids) == 0:
		of.missing = append(of.missing, n.text)
		return false
	case match.ambiguous && len(l.names) > 1:
		of.others = append(of.others, n.text+" is in the records of "+l.symbols(match.ids))
		return false
	case match.ambiguous:
	case match.tier == 2:
		of.proteins = append(of.proteins, n.text+" is of "+l.symbols(match.ids))
	case match.tier == 1:
		of.aliases = append(of.aliases, n.text+" is "+l.symbols(match.ids[:1]))
		if len(match.ids) > 1 {
			of.others = append(of.others, n.text+" is an alias of "+l.symbols(match.ids[1:])+" too")
		}
	case len(match.ids) > 1:
		of.others = append(of.others, n.text+" is also the symbol of "+l.symbols(match.ids[1:]))
	}
	return true
}

func (l *geneList) noun() string {
	if l.human {
		return "human gene"
	}
	return "gene"
}

// searchAdvice says how to search for names that were not found.
func (l *geneList) searchAdvice(names []string) string {
	if len(names) == 0 || !l.human {
		return ". Check the spelling, or search for each by other words."
	}
	return ". In other organisms and by words look for each with search_genes, such as with " + tool.Object("query", names[0]) + "."
}

// row adds the row of a gene, or a notice if the gene has no row.
func (l *geneList) row(answer *geneCandidates, gene string, n geneName, match geneMatch) {
	found := l.summaries[gene]
	if notice := geneState(gene, found); notice != "" && (found != nil || slices.Contains(l.read, gene)) {
		answer.Add(notice)
	}
	if found == nil || found.Candidate.ID == "" {
		return
	}
	candidate := found.Candidate
	candidate.Matched, candidate.Score = n.text, score(0, match.tier)
	if match.ambiguous {
		candidate.Matched, candidate.Score = "", score(len(answer.Value.Items), 2)
	}
	answer.Value.Items = append(answer.Value.Items, candidate)
}

// symbols lists up to five genes by symbol and id, and counts the others.
func (l *geneList) symbols(ids []string) string {
	var names []string
	for _, gene := range ids[:min(maxNear, len(ids))] {
		name := id.Gene.CURIE(gene)
		if g := l.summaries[gene]; g != nil && g.Candidate.Symbol != "" {
			name = g.Candidate.Symbol + " (" + name + ")"
		}
		names = append(names, name)
	}
	if more := len(ids) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}
