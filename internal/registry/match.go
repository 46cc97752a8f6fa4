package registry

import (
	"slices"
	"sort"
	"strconv"
	"sync"
)

// column holds the values of one piece for every study, cut into words. It is
// made when a query first asks for the piece: most pieces are never asked
// for, and the words of all results would take most of the memory.
type column struct {
	once    sync.Once
	studies [][]value
}

func (t *Studies) column(p *Piece) [][]value {
	c := &t.columns[p.ordinal]
	c.once.Do(func() {
		c.studies = make([][]value, len(t.records))
		for i, study := range t.records {
			found := p.values(study)
			for j := range found {
				found[j].words = words(found[j].text)
			}
			c.studies[i] = found
		}
	})
	return c.studies
}

// scope is what an expression is held against: a study, or one site of it.
type scope struct {
	studies *Studies
	study   int
	site    int // -1 for the whole study
}

func (s scope) values(p *Piece) []value {
	found := s.studies.column(p)[s.study]
	if s.site < 0 {
		return found
	}
	from := sort.Search(len(found), func(i int) bool { return found[i].item >= s.site })
	to := sort.Search(len(found), func(i int) bool { return found[i].item > s.site })
	return found[from:to]
}

// node is a part of an expression. The score tells how well it matches, for
// the rank, and means nothing where it does not match.
type node interface {
	match(scope) (score float64, ok bool)
}

type (
	// all is the word ALL.
	all struct{}
	// allOf is AND, written or not.
	allOf []node
	// anyOf is OR.
	anyOf []node
	// noneOf is NOT.
	noneOf struct{ node }
	// bonus never excludes a study; it only lifts those that match.
	bonus struct{ node }
	// atOneSite is SEARCH[Location].
	atOneSite struct{ node }
	// each wants every word somewhere in the area. Its score is that of one
	// name, so that it can be held against other names of the same thing.
	each struct {
		in    area
		words []string
	}
	// together wants the words side by side in one value of the area.
	together struct {
		in    area
		words []string
	}
	// entirely wants a value of the area that is the words and nothing else.
	entirely struct {
		in    area
		words []string
	}
	// exactly wants a value of an enum.
	exactly struct {
		piece *Piece
		text  string
	}
	// sized wants a number of values.
	sized struct {
		piece *Piece
		n     int
	}
	// missing wants no value.
	missing struct{ piece *Piece }
	// during wants a date between two full dates.
	during struct {
		piece     *Piece
		low, high string
	}
	// amount wants a number between two.
	amount struct {
		piece     *Piece
		low, high float64
	}
)

func (all) match(scope) (float64, bool) { return 0, true }

func (n allOf) match(s scope) (float64, bool) {
	sum := 0.0
	for _, part := range n {
		score, ok := part.match(s)
		if !ok {
			return 0, false
		}
		sum += score
	}
	return sum, true
}

func (n anyOf) match(s scope) (float64, bool) {
	best, some := 0.0, false
	for _, choice := range n {
		if score, ok := choice.match(s); ok {
			best, some = max(best, score), true
		}
	}
	return best, some
}

func (n noneOf) match(s scope) (float64, bool) {
	_, ok := n.node.match(s)
	return 0, !ok
}

func (n bonus) match(s scope) (float64, bool) {
	score, ok := n.node.match(s)
	if !ok {
		return 0, true
	}
	return score, true
}

func (n atOneSite) match(s scope) (float64, bool) {
	sites, _ := lookUp(s.studies.records[s.study], pieces().byName["Location"].Path).([]any)
	for s.site = range sites {
		if score, ok := n.node.match(s); ok {
			return score, true
		}
	}
	return 0, false
}

func lookUp(node any, steps []string) any {
	for _, step := range steps {
		object, _ := node.(map[string]any)
		node = object[step]
	}
	return node
}

func (n each) match(s scope) (float64, bool) {
	sum := 0.0
	for i := range n.words {
		score, ok := together{n.in, n.words[i : i+1]}.match(s)
		if !ok {
			return 0, false
		}
		sum += score
	}
	return sum / float64(len(n.words)), true
}

// match scores by the heaviest piece that has the words, which is the first.
// The others count a little, or most hits of a common word would be equal.
func (n together) match(s scope) (float64, bool) {
	best, more, some := 0.0, 0.0, false
	for _, w := range n.in {
		has := slices.ContainsFunc(s.values(w.piece), func(v value) bool { return contains(v.words, n.words) })
		switch {
		case has && some:
			more += w.weight
		case has:
			best, some = w.weight, true
		}
	}
	return best + more/10, some
}

func (n entirely) match(s scope) (float64, bool) {
	for _, w := range n.in {
		if slices.ContainsFunc(s.values(w.piece), func(v value) bool { return slices.Equal(v.words, n.words) }) {
			return w.weight, true
		}
	}
	return 0, false
}

func contains(text, run []string) bool {
	for i := 0; i+len(run) <= len(text); i++ {
		if text[i] == run[0] && slices.Equal(text[i:i+len(run)], run) {
			return true
		}
	}
	return false
}

func (n exactly) match(s scope) (float64, bool) {
	return 1, slices.ContainsFunc(s.values(n.piece), func(v value) bool { return v.text == n.text })
}

func (n sized) match(s scope) (float64, bool) {
	return 1, len(s.values(n.piece)) == n.n
}

func (n missing) match(s scope) (float64, bool) {
	return 1, len(s.values(n.piece)) == 0
}

func (n during) match(s scope) (float64, bool) {
	return 1, slices.ContainsFunc(s.values(n.piece), func(v value) bool {
		day := firstDay(v.text)
		return n.low <= day && day <= n.high
	})
}

func (n amount) match(s scope) (float64, bool) {
	return 1, slices.ContainsFunc(s.values(n.piece), func(v value) bool {
		number, err := strconv.ParseFloat(v.text, 64)
		return err == nil && n.low <= number && number <= n.high
	})
}

// firstDay and lastDay complete a date of which the day, or day and month,
// are not given. A time after the day is cut off. Days are compared as text,
// so that every month may have 31.
func firstDay(date string) string { return completeDate(date, "-01-01") }

func lastDay(date string) string { return completeDate(date, "-12-31") }

func completeDate(date, end string) string {
	if len(date) >= len("yyyy-MM-dd") {
		return date[:len("yyyy-MM-dd")]
	}
	return date + end[max(0, len(date)-len("yyyy")):]
}
