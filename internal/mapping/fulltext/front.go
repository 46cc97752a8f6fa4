package fulltext

import (
	"cmp"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// front reads the front matter: ids, title, license and abstracts.
func (r *reader) front(article, front *node) {
	a := &r.article
	meta := cmp.Or(front.child("article-meta"), front)
	for _, id := range meta.kids {
		if id.name == "article-id" {
			r.articleID(id.attr("pub-id-type"), strings.TrimSpace(id.raw()))
		}
	}
	if group := meta.child("title-group"); group != nil {
		a.Title = r.titleOf(group)
	}
	a.Copy = textVersion(article, front, a.ManuscriptID)
	if permissions := meta.child("permissions"); permissions != nil {
		a.License = r.license(permissions)
	} else {
		a.License = r.license(meta)
	}
	r.abstracts(meta)
}

// articleID sets an id of the article. It ignores ids of versions.
func (r *reader) articleID(kind, value string) {
	a := &r.article
	switch kind {
	case "manuscript-id":
		a.ManuscriptID = value
	case "pmcid", "pmc", "pmid", "doi":
		c := withID(entity.TextReference{PMID: a.PMID, PMCID: a.PMCID, DOI: a.DOI}, kind, value)
		a.PMID, a.PMCID, a.DOI = c.PMID, c.PMCID, c.DOI
	}
}

// titleOf returns the title and subtitle of a group of titles.
func (r *reader) titleOf(group *node) string {
	var parts []string
	for _, k := range group.kids {
		if is(k, "article-title", "subtitle") {
			parts = append(parts, r.inlineTextWithout(k, "xref", "fn"))
		}
	}
	return strings.Join(nonEmpty(parts...), ": ")
}

// inlineTextWithout returns the text of an element as one line, without its children with some names.
func (r *reader) inlineTextWithout(n *node, names ...string) string {
	return strings.Join(r.capture(func() { r.addExcept(n, names...) }), " ")
}

func textVersion(article, front *node, manuscript string) string {
	if article.attr("article-type") == "preprint" {
		return "preprint"
	}
	isManuscript := manuscript != ""
	front.forEach(func(custom *node) {
		name, value := custom.child("meta-name"), custom.child("meta-value")
		if name != nil && value != nil && strings.TrimSpace(name.raw()) == "pmc-collection-title" {
			isManuscript = isManuscript || strings.Contains(value.raw(), "Author Manuscripts")
		}
	}, "custom-meta")
	if isManuscript {
		return "author_manuscript"
	}
	return "published"
}

// license returns the license in permissions, or nil without one.
func (r *reader) license(permissions *node) *entity.License {
	l := &entity.License{}
	var statements []string
	permissions.forEach(func(license *node) {
		setLicense(l, license.attr("href"))
		license.forEach(func(ref *node) { setLicense(l, ref.raw()) }, "license_ref")
		license.forEach(func(link *node) {
			if address := link.attr("href"); strings.Contains(address, "license") || strings.Contains(address, "creativecommons") {
				setLicense(l, address)
			}
		}, "ext-link", "uri")
		statements = append(statements, r.capture(func() { r.addExcept(license, "license_ref") })...)
	}, "license")
	if len(statements) == 0 {
		permissions.forEach(func(k *node) { statements = append(statements, r.inlineText(k)) }, "copyright-statement")
	}
	l.Statement = strings.Join(nonEmpty(statements...), "\n")
	if l.URL == "" {
		setLicense(l, addressIn(l.Statement))
	}
	if *l == (entity.License{}) {
		return nil
	}
	return l
}

// setLicense sets the address of a license, and the short name of a known one, unless an address is set.
func setLicense(l *entity.License, address string) {
	address = strings.TrimSpace(address)
	if l.URL != "" || !strings.Contains(address, "://") {
		return
	}
	l.URL = entity.Clean(address)
	_, path, ok := strings.Cut(strings.ToLower(address), "creativecommons.org/")
	if !ok {
		return
	}
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case parts[0] == "licenses" && len(parts) > 2:
		l.Code = "CC " + strings.ToUpper(parts[1]) + " " + parts[2]
	case parts[0] == "licenses" && len(parts) > 1:
		l.Code = "CC " + strings.ToUpper(parts[1])
	case parts[0] == "publicdomain" && len(parts) > 1 && parts[1] == "zero":
		l.Code = "CC0"
	}
}

// addressIn returns the first address of a Creative Commons license in a text.
func addressIn(text string) string {
	i := strings.Index(text, "creativecommons.org/")
	if i < 0 {
		return ""
	}
	end := strings.IndexAny(text[i:], " \n\t)],;\"<>")
	if end < 0 {
		end = len(text) - i
	}
	return "https://" + strings.TrimRight(text[i:i+end], ".")
}

// abstracts reads the abstracts as sections: first the main abstract, then those for other readers and in other languages.
func (r *reader) abstracts(meta *node) {
	var main, others []*node
	for _, k := range meta.kids {
		switch {
		case k.name == "abstract" && k.attr("abstract-type") == "":
			main = append(main, k)
		case is(k, "abstract", "trans-abstract"):
			others = append(others, k)
		}
	}
	for i, k := range slices.Concat(main, others) {
		id, title := "abstract", "Abstract"
		if i > 0 {
			id += "-" + string(rune('1'+min(i, 8)))
		}
		if given := r.heading(k); given != "" {
			title = given
		}
		r.openAs(id, title, nonEmpty("abstract", k.attr("abstract-type")))
		r.addExcept(k, "title", "label", "object-id")
		r.flush()
	}
}

// maxStatements is more than any article has.
const maxStatements = 100

// statements reads the statements on funding, interests and data of the front matter as sections. It omits a statement that the text
// contains.
func (r *reader) statements(front *node) {
	front.forEach(func(k *node) { r.statement("Funding", "funding", k) }, "funding-statement")
	front.forEach(func(k *node) {
		name, value := k.child("meta-name"), k.child("meta-value")
		if name != nil && value != nil && strings.Contains(strings.ToLower(name.raw()), "data availability") {
			r.statement("Data availability", "data", value)
		}
	}, "custom-meta")
	front.forEach(func(notes *node) {
		for _, k := range notes.kids {
			switch kind := k.attr("fn-type"); {
			case kind == "conflict" || strings.EqualFold(kind, "coi-statement"):
				r.statement("Competing interests", "interests", k)
			case kind == "con":
				r.statement("Author contributions", "contributions", k)
			case kind == "financial-disclosure" || kind == "supported-by":
				r.statement("Funding", "funding", k)
			}
		}
	}, "author-notes")
}

func (r *reader) statement(title, kind string, n *node) {
	if r.statementCount++; r.statementCount > maxStatements { // each is searched for in the whole text
		r.err = entity.TooLarge("more than %d statements of funding, interests and data", maxStatements)
		return
	}
	blocks := r.capture(func() { r.addExcept(n, "label") })
	statement := strings.Join(blocks, paragraphBreak)
	same := func(s *section) bool { return strings.Contains(strings.Join(s.blocks, paragraphBreak), statement) }
	if statement == "" || slices.ContainsFunc(r.sections, same) {
		return
	}
	r.open(1, title, []string{kind})
	r.emit(blocks...)
}
