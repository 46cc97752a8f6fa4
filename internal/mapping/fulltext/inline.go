package fulltext

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/internal/plaintext"
)

// separated are elements of citations, names and addresses. They may follow each other without space or punctuation between them.
var separated = []string{
	"name", "surname", "given-names", "suffix", "prefix", "string-name", "collab", "person-group", "etal", "year", "month",
	"day", "date", "source", "article-title", "chapter-title",
	"data-title", "trans-title", "volume", "issue", "fpage", "lpage", "elocation-id", "page-range", "publisher-name",
	"publisher-loc", "edition", "comment", "pub-id",
	"conf-name", "conf-loc", "conf-date", "series", "supplement", "institution", "country", "award-id", "label", "term", "x",
	"kwd", "taxon-name-part", "taxon-authority", "taxon-status",
}

// inline adds an element within a paragraph.
func (r *reader) inline(n *node) {
	line := &r.text.line
	switch n.name {
	case "sup", "sub":
		r.script(n)
	case "xref":
		r.xref(n)
	case "ext-link", "uri", "self-uri":
		r.link(n)
	case "break", "hr":
		line.Space()
	case "inline-formula", "math", "tex-math", "alternatives", "chem-struct":
		r.formula(n)
	case "inline-graphic", "graphic":
		line.Add([]byte(" [image] "))
	case formsOf:
		for _, forms := range citedWorks(&node{kids: []*node{n}}) {
			r.inline(forms[0])
		}
	case "mixed-citation", "element-citation", "nlm-citation", "citation":
		c := r.citation(n)
		line.Space()
		line.Add([]byte(c.Text))
		line.Space()
	case "label":
		r.addAll(n)
		line.Space()
	default:
		if is(n, separated...) {
			r.separate()
		}
		r.addAll(n)
	}
}

// separate adds a space if the line ends with a word or with punctuation.
func (r *reader) separate() {
	last, _ := utf8.DecodeLastRune(r.text.line.Text)
	if unicode.IsLetter(last) || unicode.IsDigit(last) || strings.ContainsRune(".,)", last) {
		r.text.line.Space()
	}
}

// script adds a superscript or subscript. Superscript citations are written in brackets, because a number would look like a part of the
// word before it.
func (r *reader) script(n *node) {
	line := &r.text.line
	if cited := n.find("xref"); n.name == "sup" && cited != nil && cited.attr("ref-type") == "bibr" {
		r.bracketed(n)
		return
	}
	begin := len(line.Text)
	r.addAll(n)
	switch {
	case n.name == "sub":
		line.Script(min(begin, len(line.Text)), '_')
	case r.inCell:
		r.raise(begin)
	default:
		line.Script(min(begin, len(line.Text)), '^')
	}
	if begin == 0 && r.inNotes && n.name == "sup" {
		line.Space()
	}
}

// raise marks the end of a line as a superscript if it joins the word before it.
func (r *reader) raise(begin int) {
	joins := func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }
	text := r.text.line.Text
	before, _ := utf8.DecodeLastRune(text[:begin])
	if first, _ := utf8.DecodeRune(text[begin:]); begin > 0 && joins(before) && joins(first) {
		r.text.line.Insert(begin, '^')
	} else {
		r.text.line.Script(begin, '^')
	}
}

// xref adds a reference to another part of the article.
func (r *reader) xref(n *node) {
	ids := strings.Fields(n.attr("rid"))
	for _, id := range ids {
		if _, known := r.firstMention[id]; !known {
			r.firstMention[id] = r.sectionID()
		}
	}
	if n.attr("ref-type") != "bibr" || r.noBrackets {
		begin := len(r.text.line.Text)
		r.addAll(n)
		if r.inCell && strings.HasSuffix(n.attr("ref-type"), "fn") && n.find("sup") == nil {
			r.raise(begin)
		}
		return
	}
	if r.bracketed(n) {
		return
	}
	var numbers []string
	added := map[int]bool{0: true} // 0 is the number of an unknown id
	for _, id := range ids {
		if number := r.numbers[id]; !added[number] {
			added[number] = true
			numbers = append(numbers, strconv.Itoa(number))
		}
	}
	if len(numbers) > 0 {
		r.text.line.Add([]byte(" [" + strings.Join(numbers, ",") + "]"))
	}
}

// bracketed adds citations: numbers in brackets, unless they already are in brackets, and other text unchanged. It reports whether they are
// numbers.
func (r *reader) bracketed(n *node) bool {
	bare := r.noBrackets
	r.noBrackets = true
	text := r.inlineText(n)
	r.noBrackets = bare
	line := &r.text.line
	numbers := strings.Trim(text, "[]() ")
	if !isNumbers(numbers) {
		line.Add([]byte(text))
		return false
	}
	if inBrackets(line.Text) {
		line.Add([]byte(text))
	} else {
		line.Add([]byte("[" + numbers + "]"))
	}
	return true
}

// isNumbers reports whether a text has numbers only, such as 3, 4-6 or S12.
func isNumbers(text string) bool {
	digits := 0
	for _, r := range text {
		switch {
		case unicode.IsDigit(r):
			digits++
		case !strings.ContainsRune(" ,;-\u2010\u2011\u2012\u2013\u2212abcS*\u2009\u00a0", r):
			return false
		}
	}
	return digits > 0 && (digits < 4 || !isYear(text))
}

// isYear reports whether a text begins with a year, as in the citation Smith (2010).
func isYear(text string) bool {
	return len(text) <= 5 && (strings.HasPrefix(text, "19") || strings.HasPrefix(text, "20"))
}

// inBrackets reports whether the last bracket of a line is open.
func inBrackets(line []byte) bool {
	i := bytes.LastIndexAny(line, "[]")
	return i >= 0 && line[i] == '['
}

// link adds the text of a link, and its address unless the text contains it.
func (r *reader) link(n *node) {
	text, address := r.inlineText(n), n.attr("href")
	r.text.line.Add([]byte(text))
	if text == "" && strings.Contains(address, "://") {
		r.text.line.Add([]byte(address))
		return
	}
	written := strings.Contains(text, "://") || strings.Contains(text, "www.") || strings.Contains(text, "/") || strings.Contains(text, "@")
	if !written && strings.HasPrefix(address, "http") && !strings.Contains(strings.ToLower(address), strings.ToLower(text)) {
		r.text.line.Add([]byte(" (" + address + ")"))
	}
}

// formula adds a formula in one of the forms that the document has.
func (r *reader) formula(n *node) {
	line := &r.text.line
	if label := n.child("label"); label != nil {
		defer func() { line.Add([]byte(" " + r.inlineText(label))) }()
	}
	if is(n, "math", "tex-math") {
		n = &node{kids: []*node{n}}
	}
	if tex := n.find("tex-math"); tex != nil {
		line.Add([]byte(texBody(tex.raw())))
		return
	}
	if math := n.find("math"); math != nil && n.name != "alternatives" {
		r.mixedFormula(n)
		return
	} else if math != nil {
		formula := mathOf(math)
		line.Add([]byte(formula.Linear()))
		return
	}
	if words := n.child("textual-form"); words != nil {
		n = words
	}
	before := len(line.Text)
	r.addExcept(n, "label", "graphic", "inline-graphic", "alternatives", "alt-text")
	if len(line.Text) == before && n.find("graphic", "inline-graphic", "media") != nil {
		line.Add([]byte(" [formula: image] "))
	}
}

// mixedFormula adds a formula that may have text in addition to MathML.
func (r *reader) mixedFormula(n *node) {
	for _, k := range n.kids {
		switch k.name {
		case "math":
			formula := mathOf(k)
			r.text.line.Add([]byte(formula.Linear()))
		case "label", "graphic", "inline-graphic", "alt-text":
		default:
			r.add(k)
		}
	}
}

// texBody returns a TeX formula without the document around it.
func texBody(text string) string {
	if _, body, ok := strings.Cut(text, `\begin{document}`); ok {
		text, _, _ = strings.Cut(body, `\end{document}`)
	}
	return strings.TrimSpace(text)
}

// mathOf converts MathML to a formula. White space has a meaning in mtext only.
func mathOf(n *node) plaintext.Formula {
	f := plaintext.Formula{Name: n.name}
	var text strings.Builder
	if n.name == "mspace" {
		text.WriteString(" ")
	}
	for _, k := range n.kids {
		switch {
		case k.name != "":
			f.Parts = append(f.Parts, mathOf(k))
		case n.name == "mtext":
			text.WriteString(k.text)
		default:
			text.WriteString(strings.Join(strings.Fields(k.text), " "))
		}
	}
	f.Text = text.String()
	return f
}
