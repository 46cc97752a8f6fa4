package match

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/criteria"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/trials"
)

// A Trial is a candidate with the statements of its record about the participants.
type Trial struct {
	Candidate entity.TrialSearchCandidate
	Criteria  mapping.Eligibility
}

// Trials joins candidates with the statements of their records.
func Trials(candidates []entity.TrialSearchCandidate, criteria []mapping.Eligibility) (all []Trial) {
	for i := range candidates {
		all = append(all, Trial{candidates[i], criteria[i]})
	}
	return all
}

// Answers reports whether a trial has an id, now or as an alias.
func (t *Trial) Answers(nct string) bool {
	curie := id.NCT.CURIE(nct)
	return t.Candidate.ID == curie || slices.Contains(t.Criteria.Aliases, curie)
}

// InOrder returns the trials in the order of ids, each once, and the ids that no trial has.
func InOrder(trials []Trial, ids []string) (all []Trial, missing []string) {
	seen := map[string]bool{}
	for _, nct := range ids {
		i := slices.IndexFunc(trials, func(t Trial) bool { return t.Answers(nct) })
		switch {
		case i < 0:
			missing = append(missing, nct)
		case !seen[trials[i].Candidate.ID]:
			seen[trials[i].Candidate.ID] = true
			all = append(all, trials[i])
		}
	}
	return all, missing
}

// NoTrial says which ids no trial has.
func NoTrial(missing []string) []string {
	if len(missing) == 0 {
		return nil
	}
	return []string{"ClinicalTrials.gov has no trial " + entity.Cut(strings.Join(missing, ", "), 300) + "."}
}

// Searched says what was searched, how many trials were compared of all, and how many were left out.
func Searched(by tools.TrialFilters, total, read, left int) string {
	words := strings.Join(entity.Once([]string{by.Condition, by.Query}), ", ")
	text := "Searched: " + words + "; " + strings.ToLower(strings.ReplaceAll(strings.Join(by.Status, " and "), "_", " ")) + "."
	if total > read {
		text += fmt.Sprintf(" Of %d trials the first %d by relevance were read.", total, read)
	}
	if left > 0 {
		text += fmt.Sprintf(" Left out by minimum_age, maximum_age or sex: %d.", left)
	}
	return text
}

const (
	// shownLines limits the lines of a trial beside others.
	shownLines = 8
	// lineLimit limits the characters of a line.
	lineLimit = 2000
)

// A Comparison is the facts of a person beside the trials of a page.
type Comparison struct {
	Rows    []entity.TrialMatch
	person  *Person
	touched map[string]bool // labels of facts that touch a line
	open    map[string]int  // trials with a limit of a measure that was not given
}

// Compare puts a person beside the trials of a page. Of a single trial, all lines that touch are shown.
func (p *Person) Compare(trials []Trial, single bool) *Comparison {
	c := &Comparison{person: p, touched: map[string]bool{}, open: map[string]int{}}
	for i := range trials {
		c.Rows = append(c.Rows, c.row(&trials[i], single))
	}
	return c
}

// A line is a line of the criteria beside the person.
type line struct {
	criteria.Line
	facts        []string
	comparisons  []entity.MatchComparison
	above, below bool // it begins or ends with a word that joins it with its neighbour
	bare         bool // it is nothing else
}

func (c *Comparison) row(t *Trial, single bool) entity.TrialMatch {
	from := &t.Candidate
	row := entity.TrialMatch{ID: from.ID, Title: from.Title, Status: from.Status, Phase: from.Phase, Phases: from.Phases,
		Conditions: from.Conditions, NearestSite: from.NearestSite, NearestRecruitingSite: from.NearestRecruitingSite,
		Gates: c.person.gates(&t.Criteria)}
	lines := c.lines(t)
	row.Counts.Lines = len(lines)
	for i := range lines {
		if len(lines[i].facts) > 0 {
			row.Counts.Touched++
		}
	}
	for _, i := range c.shown(lines, single) {
		l := &lines[i]
		row.Lines = append(row.Lines, entity.MatchLine{List: string(l.List), No: l.No, Text: entity.Cut(l.Text, lineLimit),
			Under: entity.Cut(l.Under, lineLimit), Facts: l.facts, Comparisons: l.comparisons})
	}
	row.Counts.Shown = len(row.Lines)
	return row
}

// lines returns the lines of a trial with the facts that they touch.
func (c *Comparison) lines(t *Trial) (lines []line) {
	open := map[string]bool{}
	for _, l := range criteria.Lines(t.Criteria.Text) {
		one := line{Line: l}
		limits, words := l.Limits(), wordsOf(l.Text)
		one.above, one.below = words.joins()
		one.bare = one.above && one.below && len(words.order) == 1
		var names []string
		for i := range c.person.facts {
			f := &c.person.facts[i]
			if len(f.names) > 0 && names == nil {
				names = append(criteria.Names(l.Text), "")
			}
			if f.touches(limits, names, words) {
				one.facts = append(one.facts, f.label)
				c.touched[f.label] = true
			}
		}
		for i := range limits {
			written := t.Criteria.Text[limits[i].Start:limits[i].End]
			one.comparisons = append(one.comparisons, c.person.compare(&limits[i], written)...)
			if c.person.lacks(limits[i].What) {
				open[limits[i].What] = true
			}
		}
		lines = append(lines, one)
	}
	for what := range open {
		c.open[what]++
	}
	return lines
}

// touches reports whether a line touches a fact: by a limit, by the name of a measure, or by words.
func (f *fact) touches(limits []criteria.Limit, names []string, words *lineWords) bool {
	return slices.ContainsFunc(limits, func(l criteria.Limit) bool { return slices.Contains(f.limits, l.What) }) ||
		slices.ContainsFunc(names, func(name string) bool { return slices.Contains(f.names, name) }) ||
		f.role != "" && words.begins(f.role) || words.has(&f.term)
}

// compare returns the comparisons of the facts with a limit.
func (p *Person) compare(l *criteria.Limit, words string) (all []entity.MatchComparison) {
	if c, ok := p.compareAge(l, words); ok {
		return []entity.MatchComparison{c}
	}
	for i := range p.facts {
		for j := range p.facts[i].values {
			if c, ok := p.facts[i].values[j].compare(l, words); ok {
				all = append(all, c)
			}
		}
	}
	return all
}

// lacks reports whether a measure that a limit is of was not given.
func (p *Person) lacks(what string) bool {
	if slices.Contains([]string{"window", "duration", "other"}, what) {
		return false
	}
	return !slices.ContainsFunc(p.facts, func(f fact) bool { return slices.Contains(f.limits, what) })
}

// shown returns the lines to show, in the order of the record: those that touch, with the lines that are joined to them. Beside other
// trials, they are those with most facts.
func (c *Comparison) shown(lines []line, single bool) (all []int) {
	shown := map[int]bool{}
	if all := c.person.given.AllLines; all != nil && *all {
		for i := range lines {
			shown[i] = true
		}
		return slices.Sorted(maps.Keys(shown))
	}
	var touching []int
	for i := range lines {
		if len(lines[i].facts) > 0 {
			touching = append(touching, i)
		}
	}
	slices.SortStableFunc(touching, func(a, b int) int { return cmp.Compare(len(lines[b].facts), len(lines[a].facts)) })
	for _, i := range touching {
		with := joined(lines, i)
		with = slices.DeleteFunc(with, func(j int) bool { return shown[j] })
		if !single && len(shown)+len(with) > shownLines {
			continue
		}
		for _, j := range with {
			shown[j] = true
		}
	}
	return slices.Sorted(maps.Keys(shown))
}

// joined returns a line with the neighbours that an "or" or "and" joins to it.
func joined(lines []line, i int) []int {
	all := []int{i}
	for _, step := range []int{-1, 1} {
		for at := i; ; at += step {
			next := at + step
			if next < 0 || next >= len(lines) || lines[next].List != lines[i].List {
				break
			}
			upper, lower := &lines[min(at, next)], &lines[max(at, next)]
			if !upper.below && !lower.above {
				break
			}
			if all = append(all, next); !lines[next].bare {
				break
			}
		}
	}
	return all
}

// PersonNotices says what of the facts was not read or not compared.
func (p *Person) PersonNotices() []string { return p.notices }

// Notices says which facts touch no line of the trials, and which measures with a limit were not given.
func (c *Comparison) Notices() (notices []string) {
	var idle []string
	for _, f := range c.person.facts {
		if !c.touched[f.label] {
			idle = append(idle, f.label)
		}
	}
	if len(idle) > 0 && len(c.Rows) > 0 {
		notices = append(notices, "Facts that touch no line of these trials: "+entity.Cut(strings.Join(idle, "; "), 300)+".")
	}
	measures := slices.SortedFunc(maps.Keys(c.open), func(a, b string) int {
		return cmp.Or(c.open[b]-c.open[a], strings.Compare(a, b))
	})
	if len(measures) > 0 {
		notices = append(notices, "Measures with a limit in these lines that were not given: "+
			strings.Join(measures[:min(5, len(measures))], ", ")+".")
	}
	return notices
}

// Shorten leaves out the last lines of a row that is larger than some bytes, and reports whether it did.
func Shorten(row *entity.TrialMatch, most int) (cut bool) {
	for size := entity.Size(row); size > most && len(row.Lines) > 0; cut = true {
		size -= entity.Size(row.Lines[len(row.Lines)-1]) + 1
		row.Lines = row.Lines[:len(row.Lines)-1]
		row.Counts.Shown--
	}
	return cut
}
