package sandbox

import (
	"bufio"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// articleSet is how XML of PubMed is told from that of other databases: by one
// of these within its beginning.
var articleSet = [][]byte{[]byte("<PubmedArticle"), []byte("<PubmedBookArticle")}

// setHead is how much of a file is looked at to tell what it is.
const setHead = 4 << 10

// readArticleSets reads the articles of those files that are of PubMed, and
// returns the paths of the rest.
func readArticleSets(ctx context.Context, paths []string, held int64) (list []*article, rest []string, err error) {
	seen := map[uint64]bool{}
	for _, path := range paths {
		text, err := readArticleText(ctx, path, held)
		if err != nil {
			return nil, nil, err
		}
		if text == nil {
			rest = append(rest, path)
			continue
		}
		more, err := scanArticles(ctx, text)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
		for _, record := range more {
			if !seen[record.PMID] {
				seen[record.PMID] = true
				list = append(list, record)
			}
		}
	}
	return list, rest, nil
}

// readArticleText is the text of a file of PubMed; nil is another file.
func readArticleText(ctx context.Context, path string, held int64) ([]byte, error) {
	file, err := openWithin(ctx, path, held)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text := bufio.NewReaderSize(file, setHead)
	head, err := text.Peek(setHead)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if !bytes.Contains(head, articleSet[0]) && !bytes.Contains(head, articleSet[1]) {
		return nil, nil
	}
	all, err := io.ReadAll(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return all, nil
}

// scanArticles finds the records of a text, each of which is kept as it stands.
func scanArticles(ctx context.Context, text []byte) ([]*article, error) {
	var list []*article
	for {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		name, from := nextArticle(text)
		if name == "" {
			return list, nil
		}
		end := "</" + name + ">"
		size := bytes.Index(text[from:], []byte(end))
		if size < 0 {
			return nil, errors.New("the last record is cut off")
		}
		size += len(end)
		record, err := parseArticle(text[from:from+size], name)
		if err != nil {
			return nil, err
		}
		list, text = append(list, record), text[from+size:]
	}
}

// nextArticle is the first record of a text: the name of its element and where
// it begins. A set of them is none.
func nextArticle(text []byte) (name string, from int) {
	for _, kind := range []string{"PubmedArticle", "PubmedBookArticle"} {
		for _, tag := range []string{"<" + kind + ">", "<" + kind + " "} {
			if at := bytes.Index(text, []byte(tag)); at >= 0 && (name == "" || at < from) {
				name, from = kind, at
			}
		}
	}
	return name, from
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
	a.raw = string(text)
	return a, nil
}

// The elements of a record that answers are written from.
type (
	articleXML struct {
		Citation struct {
			Status    string  `xml:"Status,attr"`
			PMID      uint64  `xml:"PMID"`
			Completed dateXML `xml:"DateCompleted"`
			Revised   dateXML `xml:"DateRevised"`
			Article   struct {
				Model      string     `xml:"PubModel,attr"`
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
			NLM       string     `xml:"MedlineJournalInfo>NlmUniqueID"`
			Chemicals []chemical `xml:"ChemicalList>Chemical"`
			Remarks   []remark   `xml:"CommentsCorrectionsList>CommentsCorrections"`
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
				Place     string   `xml:"Publisher>PublisherLocation"`
				Title     innerXML `xml:"BookTitle"`
				Date      dateXML  `xml:"PubDate"`
				Begin     string   `xml:"BeginningDate>Year"`
				End       string   `xml:"EndingDate>Year"`
				People    []struct {
					Kind    string   `xml:"Type,attr"`
					Authors []author `xml:"Author"`
				} `xml:"AuthorList"`
				Medium string `xml:"Medium"`
			} `xml:"Book"`
			Title     innerXML  `xml:"ArticleTitle"`
			Languages []string  `xml:"Language"`
			Authors   []author  `xml:"AuthorList>Author"`
			Types     []heading `xml:"PublicationType"`
			Abstract  []section `xml:"Abstract>AbstractText"`
			Sections  []string  `xml:"Sections>Section>SectionTitle"`
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
		Status     string         `xml:"PublicationStatus"`
		IDs        []idXML        `xml:"ArticleIdList>ArticleId"`
		References []referenceXML `xml:"ReferenceList>Reference"`
		Inner      []referenceXML `xml:"ReferenceList>ReferenceList>Reference"`
	}
	referenceXML struct {
		Citation innerXML `xml:"Citation"`
		IDs      []idXML  `xml:"ArticleIdList>ArticleId"`
	}
	// idXML is an identifier with its kind, in either of two attributes.
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
		Hour    string `xml:"Hour"`
		Minute  string `xml:"Minute"`
	}
)

func (x *articleXML) article() *article {
	c := &x.Citation
	a := &article{
		PMID: c.PMID, Status: c.Status, Model: c.Article.Model, Completed: c.Completed.day(), Revised: c.Revised.day(),
		Volume: c.Article.Journal.Volume, Issue: c.Article.Journal.Issue, Date: c.Article.Journal.Date.printed(),
		Title: c.Article.Title.Text, Vernacular: c.Article.Vernacular.Text, Abstract: c.Article.Abstract,
		Authors: c.Article.Authors, Languages: c.Article.Languages, Grants: c.Article.Grants, Types: c.Article.Types,
		Chemicals: c.Chemicals, Remarks: c.Remarks, MeSH: c.MeSH, Databanks: c.Article.Databanks, Keywords: c.Keywords, Conflicts: c.Conflicts,
		Journal: journal{Title: c.Article.Journal.Title, ISO: c.Article.Journal.ISO, Short: c.Short, NLM: c.NLM, Country: c.Country},
	}
	if a.Pages = c.Article.Pages; a.Pages == "" {
		a.Pages = c.Article.Start
	}
	if issn := c.Article.Journal.ISSN; issn.Kind == "Electronic" {
		a.Journal.Online = issn.Text
	} else {
		a.Journal.Print = issn.Text
	}
	for _, date := range c.Article.Online {
		a.Online = date.day()
	}
	for _, place := range c.Article.Places {
		a.identify(place.EKind, place.Text)
	}
	x.Data.into(a)
	return a
}

func (x *bookXML) article() *article {
	d := &x.Document
	b := &bookArticle{
		Title: d.Book.Title.Text, Publisher: d.Book.Publisher, Place: d.Book.Place, Begin: d.Book.Begin, End: d.Book.End,
		Medium: d.Book.Medium, Sections: d.Sections,
	}
	a := &article{
		PMID: d.PMID, Title: d.Title.Text, Languages: d.Languages, Authors: d.Authors, Types: d.Types, Abstract: d.Abstract,
		Keywords: d.Keywords, Revised: d.Revised.day(), Grants: d.Grants, Date: d.Book.Date.printed(), Book: b,
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
	x.Data.into(a)
	return a
}

// into adds what both kinds of records have.
func (x *dataXML) into(a *article) {
	a.Published = x.Status
	for _, id := range x.IDs {
		a.identify(id.Kind, id.Text)
	}
	for _, date := range x.History {
		if day := date.day(); day != "" {
			a.History = append(a.History, event{date.Kind, strings.TrimSpace(day + " " + date.clock())})
		}
	}
	for _, r := range append(x.References, x.Inner...) {
		c := cited{Citation: r.Citation.Text.plain()}
		for _, id := range r.IDs {
			switch id.Kind {
			case "pubmed":
				c.PMID, _ = strconv.ParseUint(id.Text, 10, 64)
			case "doi":
				c.DOI = id.Text
			}
		}
		a.References = append(a.References, c)
	}
}

// identify keeps the first identifier of each kind.
func (a *article) identify(kind, id string) {
	for known, target := range map[string]*string{"doi": &a.DOI, "pii": &a.PII, "pmc": &a.PMC} {
		if kind == known && *target == "" {
			*target = strings.TrimSpace(id)
		}
	}
}

// day is a date like 2010-02-06; months may be names.
func (d dateXML) day() string {
	if d.Year == "" || d.Month == "" || d.Day == "" {
		return ""
	}
	month := monthNumber(d.Month)
	if month == "" {
		month = leadingZero(d.Month)
	}
	return d.Year + "-" + month + "-" + leadingZero(d.Day)
}

func (d dateXML) clock() string {
	if d.Hour == "" || d.Minute == "" {
		return ""
	}
	return leadingZero(d.Hour) + ":" + leadingZero(d.Minute)
}

// printed is a date as a citation prints it: 2010 Feb 6.
func (d dateXML) printed() string {
	if d.Medline != "" {
		return d.Medline
	}
	month := d.Month
	if n, err := strconv.Atoi(month); err == nil && n >= 1 && n <= len(months) {
		month = months[n-1]
	}
	return strings.Join(strings.Fields(d.Year+" "+month+d.Season+" "+strings.TrimPrefix(d.Day, "0")), " ")
}
