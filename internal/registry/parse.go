package registry

import "strings"

// What the upstream's parser says that it expected. Its own list goes on
// where the dots are.
const (
	expectMore = "{<EOF>, '(', ',', 'NOT', 'AND', 'OR', 'SEARCH', 'AREA', 'RANGE', 'DISTANCE', ...}"
	expectTerm = "{'(', 'NOT', 'SEARCH', 'AREA', 'RANGE', 'DISTANCE', ...}"
)

// maxNesting keeps a hostile expression from using up the stack. People write
// three levels.
const maxNesting = 64

// parser reads the part of the Essie language that the sandbox understands:
//
//	expression = sequence { OR sequence }
//	sequence   = { NOT } operand { [ AND ] { NOT } operand }
//	operand    = AREA[piece] term | SEARCH[Location] term | term
//	term       = "(" expression ")" | phrase | word { word } | ALL | MISSING | RANGE[low, high]
//	           | COVERAGE[FullMatch] term
type parser struct {
	tokens  []token
	nesting int
}

// parse reads an expression whose terms are looked for in the given area. An
// empty text has no node. Its error is the upstream's sentence without the
// words that name the parameter.
func parse(text string, in area) (node, error) {
	tokens, err := lex(text)
	if err != nil {
		return nil, err
	}
	p := &parser{tokens: tokens}
	if p.peek().kind == tokenEnd && strings.TrimSpace(text) == "" {
		return nil, nil
	}
	n, err := p.expression(aim{area: in})
	if err != nil {
		return nil, err
	}
	if p.peek().kind != tokenEnd {
		return nil, p.mismatch(expectMore)
	}
	return n, nil
}

func (p *parser) peek() token { return p.tokens[0] }

// next takes a token. The last one, the end, stays.
func (p *parser) next() token {
	t := p.tokens[0]
	if t.kind != tokenEnd {
		p.tokens = p.tokens[1:]
	}
	return t
}

func (p *parser) mismatch(expected string) error {
	return refuse("mismatched input '%s' expecting %s", p.peek().text, expected)
}

func (p *parser) expression(to aim) (node, error) {
	var choices anyOf
	for {
		n, err := p.sequence(to)
		if err != nil {
			return nil, err
		}
		choices = append(choices, n)
		if p.peek().kind != tokenOr {
			break
		}
		p.next()
	}
	if len(choices) == 1 {
		return choices[0], nil
	}
	return choices, nil
}

// sequence skips terms without a letter or digit, such as a lone hyphen, but
// something must be left.
func (p *parser) sequence(to aim) (node, error) {
	var parts allOf
	for {
		negated := false
		for p.peek().kind == tokenNot {
			p.next()
			negated = !negated
		}
		n, err := p.operand(to)
		switch {
		case err != nil:
			return nil, err
		case n != nil && negated:
			parts = append(parts, noneOf{n})
		case n != nil:
			parts = append(parts, n)
		}
		switch p.peek().kind {
		case tokenAnd:
			p.next()
		case tokenEnd, tokenOr, tokenClose, tokenStray:
			switch len(parts) {
			case 0:
				return nil, refuse("inner bool query clause cannot be null")
			case 1:
				return parts[0], nil
			}
			return parts, nil
		}
	}
}

func (p *parser) operand(to aim) (node, error) {
	t := p.peek()
	if t.kind != tokenContext {
		return p.term(to)
	}
	switch t.text {
	case "AREA":
		p.next()
		inner, err := to.narrow(t.argument)
		if err != nil {
			return nil, err
		}
		return p.term(inner)
	case "SEARCH":
		p.next()
		if t.argument != "Location" || to.site {
			return nil, refuse("the sandbox understands SEARCH[Location] only, not within itself")
		}
		inner, err := p.term(aim{site: true})
		if err != nil || inner == nil {
			return nil, err
		}
		return atOneSite{inner}, nil
	}
	return p.term(to)
}

func (p *parser) term(to aim) (node, error) {
	switch t := p.peek(); t.kind {
	case tokenOpen:
		return p.group(to)
	case tokenPhrase:
		p.next()
		return to.text(t.text, true)
	case tokenWord:
		run := []string{p.next().text}
		for p.peek().kind == tokenWord {
			run = append(run, p.next().text)
		}
		return to.text(strings.Join(run, " "), false)
	case tokenAll:
		p.next()
		return all{}, nil
	case tokenMissing:
		if to.piece == nil {
			return nil, p.mismatch(expectTerm)
		}
		p.next()
		return missing{to.piece}, nil
	case tokenContext:
		switch t.text {
		case "RANGE":
			p.next()
			return to.between(t.argument)
		case "AREA", "SEARCH":
			return nil, p.mismatch(expectTerm)
		case "COVERAGE":
			return p.covered(to, t.argument)
		}
		return nil, refuse("the sandbox does not understand `%s[%s]`", t.text, t.argument)
	}
	return nil, p.mismatch(expectTerm)
}

// covered is a term that has to be the whole of a value.
func (p *parser) covered(to aim, coverage string) (node, error) {
	switch coverage {
	case "FullMatch":
	case "Contains", "StartsWith", "EndsWith":
		return nil, refuse("the sandbox does not understand `COVERAGE[%s]`", coverage)
	default:
		return nil, refuse("Invalid coverage: %s", coverage)
	}
	p.next()
	to.entire = true
	return p.term(to)
}

func (p *parser) group(to aim) (node, error) {
	p.nesting++
	defer func() { p.nesting-- }()
	if p.nesting > maxNesting {
		return nil, refuse("the sandbox does not understand more than %d nested parentheses", maxNesting)
	}
	p.next()
	n, err := p.expression(to)
	switch {
	case err != nil:
		return nil, err
	case p.peek().kind == tokenEnd:
		return nil, refuse("missing ')' at '<EOF>'")
	case p.peek().kind != tokenClose:
		return nil, p.mismatch(expectMore)
	}
	p.next()
	return n, nil
}
