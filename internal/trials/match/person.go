// Package match compares the facts of a person with the lines of the criteria of trials: a line allows, blocks or stays unknown. It asks no
// source, keeps nothing, and never guesses: a line that demands more than the facts stays unknown.
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
	"github.com/biofact-mcp/biofact/internal/ranges"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// A Person holds the facts of a person, each with the words of the caller.
type Person struct {
	given    tools.MatchTrialsArgs
	measures map[string]fact // by measure; of an unknown one by its name
	genes    map[string][]fact
	has      []term // conditions and treatments
	without  []term
}

// A fact is a measured value or the state of a gene.
type fact struct {
	criteria.Limit
	text string
}

// Read reads the facts of a person. Facts that cannot be read, or that contradict each other, are INVALID_INPUT.
func Read(given tools.MatchTrialsArgs) (*Person, error) {
	p := &Person{given: given, measures: map[string]fact{}, genes: map[string][]fact{}}
	p.has = append(readTerms(given.Conditions, false), readTerms(given.Treatments, true)...)
	p.without = readTerms(given.Without, false)
	for _, check := range []func() error{p.contradiction, p.readAge, p.readLines, p.readMeasurements, p.readBiomarkers} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	if len(p.Facts()) == 0 {
		return nil, envelope.Refuse("", "", "match_trials needs a fact of a person").Again(tools.MatchTrials,
			`with facts as well, such as {"age":"58","sex":"female","conditions":["type 2 diabetes"],"measurements":["HbA1c 8.1 %%"]}`)
	}
	return p, nil
}

// Facts returns all facts, in the words of the caller.
func (p *Person) Facts() (all []string) {
	state := func(given *bool, word string) {
		if given != nil && *given {
			all = append(all, word)
		} else if given != nil {
			all = append(all, "not "+word)
		}
	}
	if p.given.Age != "" {
		all = append(all, p.measures["age"].text)
	}
	if p.given.Sex != "" {
		all = append(all, p.given.Sex)
	}
	all = append(all, p.given.Conditions...)
	for _, w := range p.without {
		all = append(all, "without "+w.text)
	}
	all = slices.Concat(all, p.given.Measurements, p.given.Biomarkers, p.given.Treatments)
	if lines, ok := p.measures["prior_lines"]; ok {
		all = append(all, lines.text)
	}
	state(p.given.Pregnant, "pregnant")
	state(p.given.BreastFeeding, "breast-feeding")
	state(p.given.Healthy, "healthy")
	return all
}

// contradiction returns the error for facts that cannot be so together.
func (p *Person) contradiction() error {
	for name, state := range map[string]*bool{"pregnant": p.given.Pregnant, "breast_feeding": p.given.BreastFeeding} {
		if p.given.Sex == "male" && state != nil && *state {
			return envelope.Refuse(name, "true", "contradicts sex male").
				Again(tools.MatchTrials, `with {%q:null}, or with {"sex":"female"}`, name)
		}
	}
	for _, w := range p.without {
		if i := slices.IndexFunc(p.has, func(t term) bool { return t.key() == w.key() }); i >= 0 {
			left := slices.DeleteFunc(slices.Clone(p.given.Without), func(text string) bool { return text == w.text })
			return envelope.Refuse("without", w.text, "%s is in conditions or treatments, too", envelope.Quoted(w.text)).
				Again(tools.MatchTrials, "with %s", tool.Object("without", left))
		}
	}
	return nil
}

func (p *Person) readAge() error {
	if p.given.Age == "" {
		return nil
	}
	age, err := ranges.ReadAge(p.given.Age)
	if err != nil {
		return envelope.Refuse("age", p.given.Age, "%s", err).Again(tools.MatchTrials, `with {"age":"58"} or {"age":"6 months"}`)
	}
	for _, l := range criteria.Values("age " + age) {
		p.measures[l.What] = fact{l, "age " + strings.TrimSpace(p.given.Age)}
	}
	return nil
}

func (p *Person) readLines() error {
	text := strings.ToLower(strings.TrimSpace(p.given.PriorLines))
	if text == "" {
		return nil
	}
	n, err := strconv.Atoi(strings.Replace(text, "none", "0", 1))
	if err != nil || n < 0 || n > 30 {
		return envelope.Refuse("prior_lines", p.given.PriorLines, "is no number of lines").Again(tools.MatchTrials, `with {"prior_lines":"2"}`)
	}
	value := float64(n)
	p.measures["prior_lines"] = fact{criteria.Limit{What: "prior_lines", Low: &value}, strconv.Itoa(n) + " prior lines"}
	return nil
}

// negative reports whether a text has a negative number, which no measure has.
func negative(text string) bool {
	_, behind, found := strings.Cut(" "+text, " -")
	return found && behind != "" && behind[0] >= '0' && behind[0] <= '9'
}

// readMeasurements reads the values of measures that a person can have.
func (p *Person) readMeasurements() error {
	for _, text := range p.given.Measurements {
		found := false
		for _, l := range criteria.Values(text) {
			if !l.Measured() || l.Low != nil && !criteria.Possible(l.What, *l.Low, l.Unit) || negative(text) {
				continue
			}
			name := l.What
			if name == "other" {
				other := termOf(l.Name, false)
				name = other.key()
			}
			earlier, twice := p.measures[name]
			if twice && earlier.text != text {
				return envelope.Refuse("measurements", text, "%s is a second value beside %s", envelope.Quoted(text),
					envelope.Quoted(earlier.text)).Again(tools.MatchTrials, "with one of them, the latest")
			}
			p.measures[name], found = fact{l, text}, true
		}
		if !found {
			return envelope.Refuse("measurements", text, "%s has no measure with a number and a unit that is understood",
				envelope.Quoted(text)).Again(tools.MatchTrials, `with the form {"measurements":["ECOG 1","hemoglobin 9.8 g/dL","AST 1.2 x ULN"]}`)
		}
	}
	return nil
}

func (p *Person) readBiomarkers() error {
	for _, text := range p.given.Biomarkers {
		found := false
		for _, l := range criteria.Values(text) {
			if l.What == "biomarker" {
				p.genes[l.Gene] = append(p.genes[l.Gene], fact{l, text})
				found = true
			}
		}
		if !found {
			return envelope.Refuse("biomarkers", text, "%s has no known gene in capitals with its state", envelope.Quoted(text)).
				Again(tools.MatchTrials, `with the form {"biomarkers":["EGFR L858R","HER2 negative"]}`)
		}
	}
	return nil
}

// Searched returns the words for a search by the main condition, or "".
func (p *Person) Searched() string {
	for _, t := range p.has {
		if !t.treatment {
			return strings.TrimSpace(t.text[:t.named])
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
	f := tools.TrialFilters{Condition: cmp.Or(g.Condition, p.Searched()), Query: g.Query, Near: g.Near, Within: g.Within,
		Country: g.Country, Status: g.Status, Phase: g.Phase}
	if f.Condition == "" && f.Query == "" && f.Near == "" && len(f.Country) == 0 {
		return f, envelope.Refuse("", "", "match_trials needs trials: those of nct_ids, or a disease to search").
			Again(tools.MatchTrials, `with {"condition":"type 2 diabetes"} or {"nct_ids":["NCT:00461032"]} as well`)
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

// Admission returns the age and the sex, for a search of the trials that admit them.
func (p *Person) Admission() (age, sex string) { return p.given.Age, p.given.Sex }

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
