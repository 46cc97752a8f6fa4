package ncbi

import (
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/eutils"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

const (
	articleFormat  = 2 // increase it when the cached records change; the mapping is not cached
	pubmedDatabase = "pubmed"
)

// An ArticleText is the record of one article, as text in PubMed's format.
type ArticleText struct {
	Text string `json:"text"`
}

// Valid reports whether the record has a text.
func (t *ArticleText) Valid() bool { return t.Text != "" }

// A TextFormat is a format of PubMed records.
type TextFormat struct{ mode, kind string }

// The formats of records.
var (
	XML     = TextFormat{mode: xmlMode}
	MEDLINE = TextFormat{mode: "text", kind: "medline"}
)

// params returns the parameters for the records of some articles.
func (f TextFormat) params(pmids []string) *eutils.EFetchParams {
	params := &eutils.EFetchParams{Db: pubmedDatabase, Retmode: f.mode, Id: &pmids}
	if f.kind != "" {
		params.Rettype = &f.kind
	}
	return params
}

// fetchRecords reads the XML of some articles in one request.
func (c *client) fetchRecords(ctx context.Context, pmids []string) (source.Reply[ArticleText], error) {
	var records map[string][]byte
	read := func(body io.Reader) (err error) {
		records, err = entrez.SplitArticles(body)
		return err
	}
	_, retrieval, err := c.read(c.EFetch(upstream.Reading(ctx, read), XML.params(pmids)))
	r := reply[ArticleText](retrieval)
	if err != nil {
		return r, ignoreRefusal(err)
	}
	for pmid, text := range records {
		r.Answers[pmid] = &ArticleText{Text: string(text)}
	}
	markUnread(r.Answers, pmids)
	return r, nil
}

// markUnread marks the articles without a record: PubMed does not have them, unless the response has a record that was not requested.
func markUnread(records map[string]*ArticleText, pmids []string) {
	if !slices.ContainsFunc(slices.Collect(maps.Keys(records)), func(pmid string) bool { return !slices.Contains(pmids, pmid) }) {
		return
	}
	for _, pmid := range pmids {
		if records[pmid] == nil {
			records[pmid] = nil
		}
	}
}

func (c *client) fetchMEDLINE(ctx context.Context, pmids []string) (source.Reply[ArticleText], error) {
	records, retrieval, err := decodeWith(c, splitMEDLINE)(c.EFetch(ctx, MEDLINE.params(pmids)))
	r := reply[ArticleText](retrieval)
	if err != nil {
		return r, ignoreRefusal(err)
	}
	for pmid, text := range records {
		r.Answers[pmid] = &ArticleText{Text: text}
	}
	markUnread(r.Answers, pmids)
	return r, nil
}

func splitMEDLINE(text []byte) (map[string]string, error) {
	records, err := entrez.SplitMEDLINE(string(text))
	if err == nil && len(records) > 0 && !isComplete(string(text)) {
		err = errors.New("an incomplete MEDLINE record")
	}
	return records, err
}

// lastMEDLINE matches the end of a record: its source, which ends in a full stop, or, for a chapter, its id at the Bookshelf.
var lastMEDLINE = lazyregexp.New(`\nSO  - [^\n]*(?:\n {6}[^\n]*)*\.\n*$|\nAID - [^\n]*\[bookaccession\]`)

// isComplete reports whether the last MEDLINE record of a text has its end. This is the only sign of a truncated text.
func isComplete(text string) bool {
	return lastMEDLINE.MatchString(text[strings.LastIndex("\n"+text, "\nPMID- "):])
}

// SetHead and SetTail enclose the records of a PubmedArticleSet.
const (
	SetHead = "<?xml version=\"1.0\" ?>\n<PubmedArticleSet>"
	SetTail = "</PubmedArticleSet>\n"
)
