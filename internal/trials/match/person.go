// Package match puts the facts of a person beside trials: fields of the record, lines of the criteria that touch a fact, and arithmetic on
// their numbers. It says nothing about what a line means, asks no source and keeps nothing.
package match

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/criteria"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// A Person holds the facts of a person, each with the words of the caller.
type Person struct {
	given   tools.MatchTrialsArgs
	age     interval // in days
	aged    bool     // the age was read
	facts   []fact
	notices []string // facts that were not read or not compared
}

// A fact is a statement about a person, and the parts of a line that it touches.
type fact struct {
	label  string   // argument: the person's words
	limits []string // measures of which a limit touches
	names  []string // measures of which a name touches
	term   term
	role   string // of the words that touch
	values []value
}

// Read reads the facts of a person. No fact is a reason to refuse but the lack of any.
func Read(given tools.MatchTrialsArgs) (*Person, error) {
	p := &Person{given: given}
	p.readAge()
	p.readWords("conditions", given.Conditions)
	p.readWords("without", given.Without)
	for _, text := range given.Measurements {
		for _, one := range separator.Split(glued.ReplaceAllString(text, ", $1"), -1) {
			p.readMeasurement(one)
		}
	}
	p.readWords("biomarkers", given.Biomarkers)
	p.readWords("treatments", given.Treatments)
	p.readLines()
	p.readState("pregnant", given.Pregnant)
	p.readState("breast_feeding", given.BreastFeeding)
	if len(p.facts) == 0 && given.Sex == "" && given.Healthy == nil && strings.TrimSpace(given.Age) == "" {
		return nil, p.noFact()
	}
	p.contradictions()
	return p, nil
}

// noFact returns the refusal of a call without a fact. The next call reads the trials without a person.
func (p *Person) noFact() error {
	refused := envelope.Refuse("", "", "match_trials needs a fact of a person").
		Hint("Give what is known: age, sex, conditions, measurements, biomarkers, treatments.")
	if searched := p.searchArguments(); len(p.given.NCTIDs) > 0 {
		refused.Next = entity.Call(tools.GetTrial, map[string]any{"nct_id": p.given.NCTIDs[0], "sections": []string{"eligibility"}})
	} else if len(searched) > 0 {
		refused.Next = entity.Call(tools.SearchTrials, searched)
	}
	return refused
}

// noTrials returns the refusal of a call that has neither trials nor words to search. The next call searches the first fact that has words.
func (p *Person) noTrials() error {
	refused := envelope.Refuse("", "", "match_trials needs trials: those of nct_ids, or a disease to search").
		Hint("Give nct_ids, or condition or query for a search.")
	for _, texts := range [][]string{p.given.Biomarkers, p.given.Treatments} {
		if len(texts) > 0 && refused.Next == nil {
			refused.Next = entity.Again(tools.MatchTrials, map[string]any{"query": texts[0]})
		}
	}
	return refused
}

func (p *Person) notice(format string, details ...any) {
	p.notices = append(p.notices, fmt.Sprintf(format, details...))
}

func (p *Person) add(argument, text string, f fact) {
	f.label = argument + ": " + strings.TrimSpace(text)
	p.facts = append(p.facts, f)
}

// readWords reads facts that are words.
func (p *Person) readWords(argument string, texts []string) {
	for _, text := range texts {
		if strings.TrimSpace(text) != "" {
			p.add(argument, text, fact{term: readTerm(text)})
		}
	}
}

func (p *Person) readAge() {
	if strings.TrimSpace(p.given.Age) == "" {
		return
	}
	p.given.Age = strings.TrimSpace(p.given.Age)
	if p.age, p.aged = readAge(p.given.Age); !p.aged {
		p.notice("age %s was not read.", envelope.Quoted(p.given.Age))
	}
	p.add("age", p.given.Age, fact{limits: []string{"age"}})
}

func (p *Person) readLines() {
	text := strings.ToLower(strings.TrimSpace(p.given.PriorLines))
	if text == "" {
		return
	}
	f := fact{limits: []string{"prior_lines"}}
	if n, err := strconv.Atoi(strings.Replace(text, "none", "0", 1)); err == nil && n >= 0 {
		number := float64(n)
		l := criteria.Limit{What: "prior_lines", Low: &number, LowInclusive: true, Bare: true}
		f.values = []value{{Limit: l, text: p.given.PriorLines}}
	} else {
		p.notice("prior_lines %s was not read.", envelope.Quoted(p.given.PriorLines))
	}
	p.add("prior_lines", p.given.PriorLines, f)
}

// readState reads a fact that is so or not; either touches the lines about it.
func (p *Person) readState(argument string, state *bool) {
	if state != nil {
		p.add(argument, stateOf(state), fact{role: argument})
	}
}

// stateOf writes a fact that is so or not, or "".
func stateOf(state *bool) string {
	if state == nil {
		return ""
	}
	return strconv.FormatBool(*state)
}

// separator matches what separates several measurements of one text, and glued a comma before a word.
var (
	separator = lazyregexp.New(`;\s*|,\s+`)
	glued     = lazyregexp.New(`,([^\s\d])`)
)

// readMeasurement reads the values of a measurement. Without one, its words are the fact.
func (p *Person) readMeasurement(text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	f := fact{}
	for _, l := range criteria.Values(text) {
		if slices.Contains([]string{"age", "window", "duration"}, l.What) || l.Low == nil && l.High == nil && len(l.Values) == 0 {
			continue
		}
		v := value{Limit: l, text: strings.TrimSpace(text)}
		if l.What == "other" {
			f.term = readTerm(l.Name)
		} else {
			f.limits = append(f.limits, l.What)
		}
		if l.Unit == "" && criteria.NeedsUnit(l.What) {
			p.needsUnit(text, l.What)
		}
		f.values = append(f.values, v)
	}
	if f.names = f.limits; len(f.values) == 0 {
		if f.names = criteria.Names(text); len(f.names) == 0 {
			f.term = readTerm(text)
		}
		f.limits = f.names
		if number.MatchString(text) {
			p.notice("%s was not read as a number of a measure: not compared.", envelope.Quoted(text))
		} else {
			p.notice("%s has no number: not compared.", envelope.Quoted(text))
		}
	}
	if slices.Contains(f.names, "systolic_bp") || slices.Contains(f.names, "diastolic_bp") {
		f.names = append(slices.Clone(f.names), "blood_pressure")
	}
	p.add("measurements", text, f)
}

// number matches a number that is no part of a word.
var number = lazyregexp.New(`(?:^|[\s=<>≥≤])[0-9]`)

// needsUnit says that a number without unit is not compared, and how it is written with one.
func (p *Person) needsUnit(text, what string) {
	if last := text[len(text)-1]; last < '0' || last > '9' {
		p.notice("%s has no unit that is understood: not compared.", envelope.Quoted(text))
		return
	}
	p.notice("%s has no unit: not compared; such as %s %s.", envelope.Quoted(text),
		entity.Cut(strings.TrimSpace(text), 80), criteria.ExampleUnit(what))
}

// contradictions notes facts that cannot be so together.
func (p *Person) contradictions() {
	for argument, state := range map[string]*bool{"pregnant": p.given.Pregnant, "breast_feeding": p.given.BreastFeeding} {
		if p.given.Sex == "male" && state != nil && *state {
			p.notice("sex male and %s true were both given.", argument)
		}
	}
	for _, absent := range p.given.Without {
		if slices.ContainsFunc(p.given.Conditions, func(c string) bool {
			return slices.Equal(readWords(c), readWords(absent))
		}) {
			p.notice("%s is in conditions and in without.", envelope.Quoted(absent))
		}
	}
}

// ago matches the time behind the name of a condition or a treatment.
var ago = lazyregexp.New(`(?i)[\s,(]+[0-9]+ (?:day|week|month|year)s? ago\)?$`)

// searched returns the words for a search by the main condition, or "".
func (p *Person) searched() string {
	for _, text := range p.given.Conditions {
		if text = strings.TrimSpace(ago.ReplaceAllString(text, "")); text != "" {
			return text
		}
	}
	return ""
}

// searchArguments maps the arguments of the search to their values.
func (p *Person) searchArguments() map[string]any {
	g, all := p.given, map[string]any{}
	for name, text := range map[string]string{"condition": g.Condition, "query": g.Query, "near": g.Near, "within": g.Within} {
		if text != "" {
			all[name] = text
		}
	}
	for name, list := range map[string][]string{"country": g.Country, "status": g.Status, "phase": g.Phase} {
		if len(list) > 0 {
			all[name] = list
		}
	}
	return all
}

// Filters returns the filters of the search: by ids, or by the main condition unless another one is to be searched.
func (p *Person) Filters() (tools.TrialFilters, error) {
	g := p.given
	searched := p.searchArguments()
	if len(g.NCTIDs) > 0 {
		if names := slices.Sorted(maps.Keys(searched)); len(names) > 0 {
			name := names[0]
			return tools.TrialFilters{}, envelope.Refuse(name, fmt.Sprint(searched[name]), "is for a search, but nct_ids has the trials").
				Again(tools.MatchTrials, `with {%q:null}, or with {"nct_ids":null}`, name)
		}
		return tools.TrialFilters{NCTIDs: g.NCTIDs}, nil
	}
	f := tools.TrialFilters{Condition: cmp.Or(g.Condition, p.searched()), Query: g.Query, Near: g.Near, Within: g.Within,
		Country: g.Country, Status: g.Status, Phase: g.Phase}
	if f.Condition == "" && f.Query == "" && f.Near == "" && len(f.Country) == 0 {
		return f, p.noTrials()
	}
	if len(f.Status) == 0 {
		f.Status = []string{"RECRUITING", "NOT_YET_RECRUITING"}
	}
	return f, nil
}

// Given returns the names of filters that the call has, without the status if Filters chose it.
func (p *Person) Given(filters []string) []string {
	return slices.DeleteFunc(filters, func(name string) bool { return name == "status" && len(p.given.Status) == 0 })
}

// Admission returns the age and the sex, for a search of the trials whose fields admit them.
func (p *Person) Admission() (age, sex string) {
	if p.aged {
		age = p.given.Age
	}
	return age, p.given.Sex
}

// Digest returns a short keyed hash of the facts, for cursors. It distinguishes other facts, and is too short to find the facts by it.
func (p *Person) Digest() string {
	given := p.given
	given.Cursor, given.PageSize = "", 0
	text, err := entity.JSON(given)
	if err != nil {
		panic(err) // arguments are texts
	}
	mac := hmac.New(sha256.New, []byte(tools.MatchTrials))
	mac.Write(text)
	return hex.EncodeToString(mac.Sum(nil)[:3])
}
