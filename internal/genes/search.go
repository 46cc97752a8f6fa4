package genes

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// genesByWords answers a search by words, ranked and in pages.
func (s *Genes) genesByWords(ctx context.Context, args geneWords) (geneCandidates, error) {
	var answer geneCandidates
	q, notices, err := readGeneQuery(args)
	if err != nil {
		return answer, err
	}
	at, err := envelope.PageAt(tools.SearchGenes, q, args.SearchGenesArgs, args.Cursor)
	if err != nil {
		return answer, err
	}
	// Notices about the query come before notices about its rows.
	var read entity.Notes
	rows, err := s.geneRows(ctx, q, &at, args.PageSize, &read)
	if err != nil {
		return answer, err
	}
	answer.Provenance = read.Provenance
	if args.Cursor == "" {
		if unknownTaxon(q.taxon, rows.found) {
			return answer, unknownOrganism(tools.SearchGenes, args.Organism)
		}
		answer.Notices = append(notices, rows.found.WithoutPhrase(q.added).Ignored()...)
		near, err := s.near(ctx, q, args, rows, &answer.Notes)
		if err != nil {
			return answer, err
		}
		if rows.total == 0 && !near {
			answer.Add(noGenesAdvice(args))
		}
	}
	answer.Add(read.Notices...)
	page := &answer.Value
	page.Pagination.PageSize = args.PageSize
	for i, gene := range rows.ids {
		if found := rows.summaries[gene]; found != nil && found.Candidate.ID != "" {
			candidate := found.Candidate
			candidate.Score = score(at.Seen+i, rows.tier(gene))
			page.Items = append(page.Items, candidate)
		}
	}
	if lost := len(rows.ids) - len(page.Items); lost > 0 {
		answer.Add(fmt.Sprintf("Genes with an incomplete NCBI record were left out: %d.", lost))
	}
	shown, from := len(rows.ids), rows.next
	items, left := envelope.FitPage(page.Items, "candidates", s.maxAnswer, &answer.Notes)
	if page.Items = items; len(left) > 0 {
		shown = slices.Index(rows.ids, strings.TrimPrefix(left[0].ID, id.Gene.CURIE("")))
		from = rows.at[shown]
	}
	next := envelope.Cursor{Query: at.Query, Seen: at.Seen + shown, Token: strconv.Itoa(from), Total: &rows.total, Data: rows.before(from)}
	if shown > 0 {
		next.Last = rows.ids[shown-1]
	}
	return answer, envelope.FinishPage(&page.Pagination, next, next.Seen < rows.total)
}

// geneRows reads one page: first the genes with the symbol, ranked, then the others in NCBI's order.
func (s *Genes) geneRows(ctx context.Context, q geneQuery, at *envelope.Cursor, size int, notes *entity.Notes) (*geneRows, error) {
	start, _ := strconv.Atoi(at.Token) // the first page has no token
	start = listBefore(min(max(0, start), envelope.MaxRows))
	first, err := s.sources.Genes.Searches.Get(ctx, ncbi.Search{Term: q.Term, From: start, Max: listRows}, notes)
	if err != nil {
		return nil, err
	}
	rows := &geneRows{total: first.Count, found: first, lists: map[int][]string{start: first.IDs}}
	head, err := s.geneHead(ctx, q, first, notes)
	if err != nil {
		return nil, err
	}
	rows.summaries, err = s.sources.Genes.Summaries.GetAll(ctx, head, notes)
	if _, err = source.Unread(head, err); err != nil { // counted as incomplete
		return nil, err
	}
	rows.ranked = rows.rank(q, head)
	rows.next = rows.find(at, notes)
	for _, id := range rows.ranked[min(at.Seen, len(rows.ranked)):] {
		if len(rows.ids) == size {
			break
		}
		rows.ids, rows.at = append(rows.ids, id), append(rows.at, 0)
	}
	for ; len(rows.ids) < size && rows.next < rows.total; rows.next++ {
		i := rows.next % listRows
		list, known := rows.lists[rows.next-i]
		if !known {
			more, err := s.sources.Genes.Searches.Get(ctx, ncbi.Search{Term: q.Term, From: rows.next - i, Max: listRows}, notes)
			if err != nil {
				return nil, err
			}
			list = more.IDs
			rows.lists[rows.next-i] = list
		}
		if i >= len(list) {
			rows.total = rows.next // upstream has fewer rows than it reported
			break
		}
		if id := list[i]; !slices.Contains(rows.ranked, id) {
			rows.ids, rows.at = append(rows.ids, id), append(rows.at, rows.next)
		}
	}
	var others []string
	for _, id := range rows.ids {
		if !slices.Contains(head, id) {
			others = append(others, id)
		}
	}
	found, err := s.sources.Genes.Summaries.GetAll(ctx, others, notes)
	maps.Copy(rows.summaries, found)
	_, err = source.Unread(others, err)
	return rows, err
}

// geneHead returns the ids of the genes that are ranked before all others: the genes with the symbol, or all genes if they are few. It
// searches human genes separately if genes of other organisms reach the limit.
func (s *Genes) geneHead(ctx context.Context, q geneQuery, all *entrez.Search, notes *entity.Notes) ([]string, error) {
	if q.Symbol == "" {
		return nil, nil
	}
	if all.Count <= min(headRows, len(all.IDs)) {
		return all.IDs, nil
	}
	head, err := s.sources.Genes.Searches.Get(ctx, ncbi.Search{Term: q.Head, Max: headRows}, notes)
	if err != nil {
		return nil, err
	}
	ids := head.IDs
	if q.Human && head.Count > len(head.IDs) {
		human, err := s.sources.Genes.Searches.Get(ctx,
			ncbi.Search{Term: q.Head + " AND " + entrez.Taxon{ID: humanOrganism}.Term(), Max: headRows}, notes)
		if err != nil {
			return nil, err
		}
		ids = slices.Concat(human.IDs, ids)
	}
	return entity.Once(ids), nil
}

// rank sorts genes: by exact current symbol, then by alias, then the others in their order. Without an organism human genes come first
// within each tier, and a human alias comes before the symbols of other organisms: p53 is TP53 before a gene of the fruit fly.
func (r *geneRows) rank(q geneQuery, ids []string) []string {
	r.tiers = map[string]int{}
	places := map[string]int{}
	for _, id := range ids {
		found := r.summaries[id]
		if found == nil {
			places[id] = math.MaxInt
			continue
		}
		tier, isHuman := tierOf(found, q.Symbol), found.TaxonID == humanOrganism
		places[id] = 3 * tier
		if q.Human && !isHuman {
			places[id] += 2
		} else if q.Human && tier == 1 {
			tier, places[id] = 0, 1
		}
		r.tiers[id] = tier
	}
	ranked := slices.Clone(ids)
	slices.SortStableFunc(ranked, func(a, b string) int { return cmp.Compare(places[a], places[b]) })
	return ranked
}

// noGenesAdvice says how to widen a search that found nothing.
func noGenesAdvice(args geneWords) string {
	if args.Organism != "" {
		return "No gene matches in this organism: leave organism out, or try another symbol, an alias or fewer words."
	}
	if pmid, ok := id.PMID.Read(args.Query); ok {
		return "For the genes of the article call search_genes with " + tool.Object("pmid", pmid) + "."
	}
	if m := variantName.FindString(args.Query); m != "" {
		return "No gene matches. " + m + " looks like a variant: for its articles call " + tools.SearchPubMedArticles + " with " +
			tool.Object("queryTerm", args.Query) + "."
	}
	if words := namesInText(args.Query); len(words) > 1 &&
		!slices.ContainsFunc(words, func(word string) bool { return !looksLikeSymbol(word) }) {
		return "No gene matches all of these words. To look up each as a symbol call search_genes with " +
			tool.Object("query", strings.Join(words, ", ")) + "."
	}
	return "No gene matches. Try another symbol, an alias or fewer words." + entrez.EnglishAdvice(args.Query)
}
