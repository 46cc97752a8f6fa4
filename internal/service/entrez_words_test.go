package service

import (
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestEachType(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"Review": {"Review"}, "Review, Meta-Analysis": {"Review", "Meta-Analysis"}, "review OR rct;Guideline": {"review", "rct", "Guideline"},
		"Review, Clinical Trial, Phase III": {"Review", "Clinical Trial, Phase III"}, "Phase III": {"Phase III"},
		"Research Support, N.I.H., Extramural": {"Research Support, N.I.H., Extramural"}, ", ,": nil,
	} {
		expect.Equal(t, text, want, eachType([]string{text}))
	}
}

func TestEitherNotice(t *testing.T) {
	t.Parallel()
	for text, noticed := range map[string]bool{
		"TP53 or BRCA1": true, "TP53 OR BRCA1": false, `"now or never"`: false, "(TP53 or BRCA1)": false, "oral": false, "or": false,
	} {
		expect.Equal(t, text, noticed, eitherNotice(tools.SearchGenes, "query", text) != nil)
	}
}

func TestExclusionsAreRefused(t *testing.T) {
	t.Parallel()
	_, _, err := readGeneQuery(geneWords{tools.SearchGenesArgs{Organism: "−human"}, "TP53"})
	expect.Equal(t, "organism", `To exclude it call search_genes again with {"organism":null,"query":"(TP53) NOT txid9606[orgn]"}.`, entity.AsError(err).Hint)
	_, _, err = readGeneQuery(geneWords{tools.SearchGenesArgs{Organism: "all"}, "TP53"})
	expect.Equal(t, "all organisms", `Call search_genes again with {"organism":null}: without organism.`, entity.AsError(err).Hint)
	_, err = readArticleQuery(tools.SearchPubMedArticlesArgs{QueryTerm: "asthma", FilterByPublicationTypes: []string{"not reviews"}})
	expect.Equal(t, "type", `To exclude it call searchPubMedArticles again with {"filterByPublicationTypes":null,"queryTerm":"(asthma) NOT \"Review\"[pt]"}.`, entity.AsError(err).Hint)
}

func TestInEnglish(t *testing.T) {
	t.Parallel()
	for text, advised := range map[string]bool{"癌症免疫": true, "рак": true, "TNF-α": false, "cáncer": false, "": false} {
		expect.Equal(t, text, advised, inEnglish(text) != "")
	}
}
