package entrez

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/internal/boolean"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// Term returns an Entrez expression that searches for what text says, and what
// the caller should know of the difference. Quoted phrases, parentheses, AND,
// OR and NOT in capitals, a * at the end of a word, field tags that the
// database knows and ranges in a field of dates or numbers keep their meaning;
// whatever else is syntax becomes plain text or is left out. The term is empty
// where the text has no letter or digit. Term of a term is the same term.
func Term(text string, fields Fields) (term string, notices []string) {
	r := reader{fields: fields}
	r.read(quotes.Replace(text))
	read := ranges(r.tokens, fields)
	tokens := boolean.Balance(read)
	if count(read, parenthesis) != count(tokens, parenthesis) {
		r.remove("parentheses without a partner or with nothing between them")
	}
	if lost := count(read, tagged) - count(tokens, tagged); lost > 0 {
		r.remove("field tags with nothing before them")
	}
	tokens, dangling := boolean.DropDangling(tokens)
	tokens, doubled := binary(tokens)

	where := `In "` + entity.Cut(entity.Clean(text), maxExcerpt) + `" `
	if dangling = append(dangling, doubled...); len(dangling) > 0 {
		slices.Sort(dangling)
		notices = append(notices, where+"there is nothing to join for "+strings.Join(slices.Compact(dangling), ", ")+": left out.")
	}
	for _, tag := range r.unknown {
		notice := where + "[" + tag + "] is not a field tag of this database: it was read as text."
		if near := fields.near(tag); near != nil {
			notice += " Near are " + strings.Join(near, ", ") + "."
		}
		notices = append(notices, notice)
	}
	if len(r.misplacedTags) > 0 {
		notices = append(notices, where+"there is nothing before ["+strings.Join(r.misplacedTags, "], [")+
			"] that it could belong to: it was read as text.")
	}
	if r.droppedStar {
		notices = append(notices, where+"a * was left out: it may only end a word, after at least "+strconv.Itoa(fields.shortest)+
			" letters.")
	}
	for _, w := range r.minus {
		notices = append(notices, where+w+" was read as "+strings.Trim(w, "-,:*.")+
			": a minus sign excludes nothing. To exclude the word write NOT before it.")
	}
	if len(r.removed) > 0 {
		notices = append(notices, where+"there was left out: "+strings.Join(r.removed, ", ")+
			`. Of signs, only "quotes", (parentheses), [field] tags after a word, and AND, OR, NOT between words are understood.`)
	}
	return boolean.Join(tokens, write), notices
}

const (
	maxExcerpt = 80 // characters of the text that a notice quotes
	maxNamed   = 5  // things of a kind that notices name
	maxTag     = 64 // bytes of what may be a tag
	maxSymbol  = 64 // bytes of a word with parentheses in it
)

// quotes are those that word processors put for plain ones, and their dashes.
var quotes = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "’", "'", "‘", "'", "−", "-", "–", "-")

// reader makes tokens of a text.
type reader struct {
	fields        Fields
	tokens        []boolean.Token
	unknown       []string // contents of brackets that are not a tag
	misplacedTags []string // tags with nothing before them
	removed       []string // what was left out
	droppedStar   bool     // a * was left out
	minus         []string // words with a minus before them
}

func (r *reader) add(kind boolean.Kind, text string) {
	r.tokens = append(r.tokens, boolean.Token{Kind: kind, Text: text})
}

func (r *reader) remove(what string) {
	if len(r.removed) < maxNamed && !slices.Contains(r.removed, what) {
		r.removed = append(r.removed, what)
	}
}

func (r *reader) read(text string) {
	for text != "" {
		c, size := utf8.DecodeRuneInString(text)
		switch {
		case c == '"':
			if end := strings.IndexByte(text[1:], '"'); end >= 0 {
				r.phrase(text[1 : 1+end])
				size = end + 2
			} else {
				r.remove(`"`)
			}
		case c == '(':
			r.add(boolean.Open, "(")
		case c == ')':
			r.add(boolean.Close, ")")
		case c == '[':
			size = r.tag(text)
		case c == '#':
			size += len(text[1:]) - len(strings.TrimLeft(text[1:], "0123456789"))
			r.remove(text[:size])
			r.add(boolean.Word, "") // so that what follows it does not find the word before
		case inWord(c):
			w := word(text)
			r.word(w)
			size = len(w)
		case c < utf8.RuneSelf && c > ' ' && !strings.ContainsRune("];!?", c):
			r.remove(string(c))
		}
		text = text[size:]
	}
}

// inWord tells what a word may hold. Of ASCII's signs these are no syntax, save
// : and *, which have their meaning in a word only.
func inWord(c rune) bool {
	if c < utf8.RuneSelf {
		return boolean.LetterOrDigit(c) || strings.ContainsRune("-._'/@+,:*", c)
	}
	return c != utf8.RuneError && unicode.IsPrint(c)
}

// word returns the word that text begins with. Parentheses that open and close
// within it belong to it: Su(H).
func word(text string) string {
	end, depth := 0, 0
	for i, c := range text {
		switch {
		case depth > 0 && i >= maxSymbol:
			return text[:end]
		case c == '(' && i < maxSymbol && !boolean.IsOperator(text[:i]):
			depth++
		case c == ')' && depth > 0:
			depth--
		case !inWord(c):
			return text[:end]
		}
		if depth == 0 {
			end = i + utf8.RuneLen(c)
		}
	}
	return text[:end]
}

const point = `[0-9]{1,12}(/[0-9]{1,2}){0,2}`

var (
	isSpan = lazyregexp.New(`^` + point + `:` + point + `$`)
	isEnd  = lazyregexp.New(`^` + point + `$`)
)

// word reads a word. One that holds more than letters, digits and harmless
// signs becomes a phrase, in which nothing is syntax.
func (r *reader) word(w string) {
	if strings.HasPrefix(w, ":") {
		r.add(boolean.Word, ":")
	}
	trimmed := strings.Trim(w, ",:")
	if trimmed == "" {
		return
	}
	if first, _ := utf8.DecodeRuneInString(strings.TrimPrefix(trimmed, "-")); trimmed[0] == '-' && unicode.IsLetter(first) &&
		len(r.minus) < maxNamed {
		r.minus = append(r.minus, entity.Cut(trimmed, maxExcerpt))
	}
	switch parts := strings.FieldsFunc(trimmed, func(c rune) bool { return !boolean.LetterOrDigit(c) }); {
	case areOperators(trimmed):
		for _, operator := range parts {
			r.add(boolean.Operator, operator)
		}
	case isSpan.MatchString(trimmed):
		r.add(boolean.Word, trimmed)
	case slices.ContainsFunc(parts, boolean.IsOperator) || strings.ContainsAny(strings.Trim(trimmed, "*"), ":(*"):
		r.phrase(trimmed)
	default:
		r.add(boolean.Word, r.truncated(trimmed))
	}
	if strings.HasSuffix(w, ":") {
		r.add(boolean.Word, ":")
	}
}

// areOperators tells whether a word is nothing but operators: AND, AND/OR.
func areOperators(word string) bool {
	for part := range strings.SplitSeq(word, "/") {
		if !boolean.IsOperator(part) {
			return false
		}
	}
	return true
}

// truncated leaves a * where Entrez takes one: after enough letters, at the end.
func (r *reader) truncated(w string) string {
	bare := strings.Trim(w, "*,: ")
	last, _ := utf8.DecodeLastRuneInString(bare)
	letters := 0
	for _, c := range bare[strings.LastIndexByte(bare, ' ')+1:] {
		if boolean.LetterOrDigit(c) {
			letters++
		}
	}
	switch {
	case bare == w:
	case letters >= r.fields.shortest && boolean.LetterOrDigit(last) && w == bare+"*":
		return w
	case strings.Contains(w, "*"):
		r.droppedStar = true
	}
	return bare
}

// phrase reads what stands in quotes.
func (r *reader) phrase(text string) {
	text = strings.Map(func(c rune) rune {
		if unicode.IsPrint(c) && c != utf8.RuneError && !strings.ContainsRune("[]{}|\\^~`", c) {
			return c
		}
		if unicode.IsPrint(c) && c < utf8.RuneSelf {
			r.remove(string(c))
		}
		return ' '
	}, text)
	if !balanced(text) {
		text = strings.NewReplacer("(", " ", ")", " ").Replace(text)
	}
	text = strings.Join(strings.Fields(text), " ")
	if body, ended := strings.CutSuffix(text, "*"); strings.Contains(body, "*") {
		r.droppedStar = true
		text = strings.Join(strings.Fields(strings.ReplaceAll(body, "*", " ")), " ")
		if ended {
			text += "*"
		}
	}
	r.add(boolean.Phrase, r.truncated(text))
}

func balanced(text string) bool {
	depth := 0
	for _, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth < 0 {
			return false
		}
	}
	return depth == 0
}

// tag reads a field tag and returns its length, or 1, for the bracket alone,
// where what stands in brackets is text.
func (r *reader) tag(text string) int {
	content, _, closed := strings.Cut(text[1:min(len(text), maxTag)], "]")
	if !closed || strings.Contains(content, "[") {
		return 1
	}
	name, length := strings.Join(strings.Fields(content), " "), len(content)+2
	before := r.operand()
	switch _, known := r.fields.find(name); {
	case known && before != nil && before.Tag == "":
		before.Tag = name
		return length
	case known && len(r.misplacedTags) < maxNamed && !slices.Contains(r.misplacedTags, name):
		r.misplacedTags = append(r.misplacedTags, name)
	case known:
	case before != nil && name != "" && len(r.unknown) < maxNamed && !slices.Contains(r.unknown, entity.Clean(name)):
		r.unknown = append(r.unknown, entity.Clean(name))
	}
	return 1
}

// operand returns the token that ends the operand before, if one does.
func (r *reader) operand() *boolean.Token {
	if n := len(r.tokens); n > 0 && r.tokens[n-1].EndsOperand() {
		return &r.tokens[n-1]
	}
	return nil
}

// ranges makes one word of a range whose ends have each a tag, as PubMed writes
// them, and a phrase of one that does not stand in a field that has ranges.
func ranges(tokens []boolean.Token, fields Fields) []boolean.Token {
	var out []boolean.Token
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		f, _ := fields.find(t.Tag)
		if i+2 < len(tokens) && isEnd.MatchString(t.Text) && tokens[i+1].Text == ":" && isEnd.MatchString(tokens[i+2].Text) &&
			(t.Tag == "" || strings.EqualFold(t.Tag, tokens[i+2].Tag)) {
			i += 2
			t = boolean.Token{Text: t.Text + ":" + tokens[i].Text, Tag: tokens[i].Tag}
			f, _ = fields.find(t.Tag)
		}
		if t.Kind == boolean.Word && isSpan.MatchString(t.Text) && !f.ranges {
			t.Kind = boolean.Phrase
		}
		out = append(out, t)
	}
	return out
}

// binary makes NOT an operator between two operands, which it is in Entrez:
// before it, AND says nothing more, and OR nothing that Entrez can do. Where
// nothing stands before it, everything does.
func binary(tokens []boolean.Token) (out []boolean.Token, dropped []string) {
	for i, t := range tokens {
		if t.Kind == boolean.Operator {
			if i+1 < len(tokens) && tokens[i+1].Kind == boolean.Operator {
				if t.Text != "AND" {
					dropped = append(dropped, t.Text)
				}
				continue
			}
			if len(out) == 0 || !out[len(out)-1].EndsOperand() {
				out = append(out, boolean.Token{Text: "all", Tag: "filter"})
			}
		}
		out = append(out, t)
	}
	return out, dropped
}

func write(t boolean.Token) string {
	text := t.Text
	if t.Kind == boolean.Phrase {
		text = `"` + text + `"`
	}
	if t.Tag != "" {
		text += "[" + t.Tag + "]"
	}
	return text
}

func count[T any](list []T, is func(T) bool) (n int) {
	for _, v := range list {
		if is(v) {
			n++
		}
	}
	return n
}

func parenthesis(t boolean.Token) bool { return t.Kind == boolean.Open || t.Kind == boolean.Close }

func tagged(t boolean.Token) bool { return t.Tag != "" }

// stopWords are in nearly every record. Words that are gene symbols as well,
// such as WAS, MET and CAN, are not among them.
var stopWords = []string{
	"a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "gene", "genes", "in", "is", "it", "not", "of", "on", "or",
	"the", "to", "with",
}

var bracketed = lazyregexp.New(`\[[^\[\]]*\]`)

// Distinguishes tells whether a search text can tell any records apart: it has
// at least two letters or digits, outside brackets, in a word that is not in
// nearly every record.
func Distinguishes(text string) bool {
	return boolean.Distinguishes(bracketed.ReplaceAllString(text, " "), stopWords)
}

var (
	symbolTag = lazyregexp.New(`(?i)\[\s*(sym|symbol|gene|gene\s+name|pref|preferred\s+symbol)\s*\]$`)
	isSymbol  = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._()@/'-]{1,63}$`)
)

// Symbol returns the gene symbol that a text may be: one word, bare, in quotes,
// or with the tag of a gene name. What it returns is safe before a tag in a
// text for Term.
func Symbol(text string) (symbol string, ok bool) {
	text = strings.TrimSpace(symbolTag.ReplaceAllString(strings.TrimSpace(text), ""))
	if len(text) > 2 && text[0] == '"' && text[len(text)-1] == '"' {
		text = text[1 : len(text)-1]
	}
	if !isSymbol.MatchString(text) || !balanced(text) || !strings.ContainsFunc(text, boolean.LetterOrDigit) || areOperators(text) {
		return "", false
	}
	return text, true
}
