package articles

import (
	"github.com/biofact-mcp/biofact/gen/europepmc"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

// A Listed article is a row of a search of Europe PMC.
type Listed struct {
	PMID    string `json:"pmid,omitempty"`
	PMCID   string `json:"pmcid,omitempty"`
	DOI     string `json:"doi,omitempty"`
	Title   string `json:"title,omitempty"`
	Journal string `json:"journal,omitempty"`
	Date    string `json:"date,omitempty"` // YYYY-MM-DD or less
}

var tags = lazyregexp.New(`</?[A-Za-z][^<>]*>`)

// ListedArticle maps a row of a search of Europe PMC.
func ListedArticle(r *europepmc.Result) Listed {
	return Listed{
		PMID: text.CURIE(id.PMID, r.Pmid), PMCID: text.CURIE(id.PMCID, r.Pmcid), DOI: text.Clean(r.Doi),
		Title:   text.Clean(tags.ReplaceAllString(r.Title, "")),
		Journal: text.FirstNonEmpty(r.JournalTitle, r.JournalInfo.Journal.Title, r.BookOrReportDetails.Publisher),
		Date:    text.FirstNonEmpty(text.Date(r.FirstPublicationDate), text.Date(r.PubYear)),
	}
}
