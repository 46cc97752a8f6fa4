package criteria

import (
	"slices"
	"strconv"
	"strings"
)

var romans = map[string]float64{"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5}

// classes reads the classes behind the name of a scale, such as "ECOG 0, 1 or 2" or "NYHA class III-IV", and returns the token behind them.
func (r *reader) classes(m *mention) (to int) {
	if !has("classed", m.what) {
		return 0
	}
	role, from, i := r.toClass(m)
	all, ranged, to := r.classList(i, m.what)
	if len(all) == 0 {
		return 0
	}
	first := all[0]
	if role == "" && len(all) == 1 {
		post, next := r.find(to, "post-ge", "post-le")
		if post != "" {
			role, to = r.turned(post[len("post-"):], to, next), next
		}
	}
	l := Limit{What: m.what, name: r.tokens[m.from].start, Start: r.tokens[from].start, End: r.tokens[to-1].end}
	switch {
	case role != "" && first.letter == "":
		r.ranged(&l, role, first, all)
	case ranged && m.what == "ecog":
		l.Low, l.High, l.LowInclusive, l.HighInclusive = &all[0].value, &all[len(all)-1].value, true, true
	case ranged && len(all) == 2:
		l.Values = between(all[0], all[1])
	default:
		for _, c := range all {
			l.Values = append(l.Values, c.String())
		}
		l.widen(role)
	}
	r.limits = append(r.limits, l)
	return to
}

// toClass skips the words between the name of a scale and its classes. It returns the comparator among them, and the tokens of the
// comparator and of the first class.
func (r *reader) toClass(m *mention) (role string, from, class int) {
	i := m.to
	from = -1
	for before := max(0, m.from-4); before < m.from && role == ""; before++ { // worse than ECOG 2
		if found, to := r.comparator(before); found != "" && to == m.from {
			role, from = r.turned(found, before, to), before
		}
	}
	for n := 0; i < len(r.tokens) && n < 9; n++ {
		if found, next := r.comparator(i); found != "" {
			role, i, from = r.turned(found, i, next), next, i
			continue
		}
		if _, ok := r.class(i, m.what); ok || !r.is(i, "class-word") && r.mentionAt(i) == nil {
			break
		}
		i++
	}
	if from < 0 {
		from = i
	}
	return role, from, i
}

// turned returns the role of a comparator of classes, of which the higher ones are worse: "2 or better" has a high end.
func (r *reader) turned(role string, from, to int) string {
	for i := from; i < to; i++ {
		if among(r.text1(i), "better worse") {
			return map[byte]string{'g': "l", 'l': "g"}[role[0]] + role[1:]
		}
	}
	return role
}

func (r *reader) ranged(l *Limit, role string, first class, all []class) {
	if role[0] == 'g' {
		l.Low, l.LowInclusive = &first.value, role == "ge"
		if len(all) > 1 && all[1].value > first.value {
			l.High, l.HighInclusive = &all[1].value, true
		}
		return
	}
	l.High, l.HighInclusive = &first.value, role == "le"
}

// widen turns "B or higher" into the classes B and C.
func (l *Limit) widen(role string) {
	if role == "" || len(l.Values) != 1 {
		return
	}
	letters := []string{"A", "B", "C"}
	i := slices.Index(letters, l.Values[0])
	if i < 0 {
		return
	}
	switch role {
	case "ge":
		l.Values = letters[i:]
	case "gt":
		l.Values = letters[min(i+1, 2):]
	case "le":
		l.Values = letters[:i+1]
	case "lt":
		l.Values = letters[:max(i, 1)]
	}
}

// between returns all classes of a range, each written as its ends are.
func between(first, last class) (all []string) {
	if first.letter != "" || last.letter != "" {
		for c := first.String(); c != "" && c <= last.String() && c <= "C"; c = string(c[0] + 1) {
			all = append(all, c)
		}
		return all
	}
	for c := first; c.value <= last.value; c.value++ {
		all = append(all, c.String())
	}
	return all
}

// ClassNumber returns the number of a class, written as a number or a roman one.
func ClassNumber(class string) (number float64, ok bool) {
	if number = romans[strings.ToLower(class)]; number > 0 {
		return number, true
	}
	number, err := strconv.ParseFloat(class, 64)
	return number, err == nil
}

type class struct {
	value  float64
	letter string
	roman  bool
}

func (c class) String() string {
	if c.letter != "" {
		return c.letter
	}
	if c.roman {
		return []string{"I", "II", "III", "IV", "V"}[int(c.value)-1]
	}
	return strconv.FormatFloat(c.value, 'f', -1, 64)
}

// class reads one class at a token: a number, a roman number, or a letter of Child-Pugh.
func (r *reader) class(i int, what string) (c class, ok bool) {
	if i >= len(r.tokens) {
		return c, false
	}
	t, m := r.tokens[i], r.t.measures[what]
	if written := r.text[t.start:t.end]; what == "child_pugh" && among(written, "A B C") {
		return class{letter: written}, true
	}
	switch {
	case what == "child_pugh" && isPughScore(t.text):
		c.value, ok = float64(t.text[1]-'0'), true
	case t.kind == number:
		c.value = t.value
		ok = c.value == float64(int(c.value))
	case i+1 < len(r.tokens) && r.tokens[i+1].kind == word && r.tokens[i+1].start == t.end: // ⅢB
		return c, false
	case romans[t.text] > 0 && what != "ecog":
		c.value, c.roman, ok = romans[t.text], t.text != "1", true
	default:
		c.value, ok = r.t.numbers[t.text]
	}
	return c, ok && c.value >= m.low && c.value <= m.high
}

// isPughScore reports whether a word is a letter of Child-Pugh with its points: b7.
func isPughScore(word string) bool {
	return len(word) == 2 && strings.Contains("abc", word[:1]) && isDigit(word, 1)
}

// classList reads the classes at a token: 0, 1 or 2; II-III; 0 to 2.
func (r *reader) classList(i int, what string) (all []class, ranged bool, to int) {
	all = r.classesAt(i, what)
	for to = i + 1; len(all) > 0 && to < len(r.tokens) && len(all) < 8; {
		j, joins, dash := r.joined(to)
		next := r.classesAt(j, what)
		if len(next) == 0 || !joins || what == "ecog" && has("no-class", r.text1(j+1)) ||
			next[0].letter == "" && all[0].letter == "" && next[0].value <= all[len(all)-1].value {
			break
		}
		all, to, ranged = append(all, next...), j+1, ranged || dash
	}
	return all, ranged, to
}

// classesAt returns the class at a token, or those of "0,1", which behind other measures is a decimal number.
func (r *reader) classesAt(i int, what string) (all []class) {
	if c, ok := r.class(i, what); ok {
		return []class{c}
	}
	if i >= len(r.tokens) || r.tokens[i].kind != number || strings.Trim(r.tokens[i].text, "0123456789,") != "" {
		return nil
	}
	for digit := range strings.SplitSeq(r.tokens[i].text, ",") {
		value, m := readNumber(digit), r.t.measures[what]
		if len(digit) != 1 || value < m.low || value > m.high || len(all) > 0 && value <= all[len(all)-1].value {
			return nil
		}
		all = append(all, class{value: value})
	}
	return all
}

// joined skips the words between two classes, and reports whether they join classes, and whether they make a range.
func (r *reader) joined(i int) (next int, joins, dash bool) {
	for next = i; next < min(len(r.tokens), i+4); next++ {
		w := r.text1(next)
		switch {
		case has("class-range", w):
			joins, dash = true, true
		case among(w, ", or and / &"):
			joins = true
		case !has("class-filler", w):
			return next, joins, dash
		}
	}
	return next, joins, dash
}
