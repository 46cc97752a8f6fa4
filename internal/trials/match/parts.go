package match

import "slices"

// A part is a run of words between connectors.
type part struct {
	join    string // before it: and, or, or a comma
	words   []string
	groups  []int
	negated bool
	inner   bool // it has words in parentheses
}

// A splitter splits the words of a line at connectors.
type splitter struct {
	*reading
	words   []string
	parts   []part
	current part
	groups  int    // marks so far
	depth   int    // of parentheses
	join    string // the connector before the current part
}

// parts splits words at connectors. It notes words that make a line depend on something else, and the sexes that it names.
func (r *reading) parts(words []string) []part {
	s := &splitter{reading: r, words: words}
	for i := 0; i < len(words); i++ {
		w := words[i]
		if opens := w == "(" || w == "["; opens && i+2 < len(words) && (words[i+2] == ")" || words[i+2] == "]") && words[i+1] != mark {
			i += 2 // an acronym
			continue
		} else if opens {
			s.depth++
			continue
		}
		s.add(w, i)
	}
	s.finish()
	negate(s.parts)
	for i := len(s.parts) - 1; i > 0; i-- {
		p, before := &s.parts[i], &s.parts[i-1]
		if len(before.groups) == 0 && len(p.groups) == 1 && r.groups[p.groups[0]][0].What == "window" { // stroke or TIA within 6 months
			before.groups = p.groups
		}
		if p.join == "," && slices.ContainsFunc(p.words, func(w string) bool { return is(w, "relative") }) { // asthma, which is not stable
			p.join = "and"
		}
	}
	return s.parts
}

// finish ends a part, unless it has only fillers.
func (s *splitter) finish() {
	if slices.ContainsFunc(s.current.words, func(w string) bool { return !is(w, "filler") }) || s.current.inner {
		s.current.join = s.join
		s.parts, s.join = append(s.parts, s.current), ""
	}
	s.current = part{}
}

// add adds a word to the current part.
func (s *splitter) add(w string, i int) {
	switch {
	case w == mark:
		s.current.groups = append(s.current.groups, s.groups)
		s.current.words = append(s.current.words, w)
		s.groups++
	case w == ")" || w == "]":
		s.depth = max(0, s.depth-1)
	case s.depth > 0 && !is(w, "conditional"):
		s.current.inner = s.current.inner || !is(w, "filler")
	case (w == ":" || is(w, "defines")) && len(s.current.groups) == 0 && slices.Contains(s.words[i:], mark):
		s.dropTitle()
	case connectors[w] != "":
		s.finish()
		if connectors[w] != "," || s.join == "" {
			s.join = connectors[w]
		}
	default:
		s.note(w)
		s.current.words = append(s.current.words, w)
	}
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
