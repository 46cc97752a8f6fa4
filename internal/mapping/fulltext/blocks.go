package fulltext

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// floatNames are the elements of floats: figures, tables and files, which are separate from the text around them.
var floatNames = []string{"fig", "fig-group", "table-wrap", "table-wrap-group", "supplementary-material", "media"}

// ignoredElements have no text of the article.
var ignoredElements = []string{
	"object-id", "alt-text", "long-desc", "sec-meta", "processing-meta", "ref-list", "contrib-group", "front-stub",
	"colgroup", "col", "alternate-form",
}

// add adds an element or a text to the current text.
func (r *reader) add(n *node) {
	switch {
	case r.err != nil:
	case n.name == "":
		r.text.line.Add([]byte(n.text))
	case is(n, ignoredElements...):
	case is(n, floatNames...):
		r.float(n)
	case !r.block(n):
		r.inline(n)
	}
}

func (r *reader) addAll(n *node) { r.addExcept(n) }

// addExcept adds the content of an element, except its children with some names.
func (r *reader) addExcept(n *node, names ...string) {
	for _, k := range n.kids {
		if k.name == "" || !is(k, names...) {
			r.add(k)
		}
	}
}

// block adds an element that is a block between paragraphs. It returns false for other elements.
func (r *reader) block(n *node) bool {
	switch n.name {
	case "p", "title", "subtitle", "caption", "def", "attrib", "verse-line", "license-p", "copyright-statement", "table-wrap-foot",
		"disp-formula-group", "question", "answer", "kwd-group", "nomenclature", "nomenclature-citation":
		r.flush()
		r.addAll(n)
		r.flush()
	case "sec", "ack", "app", "glossary", "notes", "bio", "app-group", "fn-group", "treatment-sec":
		r.nested(n)
	case "list":
		r.list(n)
	case "array":
		r.array(n)
	case "def-list":
		r.definitions(n)
	case "disp-quote", "boxed-text", "statement", "verse-group", "speech":
		r.quote(n)
	case "preformat", "code":
		r.verbatim(n)
	case "disp-formula", "chem-struct-wrap":
		r.flush()
		r.formula(n)
		r.flush()
	case "fn":
		r.note(n)
	case "permissions":
		for _, k := range n.kids {
			if is(k, "copyright-statement", "license") {
				r.add(k)
			}
		}
	default:
		return false
	}
	return true
}

func (r *reader) definitions(n *node) {
	r.flush()
	r.addExcept(n, "def-item")
	for _, item := range n.kids {
		if item.name == "def-item" {
			r.definition(item)
		}
	}
}

// inlineText returns the text of an element as one line.
func (r *reader) inlineText(n *node) string {
	return strings.Join(r.capture(func() { r.addAll(n) }), " ")
}

// emit adds complete paragraphs.
func (r *reader) emit(blocks ...string) {
	r.flush()
	for _, block := range blocks {
		r.countGenerated(len(block))
	}
	r.text.blocks = append(r.text.blocks, blocks...)
	r.flush()
}

// nested adds a section within the text of another section.
func (r *reader) nested(n *node) {
	if title := r.heading(n); title != "" {
		r.emit(Heading + title)
	}
	r.flush()
	r.addExcept(n, "title", "label", "sec-meta")
	r.flush()
}

func (r *reader) list(n *node) {
	r.flush()
	ordered := n.attr("list-type") == "order"
	number := 0
	for _, k := range n.kids {
		if k.name != "list-item" {
			r.add(k)
			continue
		}
		number++
		mark := "-"
		if label := k.child("label"); label != nil {
			mark = r.inlineText(label)
		} else if ordered {
			mark = strconv.Itoa(number) + "."
		}
		r.item(mark, r.capture(func() { r.addExcept(k, "label") }))
	}
	r.flush()
}

// item adds an item of a list and indents its further paragraphs.
func (r *reader) item(mark string, blocks []string) {
	for i := range blocks {
		if i == 0 {
			blocks[i] = strings.TrimSpace(mark + " " + blocks[i])
		} else {
			blocks[i] = "  " + blocks[i]
		}
	}
	r.emit(blocks...)
}

func (r *reader) definition(n *node) {
	var term string
	if t := n.child("term"); t != nil {
		term = r.inlineText(t)
	}
	blocks := r.capture(func() { r.addExcept(n, "term") })
	if len(blocks) == 0 {
		blocks = []string{""}
	}
	r.item("- "+term+":", blocks)
}

// quote adds a quotation or a box, each paragraph with a mark before it.
func (r *reader) quote(n *node) {
	blocks := r.capture(func() { r.addAll(n) })
	for i := range blocks {
		blocks[i] = "> " + blocks[i]
	}
	r.emit(blocks...)
}

// verbatim adds preformatted text. It drops empty lines, because they would end a paragraph.
func (r *reader) verbatim(n *node) {
	var lines []string
	for line := range strings.Lines(n.raw()) {
		if line = strings.TrimRight(line, " \t\r\n"); line != "" {
			lines = append(lines, line)
		}
	}
	if len(lines) > 0 {
		r.emit("```\n" + entity.Clean(strings.Join(lines, "\n")) + "\n```")
	}
}

// note adds a footnote: as a paragraph if it is in a group of notes, else in parentheses at its reference.
func (r *reader) note(n *node) {
	blocks := r.capture(func() { r.addExcept(n, "label") })
	if label := n.child("label"); label != nil && len(blocks) > 0 {
		blocks[0] = strings.TrimSpace(r.inlineText(label) + " " + blocks[0])
	}
	if len(r.text.line.Text) == 0 {
		r.emit(blocks...)
		return
	}
	if len(blocks) > 0 {
		r.text.line.Add([]byte(" (note: " + strings.Join(blocks, " ") + ") "))
	}
}

// heading returns the label and title of a section.
func (r *reader) heading(n *node) string {
	var parts []string
	for _, k := range n.kids {
		switch k.name {
		case "label", "title":
			parts = append(parts, r.inlineText(k))
		case "caption":
			if title := k.child("title"); title != nil && n.name == "boxed-text" {
				parts = append(parts, r.inlineText(title))
			}
		}
	}
	return strings.Join(nonEmpty(parts...), " ")
}

// float reads a figure, table or other float. The paragraph continues after it.
func (r *reader) float(n *node) {
	r.text.line.Space()
	switch n.name {
	case "fig":
		r.figure(n)
	case "table-wrap":
		r.tableWrap(n)
	case "table-wrap-group":
		r.tableGroup(n)
	case "supplementary-material", "media":
		r.supplement(n)
	default: // a group whose label and caption are those of a figure
		if n.child("label", "caption") != nil {
			r.figure(n)
			return
		}
		for _, k := range n.kids {
			if is(k, floatNames...) {
				r.float(k)
			}
		}
	}
}

// Heading begins the line of a title within a section.
const Heading = "### "

// captionParts are the elements of a float that do not belong to its caption.
var captionParts = []string{"label", "graphic", "object-id", "alt-text", "long-desc", "alternatives", "table", "tgroup"}

func (r *reader) label(n *node) string {
	if label := n.child("label"); label != nil {
		return r.inlineText(label)
	}
	return ""
}

func (r *reader) figure(n *node) {
	i := len(r.article.Figures)
	r.article.Figures = append(r.article.Figures,
		entity.TextFigure{ID: fmt.Sprintf("f%d", i+1), Label: r.label(n), Section: r.useSection()})
	r.ids.figures = append(r.ids.figures, n.attr("id"))
	r.article.Figures[i].Caption = r.caption(n)
}

// caption returns the text of a float without its label and picture.
func (r *reader) caption(n *node) string {
	return strings.Join(r.capture(func() { r.addExcept(n, captionParts...) }), "\n")
}

func (r *reader) supplement(n *node) {
	i := len(r.article.Supplements)
	s := entity.TextSupplement{ID: fmt.Sprintf("x%d", i+1), Label: r.label(n), Section: r.useSection(), Href: n.attr("href")}
	r.article.Supplements = append(r.article.Supplements, s)
	r.ids.supplements = append(r.ids.supplements, n.attr("id"))
	var captions []string
	for _, k := range n.kids {
		if !is(k, "media", "graphic", "inline-graphic") {
			continue
		}
		s.Href = cmp.Or(s.Href, k.attr("href"))
		captions = append(captions, r.capture(func() { r.addExcept(k, "alt-text", "object-id") })...)
	}
	own := r.capture(func() { r.addExcept(n, "label", "media", "graphic", "inline-graphic", "object-id", "alt-text") })
	s.Caption = strings.Join(append(own, captions...), "\n")
	r.article.Supplements[i] = s
}
