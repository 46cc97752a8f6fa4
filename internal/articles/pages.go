package articles

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
)

// An articlesPage is one page of a search of PubMed.
type articlesPage struct {
	ids       []string
	summaries []entity.ArticleBrief
	found     entrez.Search      // the query's own search
	shown     ncbi.ArticleSearch // the search that returned the page
	walk      *articleWalk       // set for a page of a walk, which lists more articles than PubMed does for one search
	// next returns the cursor of the next page, if this page shows count of its articles. It returns false if this is the last page.
	next func(count int) (envelope.Cursor, bool)
}

func (s *Articles) articlePage(ctx context.Context, q articleQuery, at envelope.Cursor, args tools.SearchPubMedArticlesArgs,
	notes *entity.Notes) (p articlesPage, err error) {
	if args.Cursor == "" {
		return s.firstArticles(ctx, q, args, notes)
	}
	foreign := at.Refused("is not a cursor of "+tools.SearchPubMedArticles, args.Cursor)
	sorted, ok := strings.CutPrefix(at.Token, sortedToken)
	point, walking := readWalkPoint(at.Token)
	switch {
	case at.Total == nil || *at.Total == 0 || at.Seen == 0 || !ok && !walking:
		return p, foreign
	case walking && args.SortBy != defaultSort:
		return p, walkSorted(args)
	case walking:
		p, err = s.walkedArticles(ctx, q, at, walkedPage{point, args.MaxResults}, notes)
	case args.SortBy != sorted:
		return p, at.Refused("belongs to a call with other arguments", args.Cursor)
	default:
		p, err = s.sortedArticles(ctx, q, at, notes)
	}
	if errors.Is(err, errForged) {
		return p, foreign
	}
	if err == nil {
		p.summaries, err = s.summariesOf(ctx, p.ids[:min(q.search.Summaries, len(p.ids))], notes)
	}
	return p, err
}

// defaultSort is the default order.
const defaultSort = "relevance"

// summariesOf returns the available summaries of some articles, in their order.
func (s *Articles) summariesOf(ctx context.Context, pmids []string, notes *entity.Notes) (list []entity.ArticleBrief, err error) {
	briefs, err := s.sources.Articles.Briefs.GetAll(ctx, pmids, notes)
	_, err = source.Unread(pmids, err) // the answer counts the missing ones
	for _, pmid := range pmids {
		if brief := briefs[pmid]; brief != nil {
			list = append(list, *brief)
		}
	}
	return list, err
}

// firstArticles returns the first page of a search, in the requested order.
func (s *Articles) firstArticles(ctx context.Context, q articleQuery, args tools.SearchPubMedArticlesArgs,
	notes *entity.Notes) (articlesPage, error) {
	hits, err := s.articleHits(ctx, q, notes)
	if err != nil {
		return articlesPage{}, err
	}
	p := articlesPage{ids: hits.Search.IDs[:min(args.MaxResults, len(hits.Search.IDs))], summaries: hits.Summaries, found: hits.Search,
		shown: q.search}
	p.next = func(count int) (envelope.Cursor, bool) {
		if count > 0 && p.found.Count > maxListed {
			head := newWalkHead(args.SortBy, p.ids[:count])
			return envelope.Cursor{Token: beginWalk(head, p.found.Count).token(), Seen: count, Total: &p.found.Count}, true
		}
		list := articleList(envelope.Cursor{}, hits.Search)
		list.Page(0, notes)
		next, more := list.Next(count)
		next.Token = sortedToken + args.SortBy
		return next, count > 0 && more
	}
	return p, nil
}

// sortedToken is the token of a search that PubMed lists completely, before its sort order.
const sortedToken = "sorted "

func articleList(at envelope.Cursor, found entrez.Search) *envelope.Listing[string] {
	return &envelope.Listing[string]{At: at, Rows: found.IDs, Key: func(pmid string) string { return pmid }, Total: found.Count}
}

// sortedArticles returns the articles at a cursor. It requests all matching articles at once; they are cached, and the following pages
// are taken from the same list.
func (s *Articles) sortedArticles(
	ctx context.Context, q articleQuery, at envelope.Cursor, notes *entity.Notes,
) (p articlesPage, err error) {
	size := q.search.Max
	q.search.Max, q.search.Summaries = maxListed, 0
	hits, err := s.articleHits(ctx, q, notes)
	if err != nil {
		return p, err
	}
	list := articleList(at, hits.Search)
	p = articlesPage{ids: list.Page(size, notes), found: hits.Search, shown: q.search}
	if p.found.Count > len(list.Rows) && list.Start+size >= len(list.Rows) {
		notes.Add(fmt.Sprintf("PubMed lists only %d of these %d articles; to go through all of them call searchPubMedArticles without "+
			"cursor.", len(list.Rows), p.found.Count))
	}
	p.next = func(count int) (envelope.Cursor, bool) {
		next, more := list.Next(count)
		next.Token = at.Token
		return next, count > 0 && more && list.Start+count < len(list.Rows)
	}
	return p, nil
}

// A walkedPage is a page of a walk: its start, and its maximum size.
type walkedPage struct {
	from walkPoint
	size int
}

// walkedArticles returns the next articles of a walk, without those of the first answer.
func (s *Articles) walkedArticles(
	ctx context.Context, q articleQuery, at envelope.Cursor, page walkedPage, notes *entity.Notes,
) (p articlesPage, err error) {
	point := page.from
	head, err := s.sources.Articles.Searches.Get(ctx,
		ncbi.ArticleSearch{Term: q.search.Term, Sort: sorts[point.head.sort], Max: point.head.rows}, notes)
	if err != nil {
		return p, err
	}
	without := map[int]bool{}
	if newWalkHead(point.head.sort, head.Search.IDs) == point.head {
		for _, text := range head.Search.IDs {
			if pmid, err := strconv.Atoi(text); err == nil {
				without[pmid] = true
			}
		}
	} else {
		notes.Add("The first page of this search has changed since: its articles may be listed again.")
	}
	w := &articleWalk{articles: s.sources.Articles, query: articleTerm{text: q.search.Term}, point: point, total: *at.Total, seen: at.Seen,
		notes: notes}
	rows, err := w.rows(ctx, page.size, without)
	p = articlesPage{found: head.Search, shown: w.searchFor(w.shown), walk: w}
	for _, row := range rows {
		p.ids = append(p.ids, strconv.Itoa(row.pmid))
	}
	p.next = func(count int) (envelope.Cursor, bool) {
		next := envelope.Cursor{Token: w.point.token(), Seen: at.Seen + count, Total: at.Total}
		if count == len(rows) {
			return next, !w.done
		}
		next.Token = rows[max(0, count-1)].next.token()
		return next, true
	}
	return p, err
}

// lastPageNotice says how many articles all pages have, and how many they should have.
func lastPageNotice(given, total, missing int) string {
	text := fmt.Sprintf("This is the last page. All pages together have %d articles; %d matched when the first page was read.",
		given, total)
	if missing > 0 {
		text += fmt.Sprintf(" %d are missing, because PubMed does not list them.", missing)
	}
	switch other := total - missing - given; {
	case other < 0 && missing > 0:
		text += " Some of these may be in the first answer, or articles were added in the meantime."
	case other != 0:
		text += " The others were added or removed in the meantime."
	}
	return text
}

// articleHits sends a search. PubMed searches an unknown DOI as words, so a search for DOIs only returns articles with these DOIs.
func (s *Articles) articleHits(ctx context.Context, q articleQuery, notes *entity.Notes) (*ncbi.ArticleHits, error) {
	if q.words.dois == nil {
		return s.sources.Articles.Searches.Get(ctx, q.search, notes)
	}
	briefs, err := s.findDOIs(ctx, q.search.Term, q.words.dois, notes)
	if err != nil {
		return nil, err
	}
	hits := &ncbi.ArticleHits{}
	var unknown []string
	for _, doi := range distinctDOIs(q.words.dois) {
		brief := briefs[strings.ToLower(doi)]
		if brief == nil {
			unknown = append(unknown, doi)
			continue
		}
		hits.Search.IDs = append(hits.Search.IDs, brief.PMID)
		if len(hits.Summaries) < q.search.Summaries {
			hits.Summaries = append(hits.Summaries, *brief)
		}
	}
	hits.Search.Count = len(hits.Search.IDs)
	if len(unknown) > 0 {
		notes.Add("No article that matches has the DOI " + entity.Cut(strings.Join(unknown, ", "), 200) + ".")
	}
	return hits, nil
}

// distinctDOIs returns DOIs without duplicates, ignoring case.
func distinctDOIs(dois []string) (once []string) {
	seen := map[string]bool{}
	for _, doi := range dois {
		if key := strings.ToLower(doi); !seen[key] {
			seen[key] = true
			once = append(once, doi)
		}
	}
	return once
}
