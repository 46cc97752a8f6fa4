// Package citation writes an article as a reference: RIS, BibTeX and CSL-JSON for reference managers, and APA 7, MLA 9, Vancouver and AMA
// 11 as text. The functions are pure.
//
// Text references are plain text, so italics are not marked. Titles keep the case of the record, because a program cannot know which
// capitals belong to names. Journal names are written as they are usually cited.
package citation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// kind is the kind of a work.
type kind int

const (
	other kind = iota // no journal and no book is known
	journal
	chapter
	book
)

// work has the data of a reference, each text on one line.
type work struct {
	kind         kind
	key          string // ASCII, and unique because it ends in the PMID
	pmid         string
	pmcid        string
	doi          string
	accession    string // of the Bookshelf
	authors      []person
	authorsCut   bool // the record does not list all authors
	editors      []person
	title        string // the original title, if it is known
	translated   string // the English title, if it is not the original
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
	bookDate     date // of the book, if its chapter has another date
	aheadOfPrint bool // published online before its issue
	serials      []string
	languages    []string
	keywords     []string
	abstract     string
	retracted    bool
	retraction   string // source of the retraction notice, as PubMed writes it
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
	if slices.Equal(w.authors, w.editors) { // PubMed lists the editors of an edited book also as authors
		w.authors = nil
	}
	w.accession = line(b.Accession)
	w.series, w.volume, w.edition = line(b.CollectionTitle), line(b.Volume), edition(line(b.Edition))
	w.publisher, w.place = line(b.Publisher), line(b.PublisherLocation)
	w.section = line(b.Section)
	w.pages = readPages(line(b.Pages), "")
	w.serials = distinct(b.ISBN)
	w.date = readDate(b.PublicationDate)
	// A chapter of a book that is updated over decades has its own date.
	if added := readDate(b.ContributionDate); w.kind == chapter && added.year() != 0 {
		w.date, w.bookDate = added, w.date
	}
}

// titles returns the title and, if the title is not in English, its English translation. If only a translation is known, it keeps the
// brackets that mark it.
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

// fullTitle returns the title with its translation in brackets, as APA and Vancouver require.
func (w *work) fullTitle() string {
	return w.title + between(" [", w.translated, "]")
}

// link returns the permanent address: the DOI, or the address of a book on the Bookshelf.
func (w *work) link() string {
	return cmp.Or(withLabel("https://doi.org/", escapeURL(w.doi)),
		between("https://www.ncbi.nlm.nih.gov/books/", escapeURL(w.accession), "/"))
}

// recordURL returns link, or the address of the record in PubMed. Styles omit the address of a database, but reference managers use it.
func (w *work) recordURL() string {
	return cmp.Or(w.link(), between("https://pubmed.ncbi.nlm.nih.gov/", escapeURL(w.pmid), "/"))
}

// escapeURL escapes a path. It keeps characters that occur in DOIs and need no escape, such as parentheses, which url.PathEscape would
// escape.
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

// keywords returns the keywords of the authors and the MeSH headings.
func keywords(a entity.Article) []string {
	all := slices.Clone(a.Keywords)
	for i := range a.MeshTerms {
		all = append(all, a.MeshTerms[i].DescriptorName)
	}
	return distinct(all)
}

func retraction(notices []entity.Correction) string {
	for i := range notices {
		if notices[i].Retracts() {
			return trimFullStop(line(notices[i].Source))
		}
	}
	return ""
}

// remark returns the note on a retraction for reference managers.
func (w *work) remark() string { return w.notice("Retracted", "Retracted. Retraction in: ") }

// notice returns the source of the retraction notice after a label, and bare for a retraction without a source; "" for other articles.
func (w *work) notice(bare, label string) string {
	return when(w.retracted, cmp.Or(withLabel(label, w.retraction), bare))
}

// edition returns the ordinal without the word edition, because each style has its own word.
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

// key returns the name of the first author, the year and the PMID.
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
