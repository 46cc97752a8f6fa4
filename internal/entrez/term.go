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

// Term returns the Entrez expression for a search text, and notices about the differences. Quoted phrases, parentheses, AND, OR and NOT in
// capitals, a * at the end of a word, known field tags, and ranges in a field of dates or numbers keep their meaning; other syntax becomes
// plain text or is removed. The term is empty if the text has no letter or digit. Term returns a term of its own unchanged.
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
	tokens, doubled := makeNotBinary(tokens)

	where := `In "` + entity.Cut(entity.Clean(text), maxExcerpt) + `" `
	if dangling = append(dangling, doubled...); len(dangling) > 0 {
		slices.Sort(dangling)
		notices = append(notices, where+"operators without words on both sides were ignored: "+
			strings.Join(slices.Compact(dangling), ", ")+".")
	}
	for _, tag := range r.unknown {
		notice := where + "[" + tag + "] is not a field tag of this database: it was read as text."
		if near := fields.near(tag); near != nil {
			notice += " Near are " + strings.Join(near, ", ") + "."
		}
		notices = append(notices, notice)
	}
	if len(r.misplacedTags) > 0 {
		notices = append(notices, where+"field tags without a word before them were read as text: ["+
			strings.Join(r.misplacedTags, "], [")+"].")
	}
	if r.droppedStar {
		notices = append(notices, where+"a * was ignored: it must follow at least "+strconv.Itoa(fields.shortest)+" letters of a word.")
	}
	for _, w := range r.minus {
		notices = append(notices, where+w+" was read as "+strings.Trim(w, "-,:*.")+
			": a minus sign excludes nothing. To exclude the word write NOT before it.")
	}
	if len(r.removed) > 0 {
		notices = append(notices, where+"these parts were ignored: "+strings.Join(r.removed, ", ")+
			`. The search understands "quotes", (parentheses), [field] tags after a word, and AND, OR, NOT between words.`)
	}
	return boolean.Join(tokens, write), notices
}

const (
	maxExcerpt = 80 // characters of the text that a notice quotes
	maxNamed   = 5  // number of items of a kind that notices name
	maxTag     = 64 // bytes of a possible tag
	maxSymbol  = 64 // bytes of a word with parentheses in it
)

// quotes replaces the quotation marks and dashes of word processors by ASCII ones.
var quotes = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "’", "'", "‘", "'", "−", "-", "–", "-")

// reader splits a text into tokens.
type reader struct {
	fields        Fields
	tokens        []boolean.Token
	unknown       []string // unknown tags, without brackets
	misplacedTags []string // tags without a word before them
	removed       []string // removed characters and phrases
	droppedStar   bool     // a * was removed
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
			r.add(boolean.Word, "") // so that a following tag does not apply to the word before
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

// inWord reports whether a word may contain a character. None of these ASCII characters is syntax, except : and *, which have a meaning
// within a word only.
func inWord(c rune) bool {
	if c < utf8.RuneSelf {
		return boolean.LetterOrDigit(c) || strings.ContainsRune("-._'/@+,:*", c)
	}
	return c != utf8.RuneError && unicode.IsPrint(c)
}

// word returns the word at the start of text. It includes parentheses that open and close within it: Su(H).
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

// point matches one end of a range: a number or a date.
const point = `[0-9]{1,12}(/[0-9]{1,2}){0,2}`

var (
	isSpan = lazyregexp.New(`^` + point + `:` + point + `$`)
	isEnd  = lazyregexp.New(`^` + point + `$`)
)

// word reads a word. A word with characters other than letters, digits and harmless signs becomes a phrase, in which no character is
// syntax.
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

// areOperators reports whether a word consists of operators only: AND, AND/OR.
func areOperators(word string) bool {
	for part := range strings.SplitSeq(word, "/") {
		if !boolean.IsOperator(part) {
			return false
		}
	}
	return true
}

// truncated returns a word with a * only where Entrez accepts it: at the end, after enough letters.
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

// phrase reads a text that was in quotes.
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

// tag reads a field tag and returns its length. If the brackets are not a tag, it returns 1, so that only the bracket is skipped and the
// content is read as text.
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

// operand returns the last token if it ends an operand, else nil.
func (r *reader) operand() *boolean.Token {
	if n := len(r.tokens); n > 0 && r.tokens[n-1].EndsOperand() {
		return &r.tokens[n-1]
	}
	return nil
}

// ranges joins a range whose two ends have a tag each, as PubMed writes them, into one word. A range in a field without ranges becomes a
// phrase.
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

// makeNotBinary makes NOT a binary operator, as it is in Entrez. Before NOT it drops AND, which is redundant, and OR, which Entrez does not
// support. A NOT without an operand before it gets all[filter].
func makeNotBinary(tokens []boolean.Token) (out []boolean.Token, dropped []string) {
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

// stopWords are in nearly every record. Words that are also gene symbols, such as WAS, MET and CAN, are not in the list.
var stopWords = []string{
	"a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "in", "is", "it", "not", "of", "on", "or",
	"the", "to", "with",
}

var bracketed = lazyregexp.New(`\[[^\[\]]*\]`)

// Distinguishes reports whether a search text selects some records from others: it has at least two letters or digits, outside of brackets,
// in a word that is neither in nearly every record nor one of the others.
func Distinguishes(text string, others ...string) bool {
	return boolean.Distinguishes(bracketed.ReplaceAllString(text, " "), slices.Concat(stopWords, others))
}

var (
	symbolTag = lazyregexp.New(`(?i)\[\s*(sym|symbol|gene|gene\s+name|pref|preferred\s+symbol)\s*\]$`)
	isSymbol  = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._()@/'-]{1,63}$`)
)

// Symbol returns the gene symbol that a text may be: one word, bare, in quotes, or with the tag of a gene name. The result is safe before a
// tag in a text for Term.
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
