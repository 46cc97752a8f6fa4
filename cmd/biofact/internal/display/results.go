package display

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// comparison prints a row for each aspect and a column for each trial. If the columns become too narrow to read, it prints each aspect
// as a heading with a line for each trial.
func (p *Printer) comparison(answer object) {
	const aspectWidth, narrow = 14, 18
	trials := objects(answer.Get("trials"))
	for _, o := range trials {
		p.paragraph(p.bold(bareID(o.Text("id")))+gap, oneLine(o.Get("title")), "  ")
	}
	fmt.Fprintln(p.Out)
	room := 40
	if p.Width > 0 && len(trials) > 0 {
		room = (p.Width-aspectWidth)/len(trials) - len(gap)
	}
	head, widths := []string{"ASPECT"}, []int{aspectWidth}
	for _, o := range trials {
		head, widths = append(head, bareID(o.Text("id"))), append(widths, room)
	}
	if room >= narrow {
		p.row(head, widths, 1, true)
	}
	for _, aspect := range objects(answer.Get("aspects")) {
		name := label(aspect.Text("aspect"))
		if aspect.Get("differs") == false {
			name += " (same)"
		}
		cells := []string{name}
		for _, o := range trials {
			cells = append(cells, aspectText(aspect, o.Text("id")))
		}
		if room >= narrow {
			p.row(cells, widths, math.MaxInt, false)
			continue
		}
		fmt.Fprintln(p.Out, p.bold(name))
		for i, text := range cells[1:] {
			p.paragraph("  "+head[i+1]+gap, text, strings.Repeat(" ", 2+len(head[i+1]))+gap)
		}
	}
}

// aspectText returns what one trial has of an aspect.
func aspectText(aspect object, id string) string {
	for _, v := range objects(aspect.Get("values")) {
		if v.Text("id") != id {
			continue
		}
		list, _ := v.Get("items").([]any)
		var texts []string
		for _, item := range list {
			for _, part := range strings.Split(oneLine(item), "; ") {
				if slices.Contains([]string{"design", "dates", "enrollment", "population"}, aspect.Text("aspect")) {
					part = constantWords.ReplaceAllStringFunc(part, func(word string) string { return strings.ToLower(constant(word)) })
				}
				texts = append(texts, constant(part))
			}
		}
		text := strings.Join(texts, "; ")
		if flag, ok := strings.CutPrefix(text, "has results "); ok {
			text = words("", flag == "true")
		}
		if cut := oneLine(v.Get("cut")); cut != "" {
			text += "; and " + cut + " more"
		}
		return text
	}
	return "-"
}

// cells prints rows that have a cell for each group, such as the values of an outcome, with a column for each group under its name.
func (p *Printer) cells(items []object) {
	var rows []object
	var groups []column
	for _, item := range items {
		var row object
		for _, m := range item {
			if isInline(m.Value) {
				row = append(row, m)
			}
		}
		for _, cell := range objects(item.Get("cells")) {
			name := "group " + oneLine(cell.Get("group"))
			row = append(row, member{Name: name, Value: cellText(cell)})
			if !slices.ContainsFunc(groups, func(c column) bool { return c.fields[0] == name }) {
				groups = append(groups, column{p.groupName(cell.Get("group")), []string{name}})
			}
		}
		rows = append(rows, row)
	}
	beside := slices.DeleteFunc(scalars(rows), func(c column) bool { return strings.HasPrefix(c.fields[0], "group ") })
	p.table(append(beside, groups...), rows)
}

// cellText returns the value of a cell with its spread, or the share of participants.
func cellText(cell object) string {
	var text string
	for _, name := range []string{"value", "affected", "participants", "units"} {
		if text == "" {
			text = oneLine(cell.Get(name))
		}
	}
	add := func(format string, fields ...string) {
		var values []any
		for _, field := range fields {
			value := oneLine(cell.Get(field))
			if value == "" {
				return
			}
			values = append(values, value)
		}
		text += fmt.Sprintf(format, values...)
	}
	add("/%s", "at_risk")
	add(" (%s%%)", "percent_computed")
	add(" (±%s)", "spread")
	add(" (%s to %s)", "lower", "upper")
	add(" %s", "comment")
	return text
}

// analysisText returns a statistical analysis as a sentence: Hazard Ratio (HR) 0.96 (95% CI 0.81 to 1.14), p 0.65, Log Rank.
func (p *Printer) analysisText(a object) string {
	text := strings.TrimSpace(oneLine(a.Get("estimate_type")) + " " + oneLine(a.Get("estimate")))
	if lower, upper := oneLine(a.Get("lower")), oneLine(a.Get("upper")); lower != "" || upper != "" {
		text += fmt.Sprintf(" (%s%% CI %s to %s)", oneLine(a.Get("ci_percent")), cmp.Or(lower, "–"), cmp.Or(upper, "–"))
	}
	if value := oneLine(a.Get("p_value")); value != "" {
		text += ", p " + value
	}
	for _, m := range a {
		switch m.Name {
		case "estimate_type", "estimate", "lower", "upper", "ci_percent", "p_value", "p_number", "ci_sides":
		case "groups":
			if names := p.compared(m.Value); names != "" {
				text += ", " + names
			}
		case "method":
			text += ", " + oneLine(m.Value)
		default:
			if isInline(m.Value) {
				text += ", " + strings.ToLower(label(m.Name)) + ": " + words(m.Name, m.Value)
			}
		}
	}
	return strings.TrimPrefix(text, ", ")
}
