package entrez_test

import (
	"testing"

	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestReadSpelling(t *testing.T) {
	t.Parallel()
	answer := func(query, corrected string) string {
		return `<?xml version="1.0"?>` + "<eSpellResult><Database>pubmed</Database><Query>" + query + "</Query><CorrectedQuery>" +
			corrected + "</CorrectedQuery><SpelledQuery/><ERROR/></eSpellResult>"
	}
	for _, tt := range []struct{ body, want string }{
		{answer("asthmaa OR alergies", "asthma or allergies"), "asthma OR allergies"},
		{answer("asthmaa", "asthma"), "asthma"},
		{answer("asthma", ""), ""},
		{answer("Asthma", "asthma"), ""},
		{answer("heart atack &amp; stroke", "heart attack &amp; stroke"), "heart attack & stroke"},
	} {
		got, err := entrez.ReadSpelling([]byte(tt.body))
		expect.NoError(t, err)
		expect.Is(t, got.Corrected, tt.want, "%s", tt.body)
	}
	for _, body := range []string{"", "<eSpellResult/>", "<eSearchResult><CorrectedQuery>x</CorrectedQuery></eSearchResult>",
		answer("a", "b")[:120]} {
		_, err := entrez.ReadSpelling([]byte(body))
		expect.That(t, err != nil, "%s was read", body)
	}
}

func TestReadSpellingCorpus(t *testing.T) {
	t.Parallel()
	got, err := entrez.ReadSpelling(realAnswer(t, "pubmed/espell/biopython_espell.xml"))
	expect.NoError(t, err)
	expect.Is(t, got.Corrected, "biopython", "of the stored reply")
}
