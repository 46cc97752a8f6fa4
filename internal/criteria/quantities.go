package criteria

import (
	"strings"
)

// A quantity is a number with its unit.
type quantity struct {
	number  float64
	unit    *unit
	to, end int // token behind it, byte behind it
}

// most reports whether a quantity is at most another one.
func (q quantity) most(other quantity) bool {
	if q.unit != nil && other.unit != nil {
		return q.number*q.unit.factor <= other.number*other.unit.factor
	}
	return q.number <= other.number
}

// quantityAt reads a number and its unit at a token.
func (r *reader) quantityAt(i int) (q quantity, ok bool) {
	if i >= len(r.tokens) {
		return q, false
	}
	t := r.tokens[i]
	q.number, ok = r.t.numbers[t.text]
	if t.kind == number {
		q.number, ok = t.value, strings.Count(t.text, ".") < 2 // no number of a section
	}
	if !ok || r.text1(i+1) == "of" && t.text == "one" {
		return q, false
	}
	if weeks, ok := r.inDays(i); ok {
		return weeks, true
	}
	if r.minus(i) {
		q.number = -q.number
	}
	r.afterNumber(&q, i)
	if i := strings.IndexByte(t.text, '.'); q.unit == r.t.byName["cells/ul"] && i > 0 && len(t.text)-i == 4 { // thousands: 100.000/ul
		q.number = readNumber(strings.Replace(t.text, ".", "", 1))
	}
	multiple := among(t.text, "twice double thrice") && (q.unit == nil || !among(q.unit.dimension, "uln lln"))
	return q, !multiple && !among(r.text1(q.to), "st nd rd th")
}

// afterNumber reads what follows the number at a token: its repetition, the best number of its scale, its unit.
func (r *reader) afterNumber(q *quantity, i int) {
	q.to, q.end = i+1, r.tokens[i].end
	if r.repeated(i + 1) { // three (3) months
		q.to, q.end = i+4, r.tokens[i+3].end
	}
	if r.text1(q.to) == "/" && r.text1(q.to+1) == "30" { // points of the scales of cognition
		q.to, q.end = q.to+2, r.tokens[q.to+1].end
	}
	r.readUnit(q)
}

// minus reports whether a number is negative: T-score < -2.5.
func (r *reader) minus(i int) bool {
	if i < 2 || r.text1(i-1) != "-" || r.tokens[i-1].end != r.tokens[i].start {
		return false
	}
	before := r.tokens[i-2]
	return before.kind == sign || before.end < r.tokens[i-1].start && has("before-minus", before.text)
}

// repeated reports whether a number in parentheses begins at a token.
func (r *reader) repeated(i int) bool {
	if r.text1(i) != "(" || r.text1(i+2) != ")" {
		return false
	}
	return r.tokens[i+1].kind == number || r.t.numbers[r.text1(i+1)] > 0
}

// weeksWithDays matches 23 weeks and 6 days, 23 6/7 weeks, and 23+6.
var weeksWithDays = pattern(`^([1-4]\d)(?:[ -]?(?:completed )?(?:weeks?|wks?|w)(?:,| and| ?\+)? ?([0-6])[ -]?(?:days?|d)\b|` +
	`(?: |\+| \+ )([0-6])(?:/7)?\b(?:[ -]?(?:weeks?|wks?|w)\b)?)`)

// inDays reads weeks with days, in whole days.
func (r *reader) inDays(i int) (q quantity, ok bool) {
	start := r.tokens[i].start
	m := weeksWithDays().FindStringSubmatch(strings.ToLower(r.text[start:min(len(r.text), start+40)]))
	if m == nil || m[3] != "" && !strings.ContainsAny(m[0], "+/") {
		return q, false
	}
	end := start + len(m[0])
	return quantity{number: 7*readNumber(m[1]) + readNumber(m[2]+m[3]), unit: r.t.byName["day"], to: r.behind(end), end: end}, true
}

// readUnit reads the unit behind a number, such as "mg/dL", "x 10^9/L" or "times the institutional ULN".
func (r *reader) readUnit(q *quantity) {
	after := r.skip(q.to, 6, "")
	for i := q.to; i <= after && i < len(r.tokens); i++ {
		u, end := r.unitOf(i)
		if u == nil || i > q.to && !among(u.dimension, "uln lln count") || i > q.to && r.text1(i-1) == "-" && u.dimension != "uln" {
			continue
		}
		q.unit, q.end, q.to = u, end, r.behind(end)
		return
	}
	if among(r.text1(q.to), "- full complete") { // 6-month
		if u, end := r.unitOf(q.to + 1); u != nil && u.dimension == "time" {
			q.unit, q.end, q.to = u, end, r.behind(end)
		}
	}
}

// unitOf returns the unit that begins at a token, and the byte behind it.
func (r *reader) unitOf(i int) (u *unit, end int) {
	if i < 0 || i >= len(r.tokens) {
		return nil, 0
	}
	if r.unitEnds[i] == 0 {
		at := r.tokens[i].start
		u, length := r.t.unitAt(r.text[at:min(len(r.text), at+80)])
		r.units[i], r.unitEnds[i] = u, at+max(length, 1)
	}
	return r.units[i], r.unitEnds[i]
}

// multiple returns the number before "times" that precedes a comparator, and its token: "3 times", "twice".
func (r *reader) multiple(i int) (times float64, from int) {
	from = i - 1
	if among(r.text1(from), "times x fold") {
		from--
	} else if !among(r.text1(from), "twice double thrice") {
		return 0, i
	}
	if from >= 0 && r.tokens[from].kind == number {
		return r.tokens[from].value, from
	}
	times = r.t.numbers[r.text1(from)]
	if times == 0 {
		return 0, i
	}
	return times, from
}

// once reads a unit without a number: "ULN", "a year", and "normal" behind "3 times higher than".
func (r *reader) once(i int, multiple bool) (q quantity, ok bool) {
	u, end := r.unitOf(i)
	if u == nil && multiple && r.text1(i-1) == "normal" {
		u, end = r.t.byName["uln"], r.tokens[i-1].end
	}
	if u == nil || !among(u.dimension, "uln lln") && (u.dimension != "time" || r.text1(i-1) != "a") {
		return q, false
	}
	return quantity{number: 1, unit: u, to: r.behind(end), end: end}, true
}
