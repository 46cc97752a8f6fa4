// Package criteria reads the eligibility text of a trial: its lists, its lines with the lines above them, and the limits in the words of a
// line. It knows no record, no argument and no person, and it never guesses: words without a clear meaning make no limit.
package criteria

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A List is the list of a line.
type List string

// The lists of criteria. Unclear are lines before any heading, and those below a heading of neither list.
const (
	Inclusion List = "inclusion"
	Exclusion List = "exclusion"
	Unclear   List = "unclear"
)

// A Line is one criterion: a bullet or a paragraph.
type Line struct {
	List       List
	No         int    // its number in the list, from 1
	Text       string // verbatim, without its bullet
	Start, End int    // bytes of the text
	Under      string // the text of the line above it that it belongs to
	indent     int
	bullet     bool
	parent     int // index among the lines, or -1
}

// Lines returns the lines of a text in their order. Each letter of the text is in a line or in the heading of a list.
func Lines(text string) []Line {
	r := &lineReader{text: text, list: Unclear, current: -1, blank: true}
	for start := 0; start < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
			end = start + i
		}
		r.read(start, end)
		start = end + 1
	}
	count := map[List]int{}
	for i := range r.all {
		l := &r.all[i]
		count[l.List]++
		l.No, l.Text = count[l.List], text[l.Start:l.End]
		if l.parent >= 0 {
			l.Under = r.all[l.parent].Text
		}
	}
	return r.all
}

type lineReader struct {
	text    string
	list    List
	all     []Line
	stack   []int // lines that may have lines below them
	current int   // the line that may go on, or -1
	blank   bool  // an empty line precedes
	headed  map[List]bool
}

// read reads one physical line.
func (r *lineReader) read(start, end int) {
	from := start
	start, end = r.trim(start, end)
	if start == end {
		r.blank = true
		return
	}
	indent := start - from + 3*strings.Count(r.text[from:start], "\t")
	for start < end {
		at, list, length := r.nextHeading(r.text[start:end])
		if begin, behind := r.trim(start, start+at); begin < behind {
			r.add(begin, behind, indent)
		}
		if length > 0 {
			r.head(list)
			if _, bare := headingOf(wordsOf(r.text[start+at : start+at+length])); !bare { // it says more: for donors
				begin, behind := r.trim(start+at, start+at+length)
				r.add(begin, behind, indent)
			}
		}
		start += at + length
	}
	r.blank = false
}

// trim returns the place of a part of the text without the space around it.
func (r *lineReader) trim(start, end int) (int, int) {
	part := strings.TrimLeftFunc(r.text[start:end], unicode.IsSpace)
	return end - len(part), end - len(part) + len(strings.TrimRightFunc(part, unicode.IsSpace))
}

// head begins a list.
func (r *lineReader) head(list List) {
	if n := len(r.all) - 1; r.headed[list] && n > 0 && r.titled(n) {
		r.all[n].List = list
	}
	if r.headed == nil {
		r.headed = map[List]bool{}
	}
	r.list, r.stack, r.current, r.blank, r.headed[list] = list, nil, -1, true, true
}

// titled reports whether the last line is the title of the next group of people: a short paragraph of its own.
func (r *lineReader) titled(n int) bool {
	l := &r.all[n]
	return !l.bullet && l.indent == 0 && l.End-l.Start <= 80 && r.all[n-1].List == l.List &&
		strings.Count(r.text[r.all[n-1].End:l.Start], "\n") > 1
}

// add adds a line, or a further part of the current one.
func (r *lineReader) add(start, end, indent int) {
	body := r.text[start:end]
	length := bulletLength(body)
	if length == 0 && r.continues(body, indent) {
		r.all[r.current].End = end
		return
	}
	l := Line{List: r.list, Start: start + length, End: end, indent: indent, bullet: length > 0, parent: -1}
	for n := len(r.stack); n > 0 && !r.holds(&r.all[r.stack[n-1]], &l); n = len(r.stack) {
		r.stack = r.stack[:n-1]
	}
	if n := len(r.stack); n > 0 {
		l.parent = r.stack[n-1]
	}
	r.all = append(r.all, l)
	r.current = len(r.all) - 1
	r.stack = append(r.stack, r.current)
}

// holds reports whether a line stands below another one: deeper, or as a bullet at the depth of a paragraph that ends in a colon.
func (r *lineReader) holds(above, l *Line) bool {
	if l.indent > above.indent {
		return true
	}
	text := r.text[above.Start:above.End]
	colon := strings.HasSuffix(text, ":") || strings.HasSuffix(text, "：")
	return l.indent == above.indent && colon && !above.bullet && l.bullet
}

// continues reports whether a physical line without a bullet belongs to the line above it.
func (r *lineReader) continues(body string, indent int) bool {
	if r.current < 0 {
		return false
	}
	above := &r.all[r.current]
	if indent > above.indent && (above.bullet || !r.blank) {
		return true
	}
	if r.blank {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(r.text[:above.End])
	first, _ := utf8.DecodeRuneInString(body)
	return unicode.IsLower(first) && !strings.ContainsRune(".;:", last)
}

// bulletLength returns the length of the bullet that a line begins with, with the spaces behind it, or 0.
func bulletLength(body string) int {
	found := len(listItem().FindString(body[:min(len(body), 24)]))
	if found == len(body) {
		return 0
	}
	return found
}

var listItem = pattern(`^(?:[*•·▪◦‣●○■□–—-][ \t\x{a0}]+|[•▪◦‣●○■□]|\(?(?:[0-9]{1,3}|[a-zA-Z]|[ivxIVX]{1,4})[.)][ \t\x{a0}]+|` +
	`[0-9]{1,2}(?:\.[0-9]{1,2})+[.)][ \t]+|[0-9]{1,2}[.)])`)

// A heading is the first part of a line, at most so many bytes.
const longestHeading = 160

// nextHeading returns the next heading of a list in a physical line, with its place and its length; without one, length is 0 and at is the
// end of the line.
func (r *lineReader) nextHeading(body string) (at int, list List, length int) {
	if list, length = r.headingAt(body); length > 0 {
		return 0, list, length
	}
	if strings.Contains(body, "clusion Criteria") || strings.Contains(body, "CLUSION CRITERIA") {
		if m := inlineHeading().FindStringSubmatchIndex(body); m != nil {
			return m[2], listNamed(body[m[2] : m[2]+2]), m[1] - m[2]
		}
	}
	return len(body), "", 0
}

// inlineHeading matches a heading behind other text, which has capitals and a colon.
var inlineHeading = pattern(`[\s.;)]((?:In|Ex)clusion Criteria|(?:IN|EX)CLUSION CRITERIA)\s*[:：]\s*`)

func listNamed(prefix string) List {
	if strings.EqualFold(prefix, "in") {
		return Inclusion
	}
	return Exclusion
}

// headingAt returns the list that a physical line is the heading of, and the length of the heading. A sentence within the list that it
// names is a line.
func (r *lineReader) headingAt(body string) (list List, length int) {
	head := body[:min(len(body), longestHeading)]
	colon := strings.IndexAny(head, ":：")
	if colon < 0 && len(head) < len(body) {
		return "", 0
	}
	lower := strings.ToLower(head)
	if !strings.Contains(lower, "clusion") && !strings.Contains(lower, "criteria") {
		return "", 0
	}
	length, rest := len(head), ""
	if colon >= 0 {
		_, size := utf8.DecodeRuneInString(head[colon:])
		head, rest = head[:colon], strings.TrimSpace(body[colon+size:])
		length = len(body) - len(strings.TrimLeftFunc(body[colon+size:], unicode.IsSpace))
	}
	bulleted := bulletLength(head)
	words := wordsOf(head[bulleted:])
	list, bare := headingOf(words)
	switch {
	case list == "", !bare && (colon < 0 || rest != "" || bulleted > 0):
		return "", 0
	case list == r.list && (len(words) > 2 || rest != "" || bulleted > 0): // announces criteria of the list
		return "", 0
	}
	return list, length
}

// wordsOf returns the words of a heading in lower case, without words in parentheses.
func wordsOf(head string) (words []string) {
	if i := strings.IndexByte(head, '('); i > 0 {
		head = head[:i]
	}
	return strings.FieldsFunc(strings.ToLower(head), func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '-' && c != '\''
	})
}

// headingOf returns the list that words are the heading of, or "". A bare heading has no other words.
func headingOf(words []string) (list List, bare bool) {
	roles := headingRoles(words)
	has := func(role string) bool { return slices.Contains(roles, role) }
	bare = namesLists(roles)
	in, out, other := has("inclusion"), has("exclusion"), has("other")
	switch {
	case len(words) > 16 || has("negation") || in && out && has("sentence"):
		return "", false
	case in && out:
		return Unclear, bare
	case out:
		return Exclusion, bare && !other
	case in:
		return Inclusion, bare && !other
	case other && bare && has("criteria"):
		return Unclear, true
	}
	return "", false
}

// headingRoles returns the roles of the words of a heading; "": a word without one.
func headingRoles(words []string) (roles []string) {
	for i, w := range words {
		role := tables().heading[strings.Trim(w, "-")]
		if role == "inclusion" && i > 0 && words[i-1] == "non" {
			role = "exclusion"
		}
		roles = append(roles, role)
	}
	return roles
}

// namesLists reports whether all words of a heading have the role to name lists; the first may also name another list: Other criteria.
func namesLists(roles []string) bool {
	if len(roles) > 0 && roles[0] == "other" {
		roles = roles[1:]
	}
	return !slices.ContainsFunc(roles, func(role string) bool {
		return !slices.Contains([]string{"criteria", "inclusion", "exclusion", "part"}, role)
	})
}
