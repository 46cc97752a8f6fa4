package criteria

import (
	"slices"
	"strings"
)

// A conversion turns a number of one measure into one of another dimension.
type conversion struct {
	from, to        *unit
	factor, summand float64
}

// Convert returns a value of a measure in another unit: one of the same dimension, or one that the table of conversions has for the
// measure. A unit that is not known, or none beside one, converts to nothing.
func Convert(what string, value float64, from, to string) (converted float64, ok bool) {
	t := tables()
	m, a, b := t.measures[what], t.byName[from], t.byName[to]
	switch {
	case from == to:
		return value, from != "" || m == nil || m.usual != unknownUnit
	case a == nil || b == nil:
		return 0, false
	case a.dimension == b.dimension:
		return value * a.factor / b.factor, true
	}
	for _, c := range t.conversions[what] {
		switch {
		case a.dimension == c.from.dimension && b.dimension == c.to.dimension:
			return (value*a.factor/c.from.factor*c.factor + c.summand) * c.to.factor / b.factor, true
		case a.dimension == c.to.dimension && b.dimension == c.from.dimension:
			return (value*a.factor/c.to.factor - c.summand) / c.factor * c.from.factor / b.factor, true
		}
	}
	return 0, false
}

// NeedsUnit reports whether a number of a measure says nothing without its unit.
func NeedsUnit(what string) bool {
	m := tables().measures[what]
	return m != nil && m.usual == unknownUnit
}

// ExampleUnit returns a unit that numbers of a measure are given in, as people write it.
func ExampleUnit(what string) string { return tables().measures[what].example }

// unknownUnit is the unit of a number without one, where several are usual.
const unknownUnit = "?"

// usualUnit returns the unit of a number without one, or "".
func (t *tableSet) usualUnit(what string) string {
	if m := t.measures[what]; m != nil && m.usual != unknownUnit && m.usual != "-" {
		return m.usual
	}
	return ""
}

// Measure returns the measure that a name is for, or "".
func Measure(name string) string {
	tokens := lex(strings.Join(plainWords(name), " "))
	if len(tokens) == 0 {
		return ""
	}
	if what, to := tables().names.longest(tokens, 0); to == len(tokens) && what != "other" {
		return what
	}
	return ""
}

// Names returns the measures that the words of a text name, each once.
func Names(text string) (all []string) {
	tokens := lex(text)
	for i := 0; i < len(tokens); {
		what, to := tables().names.longest(tokens, i)
		if what != "" && what != "other" && !slices.Contains(all, what) {
			all = append(all, what)
		}
		i = max(to, i+1)
	}
	return all
}
