package articles

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/reference"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
	"github.com/biofact-mcp/biofact/internal/tool"
)

const (
	citationHits  = 10 // hits of a search to compare
	citationWords = 12 // words of a title in a search
)

// bySearch searches for the citations without a match, up to the limit of a call.
func (m *matcher) bySearch(ctx context.Context) error {
	var left []*citedWork
	for _, c := range m.list {
		if c.bestMatch() != nil || !c.needsSearch() {
			continue
		}
		if len(left) == maxCitationSearches {
			c.notTried = true
			continue
		}
		left = append(left, c)
	}
	for i, c := range left {
		search := ncbi.ArticleSearch{Term: c.query(), Sort: "relevance", Max: citationHits}
		hits, err := m.sources.Articles.Searches.Get(ctx, search, m.notes)
		if err != nil {
			return err
		}
		c.pmids = append(c.pmids, hits.Search.IDs[:min(citationHits, len(hits.Search.IDs))]...)
		tool.Progress(ctx, i+1, len(left))
	}
	return nil
}

// needsSearch reports whether a search may find more than ECitMatch: the citation has a title, ECitMatch was not called or omitted it, or
// it did not know the journal.
func (c *citedWork) needsSearch() bool {
	dropped := c.queried && c.citMatch == nil
	misspelled := c.citMatch != nil && c.citMatch.InvalidJournal && c.Author != ""
	return c.query() != "" && (c.Title != "" || !c.queried || dropped || misspelled)
}

// query returns the search for a citation: the words of its title, or its other fields.
func (c *citedWork) query() string {
	var alternatives []string
	title, known := reference.Words(c.Title, citationWords), c.known()
	if c.Text != "" && c.Volume == "" && (c.Author == "" || len(title) < 3) { // no title was recognized
		title = reference.Words(reference.Longest(c.Text), citationWords)
		known = strings.Join(reference.Words(c.Text, 2*citationWords), " AND ")
	}
	if len(title) > 0 {
		alternatives = append(alternatives, strings.Join(title, "[ti] AND ")+"[ti]")
	}
	if known != "" {
		alternatives = append(alternatives, known)
	}
	if len(alternatives) < 2 {
		return strings.Join(alternatives, "")
	}
	return "(" + strings.Join(alternatives, ") OR (") + ")"
}

// known returns the search for the fields of a citation other than its title, or "" if these would match too many articles.
func (c citedWork) known() string {
	name := reference.ReadName(c.Author)
	field := func(text, tag string) string {
		if text = reference.Line(text); text == "" {
			return ""
		}
		return `"` + text + `"[` + tag + "]"
	}
	page := func(text, tag string) string {
		if text = reference.FirstPage(text); text == "" {
			return ""
		}
		return text + "[" + tag + "]"
	}
	if c.queried && c.citMatch == nil && c.Volume != "" && c.FirstPage != "" { // instead of ECitMatch, with the fields that it uses
		name, c.Year = reference.Name{}, ""
	}
	facts := []string{}
	for _, fact := range []string{author(name), page(reference.Year(c.Year), "dp"), field(c.Journal, "ta"), page(c.Volume, "vi"),
		page(c.FirstPage, "pg")} {
		if fact != "" {
			facts = append(facts, fact)
		}
	}
	facts = c.reliableFacts(facts)
	if len(facts) < 2 || c.Author == "" && (c.Volume == "" || c.FirstPage == "") {
		return ""
	}
	return strings.Join(facts, " AND ")
}

// reliableFacts returns the facts without those that ECitMatch did not find.
func (c citedWork) reliableFacts(facts []string) []string {
	switch {
	case c.citMatch != nil && c.citMatch.InvalidJournal: // all except the journal
		return without(facts, "[ta]")
	case c.queried && c.citMatch != nil: // volume and page were not found
		return without(facts, "[vi]", "[pg]")
	}
	return facts
}

func author(name reference.Name) string {
	if name.Family = reference.Line(name.Family); name.Family == "" {
		return ""
	}
	return strings.TrimSpace(name.Family+" "+name.Initial) + "[au]" // without quotation marks, so that names with more initials match
}

// without returns the facts without those of some field tags.
func without(facts []string, tags ...string) []string {
	return slices.DeleteFunc(facts, func(fact string) bool {
		return slices.ContainsFunc(tags, func(tag string) bool { return strings.HasSuffix(fact, tag) })
	})
}

// citationNotices returns the notices about uncertain matches and about citations without a match.
func citationNotices(list []*citedWork, items []entity.CitationMatch) (notices []string) {
	named := func(is func(*citedWork, *entity.CitationMatch) bool) string {
		var names []string
		for i, c := range list {
			if is(c, &items[i]) {
				names = append(names, c.name)
			}
		}
		if more := len(names) - maxNamed; more > 0 {
			names = append(names[:maxNamed:maxNamed], fmt.Sprintf("%d more", more))
		}
		return strings.Join(names, ", ")
	}
	add := func(text string, is func(*citedWork, *entity.CitationMatch) bool) {
		if names := named(is); names != "" {
			notices = append(notices, fmt.Sprintf(text, names))
		}
	}
	add("Not tried: %s. A call makes at most "+fmt.Sprint(maxCitationSearches)+" searches; call "+tools.MatchCitations+
		" again with these citations alone.",
		func(_ *citedWork, item *entity.CitationMatch) bool { return item.Status == citationNotTried })
	add("The record has an author or a title otherwise: %s. Another article may be cited; read differs and article.",
		func(_ *citedWork, item *entity.CitationMatch) bool {
			return slices.Contains(item.Differs, "author") || slices.Contains(item.Differs, "title")
		})
	add("Retracted: %s.", func(_ *citedWork, item *entity.CitationMatch) bool { return item.Retracted })
	add("PubMed knows no journal by this name: %s. Give its title in full, or the title of the article.",
		func(c *citedWork, item *entity.CitationMatch) bool {
			return item.Status == citationNotFound && c.citMatch != nil && c.citMatch.InvalidJournal
		})
	add("Many articles fit: %s. Give volume, firstPage or title as well.", func(_ *citedWork, item *entity.CitationMatch) bool {
		return item.Status == citationAmbiguous && len(item.Candidates) == 0
	})
	return notices
}

// maxNamed is the maximum number of citations in a notice.
const maxNamed = 20
