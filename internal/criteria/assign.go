package criteria

import (
	"slices"
	"strings"
)

// assign adds the limits of a value, and reports whether it has one.
func (r *reader) assign(v *value) bool {
	if r.graded(v) || r.outside(v) {
		return false
	}
	if r.pressurePair(v) {
		return true
	}
	r.respell(v)
	if m := r.subject(v); m != nil {
		return r.assignTo(v, m)
	}
	if v.timed() {
		return r.time(v)
	}
	return (!v.bare || r.values) && r.other(v, nil)
}

// respell reads units whose letters mean another one beside the measure: platelets < 100 G/L, potassium < 3 mM.
func (r *reader) respell(v *value) {
	near := r.before(v.from, nil)
	for written, meant := range map[string]string{"g/l": "10^9/l", "mm": "mmol/l"} {
		if u := r.t.byName[meant]; near != nil && v.unit == r.t.byName[written] && r.accepts(near.what, u) && near.what != "other" {
			v.unit = u
			return
		}
	}
}

// assignTo adds a limit of each measure that a list of names ends with.
func (r *reader) assignTo(v *value, m *mention) bool {
	if v.bare && !r.values && !r.outermost(v, m) {
		return false
	}
	r.addAll(v, r.group(m))
	return true
}

// addAll adds a limit of each of some measures.
func (r *reader) addAll(v *value, all []*mention) {
	begin := v.from
	for _, one := range all {
		begin = min(begin, one.from)
	}
	slices.Reverse(all)
	for _, one := range all {
		switch {
		case one.what == "other":
			r.other(v, one)
		case v.unit == nil && one != all[len(all)-1] && r.t.usualUnit(one.what) != r.t.usualUnit(all[len(all)-1].what): // age, BMI < 40
		case v.unit == nil && r.tokens[v.number].kind == word && one.what != "prior_lines" && v.most() <= 12: // at least one drug, parent
		case r.accepts(one.what, v.unit):
			r.add(v, Limit{What: one.what, name: r.tokens[begin].start}, v.from)
		}
	}
}

// outermost turns a bare number into a limit if its measure follows "minimum" or "maximum", and reports whether it did.
func (r *reader) outermost(v *value, m *mention) bool {
	role := r.text1(m.from - 1)
	switch role {
	case "minimum", "min", "lower":
	case "maximum", "max", "upper":
		v.low, v.high = nil, v.low
	default:
		return false
	}
	v.bare = false
	return true
}

// outside reports whether the words before a range exclude it: outside the range of 80 to 150 mmHg.
func (r *reader) outside(v *value) bool {
	for i := max(0, v.from-5); v.low != nil && v.high != nil && i < v.from; i++ {
		if r.text1(i) == "outside" {
			return true
		}
	}
	return false
}

// graded reports whether the number counts grades, types, phases: no measure.
func (r *reader) graded(v *value) bool {
	i := v.number - 1
	if v.from <= i {
		i = v.from - 1
	}
	if r.is(i, "grade") {
		return r.last[max(i, 0)] < 0 || r.mentions[r.last[i]].to < i
	}
	return r.text1(v.to) == "per" && r.text1(v.to+1) == "arm"
}

// subject returns the measure of a value: before it, or closely behind it.
func (r *reader) subject(v *value) *mention {
	if v.flipped {
		return r.mentionAt(v.to)
	}
	if m := r.inside(v); m != nil {
		return m
	}
	aged := v.timed() && r.saysAge(v)
	if m := r.behindValue(v); m != nil && r.ownsBehind(v, m, aged) {
		return m
	}
	m := r.before(v.from, v.unit)
	switch {
	case aged && m != nil && m.what == "age":
		return m
	case aged:
		return &mention{"age", v.from, v.from}
	case m == nil, r.foreign(v, m):
		return nil
	}
	return m
}

// classified reports whether a scale has its classes already: NYHA III, GOLD > 2.
func (r *reader) classified(m *mention) bool {
	return has("classed", m.what) &&
		slices.ContainsFunc(r.limits, func(l Limit) bool { return l.What == m.what && l.name == r.tokens[m.from].start })
}

// inside returns the measure between the comparator and the number of a value: between the ages of 18 and 65.
func (r *reader) inside(v *value) *mention {
	for i := v.from; i < v.number; i++ {
		if m := r.mentions[i]; m != nil && r.accepts(m.what, v.unit) {
			return m
		}
	}
	return nil
}

// farthest returns how many words may separate a measure from its value.
func farthest(v *value, m *mention) int {
	switch {
	case v.unit == nil && m.what == "age":
		return 6
	case v.unit == nil:
		return 12
	case v.unit.dimension == "time":
		return 9
	}
	return 200
}

// ownsBehind reports whether the measure behind a value is its subject, although another one may precede it.
func (r *reader) ownsBehind(v *value, m *mention, aged bool) bool {
	if m.what == "age" && !aged && v.unit == nil && m.from > v.to {
		return false
	}
	first := r.before(v.from, v.unit)
	ends := m.to >= len(r.tokens) || r.tokens[m.to].kind != number
	pressure := strings.HasSuffix(m.what, "_bp") && m.from == r.skip(v.to, 1, "in") && ends
	return first == nil || aged || pressure
}

// saysAge reports whether the words around a time say that it is an age: years old, of age, older than.
func (r *reader) saysAge(v *value) bool {
	for i := v.from; i < min(v.to+3, len(r.tokens)); i++ {
		w := r.text1(i)
		if i >= v.to && among(w, ", and") {
			break
		}
		if r.is(i, "aged") || w == "of" && among(r.text1(i+1), "age life ages") {
			return true
		}
	}
	return r.is(v.from-1, "aged")
}

// pressurePair adds the two limits of a blood pressure such as >= 140/90 mmHg, or 140/90 mmHg or higher.
func (r *reader) pressurePair(v *value) bool {
	at := v.number
	if !r.pressure(at) {
		return false
	}
	high, ok := r.quantityAt(at + 2)
	if !ok || high.unit != nil && high.unit.dimension != "pressure" {
		return false
	}
	if v.bare && !r.values {
		if !r.orMore(v, quantity{number: v.low.value, to: high.to}) {
			return false
		}
		high.to, high.end = v.to, v.end
	}
	m := r.before(v.from, r.t.byName["mmhg"])
	if high.unit == nil && (m == nil || m.what != "blood_pressure") || among(r.text1(v.from-1), "goal target") {
		return false
	}
	v.unit, v.to, v.end = r.t.byName["mmhg"], high.to, high.end
	low := *v
	for _, b := range []**bound{&low.low, &low.high} {
		if *b != nil {
			*b = &bound{high.number, (*b).inclusive}
		}
	}
	l := Limit{What: "systolic_bp"}
	if m != nil {
		l.name = r.tokens[m.from].start
	}
	r.add(v, l, v.from)
	l.What = "diastolic_bp"
	return r.add(&low, l, v.from)
}

// other adds a limit of a measure without a kind, by the words before it or by its name.
func (r *reader) other(v *value, m *mention) bool {
	name := r.wordsBefore(v.from)
	if name == "" && m != nil {
		name = r.text[r.tokens[m.from].start:r.tokens[m.to-1].end]
	}
	if name == "" || v.unit == nil && r.tokens[v.from].kind != sign && !r.values {
		return false
	}
	for i := max(0, v.from-8); i < v.from; i++ {
		if r.clause[i] == r.clause[v.from] && r.is(i, "change") {
			return false
		}
	}
	return r.add(v, Limit{What: "other", Name: name}, v.from)
}

// foreign reports whether a value behind a measure is not its own.
func (r *reader) foreign(v *value, m *mention) bool {
	aside := r.text1(v.from-1) == "(" && m.to < v.from-1 // aged 18 or older and a recent (< 48 h) stroke
	if m.what == "age" && (r.lasting(v.from-1) || v.timed() && !v.bare && (aside || r.bounded(v, m))) {
		return true
	}
	return r.classified(m) || v.from-m.to > farthest(v, m) || v.timed() && r.windowed(v)
}

// bounded reports whether a measure has a limit at the same end as the value.
func (r *reader) bounded(v *value, m *mention) bool {
	return slices.ContainsFunc(r.limits, func(l Limit) bool {
		return l.What == m.what && l.name == r.tokens[m.from].start && (v.low != nil && l.Low != nil || v.high != nil && l.High != nil)
	})
}
