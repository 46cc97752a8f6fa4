package entrez

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// Article is the record of one publication as EFetch of PubMed returns it, in the terms of the DTD pubmed_250101: a PubmedArticle or a
// PubmedBookArticle. Texts are single lines of readable text (see ReadArticles); "" means absent. The paths of the tags omit the elements
// that articleReader.Token skips.
type Article struct {
	PMID string `xml:"-"` // MedlineCitation or BookDocument/PMID

	Title             string     `xml:"ArticleTitle"`
	VernacularTitle   string     `xml:"VernacularTitle"`
	Abstract          Abstract   `xml:"Abstract"`
	OtherAbstracts    []Abstract `xml:"OtherAbstract"`
	Authors           []Author   `xml:"-"` // AuthorList except of editors
	Editors           []Author   `xml:"-"` // AuthorList of editors, of a book's part
	AuthorsIncomplete bool       `xml:"-"` // AuthorList with CompleteYN N

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
	IDs              []ArticleID   `xml:"ArticleIdList>ArticleId"` // of the article itself, not of its references
	CoiStatement     string        `xml:"CoiStatement"`
	References       int           `xml:"-"` // Reference elements, at any depth
	NumberOfRefs     int           `xml:"-"` // NumberOfReferences, which old records have instead of Reference elements
}

// Abstract is an Abstract, or an OtherAbstract with Type and Language.
type Abstract struct {
	Type      string         `xml:"Type,attr"`
	Language  string         `xml:"Language,attr"`
	Texts     []AbstractText `xml:"AbstractText"`
	Copyright string         `xml:"CopyrightInformation"`
}

// AbstractText is one part of an abstract. Label and NlmCategory are independent: a part has one, both or neither.
type AbstractText struct {
	Label       string `xml:"Label,attr"`
	NlmCategory string `xml:"NlmCategory,attr"`
	Text        string `xml:",chardata"`
}

// Author is a person or, by CollectiveName, a group.
type Author struct {
	LastName, ForeName, Initials, Suffix, CollectiveName string
	Affiliation                                          []string     // in records until 2014
	Affiliations                                         []string     `xml:"AffiliationInfo>Affiliation"`
	Identifiers                                          []Identifier `xml:"Identifier"`
	ValidYN                                              string       `xml:"ValidYN,attr"` // N: a misspelling that was corrected
}

// Identifier is an id of an author, such as an ORCID with or without its address.
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

// Book is the book of a record, or the book that contains it.
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

// Pagination has MedlinePgn, or the first and the last page, or all of these.
type Pagination struct{ MedlinePgn, StartPage, EndPage string }

// ELocation is an ELocationID: a doi or pii.
type ELocation struct {
	Type    string `xml:"EIdType,attr"`
	Value   string `xml:",chardata"`
	ValidYN string `xml:"ValidYN,attr"` // N: the value is wrong
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

// Chemical is a substance. RegistryNumber "0" means that it has no number.
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

// ErrNoArticleSet is returned for a response that is not a PubmedArticleSet.
var ErrNoArticleSet = errors.New("no PubmedArticleSet")

// ReadArticles reads the PubmedArticleSet of an EFetch response and calls yield for every article, one at a time. A set without articles is
// valid. A truncated response, invalid XML, another root element or an ERROR element is an error. yield may have been called before the
// error is found: the caller must discard these articles. An error of yield ends the reading and is returned.
//
// Markup becomes readable text: b, i and u are replaced by their text, and white space is folded. sup and sub are also replaced by their
// text (Ca2+, H2O), except where the result would read as another value: then ^ or _ precedes the text. This is so for a superscript of a
// sign and a digit (m^-1), and for digits, signed or not, that follow a digit (10^5, 10^-5, SO4^2-, 10_2). MathML is written in one line,
// as a/b, x^2, x_i, √(x+1).
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

// SplitArticles returns the complete, unchanged XML of each article of a PubmedArticleSet by its PMID. If a PMID occurs twice, the last
// article is returned. An article without a valid PMID has the key "". It returns the errors of ReadArticles, and the error of Check for a
// response that is a failure as a whole. A response that exceeds a limit is an entity.ErrTooLarge.
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
			return entity.TooLarge("articles of more than %d bytes, or more than %d", maxArticles, maxRecords)
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

// split skips an article and returns its PMID, or "" for an article without a valid PMID.
func (x *articleReader) split() (pmid string, err error) {
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
	if x.err == nil && !isNumber(pmid) {
		pmid = ""
	}
	return pmid, x.err
}

var medlineHead = lazyregexp.New(`^PMID- *([0-9]+) *$`)

// SplitMEDLINE returns each record of a MEDLINE text by its PMID, without the surrounding blank lines. A record starts with its PMID and
// ends at a blank line; a line that says that a PMID is not available is not a record. Blank text, which EFetch returns for unknown PMIDs,
// has no records. Other text is an error.
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
				return nil, entity.TooLarge("more than %d records", maxRecords)
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
