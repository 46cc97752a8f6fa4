package query

import "slices"

// A LineTerm is a term of an expression, with its other names, that is looked for in the lines of
// one text.
type LineTerm struct {
	node  Node
	words []string
}

// LineTerms returns the terms of an expression for a piece, without the terms that NOT excludes. The error is that of Parse.
func LineTerms(expression, piece string) ([]LineTerm, error) {
	n, err := Parse(expression, &Area{piece, []Weighted{{PieceNamed(piece), 1}}})
	if err != nil {
		return nil, err
	}
	return lineTerms(nil, n), nil
}

func lineTerms(into []LineTerm, n Node) []LineTerm {
	switch n := n.(type) {
	case And:
		for _, part := range n {
			into = lineTerms(into, part)
		}
	case Or:
		for _, part := range n {
			into = lineTerms(into, part)
		}
	case Term:
		into = append(into, LineTerm{Synonyms().Expand(n), n.Words})
	}
	return into
}

// LineHas reports whether a line has the words of an expression for a piece.
func LineHas(expression, piece, line string) bool {
	n, err := Parse(expression, &Area{piece, []Weighted{{PieceNamed(piece), 1}}})
	return err == nil && holds(Synonyms().Expand(n), Words(line))
}

// FullMatches returns the indexes of the lines that contain all words of the term.
func (t LineTerm) FullMatches(lines []string) (found []int) {
	for i, line := range lines {
		if holds(t.node, Words(line)) {
			found = append(found, i)
		}
	}
	return found
}

// BestMatches returns the indexes of the lines that contain the most words of the term.
func (t LineTerm) BestMatches(lines []string) (found []int) {
	most := 1
	for i, line := range lines {
		text, has := Words(line), 0
		for _, w := range t.words {
			if slices.Contains(text, w) {
				has++
			}
		}
		if has > most {
			most, found = has, nil
		}
		if has == most {
			found = append(found, i)
		}
	}
	return found
}

// holds reports whether a node of terms holds for the words of one text.
func holds(n Node, text []string) bool {
	has := func(part Node) bool { return holds(part, text) }
	switch n := n.(type) {
	case And:
		return !slices.ContainsFunc(n, func(part Node) bool { return !has(part) })
	case Or:
		return slices.ContainsFunc(n, has)
	case Not:
		return !has(n.Node)
	case Term:
		if n.Phrase || n.FullMatch {
			return contains(text, n.Words)
		}
		return !slices.ContainsFunc(n.Words, func(w string) bool { return !slices.Contains(text, w) })
	}
	_, always := n.(Boost)
	return always
}
