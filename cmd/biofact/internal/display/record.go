package display

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rivo/uniseg"
)

// card prints a record: its id and title, then its members.
func (p *Printer) card(o object, without ...string) {
	head := bareID(o.Text("id"))
	for _, name := range []string{"symbol", "title", "brief_title"} {
		if text := o.Text(name); head != "" && text != "" {
			p.paragraph("", p.bold(head)+"  "+oneLine(text), "  ")
			fmt.Fprintln(p.Out)
			without = append(without, "id", name)
			break
		}
	}
	p.record(o, without...)
}

// record prints the members of an object as lines, with a table for each list of objects.
func (p *Printer) record(o object, without ...string) {
	const widest = 24
	o, width := withTypes(o), 0
	if names := namedGroups(o); len(names) > 0 {
		p.groups = names
	}
	for _, m := range o {
		if isInline(m.Value) && !slices.Contains(without, m.Name) {
			width = max(width, min(widest, len(label(m.Name))))
		}
	}
	for _, m := range o {
		if slices.Contains(without, m.Name) || memberOf(o, m.Name) != m.Name {
			continue
		}
		if !isInline(m.Value) {
			p.part(m)
			continue
		}
		name := label(m.Name)
		start := name + strings.Repeat(" ", max(0, width-len(name))) + gap
		text := words(m.Name, m.Value)
		if m.Name == "value" || strings.HasSuffix(m.Name, "_text") || strings.Contains(text, "\n") {
			p.text(name, text)
			continue
		}
		p.paragraph(start, text, strings.Repeat(" ", width)+gap)
	}
}

// withTypes returns an object in which the type of a member follows its value, 2020-11 (actual), and in which authors are names.
func withTypes(o object) (out object) {
	for _, m := range o {
		if m.Name == "authors" {
			m.Value = authorNames(m.Value)
		}
		base, ok := strings.CutSuffix(m.Name, "_type")
		if i := slices.IndexFunc(out, func(b member) bool { return b.Name == base }); ok && i >= 0 && isInline(out[i].Value) {
			out[i].Value = oneLine(out[i].Value) + " (" + strings.ToLower(words(m.Name, m.Value)) + ")"
			continue
		}
		out = append(out, m)
	}
	return out
}

// withInterval returns effects whose estimate has its confidence interval: 0.96 (0.81 to 1.14).
func withInterval(rows []object) (out []object) {
	for _, row := range rows {
		cell := object{
			{Name: "value", Value: row.Get("estimate")}, {Name: "lower", Value: row.Get("lower")}, {Name: "upper", Value: row.Get("upper")},
		}
		out = append(out, append(object{{Name: "estimate", Value: cellText(cell)}}, row...))
	}
	return out
}

// authorNames returns a list of authors as PubMed writes it: Larkin J, Hodi FS.
func authorNames(authors any) any {
	var names []string
	for _, author := range objects(authors) {
		name := author.Text("lastName") + " " + author.Text("initials") + " " + author.Text("suffix") + author.Text("collectiveName")
		names = append(names, strings.Join(strings.Fields(name), " "))
	}
	if names == nil {
		return authors
	}
	return strings.Join(names, ", ")
}

// text prints a text of several lines under its name.
func (p *Printer) text(name, text string) {
	fmt.Fprintln(p.Out, p.bold(name))
	for line := range strings.Lines(strings.TrimSpace(text)) {
		p.paragraph("  ", strings.TrimRight(line, " \n"), "  ")
	}
}

// part prints an object, or a list of objects, under its name.
func (p *Printer) part(m member) {
	fmt.Fprintln(p.Out, p.bold(label(m.Name)))
	inner := &Printer{Out: &indented{to: p.Out, indent: "  "}, Color: p.Color, groups: p.groups}
	if p.Width > 0 {
		inner.Width = max(40, p.Width-2)
	}
	if o, ok := m.Value.(object); ok {
		inner.record(o)
		return
	}
	items := objects(m.Value)
	switch {
	case m.Name == "rows" && items[0].Get("analysis") != nil:
		inner.table(comparisonColumns, withInterval(items))
		inner.Line("all columns: --csv")
	case m.Name == "rows" && items[0].Get("kind") != nil:
		inner.table(armColumns, items)
		inner.Line("all columns: --csv")
	case m.Name == "outcome_measures":
		for _, item := range items {
			inner.outcome(item)
		}
	case m.Name == "analyses":
		for _, analysis := range items {
			inner.paragraph("", inner.analysisText(analysis), "  ")
		}
	case slices.ContainsFunc(items, func(o object) bool { return o.Get("cells") != nil }):
		inner.cells(items)
	case !slices.ContainsFunc(items, func(o object) bool { return slices.ContainsFunc(o, isLong(len(items))) }):
		inner.table(scalars(items), items)
	default:
		inner.records(items)
	}
}

// records prints objects one below another, with an empty line between them.
func (p *Printer) records(items []object) {
	for i, item := range items {
		if i > 0 {
			fmt.Fprintln(p.Out)
		}
		p.record(item)
	}
}

// isLong returns a function that reports whether a member is too long for the cell of a table with a number of rows: of few rows, people
// read every word.
func isLong(rows int) func(member) bool {
	limit := 60
	if rows > 5 {
		limit = 160
	}
	return func(m member) bool { return !isInline(m.Value) || uniseg.StringWidth(oneLine(m.Value)) > limit }
}

// An indented writer writes spaces before each line.
type indented struct {
	to     interface{ Write([]byte) (int, error) }
	indent string
	inside bool // a line has begun
}

// Write implements io.Writer.
func (w *indented) Write(text []byte) (int, error) {
	for line := range strings.Lines(string(text)) {
		if !w.inside && line != "\n" {
			line = w.indent + line
		}
		w.inside = !strings.HasSuffix(line, "\n")
		if _, err := w.to.Write([]byte(line)); err != nil {
			return 0, err
		}
	}
	return len(text), nil
}
