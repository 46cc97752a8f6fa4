package ncbi

import (
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/biofact-mcp/biofact/internal/sandbox/pmc"
	"github.com/biofact-mcp/biofact/internal/sandbox/records"
)

// readArticles reads the articles of the PubMed files, and marks those whose full text is open. Of the records of an article the first
// counts.
func readArticles(ctx context.Context, f *records.Folder, genes func() (*genes, error), texts pmc.Articles) (*articles, error) {
	var list []*article
	seen := map[uint64]bool{}
	err := eachRecord(ctx, f, []string{"PubmedArticle", "PubmedBookArticle"}, func(name string, text []byte) error {
		record, err := parseArticle(text, name)
		if err == nil && !seen[record.PMID] {
			seen[record.PMID] = true
			record.Open = texts[record.PMC] != nil && texts[record.PMC].Open()
			list = append(list, record)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	all, err := newArticles(list, genes)
	if err != nil {
		return nil, err
	}
	all.medline, err = readMEDLINE(ctx, f)
	return all, err
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

// eachRecord reads the elements of some names in the XML files of a folder. A record is its text, unchanged. The element of a set does
// not count.
func eachRecord(ctx context.Context, f *records.Folder, names []string, read func(name string, text []byte) error) error {
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

func eachElement(text []byte, names []string, read func(name string, element []byte) error) error {
	for {
		at := bytes.IndexByte(text, '<')
		if at < 0 {
			return nil
		}
		text = text[at:]
		i := slices.IndexFunc(names, func(name string) bool {
			after, ok := bytes.CutPrefix(text[1:], []byte(name))
			return ok && len(after) > 0 && (after[0] == '>' || after[0] == ' ')
		})
		if i < 0 {
			text = text[1:]
			continue
		}
		end := "</" + names[i] + ">"
		size := bytes.Index(text, []byte(end)) + len(end)
		if size < len(end) {
			return errors.New("the last record is cut off")
		}
		if err := read(names[i], text[:size:size]); err != nil {
			return err
		}
		text = text[size:]
	}
}

func parseArticle(text []byte, name string) (*article, error) {
	var a *article
	if name == "PubmedArticle" {
		var record articleXML
		if err := xml.Unmarshal(text, &record); err != nil {
			return nil, err
		}
		a = record.article()
	} else {
		var record bookXML
		if err := xml.Unmarshal(text, &record); err != nil {
			return nil, err
		}
		a = record.article()
	}
	if a.PMID == 0 {
		return nil, errors.New("a record without a PMID")
	}
	a.xml = string(text)
	return a, nil
}

// The elements of a record that responses are written from.
type (
	articleXML struct {
		Citation struct {
			Status    string  `xml:"Status,attr"`
			PMID      uint64  `xml:"PMID"`
			Completed dateXML `xml:"DateCompleted"`
			Revised   dateXML `xml:"DateRevised"`
			Article   struct {
				Journal    journalXML `xml:"Journal"`
				Title      innerXML   `xml:"ArticleTitle"`
				Vernacular innerXML   `xml:"VernacularTitle"`
				Pages      string     `xml:"Pagination>MedlinePgn"`
				Start      string     `xml:"Pagination>StartPage"`
				Places     []idXML    `xml:"ELocationID"`
				Abstract   []section  `xml:"Abstract>AbstractText"`
				Authors    []author   `xml:"AuthorList>Author"`
				Languages  []string   `xml:"Language"`
				Databanks  []databank `xml:"DataBankList>DataBank"`
				Grants     []grant    `xml:"GrantList>Grant"`
				Types      []heading  `xml:"PublicationTypeList>PublicationType"`
				Online     []dateXML  `xml:"ArticleDate"`
			} `xml:"Article"`
			Country   string     `xml:"MedlineJournalInfo>Country"`
			Short     string     `xml:"MedlineJournalInfo>MedlineTA"`
			Linking   string     `xml:"MedlineJournalInfo>ISSNLinking"`
			NLM       string     `xml:"MedlineJournalInfo>NlmUniqueID"`
			Chemicals []chemical `xml:"ChemicalList>Chemical"`
			MeSH      []subject  `xml:"MeshHeadingList>MeshHeading"`
			Keywords  []keyword  `xml:"KeywordList>Keyword"`
			Conflicts string     `xml:"CoiStatement"`
		} `xml:"MedlineCitation"`
		Data dataXML `xml:"PubmedData"`
	}
	bookXML struct {
		Document struct {
			PMID uint64  `xml:"PMID"`
			IDs  []idXML `xml:"ArticleIdList>ArticleId"`
			Book struct {
				Publisher string   `xml:"Publisher>PublisherName"`
				Title     innerXML `xml:"BookTitle"`
				Date      dateXML  `xml:"PubDate"`
				People    []struct {
					Kind    string   `xml:"Type,attr"`
					Authors []author `xml:"Author"`
				} `xml:"AuthorList"`
			} `xml:"Book"`
			Title     innerXML  `xml:"ArticleTitle"`
			Languages []string  `xml:"Language"`
			Authors   []author  `xml:"AuthorList>Author"`
			Types     []heading `xml:"PublicationType"`
			Abstract  []section `xml:"Abstract>AbstractText"`
			Keywords  []keyword `xml:"KeywordList>Keyword"`
			Revised   dateXML   `xml:"DateRevised"`
			Grants    []grant   `xml:"GrantList>Grant"`
		} `xml:"BookDocument"`
		Data dataXML `xml:"PubmedBookData"`
	}
	journalXML struct {
		ISSN struct {
			Kind string `xml:"IssnType,attr"`
			Text string `xml:",chardata"`
		} `xml:"ISSN"`
		Volume string  `xml:"JournalIssue>Volume"`
		Issue  string  `xml:"JournalIssue>Issue"`
		Date   dateXML `xml:"JournalIssue>PubDate"`
		Title  string  `xml:"Title"`
		ISO    string  `xml:"ISOAbbreviation"`
	}
	dataXML struct {
		History    []dateXML      `xml:"History>PubMedPubDate"`
		IDs        []idXML        `xml:"ArticleIdList>ArticleId"`
		References []referenceXML `xml:"ReferenceList>Reference"`
		Inner      []referenceXML `xml:"ReferenceList>ReferenceList>Reference"`
	}
	referenceXML struct {
		IDs []idXML `xml:"ArticleIdList>ArticleId"`
	}
	// idXML is an id with its kind, which is in one of two attributes.
	idXML struct {
		Kind  string `xml:"IdType,attr"`
		EKind string `xml:"EIdType,attr"`
		Text  string `xml:",chardata"`
	}
	innerXML struct {
		Text markup `xml:",innerxml"`
	}
	dateXML struct {
		Kind    string `xml:"PubStatus,attr"`
		Year    string `xml:"Year"`
		Month   string `xml:"Month"`
		Day     string `xml:"Day"`
		Season  string `xml:"Season"`
		Medline string `xml:"MedlineDate"`
	}
)

func (x *articleXML) article() *article {
	c := &x.Citation
	a := &article{
		PMID: c.PMID, Status: c.Status, Completed: c.Completed.day(), Revised: c.Revised.day(),
		Volume: c.Article.Journal.Volume, Issue: c.Article.Journal.Issue, Date: c.Article.Journal.Date.citationDate(),
		Title: c.Article.Title.Text, Vernacular: c.Article.Vernacular.Text, Abstract: c.Article.Abstract,
		Authors: c.Article.Authors, Languages: c.Article.Languages, Grants: c.Article.Grants, Types: c.Article.Types,
		Chemicals: c.Chemicals, MeSH: c.MeSH, Databanks: c.Article.Databanks, Keywords: c.Keywords,
		Conflicts: c.Conflicts,
		Journal:   journal{Title: c.Article.Journal.Title, ISO: c.Article.Journal.ISO, Short: c.Short, NLM: c.NLM, Country: c.Country},
	}
	a.Pages = cmp.Or(c.Article.Pages, c.Article.Start)
	if issn := c.Article.Journal.ISSN; issn.Kind == "Electronic" {
		a.Journal.Online = issn.Text
		if c.Linking != issn.Text {
			a.Journal.Print = c.Linking
		}
	} else {
		a.Journal.Print = issn.Text
	}
	for _, date := range c.Article.Online {
		a.Online = date.day()
	}
	for _, place := range c.Article.Places {
		a.identify(place.EKind, place.Text)
	}
	x.Data.addTo(a)
	return a
}

func (x *bookXML) article() *article {
	d := &x.Document
	b := bookArticle{
		Title: d.Book.Title.Text, Publisher: d.Book.Publisher,
	}
	a := &article{
		PMID: d.PMID, Title: d.Title.Text, Languages: d.Languages, Authors: d.Authors, Types: d.Types, Abstract: d.Abstract,
		Keywords: d.Keywords, Revised: d.Revised.day(), Grants: d.Grants, Date: d.Book.Date.citationDate(), IsBook: true,
	}
	for _, list := range d.Book.People {
		if list.Kind == "editors" {
			b.Editors = list.Authors
		} else if len(a.Authors) == 0 {
			a.Authors = list.Authors
		}
	}
	for _, id := range d.IDs {
		if id.Kind == "bookaccession" {
			b.Accession = id.Text
		}
	}
	a.Book = b
	x.Data.addTo(a)
	return a
}

// addTo adds the data that both kinds of records have.
func (x *dataXML) addTo(a *article) {
	for _, id := range x.IDs {
		a.identify(id.Kind, id.Text)
	}
	for _, date := range x.History {
		if day := date.day(); day != "" {
			a.History = append(a.History, event{date.Kind, day})
		}
	}
	for _, r := range append(x.References, x.Inner...) {
		for _, id := range r.IDs {
			if pmid, err := strconv.ParseUint(id.Text, 10, 64); err == nil && id.Kind == "pubmed" {
				a.References = append(a.References, pmid)
			}
		}
	}
}

// identify sets the first id of each kind.
func (a *article) identify(kind, id string) {
	for known, target := range map[string]*string{"doi": &a.DOI, "pii": &a.PII, "pmc": &a.PMC} {
		if kind == known && *target == "" {
			*target = strings.TrimSpace(id)
		}
	}
}

// day returns a date like 2010-02-06. The month of the record may be a name.
func (d dateXML) day() string {
	if d.Year == "" || d.Month == "" || d.Day == "" {
		return ""
	}
	return d.Year + "-" + cmp.Or(monthNumber(d.Month), leadingZero(d.Month)) + "-" + leadingZero(d.Day)
}

// citationDate returns a date as in a citation: 2010 Feb 6.
func (d dateXML) citationDate() string {
	if d.Medline != "" {
		return d.Medline
	}
	month := d.Month
	if n, err := strconv.Atoi(month); err == nil && n >= 1 && n <= len(months) {
		month = months[n-1]
	}
	return strings.Join(strings.Fields(d.Year+" "+month+d.Season+" "+strings.TrimPrefix(d.Day, "0")), " ")
}

// newArticles returns the database of some records. The links pubmed_gene need the genes.
func newArticles(list []*article, genes func() (*genes, error)) (*articles, error) {
	slices.SortFunc(list, func(x, y *article) int { return newestFirst(x.PMID, y.PMID) })
	all, err := newIndex(list, articleFields, articleValues())
	a := &articles{index: all, genes: genes}
	a.graph = sync.OnceValue(a.citations)
	a.words = sync.OnceValue(a.vocabulary)
	return a, err
}
