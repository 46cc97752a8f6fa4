package criteria

import (
	"cmp"
	"slices"
)

// A Limit is a number with its measure: a range, classes, a time. Nothing is turned round: in a list of
// exclusions "HbA1c > 10" has a low end too.
type Limit struct {
	What, Name    string // Name: the words before the comparator, if What is other
	Low, High     *float64
	LowInclusive  bool
	HighInclusive bool
	Values        []string // classes
	Unit          string   // that of a number without unit, if the measure has one; else ""
	Bare          bool     // a value, not a limit: only Values returns it
	Start, End    int      // bytes of the text
	name          int      // byte at which the name of the measure begins
}

// reader reads the limits of one line.
type reader struct {
	t        *tableSet
	text     string
	tokens   []token
	phrases  [][]found  // of each token: the phrases that begin at it
	units    []*unit    // of each token: the unit that begins at it
	unitEnds []int      // of each token: the byte behind its unit, 0 if it was not looked for
	opens    []bool     // of each token: its clause has no words before it, but for people
	clause   []int      // of each token: the number of its clause
	mentions []*mention // by token
	last     []int      // of each token: the last token at or before it that begins a mention, or -1
	limits   []Limit
	values   bool // bare numbers are measured values
	people   bool // the line has a word for people
}

// A mention is a measure that a line names.
type mention struct {
	what     string
	from, to int
}

// find returns the longest phrase at a token with one of some roles, and the token behind it.
func (r *reader) find(i int, roles ...string) (role string, to int) {
	if i >= 0 && i < len(r.phrases) {
		for _, f := range r.phrases[i] {
			if slices.Contains(roles, f.role) {
				return f.role, f.to
			}
		}
	}
	return "", i
}

// is reports whether the word at a token has a role.
func (r *reader) is(i int, role string) bool {
	found, _ := r.find(i, role)
	return found != ""
}

func (r *reader) text1(i int) string {
	if i < 0 || i >= len(r.tokens) {
		return ""
	}
	return r.tokens[i].text
}

func (r *reader) mentionAt(i int) *mention {
	if i < 0 || i >= len(r.mentions) {
		return nil
	}
	return r.mentions[i]
}

// comparator returns the comparator at a token: ge, gt, le or lt, and the token behind it.
func (r *reader) comparator(i int) (role string, to int) {
	role, to = r.find(i, "ge", "gt", "le", "lt")
	if role == "" || to >= len(r.tokens) {
		return role, to
	}
	if r.text1(to) == "(" && r.tokens[min(to+1, len(r.tokens)-1)].kind == sign && r.text1(to+2) == ")" { // greater than (>) 3
		to += 3
	} else if r.tokens[to].kind == sign && r.tokens[i].kind == word { // not more than ≤ 3
		if again, next := r.comparator(to); again != "" && again[0] == role[0] {
			role, to = again, next
		}
	}
	return role, to
}

// skip returns the next token that is neither a filler nor one of some other words, at most n tokens ahead.
func (r *reader) skip(i, n int, others string) int {
	for n > 0 && (has("filler", r.text1(i)) || among(r.text1(i), others)) {
		i++
		n--
	}
	return i
}

// behind returns the first token that starts at or behind a byte.
func (r *reader) behind(at int) int {
	i, _ := slices.BinarySearchFunc(r.tokens, at, func(t token, at int) int { return cmp.Compare(t.start, at) })
	return i
}
