package ncbi

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// article is a record of PubMed: a PubmedArticle, or a PubmedBookArticle, which is a book or a chapter of one.
type article struct {
	*element
	PMID uint64
	open bool   // access in PMC
	xml  string // the record as it is in its file
}

// articles is db=pubmed, by descending PMID.
type articles struct {
	*index[*article]
	medline map[string]string // recorded texts by PMID
	genes   func() (*genes, error)
	graph   func() *citations
	words   func() []string // vocabulary, the most frequent words first
}

// The paths in a record, whose first child is a MedlineCitation or a BookDocument.
const (
	titlePath     = "*/Article/ArticleTitle|*/ArticleTitle"
	bookTitlePath = "*/Book/BookTitle"
	abstractPath  = "*/Article/Abstract/AbstractText|*/Abstract/AbstractText"
	typesPath     = "*/Article/PublicationTypeList/PublicationType|*/PublicationType"
	journalPath   = "*/Article/Journal/"
	shortPath     = "*/MedlineJournalInfo/MedlineTA"
	volumePath    = journalPath + "JournalIssue/Volume"
)

func (a *article) uid() uint64 { return a.PMID }

// id returns the first id of a kind: doi, pii or pmc.
func (a *article) id(kind string) string {
	for _, id := range a.all("*/Article/ELocationID|PubmedData/ArticleIdList/ArticleId|PubmedBookData/ArticleIdList/ArticleId") {
		if cmp.Or(id.attribute("IdType"), id.attribute("EIdType")) == kind && strings.TrimSpace(id.value()) != "" {
			return strings.TrimSpace(id.value())
		}
	}
	return ""
}

func (a *article) isBook() bool { return a.name == "PubmedBookArticle" }

// authors returns the authors of an article or a chapter, or those of the book.
func (a *article) authors() []*element {
	all := a.all("*/Article/AuthorList/Author|*/AuthorList/Author")
	for _, list := range a.all("*/Book/AuthorList") {
		if len(all) == 0 && list.attribute("Type") != "editors" {
			all = list.all("Author")
		}
	}
	return all
}

// people returns the authors that are persons.
func (a *article) people() []*element {
	return slices.DeleteFunc(a.authors(), func(p *element) bool { return p.text("CollectiveName") != "" })
}

func (a *article) editors() (all []*element) {
	for _, list := range a.all("*/Book/AuthorList") {
		if list.attribute("Type") == "editors" {
			all = list.all("Author")
		}
	}
	return all
}

// nameOf returns an author as in a citation: Wright JT Jr.
func nameOf(p *element) string {
	return cmp.Or(p.text("CollectiveName"),
		strings.Join(strings.Fields(p.text("LastName")+" "+p.text("Initials")+" "+p.text("Suffix")), " "))
}

// pages returns the pages, and the first of them.
func (a *article) pages() (pages, first string) {
	pages = cmp.Or(a.text("*/Article/Pagination/MedlinePgn"), a.text("*/Article/Pagination/StartPage"))
	first, _, _ = strings.Cut(pages, "-")
	return pages, first
}

// date returns the date as a citation prints it: 2010 Feb 6, 2020 Jul-Aug.
func (a *article) date() string {
	d := a.first(journalPath + "JournalIssue/PubDate|*/Book/PubDate")
	if words := d.text("MedlineDate"); words != "" {
		return words
	}
	month := d.text("Month")
	if t, err := time.Parse("1", month); err == nil {
		month = t.Format("Jan")
	}
	return strings.Join(strings.Fields(d.text("Year")+" "+month+d.text("Season")+" "+strings.TrimPrefix(d.text("Day"), "0")), " ")
}

// online returns the day of the electronic publication, 2010/02/06.
func (a *article) online() string {
	return dayOf(append([]*element{nil}, a.all("*/Article/ArticleDate")...))
}

// event returns the day of a step in the history of the record, or "".
func (a *article) event(kind string) string {
	for _, date := range a.all("*/History/PubMedPubDate") {
		if day := dayOf([]*element{date}); date.attribute("PubStatus") == kind && day != "" {
			return day
		}
	}
	return ""
}

func (a *article) entered() string { return cmp.Or(a.event("entrez"), a.event("pubmed")) }

// dayOf returns the last of some dates in the form that searches compare: 2010/02/06. The month of a record may be a name.
func dayOf(dates []*element) string {
	d := dates[len(dates)-1]
	year, month, day := d.text("Year"), d.text("Month"), d.text("Day")
	if year == "" || month == "" || day == "" {
		return ""
	}
	return year + "/" + cmp.Or(monthNumber(month), leadingZero(month)) + "/" + leadingZero(day)
}

var dayNumbers = lazyregexp.New(`[0-9]+`)

// sortDate returns the first day of the date of a citation, in the form that searches compare.
func sortDate(date string) string {
	year, rest, _ := strings.Cut(date, " ")
	if len(year) < 4 {
		return ""
	}
	month, day := "01", "01"
	if len(rest) >= 3 {
		if number := monthNumber(rest[:3]); number != "" {
			month = number
			if at := dayNumbers.FindString(rest[3:]); len(at) == 1 || len(at) == 2 {
				day = leadingZero(at)
			}
		}
	}
	return year[:4] + "/" + month + "/" + day
}

func leadingZero(number string) string {
	if len(number) == 1 {
		return "0" + number
	}
	return number
}

// monthNumber returns 02 for Feb, or "" for other texts.
func monthNumber(name string) string {
	if t, err := time.Parse("Jan", name); err == nil {
		return t.Format("01")
	}
	return ""
}

// citations has the citations among the articles, and the terms for their similarity.
type citations struct {
	citedBy map[uint64][]uint64
	terms   map[uint64][]string // subjects and words of the title, sorted
	weight  map[string]int      // of a term: the rarer the term, the higher the weight
}
