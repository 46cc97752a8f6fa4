package criteria

// add adds one limit with the ends of a value.
func (r *reader) add(v *value, l Limit, from int) bool {
	l.Start, l.End = r.tokens[v.from].start, v.end
	if from != v.from {
		l.Start = r.tokens[from].start
	}
	l.Bare = v.bare
	if v.low != nil {
		l.Low, l.LowInclusive = &v.low.value, v.low.inclusive
	}
	if v.high != nil {
		l.High, l.HighInclusive = &v.high.value, v.high.inclusive
	}
	if v.unit != nil {
		l.Unit = v.unit.name
	} else {
		l.Unit = r.t.usualUnit(l.What)
	}
	if !r.correct(v, &l) {
		return false
	}
	r.limits = append(r.limits, l)
	if v.second != nil {
		other := *v.second
		r.limits[len(r.limits)-1].End = v.end
		r.limits = append(r.limits, Limit{What: l.What, High: &other.high.value, HighInclusive: other.high.inclusive,
			Unit: other.unit.name, name: l.name, Start: l.Start, End: l.End})
	}
	return true
}

// correct reads the measure of a limit from its numbers, and reports whether they can be those of the measure.
func (r *reader) correct(v *value, l *Limit) bool {
	switch {
	case l.What == "blood_pressure":
		l.What = r.pressureOf(v, l)
	case l.What == "lvef" && v.unit == nil:
		l.percent()
	case l.What == "age" && v.high == nil && v.low.value < 0: // age: >= -18
		v.low.value = -v.low.value
	}
	return l.What != "" && (l.What == "other" || v.most() >= 0) && (v.bare || r.possible(v, l))
}

// possible reports whether the numbers of a limit can be those of its measure: not at least 1 of, > 5 mmHg lower than.
func (r *reader) possible(v *value, l *Limit) bool {
	m := r.t.measures[l.What]
	switch {
	case m == nil || v.unit == nil && m.dimensions[0] == "time":
		return true
	case v.unit == nil && among(r.text1(v.to), "of out") && !among(m.dimensions[0], "points none"):
		return false
	case v.unit == nil && m.usual == unknownUnit:
		return true
	}
	for _, end := range []*float64{l.Low, l.High} {
		if end == nil || v.unit != nil && v.unit.dimension != m.dimensions[0] {
			continue
		}
		n := *end
		if v.unit != nil {
			n *= v.unit.factor
		}
		if !m.has(n) {
			return false
		}
	}
	return true
}

// has reports whether a limit of the measure can have a number.
func (m *measure) has(n float64) bool { return n == 0 || n >= m.low && n <= 2*m.high }

// pressureOf returns the pressure of a number: the systolic one, unless it follows that of the same words; none if it is too low.
func (r *reader) pressureOf(v *value, l *Limit) string {
	if len(r.limits) > 0 && v.one() {
		last := &r.limits[len(r.limits)-1]
		near := last.What == "systolic_bp" && last.name == l.name && (v.low == nil) == (last.Low == nil)
		if near && (v.low != nil && v.low.value < *last.Low || v.high != nil && v.high.value < *last.High) { // > 140 or > 90 mmHg
			return "diastolic_bp"
		}
	}
	if (v.low == nil || v.low.value < 100) && (v.high == nil || v.high.value < 70) {
		return ""
	}
	return "systolic_bp"
}

// percent reads 0.50 as 50 %.
func (l *Limit) percent() {
	for _, end := range []*float64{l.Low, l.High} {
		if end != nil && *end <= 1 {
			*end *= 100
		}
	}
}

// wordsBefore returns the words before a token in its clause, at most six, and none of the limit before it.
func (r *reader) wordsBefore(to int) string {
	from, end := to, r.lastEnd()
	for from > 0 && to-from < 6 && r.clause[from-1] == r.clause[min(to, len(r.clause)-1)] {
		if w := r.tokens[from-1]; w.start < end || w.endsName() {
			break
		}
		from--
	}
	for from < to && (r.tokens[from].kind == mark || has("filler", r.text1(from)) || among(r.text1(from), "or and")) {
		from++
	}
	for to > from && (r.tokens[to-1].kind == mark || has("joining", r.text1(to-1))) {
		to--
	}
	if from >= to {
		return ""
	}
	return r.text[r.tokens[from].start:r.tokens[to-1].end]
}

// endsName reports whether a token ends the words of a name: a sign, a number, a comma or a colon.
func (t token) endsName() bool {
	return t.kind == sign || t.kind == number || t.text == "," || t.text == ":"
}

// lastEnd returns the end of the last limit.
func (r *reader) lastEnd() int {
	if n := len(r.limits); n > 0 {
		return r.limits[n-1].End
	}
	return 0
}

// opensClause reports for each token whether its clause has no words before it, or only words for people.
func (r *reader) opensClause() []bool {
	opens, after := make([]bool, len(r.tokens)+1), false // after: only such words precede since the clause or people
	for i := range r.tokens {
		comma := i > 0 && r.people && among(r.text1(i-1), ", :")
		switch {
		case i == 0 || r.clause[i] != r.clause[i-1] || comma && r.is(i, "people"):
			after = true
		default:
			after = after && (r.tokens[i-1].kind == number || has("beside-people", r.text1(i-1)) || r.is(i-1, "people"))
		}
		opens[i] = after || comma
	}
	return opens
}

// windowed reports whether a time is one before or after an event, not of a measure.
func (r *reader) windowed(v *value) bool {
	return r.is(v.from-1, "inside") || r.is(v.to, "before")
}

func (r *reader) inParentheses(v *value) bool {
	return r.text1(v.from-1) == "(" && r.text1(v.to) == ")"
}
