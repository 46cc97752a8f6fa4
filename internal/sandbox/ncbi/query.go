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
	// run returns the records that match the query, and its translation.
	run(db database, result *searchResult) (found hits, translated string)
}

func (t term) run(db database, result *searchResult) (hits, string) {
	field, known := db.field(strings.ToLower(t.tag))
	if !known {
		result.fields = append(result.fields, t.tag)
		return db.all(), t.String() // as NCBI does
	}
	found, canonical := field.find(t)
	switch {
	case len(t.words) == 0:
		result.ignored = append(result.ignored, t.String())
		found = hits{}
	case len(found) == 0:
		result.phrases = append(result.phrases, t.String())
		if t.quoted {
			result.quoted = append(result.quoted, t.String())
		}
	}
	t.tag = cmp.Or(t.tag, field.name)
	return found, cmp.Or(canonical, t.String())
}

// operation joins two queries. Entrez evaluates from left to right, without precedence.
type operation struct {
	operator    string
	left, right entrezNode
}

func (o operation) run(db database, result *searchResult) (hits, string) {
	left, translated := o.left.run(db, result)
	right, more := o.right.run(db, result)
	return o.join(left, right), translated + " " + o.operator + " " + more
}

func (o operation) join(left, right hits) hits {
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

// group is a query in parentheses.
type group struct{ inner entrezNode }

func (g group) run(db database, result *searchResult) (hits, string) {
	found, translated := g.inner.run(db, result)
	return found, "(" + translated + ")"
}

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
	rest    string
	nesting int
	failed  bool
}

func parseTerm(query string) (entrezNode, error) {
	p := &termParser{rest: query}
	node := p.query()
	if p.failed || p.rest != "" {
		return nil, backendFailed(query)
	}
	return node, nil
}

// fail ends the parsing: nothing is left to read.
func (p *termParser) fail() entrezNode {
	p.failed, p.rest = true, ""
	return term{}
}

// skip consumes the white space and the signs between operands.
func (p *termParser) skip() { p.rest = strings.TrimLeft(p.rest, " \t\r\n+,") }

func (p *termParser) query() entrezNode {
	left := p.operand()
	for p.skip(); p.rest != "" && p.rest[0] != ')'; p.skip() {
		operator := "AND"
		if word := p.word(); isOperator(word) {
			operator, p.rest = word, p.rest[len(word):]
		}
		left = operation{operator, left, p.operand()}
	}
	return left
}

func isOperator(word string) bool { return word == "AND" || word == "OR" || word == "NOT" }

// word returns the next word without consuming it.
func (p *termParser) word() string {
	if end := strings.IndexAny(p.rest, " \t\r\n+,()[]\""); end >= 0 {
		return p.rest[:end]
	}
	return p.rest
}

func (p *termParser) operand() entrezNode {
	p.skip()
	switch {
	case p.rest == "" || strings.ContainsRune(")[]", rune(p.rest[0])):
		return p.fail()
	case p.rest[0] == '(':
		if p.nesting++; p.nesting > maxNesting {
			return p.fail()
		}
		p.rest = p.rest[1:]
		inner := p.query()
		after, closed := strings.CutPrefix(p.rest, ")")
		if !closed {
			return p.fail()
		}
		p.rest = after
		p.nesting--
		return group{inner}
	case p.rest[0] == '"':
		return p.phrase()
	}
	return p.words()
}

// quoted consumes a text in quotes.
func (p *termParser) quoted() string {
	text, after, closed := strings.Cut(strings.TrimPrefix(p.rest, `"`), `"`)
	if p.rest = after; !closed {
		p.fail()
	}
	return text
}

// phrase reads a phrase, or a range that begins with it: "2010"[dp] : "2015"[dp].
func (p *termParser) phrase() entrezNode {
	phrase, tag := p.quoted(), p.tag()
	end, ranged := strings.CutPrefix(strings.TrimLeft(p.rest, " "), ":")
	if !ranged {
		return newTerm(phrase, tag, true)
	}
	if p.rest = strings.TrimLeft(end, " "); !strings.HasPrefix(p.rest, `"`) {
		return p.fail()
	}
	phrase += ":" + p.quoted()
	p.tag()
	return newTerm(phrase, tag, false)
}

// words reads words up to an operator. A tag applies to all of them; without a tag each word is a term.
func (p *termParser) words() entrezNode {
	var words []string
	for {
		p.skip()
		word := p.word()
		if word == "" || isOperator(word) {
			break
		}
		words, p.rest = append(words, word), p.rest[len(word):]
	}
	if len(words) == 0 { // an operator instead of a term
		return p.fail()
	}
	if tag := p.tag(); tag != "" {
		return newTerm(strings.Join(words, " "), tag, false)
	}
	var node entrezNode = newTerm(words[0], "", false)
	if len(words) == 1 {
		return node
	}
	for _, word := range words[1:] {
		node = operation{"AND", node, newTerm(word, "", false)}
	}
	return group{node}
}

// tag consumes the field tag that follows, and returns it, or "".
func (p *termParser) tag() string {
	after, ok := strings.CutPrefix(strings.TrimLeft(p.rest, " "), "[")
	if !ok {
		return ""
	}
	tag, rest, closed := strings.Cut(after, "]")
	if tag = strings.TrimSpace(tag); !closed || tag == "" {
		p.fail()
		return ""
	}
	p.rest = rest
	return tag
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
