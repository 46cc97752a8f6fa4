package citation

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// The most authors that Vancouver and AMA list, and how many AMA lists of more.
const nlmMaxAuthors, amaShownAuthors = 6, 3

// Vancouver returns an article as the recommendations of the ICMJE have it: six
// authors, the abbreviation of the journal, short page ranges, PMID and PMCID.
func Vancouver(a entity.Article) string {
	w := newWork(a)
	ahead := ""
	if w.aheadOfPrint {
		ahead = "Epub ahead of print."
	}
	return joinNonEmpty(" ", sentence(w.nlmAuthors(vancouver)), sentence(w.fullTitle()), w.vancouverSource(),
		sentence(withLabel("doi: ", w.doi)), ahead,
		sentence(w.nlmNotice("Retraction in: ")), sentence(joinNonEmpty("; ", withLabel("PMID: ", w.pmid), withLabel("PMCID: ", w.pmcid))),
		sentence(w.foreignLanguages()), w.vancouverAddress())
}

// AMA returns an article as the eleventh edition of the manual of the American
// Medical Association has it: three of more than six authors, the abbreviation of
// the journal, whole page ranges.
func AMA(a entity.Article) string {
	w := newWork(a)
	address := withLabel("doi:", w.doi)
	if address == "" {
		address = w.link()
	}
	notice := w.nlmNotice("Retracted in: ")
	if notice != "" {
		address = sentence(address)
	}
	return joinNonEmpty(" ", sentence(w.nlmAuthors(ama)), sentence(w.fullTitle()), w.amaSource(), address, sentence(notice))
}

// An nlmStyle is what distinguishes two styles that write names as the library does.
type nlmStyle struct {
	all, first int // authors listed: of at most all every one, of more the first
	suffix     func(person) string
	editor     string // the word after one
	editors    string // and after several
}

var (
	vancouver = nlmStyle{all: nlmMaxAuthors, first: nlmMaxAuthors, suffix: person.ordinal, editor: "editor", editors: "editors"}
	ama       = nlmStyle{all: nlmMaxAuthors, first: amaShownAuthors, suffix: person.numeral, editor: "ed", editors: "eds"}
)

func (w *work) nlmAuthors(style nlmStyle) string {
	switch {
	case len(w.authors) > 0:
		return style.list(w.authors, w.authorsCut)
	case w.kind == book && len(w.editors) > 0:
		return style.editorList(w.editors)
	}
	return ""
}

// edited is a list of editors with the word for them.
func (s nlmStyle) editorList(editors []person) string {
	role := s.editors
	if len(editors) == 1 {
		role = s.editor
	}
	return s.list(editors, false) + ", " + role
}

// list writes names. A group stands behind a semicolon. Names after the first
// ones are et al., but groups behind persons stay.
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

// ordinal is a suffix as the library writes it: Jr, 3rd.
func (p person) ordinal() string {
	for written, manual := range suffixes {
		if manual == p.suffix {
			return written
		}
	}
	return p.suffix
}

// numeral is a suffix with Roman numbers: Jr, III.
func (p person) numeral() string { return strings.TrimSuffix(p.suffix, ".") }

// abbreviation is the journal's abbreviation without full stops, else its name.
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

// vancouverIssue is 12(3), 12 Suppl 1 or (401).
func (w *work) vancouverIssue() string {
	switch {
	case w.issue == "":
		return w.volume
	case w.volume != "" && strings.HasPrefix(w.issue, "Suppl"):
		return w.volume + " " + w.issue
	}
	return w.volume + "(" + w.issue + ")"
}

// vancouverChapter has the day of the chapter before the book where the book is
// of another time.
func (w *work) vancouverChapter() string {
	own, year := "", w.date.span("-")
	if w.bookDate.year() != 0 {
		own, year = w.date.vancouver(), w.bookDate.span("-")
	}
	editors := ""
	if len(w.editors) > 0 {
		editors = sentence(vancouver.editorList(w.editors))
	}
	title := w.container
	if w.accession != "" {
		title += " [Internet]"
	}
	pages := withLabel("p. ", w.pages.write(span.nlmRange))
	return joinNonEmpty(" ", sentence(own), "In:", editors, sentence(title), w.vancouverBook(year), sentence(cmp.Or(pages, w.section)))
}

// vancouverBook is the edition, the volume and the publisher of a book.
func (w *work) vancouverBook(year string) string {
	press := joinNonEmpty(": ", w.place, w.publisher)
	return joinNonEmpty(" ", sentence(w.editionText()), sentence(w.volumeText("Vol. ")), sentence(joinNonEmpty("; ", press, year)),
		withLabel("(", closeParenthesis(w.series)))
}

// closed ends a text in parentheses, with a full stop.
func closeParenthesis(text string) string {
	if text == "" {
		return ""
	}
	return text + ")."
}

// vancouverAddress is the address of a book on the Bookshelf.
func (w *work) vancouverAddress() string {
	if w.doi != "" {
		return ""
	}
	return withLabel("Available from: ", w.link())
}

// foreignLanguages are the names of the languages of a work that is not in
// English alone.
func (w *work) foreignLanguages() string {
	var names []string
	foreign := false
	for _, code := range w.languages {
		if l, known := languages[code]; known {
			names, foreign = append(names, l.name), foreign || code != "eng"
		}
	}
	if !foreign {
		return ""
	}
	return strings.Join(names, ", ")
}

// nlmNotice is where the notice of a retraction stands.
func (w *work) nlmNotice(label string) string {
	switch {
	case !w.retracted:
		return ""
	case w.retraction == "":
		return "Retracted article"
	}
	return label + w.retraction
}

func (w *work) amaSource() string {
	year := w.date.span("-")
	pages := withLabel(":", w.pages.write(func(s span) string { return s.join("-") }))
	switch w.kind {
	case journal:
		if w.aheadOfPrint {
			return joinNonEmpty(" ", sentence(w.abbreviation()), sentence(joinNonEmpty(" ", "Published online", w.date.long())))
		}
		issue := w.volume
		if w.issue != "" {
			issue += "(" + w.amaIssue() + ")"
		}
		return joinNonEmpty(" ", sentence(w.abbreviation()), sentence(joinNonEmpty(";", year, issue)+pages))
	case chapter:
		editors := ""
		if len(w.editors) > 0 {
			editors = sentence(ama.editorList(w.editors))
		}
		return joinNonEmpty(" ", "In:", editors, sentence(w.container), w.amaBook(year, pages))
	}
	return w.amaBook(year, "")
}

// amaIssue is 3 suppl 2.
func (w *work) amaIssue() string {
	number, part, which := splitIssue(w.issue)
	return joinNonEmpty(" ", number, strings.ToLower(strings.TrimSuffix(part, ".")), which)
}

func (w *work) amaBook(year, pages string) string {
	section := ""
	if pages == "" && w.kind == chapter {
		section = w.section
	}
	return joinNonEmpty(" ", sentence(w.editionText()), sentence(w.volumeText("Vol ")), sentence(w.series),
		sentence(joinNonEmpty("; ", shortPublisher(w.publisher), year)+pages), sentence(section))
}

// vancouver is 2024 Mar 15, 1998 Dec-1999 Jan or 2002 Winter-Spring.
func (d date) vancouver() string {
	short := func(m time.Month) string { return m.String()[:3] }
	if len(d.months) == 2 && len(d.years) == 2 {
		return joinNonEmpty("-", strconv.Itoa(d.years[0])+" "+short(d.months[0]), strconv.Itoa(d.years[1])+" "+short(d.months[1]))
	}
	day := ""
	if d.day > 0 {
		day = strconv.Itoa(d.day)
	}
	return joinNonEmpty(" ", d.span("-"), cmp.Or(d.monthSpan("-", short), d.season), day)
}

// long is March 15, 2024.
func (d date) long() string {
	day := d.monthSpan("-", time.Month.String)
	if d.day > 0 {
		return joinNonEmpty(", ", day+" "+strconv.Itoa(d.day), d.span("-"))
	}
	return joinNonEmpty(" ", day, d.span("-"))
}

// shortest leaves out the digits of the end that are those of the start: 113-25.
func (s span) nlmRange() string {
	letters, from, rest := cutNumber(s.from)
	toLetters, to, toRest := cutNumber(s.to)
	if s.to == "" || from == "" || rest+toRest != "" || letters != toLetters || len(from) != len(to) {
		return s.join("-")
	}
	same := 0
	for same < len(to)-1 && to[same] == from[same] {
		same++
	}
	return s.from + "-" + to[same:]
}
