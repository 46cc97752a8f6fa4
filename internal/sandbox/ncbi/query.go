package ncbi

import (
	"cmp"
	"maps"
	"strings"
	"unicode"
)

// searchResult is the outcome of a search.
type searchResult struct {
	uids       []uint64
	readable   int // maximum number that can be listed; 0: all
	translated string
	phrases    []string // not found
	fields     []string // not found
	quoted     []string // quoted phrases not found
	ignored    []string // without a letter or digit
}

func newestFirst(a, b uint64) int { return cmp.Compare(b, a) }

// maxNesting protects the stack from malicious queries.
const maxNesting = 64

// hits are the matching records with their relevance.
type hits map[uint64]float64

// searchField is a field to search.
type searchField struct {
	name string // as in query translations
	// find returns the records that match a term. canonical is the term in the field's own words if the field translates it, such as "Homo
	// sapiens" for human.
	find func(term) (found hits, canonical string)
}

// term is a word, a group of words with a tag, or a quoted phrase.
type term struct {
	text   string
	words  []string // of text
	tag    string   // as written, "" if absent
	quoted bool
	prefix bool // it ended in *
}

func (t term) String() string {
	text := t.text
	if t.prefix {
		text += "*"
	}
	if t.quoted {
		text = `"` + text + `"`
	}
	if t.tag != "" {
		text += "[" + t.tag + "]"
	}
	return text
}

// entrezNode is a parsed query.
type entrezNode interface {
	run(db database, result *searchResult) hits
	translate(db database) string
}

func (t term) run(db database, result *searchResult) hits {
	field, known := db.field(strings.ToLower(t.tag))
	if !known {
		result.fields = append(result.fields, t.tag)
		return db.all() // as NCBI does
	}
	if len(t.words) == 0 {
		result.ignored = append(result.ignored, t.String())
		return hits{}
	}
	found, _ := field.find(t)
	if len(found) == 0 {
		result.phrases = append(result.phrases, t.String())
		if t.quoted {
			result.quoted = append(result.quoted, t.String())
		}
	}
	return found
}

func (t term) translate(db database) string {
	field, known := db.field(strings.ToLower(t.tag))
	if !known {
		return t.String()
	}
	if _, canonical := field.find(t); canonical != "" {
		return canonical
	}
	t.tag = cmp.Or(t.tag, field.name)
	return t.String()
}

// operation joins two queries. Entrez evaluates from left to right, without precedence.
type operation struct {
	operator    string
	left, right entrezNode
}

func (o operation) run(db database, result *searchResult) hits {
	left, right := o.left.run(db, result), o.right.run(db, result)
	switch o.operator {
	case "OR":
		both := maps.Clone(left)
		for uid, score := range right {
			both[uid] += score
		}
		return both
	case "NOT":
		maps.DeleteFunc(left, func(uid uint64, _ float64) bool { _, out := right[uid]; return out })
		return left
	}
	both := hits{}
	for uid, score := range left {
		if more, ok := right[uid]; ok {
			both[uid] = score + more
		}
	}
	return both
}

func (o operation) translate(db database) string {
	return o.left.translate(db) + " " + o.operator + " " + o.right.translate(db)
}

// group is a query in parentheses.
type group struct{ inner entrezNode }

func (g group) run(db database, result *searchResult) hits { return g.inner.run(db, result) }

func (g group) translate(db database) string { return "(" + g.inner.translate(db) + ")" }

// backendFailed returns NCBI's error for an invalid query, with the address of its internal host and the newline.
func backendFailed(query string) error {
	return reportedError("Search Backend failed: Exception:\n'Syntax error in query " + query +
		" at http://searchbackend.internal.invalid:4445/search'")
}

// termParser reads the part of the Entrez language that the sandbox
// understands:
//
//	query   = operand { [ AND | OR | NOT ] operand }
//	operand = "(" query ")" | ( phrase | range | word { word } ) [ "[" tag "]" ]
//	range   = phrase "[" tag "]" ":" phrase
type termParser struct {
	query   string
	rest    string
	nesting int
}

func parseTerm(query string) (entrezNode, error) {
	p := &termParser{query: query, rest: query}
	node, err := p.queryNode()
	if err == nil && p.rest != "" {
		err = backendFailed(query)
	}
	return node, err
}

func (p *termParser) queryNode() (entrezNode, error) {
	left, err := p.operand()
	if err != nil {
		return nil, err
	}
	for {
		p.rest = strings.TrimLeft(p.rest, " \t\r\n+,")
		if p.rest == "" || p.rest[0] == ')' {
			return left, nil
		}
		operator := "AND"
		if word := p.word(); word == "AND" || word == "OR" || word == "NOT" {
			operator, p.rest = word, p.rest[len(word):]
		}
		right, err := p.operand()
		if err != nil {
			return nil, err
		}
		left = operation{operator, left, right}
	}
}

// word returns the next word without consuming it.
func (p *termParser) word() string {
	if end := strings.IndexAny(p.rest, " \t\r\n+,()[]\""); end >= 0 {
		return p.rest[:end]
	}
	return p.rest
}

func (p *termParser) operand() (entrezNode, error) {
	p.rest = strings.TrimLeft(p.rest, " \t\r\n+,")
	switch {
	case p.rest == "" || strings.ContainsRune(")[]", rune(p.rest[0])):
		return nil, backendFailed(p.query)
	case p.rest[0] == '(':
		if p.nesting++; p.nesting > maxNesting {
			return nil, backendFailed(p.query)
		}
		p.rest = p.rest[1:]
		inner, err := p.queryNode()
		if err != nil {
			return nil, err
		}
		if !strings.HasPrefix(p.rest, ")") {
			return nil, backendFailed(p.query)
		}
		p.rest = p.rest[1:]
		p.nesting--
		return group{inner}, nil
	case p.rest[0] == '"':
		phrase, after, closed := strings.Cut(p.rest[1:], `"`)
		if !closed {
			return nil, backendFailed(p.query)
		}
		p.rest = after
		tag, err := p.tag()
		if err != nil {
			return nil, err
		}
		return p.rangeFrom(phrase, tag)
	}
	return p.run()
}

// rangeFrom returns a phrase, or a range that begins with it: "2010"[dp] : "2015"[dp].
func (p *termParser) rangeFrom(phrase, tag string) (entrezNode, error) {
	end, ranged := strings.CutPrefix(strings.TrimLeft(p.rest, " "), ":")
	if !ranged {
		return newTerm(phrase, tag, true), nil
	}
	end = strings.TrimLeft(end, " ")
	if !strings.HasPrefix(end, `"`) {
		return nil, backendFailed(p.query)
	}
	last, after, closed := strings.Cut(end[1:], `"`)
	if !closed {
		return nil, backendFailed(p.query)
	}
	p.rest = after
	_, err := p.tag()
	return newTerm(phrase+":"+last, tag, false), err
}

// run reads words up to an operator. A tag applies to all of them; without a tag each word is a term.
func (p *termParser) run() (entrezNode, error) {
	var run []string
	for {
		p.rest = strings.TrimLeft(p.rest, " \t\r\n+,")
		word := p.word()
		if word == "" || word == "AND" || word == "OR" || word == "NOT" {
			break
		}
		run, p.rest = append(run, word), p.rest[len(word):]
	}
	if len(run) == 0 { // an operator instead of a term
		return nil, backendFailed(p.query)
	}
	tag, err := p.tag()
	if err != nil {
		return nil, err
	}
	if tag != "" {
		return newTerm(strings.Join(run, " "), tag, false), nil
	}
	var node entrezNode = newTerm(run[0], "", false)
	if len(run) == 1 {
		return node, nil
	}
	for _, word := range run[1:] {
		node = operation{"AND", node, newTerm(word, "", false)}
	}
	return group{node}, nil
}

func (p *termParser) tag() (string, error) {
	after, ok := strings.CutPrefix(strings.TrimLeft(p.rest, " "), "[")
	if !ok {
		return "", nil
	}
	tag, rest, closed := strings.Cut(after, "]")
	if tag = strings.TrimSpace(tag); !closed || tag == "" {
		return "", backendFailed(p.query)
	}
	p.rest = rest
	return tag, nil
}

func newTerm(text, tag string, quoted bool) term {
	text, prefix := strings.CutSuffix(strings.TrimSpace(text), "*")
	return term{text: text, words: queryWords(text), tag: tag, quoted: quoted, prefix: prefix}
}

// queryWords returns the words for comparisons: in lower case, separated by any characters except letters and digits.
func queryWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// within reports whether the words of the term occur in a text as a phrase.
func (t term) within(text []string) bool {
	for from := 0; from+len(t.words) <= len(text); from++ {
		if t.begins(text[from:]) {
			return true
		}
	}
	return false
}

// is reports whether the words of the term are the whole text or, with *, its start.
func (t term) is(text []string) bool {
	return (len(t.words) == len(text) || t.prefix && len(t.words) < len(text)) && t.begins(text)
}

func (t term) begins(text []string) bool {
	for i, word := range t.words {
		open := t.prefix && i == len(t.words)-1
		if text[i] != word && (!open || !strings.HasPrefix(text[i], word)) {
			return false
		}
	}
	return true
}
