package criteria

// time adds a window or a duration, or an age that only its unit shows.
func (r *reader) time(v *value) bool {
	if r.ageByUnit(v) {
		return r.add(v, Limit{What: "age"}, v.from)
	}
	start, past, inside := r.windowStart(v.from)
	before, after := r.windowEnd(v.to)
	lasting := r.t.is(r.tokens, start-1, "lasting") || r.text1(start-1) == "of" && r.t.is(r.tokens, start-2, "lasting")
	placed := inside || past || before
	if v.bare {
		if !placed || lasting {
			return false
		}
		v.bare, v.low, v.high = false, nil, &bound{v.low.value, true}
	}
	what := "window"
	if lasting && !before || !placed && !after && !r.inParentheses(v) {
		what = "duration"
	}
	return r.add(v, Limit{What: what, Of: r.wordsBefore(start)}, start)
}

// windowEnd reports whether the words behind a time place it before or after an event.
func (r *reader) windowEnd(to int) (before, after bool) {
	if w := r.text1(to); among(w, "period ( )") || w == "of" && r.t.is(r.tokens, to+1, "before") {
		to++
	}
	before = r.t.is(r.tokens, to, "before") || r.text1(to) == "immediately" || r.text1(to) == "or" && r.t.is(r.tokens, to+1, "before")
	return before, r.t.is(r.tokens, to, "after")
}

// windowStart returns the token at which a window begins, and its words: within the last 6 months.
func (r *reader) windowStart(from int) (start int, past, inside bool) {
	start = from
	for range 4 {
		if r.t.is(r.tokens, start-1, "past") {
			past = true
		} else if !among(r.text1(start-1), "the a his first of") {
			break
		}
		start--
	}
	if r.t.is(r.tokens, start-1, "inside") {
		return start - 1, past, true
	}
	return start, past, false
}

// ageByUnit reports whether a time without other words is an age: years or months beside people, or in a clause of nothing else.
func (r *reader) ageByUnit(v *value) bool {
	if v.bare || !among(v.unit.name, "year month") {
		return false
	}
	if r.text1(v.from-1) == "(" && r.t.is(r.tokens, v.from-2, "people") {
		return true
	}
	return !r.windowed(v) && r.nothingBefore(v.from) && !r.t.is(r.tokens, v.to, "after") && (r.people || r.closes(v.to))
}

// closes reports whether a clause or a line ends at a token.
func (r *reader) closes(i int) bool {
	return i >= len(r.tokens) || among(r.text1(i), ", ; . ) at (")
}
