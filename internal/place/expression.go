package place

import (
	"strings"

	"github.com/biofact-mcp/biofact/internal/boolean"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// An Expression is the meaning of a text: one place, or several expressions and their relation.
type Expression struct {
	Place *Place // nil for several expressions
	Join  Join
	Of    []Expression
	// Ignored are the operators of the text that have no place on one of their sides.
	Ignored []string
}

// Join is the relation between the expressions of an Expression.
type Join int

// The relations.
const (
	Any  Join = iota // one of the expressions must hold
	All              // all of them must hold
	None             // the one expression must not hold
)

// Places returns the places of an expression: those that a site should have, and those that are excluded.
func (e Expression) Places() (included, excluded []Place) {
	if e.Place != nil {
		return []Place{*e.Place}, nil
	}
	for _, part := range e.Of {
		in, out := part.Places()
		if e.Join == None {
			in, out = out, in
		}
		included, excluded = append(included, in...), append(excluded, out...)
	}
	return included, excluded
}

// Alternatives returns the places that OR joins; nil for an expression of another kind.
func (e Expression) Alternatives() (places []Place) {
	for _, one := range e.Of {
		if e.Join != Any || one.Place == nil {
			return nil
		}
		places = append(places, *one.Place)
	}
	return places
}

// Read returns the meaning of a text. AND, OR and NOT in capitals and parentheses combine places, and so do a small "or", a semicolon and a
// bar. A small "and" or "not" is part of a name. OR is Oregon where a state fits, as at the end of a place. The only error is *Problem.
func Read(text string) (Expression, error) {
	text = strings.Join(strings.Fields(text), " ")
	if IsCountryOrState(text) || coordinates.MatchString(text) { // BOSNIA AND HERZEGOVINA; (42.36; -71.06)
		return single(text)
	}
	tokens, ignored := boolean.DropDangling(boolean.Balance(lex(text)))
	if len(tokens) == 0 && len(ignored) > 0 {
		return Expression{}, &Problem{Kind: Anywhere, Text: text}
	}
	if len(tokens) == 0 {
		return single(text)
	}
	p := parser{tokens, len(tokens) > 1}
	all, err := p.either()
	all.Ignored = ignored
	return all, err
}

func single(text string) (Expression, error) {
	at, err := readOne(text)
	return Expression{Place: &at}, err
}

// A parser reads tokens from the first to the last. Each token of the kind Word is a place.
type parser struct {
	tokens []boolean.Token
	joined bool // the text has several places
}

// next takes the next token if it is the given one.
func (p *parser) next(kind boolean.Kind, text string) bool {
	if len(p.tokens) == 0 || p.tokens[0].Kind != kind || p.tokens[0].Text != text {
		return false
	}
	p.tokens = p.tokens[1:]
	return true
}

// either reads expressions with OR between them.
func (p *parser) either() (Expression, error) {
	return p.several(Any, p.both, func() bool { return p.next(boolean.Operator, "OR") })
}

// both reads expressions with AND or NOT between them.
func (p *parser) both() (Expression, error) {
	return p.several(All, p.one, func() bool {
		isNot := len(p.tokens) > 0 && p.tokens[0] == boolean.Token{Kind: boolean.Operator, Text: "NOT"}
		return p.next(boolean.Operator, "AND") || isNot
	})
}

// several reads expressions for as long as a separator follows.
func (p *parser) several(join Join, read func() (Expression, error), separator func() bool) (Expression, error) {
	all := Expression{Join: join}
	for {
		one, err := read()
		if err != nil {
			return one, err
		}
		if all.Of = append(all.Of, one); !separator() {
			break
		}
	}
	if len(all.Of) == 1 {
		return all.Of[0], nil
	}
	return all, nil
}

// one reads a place, a group, or the exclusion of one of them.
func (p *parser) one() (Expression, error) {
	if p.next(boolean.Operator, "NOT") {
		excluded, err := p.one()
		return Expression{Join: None, Of: []Expression{excluded}}, err
	}
	if p.next(boolean.Open, "(") {
		group, err := p.either()
		p.next(boolean.Close, ")")
		return group, err
	}
	text := p.tokens[0].Text
	p.tokens = p.tokens[1:]
	read, err := single(text)
	if p.joined && len(p.tokens) == 0 && strings.HasSuffix(text, " OR") { // Boston OR Houston OR
		read.Place.Remarks = append(read.Place.Remarks, Remark{Text: quoted(text) + " was read as a place in Oregon."})
	}
	return read, err
}

// aWord finds a word, or a sign that may separate places.
var aWord = lazyregexp.New(`[();|]|[^\s();|]+`)

// separators map the words and signs between places to operators.
var separators = map[string]string{
	"AND": "AND", "OR": "OR", "NOT": "NOT", "or": "OR", "Or": "OR", "AND/OR": "OR", "and/or": "OR", ";": "OR", "|": "OR",
}

// lex splits a text into places, operators and the parentheses around groups.
func lex(text string) (tokens []boolean.Token) {
	spans := aWord.FindAllStringIndex(text, -1)
	words := make([]string, len(spans)+1) // with an empty word at the end
	for i, s := range spans {
		words[i] = text[s[0]:s[1]]
	}
	groups := groupsOf(words)
	start, inside := -1, 0 // the start of a place, and the number of open parentheses in it
	for i, s := range spans {
		before := ""
		if start >= 0 {
			before = text[start:s[0]]
		}
		kind, sign := boolean.Word, words[i]
		if groups[i] {
			kind = map[string]boolean.Kind{"(": boolean.Open, ")": boolean.Close}[sign]
		} else if inside = max(0, inside+map[string]int{"(": 1, ")": -1}[sign]); inside == 0 {
			afterPlace := start >= 0 || len(tokens) > 0 && tokens[len(tokens)-1].EndsOperand()
			if operator := operatorOf(sign, before, strings.TrimSpace(text[s[1]:]), afterPlace); operator != "" {
				kind, sign = boolean.Operator, operator
			}
		}
		if kind == boolean.Word {
			if start < 0 {
				start = s[0]
			}
			continue
		}
		if start >= 0 {
			tokens = append(tokens, boolean.Token{Kind: boolean.Word, Text: strings.TrimRight(before, ", ")})
		}
		tokens, start, inside = append(tokens, boolean.Token{Kind: kind, Text: sign}), -1, 0
	}
	if start >= 0 {
		tokens = append(tokens, boolean.Token{Kind: boolean.Word, Text: text[start:]})
	}
	return tokens
}

// operatorOf returns the operator that a word means between two parts of a text, "" for a word of a place.
func operatorOf(sign, before, after string, afterPlace bool) string {
	operator := separators[sign]
	mayBeOregon := strings.EqualFold(sign, "or") && (before != "" || !afterPlace)
	if operator == "OR" && (after == "" || mayBeOregon && isOregon(before, sign, after)) {
		return ""
	}
	return operator
}

// groupsOf returns the indexes of the parentheses that enclose complete places: before the opening one and after the closing one is a
// separator, another group, or an end of the text. Other parentheses are part of a name. One at such a position without its partner
// encloses nothing.
func groupsOf(words []string) map[int]bool {
	groups := map[int]bool{}
	begins := func(i int) bool { return i == 0 || words[i-1] == "(" || separators[words[i-1]] != "" }
	ends := func(i int) bool { return words[i+1] == "" || words[i+1] == ")" || separators[words[i+1]] != "" }
	var opened []int
	for i, w := range words {
		switch {
		case w == "(":
			opened = append(opened, i)
		case w == ")" && len(opened) == 0:
			groups[i] = ends(i)
		case w == ")":
			start := opened[len(opened)-1]
			opened = opened[:len(opened)-1]
			groups[start] = begins(start) && ends(i)
			groups[i] = groups[start]
		}
	}
	for _, i := range opened {
		groups[i] = begins(i)
	}
	return groups
}

// afterState finds what follows the state of a place: the short name of its country, a distance, or a word for its surroundings.
var afterState = lazyregexp.New(`(?i)^(?:USA?|U\.S\.(?:A\.)?|[(+]?\s*(?:within )?(?:a )?[0-9]+[ -]?(?:mi|km|kilo)|\(?metro|area|state|and)\b`)

// isOregon reports whether "or" between two parts of a text is the state: at the end of a place, or before its ZIP code or its country.
// The full name of the country may be an alternative, so that a comma must precede the state.
func isOregon(before, sign, after string) bool {
	const longest = 200 // bytes of a place
	if strings.HasPrefix(after, ")") || len(before) > longest {
		return len(before) <= longest
	}
	left, comma := strings.CutSuffix(strings.TrimSpace(before), ",")
	isComplete := strings.Contains(left, ",") || IsCountryOrState(left) || postal.MatchString(left)
	if isComplete && !comma || sign == "or" && left != strings.ToLower(left) {
		return false
	}
	return followsState(after, comma)
}

// followsState reports whether a text can follow the state of a place, which a comma may precede.
func followsState(after string, comma bool) bool {
	next := strings.SplitN(after, " ", 2)[0]
	isCode := postal.MatchString(next) && (comma || strings.HasPrefix(next, "97"))
	return isCode || next != "NOT" && separators[next] != "" || afterState.MatchString(after) ||
		comma && strings.HasPrefix(strings.ToLower(after), "united states")
}

// ReadCity reads a text that names a city, a postal code or a point. The only error is *Problem.
func ReadCity(text string) (Place, error) {
	read, err := Read(text)
	if err != nil {
		return Place{}, err
	}
	if read.Place == nil {
		return Place{}, &Problem{Kind: Several, Text: text, Instead: text}
	}
	at := *read.Place
	switch {
	case at.Postal != "" && at.Country == "":
		return at, &Problem{Kind: FourDigits, Text: text, Instead: "0" + at.Postal}
	case at.City == "" && at.Postal == "" && at.Point == nil:
		return at, &Problem{Kind: NoCity, Text: text}
	}
	return at, nil
}
