package display

import (
	"fmt"
	"io"
	"strings"

	"github.com/rivo/uniseg"
)

// A Printer prints answers for people.
type Printer struct {
	// Out is the output. Write errors are ignored.
	Out io.Writer
	// Width is the maximum number of columns of a line; 0: nothing is cut or wrapped.
	Width int
	// Color reports whether the output shows colours.
	Color bool
	// By are the fields whose values the groups of a count have, from the outer to the inner.
	By []string
	// Note rewrites a notice before it is printed; nil: notices are printed as they are.
	Note func(string) string

	groups map[string]string // names of the groups of the results that are printed, by number
}

// bold marks a text on a terminal with colours.
func (p *Printer) bold(text string) string {
	if !p.Color || strings.TrimSpace(text) == "" {
		return text
	}
	return "\x1b[1m" + text + "\x1b[0m"
}

// Text prints a text under its name, wrapped and indented.
func (p *Printer) Text(name, text string) {
	indent := name[:len(name)-len(strings.TrimLeft(name, " "))]
	fmt.Fprintln(p.Out, indent+p.bold(strings.TrimSpace(name)))
	p.paragraph(indent+"  ", text, indent+"  ")
}

// lines prints lines, wrapped between words.
func (p *Printer) lines(lines []string) {
	for _, line := range lines {
		p.Line(line)
	}
}

// Line prints a text, wrapped between words.
func (p *Printer) Line(text string) { p.paragraph("", text, "  ") }

// paragraph prints a text, wrapped between words.
func (p *Printer) paragraph(start, text, indent string) {
	for i, line := range wrapped(text, p.Width, width(start), width(indent)) {
		if i > 0 {
			start = indent
		}
		fmt.Fprintln(p.Out, strings.TrimRight(start+line, " "))
	}
}

// wrapped breaks a text between words: the first line begins in column first, the others in column next. A limit of 0 breaks nothing.
func wrapped(text string, limit, first, next int) (lines []string) {
	line, room := "", limit-first
	for _, word := range strings.Split(text, " ") {
		switch {
		case line == "":
			line = word
		case limit > 0 && width(line)+1+width(word) > room:
			lines, line, room = append(lines, line), word, limit-next
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}

// width returns the number of columns of a text on a terminal, without marks for colours.
func width(text string) int {
	return uniseg.StringWidth(strings.NewReplacer("\x1b[1m", "", "\x1b[0m", "").Replace(text))
}
