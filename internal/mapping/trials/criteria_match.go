package trials

import (
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

// CriteriaMatches has the lines of an eligibility text that contain some words.
type CriteriaMatches struct {
	Shown []entity.CriteriaMatch
	More  int // matches that are not shown
	// Excluded reports that all lines are exclusions.
	Excluded bool
}

// Match returns the matches in a study's eligibility text: lines with all words, else lines that have them with the line above them, else
// the lines with most of the words.
func (w *CriteriaWords) Match(s *ctgov.Study) (m CriteriaMatches) {
	lines := criteria.Lines(text.CleanMarkup(s.ProtocolSection.EligibilityModule.EligibilityCriteria))
	found := w.matchesIn(lines)
	for _, list := range []criteria.List{criteria.Inclusion, criteria.Exclusion, criteria.Unclear} {
		in := entity.Once(found[list])
		for _, text := range in[:min(shownLines, len(in))] {
			m.Shown = append(m.Shown, entity.CriteriaMatch{List: string(list), Text: w.excerpt(text)})
		}
		m.More += max(0, len(in)-shownLines)
	}
	m.Excluded = len(m.Shown) > 0 && len(found[criteria.Inclusion])+len(found[criteria.Unclear]) == 0
	return m
}

// matchesIn returns the matches by the list of their lines.
func (w *CriteriaWords) matchesIn(lines []criteria.Line) map[criteria.List][]string {
	var own, below []string
	for _, l := range lines {
		own, below = append(own, l.Text), append(below, strings.TrimSpace(l.Under+" "+l.Text))
	}
	levels := []struct {
		texts []string
		find  func(query.LineTerm, []string) []int
	}{{own, query.LineTerm.FullMatches}, {below, query.LineTerm.FullMatches}, {own, query.LineTerm.BestMatches}}
	found := map[criteria.List][]string{}
	for _, term := range w.terms {
		for _, level := range levels {
			if at := level.find(term, level.texts); at != nil {
				for _, i := range at {
					found[lines[i].List] = append(found[lines[i].List], level.texts[i])
				}
				break
			}
		}
	}
	return found
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
