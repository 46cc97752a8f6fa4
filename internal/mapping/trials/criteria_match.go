package trials

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/criteria"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
	"github.com/biofact-mcp/biofact/internal/query"
)

const (
	// lineLimit limits the characters of a line that a row shows.
	lineLimit = 200
	// shownLines limits the lines of each list that a row shows.
	shownLines = 2
	// The lists of criteria.
	inInclusion, inExclusion, unclear = "inclusion", "exclusion", "unclear"
)

// CriteriaWords are words that are searched for in the lines of eligibility texts.
type CriteriaWords struct{ terms []query.LineTerm }

// NewCriteriaWords returns the words of an expression, or nil if it has no words to find: it is empty, excludes all its words, or cannot be
// read.
func NewCriteriaWords(expression string) *CriteriaWords {
	terms, err := query.LineTerms(expression, "EligibilityCriteria")
	if err != nil || len(terms) == 0 {
		return nil
	}
	return &CriteriaWords{terms}
}

// A criteriaList is the list of inclusion or exclusion criteria, or of unclear ones. An item is one criterion; its subitems are further
// lines.
type criteriaList struct {
	kind  string
	items []string
}

// CriteriaMatches has the lines of an eligibility text that contain some words.
type CriteriaMatches struct {
	Shown []entity.CriteriaMatch
	More  int // matches that are not shown
	// Excluded reports that all lines are exclusions.
	Excluded bool
}

// Match returns the matches in a study's eligibility text: lines with all words, else items of several lines with all words, else the lines
// with most of the words.
func (w *CriteriaWords) Match(s *ctgov.Study) (m CriteriaMatches) {
	lists := criteriaLists(&s.ProtocolSection.EligibilityModule)
	for _, list := range lists {
		found := w.matchesIn(list, lists)
		for _, text := range found[:min(shownLines, len(found))] {
			m.Shown = append(m.Shown, entity.CriteriaMatch{List: list.kind, Text: w.excerpt(text)})
		}
		m.More += max(0, len(found)-shownLines)
	}
	m.Excluded = len(m.Shown) > 0 && !slices.ContainsFunc(m.Shown, func(c entity.CriteriaMatch) bool { return c.List != inExclusion })
	return m
}

func criteriaLists(e *ctgov.EligibilityModule) []criteriaList {
	text := text.CleanMarkup(e.EligibilityCriteria)
	inclusion, exclusion := criteria.Split(text)
	if inclusion == nil {
		return []criteriaList{{unclear, criteria.Items(text)}}
	}
	return []criteriaList{{inInclusion, inclusion}, {inExclusion, exclusion}}
}

// lines returns the lines of a list without their bullets.
func (l criteriaList) lines() (lines []string) {
	for _, item := range l.items {
		for line := range strings.SplitSeq(item, "\n") {
			if line = criteria.TrimBullet(strings.TrimSpace(line)); line != "" {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// matchesIn returns the matches in one list, each once. All lists together decide whether lines, items or parts of the words are matched.
func (w *CriteriaWords) matchesIn(list criteriaList, all []criteriaList) (found []string) {
	levels := []struct {
		texts func(criteriaList) []string
		find  func(query.LineTerm, []string) []int
	}{
		{criteriaList.lines, query.LineTerm.FullMatches},
		{func(l criteriaList) []string { return l.items }, query.LineTerm.FullMatches},
		{criteriaList.lines, query.LineTerm.BestMatches},
	}
	for _, term := range w.terms {
		for _, level := range levels {
			if !slices.ContainsFunc(all, func(l criteriaList) bool { return level.find(term, level.texts(l)) != nil }) {
				continue
			}
			texts := level.texts(list)
			for _, i := range level.find(term, texts) {
				found = append(found, texts[i])
			}
			break
		}
	}
	return entity.Once(found)
}

// excerpt returns the part of a line that holds the words, cut at words.
func (w *CriteriaWords) excerpt(line string) string {
	line = strings.Join(strings.Fields(line), " ")
	if utf8.RuneCountInString(line) <= lineLimit {
		return line
	}
	parts := []string{entity.Cut(line, lineLimit)}
	for at, n := 0, 0; at < len(line); at++ {
		if utf8.RuneStart(line[at]) {
			n++
		}
		if line[at] == ' ' && n >= lineLimit/3 {
			parts, n = append(parts, "…"+entity.Cut(line[at+1:], lineLimit-1)), 0
		}
	}
	for _, find := range []func(query.LineTerm, []string) []int{query.LineTerm.FullMatches, query.LineTerm.BestMatches} {
		for _, term := range w.terms {
			if found := find(term, parts); found != nil {
				return parts[found[0]]
			}
		}
	}
	return parts[0]
}
