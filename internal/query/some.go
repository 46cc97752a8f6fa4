package query

import "slices"

// Some holds where at least one of its words is found, or all of them. An expression has it as "(beta blocker) OR beta OR (blocker OR
// blockers)": all words, then each word, or its spellings in parentheses. It has more to say than an Or: how many of the words are found.
type Some struct {
	All   Node
	Words []Node // each a Term, or an Or of the Terms of its spellings
}

// match adds the scores of the words that are found. A study with all words has a higher score than any other.
func (n Some) match(s scope) (float64, bool) {
	const more = 100 // than any score of some words
	sum, some := n.All.match(s)
	if some {
		sum += more
	}
	for _, w := range n.Words {
		if score, ok := w.match(s); ok {
			sum, some = sum+score, true
		}
	}
	return sum, some
}

// minSome is the least number of alternatives of Some: people write two that have a word in common.
const minSome = 3

// someWords returns alternatives as Some if the first one has a word of each of the others.
func someWords(choices Or) (Some, bool) {
	if len(choices) < minSome {
		return Some{}, false
	}
	all := Terms(choices[0])
	for _, n := range choices[1:] {
		spellings := Terms(n)
		if _, both := n.(And); both || !slices.ContainsFunc(spellings, func(t Term) bool { return within(t, all) }) {
			return Some{}, false
		}
	}
	return Some{choices[0], choices[1:]}, len(all) > 0
}

// Terms returns the terms of a node of terms, none for any other node.
func Terms(n Node) (terms []Term) {
	var nodes []Node
	switch n := n.(type) {
	case Term:
		if !n.FullMatch {
			return []Term{n}
		}
		return nil
	case And:
		nodes = n
	case Or:
		nodes = n
	default:
		return nil
	}
	for _, part := range nodes {
		inner := Terms(part)
		if len(inner) == 0 {
			return nil
		}
		terms = append(terms, inner...)
	}
	return terms
}

// within reports whether other terms of the same area have the words of a term.
func within(t Term, others []Term) bool {
	for _, w := range t.Words {
		if !slices.ContainsFunc(others, func(o Term) bool { return o.Area.Name == t.Area.Name && slices.Contains(o.Words, w) }) {
			return false
		}
	}
	return true
}
