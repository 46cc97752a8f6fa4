package articles

import (
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/reference"
)

// A citedWork is a citation of a call and its results.
type citedWork struct {
	reference.Fields
	name  string   // name in messages: citations[1]
	pmids []string // of possible matches
	// The result of ECitMatch; nil if ECitMatch was not called or returned no row for the citation.
	citMatch *entrez.CitationMatch
	queried  bool // ECitMatch was called
	notTried bool // it needs a search beyond the limit of a call
	compared []comparedArticle
}

// The states of a citation.
const (
	citationMatched   = "matched"
	citationAmbiguous = "ambiguous"
	citationNotFound  = "not_found"
	citationNotTried  = "not_tried"
)

// A matcher finds the articles of some citations.
type matcher struct {
	*Articles
	list    []*citedWork
	notes   *entity.Notes
	records map[string]*entity.Article // by PMID; nil: not in PubMed
}

const (
	maxCitationSearches = 20 // of a call
	maxCandidates       = 5  // of a citation
	// minCandidateScore is the minimum score of a candidate.
	minCandidateScore = 2
)

// A comparedArticle is an article that a citation may refer to, compared with the citation.
type comparedArticle struct {
	article *entity.Article
	reference.Comparison
}

// onlyPMCID reports whether a citation is only a PMCID.
func (c *citedWork) onlyPMCID() bool {
	return c.Fields == reference.Fields{PMCID: c.PMCID, Text: c.Text} && c.PMCID != ""
}

// bestMatch returns the article with the highest score, if the score is high enough for a match and no other article has it; else nil.
func (c *citedWork) bestMatch() *comparedArticle {
	if len(c.compared) == 0 || c.compared[0].Score < reference.Matched || len(c.compared) > 1 &&
		c.compared[1].Score == c.compared[0].Score {
		return nil
	}
	return &c.compared[0]
}
