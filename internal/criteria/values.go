package criteria

import (
	"strings"
)

// A bound is one end of a range.
type bound struct {
	value     float64
	inclusive bool
}

// A value is a number or a range of a text, with its comparator and unit. A bare value has neither comparator nor range: low is the number.
type value struct {
	low, high  *bound
	unit       *unit
	bare       bool
	flipped    bool // the number precedes the comparator: 45 <= eGFR
	number     int  // token of the first number
	from, to   int  // tokens
	start, end int  // bytes
	second     *value
}

// A quantity is a number with its unit.
type quantity struct {
	number  float64
	unit    *unit
	to, end int // token behind it, byte behind it
}

// quantityAt reads a number and its unit at a token.
func (r *reader) quantityAt(i int) (q quantity, ok bool) {
	if i >= len(r.tokens) {
		return q, false
	}
	t := r.tokens[i]
	q.number, ok = numberWords[t.text]
	if t.kind == number {
		q.number, ok = t.value, strings.Count(t.text, ".") < 2 // no number of a section
	}
	if !ok || r.text1(i+1) == "of" && t.text == "one" {
		return q, false
	}
	q.to, q.end = i+1, t.end
	if r.repeated(i + 1) { // three (3) months
		q.to, q.end = i+4, r.tokens[i+3].end
	}
	if r.text1(q.to) == "/" && r.text1(q.to+1) == "30" { // points of the scales of cognition
		q.to, q.end = q.to+2, r.tokens[q.to+1].end
	}
	r.readUnit(&q)
	multiple := among(t.text, "twice double thrice") && (q.unit == nil || !among(q.unit.dimension, "uln lln"))
	return q, !multiple && !among(r.text1(q.to), "st nd rd th") && !r.inDays(&q)
}

// repeated reports whether a number in parentheses begins at a token.
func (r *reader) repeated(i int) bool {
	if r.text1(i) != "(" || r.text1(i+2) != ")" {
		return false
	}
	return r.tokens[i+1].kind == number || numberWords[r.text1(i+1)] > 0
}

// inDays reports whether days follow a number of weeks: 23 weeks 6 days.
func (r *reader) inDays(q *quantity) bool {
	if q.unit == nil || q.unit.name != "week" || q.to >= len(r.tokens) || r.tokens[q.to].kind != number {
		return false
	}
	days, _ := r.unitOf(q.to + 1)
	return days != nil && days.name == "day"
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
		r.doubled(q)
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
	at := r.tokens[i].start
	u, length := r.t.unitAt(r.text[at:min(len(r.text), at+80)])
	return u, at + length
}

// doubled skips a second spelling of the unit: kilograms (kg).
func (r *reader) doubled(q *quantity) {
	if r.text1(q.to) != "(" {
		return
	}
	if u, end := r.unitOf(q.to + 1); u != nil && u.dimension == q.unit.dimension {
		if i := r.behind(end); r.text1(i) == ")" {
			q.to, q.end = i+1, r.tokens[i].end
		}
	}
}

// valueAt reads the value at a token.
func (r *reader) valueAt(i int) (v value, ok bool) {
	v.from = i
	role, at := r.comparator(i)
	if role == "" {
		return r.rangeAt(i)
	}
	at = r.skip(at, 4, "")
	q, ok := r.quantityAt(at)
	if !ok {
		if q, ok = r.once(at); !ok {
			return v, false
		}
		if among(r.text1(i-1), "times x fold") && i > 1 && r.tokens[i-2].kind == number { // 3 times higher than the ULN
			q.number, v.from = r.tokens[i-2].value, i-2
		}
	}
	v.number = at
	r.set(&v, role, q)
	r.extend(&v, q)
	r.secondEnd(&v, role)
	return v, true
}

// once reads a unit without a number: "ULN", "a year".
func (r *reader) once(i int) (q quantity, ok bool) {
	u, end := r.unitOf(i)
	if u == nil || !among(u.dimension, "uln lln") && (u.dimension != "time" || r.text1(i-1) != "a") {
		return q, false
	}
	return quantity{number: 1, unit: u, to: r.behind(end), end: end}, true
}

func (r *reader) set(v *value, role string, q quantity) {
	b := &bound{q.number, role[1] == 'e'}
	if role[0] == 'g' {
		v.low = b
	} else {
		v.high = b
	}
}

func (r *reader) extend(v *value, q quantity) {
	v.start, v.to, v.end = r.tokens[v.from].start, q.to, q.end
	if q.unit != nil {
		v.unit = q.unit
	}
}

// secondEnd reads the other end of a range: "to <= 11.5 %", "- 65", and of two comparisons: "and <= 18".
func (r *reader) secondEnd(v *value, role string) {
	join, next := r.joint(v.to)
	again, at := r.comparator(next)
	q, ok := r.quantityAt(r.skip(at, 3, ""))
	if !ok || !fits(q.unit, v.unit) {
		return
	}
	if again == "" && join == "range" && v.low != nil && q.number > v.low.value {
		again = "le"
	} else if again == "" || again[0] == role[0] || q.unit == nil && v.unit != nil && r.mentionAt(q.to) != nil {
		return
	}
	both := *v
	r.set(&both, again, q)
	if (q.unit == v.unit || v.unit == nil) && both.low.value > both.high.value { // < 40 and > 100
		return
	}
	r.extend(&both, q)
	*v = both
}

// joint skips the word between the two ends of a value.
func (r *reader) joint(i int) (role string, next int) {
	role, next = r.t.words.find(r.tokens, i, func(s string) bool { return s == "range" || s == "and" })
	if role == "" && among(r.text1(i), "but , &") {
		next = i + 1
		if among(r.text1(next), "and but") {
			next++
		}
	}
	return role, next
}

// rangeAt reads a value that begins with a number or with "between": 18-65 years, between 18 and 65, 18 years or older, 45 <= eGFR. Its
// unit may follow the second number alone.
func (r *reader) rangeAt(i int) (v value, ok bool) {
	role, at := r.t.words.find(r.tokens, i, func(s string) bool { return s == "between" })
	v.from, at = i, r.skip(at, 4, "years : ( is between")
	if role == "" {
		at = i
	}
	first, ok := r.quantityAt(at)
	if !ok || isFraction(r, at) {
		return v, false
	}
	v.number = at
	second, upper, ok := r.rangeEnd(r.afterOld(first.to), role != "")
	if ok && second.number >= first.number && fits(first.unit, second.unit) {
		v.low, v.high = &bound{first.number, true}, &bound{second.number, upper != "lt"}
		r.extend(&v, first)
		r.extend(&v, second)
		if first.unit != nil && second.unit != nil && first.unit != second.unit { // 6 months to 18 years
			v.second = &value{high: v.high, unit: second.unit}
			v.high, v.unit = nil, first.unit
		}
		r.edges(&v)
		return v, true
	}
	v.from = at
	r.extend(&v, first)
	r.single(&v, first)
	return v, true
}

// single reads what follows a number without a range: "or older", or the comparator of 45 <= eGFR.
func (r *reader) single(v *value, first quantity) {
	if post, to := r.t.words.find(r.tokens, r.afterOld(first.to), func(s string) bool { return strings.HasPrefix(s, "post") }); post != "" {
		r.set(v, post[len("post-"):], first)
		v.to, v.end = to, r.tokens[to-1].end
		if q := (quantity{to: v.to, end: v.end}); v.unit == nil && r.text1(to-1) == "+" {
			r.readUnit(&q)
			r.extend(v, q)
		}
		return
	}
	if role, to := r.comparator(first.to); role != "" && r.tokens[first.to].kind == sign && r.mentionAt(to) != nil {
		r.set(v, map[byte]string{'l': "g", 'g': "l"}[role[0]]+role[1:], first)
		v.flipped, v.to, v.end = true, to, r.tokens[to-1].end
		return
	}
	v.bare, v.low = true, &bound{first.number, true}
}

// rangeEnd reads the second number of a range, and the comparator before it, as in 2 to <12 years.
func (r *reader) rangeEnd(i int, between bool) (q quantity, upper string, ok bool) {
	if r.text1(i) == "-" && among(r.text1(i+1), "and to") { // 18- and 65-years
		i++
	}
	if r.text1(i) == "(" && r.text1(i+1) == "inclusive" && r.text1(i+2) == ")" {
		i += 3
	}
	join, next := r.t.words.find(r.tokens, i, func(s string) bool { return s == "range" || between && s == "and" })
	if join == "" {
		return q, "", false
	}
	upper, next = r.comparator(next)
	next = r.skip(next, 2, "")
	if q, ok = r.quantityAt(next); !ok || isFraction(r, next) || strings.HasPrefix(upper, "g") {
		return q, "", false
	}
	if q.unit == nil && r.text1(q.to) == ")" { // (16-24) weeks
		outside := quantity{to: q.to + 1, end: q.end}
		if r.readUnit(&outside); outside.unit != nil {
			q.unit, q.to, q.end = outside.unit, outside.to, outside.end
		}
	}
	return q, upper, true
}

// edges reads "(inclusive)" and "(exclusive)" behind a range.
func (r *reader) edges(v *value) {
	at := v.to
	for n := 0; n < 5 && at < len(r.tokens); n, at = n+1, at+1 {
		switch r.text1(at) {
		case "exclusive":
			v.low.inclusive = false
			if v.high != nil {
				v.high.inclusive = false
			}
			return
		case "inclusive", ",", ";":
			return
		}
	}
}

// afterOld skips "of age", "old" and "years" behind a quantity.
func (r *reader) afterOld(i int) int {
	for range 4 {
		switch w := r.text1(i); {
		case w == "of" && (r.text1(i+1) == "age" || r.text1(i+1) == "life"):
			i += 2
		case w == "old", w == "age" && r.text1(i+1) != "-", w == "years" && i > 0, w == "olds", w == "aged":
			i++
		case w == "-" && (r.text1(i+1) == "old" || r.text1(i+1) == "olds"):
			i += 2
		default:
			return i
		}
	}
	return i
}

func fits(a, b *unit) bool { return a == nil || b == nil || a.dimension == b.dimension }

// isFraction reports whether the number at a token is a part of 16 0/7 weeks or 20/40.
func isFraction(r *reader, i int) bool {
	slash := func(j int) bool {
		return r.text1(j) == "/" && j+1 < len(r.tokens) && r.tokens[j+1].kind == number && r.text1(j+1) != "30"
	}
	return slash(i+1) && !r.pressure(i) || i+1 < len(r.tokens) && r.tokens[i+1].kind == number && slash(i+2)
}

// pressure reports whether a number is of a pair such as 140/90 mmHg.
func (r *reader) pressure(i int) bool {
	if r.text1(i+1) != "/" || i+2 >= len(r.tokens) || r.tokens[i+2].kind != number {
		return false
	}
	high, low := r.tokens[i].value, r.tokens[i+2].value
	return high >= 70 && high <= 260 && low >= 30 && low <= 160 && high > low && (i+3 >= len(r.tokens) || r.text1(i+3) != "/")
}
