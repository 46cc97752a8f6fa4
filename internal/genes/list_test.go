package genes

import (
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestListedGenes: names between commas are a list, ordinary words between commas are not.
func TestListedGenes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"TP53, BRCA1, HER2, MLL": "TP53|BRCA1|HER2|MLL", "TP53;brca1\nHER2 | MLL": "TP53|brca1|HER2|MLL",
		"TP53, BRCA1 and MLL": "TP53|BRCA1|MLL",
		"tp53,kras, ras":      "tp53|kras|ras", "TP53, ENSG00000012048, 672, HGNC:11998": "TP53|ENSG00000012048|672|HGNC:11998",
		"SOD1, CAT":    "SOD1|CAT",
		"HLA-A, HLA-B": "HLA-A|HLA-B", "TP53, TP53": "TP53", "BRCA1[sym], TP53[sym]": "",
		"TP53": "", "TP53 BRCA1": "", "BRCA1, human": "", "apoptosis, autophagy": "", "breast cancer, BRCA1": "",
		"tumor suppressor, kinase": "", "": "", ",,": "",
	} {
		var got []string
		for _, n := range listedGenes([]string{text}) {
			got = append(got, n.text)
		}
		expect.Equal(t, text, want, strings.Join(got, "|"))
	}
	names := listedGenes([]string{"tumor protein p53", "BRCA1, MLL", "P04637"})
	expect.That(t, len(names) == 4 && names[0].empty() && names[3].symbol == "P04637" && names[3].kind != nil, "%+v", names)
}

// FuzzListedGenes: each name has a value, and the same list written with commas gives the same names.
func FuzzListedGenes(f *testing.F) {
	f.Add("TP53, BRCA1 and HER2", "HGNC:11998")
	f.Add("P2RY10;,|672", "")
	f.Fuzz(func(t *testing.T, first, second string) {
		query := []string{first}
		if second != "" {
			query = append(query, second)
		}
		var texts []string
		for _, n := range listedGenes(query) {
			expect.That(t, n.empty() || n.gene != "" || n.symbol != "" || n.foreign != "", "%+v", n)
			expect.That(t, len(query) > 1 || !n.empty(), "%q: %+v is no name", query, n)
			texts = append(texts, n.text)
		}
		if len(query) == 1 && texts != nil {
			var again []string
			for _, n := range listedGenes([]string{strings.Join(texts, ", ")}) {
				again = append(again, n.text)
			}
			expect.That(t, len(texts) == 1 || len(again) == len(texts), "%q is %q", texts, again)
		}
	})
}
