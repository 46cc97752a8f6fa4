package facts

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// paper is one record of the sandbox's PubMed, in the shape of the sandbox's own
// reader.
type paper struct {
	PMID       uint64       `json:"pmid"`
	Status     string       `json:"status,omitempty"`
	Model      string       `json:"model,omitempty"`
	Completed  string       `json:"completed,omitempty"`
	Revised    string       `json:"revised,omitempty"`
	Journal    *journal     `json:"journal,omitempty"`
	Volume     string       `json:"volume,omitempty"`
	Issue      string       `json:"issue,omitempty"`
	Pages      string       `json:"pages,omitempty"`
	Date       string       `json:"date"`
	Online     string       `json:"online,omitempty"`
	Title      string       `json:"title,omitempty"`
	Vernacular string       `json:"vernacular,omitempty"`
	DOI        string       `json:"doi,omitempty"`
	PII        string       `json:"pii,omitempty"`
	PMC        string       `json:"pmc,omitempty"`
	Abstract   []passage    `json:"abstract,omitempty"`
	Authors    []author     `json:"authors,omitempty"`
	More       bool         `json:"more,omitempty"`
	Languages  []string     `json:"languages"`
	Grants     []grant      `json:"grants,omitempty"`
	Types      []heading    `json:"types,omitempty"`
	Chemicals  []chemical   `json:"chemicals,omitempty"`
	Remarks    []remark     `json:"remarks,omitempty"`
	MeSH       []subject    `json:"mesh,omitempty"`
	Databanks  []databank   `json:"databanks,omitempty"`
	Keywords   []keyword    `json:"keywords,omitempty"`
	Conflicts  string       `json:"conflicts,omitempty"`
	Published  string       `json:"published"`
	History    []event      `json:"history,omitempty"`
	References []cited      `json:"references,omitempty"`
	Book       *bookArticle `json:"book,omitempty"`

	line int
	in   string // its journal
	more *bool
}

type (
	journal struct {
		Title   string `json:"title"`
		ISO     string `json:"iso"`
		Short   string `json:"short"`
		NLM     string `json:"nlm"`
		Print   string `json:"print,omitempty"`
		Online  string `json:"online,omitempty"`
		Country string `json:"country"`
	}
	passage struct {
		Label    string `json:"label,omitempty"`
		Category string `json:"category,omitempty"`
		Text     string `json:"text"`
	}
	author struct {
		Last         string   `json:"last,omitempty"`
		Fore         string   `json:"fore,omitempty"`
		Initials     string   `json:"initials,omitempty"`
		Suffix       string   `json:"suffix,omitempty"`
		Collective   string   `json:"collective,omitempty"`
		ORCID        string   `json:"orcid,omitempty"`
		Affiliations []string `json:"affiliations,omitempty"`
	}
	grant struct {
		ID      string `json:"id,omitempty"`
		Acronym string `json:"acronym,omitempty"`
		Agency  string `json:"agency"`
		Country string `json:"country,omitempty"`
	}
	heading struct {
		UI    string `json:"ui,omitempty"`
		Name  string `json:"name"`
		Major string `json:"major,omitempty"`
	}
	subject struct {
		Descriptor heading   `json:"descriptor"`
		Qualifiers []heading `json:"qualifiers,omitempty"`
	}
	chemical struct {
		Registry string  `json:"registry"`
		Name     heading `json:"name"`
	}
	remark struct {
		Kind   string `json:"kind"`
		Source string `json:"source"`
		PMID   uint64 `json:"pmid,omitempty"`
	}
	databank struct {
		Name string   `json:"name"`
		IDs  []string `json:"ids"`
	}
	keyword struct {
		Text  string `json:"text"`
		Major string `json:"major"`
	}
	event struct {
		Kind string `json:"kind"`
		Date string `json:"date"`
	}
	cited struct {
		Citation string `json:"citation"`
		PMID     uint64 `json:"pmid,omitempty"`
		DOI      string `json:"doi,omitempty"`
	}
	bookArticle struct {
		Title     string   `json:"title"`
		ID        string   `json:"id"`
		Part      string   `json:"part,omitempty"`
		Accession string   `json:"accession"`
		Publisher string   `json:"publisher"`
		Place     string   `json:"place,omitempty"`
		Begin     string   `json:"begin,omitempty"`
		End       string   `json:"end,omitempty"`
		Editors   []author `json:"editors,omitempty"`
		Medium    string   `json:"medium,omitempty"`
		Sections  []string `json:"sections,omitempty"`
	}
)

var (
	citationStatuses = []string{"MEDLINE", "PubMed-not-MEDLINE", "Publisher", "In-Process"}
	publishingModels = []string{"Print", "Print-Electronic", "Electronic", "Electronic-Print", "Electronic-eCollection"}
	publishedWays    = []string{"ppublish", "epublish", "aheadofprint"}
	nlmCategories    = []string{"", "BACKGROUND", "OBJECTIVE", "METHODS", "RESULTS", "CONCLUSIONS", "UNASSIGNED"}
	remarkKinds      = []string{
		"CommentIn", "CommentOn", "ErratumIn", "ErratumFor", "RetractionIn", "RetractionOf", "PartialRetractionIn",
		"ExpressionOfConcernIn", "ExpressionOfConcernFor", "UpdateIn", "UpdateOf",
	}
)

// The forms of what a record is known by.
var (
	doiForm       = matching(`^10\.\d{4,9}/\S+$`, "a DOI")
	pmcForm       = matching(`^PMC\d+$`, "a PMC id")
	dayOnly       = date(`^\d{4}-\d{2}-\d{2}$`)
	printedDate   = matching(`^\d{4}( .+)?$`, "a date like 2020 Feb 6")
	accessionForm = matching(`^NBK\d+$`, "an accession of a book")
	descriptorUI  = regexp.MustCompile(`^([DC]\d{6,9})? ?(.+)$`)
	qualifierUI   = regexp.MustCompile(`^(Q\d{6,9}) (.+)$`)
	orcidForm     = regexp.MustCompile(`^orcid (0000-0000-0000-\d{3}[\dX])$`)
	eventForm     = regexp.MustCompile(`^([a-z-]+) (\d{4}-\d{2}-\d{2}( \d{2}:\d{2})?)$`)
)

// Articles renders a facts file of articles as one JSON record a line. Like
// Studies it refuses what it does not understand.
func Articles(source []byte) ([]byte, error) {
	articles, err := parseArticles(source)
	if err != nil {
		return nil, fmt.Errorf("facts: %w", err)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	for _, a := range articles {
		if err := encoder.Encode(a); err != nil {
			return nil, fmt.Errorf("facts: article %d: %w", a.PMID, err)
		}
	}
	return out.Bytes(), nil
}

// parseArticles returns the articles in the file's order, complete.
func parseArticles(source []byte) ([]*paper, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(source, &document); err != nil {
		return nil, err
	}
	if len(document.Content) != 1 {
		return nil, errors.New("the file is empty")
	}
	var journals []*journal
	var articles []*paper
	known := keys{"journals": list(&journals, parseJournal), "articles": list(&articles, parseArticle)}
	if err := known.decode(document.Content[0]); err != nil {
		return nil, err
	}
	if len(journals) == 0 || len(articles) == 0 {
		return nil, errors.New("the file must have the keys journals and articles")
	}
	seen := map[uint64]bool{}
	for _, a := range articles {
		if seen[a.PMID] {
			return nil, at(a.line, "article %d stands twice", a.PMID)
		}
		seen[a.PMID] = true
		if a.in == "" {
			continue
		}
		its := slices.IndexFunc(journals, func(j *journal) bool { return j.Short == a.in })
		if its < 0 {
			return nil, at(a.line, "article %d: %s is not among the journals", a.PMID, a.in)
		}
		a.Journal = journals[its]
	}
	return articles, nil
}

func (a *paper) keys() keys {
	return keys{
		"pmid":       one(&a.PMID, identifier),
		"status":     one(&a.Status, word(citationStatuses)),
		"model":      one(&a.Model, word(publishingModels)),
		"completed":  one(&a.Completed, dayOnly),
		"revised":    one(&a.Revised, dayOnly),
		"journal":    one(&a.in, text),
		"issue":      a.volume,
		"pages":      one(&a.Pages, text),
		"date":       one(&a.Date, printedDate),
		"online":     one(&a.Online, dayOnly),
		"title":      one(&a.Title, inline),
		"vernacular": one(&a.Vernacular, inline),
		"doi":        one(&a.DOI, doiForm),
		"pii":        one(&a.PII, text),
		"pmc":        one(&a.PMC, pmcForm),
		"abstract":   list(&a.Abstract, parsePassage),
		"authors":    list(&a.Authors, parseAuthor),
		"more":       one(&a.more, flag),
		"languages":  list(&a.Languages, matching(`^[a-z]{3}$`, "a language like eng")),
		"grants":     list(&a.Grants, parseGrant),
		"types":      list(&a.Types, parseHeading),
		"chemicals":  list(&a.Chemicals, parseChemical),
		"remarks":    list(&a.Remarks, parseRemark),
		"mesh":       list(&a.MeSH, parseSubject),
		"databanks":  list(&a.Databanks, parseDatabank),
		"keywords":   list(&a.Keywords, parseKeyword),
		"conflicts":  one(&a.Conflicts, text),
		"published":  one(&a.Published, word(publishedWays)),
		"history":    list(&a.History, parseEvent),
		"references": list(&a.References, parseCited),
		"book":       one(&a.Book, parseBook),
	}
}

func parseArticle(node *yaml.Node) (*paper, error) {
	a := &paper{line: node.Line}
	if err := a.keys().decode(node); err != nil {
		return nil, fmt.Errorf("article %d: %w", a.PMID, err)
	}
	if a.Languages == nil {
		a.Languages = []string{"eng"}
	}
	if a.Published == "" {
		a.Published = "ppublish"
	}
	a.More = isTrue(a.more)
	switch {
	case a.PMID == 0 || a.Date == "":
		return nil, at(a.line, "article %d: pmid and date are needed", a.PMID)
	case a.Book == nil && (a.in == "" || a.Status == "" || a.Model == "" || len(a.Types) == 0):
		return nil, at(a.line, "article %d: journal, status, model and types are needed", a.PMID)
	case a.Book == nil && a.Pages+a.DOI+a.PII == "":
		return nil, at(a.line, "article %d: pages, doi or pii are needed", a.PMID)
	case a.Book != nil && a.in != "":
		return nil, at(a.line, "article %d: a book is in no journal", a.PMID)
	}
	return a, nil
}

// volume reads volume | issue, either of which may be absent.
func (a *paper) volume(node *yaml.Node) error {
	c, err := columns(node, 0, 2)
	if err == nil {
		a.Volume, a.Issue = c[0], c[1]
	}
	return err
}

// inline reads text with inline markup, as it stands in XML.
func inline(node *yaml.Node) (string, error) {
	value, err := text(node)
	if err != nil {
		return "", err
	}
	return value, wellFormed(node, value)
}

func wellFormed(node *yaml.Node, value string) error {
	decoder := xml.NewDecoder(strings.NewReader("<x>" + value + "</x>"))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return at(node.Line, "%q is not well-formed markup", value)
		}
	}
}
