package match

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
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

// Missing returns the ids, as NCT:00461032, that no trial has, now or as an alias.
func Missing(trials []Trial, ids []string) (missing []string) {
	for _, nct := range ids {
		curie := id.NCT.CURIE(nct)
		answered := func(t Trial) bool { return t.Candidate.ID == curie || slices.Contains(t.Criteria.Aliases, curie) }
		if !slices.ContainsFunc(trials, answered) {
			missing = append(missing, nct)
		}
	}
	return missing
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
		text += fmt.Sprintf(" Of %d trials the first %d by relevance were read; the order holds among these.", total, read)
	}
	if left > 0 {
		text += fmt.Sprintf(" Left out by age or sex: %d.", left)
	}
	return text
}

const (
	// shownLines limits the lines that allow, and those that stay unknown, of a trial beside others.
	shownLines = 6
	// lineLimit limits the characters of a line of a trial beside others.
	lineLimit = 240
)

// A verdict is the meaning of the facts for one line.
type verdict struct {
	line    entity.MatchLine
	truth   truth // holds: it allows; fails: it blocks
	named   bool  // a condition, a treatment or a biomarker decided
	touched bool
	limits  bool
	missing string // the facts that would decide it, separated by spaces
}

// A Comparison is the facts of a person beside some trials.
type Comparison struct {
	Rows    []entity.TrialMatch
	missing map[string]int // trials with an unknown line, by the fact that would decide it
	used    map[string]bool
	person  *Person
}

// Compare compares a person with trials. Of a single trial it shows each line, uncut.
func (p *Person) Compare(trials []Trial, single bool) *Comparison {
	c := &Comparison{missing: map[string]int{}, used: map[string]bool{}, person: p}
	raised := map[string]int{}
	for i := range trials {
		row, named := c.row(&trials[i].Candidate, p.verdicts(&trials[i].Criteria), single)
		raised[row.ID] = named
		c.Rows = append(c.Rows, row)
	}
	slices.SortStableFunc(c.Rows, func(a, b entity.TrialMatch) int {
		return cmp.Or(a.Counts.Blocks-b.Counts.Blocks, raised[b.ID]-raised[a.ID])
	})
	return c
}

// Admitted returns the trials whose structured bounds admit the age and the sex of the person, as far as they are known.
func (p *Person) Admitted(trials []Trial) []Trial {
	return slices.DeleteFunc(slices.Clone(trials), func(t Trial) bool {
		return slices.ContainsFunc(p.structured(&t.Criteria), func(v verdict) bool {
			return v.truth == fails && v.line.Field != "healthy_volunteers"
		})
	})
}

// verdicts returns the verdicts of the structured bounds of a record and of the lines of its text.
func (p *Person) verdicts(e *mapping.Eligibility) []verdict {
	all := p.structured(e)
	for _, line := range criteria.Lines(e.Text) {
		all = append(all, p.verdict(&line))
	}
	return all
}

// verdict returns the verdict of a line.
func (p *Person) verdict(line *criteria.Line) verdict {
	f, r := p.judge(line)
	v := verdict{line: entity.MatchLine{List: string(line.List), Text: line.Text, Under: line.Under}, touched: r.touched,
		limits: len(r.groups) > 0}
	if f.person != "" {
		v.truth = f.truth
	}
	if line.List == criteria.Exclusion {
		v.truth = v.truth.not()
	}
	decides := line.List != criteria.Unclear && line.Role != criteria.Conditional
	if !decides || v.truth == fails && line.Role != criteria.Decides {
		v.truth = unknown
	}
	if v.truth != unknown {
		v.line.Person, v.line.Limit, v.named = f.person, f.limit, f.named
	} else if decides {
		v.missing = strings.Join(r.missing, " ")
	}
	return v
}

// row returns the row of a trial, and how many of its lines a condition, a treatment or a biomarker allows.
func (c *Comparison) row(trial *entity.TrialSearchCandidate, verdicts []verdict, single bool) (row entity.TrialMatch, named int) {
	row.TrialSearchCandidate = *trial
	missing := map[string]bool{}
	slices.SortStableFunc(verdicts, func(a, b verdict) int { return b.rank() - a.rank() })
	for _, v := range verdicts {
		list, count := &row.Unknown, &row.Counts.Unknown
		switch v.truth {
		case holds:
			list, count = &row.Allows, &row.Counts.Allows
			if v.named {
				named++
			}
		case fails:
			list, count = &row.Blocks, &row.Counts.Blocks
		}
		*count++
		for _, fact := range strings.Fields(v.missing) {
			missing[fact] = true
		}
		c.used[v.line.Person] = true
		if !single && v.truth != fails && len(*list) == shownLines {
			continue
		}
		if !single {
			v.line.Text, v.line.Under = entity.Cut(v.line.Text, lineLimit), entity.Cut(v.line.Under, lineLimit)
		}
		*list = append(*list, v.line)
	}
	for fact := range missing {
		c.missing[fact]++
	}
	return row, named
}

// rank orders the lines of a list: those that touch a fact of the person, then those with limits.
func (v *verdict) rank() (rank int) {
	if v.touched || v.named {
		rank += 2
	}
	if v.limits {
		rank++
	}
	return rank
}

// Notices says which facts would decide most of the unknown lines, and which decided none.
func (c *Comparison) Notices() (notices []string) {
	requested := slices.SortedFunc(maps.Keys(c.missing), func(a, b string) int {
		return cmp.Or(c.missing[b]-c.missing[a], strings.Compare(a, b))
	})
	var facts []string
	for i, name := range requested[:min(6, len(requested))] {
		text := fmt.Sprintf("%s (%d)", strings.ReplaceAll(name, "_", " "), c.missing[name])
		if i == 0 {
			text = fmt.Sprintf("%s (%s)", strings.ReplaceAll(name, "_", " "), trialsOf(c.missing[name]))
		}
		facts = append(facts, text)
	}
	if len(facts) > 0 {
		notices = append(notices, "Would decide most: "+strings.Join(facts, ", ")+".")
	}
	var idle []string
	for _, fact := range c.person.Facts() {
		if !c.used[fact] {
			idle = append(idle, fact)
		}
	}
	if len(idle) > 0 && len(c.Rows) > 0 {
		notices = append(notices, "Decided no line: "+entity.Cut(strings.Join(idle, "; "), 300)+".")
	}
	return notices
}

func trialsOf(n int) string {
	if n == 1 {
		return "1 trial"
	}
	return fmt.Sprint(n, " trials")
}

// structured returns the lines of the structured bounds of a record, with their verdicts.
func (p *Person) structured(e *mapping.Eligibility) (all []verdict) {
	add := func(field, text string, t truth, person, missing string) {
		if t == unknown {
			person = ""
		}
		if text != "" {
			all = append(all, verdict{line: entity.MatchLine{Field: field, Text: text, Person: person}, truth: t, missing: missing})
		}
	}
	for _, end := range [][2]string{{"minimum_age", e.MinimumAge}, {"maximum_age", e.MaximumAge}} {
		limit := criteria.Values("age " + end[1])
		known, given := p.measures["age"]
		if len(limit) != 1 || limit[0].Low == nil {
			continue
		}
		l := criteria.Limit{What: "age", Low: limit[0].Low, LowInclusive: true, Unit: limit[0].Unit}
		if end[0] == "maximum_age" {
			l.Low, l.High, l.HighInclusive = nil, limit[0].Low, true
		}
		if !given {
			add(end[0], end[1], unknown, "", "age")
			continue
		}
		add(end[0], end[1], compare(&l, &known.Limit), known.text, "")
	}
	switch {
	case e.Sex == "" || e.Sex == "ALL":
	case p.given.Sex == "":
		add("sex", e.Sex, unknown, "", "sex")
	default:
		add("sex", e.Sex, truthOf(strings.EqualFold(e.Sex, p.given.Sex)), p.given.Sex, "")
	}
	if p.given.Healthy != nil && *p.given.Healthy && e.HealthyVolunteers != nil {
		add("healthy_volunteers", strconv.FormatBool(*e.HealthyVolunteers), truthOf(*e.HealthyVolunteers), "healthy", "")
	}
	return all
}
