package match

import (
	"math"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/ranges"
)

// days maps units of age to days. A year is twelve months.
var days = map[string]float64{"year": 365.25, "month": 365.25 / 12, "week": 7, "day": 1, "hour": 1. / 24, "minute": 1. / 1440}

// An interval is a range of numbers. Open ends are not in it.
type interval struct {
	low, high         float64
	openLow, openHigh bool
}

// within reports whether an interval is in another one. known is false if a part of it is.
func (i interval) within(o interval) (in, known bool) {
	switch {
	case i.low > i.high:
		return false, false
	case (i.low > o.low || i.low == o.low && (i.openLow || !o.openLow)) &&
		(i.high < o.high || i.high == o.high && (i.openHigh || !o.openHigh)):
		return true, true
	case i.below(o), o.below(i):
		return false, true
	}
	return false, false
}

// below reports whether all numbers of an interval are smaller than those of another one.
func (i interval) below(o interval) bool {
	return i.high < o.low || i.high == o.low && (i.openHigh || o.openLow)
}

// readAge returns the days of an age in whole units, "58" or "6 months", which is a span; ok is false if it cannot be read.
func readAge(text string) (age interval, ok bool) {
	written, err := ranges.ReadAge(text)
	if err != nil {
		return age, false
	}
	return agesFrom(written)
}

// agesFrom returns the days of an age as the registry writes it, "18 Years".
func agesFrom(text string) (age interval, ok bool) {
	number, unit, _ := strings.Cut(strings.ToLower(strings.TrimSpace(text)), " ")
	n, length := readNumber(number), days[strings.TrimSuffix(unit, "s")]
	return interval{low: n * length, high: (n + 1) * length, openHigh: true}, length > 0 && !math.IsNaN(n)
}

// gates returns the fields of a record that keep people out, beside the person. A fact that was not given meets none and fails none.
func (p *Person) gates(e *mapping.Eligibility) (all []entity.MatchGate) {
	add := func(field, value, person string, met, known bool) {
		g := entity.MatchGate{Field: field, Value: value, Person: person}
		if known {
			g.Met = &met
		}
		all = append(all, g)
	}
	for _, field := range [][2]string{{"minimum_age", e.MinimumAge}, {"maximum_age", e.MaximumAge}} {
		bound, ok := agesFrom(field[1])
		if !ok {
			continue
		}
		if field[0] == "minimum_age" {
			bound = interval{low: bound.low, high: math.Inf(1)}
		} else {
			bound.low = math.Inf(-1)
		}
		met, known := p.age.within(bound)
		add(field[0], field[1], p.given.Age, met, known && p.aged)
	}
	if e.Sex != "" && e.Sex != "ALL" {
		add("sex", e.Sex, p.given.Sex, strings.EqualFold(e.Sex, p.given.Sex), p.given.Sex != "")
	}
	if e.HealthyVolunteers != nil && !*e.HealthyVolunteers {
		given := p.given.Healthy
		add("healthy_volunteers", "not accepted", stateOf(given), given != nil && !*given, given != nil)
	}
	return all
}

// Admits reports whether no gate of age or sex of a record is closed to the person.
func (p *Person) Admits(e *mapping.Eligibility) bool {
	for _, g := range p.gates(e) {
		if g.Met != nil && !*g.Met && g.Field != "healthy_volunteers" {
			return false
		}
	}
	return true
}
