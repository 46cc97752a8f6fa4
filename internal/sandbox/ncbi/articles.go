package ncbi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/sandbox/pmc"
	"github.com/biofact-mcp/biofact/internal/sandbox/records"
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

// readArticles reads the articles of the PubMed files, and marks those whose full text is open. Of the records of an article the first
// counts.
func readArticles(ctx context.Context, f *records.Folder, genes func() (*genes, error), texts pmc.Articles) (*articles, error) {
	var list []*article
	seen := map[uint64]bool{}
	err := eachRecord(ctx, f, []string{"PubmedArticle", "PubmedBookArticle"}, func(_, text string) error {
		tree, err := parseElement(text)
		if err != nil {
			return err
		}
		a := &article{element: tree, xml: text}
		if a.PMID, err = strconv.ParseUint(a.text("*/PMID"), 10, 64); err != nil || a.PMID == 0 {
			return errors.New("a record without a PMID")
		}
		if full := texts[a.id("pmc")]; !seen[a.PMID] {
			seen[a.PMID], a.open = true, full != nil && full.Open()
			list = append(list, a)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(x, y *article) int { return newestFirst(x.PMID, y.PMID) })
	all, err := newIndex(list, articleFields, articleValues())
	if err != nil {
		return nil, err
	}
	a := &articles{index: all, genes: genes}
	a.graph = sync.OnceValue(a.citations)
	a.words = sync.OnceValue(a.vocabulary)
	a.medline, err = readMEDLINE(ctx, f)
	return a, err
}

// readMEDLINE reads the recorded responses of EFetch in the format of MEDLINE. It returns the text of an article by its PMID.
func readMEDLINE(ctx context.Context, f *records.Folder) (map[string]string, error) {
	all := map[string]string{}
	for _, file := range f.MEDLINE("ncbi") {
		text, err := file.Read(ctx)
		if err != nil {
			return nil, err
		}
		const begin = "\nPMID- "
		for _, record := range strings.Split("\n"+string(text), begin)[1:] {
			pmid, _, _ := strings.Cut(record, "\n")
			all[strings.TrimSpace(pmid)] = begin + strings.TrimSpace(record) + "\n"
		}
	}
	return all, nil
}

// eachRecord reads the elements of some names in the XML files of a folder.
func eachRecord(ctx context.Context, f *records.Folder, names []string, read func(name, text string) error) error {
	files, err := records.WithMarks(ctx, f.XML("ncbi"), mapSlice(names, func(name string) string { return "<" + name })...)
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := file.Read(ctx)
		if err != nil {
			return err
		}
		if err := eachElement(text, names, read); err != nil {
			return fmt.Errorf("%s: %w", file.Name(), err)
		}
	}
	return nil
}

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
	if n, err := strconv.Atoi(month); err == nil && n >= 1 && n <= len(months) {
		month = months[n-1]
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

var months = []string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}

// monthNumber returns 02 for Feb, or "" for other texts.
func monthNumber(name string) string {
	if i := slices.Index(months, name); i >= 0 {
		return leadingZero(strconv.Itoa(i + 1))
	}
	return ""
}
