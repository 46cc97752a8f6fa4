package entrez

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// ArticleSummary is the ESummary document of a publication. It has no abstract and no MeSH terms. Texts are single lines of readable text;
// "" means absent.
type ArticleSummary struct {
	UID     string // the PMID, digits
	Title   string // markup is converted as in Article
	Authors []SummaryAuthor
	Source  string // abbreviation of the journal

	PubDate     string // date of the issue, free form: 2025 Nov 27, 1998 Dec-1999 Jan
	EPubDate    string // date of the electronic publication, in the same form
	SortPubDate string // 2025/11/27 00:00; if PubDate has no month or day, NCBI writes the first

	FullJournalName string
	DOI             string   `json:"-"` // without a prefix or an address
	PMCID           string   `json:"-"` // PMC1234567
	PubTypes        []string `json:"pubtype"`
	BookTitle       string   // of a book or of a part of one
}

// SummaryAuthor is an author of an ESummary document.
type SummaryAuthor struct {
	Name string // Doe JK, or the name of a group
	Type string `json:"authtype"` // Author, CollectiveName, Editor
}

// summaryID is an id of an article in an ESummary document.
type summaryID struct{ IDType, Value string }

// ReadArticleSummary reads a document of ReadSummaries for db pubmed. A document that has no PMID or reports an error is an error.
func ReadArticleSummary(document json.RawMessage) (*ArticleSummary, error) {
	var d struct {
		ArticleSummary
		ELocationID string
		ArticleIDs  []summaryID
		Error       message
	}
	if err := readJSON(document, &d); err != nil {
		return nil, fmt.Errorf("the ESummary of an article: %w", err)
	}
	if !isNumber(d.UID) || d.Error != "" {
		return nil, errors.New("invalid ESummary of an article")
	}
	s := &d.ArticleSummary
	s.Title, s.BookTitle = withMarkup(s.Title), withMarkup(s.BookTitle)
	s.Source, s.FullJournalName = unescaped(s.Source), unescaped(s.FullJournalName)
	for i := range s.Authors {
		s.Authors[i].Name = unescaped(s.Authors[i].Name)
	}
	s.Authors = slices.DeleteFunc(s.Authors, func(a SummaryAuthor) bool { return a.Name == "" })
	for _, id := range d.ArticleIDs {
		switch id.IDType {
		case "doi":
			s.DOI = cmp.Or(s.DOI, unescaped(id.Value))
		case "pmc", "pmcid": // pmcid has the form pmc-id: PMC1234567;
			s.PMCID = cmp.Or(s.PMCID, pmcNumber.FindString(id.Value))
		}
	}
	s.DOI = cmp.Or(s.DOI, electronicDOI(unescaped(d.ELocationID)))
	return s, nil
}

var pmcNumber = lazyregexp.New(`\bPMC[0-9]+\b`)

// electronicDOI returns the DOI of an elocationid, which may follow another id: pii: 12. doi: 10.1000/182.
func electronicDOI(location string) string {
	_, after, found := strings.Cut(location, "doi: ")
	if words := strings.Fields(after); found && len(words) > 0 {
		return strings.TrimSuffix(words[0], ".")
	}
	return ""
}

// unescaped returns a text with its HTML entities decoded. NCBI may have escaped them twice.
func unescaped(text string) string {
	return strings.Join(strings.Fields(html.UnescapeString(html.UnescapeString(text))), " ")
}

// titleMarkup matches a tag that can occur in a title.
var titleMarkup = lazyregexp.New(`</?(?:b|i|u|em|strong|sup|sub|(?:mml:)?math|mml:[a-z]+)(?:\s[^<>]*)?/?>`)

// withMarkup returns an unescaped text that may have markup. The result is the same as that of the text in EFetch. If the tags do not match
// each other, they are removed.
func withMarkup(text string) string {
	text = unescaped(text)
	if !titleMarkup.MatchString(text) {
		return text
	}
	x := newArticleReader(strings.NewReader("<set><title>" + escapeText(text) + "</title></set>"))
	if x.nextChild(0) && x.nextChild(1) {
		read := x.text()
		if x.err == nil && !x.nextChild(1) && x.depth == 0 {
			return read
		}
	}
	return strings.Join(strings.Fields(titleMarkup.ReplaceAllString(text, "")), " ")
}

// escapeText escapes everything except the tags of a title.
func escapeText(text string) string {
	var out strings.Builder
	end := 0
	for _, at := range titleMarkup.FindAllStringIndex(text, -1) {
		out.WriteString(html.EscapeString(text[end:at[0]]))
		out.WriteString(text[at[0]:at[1]])
		end = at[1]
	}
	out.WriteString(html.EscapeString(text[end:]))
	return out.String()
}
