package display

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// namedGroups returns the names of the groups of a part of the results, by number.
func namedGroups(o object) map[string]string {
	names := map[string]string{}
	for _, group := range objects(o.Get("groups")) {
		names[oneLine(group.Get("number"))] = oneLine(group.Get("title"))
	}
	return names
}

// groupName returns the name of a group of results.
func (p *Printer) groupName(number any) string {
	return cmp.Or(p.groups[oneLine(number)], "group "+oneLine(number))
}

// shownFirst are the members of an outcome that its first lines show.
var shownFirst = []string{"number", "type", "title", "time_frame", "parameter", "unit", "rows", "analyses"}

// outcome prints an outcome so that its result is seen at once: its title, each group by name with its value and its number of
// participants, and each effect. The other members follow.
func (p *Printer) outcome(o object) {
	p.groups = namedGroups(o)
	title := strings.TrimSpace(words("type", o.Get("type"))+" outcome "+oneLine(o.Get("number"))) + ": " + oneLine(o.Get("title"))
	if frame := oneLine(o.Get("time_frame")); frame != "" {
		title += " (" + frame + ")"
	}
	p.Line(p.bold(title))
	inner := &Printer{Out: &indented{to: p.Out, indent: "  "}, Color: p.Color, groups: p.groups}
	if p.Width > 0 {
		inner.Width = max(40, p.Width-2)
	}
	inner.values(o)
	for _, analysis := range objects(o.Get("analyses")) {
		inner.paragraph("", inner.analysisText(analysis), "  ")
	}
	inner.record(withoutNumbers(o), shownFirst...)
}

// values prints what each group of an outcome has: a line for each group, or a table if the outcome has rows for classes or categories.
func (p *Printer) values(o object) {
	rows, groups := objects(o.Get("rows")), objects(o.Get("groups"))
	unit := strings.TrimSpace(words("parameter", o.Get("parameter")) + ", " + oneLine(o.Get("unit")))
	unit = strings.Trim(unit, ", ")
	if len(rows) != 1 || len(rows[0]) != 1 || len(groups) == 0 {
		if len(rows) > 0 && unit != "" {
			p.Line(unit)
		}
		p.cells(rows)
		return
	}
	var lines []object
	for _, group := range groups {
		line := object{{Name: "group", Value: group.Get("title")}, {Name: "N", Value: thousands(oneLine(group.Get("analyzed")))}}
		for _, cell := range objects(rows[0].Get("cells")) {
			if oneLine(cell.Get("group")) == oneLine(group.Get("number")) {
				line = append(line, member{Name: "value", Value: cellText(cell)})
			}
		}
		lines = append(lines, line)
	}
	value := column{strings.ToUpper("value"), []string{"value"}}
	if unit != "" {
		value.head += " (" + unit + ")"
	}
	p.table([]column{{"GROUP", []string{"group"}}, {"N", []string{"N"}}, value}, lines)
}

// withoutNumbers returns an outcome whose groups have only their descriptions; the rest is shown before.
func withoutNumbers(o object) (out object) {
	for _, m := range o {
		if m.Name == "groups" {
			var described []any
			for _, group := range objects(m.Value) {
				if text := group.Get("description"); text != nil {
					described = append(described, object{{Name: "title", Value: group.Get("title")}, {Name: "description", Value: text}})
				}
			}
			if described == nil {
				continue
			}
			m.Value = described
		}
		out = append(out, m)
	}
	return out
}

// thousands returns a whole number with commas; any other text as it is.
func thousands(number string) string {
	if n, err := strconv.Atoi(number); err != nil || strconv.Itoa(n) != number || n < 1000 {
		return number
	}
	for i := len(number) - 3; i > 0; i -= 3 {
		number = number[:i] + "," + number[i:]
	}
	return number
}

// compared returns the names of the groups that an analysis compares; "" if these are all groups of the outcome.
func (p *Printer) compared(groups any) string {
	list, _ := groups.([]any)
	if len(list) == len(p.groups) {
		return ""
	}
	var names []string
	for _, number := range list {
		names = append(names, p.groupName(number))
	}
	return strings.Join(slices.Compact(names), " vs ")
}
