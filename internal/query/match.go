package query

import (
	"slices"
)

func (All) match(scope) (float64, bool) { return 0, true }

func (n And) match(s scope) (float64, bool) {
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

func (n Or) match(s scope) (float64, bool) {
	best, some := 0.0, false
	for _, choice := range n {
		if score, ok := choice.match(s); ok {
			best, some = max(best, score), true
		}
	}
	return best, some
}

func (n Not) match(s scope) (float64, bool) {
	_, ok := n.Node.match(s)
	return 0, !ok
}

func (n Source) match(s scope) (float64, bool) {
	parsed, err := Parse(string(n), AreaNamed("BasicSearch"))
	if err != nil || parsed == nil {
		return 0, err == nil
	}
	return parsed.match(s)
}

func (n Boost) match(s scope) (float64, bool) {
	score, ok := n.Node.match(s)
	if !ok {
		return 0, true
	}
	return score, true
}

func (n OneSite) match(s scope) (float64, bool) {
	for s.site = range SiteCount(s.studies.records[s.study]) {
		if score, ok := n.Node.match(s); ok {
			return score, true
		}
	}
	return 0, false
}

// match scores words that may stand apart like one name, so that the score can be
// compared with that of another name of the same thing.
func (n Term) match(s scope) (float64, bool) {
	if n.Phrase || n.FullMatch {
		return n.matchRun(s, n.Words)
	}
	sum := 0.0
	for i := range n.Words {
		score, ok := n.matchRun(s, n.Words[i:i+1])
		if !ok {
			return 0, false
		}
		sum += score
	}
	return sum / float64(len(n.Words)), true
}

// matchRun scores by the heaviest piece that has the words, which is the first. The
// others count a little, or most hits of a common word would be equal.
func (n Term) matchRun(s scope, run []string) (float64, bool) {
	holds := contains
	if n.FullMatch {
		holds = slices.Equal[[]string]
	}
	best, more, some := 0.0, 0.0, false
	for _, w := range n.Area.Pieces {
		has := slices.ContainsFunc(s.values(w.Piece), func(v value) bool { return holds(v.words, run) })
		switch {
		case has && some:
			more += w.Weight
		case has:
			best, some = w.Weight, true
		}
	}
	return best + more/10, some
}

func (n Value) match(s scope) (float64, bool) {
	return 1, slices.ContainsFunc(s.values(n.Piece), func(v value) bool { return v.text == n.Text })
}

func (n Count) match(s scope) (float64, bool) {
	return 1, len(s.values(n.Piece)) == n.N
}

func (n Missing) match(s scope) (float64, bool) {
	return 1, len(s.values(n.Piece)) == 0
}

func (n DateRange) match(s scope) (float64, bool) {
	return 1, slices.ContainsFunc(s.values(n.Piece), func(v value) bool {
		day := FirstDay(v.text)
		return n.From <= day && day <= n.To
	})
}

func (n NumberRange) match(s scope) (float64, bool) {
	return 1, slices.ContainsFunc(s.values(n.Piece), func(v value) bool {
		number, ok := n.Piece.Number(v.text)
		return ok && n.From <= number && number <= n.To
	})
}

func (n Within) match(s scope) (float64, bool) {
	return 1, slices.ContainsFunc(s.values(n.Piece), func(v value) bool {
		at, ok := ReadPoint(v.text)
		return ok && n.From.Kilometres(at) <= n.Kilometres
	})
}
