package articles

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestAnswerKeys: the answers of the PubMed tools have the keys that clients rely on, if the records have the data.
func TestAnswerKeys(t *testing.T) {
	t.Parallel()
	s := serveArticles(t, nil, eutilsManners(embeddedPubMed(t)), nil)
	found, err := s.SearchPubMedArticles(t.Context(), searchFor("hasabstract[filter] OR review[pt]", 100))
	expect.NoError(t, err)
	everything := detailsOf(abstractPlus, "26027431", "12068308", "219391", "3319190", "33031652", "38801034", "36598232", "29915538",
		"33301246", "13639368")
	everything.IncludeGrantInfo = true
	details, err := s.FetchArticleDetails(t.Context(), everything)
	expect.NoError(t, err)
	text, err := s.FetchArticleDetails(t.Context(), detailsOf(medlineText, "26027431"))
	expect.NoError(t, err)
	related, err := s.GetArticleRelationships(t.Context(), relationsOf("pubmed_similar_articles", "26027431"))
	expect.NoError(t, err)
	for _, tt := range []struct {
		tool   string
		answer json.Marshaler
		want   string
	}{
		{"searchPubMedArticles", found,
			`searchParameters searchParameters.queryTerm searchParameters.maxResults searchParameters.sortBy searchParameters.fetchBriefSummaries
			effectiveESearchTerm totalFound retrievedPmidCount pmids briefSummaries briefSummaries.pmid briefSummaries.title briefSummaries.authors briefSummaries.source
			briefSummaries.pubDate eSearchUrl eSummaryUrl`},
		{"fetchArticleDetails", details,
			`requestedPmids articles articles.pmid articles.title articles.abstractText articles.authors articles.authors.lastName
			articles.authors.firstName articles.authors.initials articles.authors.affiliation articles.journalInfo articles.journalInfo.title
			articles.journalInfo.isoAbbreviation articles.journalInfo.volume articles.journalInfo.issue articles.journalInfo.pages
			articles.journalInfo.publicationDate articles.journalInfo.publicationDate.year articles.journalInfo.publicationDate.month
			articles.journalInfo.publicationDate.day articles.publicationTypes articles.keywords articles.meshTerms articles.meshTerms.descriptorName
			articles.meshTerms.qualifierName articles.meshTerms.isMajorTopic articles.meshTerms.ui articles.grantList articles.grantList.grantId
			articles.grantList.agency articles.grantList.country articles.doi notFoundPmids eFetchDetails eFetchDetails.urls eFetchDetails.requestMethod`},
		{"fetchArticleDetails", text, `requestedPmids mediaType content notFoundPmids eFetchDetails eFetchDetails.urls eFetchDetails.requestMethod`},
		{"getArticleRelationships", related,
			`sourcePmid relationshipType relatedArticles relatedArticles.pmid relatedArticles.title relatedArticles.authors
			relatedArticles.score relatedArticles.linkUrl citations retrievedCount eLinkUrl`},
	} {
		text, err := entity.JSON(tt.answer)
		expect.NoError(t, err)
		var document map[string]any
		expect.NoError(t, json.Unmarshal(text, &document))
		keys := keysOf(document)
		for key := range strings.FieldsSeq(tt.want) {
			expect.That(t, slices.Contains(keys, key), "%s: no %s among %q", tt.tool, key, keys)
		}
	}
}
