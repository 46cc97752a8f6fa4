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
	PMID    string `json:"pmid,omitempty"`
	PMCID   string `json:"pmcid,omitempty"`
	DOI     string `json:"doi,omitempty"`
	Title   string `json:"title,omitempty"`
	Authors string `json:"authors,omitempty"`
	Journal string `json:"journal,omitempty"`
	Date    string `json:"date,omitempty"` // YYYY-MM-DD or less
	// PMID of the published version of a preprint. Only a search with links has it.
	Published string `json:"published,omitempty"`
	// Number of articles in Europe PMC that cite it.
	CitedBy *int `json:"citedBy,omitempty"`
}

var tags = lazyregexp.New(`</?[A-Za-z][^<>]*>`)

// ListedArticle maps a row of a search of Europe PMC.
func ListedArticle(r *europepmc.Result) Listed {
	a := Listed{
		PMID: text.CURIE(id.PMID, r.Pmid), PMCID: text.CURIE(id.PMCID, r.Pmcid), DOI: text.Clean(r.Doi),
		Title: text.Clean(tags.ReplaceAllString(r.Title, "")), Authors: text.Clean(r.AuthorString), CitedBy: r.CitedByCount,
		Journal: text.FirstNonEmpty(r.JournalTitle, r.JournalInfo.Journal.Title, r.BookOrReportDetails.Publisher),
		Date:    text.FirstNonEmpty(text.Date(r.FirstPublicationDate), text.Date(r.PubYear)),
	}
	for _, other := range r.CommentCorrectionList.CommentCorrection {
		if other.Source == "MED" && strings.EqualFold(other.Type, "Preprint of") {
			a.Published = text.CURIE(id.PMID, other.Id)
		}
	}
	return a
}

// ArticleSearchFields returns the fields of rows of Europe PMC that searchPubMedArticles reads.
func ArticleSearchFields() []string {
	return []string{"pmid", "doi", "title", "authorString", "journalTitle", "journalInfo.journal.title", "bookOrReportDetails.publisher",
		"pubYear", "firstPublicationDate", "commentCorrectionList.commentCorrection"}
}

// ArticleDetailsFields returns the fields of rows of Europe PMC that fetchArticleDetails reads.
func ArticleDetailsFields() []string { return []string{"pmid", "citedByCount"} }
