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
	slashed bool // a slash precedes it: tumor/cancer
	shared  bool // words before or behind it may be a demand on it too: uncontrolled diabetes or hypertension
}

// An aside has the measures in a pair of parentheses, and the connectors between them.
type aside struct {
	groups []int
	joints []string
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
	fresh   bool     // a clause begins
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
			s.opened = true
			r.conditional = r.conditional || i+1 < len(words) && words[i+1] == "or" // another way to meet the line
		default:
			s.add(words[i], i)
		}
	}
	s.finish()
	r.timed = slices.ContainsFunc(words, func(w string) bool { return is(w, "time") }) ||
		slices.ContainsFunc(r.groups, func(g []criteria.Limit) bool { return g[0].What == "window" || g[0].What == "duration" })
	negate(s.parts)
	share(s.parts)
	for i := len(s.parts) - 1; i > 0; i-- {
		p, before := &s.parts[i], &s.parts[i-1]
		if n := len(p.groups); len(before.groups) == 0 && n > 0 && r.groups[p.groups[n-1]][0].What == "window" { // stroke or TIA within 6 months
			before.groups = p.groups[n-1:]
		}
		if p.join == "," && slices.ContainsFunc(p.words, func(w string) bool { return is(w, "relative") }) { // asthma, which is not stable
			p.join = "and"
		}
		if r.describes(p, before) {
			before.words, before.groups = append(before.words, p.words...), append(before.groups, p.groups...)
			s.parts = slices.Delete(s.parts, i, i+1)
		}
	}
	return s.parts
}

// describes reports whether a part says how or when the measure of the part before it is taken: LVEF < 40 %, as determined by MRI.
func (r *reading) describes(p, before *part) bool {
	timed := func(g int) bool { return r.groups[g][0].What == "window" || r.groups[g][0].What == "duration" }
	other := func(w string) bool { return w != mark && !is(w, "filler", "method", "beside-window") }
	measures := slices.ContainsFunc(before.groups, func(g int) bool { return !timed(g) })
	untimed := func(g int) bool { return !timed(g) }
	return measures && !p.negated && !slices.ContainsFunc(p.words, other) && !slices.ContainsFunc(p.groups, untimed)
}

// skipped returns the word behind words that ask for nothing: an acronym in parentheses, "with or without asthma". It notes the words that
// announce examples.
func (s *splitter) skipped(i int) int {
	follows := func(words ...string) bool {
		return i+len(words) <= len(s.words) && slices.Equal(s.words[i:i+len(words)], words)
	}
	switch w := s.words[i]; {
	case (w == "(" || w == "[") && i+2 < len(s.words) && (s.words[i+2] == ")" || s.words[i+2] == "]") && s.words[i+1] != mark:
		return i + 3
	case follows("with", "or", "without"):
		for i += 3; i < len(s.words) && connectors[s.words[i]] == "" && s.words[i] != mark && s.words[i] != "("; i++ {
		}
	case s.depth == 0 && follows("such", "as"):
		return s.examples(i + 2)
	case s.depth == 0 && follows("e", ".", "g", "."):
		return s.examples(i + 4)
	}
	return i
}

// examples begins a part of examples behind a word, and returns the word.
func (s *splitter) examples(behind int) int {
	s.finish()
	s.join, s.example = cmp.Or(s.join, ","), true
	return behind
}

// finish ends a part, unless it has only fillers.
func (s *splitter) finish() {
	if p := s.current; slices.ContainsFunc(p.words, func(w string) bool { return !is(w, "filler") }) || p.inner {
		if s.fresh {
			s.example = false
		}
		p.join, p.fresh, p.slashed, p.shared = s.join, s.fresh, s.slashed, s.example
		s.parts, s.join, s.fresh = append(s.parts, p), "", false
	}
	s.current = part{}
}

// share marks the parts of a list to which words of another part may apply: "uncontrolled A or B", "surgery for A or B", "A or other
// diseases with B".
func share(parts []part) {
	modifies := func(p part) bool {
		return slices.ContainsFunc(p.words, func(w string) bool { return is(w, "spreads") })
	}
	modified, carried := false, false
	for i := range parts {
		p := &parts[i]
		if p.fresh || p.join == "and" {
			carried = false
			modified = modified && !p.fresh
		}
		p.shared = p.shared || carried || modified && !modifies(*p)
		p.shared = p.shared || p.slashed && i > 0 && len(named(p.words, false).words) == 1 && len(named(parts[i-1].words, false).words) > 1
		for n, w := range p.words {
			carried = carried || is(w, "carries") && n > 0 && n+1 < len(p.words) && p.words[n+1] != mark
		}
		modified = modifies(*p) && !slices.ContainsFunc(parts[i+1:], modifies) || modified && !modifies(*p)
	}
	for i := len(parts) - 1; i > 0; i-- {
		p := &parts[i]
		asks := len(p.groups) > 0 || slices.ContainsFunc(p.words, func(w string) bool { return is(w, "restricts") })
		if asks && slices.ContainsFunc(p.words, func(w string) bool { return w == "other" || w == "another" }) ||
			slices.Index(p.words, "without") > 0 {
			for j := i; j > 0 && !parts[j].fresh; j-- {
				parts[j-1].shared = true
			}
		}
	}
}

// add adds a word to the current part.
func (s *splitter) add(w string, i int) {
	switch {
	case w == mark:
		s.mark()
	case w == ")" || w == "]":
		s.depth = max(0, s.depth-1)
	case s.depth > 0 && !is(w, "conditional"):
		s.current.inner = s.current.inner || !is(w, "filler")
		if connectors[w] != "" {
			s.joints = append(s.joints, connectors[w])
		}
	case (w == ":" || is(w, "defines")) && len(s.current.groups) == 0 && slices.Contains(s.words[i:], mark):
		s.dropTitle()
	case connectors[w] != "":
		s.finish()
		if connectors[w] != "," || s.join == "" {
			s.join = connectors[w]
		}
		s.fresh, s.slashed = s.fresh || strings.Contains(";.:", w), w == "/"
	default:
		s.note(w)
		s.current.words = append(s.current.words, w)
	}
}

// mark adds a mark to the current part.
func (s *splitter) mark() {
	p := &s.current
	if what := s.reading.groups[s.groups][0].What; s.depth > 0 && what != "window" && what != "duration" {
		if s.opened || len(p.asides) == 0 {
			p.asides, s.joints = append(p.asides, aside{}), nil
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
	if last := len(s.parts) - 1; len(s.current.words) == 0 && s.join == "," && len(s.parts[last].groups) == 0 {
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
