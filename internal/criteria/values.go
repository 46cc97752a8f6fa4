package criteria

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
		times, from := r.multiple(i)
		if q, ok = r.once(at, from < i); !ok {
			return v, false
		}
		if v.from = from; from < i { // 3 times higher than the ULN
			q.number = times
		}
	}
	v.number = at
	r.timesGreater(&q)
	r.set(&v, role, q)
	r.extend(&v, q)
	r.secondEnd(&v, role)
	return v, true
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
	if again == "" && join == "range" && v.low != nil && q.number > v.low.value {
		again = "le"
	} else if q.unit == nil && v.unit != nil && r.mentionAt(q.to) != nil {
		return
	}
	if !ok || !fits(q.unit, v.unit) || again == "" || again[0] == role[0] {
		return
	}
	r.join(v, again, q)
}

// join adds the other end to a value, unless no number is between them: < 40 and > 100.
func (r *reader) join(v *value, role string, q quantity) {
	both := *v
	r.set(&both, role, q)
	r.extend(&both, q)
	switch divided := other(v.unit, q.unit); {
	case divided && role[0] == 'l':
		both.divide(v.unit, q.unit)
	case divided, both.low.value > both.high.value:
		return
	}
	*v = both
}

// other reports whether two units are given, and differ.
func other(a, b *unit) bool { return a != nil && b != nil && a != b }

// divide makes two values of the ends of a range in two units: 6 months to 18 years.
func (v *value) divide(low, high *unit) {
	v.second = &value{high: v.high, unit: high}
	v.high, v.unit = nil, low
}

// one reports whether a value has one end.
func (v *value) one() bool { return (v.low == nil) != (v.high == nil) }

// timed reports whether a value is a time.
func (v *value) timed() bool { return v.unit != nil && v.unit.dimension == "time" }

// most returns the higher end of a value.
func (v *value) most() float64 {
	if v.high != nil {
		return v.high.value
	}
	return v.low.value
}

// joint skips the word between the two ends of a value.
func (r *reader) joint(i int) (role string, next int) {
	role, next = r.find(i, "range", "and")
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
	role, at := r.find(i, "between")
	v.from, at = i, r.skip(at, 4, "years : ( is between")
	if role == "" {
		at = i
	}
	first, ok := r.quantityAt(at)
	if !ok {
		return v, false
	}
	v.number = at
	second, upper, ok := r.rangeEnd(r.afterOld(first.to), role != "")
	if ok && first.most(second) && fits(first.unit, second.unit) {
		v.low, v.high = &bound{first.number, true}, &bound{second.number, upper != "lt"}
		r.extend(&v, first)
		r.extend(&v, second)
		if other(first.unit, second.unit) { // 6 months to 18 years
			v.divide(first.unit, second.unit)
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
	if r.orMore(v, first) {
		return
	}
	if role, to := r.comparator(first.to); role != "" && r.tokens[first.to].kind == sign && r.mentionAt(to) != nil {
		r.set(v, map[byte]string{'l': "g", 'g': "l"}[role[0]]+role[1:], first)
		v.flipped, v.to, v.end = true, to, r.tokens[to-1].end
		return
	}
	v.bare, v.low = true, &bound{first.number, true}
}

// timesGreater reads the unit behind "times greater than", which says no more than "times".
func (r *reader) timesGreater(q *quantity) {
	if q.unit != nil || !among(r.text1(q.to), "times x fold") {
		return
	}
	if role, to := r.comparator(q.to + 1); role == "gt" {
		behind := quantity{to: to, end: q.end}
		if r.readUnit(&behind); behind.unit != nil {
			q.unit, q.to, q.end = behind.unit, behind.to, behind.end
		}
	}
}

// orMore reads the comparator behind a quantity, such as "or older", and reports whether it did.
func (r *reader) orMore(v *value, q quantity) bool {
	at, times := r.afterOld(q.to), among(r.text1(q.to), "times fold")
	if times {
		at++
	}
	post, to := r.find(at, "post-ge", "post-gt", "post-le", "post-lt")
	if post == "" || r.text1(to-1) == "+" && to < len(r.tokens) && r.tokens[to].kind == number { // Gleason 3+4
		return false
	}
	v.low, v.bare = nil, false
	r.set(v, post[len("post-"):], q)
	v.to, v.end = to, r.tokens[to-1].end
	if q := (quantity{to: v.to, end: v.end}); v.unit == nil && (times || r.text1(to-1) == "+") {
		r.readUnit(&q)
		r.extend(v, q)
	}
	return true
}

// rangeEnd reads the second number of a range, and the comparator before it, as in 2 to <12 years.
func (r *reader) rangeEnd(i int, between bool) (q quantity, upper string, ok bool) {
	join, next := r.find(i, "range", "and")
	if join == "" || join == "and" && !between {
		return q, "", false
	}
	upper, next = r.comparator(next)
	next = r.skip(next, 2, "")
	if q, ok = r.quantityAt(next); !ok {
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
		case among(w, "old age years"):
			i++
		default:
			return i
		}
	}
	return i
}

func fits(a, b *unit) bool { return a == nil || b == nil || a.dimension == b.dimension }

// pressure reports whether a number is of a pair such as 140/90 mmHg.
func (r *reader) pressure(i int) bool {
	if r.text1(i+1) != "/" || i+2 >= len(r.tokens) || r.tokens[i+2].kind != number {
		return false
	}
	high, low := r.tokens[i].value, r.tokens[i+2].value
	return high >= 70 && high <= 260 && low >= 30 && low <= 160 && high > low && (i+3 >= len(r.tokens) || r.text1(i+3) != "/")
}
