package citation

import (
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// MLA returns an article as an entry of a list of works cited in the style of the Modern Language Association, ninth edition. The entry is
// plain text without italics.
func MLA(a entity.Article) string {
	w := newWork(a)
	return joinNonEmpty(" ", sentence(w.mlaAuthors()), w.mlaTitle(), sentence(joinNonEmpty(", ", w.mlaSource(), w.link())),
		when(w.retracted, "Retracted article."))
}

func (w *work) mlaAuthors() string {
	if len(w.authors) > 0 {
		return mlaList(w.authors, w.authorsCut, true)
	}
	if w.kind != book || len(w.editors) == 0 {
		return ""
	}
	if len(w.editors) == 1 {
		return w.editors[0].inverted() + ", editor"
	}
	return mlaList(w.editors, false, true) + ", editors"
}

// mlaList writes one or two names, or the first of more. A comma follows an inverted name.
func mlaList(all []person, cut, inverted bool) string {
	name, comma := all[0].inOrder(), ""
	if inverted {
		name = all[0].inverted()
		if all[0].group == "" {
			comma = ","
		}
	}
	switch {
	case cut || len(all) > 2:
		return name + comma + " et al."
	case len(all) == 2:
		return name + comma + " and " + all[1].inOrder()
	}
	return name
}

// mlaTitle returns the title, in quotes unless the work is a whole book.
func (w *work) mlaTitle() string {
	title := sentence(w.fullTitle())
	if title == "" || w.kind == book {
		return title
	}
	return `"` + innerQuotes(title) + `"`
}

// innerQuotes turns double quotation marks into single ones, for a title in quotes.
func innerQuotes(title string) string {
	return strings.NewReplacer("“", "‘", "”", "’", `"`, "'").Replace(title)
}

func (w *work) mlaSource() string {
	editors := ""
	if len(w.editors) > 0 && (w.kind == chapter || len(w.authors) > 0) {
		editors = "edited by " + mlaList(w.editors, false, false)
	}
	when := w.date.mla()
	if w.kind == book {
		when = w.date.span("-")
	}
	source := joinNonEmpty(", ", w.container, editors, w.editionText(), w.volumeText("vol. "), w.mlaIssue(), shortPublisher(w.publisher),
		when,
		w.mlaPages())
	if w.kind == book { // it begins a sentence
		return capital(source)
	}
	return source
}

func (w *work) mlaPages() string {
	text := w.pages.write(span.mlaRange)
	switch {
	case text == "":
		return ""
	case w.pages.number != "":
		return "article " + text
	case w.pages.multiple():
		return "pp. " + text
	}
	return "p. " + text
}

// mlaIssue returns an issue such as no. 3, suppl. 2. An issue with a name has no number.
func (w *work) mlaIssue() string {
	number, part, which := splitIssue(w.issue)
	if letters, _, _ := cutNumber(number); len(letters) < 3 {
		number = withLabel("no. ", number)
	}
	return joinNonEmpty(", ", number, joinNonEmpty(" ", strings.ToLower(part), which))
}
