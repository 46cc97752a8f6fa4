package display

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/rivo/uniseg"
)

// record prints the members of an object as key: value lines.
func (p *Printer) record(o object, indent string, without ...string) {
	for _, m := range o {
		if !slices.Contains(without, m.name) {
			p.member(m.name, m.value, indent)
		}
	}
}

func (p *Printer) member(name string, value any, indent string) {
	switch v := value.(type) {
	case object:
		fmt.Fprintf(p.Out, "%s%s:\n", indent, name)
		p.record(v, indent+"  ")
	case []any:
		if !slices.ContainsFunc(v, func(item any) bool { _, ok := item.(object); return ok }) {
			p.paragraph(indent+name+": ", oneLine(v), indent+"  ")
			return
		}
		fmt.Fprintf(p.Out, "%s%s:\n", indent, name)
		for _, item := range v {
			p.item(item, indent+"  ")
		}
	case string:
		if !strings.Contains(strings.TrimSpace(v), "\n") {
			p.paragraph(indent+name+": ", strings.TrimSpace(v), indent+"  ")
			return
		}
		fmt.Fprintf(p.Out, "%s%s:\n", indent, name)
		for _, line := range strings.Split(strings.TrimSpace(v), "\n") {
			p.paragraph(indent+"  ", strings.TrimRight(line, " "), indent+"  ")
		}
	default:
		fmt.Fprintf(p.Out, "%s%s: %s\n", indent, name, oneLine(value))
	}
}

// item prints an element of a list, with a dash before its first line.
func (p *Printer) item(value any, indent string) {
	o, ok := value.(object)
	if !ok {
		p.paragraph(indent+"- ", oneLine(value), indent+"  ")
		return
	}
	for i, m := range o {
		inner := &Printer{Out: p.Out, Width: p.Width}
		if i > 0 {
			inner.member(m.name, m.value, indent+"  ")
			continue
		}
		var first bytes.Buffer
		inner.Out = &first
		inner.member(m.name, m.value, indent+"  ")
		fmt.Fprint(p.Out, indent+"- "+strings.TrimPrefix(first.String(), indent+"  "))
	}
}

// paragraph prints a text, wrapped between words.
func (p *Printer) paragraph(start, text, indent string) {
	line := start
	for rest := text; ; {
		word, after, more := strings.Cut(rest, " ")
		switch {
		case line == start || line == indent:
			line += word
		case p.Width > 0 && uniseg.StringWidth(line)+1+uniseg.StringWidth(word) > p.Width:
			fmt.Fprintln(p.Out, strings.TrimRight(line, " "))
			line = indent + word
		default:
			line += " " + word
		}
		if !more {
			break
		}
		rest = after
	}
	fmt.Fprintln(p.Out, strings.TrimRight(line, " "))
}
