package fulltext

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// citationNames are the elements for one cited work, the structured ones first.
var citationNames = []string{"element-citation", "nlm-citation", "citation", "mixed-citation"}

// formsOf is the element that holds several forms of one citation.
const formsOf = "citation-alternatives"

// references reads all references of an article. It is called before the text is read.
func (r *reader) references(article *node) {
	number := 0
	article.forEach(func(list *node) {
		list.forEach(func(ref *node) {
			number++
			r.numbers[ref.attr("id")] = number
			r.reference(ref, number)
		}, "ref")
	}, "ref-list")
	delete(r.numbers, "")
}

// reference reads one reference, which may cite several works.
func (r *reader) reference(n *node, number int) {
	label := strings.Trim(r.label(n), "[]().: ")
	if label == strconv.Itoa(number) {
		label = ""
	}
	works := citedWorks(n)
	before := len(r.article.References)
	for _, forms := range works {
		c := r.citation(forms[0])
		for _, form := range forms {
			if id := form.attr("id"); id != "" {
				r.numbers[id] = number
			}
			c = withIDs(c, form)
		}
		c.Number, c.Label = number, label
		r.article.References = append(r.article.References, c)
	}
	others := append([]string{"label", formsOf}, citationNames...)
	if note := strings.Join(r.capture(func() { r.addExcept(n, others...) }), " "); note != "" {
		if len(works) == 0 {
			r.article.References = append(r.article.References, entity.TextReference{Number: number, Label: label, Text: note})
		} else {
			r.article.References[before].Text += " " + note
		}
	}
}

// citedWorks returns the works of a reference, each in its forms, the structured one first. A citation beside alternatives is one more
// form.
func citedWorks(n *node) (works [][]*node) {
	var alternatives, beside []*node
	n.forEach(func(forms *node) { alternatives = append(alternatives, forms) }, formsOf)
	for _, k := range n.kids {
		if is(k, citationNames...) {
			beside = append(beside, k)
		}
	}
	for _, of := range alternatives {
		var forms []*node
		of.forEach(func(form *node) { forms = append(forms, form) }, citationNames...)
		if len(alternatives) == 1 {
			forms = append(forms, beside...)
		}
		slices.SortStableFunc(forms, func(a, b *node) int {
			return cmp.Compare(slices.Index(citationNames, a.name), slices.Index(citationNames, b.name))
		})
		if len(forms) > 0 {
			works = append(works, forms)
		}
	}
	if len(works) == 0 {
		n.forEach(func(work *node) { works = append(works, []*node{work}) }, citationNames...)
	}
	return works
}

// citation returns the text and the ids of a cited work.
func (r *reader) citation(n *node) entity.TextReference {
	c := withIDs(entity.TextReference{}, n)
	hasPunctuation := false
	for _, k := range n.kids {
		hasPunctuation = hasPunctuation || k.name == "" && strings.ContainsAny(k.text, ".,;:")
	}
	if hasPunctuation || n.child("article-title", "source", "person-group", "name", "chapter-title") == nil {
		c.Text = r.punctuated(n)
	} else {
		c.Text = r.composed(n)
	}
	return c
}

// withIDs returns a reference with the ids of a citation that it does not have.
func withIDs(c entity.TextReference, n *node) entity.TextReference {
	n.forEach(func(id *node) { c = withID(c, id.attr("pub-id-type"), strings.TrimSpace(id.raw())) }, "pub-id")
	n.forEach(func(link *node) {
		for _, text := range []string{link.raw(), link.attr("href")} {
			i := strings.Index(text, "10.")
			if i == 0 || i > 0 && (link.attr("ext-link-type") == "doi" || strings.Contains(text, "doi.org/")) {
				c = withID(c, "doi", strings.TrimSpace(text[i:]))
			}
		}
	}, "ext-link", "uri")
	return c
}

// withID returns a reference with an id, unless it has one of that kind.
func withID(c entity.TextReference, kind, value string) entity.TextReference {
	digits := strings.TrimLeft(strings.TrimPrefix(strings.ToUpper(value), "PMC"), "0")
	switch kind {
	case "pmid":
		if c.PMID == "" && isDigits(digits) {
			c.PMID = digits
		}
	case "pmcid", "pmc":
		if c.PMCID == "" && isDigits(digits) {
			c.PMCID = "PMC" + digits
		}
	case "doi":
		if i := strings.Index(value, "10."); i >= 0 && c.DOI == "" && !strings.ContainsAny(value, " \t\n") {
			c.DOI = entity.Clean(value[i:])
		}
	}
	return c
}

func isDigits(text string) bool {
	return text != "" && len(text) <= 12 && strings.Trim(text, "0123456789") == ""
}

// punctuated returns a citation that has its own punctuation, without the ids that are fields of the result.
func (r *reader) punctuated(n *node) string {
	text := strings.Join(r.capture(func() { r.addWithoutIDs(n) }), " ")
	for _, end := range []string{"pmid:", "pmcid:", "doi:", "doi", "doi:", "https://doi.org/"} {
		if cut := len(text) - len(end); cut > 0 && strings.EqualFold(text[cut:], end) {
			text = strings.TrimSpace(text[:cut])
		}
	}
	return strings.TrimRight(text, " ;,")
}

// addWithoutIDs adds a citation without the ids that are fields of the result.
func (r *reader) addWithoutIDs(n *node) {
	var before *node
	for _, k := range n.kids {
		r.meet(before, k)
		before = k
		if k.name == "pub-id" && is(&node{name: k.attr("pub-id-type")}, "pmid", "pmcid", "pmc", "doi") {
			continue
		}
		if k.name == "object-id" {
			continue
		}
		r.add(k)
	}
}

// meet adds a blank where two elements of a citation follow each other without text, such as a journal and its volume.
func (r *reader) meet(before, n *node) {
	if before == nil || before.name == "" || n.name == "" || is(before, "sub", "sup") || is(n, "sub", "sup", "xref") {
		return
	}
	last, _ := utf8.DecodeLastRune(r.text.line.Text)
	first, _ := utf8.DecodeRuneInString(n.raw())
	if !unicode.In(last, unicode.Pd, unicode.Ps, unicode.Pi) && last != '/' && (unicode.IsLetter(first) || unicode.IsDigit(first) ||
		unicode.In(first, unicode.Ps, unicode.Pi)) {
		r.text.line.Space()
	}
}

// composed returns a citation whose elements have no punctuation between them: people, title, source, year;volume(issue):pages, and the
// rest.
func (r *reader) composed(n *node) string {
	var people, titles, rest []string
	place := map[string]string{}
	for _, k := range n.kids {
		switch k.name {
		case "person-group", "name", "collab", "string-name", "etal":
			people = append(people, r.people(k))
		case "article-title", "chapter-title", "data-title", "source", "trans-title", "part-title":
			titles = append(titles, strings.TrimRight(r.inlineText(k), " ."))
		case "year", "volume", "issue", "fpage", "lpage", "elocation-id":
			if place[k.name] == "" {
				place[k.name] = r.inlineText(k)
			} else {
				rest = append(rest, r.inlineText(k))
			}
		case "pub-id", "object-id", "":
		default:
			rest = append(rest, r.capture(func() { r.add(k) })...)
		}
	}
	where := place["year"]
	if place["volume"] != "" {
		where += ";" + place["volume"]
	}
	if place["issue"] != "" {
		where += "(" + place["issue"] + ")"
	}
	pages := place["fpage"]
	if place["lpage"] != "" && place["lpage"] != pages {
		pages += "-" + place["lpage"]
	}
	pages = strings.Trim(pages+" "+place["elocation-id"], " ")
	if pages != "" {
		where += ":" + pages
	}
	parts := append([]string{strings.TrimRight(strings.Join(nonEmpty(people...), ", "), ".")}, titles...)
	return strings.Join(nonEmpty(append(append(parts, where), rest...)...), ". ")
}

// people returns names as Surname Given, and the other text of a group of people.
func (r *reader) people(n *node) string {
	if n.name == "name" {
		var parts []string
		for _, part := range []string{"surname", "given-names", "suffix"} {
			if k := n.child(part); k != nil {
				parts = append(parts, r.inlineText(k))
			}
		}
		return strings.Join(nonEmpty(parts...), " ")
	}
	if n.name == "etal" {
		return "et al."
	}
	if n.name != "person-group" {
		return r.inlineText(n)
	}
	var names []string
	for _, k := range n.kids {
		if k.name != "" {
			names = append(names, r.people(k))
		} else if text := strings.Trim(k.text, " ,;.&\n\t"); text != "" {
			names = append(names, text)
		}
	}
	text := strings.Join(nonEmpty(names...), ", ")
	if kind := n.attr("person-group-type"); kind != "" && kind != "author" && text != "" {
		text += " (" + kind + ")"
	}
	return text
}
