package articles

import (
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestSplitTypes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"Review": {"Review"}, "Review, Meta-Analysis": {"Review", "Meta-Analysis"},
		"review OR rct;Guideline":           {"review", "rct", "Guideline"},
		"Review, Clinical Trial, Phase III": {"Review", "Clinical Trial, Phase III"}, "Phase III": {"Phase III"},
		"Research Support, N.I.H., Extramural": {"Research Support, N.I.H., Extramural"}, ", ,": nil,
	} {
		expect.Equal(t, text, want, splitTypes([]string{text}))
	}
}

// TestConvertedIDsAreRead: an id is read in any spelling, and the answer keeps the given text.
func TestConvertedIDsAreRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"https://doi.org/10.1056%2FNEJMoa2021436": "10.1056/NEJMoa2021436", "10.1056/NEJMoa2021436)": "10.1056/NEJMoa2021436",
		"(doi: 10.1056/NEJMoa2021436).": "", "(10.1056/NEJMoa2021436)": "10.1056/NEJMoa2021436",
		"10.1016/S0140-6736(20)31022-9": "10.1016/S0140-6736(20)31022-9", "PMID: 26027431": "26027431", "PMC 7383595": "PMC7383595",
	} {
		list := readArticleIdentifiers([]string{text})
		expect.That(t, len(list) == 1 && list[0].input == text && (want == "" || list[0].value == want), "%s: %+v", text, list)
	}
	list := readArticleIdentifiers([]string{"PMID:1 pmid 2"})
	expect.That(t, len(list) == 2 && list[0].input == "PMID:1" && list[1].input == "pmid 2", "%+v", list)
}

func TestMeshQuery(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`"Asthma"[mh]`: "Asthma", `"Heart Failure"[mh:noexp]`: "Heart Failure", "asthma [MeSH Terms]": "asthma ", "asthma": "", "x[au]": "",
	} {
		got := ""
		if m := meshQuery.FindStringSubmatch(text); m != nil {
			got = m[1]
		}
		expect.Is(t, got, want, "%s", text)
	}
}

func TestExcludedType(t *testing.T) {
	t.Parallel()
	_, err := readArticleQuery(tools.SearchPubMedArticlesArgs{QueryTerm: "asthma", FilterByPublicationTypes: []string{"not reviews"}})
	expect.Equal(t, "type", `To exclude it call searchPubMedArticles again with {"filterByPublicationTypes":null,"queryTerm":"(asthma) NOT \"Review\"[pt]"}.`, entity.AsError(err).Hint)
}
