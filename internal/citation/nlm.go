package citation

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// The largest number of authors that Vancouver and AMA list in full, and the number that AMA lists of more.
const nlmMaxAuthors, amaShownAuthors = 6, 3

// Vancouver returns an article in the style of the ICMJE recommendations: six authors, the abbreviation of the journal, short page ranges,
// PMID and PMCID.
func Vancouver(a entity.Article) string {
	w := newWork(a)
	return joinNonEmpty(" ", sentence(w.nlmAuthors(vancouver)), sentence(w.fullTitle()), w.vancouverSource(),
		sentence(withLabel("doi: ", w.doi)), when(w.aheadOfPrint, "Epub ahead of print."),
		sentence(w.notice("Retracted article", "Retraction in: ")),
		sentence(joinNonEmpty("; ", withLabel("PMID: ", w.pmid), withLabel("PMCID: ", w.pmcid))),
		sentence(w.foreignLanguages()), when(w.doi == "", withLabel("Available from: ", w.link())))
}

// AMA returns an article in the style of the American Medical Association, eleventh edition: all of up to six authors, else the first
// three, the abbreviation of the journal, full page ranges.
func AMA(a entity.Article) string {
	w := newWork(a)
	address := cmp.Or(withLabel("doi:", w.doi), w.link())
	notice := w.notice("Retracted article", "Retracted in: ")
	if notice != "" {
		address = sentence(address)
	}
	return joinNonEmpty(" ", sentence(w.nlmAuthors(ama)), sentence(w.fullTitle()), w.amaSource(), address, sentence(notice))
}

// An nlmStyle has the differences of the two styles that write names as NLM does.
type nlmStyle struct {
	all, first int // up to all authors are listed in full, else the first ones
	suffix     func(person) string
	editor     string // the word for one editor
	editors    string // the word for several editors
}

var (
	vancouver = nlmStyle{all: nlmMaxAuthors, first: nlmMaxAuthors, suffix: person.ordinal, editor: "editor", editors: "editors"}
	ama       = nlmStyle{all: nlmMaxAuthors, first: amaShownAuthors, suffix: person.numeral, editor: "ed", editors: "eds"}
)

func (w *work) nlmAuthors(style nlmStyle) string {
	if len(w.authors) > 0 {
		return style.list(w.authors, w.authorsCut)
	}
	return when(w.kind == book, style.editorList(w.editors))
}

// editorList returns a list of editors with the word for them, or "" without editors.
func (s nlmStyle) editorList(editors []person) string {
	role := s.editors
	if len(editors) == 1 {
		role = s.editor
	}
	return between("", s.list(editors, false), ", "+role)
}

// list writes names. A semicolon separates groups. Omitted persons become et al., but groups after them are kept.
func (s nlmStyle) list(all []person, cut bool) string {
	shown := all
	if len(all) > s.all {
		shown, cut = all[:s.first], true
	}
	var out strings.Builder
	for i, p := range shown {
		switch {
		case i == 0:
		case p.group != "" || shown[i-1].group != "":
			out.WriteString("; ")
		default:
			out.WriteString(", ")
		}
		out.WriteString(joinNonEmpty(" ", p.group, p.last, p.short, s.suffix(p)))
	}
	if !cut {
		return out.String()
	}
	out.WriteString(", et al")
	for _, p := range all[len(shown):] {
		if p.group != "" {
			out.WriteString("; " + p.group)
		}
	}
	return out.String()
}

// ordinal returns a suffix as NLM writes it: Jr, 3rd. It looks up the suffix of the styles in suffixes.
func (p person) ordinal() string {
	for written, manual := range suffixes {
		if manual == p.suffix {
			return written
		}
	}
	return p.suffix
}

// numeral returns a suffix with Roman numerals: Jr, III.
func (p person) numeral() string { return strings.TrimSuffix(p.suffix, ".") }

// abbreviation returns the journal's abbreviation without full stops, or else its name.
func (w *work) abbreviation() string {
	return cmp.Or(strings.Join(strings.Fields(strings.ReplaceAll(w.short, ".", " ")), " "), w.container)
}

func (w *work) vancouverSource() string {
	switch w.kind {
	case journal:
		when := joinNonEmpty(";", w.date.vancouver(), w.vancouverIssue()) + withLabel(":", w.pages.write(span.nlmRange))
		return joinNonEmpty(" ", sentence(w.abbreviation()), sentence(when))
	case chapter:
		return w.vancouverChapter()
	}
	return w.vancouverBook(w.date.span("-"))
}

// vancouverIssue returns the volume and issue: 12(3), 12 Suppl 1 or (401).
func (w *work) vancouverIssue() string {
	switch {
	case w.issue == "":
		return w.volume
	case w.volume != "" && strings.HasPrefix(w.issue, "Suppl"):
		return w.volume + " " + w.issue
	}
	return w.volume + "(" + w.issue + ")"
}

// vancouverChapter returns the book of a chapter. If the chapter has another date than the book, its own date comes first.
func (w *work) vancouverChapter() string {
	own, year := "", w.date.span("-")
	if w.bookDate.year() != 0 {
		own, year = w.date.vancouver(), w.bookDate.span("-")
	}
	editors, title := sentence(vancouver.editorList(w.editors)), w.container+when(w.accession != "", " [Internet]")
	pages := withLabel("p. ", w.pages.write(span.nlmRange))
	return joinNonEmpty(" ", sentence(own), "In:", editors, sentence(title), w.vancouverBook(year), sentence(cmp.Or(pages, w.section)))
}

// vancouverBook returns the edition, the volume and the publisher of a book.
func (w *work) vancouverBook(year string) string {
	press := joinNonEmpty(": ", w.place, w.publisher)
	return joinNonEmpty(" ", sentence(w.editionText()), sentence(w.volumeText("Vol. ")), sentence(joinNonEmpty("; ", press, year)),
		between("(", w.series, ")."))
}

// foreignLanguages returns the names of the languages of a work, or "" if its only language is English.
func (w *work) foreignLanguages() string {
	var names []string
	foreign := false
	for _, code := range w.languages {
		if l, known := languages[code]; known {
			names, foreign = append(names, l.name), foreign || code != "eng"
		}
	}
	return when(foreign, strings.Join(names, ", "))
}

func (w *work) amaSource() string {
	year := w.date.span("-")
	pages := withLabel(":", w.pages.write(func(s span) string { return s.join("-") }))
	switch w.kind {
	case journal:
		if w.aheadOfPrint {
			return joinNonEmpty(" ", sentence(w.abbreviation()), sentence(joinNonEmpty(" ", "Published online", w.date.long())))
		}
		issue := w.volume + between("(", w.amaIssue(), ")")
		return joinNonEmpty(" ", sentence(w.abbreviation()), sentence(joinNonEmpty(";", year, issue)+pages))
	case chapter:
		return joinNonEmpty(" ", "In:", sentence(ama.editorList(w.editors)), sentence(w.container), w.amaBook(year, pages))
	}
	return w.amaBook(year, "")
}

// amaIssue returns an issue such as 3 suppl 2.
func (w *work) amaIssue() string {
	number, part, which := splitIssue(w.issue)
	return joinNonEmpty(" ", number, strings.ToLower(strings.TrimSuffix(part, ".")), which)
}

func (w *work) amaBook(year, pages string) string {
	section := when(pages == "" && w.kind == chapter, w.section)
	return joinNonEmpty(" ", sentence(w.editionText()), sentence(w.volumeText("Vol ")), sentence(w.series),
		sentence(joinNonEmpty("; ", shortPublisher(w.publisher), year)+pages), sentence(section))
}

// vancouver returns a date such as 2024 Mar 15, 1998 Dec-1999 Jan or 2002 Winter-Spring.
func (d date) vancouver() string {
	short := func(m time.Month) string { return m.String()[:3] }
	if d.days != "" {
		return d.days
	}
	if len(d.months) == 2 && len(d.years) == 2 {
		return joinNonEmpty("-", strconv.Itoa(d.years[0])+" "+short(d.months[0]), strconv.Itoa(d.years[1])+" "+short(d.months[1]))
	}
	return joinNonEmpty(" ", d.span("-"), cmp.Or(d.monthSpan("-", short), d.season), when(d.day > 0, strconv.Itoa(d.day)))
}

// long returns a date such as March 15, 2024.
func (d date) long() string {
	day := d.monthSpan("-", time.Month.String)
	if d.day > 0 {
		return joinNonEmpty(", ", day+" "+strconv.Itoa(d.day), d.span("-"))
	}
	return joinNonEmpty(" ", day, d.span("-"))
}

// nlmRange omits the leading digits of the end that are the same in the start: 113-25.
func (s span) nlmRange() string {
	letters, from, rest := cutNumber(s.from)
	toLetters, to, toRest := cutNumber(s.to)
	if s.to == "" || from == "" || rest != "" || toRest != "" && !strings.HasPrefix(toRest, ".e") || letters != toLetters ||
		len(from) != len(to) {
		return s.join("-")
	}
	same := 0
	for same < len(to)-1 && to[same] == from[same] {
		same++
	}
	return s.from + "-" + to[same:] + toRest
}
