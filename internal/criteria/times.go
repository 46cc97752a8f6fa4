package criteria

// time adds a window or a duration, or an age that only its unit shows.
func (r *reader) time(v *value) bool {
	if r.ageByUnit(v) {
		return r.add(v, Limit{What: "age"}, v.from)
	}
	start, past, inside := r.windowStart(v.from)
	before, after := r.windowEnd(v.to)
	lasting := r.lasting(start - 1)
	placed := inside && !r.ofStudy(v) || past || before
	if v.bare {
		if !placed || lasting {
			return false
		}
		v.bare, v.low, v.high = false, nil, &bound{v.low.value, true}
	}
	l := Limit{What: "window"}
	if lasting && !before || !placed && !r.besideEvent(v, after) {
		l.What = "duration"
	}
	return r.add(v, l, start)
}

// lasting reports whether a word, or that before "of", says that something lasts.
func (r *reader) lasting(i int) bool {
	return r.is(i, "lasting")
}

// besideEvent reports whether a time that no word places is one since an event: in parentheses, or before "after".
func (r *reader) besideEvent(v *value, after bool) bool {
	if v.high == nil {
		return after && r.text1(v.to) != "of" // at least 6 weeks of treatment
	}
	return after || r.inParentheses(v)
}

// ofStudy reports whether a time is a phase of a study: during the 2-year follow-up.
func (r *reader) ofStudy(v *value) bool {
	return r.text1(v.number+1) == "-" && has("study-phase", r.text1(v.to))
}

// windowEnd reports whether the words behind a time place it before or after an event.
func (r *reader) windowEnd(to int) (before, after bool) {
	if among(r.text1(to), "period ( )") {
		to++
	}
	return r.is(to, "before"), r.is(to, "after")
}

// windowStart returns the token at which a window begins, and its words: within the last 6 months.
func (r *reader) windowStart(from int) (start int, past, inside bool) {
	start = from
	for range 4 {
		if r.is(start-1, "past") {
			past = true
		} else if !has("article", r.text1(start-1)) {
			break
		}
		start--
	}
	if r.is(start-1, "inside") {
		return start - 1, past, true
	}
	return start, past, false
}

// ageByUnit reports whether a time without other words is an age: years or months beside people, or in a clause of nothing else.
func (r *reader) ageByUnit(v *value) bool {
	if v.bare || !among(v.unit.name, "year month") {
		return false
	}
	if r.text1(v.from-1) == "(" && r.is(v.from-2, "people") {
		return true
	}
	people := r.people || r.closes(v.to) || r.text1(v.to) == "and" && v.most() >= 16
	return people && !r.windowed(v) && r.opens[v.from] && !r.is(v.to, "after")
}

// closes reports whether a clause or a line ends at a token.
func (r *reader) closes(i int) bool {
	return i >= len(r.tokens) || among(r.text1(i), ", ; . ) at (")
}
