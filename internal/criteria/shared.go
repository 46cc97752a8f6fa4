package criteria

import (
	"slices"
	"strings"
)

// carried reports whether a value that begins a clause continues the measure before the semicolon: <= 2 x ULN; <= 5 x ULN if.
func (r *reader) carried(v *value) bool {
	return r.sharer != nil && r.text1(v.from-1) == ";" && r.shared.to == v.from-1 && v.unit != nil && v.unit == r.shared.unit && !v.bare
}

// shares gives a number the comparator of the value before it, and reports whether it did: > 180 mmHg systolic and 110 mmHg diastolic,
// > 450 ms for men and 470 ms for women, > 140 and/or 90 mmHg.
func (r *reader) shares(v *value, m *mention) bool {
	p := &r.shared
	if r.sharer == nil || !p.one() || v.from-p.to > 8 || !among(r.text1(v.from-1), "and or / ,") || !r.likewise(v, m) {
		return false
	}
	v.bare = false
	if p.low != nil {
		v.low.inclusive = p.low.inclusive
		return true
	}
	v.low, v.high = nil, &bound{v.low.value, p.high.inclusive}
	return true
}

// likewise reports whether a number is of the same measure as the value before it, for others or of the other pressure.
func (r *reader) likewise(v *value, m *mention) bool {
	p := &r.shared
	switch {
	case r.clause[p.from] != r.clause[v.from]:
		return false
	case m.what == "blood_pressure":
		return m == r.sharer && v.from-p.to < 4 && p.most() > v.low.value
	case v.unit != p.unit:
		return false
	case strings.HasSuffix(m.what, "_bp") && m.from == v.to:
		return r.sharer.from == p.to
	}
	return m.what == r.sharer.what && r.is(r.skip(v.to, 1, "( ,"), "condition")
}

// foreign reports whether a value behind a measure is not its own.
func (r *reader) foreign(v *value, m *mention) bool {
	return r.classified(m) || v.from-m.to > farthest(v, m) || m.what == "age" && r.lasting(v.from-1) ||
		v.timed() && r.windowed(v) || r.ended(v, m)
}

// ended reports whether a measure has its value already, and another one follows: age > 18 years, asthma > 1 year; NYHA III, GOLD > 2.
func (r *reader) ended(v *value, m *mention) bool {
	switch {
	case m.what == "age" && r.text1(v.from-1) == "(" && v.unit != nil && m == r.sharer && r.shared.unit != v.unit: // (< 48 h)
		return true
	case v.bare || r.text1(v.from-1) == "(" || r.is(r.skip(v.to, 1, "( ,"), "condition"):
		return false
	case v.unit == nil && m == r.sharer:
		return r.shared.unit != nil && v.from-r.shared.to > 3
	}
	return m.what == "age" && r.bounded(v, m)
}

// bounded reports whether a measure has a limit at the same end as the value.
func (r *reader) bounded(v *value, m *mention) bool {
	return slices.ContainsFunc(r.limits, func(l Limit) bool {
		return l.What == m.what && l.name == r.tokens[m.from].start && (v.low != nil && l.Low != nil || v.high != nil && l.High != nil)
	})
}
