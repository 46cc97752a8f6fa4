// Package citation writes an article as a reference: RIS, BibTeX and CSL-JSON for
// reference managers, APA 7, MLA 9, Vancouver and AMA 11 for people. The functions
// are pure.
//
// References for people are plain text, so what the manuals set in italics is not
// marked. Titles of works keep the case that the record gives them: whether a
// capital belongs to a name is nothing that a program can tell. Journals are
// named as people cite them.
package citation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// kind is what sort of work a record is about.
type kind int

const (
	other kind = iota // neither a journal nor a book is known
	journal
	chapter
	book
)

// work is what a reference says of an article, each text on one line.
type work struct {
	kind         kind
	key          string // ASCII and unique, as it ends in the PMID
	pmid         string
	pmcid        string
	doi          string
	accession    string // of the Bookshelf
	authors      []person
	authorsCut   bool // there are more authors than the record lists
	editors      []person
	title        string // the original one where it is known
	translated   string // the English one where it is not the original
	container    string // journal, or the book of a chapter
	short        string // abbreviation of the journal
	series       string
	volume       string
	issue        string
	edition      string // such as 2nd
	section      string
	publisher    string
	place        string
	pages        pages
	date         date
	bookDate     date // of the book, where its chapter is of another time
	aheadOfPrint bool // out before its issue
	serials      []string
	languages    []string
	keywords     []string
	abstract     string
	retracted    bool
	retraction   string // where the notice stands, as PubMed writes it
}

func newWork(a entity.Article) work {
	w := work{
		pmid:       line(a.PMID),
		pmcid:      line(a.PMCID),
		doi:        bareDOI(line(a.DOI)),
		authors:    people(a.Authors),
		authorsCut: a.AuthorsIncomplete,
		languages:  distinct(a.Languages),
		keywords:   keywords(a),
		abstract:   line(a.AbstractText),
		retracted:  a.Retracted,
	}
	w.title, w.translated = titles(a)
	if a.Retracted {
		w.retraction = retraction(a.Corrections)
	}
	if a.Book != nil {
		w.readBook(a.Book)
	} else if a.JournalInfo != nil {
		w.readJournal(a.JournalInfo)
		w.aheadOfPrint = a.PublicationStatus == "aheadofprint" && w.volume+w.issue == "" && w.pages.empty()
	}
	if w.date.year() == 0 {
		w.date = isoDate(line(a.ElectronicDate))
	}
	w.key = key(&w)
	return w
}

func (w *work) readJournal(j *entity.JournalInfo) {
	w.kind = journal
	w.short = cmp.Or(line(j.ISOAbbreviation), line(j.MedlineAbbreviation))
	w.container = cmp.Or(journalTitle(line(j.Title)), w.short)
	w.volume, w.issue = readIssue(line(j.Volume), line(j.Issue))
	w.pages = readPages(line(j.Pages), line(j.ELocation))
	w.serials = distinct([]string{j.ISSN})
	w.date = readDate(j.PublicationDate)
	if w.container == "" {
		w.kind = other
	}
}

func (w *work) readBook(b *entity.Book) {
	w.kind, w.container = chapter, trimFullStop(line(b.Title))
	if w.title == "" || w.container == "" || strings.EqualFold(w.title, w.container) {
		w.kind, w.title, w.container = book, cmp.Or(w.title, w.container), ""
	}
	if len(w.authors) == 0 {
		w.authors = people(b.Authors)
	}
	w.editors = people(b.Editors)
	if slices.Equal(w.authors, w.editors) { // the editors of a book that nobody else wrote
		w.authors = nil
	}
	w.accession = line(b.Accession)
	w.series, w.volume, w.edition = line(b.CollectionTitle), line(b.Volume), edition(line(b.Edition))
	w.publisher, w.place = line(b.Publisher), line(b.PublisherLocation)
	w.section = line(b.Section)
	w.pages = readPages(line(b.Pages), "")
	w.serials = distinct(b.ISBN)
	w.date = readDate(b.PublicationDate)
	// A part of a book that grows for decades is as old as its own first day.
	if added := readDate(b.ContributionDate); w.kind == chapter && added.year() != 0 {
		w.date, w.bookDate = added, w.date
	}
}

// titles returns the title, and the English one apart where that is a
// translation of it. Alone, a translation keeps the brackets that mark it.
func titles(a entity.Article) (title, translated string) {
	title, original := trimFullStop(line(a.Title)), trimFullStop(line(a.VernacularTitle))
	inner := title
	if strings.HasPrefix(title, "[") && strings.HasSuffix(title, "]") {
		inner = trimFullStop(strings.TrimSpace(title[1 : len(title)-1]))
	}
	switch {
	case inner == "" || strings.EqualFold(inner, "not available"):
		return original, ""
	case original == "" || strings.EqualFold(original, inner):
		return title, ""
	}
	return original, inner
}

// fullTitle has the translation in brackets, as both manuals want it.
func (w *work) fullTitle() string {
	if w.translated == "" {
		return w.title
	}
	return w.title + " [" + w.translated + "]"
}

// link is the lasting address: the DOI, else the book on the Bookshelf.
func (w *work) link() string {
	switch {
	case w.doi != "":
		return "https://doi.org/" + escapeURL(w.doi)
	case w.accession != "":
		return "https://www.ncbi.nlm.nih.gov/books/" + escapeURL(w.accession) + "/"
	}
	return ""
}

// record is link, else the address of the record. The manuals do not want
// the address of a database, reference managers do.
func (w *work) record() string {
	if w.link() == "" && w.pmid != "" {
		return "https://pubmed.ncbi.nlm.nih.gov/" + escapeURL(w.pmid) + "/"
	}
	return w.link()
}

// escapeURL leaves alone what stands in DOIs and needs no escape, as the
// parentheses of url.PathEscape would.
func escapeURL(text string) string {
	var out strings.Builder
	for i := range len(text) {
		if c := text[i]; c <= ' ' || c >= 0x7F || strings.IndexByte("\"#%<>?[\\]^`{|}", c) >= 0 {
			fmt.Fprintf(&out, "%%%02X", c)
		} else {
			out.WriteByte(c)
		}
	}
	return out.String()
}

func bareDOI(text string) string {
	for _, front := range []string{"https://doi.org/", "http://doi.org/", "https://dx.doi.org/", "http://dx.doi.org/", "doi:"} {
		if len(text) > len(front) && strings.EqualFold(text[:len(front)], front) {
			return strings.TrimSpace(text[len(front):])
		}
	}
	return text
}

// keywords are those of the authors and the headings of the library.
func keywords(a entity.Article) []string {
	all := slices.Clone(a.Keywords)
	for i := range a.MeshTerms {
		all = append(all, a.MeshTerms[i].DescriptorName)
	}
	return distinct(all)
}

func retraction(notices []entity.Correction) string {
	for i := range notices {
		if notices[i].Type == "RetractionIn" {
			return trimFullStop(line(notices[i].Source))
		}
	}
	return ""
}

// remark is the note of a retracted article for reference managers.
func (w *work) remark() string {
	switch {
	case !w.retracted:
		return ""
	case w.retraction == "":
		return "Retracted"
	}
	return "Retracted. Retraction in: " + w.retraction
}

// edition returns the ordinal alone: each style has its own word after it.
func edition(text string) string {
	for _, word := range []string{"edition", "ed.", "ed"} {
		if n := len(text) - len(word); n > 0 && strings.EqualFold(text[n:], word) && text[n-1] == ' ' {
			text = strings.TrimSpace(text[:n])
			break
		}
	}
	if !digits(text) {
		return text
	}
	last, teen := text[len(text)-1], len(text) > 1 && text[len(text)-2] == '1'
	switch {
	case last == '1' && !teen:
		return text + "st"
	case last == '2' && !teen:
		return text + "nd"
	case last == '3' && !teen:
		return text + "rd"
	}
	return text + "th"
}

// key is the name of the first author, the year and the PMID.
func key(w *work) string {
	name := ""
	if all := slices.Concat(w.authors, w.editors); len(all) > 0 {
		name = all[0].keyName()
	}
	out := cmp.Or(name, "anonymous")
	if y := w.date.year(); y > 0 {
		out += fmt.Sprint(y)
	}
	return strings.TrimSuffix(out+"_"+entity.Fold(w.pmid), "_")
}
