package check

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping/fulltext"
	"github.com/biofact-mcp/biofact/internal/ordered"
	"github.com/biofact-mcp/biofact/internal/reference"
	"github.com/biofact-mcp/biofact/internal/trials/rows"
)

// statement returns the statement of a fact without its result.
func (f *fact) statement() entity.Statement {
	return entity.Statement{What: f.what, Claim: f.claim, Start: &f.start, End: &f.end, Result: reference.NotFound}
}

// judge sets the result of a statement by the words of the record, if it has any.
func judge(s *entity.Statement, source string, same bool) {
	s.Source = source
	switch {
	case same:
		s.Result = reference.Same
	case source != "":
		s.Result = reference.Different
	}
}

// field compares a fact with the field of a trial.
func (f *fact) field(t *entity.Trial, posted *entity.TrialResults) entity.Statement {
	s := f.statement()
	switch f.what {
	case phaseFact:
		judge(&s, joined(phasesOf(t)), f.isPhase(phasesOf(t)))
	case statusFact:
		own := strings.ToLower(strings.ReplaceAll(string(t.Status), "_", " "))
		judge(&s, string(t.Status), own == strings.ToLower(strings.ReplaceAll(f.claim, ",", "")))
	case enrollmentFact, peopleFact:
		f.people(&s, t, posted)
	case dateFact:
		own, claim := f.ownDate(t), isoDate(f.claim)
		if claim != "" && (len(claim) <= len(own) || !strings.HasPrefix(claim, own)) { // else the record is less exact
			judge(&s, own, own != "" && strings.HasPrefix(own, claim))
		}
	}
	return s
}

// people compares a count of people with the enrollment of a trial, and else with its flow. A count beside the word for people alone, which
// may be that of an arm or an event, is never different.
func (f *fact) people(s *entity.Statement, t *entity.Trial, posted *entity.TrialResults) {
	v, ok := readValue(f.claim)
	if s.What = enrollmentFact; !ok || t.Enrollment == nil {
		return
	}
	own := strings.TrimSpace(strconv.Itoa(*t.Enrollment) + " " + strings.ToLower(string(t.EnrollmentType)))
	judge(s, own, v.number == float64(*t.Enrollment))
	if s.Result == reference.Different && posted != nil && posted.ParticipantFlow != nil {
		if place, line := search(posted.ParticipantFlow, f); line != "" {
			s.Result, s.Source, s.Place = reference.Same, line, "participant flow, "+place
		}
	}
	if s.Result == reference.Different && f.what == peopleFact {
		s.Result, s.Source = reference.NotFound, ""
	}
}

func phasesOf(t *entity.Trial) []entity.Phase {
	if len(t.Phases) == 0 && t.Phase != "" {
		return []entity.Phase{t.Phase}
	}
	return t.Phases
}

// isPhase reports whether a phase in digits or Roman numerals, such as 2/3, is that of a trial.
func (f *fact) isPhase(phases []entity.Phase) bool {
	var own, claim []string
	for _, phase := range phases {
		own = append(own, strings.TrimPrefix(strings.TrimPrefix(string(phase), "EARLY_"), "PHASE"))
	}
	for part := range strings.SplitSeq(strings.ToUpper(f.claim), "/") {
		claim = append(claim, cmp.Or(roman[part], part))
	}
	return slices.Equal(own, claim)
}

// ownDate returns the date of a trial that the words before a date name.
func (f *fact) ownDate(t *entity.Trial) string {
	switch {
	case strings.HasPrefix(f.sign, "primary"):
		return t.PrimaryCompletionDate
	case strings.HasPrefix(f.sign, "compl"):
		return t.CompletionDate
	case strings.HasPrefix(f.sign, "first"):
		return t.FirstPostedDate
	}
	return t.StartDate
}

var roman = map[string]string{"I": "1", "II": "2", "III": "3", "IV": "4"}

func joined[T ~string](list []T) string {
	var texts []string
	for _, one := range list {
		texts = append(texts, string(one))
	}
	return strings.Join(texts, ", ")
}

// isoDate returns a date as YYYY-MM-DD or less; "" for no date.
func isoDate(text string) string {
	text = strings.ReplaceAll(text, ".", "")
	for _, form := range []struct{ read, write string }{
		{"2006-01-02", "2006-01-02"}, {"2006-01", "2006-01"}, {"2006", "2006"}, {"January 2006", "2006-01"}, {"Jan 2006", "2006-01"},
		{"2 January 2006", "2006-01-02"}, {"2 Jan 2006", "2006-01-02"}, {"January 2, 2006", "2006-01-02"}, {"Jan 2, 2006", "2006-01-02"},
	} {
		if day, err := time.Parse(form.read, text); err == nil {
			return day.Format(form.write)
		}
	}
	return ""
}

// ofTrial compares the numbers of a sentence with the posted results of a trial. The numbers of one comparison belong together: they are
// those of the analysis that has most of them, of those whose outcome the sentence names.
func ofTrial(text string, facts []fact, posted *entity.TrialResults) (list []entity.Statement) {
	if posted == nil {
		for i := range facts {
			list = append(list, facts[i].statement())
		}
		return list
	}
	measure := rows.MeasureOf(fullMeasure(measureWords.FindString(text)))
	best := bestRows(text, measure, facts, rows.Comparisons(posted.ID, posted.OutcomeMeasures, posted.Arms))
	for i := range facts {
		list = append(list, facts[i].inResults(best, measure, posted))
	}
	return list
}

// inResults looks for a number in the best comparisons; one that is no part of a comparison in all results.
func (f *fact) inResults(best []entity.ComparisonRow, measure string, posted *entity.TrialResults) entity.Statement {
	s := f.statement()
	ofRow := slices.Contains([]string{estimateRole, lowerRole, upperRole, pRole}, f.role)
	at := slices.IndexFunc(best, func(r entity.ComparisonRow) bool { return f.inRow(&r) })
	switch {
	case at >= 0:
		s.Result = reference.Same
	case ofRow && len(best) == 1 && measure != "" && best[0].Measure == measure && f.part(&best[0]) != nil:
		at, s.Result = 0, reference.Different
	case !ofRow || len(best) == 0 && measure == "":
		if place, line := search(posted, f); line != "" {
			s.Result, s.Source, s.Place = reference.Same, line, place
		}
	}
	if at >= 0 {
		s.Source, s.Place = rowLine(&best[at]), rowPlace(&best[at])
	}
	return s
}

// fullMeasure returns the words that an abbreviation stands for.
func fullMeasure(text string) string {
	full := map[string]string{"HR": "hazard ratio", "OR": "odds ratio", "RR": "risk ratio", "relative risk": "risk ratio"}[text]
	return cmp.Or(full, text)
}

// bestRows returns the comparisons that have most of the numbers of a sentence: of the same measure, if some have it, and of the outcomes
// whose title the sentence has, if any has one.
func bestRows(text, measure string, facts []fact, all []entity.ComparisonRow) (best []entity.ComparisonRow) {
	line := " " + reference.Line(text) + " "
	narrow := func(is func(*entity.ComparisonRow) bool) {
		some := slices.DeleteFunc(slices.Clone(all), func(r entity.ComparisonRow) bool { return !is(&r) })
		if len(some) > 0 {
			all = some
		}
	}
	narrow(func(r *entity.ComparisonRow) bool {
		title := reference.Line(r.OutcomeTitle)
		return title != "" && strings.Contains(line, " "+title+" ")
	})
	if measure != "" {
		narrow(func(r *entity.ComparisonRow) bool { return r.Measure == measure })
	}
	most := 0
	for i := range all {
		count := 0
		for j := range facts {
			if facts[j].inRow(&all[i]) {
				count++
			}
		}
		if count > most {
			best, most = nil, count
		}
		if count == most && count > 0 {
			best = append(best, all[i])
		}
	}
	if most == 0 && len(all) == 1 {
		return all
	}
	return best
}

// part returns the number of a comparison that a fact is, and for a p value whether its sign is the same.
func (f *fact) part(r *entity.ComparisonRow) *float64 {
	switch f.role {
	case estimateRole:
		return r.Estimate
	case lowerRole:
		return r.Lower
	case upperRole:
		return r.Upper
	case pRole:
		return r.PValue
	}
	return nil
}

// inRow reports whether a comparison has the number.
func (f *fact) inRow(r *entity.ComparisonRow) bool {
	v, ok := readValue(f.claim)
	own := f.part(r)
	if !ok || own == nil || f.role == pRole && cmp.Or(r.POperator, "=") != f.sign {
		return false
	}
	return v.is(*own)
}

func rowPlace(r *entity.ComparisonRow) string {
	return fmt.Sprintf("outcome %d, analysis %d", r.Outcome, r.Analysis)
}

// rowLine writes a comparison as a line.
func rowLine(r *entity.ComparisonRow) string {
	number := func(n *float64) string {
		if n == nil {
			return "?"
		}
		return strconv.FormatFloat(*n, 'f', -1, 64)
	}
	line := r.OutcomeTitle + ": " + r.EstimateType
	if r.Estimate != nil {
		line += " " + number(r.Estimate)
	}
	if r.Lower != nil || r.Upper != nil {
		line += " (" + number(r.CIPercent) + "% CI " + number(r.Lower) + " to " + number(r.Upper) + ")"
	}
	if r.PValue != nil {
		line += ", p " + cmp.Or(r.POperator, "=") + " " + number(r.PValue)
	}
	return entity.Cut(line, maxQuoted)
}

// search returns where the JSON of a part of a record has a number, and the values around it.
func search(part any, f *fact) (place, line string) {
	text, err := entity.JSON(part)
	if err != nil {
		return "", ""
	}
	tree, err := ordered.Parse(text)
	if err != nil {
		return "", ""
	}
	var walk func(node any, path string) bool
	walk = func(node any, path string) bool {
		switch node := node.(type) {
		case ordered.Object:
			for _, m := range node {
				if slices.Contains([]string{"number", "group"}, m.Name) {
					continue
				}
				if walk(m.Value, strings.TrimPrefix(path+" "+strings.ReplaceAll(m.Name, "_", " "), " ")) {
					line = cmp.Or(line, objectLine(node))
					return true
				}
			}
		case []any:
			for i, item := range node {
				if walk(item, path+" "+strconv.Itoa(i+1)) {
					return true
				}
			}
		default:
			if found := f.value().in(fmt.Sprint(node)); found != "" {
				place = path
				return true
			}
		}
		return false
	}
	walk(tree, "")
	return place, entity.Cut(line, maxQuoted)
}

// value returns the fact as a bare number: the values of a record have their sign elsewhere.
func (f *fact) value() *fact { return &fact{claim: f.claim} }

func objectLine(o ordered.Object) string {
	var parts []string
	for _, m := range o {
		if text := fmt.Sprint(m.Value); len(text) < 100 && !strings.HasPrefix(text, "[") {
			parts = append(parts, strings.ReplaceAll(m.Name, "_", " ")+": "+text)
		}
	}
	return strings.Join(parts, ", ")
}

// ofArticle looks for a number in an abstract, then in a full text.
func (f *fact) ofArticle(a *entity.Article, full *fulltext.Article, missing bool) entity.Statement {
	s := f.statement()
	if line := f.in(a.Title + "\n" + a.AbstractText); line != "" {
		s.Result, s.Source, s.Place = reference.Same, line, "abstract"
		return s
	}
	if full != nil {
		for i := range full.Sections {
			if line := f.in(full.Sections[i].Text); line != "" {
				s.Result, s.Source, s.Place = reference.Same, line, "section: "+cmp.Or(full.Sections[i].Title, full.Sections[i].ID)
				return s
			}
		}
		for i := range full.Tables {
			t := &full.Tables[i]
			for _, row := range t.Rows {
				if line := f.value().in(strings.Join(row, " | ")); line != "" {
					s.Result, s.Source, s.Place = reference.Same, line, strings.ToLower(cmp.Or(t.Label, "table "+t.ID))
					return s
				}
			}
		}
	}
	if missing {
		s.Result = reference.Unknown
	}
	return s
}
