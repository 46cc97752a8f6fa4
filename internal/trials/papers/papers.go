// Package papers joins the articles that several sources name for a trial into one list, each article once and with its reasons. It sends
// nothing.
package papers

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/wording"
)

const (
	// maxOthers is the largest number of rows that the registry does not link, and maxCandidates that of rows of like titles.
	maxOthers, maxCandidates = 25, 3
	// A candidate shares at least minShared words and leastShare of the words of the title of the trial.
	minShared, leastShare = 2, 0.4
)

var order = []string{entity.RegistryResult, entity.NamesTrial, entity.FullTextNames, entity.RegistryDerived, entity.TitleWords,
	entity.RegistryBackground}

// A List has the articles of a trial. Candidates are in the order in which they were added.
type List struct {
	rows []entity.TrialPublication
	// Left is the number of articles that Rows leaves out.
	Left int
}

// Add adds an article with a reason, or the reason to an article that the list has.
func (l *List) Add(p entity.TrialPublication, reason string) {
	p.Reasons = []string{reason}
	l.rows = append(slices.DeleteFunc(l.rows, func(known entity.TrialPublication) bool {
		same := same(&known, &p)
		if same {
			p = joined(known, p)
		}
		return same
	}), p)
}

// Describe adds the facts of an article to the row that the list has of it, and reports whether it has one.
func (l *List) Describe(p entity.TrialPublication) bool {
	for i := range l.rows {
		if same(&l.rows[i], &p) {
			l.rows[i] = joined(l.rows[i], p)
			return true
		}
	}
	return false
}

func same(a, b *entity.TrialPublication) bool {
	if a.PMID != "" && b.PMID != "" {
		return a.PMID == b.PMID
	}
	return a.DOI != "" && strings.EqualFold(a.DOI, b.DOI) || a.PMCID != "" && a.PMCID == b.PMCID
}

// joined returns an article with the facts of two rows.
func joined(a, b entity.TrialPublication) entity.TrialPublication {
	a.PMID, a.PMCID, a.DOI = cmp.Or(a.PMID, b.PMID), cmp.Or(a.PMCID, b.PMCID), cmp.Or(a.DOI, b.DOI)
	a.Title, a.Journal, a.Date = cmp.Or(a.Title, b.Title), cmp.Or(a.Journal, b.Journal), Earlier(a.Date, b.Date)
	a.Reasons = entity.Once(slices.Concat(a.Reasons, b.Reasons))
	return a
}

// Earlier returns the earlier of two dates, YYYY-MM-DD or less, and the exact one where one is a part of the other.
func Earlier(a, b string) string {
	switch {
	case a == "" || b != "" && strings.HasPrefix(b, a):
		return b
	case b == "" || strings.HasPrefix(a, b) || a < b:
		return a
	}
	return b
}

// Rows returns the articles in the order of their reasons: all that the registry links, some of the others, and some candidates.
func (l *List) Rows() (rows []entity.TrialPublication) {
	rank := func(reason string) int { return slices.Index(order, reason) }
	for i := range l.rows {
		reasons := l.rows[i].Reasons
		slices.SortFunc(reasons, func(a, b string) int { return rank(a) - rank(b) })
		l.rows[i].Candidate = len(reasons) == 1 && reasons[0] == entity.TitleWords
	}
	slices.SortStableFunc(l.rows, func(a, b entity.TrialPublication) int {
		first := rank(a.Reasons[0]) - rank(b.Reasons[0])
		if a.Candidate && b.Candidate {
			return first
		}
		return cmp.Or(first, len(b.Reasons)-len(a.Reasons), cmp.Compare(cmp.Or(a.Date, "~"), cmp.Or(b.Date, "~")),
			cmp.Compare(number(a.PMID), number(b.PMID)))
	})
	others, candidates := 0, 0
	for _, p := range l.rows {
		listed := true
		switch linked := slices.ContainsFunc(p.Reasons, func(r string) bool { return strings.HasPrefix(r, "registry_") }); {
		case p.Candidate:
			candidates++
			listed = candidates <= maxCandidates
		case !linked:
			if others++; others > maxOthers {
				listed = false
				l.Left++
			}
		}
		if listed {
			rows = append(rows, p)
		}
	}
	return rows
}

func number(pmid string) int {
	n, _ := strconv.Atoi(pmid) // without a PMID: 0
	return n
}

// TitleTerms returns the words of a title that say something about a subject, each once.
func TitleTerms(title string) (terms []string) {
	for _, word := range query.Words(strings.NewReplacer("-", " ", "/", " ").Replace(title)) {
		if len(word) > 1 && !wording.Generic(word) {
			terms = append(terms, word)
		}
	}
	return entity.Once(terms)
}

// Like reports whether a title shares enough words with that of a trial, of which terms are the TitleTerms.
func Like(terms []string, title string) bool {
	shared, own := 0, TitleTerms(title)
	for _, term := range terms {
		if slices.Contains(own, term) {
			shared++
		}
	}
	return shared >= minShared && float64(shared) >= leastShare*float64(len(terms))
}
