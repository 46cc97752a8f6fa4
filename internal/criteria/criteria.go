// Package criteria reads the eligibility text of a trial: its lists, its lines with their parents, and the limits that a line sets. It
// knows no record, no argument and no person, and it never guesses: words without a clear meaning make no limit.
package criteria

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Role says what a line may decide about a trial.
type Role int

const (
	// Decides is the role of most lines: a failing line of the inclusion criteria, or a line of the exclusion criteria that holds, blocks.
	Decides Role = iota
	// Alternative is the role of lines of which one is enough, so that a failing one does not block.
	Alternative
	// Joint is the role of an exclusion of which all lines must hold, so that a single one does not block.
	Joint
	// Conditional is the role of a line for some people only, or is negated by its parent.
	Conditional
)

// A Line is one criterion.
type Line struct {
	List       List
	Role       Role
	Text       string // verbatim
	Start, End int    // bytes of the text
	Under      string // the line that announces it
}

// A parent is a line that may announce the lines below it.
type parent struct {
	indent    int
	marker    byte // of its bullet: * for any mark, 1 for numbers, 0 without
	text      string
	role      Role
	announces bool
	line      int // its number among the lines
}

// Lines returns the lines of a text in their order, without headings and without parents that only announce other lines.
func Lines(text string) []Line {
	lines := strings.Split(text, "\n")
	r := &lineReader{text: text, skip: map[int]bool{}}
	for start, i := 0, 0; i < len(lines); i++ {
		r.starts = append(r.starts, start)
		start += len(lines[i]) + 1
	}
	parts := sections(lines)
	if parts == nil {
		r.readAll(lines, 0, len(lines), Unclear)
		return r.finish()
	}
	at := 0
	for _, s := range parts {
		r.base = Decides
		r.readAll(lines, at, s.start-1, Unclear)
		if len(parts) > 2 && len(s.titles) > 0 {
			r.base = Conditional
		}
		at = s.start + len(s.lines)
		r.readAll(lines, s.start, at, s.list)
	}
	return r.finish()
}

type lineReader struct {
	text    string
	list    List
	base    Role
	starts  []int // bytes of the physical lines
	all     []Line
	skip    map[int]bool // lines that only announce
	stack   []parent
	current int // number of the line that may continue
}

// readAll reads the physical lines of one list.
func (r *lineReader) readAll(lines []string, from, to int, list List) {
	r.list, r.stack, r.current = list, nil, -1
	blank := true
	for i := from; i < to; i++ {
		line := strings.TrimRightFunc(lines[i], unicode.IsSpace)
		body := strings.TrimLeftFunc(line, unicode.IsSpace)
		if body != "" {
			indent := len(line) - len(body)
			r.readLine(body, indent, r.starts[i]+indent, blank)
		}
		blank = body == ""
	}
}

// readLine reads one physical line without its indentation.
func (r *lineReader) readLine(body string, indent, start int, blank bool) {
	marker, length := markerOf(body)
	if marker == 0 && !blank && r.current >= 0 && r.continues(body, indent) {
		r.all[r.current].End = start + len(body)
		r.all[r.current].Text = r.text[r.all[r.current].Start:r.all[r.current].End]
		return
	}
	for len(r.stack) > 0 && !r.stack[len(r.stack)-1].holds(indent, marker) {
		r.stack = r.stack[:len(r.stack)-1]
	}
	text := body[length:]
	l := Line{List: r.list, Role: r.base, Text: text, Start: start + length, End: start + len(body)}
	if len(r.stack) > 0 {
		top := &r.stack[len(r.stack)-1]
		l.Under, l.Role = top.text, top.role
		if top.announces {
			r.announced(top.line)
		}
	}
	r.all = append(r.all, l)
	r.current = len(r.all) - 1
	role, says := roleOf(text, r.list)
	if role != Conditional && l.Role != Decides || !says && len(r.stack) > 0 { // a title below "adequate organ function" says nothing new
		role = l.Role
	}
	r.stack = append(r.stack, parent{indent: indent, marker: marker, text: text, role: role, announces: announces(text), line: r.current})
}

// announced leaves out a line that announces others, unless it sets limits too. Such a line does not block: it may be for some people.
func (r *lineReader) announced(line int) {
	l := &r.all[line]
	if _, done := r.skip[line]; done {
		return
	}
	measured := func(l Limit) bool {
		return l.What != "other" && l.What != "sex" && (l.Low != nil || l.High != nil || l.Values != nil)
	}
	r.skip[line] = !slices.ContainsFunc(Limits(l.Text), measured)
	if role, _ := roleOf(l.Text, l.List); role == Conditional || l.Role == Conditional {
		l.Role = Conditional
	} else {
		l.Role = Alternative
	}
}

// holds reports whether a line with an indentation and a bullet stands below a parent. A paragraph that announces items has those at its
// own depth too.
func (p *parent) holds(indent int, marker byte) bool {
	if indent > p.indent {
		return marker != 0 || p.marker != 0
	}
	return indent == p.indent && p.announces && marker != 0 && marker != p.marker && (p.marker == 0 || p.marker == '1')
}

// continues reports whether a physical line without a bullet continues the line above it.
func (r *lineReader) continues(body string, indent int) bool {
	above := r.all[r.current].Text
	last, _ := utf8.DecodeLastRuneInString(above)
	first, _ := utf8.DecodeRuneInString(body)
	if strings.ContainsRune(".;:", last) {
		return false
	}
	return unicode.IsLower(first) || len(r.stack) > 0 && indent > r.stack[len(r.stack)-1].indent && r.stack[len(r.stack)-1].marker != 0
}

// finish returns the lines, without those that only announce others.
func (r *lineReader) finish() []Line {
	var lines []Line
	for i, l := range r.all {
		if !r.skip[i] {
			lines = append(lines, l)
		}
	}
	return lines
}

// markerOf returns the kind of a line's bullet and its length.
func markerOf(body string) (marker byte, length int) {
	if found := listItem().FindString(body); found != "" {
		marker = '*'
		if c := found[0]; c == '(' || c < 0x80 && (unicode.IsDigit(rune(c)) || unicode.IsLetter(rune(c))) {
			marker = '1'
		}
		return marker, len(found) + len(body[len(found):]) - len(strings.TrimLeft(body[len(found):], " \t"))
	}
	return 0, 0
}

// announces reports whether a line ends as those that announce others.
func announces(text string) bool {
	text = strings.ToLower(strings.TrimRight(text, " .*"))
	return strings.HasSuffix(text, ":") || strings.HasSuffix(text, "：") || strings.HasSuffix(text, "following") ||
		strings.HasSuffix(text, "criteria") && strings.Contains(text, "following")
}

// roleOf returns what the lines below a parent may decide, and whether its words say so.
func roleOf(text string, list List) (role Role, says bool) {
	tokens := lex(text[:min(len(text), 600)])
	t, framing := tables(), ""
	has := func(role string) bool { return t.has(tokens, role, framing) }
	frame := has("frame")
	if frame { // words that do not count: excluded if, not eligible if
		framing = map[List]string{Inclusion: "if", Exclusion: "if not no none must meet meets"}[list]
	}
	anyOf, allOf := has("any-of"), has("all-of")
	switch {
	case len(tokens) > 0 && t.is(tokens, 0, "some-people"), has("group"), has("parent-not"):
		return Conditional, true
	case list == Exclusion && (anyOf || frame && !allOf), list == Inclusion && allOf && !anyOf:
		return Decides, true
	case allOf && !anyOf:
		return Joint, true
	}
	return Alternative, anyOf
}

// Limits returns the limits of a line, with the bytes of the text at which they stand.
func (l *Line) Limits() []Limit {
	limits := Limits(l.Text)
	for i := range limits {
		limits[i].Begin += l.Start
		limits[i].Start += l.Start
		limits[i].End += l.Start
	}
	return limits
}
