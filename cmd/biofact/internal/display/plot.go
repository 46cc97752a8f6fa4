package display

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"
)

const (
	// plotWidth is the width of a plot that does not go to a terminal.
	plotWidth = 80
	// minBar is the minimum width of the longest bar, if the labels can be cut.
	minBar = 10
)

// A bar is one line of a plot.
type bar struct {
	label string
	count int
	text  string // the count as written in the answer
	rest  bool   // not a group: it gets no bar
}

// Plot draws the groups of an answer as bars, followed by the other members of the answer.
func (p *Printer) Plot(answered Answer) {
	answer := answered.envelope
	bars := barsOf(answer, "", p.By)
	p.bars(bars)
	if len(bars) > 0 {
		fmt.Fprintln(p.Out)
	}
	p.record(answer, append([]string{"notices", "next", "pagination"}, groupMembers...)...)
	p.lines(p.below(answer, len(bars), false))
}

// restOf returns what the groups of an answer or of a group leave out, as groups with a name in parentheses, which no value has.
func restOf(o object) (rest []object) {
	add := func(name string, count any) {
		if number := oneLine(count); number != "" && number != "0" {
			rest = append(rest, object{{Name: "value", Value: "(" + name + ")"}, {Name: "count", Value: count}})
		}
	}
	add(strings.TrimSuffix("others: "+oneLine(o.Get("others.values")), ": "), o.Get("others.count"))
	add("others", o.Get("otherValues"))
	add("without a value", o.Get("without_value"))
	return rest
}

// barsOf returns a line for each group of an answer or of a group, followed by lines for its nested groups, and lines for the trials
// that they leave out. A year without a group between two years has a line too. by are the fields whose values the groups have.
func barsOf(o object, indent string, by []string) (bars []bar) {
	field, nested := "", []string(nil)
	if len(by) > 0 {
		field, nested = by[0], by[1:]
	}
	before := ""
	for _, g := range groupsOf(o) {
		label := labelOf(g)
		if isYear(before) && isYear(label) {
			year, _ := strconv.Atoi(before)
			for year++; strconv.Itoa(year) < label; year++ {
				bars = append(bars, bar{label: indent + strconv.Itoa(year), text: "0"})
			}
		}
		before = label
		line := barOf(g, indent)
		line.label = indent + words(field, label)
		bars = append(append(bars, line), barsOf(g, indent+"  ", nested)...)
	}
	for _, g := range restOf(o) {
		line := barOf(g, indent)
		line.rest = true
		bars = append(bars, line)
	}
	return bars
}

func barOf(group object, indent string) bar {
	text := oneLine(group.Get("count"))
	n, _ := strconv.Atoi(text) // other texts get no bar
	return bar{label: indent + labelOf(group), count: n, text: text}
}

// labelOf returns the label of a group: its first member that is not a count.
func labelOf(group object) string {
	for _, m := range group {
		if m.Name != "count" {
			return oneLine(m.Value)
		}
	}
	return ""
}

func isYear(text string) bool {
	return len(text) == 4 && strings.Trim(text, "0123456789") == ""
}

// bars prints labels, counts and bars in columns. The longest bar takes the remaining width, and each count above zero has a visible
// bar.
func (p *Printer) bars(bars []bar) {
	label, number, most := 0, 0, 0
	for _, b := range bars {
		label, number = max(label, uniseg.StringWidth(b.label)), max(number, len(b.text))
		if !b.rest {
			most = max(most, b.count)
		}
	}
	width := cmp.Or(p.Width, plotWidth)
	label = min(label, max(minBar, width-number-2*len(gap)-max(minBar, width/2)))
	room := max(1, width-label-number-2*len(gap))
	for _, b := range bars {
		text := cut(b.label, label)
		line := text + strings.Repeat(" ", label-uniseg.StringWidth(text)) + gap + strings.Repeat(" ", number-len(b.text)) + b.text + gap
		if !b.rest {
			line += drawn(b.count, most, room)
		}
		fmt.Fprintln(p.Out, strings.TrimRight(line, " "))
	}
}

// drawn draws a bar in eighths of a column.
func drawn(count, most, room int) string {
	const eighths = "▏▎▍▌▋▊▉"
	if count <= 0 {
		return ""
	}
	length := max(1, count*room*8/most)
	line := strings.Repeat("█", length/8)
	if rest := length % 8; rest > 0 {
		line += string([]rune(eighths)[rest-1])
	}
	return line
}
