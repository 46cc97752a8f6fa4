package entrez

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// Article is the record of one publication as EFetch of PubMed tells it, in
// the terms of the DTD pubmed_250101: a PubmedArticle or a PubmedBookArticle.
// Texts are single lines of readable text (see ReadArticles); "" is absent.
// What articleReader.Token leaves out does not stand in the paths of the tags.
type Article struct {
	PMID string `xml:"-"` // MedlineCitation or BookDocument/PMID

	Title           string     `xml:"ArticleTitle"`
	VernacularTitle string     `xml:"VernacularTitle"`
	Abstract        Abstract   `xml:"Abstract"`
	OtherAbstracts  []Abstract `xml:"OtherAbstract"`
	Authors         []Author   `xml:"-"` // AuthorList but of editors
	Editors         []Author   `xml:"-"` // AuthorList of editors, of a book's part
	AuthorsCut      bool       `xml:"-"` // AuthorList of CompleteYN N

	Journal *Journal `xml:"Journal"` // of a PubmedArticle
	Book    *Book    `xml:"-"`       // of a PubmedBookArticle

	Pagination        Pagination  `xml:"Pagination"`
	ELocations        []ELocation `xml:"ELocationID"`
	ArticleDates      []Date      `xml:"ArticleDate"`
	ContributionDate  Date        `xml:"ContributionDate"`
	DateRevised       Date        `xml:"DateRevised"`
	PublicationStatus string      `xml:"PublicationStatus"`
	Languages         []string    `xml:"Language"`
	LocationLabels    []string    `xml:"LocationLabel"`

	PublicationTypes []string      `xml:"PublicationType"`
	Keywords         []string      `xml:"KeywordList>Keyword"`
	MeshHeadings     []MeshHeading `xml:"MeshHeadingList>MeshHeading"`
	Chemicals        []Chemical    `xml:"ChemicalList>Chemical"`
	Grants           []Grant       `xml:"GrantList>Grant"`
	DataBanks        []DataBank    `xml:"DataBankList>DataBank"`
	Corrections      []Correction  `xml:"CommentsCorrectionsList>CommentsCorrections"`
	IDs              []ArticleID   `xml:"ArticleIdList>ArticleId"` // of the article itself, never of what it cites
	CoiStatement     string        `xml:"CoiStatement"`
	References       int           `xml:"-"` // Reference elements, at any depth
	NumberOfRefs     int           `xml:"-"` // NumberOfReferences, which old records have instead
}

// Abstract is an Abstract, or an OtherAbstract with Type and Language.
type Abstract struct {
	Type      string         `xml:"Type,attr"`
	Language  string         `xml:"Language,attr"`
	Texts     []AbstractText `xml:"AbstractText"`
	Copyright string         `xml:"CopyrightInformation"`
}

// AbstractText is one part of an abstract. Label and NlmCategory are apart: a
// part may have one, both or none.
type AbstractText struct {
	Label       string `xml:"Label,attr"`
	NlmCategory string `xml:"NlmCategory,attr"`
	Text        string `xml:",chardata"`
}

// Author is a person or, by CollectiveName, a group.
type Author struct {
	LastName, ForeName, Initials, Suffix, CollectiveName string
	Affiliation                                          []string     // until 2014
	Affiliations                                         []string     `xml:"AffiliationInfo>Affiliation"`
	Identifiers                                          []Identifier `xml:"Identifier"`
	ValidYN                                              string       `xml:"ValidYN,attr"` // N: a spelling that was corrected
}

// Identifier of an author, as ORCID with or without its address.
type Identifier struct {
	Source string `xml:"Source,attr"`
	Value  string `xml:",chardata"`
}

// Journal is the Journal of an article with its MedlineJournalInfo.
type Journal struct {
	Title, ISOAbbreviation, ISSN        string
	Volume, Issue                       string
	PubDate                             Date
	MedlineTA, NlmUniqueID, ISSNLinking string
}

// Book is the book that a record is or is a part of.
type Book struct {
	Title                        string `xml:"BookTitle"`
	CollectionTitle              string
	Publisher                    string `xml:"PublisherName"`
	PublisherLocation            string
	Edition, Volume, VolumeTitle string
	PubDate                      Date
	ISBNs                        []string `xml:"Isbn"`
	Authors, Editors             []Author `xml:"-"`
}

// Date is a date in the words of the record.
type Date struct{ Year, Month, Day, Season, MedlineDate string }

// Pagination has MedlinePgn, or the first and last page, or all of them.
type Pagination struct{ MedlinePgn, StartPage, EndPage string }

// ELocation is an ELocationID: a doi or pii.
type ELocation struct {
	Type    string `xml:"EIdType,attr"`
	Value   string `xml:",chardata"`
	ValidYN string `xml:"ValidYN,attr"` // N: it is wrong
}

// MeshHeading is a descriptor with its qualifiers.
type MeshHeading struct {
	Descriptor MeshName   `xml:"DescriptorName"`
	Qualifiers []MeshName `xml:"QualifierName"`
}

// MeshName is a DescriptorName, QualifierName or NameOfSubstance.
type MeshName struct {
	Name         string `xml:",chardata"`
	UI           string `xml:"UI,attr"`
	MajorTopicYN string `xml:"MajorTopicYN,attr"`
}

// Chemical is a substance; RegistryNumber "0" is none.
type Chemical struct {
	RegistryNumber string
	Substance      MeshName `xml:"NameOfSubstance"`
}

// Grant is one grant.
type Grant struct {
	ID                       string `xml:"GrantID"`
	Acronym, Agency, Country string
}

// DataBank is a registry or archive with accession numbers.
type DataBank struct {
	Name             string   `xml:"DataBankName"`
	AccessionNumbers []string `xml:"AccessionNumberList>AccessionNumber"`
}

// Correction is a CommentsCorrections: a link to or from another publication.
type Correction struct {
	RefType               string `xml:"RefType,attr"`
	RefSource, PMID, Note string
}

// ArticleID is an id of the article: pubmed, doi, pmc, pii, bookaccession.
type ArticleID struct {
	Type  string `xml:"IdType,attr"`
	Value string `xml:",chardata"`
}

// ErrNoArticleSet is the error of an answer that is no PubmedArticleSet.
var ErrNoArticleSet = errors.New("no PubmedArticleSet")

// ReadArticles reads the PubmedArticleSet that EFetch answers and hands each
// article to each, one at a time. A set without articles is no error; an
// answer that is cut, is not XML, has another root or an ERROR is one. Articles
// may have been handed on before the error shows: they count for nothing. An
// error of each ends the reading and is returned.
//
// Markup becomes readable text: b, i and u are their text, white space is
// folded. sup and sub are their text too (Ca2+, H2O), unless that would read
// as another value: then ^ or _ stands in front. It does so for a superscript
// of a sign and a digit (m^-1), and for digits, signed or not, that follow a
// digit (10^5, 10^-5, SO4^2-, 10_2). MathML is written in one line, as a/b,
// x^2, x_i, √(x+1).
func ReadArticles(r io.Reader, yield func(*Article) error) error {
	x := newArticleReader(r)
	return x.readSet(func() error {
		a, err := x.article()
		if err != nil {
			return err
		}
		return yield(a)
	})
}

// SplitArticles returns the XML of each article of a PubmedArticleSet by its
// PMID, whole and unchanged. The last one stands where a PMID occurs twice. The
// errors are those of ReadArticles, an article without a PMID and, of an answer
// that is a failure as a whole, that of Check. What exceeds a limit is an
// entity.ErrTooLarge.
func SplitArticles(r io.Reader) (map[string][]byte, error) {
	answer := bufio.NewReader(r)
	if err := expectRoot(answer, articleSet); err != nil {
		return nil, err
	}
	articles, size := map[string][]byte{}, 0
	x := newArticleReader(answer)
	x.in.copying = true
	err := x.readSet(func() error {
		x.in.inside = true
		pmid, err := x.split()
		if err != nil {
			return err
		}
		x.in.inside = false
		articles[pmid] = bytes.Clone(x.in.copied)
		if size += len(x.in.copied); size > maxArticles || len(articles) > maxRecords {
			return tooLarge("articles of more than %d bytes, or more than %d", maxArticles, maxRecords)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return articles, nil
}

// articleSet is the root element.
const articleSet = "PubmedArticleSet"

// split passes over an article and returns its PMID.
func (x *articleReader) split() (pmid string, err error) {
	begin := x.before
	for at := x.depth; x.nextChild(at); {
		switch x.start.Name.Local {
		case "MedlineCitation", "BookDocument":
			for at := x.depth; x.nextChild(at); {
				if x.start.Name.Local == "PMID" {
					pmid = x.text()
				}
			}
		}
	}
	if x.err == nil && !isPMID(pmid) {
		return "", fmt.Errorf("article at byte %d: no PMID", begin)
	}
	return pmid, x.err
}

var (
	medlineHead    = lazyregexp.New(`^PMID- *([0-9]+) *$`)
	medlineUnknown = lazyregexp.New(`^id: *[0-9]+ Error occurred: The following PMID is not available`)
)

// SplitMEDLINE returns each record of a MEDLINE text by its PMID, without the
// blank lines around. Records start with their PMID and end at a blank line; a
// remark that a PMID is not available is none. Blank text, which EFetch answers
// to unknown PMIDs, has no records; text of another kind is an error.
func SplitMEDLINE(text string) (map[string]string, error) {
	records := map[string]string{}
	pmid, begin, offset := "", 0, 0
	end := func() {
		if pmid != "" {
			records[pmid] = strings.TrimRight(text[begin:offset], "\r\n")
		}
		pmid = ""
	}
	for line := range strings.Lines(text) {
		body := strings.TrimRight(line, "\r\n")
		switch head := medlineHead.FindStringSubmatch(body); {
		case head != nil:
			end()
			if len(records) > maxRecords {
				return nil, tooLarge("more than %d records", maxRecords)
			}
			pmid, begin = head[1], offset
		case strings.TrimSpace(body) == "", medlineUnknown.MatchString(body):
			end()
		case pmid == "":
			return nil, fmt.Errorf("byte %d: no MEDLINE record", offset)
		}
		offset += len(line)
	}
	end()
	return records, nil
}

func isPMID(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
