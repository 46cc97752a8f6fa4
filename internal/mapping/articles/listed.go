package articles

import (
	"strings"

	"github.com/biofact-mcp/biofact/gen/europepmc"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

// A Listed article is a row of a search of Europe PMC.
type Listed struct {
	PMID      string `json:"pmid,omitempty"`
	PMCID     string `json:"pmcid,omitempty"`
	DOI       string `json:"doi,omitempty"`
	Title     string `json:"title,omitempty"`
	Authors   string `json:"authors,omitempty"`
	Journal   string `json:"journal,omitempty"`
	Date      string `json:"date,omitempty"`      // YYYY-MM-DD or less
	Preprint  bool   `json:"preprint,omitempty"`  // it is one, and not reviewed
	Published string `json:"published,omitempty"` // PMID of the published version of a preprint
	CitedBy   *int   `json:"citedBy,omitempty"`   // number of articles in Europe PMC that cite it
}

var tags = lazyregexp.New(`</?[A-Za-z][^<>]*>`)

// ListedArticle maps a row of a search of Europe PMC.
func ListedArticle(r *europepmc.Result) Listed {
	a := Listed{
		PMID: text.CURIE(id.PMID, r.Pmid), PMCID: text.CURIE(id.PMCID, r.Pmcid), DOI: text.Clean(r.Doi),
		Title:   text.Clean(tags.ReplaceAllString(r.Title, "")),
		Authors: text.Clean(r.AuthorString), Date: text.FirstNonEmpty(text.Date(r.FirstPublicationDate), text.Date(r.PubYear)),
		Journal:  text.FirstNonEmpty(r.JournalTitle, r.JournalInfo.Journal.Title, r.BookOrReportDetails.Publisher),
		Preprint: r.Source == "PPR", CitedBy: r.CitedByCount,
	}
	for _, other := range r.CommentCorrectionList.CommentCorrection {
		if a.Preprint && other.Source == "MED" && strings.EqualFold(other.Type, "Preprint of") {
			a.Published = text.CURIE(id.PMID, other.Id)
		}
	}
	return a
}
