package articles

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/citation"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/reference"
	"github.com/biofact-mcp/biofact/internal/source"
)

// possible reports whether the citation may mean the article.
func (j *comparedArticle) possible() bool {
	return j.Identified || j.ExactTitle || j.Score >= minCandidateScore
}

// MatchCitations serves matchCitations.
func (s *Articles) MatchCitations(ctx context.Context, args tools.MatchCitationsArgs) (entity.Answer[entity.CitationMatches], error) {
	answer := entity.Answer[entity.CitationMatches]{Value: entity.CitationMatches{Items: []entity.CitationMatch{}}}
	list, err := readCited(args.Citations)
	if err != nil {
		return answer, err
	}
	m := matcher{Articles: s, list: list, notes: &answer.Notes, records: map[string]*entity.Article{}}
	for _, step := range []func(context.Context) error{m.byID, m.byECitMatch, m.compareRecords, m.bySearch, m.compareRecords} {
		if err := step(ctx); err != nil {
			return answer, err
		}
	}
	for _, c := range list {
		answer.Value.Items = append(answer.Value.Items, c.item())
	}
	answer.Add(citationNotices(list, answer.Value.Items)...)
	return answer, nil
}

// readCited reads the citations of a call. A citation that does not identify an article is an error.
func readCited(given []tools.MatchCitationsCitations) ([]*citedWork, error) {
	var list []*citedWork
	for i, g := range given {
		c := &citedWork{name: fmt.Sprintf("citations[%d]", i), Fields: reference.Fields{
			Journal: g.Journal, Year: g.Year, Volume: reference.Volume(g.Volume), FirstPage: reference.FirstPage(g.FirstPage),
			Author: g.Author, Title: g.Title,
			DOI: reference.CleanDOI(g.Doi),
		}}
		if g.Text != "" {
			if parts := reference.Several(g.Text); len(parts) > 1 {
				return nil, severalCited(given, i, parts)
			}
			c.Fields = c.Merge(reference.Parse(g.Text))
		}
		if c.onlyPMCID() || c.DOI == "" && c.PMID == "" && !c.canUseECitMatch() && c.query() == "" {
			return nil, noCitation(c, &g)
		}
		list = append(list, c)
	}
	return list, nil
}

// canUseECitMatch reports whether ECitMatch can be used: it needs a journal.
func (c *citedWork) canUseECitMatch() bool {
	return c.Journal != "" && (c.Volume != "" || c.FirstPage != "")
}

// byID finds articles by DOI, and uses the PMIDs in texts.
func (m *matcher) byID(ctx context.Context) error {
	var dois []string
	for _, c := range m.list {
		if c.PMID != "" {
			c.pmids = append(c.pmids, c.PMID)
		}
		if c.DOI != "" {
			dois = append(dois, c.DOI)
		}
	}
	if len(dois) == 0 {
		return nil
	}
	dois = entity.Once(dois)
	briefs, err := m.findDOIs(ctx, orTerms(dois, doiTerm), dois, m.notes)
	for _, c := range m.list {
		if brief := briefs[strings.ToLower(c.DOI)]; brief != nil {
			c.pmids = append(c.pmids, brief.PMID)
		}
	}
	return err
}

// byECitMatch finds articles by journal, volume and page.
func (m *matcher) byECitMatch(ctx context.Context) error {
	var queries []entrez.CitationQuery
	var works []*citedWork
	for _, c := range m.list {
		if !c.canUseECitMatch() {
			continue
		}
		name := reference.ReadName(c.Author)
		c.queried, works = true, append(works, c)
		queries = append(queries, entrez.CitationQuery{
			Journal: c.Journal, Year: reference.Year(c.Year), Volume: c.Volume, Page: c.FirstPage,
			Author: strings.TrimSpace(name.Family + " " + name.Initial),
		})
	}
	if len(queries) == 0 {
		return nil
	}
	found, err := m.sources.Articles.Cited(ctx, queries, m.notes)
	if err != nil {
		return err
	}
	for i, c := range works {
		if c.citMatch = found[i]; c.citMatch != nil {
			c.pmids = append(c.pmids, c.citMatch.PMIDs[:min(maxCandidates, len(c.citMatch.PMIDs))]...)
		}
	}
	return nil
}

// compareRecords compares each citation with the records of its possible matches.
func (m *matcher) compareRecords(ctx context.Context) error {
	var unread []string
	for _, c := range m.list {
		for _, pmid := range c.pmids {
			if _, known := m.records[pmid]; !known {
				m.records[pmid] = nil
				unread = append(unread, pmid)
			}
		}
	}
	if len(unread) > 0 {
		texts, err := m.sources.Articles.Texts.GetAll(ctx, unread, m.notes)
		if _, err = source.LeaveOut(unread, err, m.notes); err != nil {
			return err
		}
		for pmid, text := range texts {
			article, err := m.sources.Articles.Read(text)
			if err != nil {
				return err
			}
			m.records[pmid] = &article
		}
	}
	for _, c := range m.list {
		c.compared = nil
		for _, pmid := range entity.Once(c.pmids) {
			if article := m.records[pmid]; article != nil {
				c.compared = append(c.compared, comparedArticle{article, reference.Compare(c.Fields, article)})
			}
		}
		slices.SortStableFunc(c.compared, func(a, b comparedArticle) int { return cmp.Compare(b.Score, a.Score) })
	}
	return nil
}

// match returns the article that a citation refers to, or nil. An article whose id is in the citation is a match even if other fields
// differ, unless another article is possible.
func (c *citedWork) match() *comparedArticle {
	if found := c.bestMatch(); found != nil || c.notTried {
		return found
	}
	var named *comparedArticle
	for i := range c.compared {
		j := &c.compared[i]
		switch {
		case j.Identified && named == nil:
			named = j
		case j.possible():
			return nil
		}
	}
	return named
}

func (c *citedWork) item() entity.CitationMatch {
	if found := c.match(); found != nil {
		return entity.CitationMatch{
			Status: citationMatched, PMID: found.article.PMID, Article: citation.AMA(*found.article), Differs: found.Differs,
			Retracted: found.article.Retracted,
		}
	}
	item := entity.CitationMatch{Status: citationNotFound}
	for _, j := range c.compared {
		if j.possible() && len(item.Candidates) < maxCandidates {
			item.Candidates = append(item.Candidates, entity.CitationCandidate{
				PMID: j.article.PMID, Article: citation.AMA(*j.article), Differs: j.Differs, Retracted: j.article.Retracted,
			})
		}
	}
	switch {
	case c.notTried:
		item.Status, item.Candidates = citationNotTried, nil
	case len(item.Candidates) > 0 || c.citMatch != nil && (c.citMatch.Many || len(c.citMatch.PMIDs) > 1):
		item.Status = citationAmbiguous
	}
	return item
}
