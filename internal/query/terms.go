package query

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// The open ends of a RANGE.
const minimum, maximum = "MIN", "MAX"

// openEnd is the last day of a DateRange without an end above.
const openEnd = "9999-12-31"

// target is where the terms of a part of an expression are looked for.
type target struct {
	area      *Area
	piece     *Piece // inside AREA[Piece], where a term has to fit the type of the piece
	size      bool   // inside AREA[Piece:size]
	site      bool   // inside SEARCH[Location]
	fullMatch bool   // after COVERAGE[FullMatch]
}

// narrow returns the target inside AREA[name].
func (in target) narrow(name string) (target, error) {
	base, size := strings.CutSuffix(name, ":size")
	inner := target{size: size, site: in.site, piece: PieceNamed(base)}
	p := inner.piece
	switch {
	case p == nil:
		inner.area = AreaNamed(name)
	case !p.Parent && (!size || p.IsList()):
		inner.area = &Area{Name: p.Name, Pieces: []Weighted{{p, 1}}}
	}
	switch {
	case inner.area == nil:
		return target{}, refuse("Unknown area name: `%s`", name)
	case in.site && (p == nil || !p.IsOfSite()):
		return target{}, unsupported("understands only the areas of a location inside SEARCH[Location], not `%s`", name)
	}
	return inner, nil
}

// term returns the node of a word, a run of words or a phrase, which depends on the
// type of the piece. Text without a letter or digit has no node.
func (in target) term(text string, phrase bool) (Node, error) {
	p := in.piece
	switch {
	case p == nil && in.site:
		return nil, unsupported("understands only AREA[...] inside SEARCH[Location]")
	case p == nil:
	case in.size:
		n, err := strconv.Atoi(text)
		if err != nil {
			return nil, refuse("`%s` is no number of values", text)
		}
		return Count{p, n}, nil
	case p.Enum() != nil:
		if !slices.Contains(p.Enum(), text) {
			return nil, refuse("Allowed values for enum field `%s` are `%s`", p.path(), strings.Join(p.Enum(), "`, `"))
		}
		return Value{p, text}, nil
	case p.IsDate(), p.IsNumber(), p.IsAge():
		return inRange(p, text, text)
	}
	words := Words(text)
	if len(words) == 0 {
		return nil, nil
	}
	return Term{in.area, words, phrase, in.fullMatch}, nil
}

// between returns the node of RANGE[argument].
func (in target) between(argument string) (Node, error) {
	low, high, two := strings.Cut(argument, ",")
	low, high = strings.TrimSpace(low), strings.TrimSpace(high)
	p := in.piece
	switch {
	case !two || low == "" || high == "" || strings.Contains(high, ","):
		return nil, refuse("mismatched input ']' expecting ','")
	case p == nil || in.size || !p.IsDate() && !p.IsNumber() && !p.IsAge():
		return nil, unsupported("understands RANGE for one date, number or age piece only")
	}
	return inRange(p, low, high)
}

func inRange(p *Piece, low, high string) (Node, error) {
	if !p.IsDate() {
		return numberRange(p, low, high)
	}
	return dateRange(p, low, high)
}

func numberRange(p *Piece, low, high string) (Node, error) {
	n := NumberRange{p, math.Inf(-1), math.Inf(1)}
	fromOK, toOK := true, true
	if low != minimum {
		n.From, fromOK = p.Number(low)
	}
	if high != maximum {
		n.To, toOK = p.Number(high)
	}
	if !fromOK || !toOK {
		return nil, refuse("`%s` to `%s` is no range of numbers", low, high)
	}
	return n, nil
}

var partialDate = lazyregexp.New(`^[0-9]{4}(-[0-9]{2}){0,2}$`)

// dateRange takes a partial date as its first day below and its last day above.
func dateRange(p *Piece, low, high string) (Node, error) {
	n := DateRange{Piece: p, To: openEnd}
	if low != minimum {
		n.From = FirstDay(low)
	}
	if high != maximum {
		n.To = lastDay(high)
	}
	for _, end := range []struct{ text, open string }{{low, minimum}, {high, maximum}} {
		if end.text != end.open && !partialDate.MatchString(end.text) {
			return nil, refuse("`%s` is no date yyyy-MM-dd", end.text)
		}
	}
	return n, nil
}

// FirstDay completes a date that lacks its day, or day and month, with the first one. A time
// after the day is cut off. Days are compared as text, so that every month may have 31.
func FirstDay(date string) string { return completeDate(date, "-01-01") }

// lastDay completes a date with the last day.
func lastDay(date string) string { return completeDate(date, "-12-31") }

func completeDate(date, end string) string {
	if len(date) >= len("yyyy-MM-dd") {
		return date[:len("yyyy-MM-dd")]
	}
	return date + end[max(0, len(date)-len("yyyy")):]
}
