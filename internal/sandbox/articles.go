package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"
)

// article is a record of PubMed: the facts that its answers are written from.
type article struct {
	PMID       uint64       `json:"pmid"`
	Status     string       `json:"status"` // of the citation: MEDLINE, Publisher, ...
	Model      string       `json:"model"`  // Print, Print-Electronic, ...
	Completed  string       `json:"completed"`
	Revised    string       `json:"revised"`
	Journal    journal      `json:"journal"`
	Volume     string       `json:"volume"`
	Issue      string       `json:"issue"`
	Pages      string       `json:"pages"`
	Date       string       `json:"date"`   // as a citation prints it: 2010 Feb 6, 2020 Jul-Aug
	Online     string       `json:"online"` // 2010-02-06
	Title      markup       `json:"title"`
	Vernacular markup       `json:"vernacular"`
	DOI        string       `json:"doi"`
	PII        string       `json:"pii"`
	PMC        string       `json:"pmc"`
	Abstract   []section    `json:"abstract"`
	Authors    []author     `json:"authors"`
	More       bool         `json:"more"` // there are authors besides
	Languages  []string     `json:"languages"`
	Grants     []grant      `json:"grants"`
	Types      []heading    `json:"types"`
	Chemicals  []chemical   `json:"chemicals"`
	Remarks    []remark     `json:"remarks"`
	MeSH       []subject    `json:"mesh"`
	Databanks  []databank   `json:"databanks"`
	Keywords   []keyword    `json:"keywords"`
	Conflicts  string       `json:"conflicts"`
	Published  string       `json:"published"` // ppublish, epublish or aheadofprint
	History    []event      `json:"history"`
	References []cited      `json:"references"`
	Book       *bookArticle `json:"book"`

	raw string // the XML that it was read from, if it was
}

// markup is text as it stands in XML: with tags of inline markup and with
// references for &, < and >.
type markup string

type (
	journal struct {
		Title   string `json:"title"`
		ISO     string `json:"iso"`
		Short   string `json:"short"` // as MEDLINE abbreviates it, without dots
		NLM     string `json:"nlm"`
		Print   string `json:"print"` // ISSN
		Online  string `json:"online"`
		Country string `json:"country"`
	}
	section struct {
		Label    string `json:"label" xml:"Label,attr"`
		Category string `json:"category" xml:"NlmCategory,attr"`
		Text     markup `json:"text" xml:",innerxml"`
	}
	author struct {
		Last         string   `json:"last" xml:"LastName"`
		Fore         string   `json:"fore" xml:"ForeName"`
		Initials     string   `json:"initials" xml:"Initials"`
		Suffix       string   `json:"suffix" xml:"Suffix"`
		Collective   string   `json:"collective" xml:"CollectiveName"`
		ORCID        string   `json:"orcid" xml:"Identifier"`
		Affiliations []string `json:"affiliations" xml:"AffiliationInfo>Affiliation"`
	}
	grant struct {
		ID      string `json:"id" xml:"GrantID"`
		Acronym string `json:"acronym" xml:"Acronym"`
		Agency  string `json:"agency" xml:"Agency"`
		Country string `json:"country" xml:"Country"`
	}
	// heading is a term of MeSH.
	heading struct {
		UI    string `json:"ui" xml:"UI,attr"`
		Name  string `json:"name" xml:",chardata"`
		Major string `json:"major" xml:"MajorTopicYN,attr"` // Y, N or nothing
	}
	subject struct {
		Descriptor heading   `json:"descriptor" xml:"DescriptorName"`
		Qualifiers []heading `json:"qualifiers" xml:"QualifierName"`
	}
	chemical struct {
		Registry string  `json:"registry" xml:"RegistryNumber"`
		Name     heading `json:"name" xml:"NameOfSubstance"`
	}
	// remark tells of another publication: a correction, a comment.
	remark struct {
		Kind   string `json:"kind" xml:"RefType,attr"` // RetractionIn, CommentOn, ...
		Source string `json:"source" xml:"RefSource"`
		PMID   uint64 `json:"pmid" xml:"PMID"`
	}
	databank struct {
		Name string   `json:"name" xml:"DataBankName"`
		IDs  []string `json:"ids" xml:"AccessionNumberList>AccessionNumber"`
	}
	keyword struct {
		Text  markup `json:"text" xml:",innerxml"`
		Major string `json:"major" xml:"MajorTopicYN,attr"`
	}
	// event is a step in the life of a record, 2010-02-06 or 2010-02-06 06:00.
	event struct {
		Kind string `json:"kind"`
		Date string `json:"date"`
	}
	cited struct {
		Citation string `json:"citation"`
		PMID     uint64 `json:"pmid"`
		DOI      string `json:"doi"`
	}
	// bookArticle is what a chapter or a whole book has in place of a journal.
	bookArticle struct {
		Title     markup   `json:"title"`
		ID        string   `json:"id"`
		Part      string   `json:"part"`
		Accession string   `json:"accession"` // NBK1403
		Publisher string   `json:"publisher"`
		Place     string   `json:"place"`
		Begin     string   `json:"begin"`
		End       string   `json:"end"`
		Editors   []author `json:"editors"`
		Medium    string   `json:"medium"`
		Sections  []string `json:"sections"`
	}
)

// articles is db=pubmed over records of either origin.
type articles struct {
	list  []*article // by falling PMID
	byID  map[uint64]*article
	words []func() [][][]string // by field, record and value
	genes func() (*genes, error)
	net   func() *citations
}

// newArticles takes the genes too, whose articles are what pubmed_gene leads
// back from.
func newArticles(list []*article, genes func() (*genes, error)) (*articles, error) {
	a := &articles{list: slices.Clone(list), byID: map[uint64]*article{}, genes: genes}
	slices.SortFunc(a.list, func(x, y *article) int { return newestFirst(x.PMID, y.PMID) })
	for _, record := range a.list {
		if _, twice := a.byID[record.PMID]; twice || record.PMID == 0 {
			return nil, fmt.Errorf("article %d stands twice or has no id", record.PMID)
		}
		a.byID[record.PMID] = record
	}
	a.indexLazily()
	return a, nil
}

// readArticles reads articles.jsonl.
func readArticles(r io.Reader, genes func() (*genes, error)) (*articles, error) {
	var list []*article
	decoder := json.NewDecoder(r)
	decoder.DisallowUnknownFields()
	for {
		record := &article{}
		err := decoder.Decode(record)
		if errors.Is(err, io.EOF) {
			return newArticles(list, genes)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, record)
	}
}

// plain is the text of markup: without tags, and with what references stand for.
func (m markup) plain() string {
	text := string(m)
	if !strings.ContainsAny(text, "<&") {
		return text
	}
	var out strings.Builder
	for text != "" {
		before, rest, more := strings.Cut(text, "<")
		out.WriteString(before)
		if !more {
			break
		}
		_, text, _ = strings.Cut(rest, ">")
	}
	return html.UnescapeString(out.String())
}

// name is an author as a citation prints it: Wright JT Jr.
func (a author) name() string {
	if a.Collective != "" {
		return a.Collective
	}
	return strings.Join(strings.Fields(a.Last+" "+a.Initials+" "+a.Suffix), " ")
}

// fullName is an author as MEDLINE lists it: Wright, Jackson T Jr.
func (a author) fullName() string {
	fore := strings.TrimSpace(a.Fore + " " + a.Suffix)
	if fore == "" {
		return a.Last
	}
	return a.Last + ", " + fore
}

// people are the authors that are persons.
func (a *article) people() []author {
	return slices.DeleteFunc(slices.Clone(a.Authors), func(a author) bool { return a.Collective != "" })
}

func (a *article) medline() bool { return a.Status == "MEDLINE" }
