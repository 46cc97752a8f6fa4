package citation

import (
	"cmp"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// The longest list of authors that APA 7 prints in full, and how many authors of a longer list it prints before the last one.
const apaMaxAuthors, apaShownAuthors = 20, 19

// APA returns an article as an entry of a reference list in the style of the American Psychological Association, seventh edition. The entry
// is plain text without italics.
func APA(a entity.Article) string {
	w := newWork(a)
	year := "(" + cmp.Or(w.date.span("–"), "n.d.") + ")."
	authors, title := w.apaAuthors(), sentence(w.apaTitle())
	head := joinNonEmpty(" ", authors, year, title)
	if authors == "" {
		head = joinNonEmpty(" ", title, year)
	}
	return joinNonEmpty(" ", head, sentence(w.apaSource()),
		sentence(when(w.kind != journal, shortPublisher(w.publisher))), when(w.aheadOfPrint, "Advance online publication."), w.link(),
		apaNotice(w.retraction))
}

// apaAuthors returns the authors or, for a book without authors, the editors.
func (w *work) apaAuthors() string {
	if len(w.authors) > 0 {
		return sentence(apaList(w.authors, w.authorsCut, person.apa, ", & "))
	}
	return when(w.kind == book, between("", apaEditors(w.editors, person.apa, ", & "), "."))
}

// apaEditors returns editors with the word for them, or "" without editors.
func apaEditors(editors []person, write func(person) string, two string) string {
	switch len(editors) {
	case 0:
		return ""
	case 1:
		return write(editors[0]) + " (Ed.)"
	}
	return apaList(editors, false, write, two) + " (Eds.)"
}

// apaList writes names. If the record omits authors, the last author is unknown and the list ends in et al.
func apaList(all []person, cut bool, write func(person) string, two string) string {
	names := convert(all, write)
	last := len(names) - 1
	switch {
	case cut:
		return strings.Join(names[:min(len(names), apaShownAuthors)], ", ") + ", et al."
	case len(names) == 1:
		return names[0]
	case len(names) == 2:
		return names[0] + two + names[1]
	case len(names) > apaMaxAuthors:
		return strings.Join(names[:apaShownAuthors], ", ") + ", . . . " + names[last]
	}
	return strings.Join(names[:last], ", ") + ", & " + names[last]
}

func (p person) apa() string { return joinNonEmpty(", ", p.group, p.last, p.initials, p.suffix) }

// apaInOrder returns the name of an editor, initials first.
func (p person) apaInOrder() string {
	return joinNonEmpty(", ", joinNonEmpty(" ", p.group, p.initials, p.last), p.suffix)
}

// apaTitle returns the title. It marks a retracted article there if apaNotice has no remark for it.
func (w *work) apaTitle() string {
	title := cmp.Or(w.fullTitle(), "[Untitled]")
	if w.kind == book {
		title = joinNonEmpty(" ", title, w.apaPart())
	}
	if w.retracted && apaNotice(w.retraction) == "" {
		title += " [Retracted]"
	}
	return title
}

func (w *work) apaSource() string {
	switch w.kind {
	case journal:
		return joinNonEmpty(", ", w.container, w.volume+between("(", w.apaIssue(), ")"), w.apaPages())
	case chapter:
		return "In " + joinNonEmpty(", ", apaEditors(w.editors, person.apaInOrder, " & "), joinNonEmpty(" ", w.container, w.apaPart()))
	}
	return ""
}

// apaPart returns the edition, volume and pages of a book in parentheses.
func (w *work) apaPart() string {
	where := when(w.kind == chapter, cmp.Or(w.bookPages("–"), w.section))
	return between("(", joinNonEmpty(", ", w.editionText(), w.volumeText("Vol. "), where), ")")
}

func (w *work) editionText() string { return between("", w.edition, " ed.") }

func (w *work) volumeText(label string) string {
	if strings.HasPrefix(strings.ToLower(w.volume), "vol") {
		return w.volume
	}
	return withLabel(label, w.volume)
}

func (w *work) bookPages(dash string) string {
	label := "p. "
	if w.pages.multiple() {
		label = "pp. "
	}
	return withLabel(label, w.pages.write(func(s span) string { return s.join(dash) }))
}

func (w *work) apaPages() string {
	text := w.pages.write(func(s span) string { return s.join("–") })
	if w.pages.number != "" {
		return "Article " + text
	}
	return text
}

// apaNotice returns the remark on a retraction for a source of the form Lancet. 2010 Feb 6;375(9713):445-6, and "" for other forms.
func apaNotice(source string) string {
	parts := strings.Split(source, ". ") // an author may precede the journal
	for i, part := range parts {
		if i == 0 || len(part) < 4 || !digits(part[:4]) {
			continue
		}
		_, where, _ := strings.Cut(part, ";")
		volume, at, _ := strings.Cut(where, ":")
		volume = strings.NewReplacer("(", "[", ")", "]").Replace(strings.TrimSpace(volume))
		place := readPages(strings.TrimSpace(at), "").write(func(s span) string { return s.join("–") })
		return "(Retraction published " + joinNonEmpty(", ", part[:4], parts[i-1], volume, place) + ")"
	}
	return ""
}

// apaIssue returns an issue such as 3, Suppl. 2.
func (w *work) apaIssue() string {
	number, part, which := splitIssue(w.issue)
	return joinNonEmpty(", ", number, joinNonEmpty(" ", part, which))
}
