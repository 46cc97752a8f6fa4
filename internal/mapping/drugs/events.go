package drugs

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"

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
