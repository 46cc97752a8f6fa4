package entrez

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"html"
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
	DOI             string // without a prefix or an address
	PMCID           string // PMC1234567
	PubTypes        []string
	BookTitle       string // of a book or of a part of one
}

// SummaryAuthor is an author of an ESummary document.
type SummaryAuthor struct {
	Name string // Doe JK, or the name of a group
	Type string // Author, CollectiveName, Editor
}

// ReadArticleSummary reads a document of ReadSummaries for db pubmed. A document that has no PMID or reports an error is an error.
func ReadArticleSummary(document json.RawMessage) (*ArticleSummary, error) {
	var d struct {
		UID, Title, Source, PubDate, EPubDate, SortPubDate scalar
		FullJournalName, ELocationID, BookTitle            scalar
		Authors                                            emptyableList[struct{ Name, AuthType scalar }]
		ArticleIDs                                         emptyableList[struct{ IDType, Value scalar }]
		PubType                                            scalars
		Error                                              message
	}
	if err := json.Unmarshal(document, &d); err != nil {
		return nil, fmt.Errorf("the ESummary of an article: %w", err)
	}
	if !isNumber(d.UID.text()) || d.Error != "" {
		return nil, errors.New("invalid ESummary of an article")
	}
	s := &ArticleSummary{
		UID: d.UID.text(), Title: d.Title.withMarkup(), Source: d.Source.unescaped(),
		PubDate: d.PubDate.text(), EPubDate: d.EPubDate.text(), SortPubDate: d.SortPubDate.text(),
		FullJournalName: d.FullJournalName.unescaped(), PubTypes: d.PubType, BookTitle: d.BookTitle.withMarkup(),
	}
	for _, a := range d.Authors {
		if name := a.Name.unescaped(); name != "" {
			s.Authors = append(s.Authors, SummaryAuthor{Name: name, Type: a.AuthType.text()})
		}
	}
	for _, id := range d.ArticleIDs {
		switch id.IDType.text() {
		case "doi":
			s.DOI = cmp.Or(s.DOI, id.Value.unescaped())
		case "pmc", "pmcid": // pmcid has the form pmc-id: PMC1234567;
			s.PMCID = cmp.Or(s.PMCID, pmcNumber.FindString(id.Value.text()))
		}
	}
	s.DOI = cmp.Or(s.DOI, electronicDOI(d.ELocationID.unescaped()))
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
func (s scalar) unescaped() string {
	return strings.Join(strings.Fields(html.UnescapeString(html.UnescapeString(string(s)))), " ")
}

// titleMarkup matches a tag that can occur in a title.
var titleMarkup = lazyregexp.New(`</?(?:b|i|u|em|strong|sup|sub|(?:mml:)?math|mml:[a-z]+)(?:\s[^<>]*)?/?>`)

// withMarkup returns an unescaped text that may have markup. The result is the same as that of the text in EFetch. If the tags do not match
// each other, they are removed.
func (s scalar) withMarkup() string {
	text := s.unescaped()
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

// emptyableList is a JSON array that NCBI writes as an empty string if it is empty.
type emptyableList[T any] []T

func (l *emptyableList[T]) UnmarshalJSON(text []byte) error {
	var none string
	if json.Unmarshal(text, &none) == nil && strings.TrimSpace(none) == "" {
		*l = nil
		return nil
	}
	return json.Unmarshal(text, (*[]T)(l))
}
