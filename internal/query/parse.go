package query

import "strings"

// The expected tokens in messages of the registry's parser. The registry's list is longer; dots replace the rest.
const (
	expectMore = "{<EOF>, '(', ',', 'NOT', 'AND', 'OR', 'SEARCH', 'AREA', 'RANGE', 'DISTANCE', ...}"
	expectTerm = "{'(', 'NOT', 'SEARCH', 'AREA', 'RANGE', 'DISTANCE', ...}"
)

// maxNesting keeps a hostile expression from using up the stack. People write
// three levels.
const maxNesting = 64

// parser reads the supported part of the language:
//
//	expression = sequence { OR sequence }
//	sequence   = { NOT } operand { [ AND ] { NOT } operand }
//	operand    = AREA[piece] term | SEARCH[Location] term | term
//	term       = "(" expression ")" | COVERAGE[FullMatch] term | phrase | word { word } | ALL | MISSING |
//	             RANGE[low, high] | DISTANCE[lat,lon,radius]
type parser struct {
	tokens  []token
	nesting int
}

// Parse reads an expression whose terms are looked for in an area. A text of
// white space has no node. The error is a BadRequest, without the parameter's name.
func Parse(text string, area *Area) (Node, error) {
	tokens, err := lex(text)
	if err != nil {
		return nil, err
	}
	p := &parser{tokens: tokens}
	if p.peek().kind == endToken && strings.TrimSpace(text) == "" {
		return nil, nil
	}
	n, err := p.expression(target{area: area})
	if err != nil {
		return nil, err
	}
	if p.peek().kind != endToken {
		return nil, p.mismatch(expectMore)
	}
	return n, nil
}

func (p *parser) peek() token { return p.tokens[0] }

// next takes a token. The last one, the end, stays.
func (p *parser) next() token {
	t := p.tokens[0]
	if t.kind != endToken {
		p.tokens = p.tokens[1:]
	}
	return t
}

func (p *parser) mismatch(expected string) error {
	return refuse("mismatched input '%s' expecting %s", p.peek().text, expected)
}

func (p *parser) expression(in target) (Node, error) {
	var choices Or
	for {
		n, err := p.sequence(in)
		if err != nil {
			return nil, err
		}
		choices = append(choices, n)
		if p.peek().kind != "OR" {
			break
		}
		p.next()
	}
	if len(choices) == 1 {
		return choices[0], nil
	}
	return choices, nil
}

// sequence leaves out terms without a letter or digit, such as a lone hyphen, but
// something must be left.
func (p *parser) sequence(in target) (Node, error) {
	var parts And
	for {
		n, err := p.factor(in)
		if err != nil {
			return nil, err
		}
		if n != nil {
			parts = append(parts, n)
		}
		switch p.peek().kind {
		case "AND":
			p.next()
		case endToken, "OR", ")", "[", "]":
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

// factor reads an operand and any NOT before it.
func (p *parser) factor(in target) (Node, error) {
	negated := false
	for p.peek().kind == "NOT" {
		p.next()
		negated = !negated
	}
	n, err := p.operand(in)
	if n != nil && negated {
		n = Not{n}
	}
	return n, err
}

func (p *parser) operand(in target) (Node, error) {
	t := p.peek()
	switch {
	case t.kind == contextToken && t.text == "AREA":
		p.next()
		inner, err := in.narrow(t.argument)
		if err != nil {
			return nil, err
		}
		return p.term(inner)
	case t.kind == contextToken && t.text == "SEARCH":
		p.next()
		if t.argument != "Location" || in.site {
			return nil, unsupported("understands SEARCH[Location] only, not within itself")
		}
		n, err := p.term(target{site: true})
		if err != nil || n == nil {
			return nil, err
		}
		return OneSite{n}, nil
	}
	return p.term(in)
}

func (p *parser) term(in target) (Node, error) {
	switch t := p.peek(); t.kind {
	case "(":
		return p.group(in)
	case phraseToken:
		p.next()
		return in.term(t.text, true)
	case wordToken:
		run := []string{p.next().text}
		for p.peek().kind == wordToken {
			run = append(run, p.next().text)
		}
		return in.term(strings.Join(run, " "), false)
	case "ALL":
		p.next()
		return All{}, nil
	case "MISSING":
		if in.piece == nil {
			break
		}
		p.next()
		return Missing{in.piece}, nil
	case contextToken:
		return p.contextTerm(in)
	}
	return nil, p.mismatch(expectTerm)
}

// contextTerm reads a term that begins with a context operator.
func (p *parser) contextTerm(in target) (Node, error) {
	t := p.peek()
	switch t.text {
	case "AREA", "SEARCH":
		return nil, p.mismatch(expectTerm)
	case "RANGE":
		p.next()
		return in.between(t.argument)
	case "DISTANCE":
		p.next()
		return in.within(t.argument)
	case "COVERAGE":
		switch t.argument {
		case "FullMatch":
			p.next()
			in.fullMatch = true
			return p.term(in)
		case "Contains", "StartsWith", "EndsWith":
		default:
			return nil, refuse("Invalid coverage: %s", t.argument)
		}
	}
	return nil, unsupported("does not understand `%s[%s]`", t.text, t.argument)
}

func (p *parser) group(in target) (Node, error) {
	p.nesting++
	defer func() { p.nesting-- }()
	if p.nesting > maxNesting {
		return nil, unsupported("does not understand more than %d nested parentheses", maxNesting)
	}
	p.next()
	n, err := p.expression(in)
	switch {
	case err != nil:
		return nil, err
	case p.peek().kind == endToken:
		return nil, refuse("missing ')' at '<EOF>'")
	case p.peek().kind != ")":
		return nil, p.mismatch(expectMore)
	}
	p.next()
	return n, nil
}
