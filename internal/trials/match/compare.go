package match

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/criteria"
	"github.com/biofact-mcp/biofact/internal/entity"
)

func readNumber(text string) float64 {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return n
}

// A value is a number or a class that was given for a measure.
type value struct {
	criteria.Limit
	text string // the person's words
}

// compare returns the arithmetic of a value and a limit of its measure, and whether they can be compared.
func (v *value) compare(l *criteria.Limit, words string) (c entity.MatchComparison, ok bool) {
	c = entity.MatchComparison{Measure: cmp.Or(l.Name, l.What), Limit: words, Value: v.text}
	if l.What != "other" {
		c.Measure = l.What
	}
	switch {
	case l.What != v.What || l.What == "other" && !v.sameName(l.Name):
		return c, false
	case len(l.Values) > 0:
		c.Within, ok = v.among(l.Values)
		return c, ok
	case len(v.Values) > 0:
		n, number := criteria.ClassNumber(v.Values[0])
		c.Within, ok = interval{low: n, high: n}.within(intervalOf(l))
		return c, ok && number && len(v.Values) == 1
	}
	span, ok := v.in(l.Unit)
	if !ok {
		return c, false
	}
	if v.Unit != l.Unit && v.Unit != "" {
		c.As = written(span, l.Unit)
	}
	c.Within, ok = span.within(intervalOf(l))
	return c, ok
}

// among reports whether a class is one of some classes.
func (v *value) among(classes []string) (in, ok bool) {
	given := v.Values
	if v.Low != nil && (v.Bare || v.High != nil && *v.High == *v.Low) {
		given = []string{strconv.FormatFloat(*v.Low, 'f', -1, 64)}
	}
	if len(given) != 1 {
		return false, false
	}
	n, number := criteria.ClassNumber(given[0])
	for _, class := range classes {
		if m, numbered := criteria.ClassNumber(class); numbered != number {
			return false, false
		} else if class == given[0] || number && m == n {
			in = true
		}
	}
	return in, true
}

// sameName reports whether the words of the person's name are the last words of another name.
func (v *value) sameName(name string) bool {
	given, words := readWords(v.Name), readWords(name)
	return len(given) > 0 && len(words) >= len(given) && slices.Equal(words[len(words)-len(given):], given)
}

// in returns the numbers of a value in a unit.
func (v *value) in(unit string) (span interval, ok bool) {
	span = intervalOf(&v.Limit)
	for _, end := range []*float64{&span.low, &span.high} {
		if math.IsInf(*end, 0) {
			continue
		}
		if v.What == "other" && v.Unit == unit {
			continue
		}
		if *end, ok = criteria.Convert(v.What, *end, v.Unit, unit); !ok {
			return span, false
		}
		*end = rounded(*end)
	}
	return span, true
}

// rounded removes what the binary form of a number adds: 0.1 x 3 is 0.3.
func rounded(n float64) float64 {
	n, err := strconv.ParseFloat(strconv.FormatFloat(n, 'g', 12, 64), 64)
	if err != nil {
		return math.NaN()
	}
	return n
}

// intervalOf returns the numbers of a limit, or of a value.
func intervalOf(l *criteria.Limit) interval {
	i := interval{low: math.Inf(-1), high: math.Inf(1)}
	if l.Low != nil {
		i.low, i.openLow = *l.Low, !l.LowInclusive && !l.Bare
	}
	if l.High != nil {
		i.high, i.openHigh = *l.High, !l.HighInclusive
	}
	if l.Bare && l.Low != nil && l.High == nil {
		i.high = i.low
	}
	return i
}

// written writes the numbers of a value in the unit of a limit.
func written(span interval, unit string) string {
	number := func(n float64) string {
		return strconv.FormatFloat(readNumber(strconv.FormatFloat(n, 'g', 4, 64)), 'f', -1, 64)
	}
	text := number(span.low)
	switch {
	case math.IsInf(span.low, 0):
		text = "< " + number(span.high)
	case math.IsInf(span.high, 0):
		text = "> " + text
	case span.high != span.low:
		text += "-" + number(span.high)
	}
	return text + " " + unit
}

// compareAge returns the arithmetic of the age and a limit of age: an end that is included holds to the end of its unit.
func (p *Person) compareAge(l *criteria.Limit, words string) (c entity.MatchComparison, ok bool) {
	length := days[l.Unit]
	if l.What != "age" || !p.aged || length == 0 {
		return c, false
	}
	bound := intervalOf(l)
	if bound.low *= length; l.High != nil && !bound.openHigh && bound.high == math.Trunc(bound.high) {
		bound.high, bound.openHigh = bound.high+1, true
	}
	bound.high *= length
	c = entity.MatchComparison{Measure: l.What, Limit: words, Value: p.given.Age}
	c.Within, ok = p.age.within(bound)
	return c, ok
}

// readWords returns the folded words of a text.
func readWords(text string) (words []string) {
	for _, w := range wordsOf(strings.ToLower(text)).order {
		words = append(words, fold(w))
	}
	return words
}
