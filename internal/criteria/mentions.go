package criteria

import (
	"slices"
	"strings"
)

// survey finds the clauses and the mentions of a line.
func (r *reader) survey() {
	n := len(r.tokens)
	r.clause, r.mentions, r.last = make([]int, n), make([]*mention, n), make([]int, n)
	r.phrases, r.units, r.unitEnds = make([][]found, n), make([]*unit, n), make([]int, n)
	for i := range r.tokens {
		r.phrases[i] = r.t.words.at(r.tokens, i)
	}
	number := 0
	for i := range r.tokens {
		r.clause[i] = number
		if r.endsClause(i) {
			number++
		}
		r.people = r.people || r.is(i, "people")
	}
	r.opens = r.opensClause()
	for i := 0; i < n; {
		m, to := r.findMention(i)
		r.mentions[i] = m
		i = to
	}
	last := -1
	for i := range r.tokens {
		if i > 0 && r.clause[i] != r.clause[i-1] {
			last = -1
		}
		if r.mentions[i] != nil {
			last = i
		}
		r.last[i] = last
	}
}

// endsClause reports whether a token ends a clause: a semicolon, or a period before a space.
func (r *reader) endsClause(i int) bool {
	t := r.tokens[i]
	switch t.text {
	case ";":
		return true
	case ".":
		short := i > 0 && len(r.tokens[i-1].text) == 1 && r.tokens[i-1].kind == word
		return !short && (t.end >= len(r.text) || r.text[t.end] == ' ' || r.text[t.end] == '\n') && r.text1(i+1) != "("
	}
	return false
}

// findMention returns the measure that the words at a token name, unless they name a change of it, and the token behind them.
func (r *reader) findMention(i int) (m *mention, behind int) {
	what, to := r.t.names.longest(r.tokens, i)
	if what == "" || r.misnamed(what, i, to) || r.changes(i, to) {
		return nil, max(to, i+1)
	}
	if (strings.HasSuffix(what, "_bp") || what == "blood_pressure") && r.inHeart(i, to) {
		what = "other"
	}
	return &mention{what, i, to}, to
}

// inHeart reports whether the words around the name of a blood pressure make it another one: of the lungs, of a chamber, or the mean.
func (r *reader) inHeart(i, to int) bool {
	if to == i+1 && among(r.text1(i), "systolic diastolic") && to < len(r.tokens) && r.tokens[to].kind == word {
		compared, _ := r.comparator(to)
		return compared == "" && !has("beside-systolic", r.text1(to)) && r.t.numbers[r.text1(to)] == 0
	}
	return has("heart", r.text1(i-1))
}

// misnamed reports whether a short name is only a word: bp and child are no measures, BP and Child A are.
func (r *reader) misnamed(what string, i, to int) bool {
	written := r.text[r.tokens[i].start:r.tokens[to-1].end]
	short := len(written) <= 2 && written != strings.ToUpper(written) && !among(what, "hemoglobin creatinine")
	return short || what == "child_pugh" && strings.EqualFold(written, "child") && !among(r.text1(to), "a b c - class /")
}

// changes reports whether words beside a name make it a change of the measure: loss of eGFR, weight gain.
func (r *reader) changes(i, to int) bool {
	return r.is(to, "change") && r.text1(to) != "decreased" ||
		among(r.text1(i-1), "of in") && r.is(i-2, "change") && r.text1(i-2) != "decreased" && r.text1(to) != "to"
}

// accepts reports whether a measure is given in a unit.
func (r *reader) accepts(what string, u *unit) bool {
	m := r.t.measures[what]
	switch {
	case what == "other":
		return u == nil || u.dimension != "time"
	case m == nil:
		return what == "blood_pressure" && (u == nil || u.dimension == "pressure")
	case what == "height" && u != nil && u.name == "mm": // of a disc
		return false
	case u == nil:
		return m.dimensions[0] != "time" || what == "age" || what == "gestational_age"
	}
	return slices.Contains(m.dimensions, u.dimension)
}

// before returns the nearest measure before a token in its clause that takes a unit.
func (r *reader) before(from int, u *unit) *mention {
	i := from - 1
	for range 6 {
		if i < 0 || r.clause[i] != r.clause[min(from, len(r.clause)-1)] || r.last[i] < 0 {
			return nil
		}
		m := r.mentions[r.last[i]]
		if r.accepts(m.what, u) && (m.what != "age" || r.text1(m.to) != ")") {
			return m
		}
		if u == nil && m.what != "age" {
			return nil
		}
		i = r.last[i] - 1
	}
	return nil
}

// behindValue returns the measure closely behind a value: 30 kg in weight, >= 18 years of age.
func (r *reader) behindValue(v *value) *mention {
	for i := max(v.to-1, v.number+1); i < min(v.to+4, len(r.tokens)); i++ {
		if m := r.mentionAt(i); i < v.to && (m == nil || m.to <= v.to) {
			continue
		}
		if r.clause[i] != r.clause[v.from] || r.text1(i) == "," || r.text1(i) == "and" || r.text1(i) == "or" {
			return nil
		}
		if m := r.mentions[i]; m != nil {
			if role, _ := r.comparator(m.to); role == "" && r.accepts(m.what, v.unit) {
				return m
			}
			return nil
		}
	}
	return nil
}

// group returns the measures that a list of names ends with: AST and ALT.
func (r *reader) group(m *mention) []*mention {
	all := []*mention{m}
	for at := m; len(all) < 6; {
		i, joined := r.beforeList(at.from)
		if i < 0 || r.last[i] < 0 || r.clause[i] != r.clause[m.from] {
			return all
		}
		at = r.mentions[r.last[i]]
		if at.to != i+1 || at.what == "other" {
			return all
		}
		if !slices.ContainsFunc(all, func(o *mention) bool { return o.what == at.what }) {
			if !joined {
				return all
			}
			all = append(all, at)
		}
	}
	return all
}

// beforeList returns the token before the words that join a name with the one before it, and whether they join.
func (r *reader) beforeList(from int) (i int, joined bool) {
	for i = from - 1; i >= max(0, from-5); i-- {
		w := r.text1(i)
		joined = joined || among(w, "and or / , &")
		if !has("list", w) {
			break
		}
	}
	return i, joined
}
