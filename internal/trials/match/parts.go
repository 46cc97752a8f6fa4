package match

import (
	"cmp"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/criteria"
)

// A part is a run of words between connectors.
type part struct {
	join    string // before it: and, or, or a comma
	words   []string
	groups  []int
	asides  []aside
	negated bool
	inner   bool // it has words in parentheses
	fresh   bool // it begins a sentence or a clause
	begins  bool // it begins a sentence, or follows a title
	slashed bool // a slash precedes it: tumor/cancer
	shared  bool // words before or behind it may be a demand on it too: uncontrolled diabetes or hypertension
	timed   bool // words before it may be a time of it too: within 3 months of stroke or surgery
	organs  bool // it, or words behind it, name a disease: heart or lung disease
	aimed   bool // words behind it may say of its treatment: surgery or radiotherapy for cancer
	tested  bool // in the inclusion criteria, words behind it may make it a test: HIV and hepatitis B tests are done
}

// An aside has the measures in a pair of parentheses, and the connectors between them.
type aside struct {
	groups []int
	joints []string
	open   bool // other things are listed too
	listed bool // before the first measure
}

// A splitter splits the words of a line at connectors.
type splitter struct {
	*reading
	words   []string
	parts   []part
	current part
	groups  int      // marks so far
	depth   int      // of parentheses
	join    string   // the connector before the current part
	joints  []string // connectors in parentheses since the last mark
	opened  bool     // no mark was seen since the parenthesis
	beside  bool     // in parentheses, words were seen since the last connector
	fresh   bool     // a clause begins
	begins  bool     // a sentence begins
	slashed bool
	example bool // examples follow: such as, e.g.
}

// parts splits words at connectors. It notes words that make a line depend on something else, and the sexes that it names.
func (r *reading) parts(words []string) []part {
	s := &splitter{reading: r, words: words}
	for i := 0; i < len(words); i++ {
		switch next := s.skipped(i); {
		case next > i:
			i = next - 1
		case words[i] == "(" || words[i] == "[":
			s.depth++
			s.opened, s.joints, s.beside = true, nil, false
			r.conditional = r.conditional || i+1 < len(words) && words[i+1] == "or" // another way to meet the line
		default:
			s.add(words[i], i)
		}
	}
	s.finish()
	r.timed = anyIs(words, "time") || slices.ContainsFunc(r.groups, func(g []criteria.Limit) bool { return timed(g) })
	negate(s.parts)
	r.share(s.parts)
	r.time(s.parts)
	return r.settle(s.parts)
}

// time marks the parts to which a time before them may apply.
func (r *reading) time(parts []part) {
	for i := 1; i < len(parts); i++ {
		p, before := &parts[i], &parts[i-1]
		begins := len(before.groups) > 0 && before.words[0] == mark && timed(r.groups[before.groups[0]])
		p.timed = p.join != "and" && (before.timed || begins) || begins && p.fresh
	}
}

// timed reports whether limits are a time.
func timed(group []criteria.Limit) bool {
	return group[0].What == "window" || group[0].What == "duration"
}

// settle gives parts what the part behind them says of them too.
func (r *reading) settle(parts []part) []part {
	for i := len(parts) - 1; i > 0; i-- {
		p, before := &parts[i], &parts[i-1]
		if n := len(p.groups); len(before.groups) == 0 && n > 0 && r.groups[p.groups[n-1]][0].What == "window" {
			// stroke or TIA within 6 months
			before.groups = p.groups[n-1:]
		}
		if p.join != "or" && r.exclusive(p, before) { // < 18 and > 70 years; men, women
			p.join = "or"
		}
		begins := func(w string) bool { return slices.Index(p.words, w) == 0 }
		if p.join == "," && (anyIs(p.words, "relative") || begins("who") || begins("with")) { // asthma, which is not stable
			p.join = "and"
		}
		if words := named(p.words, false).words; len(words) == 2 && words[0] == "type" && p.join == "," {
			before.words = append(slices.Clone(p.words), before.words...) // diabetes, type 1
			parts = slices.Delete(parts, i, i+1)
			continue
		}
		if r.describes(p, before) {
			before.words, before.groups = append(before.words, p.words...), append(before.groups, p.groups...)
			parts = slices.Delete(parts, i, i+1)
		}
	}
	return parts
}

// exclusive reports whether two parts are limits of one measure of which no person can meet both.
func (r *reading) exclusive(p, before *part) bool {
	if len(p.groups) != 1 || len(before.groups) != 1 || p.negated != before.negated {
		return false
	}
	a, b := &r.groups[p.groups[0]][0], &r.groups[before.groups[0]][0]
	switch {
	case a.What != b.What || a.Name != b.Name:
		return false
	case len(a.Values) > 0 && len(b.Values) > 0: // male, female; class II and class III
		return !slices.ContainsFunc(a.Values, func(v string) bool { return slices.Contains(b.Values, v) })
	}
	return above(a, b) || above(b, a)
}

// above reports whether a limit with a low end alone begins above another one with a high end alone.
func above(a, b *criteria.Limit) bool {
	if a.Low == nil || a.High != nil || b.High == nil || b.Low != nil {
		return false
	}
	low, ok := criteria.Convert(a.What, *a.Low, a.Unit, b.Unit)
	return ok && low > *b.High
}

// describes reports whether a part says how or when the measure of the part before it is taken: LVEF < 40 %, as determined by MRI.
func (r *reading) describes(p, before *part) bool {
	other := func(w string) bool { return w != mark && !is(w, "filler", "method", "beside-window") }
	measured := func(g int) bool { return !timed(r.groups[g]) }
	return slices.ContainsFunc(before.groups, measured) && !p.negated && !slices.ContainsFunc(p.words, other) &&
		!slices.ContainsFunc(p.groups, measured)
}

// skipped returns the word behind words that ask for nothing: an acronym in parentheses, "with or without asthma". It notes the words that
// announce examples.
func (s *splitter) skipped(i int) int {
	follows := func(words ...string) bool {
		return i+len(words) <= len(s.words) && slices.Equal(s.words[i:i+len(words)], words)
	}
	switch {
	case s.acronym(i):
		return i + 3
	case s.betweenKinds(i):
		return i + 1
	case follows("with", "or", "without"):
		for i += 3; i < len(s.words) && connectors[s.words[i]] == "" && s.words[i] != mark && s.words[i] != "("; i++ {
		}
	case s.depth > 0 && follows("e", ".", "g", "."), follows("i", ".", "e", "."):
		return i + 4
	}
	for _, words := range [][]string{{"such", "as"}, {"including"}, {"e", ".", "g", "."}} {
		if s.depth == 0 && follows(words...) {
			return s.examples(i + len(words))
		}
	}
	return i
}

// betweenKinds reports whether a connector joins words for kinds of people: of any race or gender, of any sex or any race.
func (s *splitter) betweenKinds(i int) bool {
	if i == 0 || connectors[s.words[i]] == "" || !is(s.words[i-1], "kind") {
		return false
	}
	if i++; i+1 < len(s.words) && s.words[i] == "any" {
		i++
	}
	return i < len(s.words) && is(s.words[i], "kind")
}

// acronym reports whether one word in parentheses begins at a word.
func (s *splitter) acronym(i int) bool {
	if i+2 >= len(s.words) || s.words[i+1] == mark || len(s.words[i+1]) > 7 || is(s.words[i+1], "narrow", "current", "restricts") {
		return false
	}
	return (s.words[i] == "(" || s.words[i] == "[") && (s.words[i+2] == ")" || s.words[i+2] == "]")
}

// examples begins a part of examples behind a word, and returns the word.
func (s *splitter) examples(behind int) int {
	s.finish()
	s.join, s.example = cmp.Or(s.join, ","), true
	return behind
}

// finish ends a part, unless it has only fillers.
func (s *splitter) finish() {
	if p := s.current; p.inner || slices.ContainsFunc(p.words, func(w string) bool { return !is(w, "filler") }) {
		if s.fresh {
			s.example = false
		}
		p.join, p.fresh, p.begins, p.slashed, p.shared = s.join, s.fresh, s.begins && s.join == ",", s.slashed, s.example
		s.conditional = s.conditional || p.fresh && ofGroup(p.words)
		s.parts, s.join, s.fresh, s.begins = append(s.parts, p), "", false, false
	}
	s.current = part{}
}

// add adds a word to the current part.
func (s *splitter) add(w string, i int) {
	joint := connectors[w]
	switch {
	case w == mark:
		s.mark()
	case w == ")" || w == "]":
		s.closeAside()
	case s.depth > 0 && !is(w, "conditional"):
		s.current.inner, s.beside = s.current.inner || !is(w, "filler"), joint == "" && (s.beside || !is(w, "filler"))
		s.joints = append(s.joints, joint)
	case s.title(w, i):
		s.dropTitle()
	case joint != "":
		s.connect(w, joint)
	case w == "only" && i > 0 && sexOf(s.words[i-1]) != "": // women only
		s.note(s.words[i-1])
	default:
		s.note(w)
		s.current.words = append(s.current.words, w)
	}
}

// title reports whether a word ends a title, which asks for nothing. A title with a group of people makes the line depend on it.
func (s *splitter) title(w string, i int) bool {
	if len(s.current.groups) > 0 || w != ":" && !is(w, "defines") {
		return false
	}
	s.conditional = s.conditional || w == ":" && anyIs(s.current.words, "group")
	return w == ":" && anyIs(s.current.words, "any") || slices.Contains(s.words[i:], mark)
}

// closeAside ends parentheses.
func (s *splitter) closeAside() {
	if s.depth == 0 {
		s.dropNumber()
	}
	if n := len(s.current.asides); n > 0 && s.depth > 0 && !s.opened {
		s.current.asides[n-1].open = s.current.asides[n-1].open || s.current.inner && s.joined()
	}
	s.depth = max(0, s.depth-1)
}

// dropNumber drops a part that is the number of an item.
func (s *splitter) dropNumber() {
	words := s.current.words
	if len(words) == 1 && words[0] != mark && (len(words[0]) == 1 || strings.Trim(words[0], "ivx0123456789") == "") {
		s.current = part{}
	}
}

// joined reports whether the parentheses have a connector behind the last mark.
func (s *splitter) joined() bool {
	return slices.ContainsFunc(s.joints, func(joint string) bool { return joint != "" })
}

// connect ends a part at a connector. The number of an item is no part.
func (s *splitter) connect(w, joint string) {
	if w == "." {
		s.dropNumber()
	}
	s.finish()
	if joint != "," || s.join == "" {
		s.join = joint
	}
	s.fresh, s.begins, s.slashed = s.fresh || strings.Contains(";.:", w), s.begins || strings.Contains(".:", w), w == "/"
}

// mark adds a mark to the current part.
func (s *splitter) mark() {
	p := &s.current
	if s.depth > 0 && !timed(s.reading.groups[s.groups]) {
		if s.opened || len(p.asides) == 0 {
			open := p.inner && s.joined()
			listed := open && (s.beside || slices.Contains(s.joints, "or"))
			p.asides, s.joints = append(p.asides, aside{open: open, listed: listed}), nil
		}
		a := &p.asides[len(p.asides)-1]
		a.groups, a.joints = append(a.groups, s.groups), append(a.joints, s.joints...)
		s.joints, s.opened = nil, false
	}
	p.groups, p.words = append(p.groups, s.groups), append(p.words, mark)
	s.groups++
}

// dropTitle drops the words before the limits that say what they mean: impaired renal function, defined as.
func (s *splitter) dropTitle() {
	if last := len(s.parts) - 1; last >= 0 && len(s.current.words) == 0 && s.join == "," && len(s.parts[last].groups) == 0 {
		s.parts = s.parts[:last]
	}
	s.current = part{}
}

// connectors maps the words and marks that join parts to their meaning.
var connectors = map[string]string{"and": "and", "or": "or", "/": "or", "and/or": "or", ",": ",", ";": ",", ".": ",", ":": ","}

// note notes a word that makes the line depend on something else, or that names a sex.
func (r *reading) note(word string) {
	r.conditional = r.conditional || is(word, "conditional")
	r.refused = r.refused || is(word, "refused")
	switch word {
	case "excluded", "exclude": // no sailor will be excluded for
		r.conditional = r.conditional || r.line.List == criteria.Inclusion
	case "female", "females", "women", "woman", "girls":
		r.sexes["female"] = true
	case "male", "males", "men", "man", "boys":
		r.sexes["male"] = true
	}
}

// negate marks the parts that begin with a negation, and those that "or" or a comma joins to them: no A, B or C.
func negate(parts []part) {
	for i := range parts {
		p := &parts[i]
		for n, w := range p.words {
			if is(w, "negation") && (n == 0 || is(p.words[n-1], "filler", "negation")) {
				p.negated = !p.negated
			}
			if !is(w, "negation", "filler") {
				break
			}
		}
		p.words = slices.DeleteFunc(p.words, func(w string) bool { return p.negated && is(w, "negation") })
		if i > 0 && !p.negated && parts[i-1].negated && p.join != "and" {
			p.negated = true
		}
	}
}
