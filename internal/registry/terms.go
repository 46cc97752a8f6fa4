package registry

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// aim is where the terms of a part of an expression are looked for.
type aim struct {
	area area
	// piece is set inside AREA[Piece], where a term has to fit its type.
	piece *Piece
	// size is set inside AREA[Piece:size].
	size bool
	// site is set inside SEARCH[Location].
	site bool
	// entire is set after COVERAGE[FullMatch].
	entire bool
}

// narrow is the aim inside AREA[name].
func (to aim) narrow(name string) (aim, error) {
	base, size := strings.CutSuffix(name, ":size")
	inner := aim{size: size, site: to.site, piece: pieces().byName[base]}
	unknown := refuse("Unknown area name: `%s`", name)
	switch {
	case inner.piece == nil:
		inner.area = searchAreas()[name]
		if inner.area == nil {
			return aim{}, unknown
		}
	case inner.piece.Parent, size && !inner.piece.IsList():
		return aim{}, unknown
	default:
		inner.area = area{{inner.piece, 1}}
	}
	if to.site && (inner.piece == nil || !inner.piece.IsOfSite()) {
		return aim{}, refuse("the sandbox understands only the areas of a location inside SEARCH[Location], not `%s`", name)
	}
	return inner, nil
}

// text is a word, a run of words or a phrase, understood by the type of the
// piece it is looked for in. Text without a letter or digit has no node.
func (to aim) text(text string, phrase bool) (node, error) {
	p := to.piece
	switch {
	case p == nil && to.site:
		return nil, refuse("the sandbox understands only AREA[...] inside SEARCH[Location]")
	case p == nil:
	case to.size:
		n, err := strconv.Atoi(text)
		if err != nil {
			return nil, refuse("`%s` is no number of values", text)
		}
		return sized{p, n}, nil
	case p.Enum() != nil:
		return enumValue(p, text)
	case p.IsDate(), p.IsNumber():
		return inRange(p, text, text)
	}
	found := words(text)
	if len(found) == 0 {
		return nil, nil
	}
	if to.entire {
		return entirely{to.area, found}, nil
	}
	return named(to.area, found, phrase), nil
}

func enumValue(p *Piece, text string) (node, error) {
	for _, allowed := range p.Enum() {
		if text == allowed {
			return exactly{p, text}, nil
		}
	}
	return nil, refuse("Allowed values for enum field `%s` are `%s`", p.path(), strings.Join(p.Enum(), "`, `"))
}

// named looks for words and, as upstream expands concepts, for other names of
// what they name.
func named(in area, found []string, phrase bool) node {
	if phrase {
		choices := anyOf{together{in, found}}
		if n, others := otherNames().at(found); n == len(found) {
			for _, other := range others {
				choices = append(choices, together{in, other})
			}
		}
		return choices
	}
	var parts allOf
	for rest := found; len(rest) > 0; {
		n, others := otherNames().at(rest)
		if n == 0 {
			n = 1
		}
		choices := anyOf{each{in, rest[:n]}}
		for _, other := range others {
			choices = append(choices, together{in, other})
		}
		parts, rest = append(parts, choices), rest[n:]
	}
	if len(found) > 1 {
		parts = append(parts, bonus{together{in, found}})
	}
	return parts
}

func (to aim) between(argument string) (node, error) {
	low, high, two := strings.Cut(argument, ",")
	low, high = strings.TrimSpace(low), strings.TrimSpace(high)
	p := to.piece
	switch {
	case !two || low == "" || high == "" || strings.Contains(high, ","):
		return nil, refuse("mismatched input ']' expecting ','")
	case p == nil || to.size || !p.IsDate() && !p.IsNumber():
		return nil, refuse("the sandbox understands RANGE for one date or number piece only")
	}
	return inRange(p, low, high)
}

var partialDate = regexp.MustCompile(`^[0-9]{4}(-[0-9]{2}){0,2}$`)

// inRange takes MIN and MAX for open ends. Partial dates count as their first
// day in a record and below, and as their last day above.
func inRange(p *Piece, low, high string) (node, error) {
	if p.IsNumber() {
		from, errLow := bound(low, "MIN", math.Inf(-1))
		to, errHigh := bound(high, "MAX", math.Inf(1))
		if errLow != nil || errHigh != nil {
			return nil, refuse("`%s` to `%s` is no range of numbers", low, high)
		}
		return amount{p, from, to}, nil
	}
	for _, end := range []struct{ text, open string }{{low, "MIN"}, {high, "MAX"}} {
		if end.text != end.open && !partialDate.MatchString(end.text) {
			return nil, refuse("`%s` is no date yyyy-MM-dd", end.text)
		}
	}
	from, to := firstDay(low), lastDay(high)
	if low == "MIN" {
		from = ""
	}
	if high == "MAX" {
		to = "9999-12-31"
	}
	return during{p, from, to}, nil
}

// bound reads one end of a range of numbers.
func bound(text, open string, end float64) (float64, error) {
	if text == open {
		return end, nil
	}
	return strconv.ParseFloat(text, 64)
}
