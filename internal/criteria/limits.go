package criteria

import (
	"slices"
)

// maxLine limits the bytes of a line that are read. No line of a criterion is as long.
const maxLine = 20000

// Limits returns the limits of a line, in its order. Numbers are those that it states.
func Limits(line string) []Limit {
	return slices.DeleteFunc(read(line, false), func(l Limit) bool { return l.unwritten })
}

// Demands returns the limits of a line with the times that have no number, such as "within the past year".
func Demands(line string) []Limit { return read(line, false) }

// Values returns the measured values that a text states, such as "ECOG 1" or "blood pressure 150/85 mmHg".
func Values(text string) []Limit { return read(text, true) }

func read(line string, values bool) []Limit {
	if len(line) > maxLine {
		return nil
	}
	r := &reader{t: tables(), text: line, tokens: lex(line), values: values}
	r.survey()
	for i := 0; i < len(r.tokens); {
		if m := r.mentions[i]; m != nil {
			i = max(m.to, r.classes(m)) // a name may have a number: Ki-67
			continue
		}
		v, ok := r.valueAt(i)
		if !ok {
			i++
			continue
		}
		if !r.assign(&v) && v.from == i && r.tokens[i].kind != number && v.number > i {
			i++ // the comparator may be a part of other words; its number is read again
			continue
		}
		i = max(v.to, i+1)
	}
	r.states()
	r.biomarkers()
	r.scopes()
	for i := range r.limits {
		if l := &r.limits[i]; !l.named || l.Begin > l.Start {
			l.Begin = l.Start
		}
	}
	slices.SortStableFunc(r.limits, func(a, b Limit) int { return a.Start - b.Start })
	return r.limits
}
