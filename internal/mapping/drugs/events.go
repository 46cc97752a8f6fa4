package drugs

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	api "github.com/biofact-mcp/biofact/gen/openfda"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

// A Group is a value of a field with the number of records that have it.
type Group struct {
	Value string
	Count int
}

// ReadGroup reads a group: its value is a text, a number or a day.
func ReadGroup(record []byte) (Group, error) {
	var g api.Group
	if err := json.Unmarshal(record, &g); err != nil {
		return Group{}, err
	}
	out := Group{Value: text.Clean(g.Time)}
	if out.Value == "" && json.Unmarshal(g.Term, &out.Value) != nil {
		out.Value = string(g.Term)
	}
	if out.Value == "" || g.Count == nil {
		return Group{}, text.ErrIncomplete
	}
	out.Count = *g.Count
	return out, nil
}

// HasCode reports whether a substance has a code of a system.
func HasCode(s *api.Substance, system, code string) bool {
	return slices.ContainsFunc(s.Codes, func(c api.SubstanceCodes) bool { return c.CodeSystem == system && c.Code == code })
}

// Disclaimer limits the meaning of numbers of reports, as FDA does.
const Disclaimer = "A report is no proof that the drug caused the reaction, and numbers of reports are no frequencies: anybody may " +
	"report, the drug may have any role, the same case may be reported several times, and many are not reported."

// words are the meanings of codes in reports.
var words = map[string]map[string]string{
	"sex":       {"0": "unknown", "1": "male", "2": "female"},
	"serious":   {"1": "serious", "2": "not serious"},
	"age_group": {"1": "neonate", "2": "infant", "3": "child", "4": "adolescent", "5": "adult", "6": "elderly"},
	"outcome": {"1": "recovered", "2": "recovering", "3": "not recovered", "4": "recovered with sequelae", "5": "fatal",
		"6": "unknown"},
	"reporter": {"1": "physician", "2": "pharmacist", "3": "other health professional", "4": "lawyer", "5": "consumer"},
}

// Words returns the words for the values of some fields, each once, without unknown ones.
func Words(fields ...string) (list []string) {
	for _, field := range fields {
		for _, code := range slices.Sorted(maps.Keys(words[field])) {
			if word := words[field][code]; word != "unknown" {
				list = append(list, word)
			}
		}
	}
	return entity.Once(list)
}

// Code returns the code of a word for the value of a field.
func Code(by, word string) string {
	for code, have := range words[by] {
		if have == word {
			return code
		}
	}
	return ""
}

// CountOf returns the number of records of a group.
func CountOf(groups []Group, value string) int {
	i := slices.IndexFunc(groups, func(g Group) bool { return g.Value == value })
	if i < 0 {
		return 0
	}
	return groups[i].Count
}

// SameTerm returns the term of some groups that has the words of a text in any order, in British or American spelling, with ^ or any
// apostrophe or none; "": none.
func SameTerm(groups []Group, given string) string {
	want := termWords(given)
	i := slices.IndexFunc(groups, func(g Group) bool { return slices.Equal(termWords(g.Value), want) })
	if i < 0 {
		return ""
	}
	return groups[i].Value
}

// oneSpelling turns signs and spellings of terms into one.
var oneSpelling = strings.NewReplacer("^", "", "'", "", "’", "", "`", "", "OE", "E", "AE", "E", "OUR", "OR", "ISATION", "IZATION")

func termWords(term string) []string {
	words := strings.FieldsFunc(oneSpelling.Replace(strings.ToUpper(term)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	slices.Sort(words)
	return words
}

// fewest is the number of reports in a cell from which on ratios are computed.
const fewest = 3

// Compare returns the numbers of reports with and without a drug and a reaction, and their ratios if each is large enough.
func Compare(both, drug, reaction, all int) *entity.Disproportionality {
	out := &entity.Disproportionality{Both: both, DrugOnly: drug - both, ReactionOnly: reaction - both,
		Neither: all - drug - reaction + both, Caution: caution}
	if min(out.Both, out.DrugOnly, out.ReactionOnly, out.Neither) < fewest {
		return out
	}
	a, b, c, d := float64(out.Both), float64(out.DrugOnly), float64(out.ReactionOnly), float64(out.Neither)
	odds, deviation := a*d/(b*c), 1.96*math.Sqrt(1/a+1/b+1/c+1/d)
	out.PRRComputed, out.RORComputed = twoDigits(a/(a+b)/(c/(c+d))), twoDigits(odds)
	out.RORLowComputed, out.RORHighComputed = twoDigits(odds*math.Exp(-deviation)), twoDigits(odds*math.Exp(deviation))
	return out
}

func twoDigits(n float64) *float64 { return new(math.Round(100*n) / 100) }

// caution limits the meaning of ratios of reports.
const caution = "The ratios compare shares of reports, not of people: they show neither a cause nor a risk, and change with the reports " +
	"about other drugs."

// MaxGroups is the largest number of groups of a count: of more, the others are not known.
const MaxGroups = 1000

// Events returns the groups of total reports by a field, at most top, except years.
func Events(groups []Group, by string, total, top int) entity.DrugEventCounts {
	out := entity.DrugEventCounts{Disclaimer: Disclaimer, TotalReports: total, Overlapping: by == "reaction" || by == "outcome"}
	if by == "year" {
		out.Groups = years(groups)
	} else {
		for _, g := range groups {
			out.Groups = append(out.Groups, entity.DrugEventGroup{Value: cmp.Or(words[by][g.Value], g.Value), Count: g.Count})
		}
	}
	sum := 0
	for _, g := range out.Groups {
		sum += g.Count
	}
	if !out.Overlapping && sum <= total {
		out.WithoutValue = new(total - sum)
	}
	if by == "year" || len(out.Groups) <= top {
		return out
	}
	if len(groups) < MaxGroups {
		out.Others = &entity.OtherGroups{Values: len(out.Groups) - top}
		for _, g := range out.Groups[top:] {
			out.Others.Count += g.Count
		}
	}
	out.Groups = out.Groups[:top]
	return out
}

// years adds up days, from the first year to the last one, without holes.
func years(days []Group) (out []entity.DrugEventGroup) {
	counts := map[int]int{}
	first, last := 0, 0
	for _, d := range days {
		year, err := strconv.Atoi(d.Value[:min(4, len(d.Value))])
		if err != nil {
			continue
		}
		counts[year] += d.Count
		if first == 0 || year < first {
			first = year
		}
		last = max(last, year)
	}
	for year := first; year <= last && year > 0; year++ {
		out = append(out, entity.DrugEventGroup{Value: strconv.Itoa(year), Count: counts[year]})
	}
	return out
}
