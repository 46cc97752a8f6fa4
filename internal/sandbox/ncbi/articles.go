package ncbi

import (
	"cmp"
	"html"
	"slices"
	"strings"
)

// article is a record of PubMed, with the fields that responses and searches need.
type article struct {
	PMID       uint64
	Status     string // of the citation: MEDLINE, Publisher, ...
	Completed  string
	Revised    string
	Journal    journal
	Volume     string
	Issue      string
	Pages      string
	Date       string // as a citation prints it: 2010 Feb 6, 2020 Jul-Aug
	Online     string // 2010-02-06
	Title      markup
	Vernacular markup
	DOI        string
	PII        string
	PMC        string
	Open       bool // access in PMC
	Abstract   []section
	Authors    []author
	Languages  []string
	Grants     []grant
	Types      []heading
	Chemicals  []chemical
	MeSH       []subject
	Databanks  []databank
	Keywords   []keyword
	Conflicts  string
	History    []event
	References []uint64    // PMIDs
	IsBook     bool        // or a chapter of one
	Book       bookArticle // instead of a journal

	xml string // the record as it is in its file
}

// markup is text as it is in XML: with tags of inline markup and with references for &, < and >.
type markup string

type (
	journal struct {
		Title   string
		ISO     string
		Short   string // MEDLINE abbreviation, without dots
		NLM     string
		Print   string // ISSN
		Online  string
		Country string
	}
	section struct {
		Label string `xml:"Label,attr"`
		Text  markup `xml:",innerxml"`
	}
	author struct {
		Last         string   `xml:"LastName"`
		Fore         string   `xml:"ForeName"`
		Initials     string   `xml:"Initials"`
		Suffix       string   `xml:"Suffix"`
		Collective   string   `xml:"CollectiveName"`
		ORCID        string   `xml:"Identifier"`
		Affiliations []string `xml:"AffiliationInfo>Affiliation"`
	}
	grant struct {
		ID      string `xml:"GrantID"`
		Acronym string `xml:"Acronym"`
		Agency  string `xml:"Agency"`
	}
	// heading is a term of MeSH.
	heading struct {
		UI    string `xml:"UI,attr"`
		Name  string `xml:",chardata"`
		Major string `xml:"MajorTopicYN,attr"` // Y, N or empty
	}
	subject struct {
		Descriptor heading   `xml:"DescriptorName"`
		Qualifiers []heading `xml:"QualifierName"`
	}
	chemical struct {
		Registry string  `xml:"RegistryNumber"`
		Name     heading `xml:"NameOfSubstance"`
	}
	databank struct {
		Name string   `xml:"DataBankName"`
		IDs  []string `xml:"AccessionNumberList>AccessionNumber"`
	}
	keyword struct {
		Text  markup `xml:",innerxml"`
		Major string `xml:"MajorTopicYN,attr"`
	}
	// event is a dated step in the history of a record, 2010-02-06.
	event struct {
		Kind string
		Date string
	}
	bookArticle struct {
		Title     markup
		Accession string // NBK1403
		Publisher string
		Editors   []author
	}
)

// articles is db=pubmed, by descending PMID.
type articles struct {
	*index[*article]
	medline map[string]string // recorded texts by PMID
	genes   func() (*genes, error)
	graph   func() *citations
	words   func() []string // vocabulary, the most frequent words first
}

func (a *article) uid() uint64 { return a.PMID }

// text returns the text without tags, with entities resolved.
func (m markup) text() string {
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

// name returns an author as in a citation: Wright JT Jr.
func (a author) name() string {
	return cmp.Or(a.Collective, strings.Join(strings.Fields(a.Last+" "+a.Initials+" "+a.Suffix), " "))
}

// people returns the authors that are persons.
func (a *article) people() []author {
	return slices.DeleteFunc(slices.Clone(a.Authors), func(a author) bool { return a.Collective != "" })
}
