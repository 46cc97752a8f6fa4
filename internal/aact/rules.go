package aact

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// A question asks a rule for the value of a column of an element.
type question struct {
	*filler
	name    string // of the column
	element *node
	at      *node // the element, or its ancestor
	value   any   // at the place that the description names
}

// text returns the text of the value, "" for none.
func (q question) text() string {
	text, _ := Text.read(q.value).(string)
	return text
}

// A rule returns the value of a column, which is then read by the kind of the column.
type rule func(*maker, question) any

// rules are the rules of the description.
var rules = map[string]rule{
	"":           func(_ *maker, q question) any { return q.value },
	"date":       func(_ *maker, q question) any { return day(q.text(), 1) },
	"first":      func(_ *maker, q question) any { return day(q.text(), 0) },
	"lower":      func(_ *maker, q question) any { return strings.ToLower(q.text()) },
	"join":       func(_ *maker, q question) any { return strings.Join(texts(q.value), "/") },
	"has":        has,
	"count":      (*maker).count,
	"file":       (*maker).file,
	"id":         (*maker).idOf,
	"arm":        func(m *maker, q question) any { return m.armNamed(q.text()) },
	"group":      (*maker).group,
	"nth":        nth,
	"pmod":       comparator,
	"pnum":       func(_ *maker, q question) any { return unsigned.Replace(q.text()) },
	"yesno":      yesNo,
	"units":      func(_ *maker, q question) any { return units(q.value) },
	"analyzed":   (*maker).analyzed,
	"calculated": func(m *maker, q question) any { return calculated[q.name](m) },
}

// read returns a value in the form of a kind, nil if the kind has no such value.
func (k Kind) read(value any) any {
	switch v := value.(type) {
	case nil, map[string]any, []any:
		return nil
	case string:
		return k.readText(v)
	case json.Number:
		return k.readText(v.String())
	case bool:
		if k == Bool {
			return v
		}
		return k.readText(strconv.FormatBool(v))
	case exact:
		return string(v)
	}
	return value // of a rule, in the right kind
}

// number is a number as Ruby reads it, whose program fills AACT.
var number = lazyregexp.New(`^\s*[-+]?(?:\d+(?:_\d+)*)?(?:\.\d+(?:_\d+)*)?(?:[eE][-+]?\d+)?\s*$`)

// readText reads a text as a value of a kind.
func (k Kind) readText(text string) any {
	switch k {
	case Int, Long:
		if n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64); err == nil && (k == Long || n == int64(int32(n))) {
			return n
		}
		return nil
	case Real:
		if x, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSpace(text), "_", ""), 64); err == nil && number.MatchString(text) &&
			!math.IsInf(x, 0) {
			return x
		}
		return nil
	case Bool:
		if text == "true" || text == "false" {
			return text == "true"
		}
		return nil
	}
	if text == "" {
		return nil
	}
	return text
}

// day returns a partial date as its first or its last day, nil for a text without a date.
func day(text string, last int) any {
	for years, layout := range []string{"2006-01-02", "2006-01", "2006"} {
		t, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		switch {
		case last == 0 || years == 0:
		case years == 1:
			t = t.AddDate(0, 1, -1)
		default:
			t = t.AddDate(1, 0, -1)
		}
		return t.Format(time.DateOnly)
	}
	return nil
}

// texts returns the texts of a list.
func texts(value any) (all []string) {
	list, _ := value.([]any)
	for _, v := range list {
		if text, ok := v.(string); ok {
			all = append(all, text)
		}
	}
	return all
}

func has(_ *maker, q question) any {
	if _, ok := q.value.([]any); !ok {
		return nil
	}
	for _, text := range texts(q.value) {
		if text == q.arg {
			return true
		}
	}
	return false
}

// count returns the number of elements for one type of study.
func (m *maker) count(q question) any {
	list, _ := q.value.([]any)
	kind, _ := m.at("protocolSection.designModule.studyType").(string)
	interventional := strings.Contains(strings.ToLower(kind), "interventional")
	if len(list) == 0 || interventional != (q.arg == "interventional") {
		return nil
	}
	return int64(len(list))
}

// at returns the value at a path of the record.
func (m *maker) at(path string) any { return lookup(m.root.value, strings.Split(path, ".")...) }

// file returns the address of a document of the trial.
func (m *maker) file(q question) any {
	if q.text() == "" {
		return nil
	}
	return "https://ClinicalTrials.gov/ProvidedDocs/" + m.nct[len(m.nct)-2:] + "/" + m.nct + "/" + q.text()
}

// makeNamed makes the rows of another table, to which a column refers.
func (m *maker) makeNamed(name string) {
	for _, t := range m.all {
		if t.Name == name {
			m.make(t)
		}
	}
}

// idOf returns the id of the row of a table that the element made.
func (m *maker) idOf(q question) any {
	m.makeNamed(q.arg)
	if id, ok := q.at.ids[q.arg]; ok {
		return id
	}
	return nil
}

func (m *maker) armNamed(title string) any {
	m.makeNamed("design_groups")
	if id, ok := m.arms[title]; ok {
		return id
	}
	return nil
}

// group returns the id of a group of the posted results. Groups of outcomes are those of the outcome of the element.
func (m *maker) group(q question) any {
	m.makeNamed("result_groups")
	key := groupKey{kind: q.arg, code: q.text()}
	for n := q.element; n != nil && key.kind == "Outcome"; n = n.parent {
		key.outcome = max(key.outcome, n.ids["outcomes"])
	}
	if id, ok := m.groups[key]; ok {
		return id
	}
	return nil
}

func nth(_ *maker, q question) any {
	if q.element.first {
		return "primary"
	}
	return "backup"
}

var unsigned = strings.NewReplacer("<", "", ">", "", "=", "", " ", "")

// digits are the characters of a number.
var digits = lazyregexp.New(`[0-9.-]+`)

// An exact text is stored as it is, also an empty one.
type exact string

// comparator returns the comparator of a p value, an empty text for a bare number.
func comparator(_ *maker, q question) any {
	if q.text() == "" {
		return nil
	}
	return exact(strings.TrimSpace(digits.ReplaceAllString(q.text(), "")))
}

func yesNo(_ *maker, q question) any {
	switch q.value {
	case true:
		return "Yes"
	case false:
		return "No"
	}
	return nil
}

const participants = "Participants"

// units returns the units in which a measure counts.
func units(selected any) any {
	if text, _ := selected.(string); text != "" {
		return text
	}
	return participants
}

// analyzed returns the number of units of a group: that of the class, else of the measure, else of all measures.
func (m *maker) analyzed(q question) any {
	class, measure := q.element.up(2), q.element.up(3)
	unit, group := units(lookup(measure.value, "denomUnitsSelected")), lookup(q.element.value, "groupId")
	for _, denoms := range []any{
		lookup(class.value, "denoms"), lookup(measure.value, "denoms"), m.at("resultsSection.baselineCharacteristicsModule.denoms"),
	} {
		list, _ := denoms.([]any)
		for _, denom := range list {
			counts, _ := lookup(denom, "counts").([]any)
			for _, count := range counts {
				if lookup(denom, "units") == unit && lookup(count, "groupId") == group {
					return lookup(count, "value")
				}
			}
		}
	}
	return nil
}
