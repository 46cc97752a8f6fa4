package check

import (
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestRead: the ids and references of a text, and words that are no id.
func TestRead(t *testing.T) {
	t.Parallel()
	const entry = "Larkin J, et al. Combined nivolumab and ipilimumab. N Engl J Med. 2015;373(1):23-34. PMID: 26027431"
	for _, tt := range [][2]string{
		{"trial:NCT04381936 trial:NCT04381936 trial!", "NCT04381936, nct 04381936 and NCT0438"},
		{"pmid:26027431 pmid:31189511 pmid:32450107", "PMID: 26027431, 31189511 and 32450107"},
		{"pmid:26027431", "https://pubmed.ncbi.nlm.nih.gov/26027431/ in 2016, PubMed 2016, 26027431"},
		{"doi:10.1016/s0140-6736(97)11096-0", "(doi:10.1016/S0140-6736(97)11096-0)."},
		{"doi:10.1056/nejmoa1504030 doi!", "[a](https://doi.org/10.1056/NEJMoa1504030), doi: 10.1056"},
		{"doi:10.1002/(sici)1097-0258(1996)15:4<361::aid-sim168>3.0.co;2-4", "10.1002/(SICI)1097-0258(1996)15:4<361::AID-SIM168>3.0.CO;2-4 is old"},
		{"pmcid:PMC7383595 pmcid:PMC7556338", "PMC7383595 and PMCID: PMC7556338."},
		{"application:NDA021335 application:NDA021335 application:BLA125514", "NDA 21-335, NDA # 021335, BLA125514"},
		{"gene:7157", "GeneID: 7157, gene 5, TP53"},
		{"register:2005-005257-21", "EudraCT 2005-005257-21, NL63"},
		{"pmid:2", "```\nPMID 1\n```\nPMID 2"},
		{"reference", entry},
		{"reference reference pmid:3", "## References\n\n1. " + entry + "\n2. Moss. A book of many pages.\n   Geneva; 2001.\n\n# Next\nPMID 3"},
		{"reference reference", entry + "\n" + entry},
		{"pmid:3", "In 2016 Smith J and others found 5 of 9 (PMID 3). It rained."},
		{"reference reference", "TY  - JOUR\r\nTI  - A\r\nER  - \r\n\r\nTY  - JOUR\r\nTI  - B\r\nER  - "},
	} {
		want, text := tt[0], tt[1]
		var got []string
		for _, m := range read(text).mentions {
			one := m.kind
			if m.id != "" {
				one += ":" + m.id
			}
			if m.malformed {
				one = m.kind + "!"
			}
			got = append(got, one)
		}
		expect.Is(t, strings.Join(got, " "), want, "%s", text)
	}
}

// TestReadOfHostileTexts: a text of 40,000 characters of any kind is read to its end. The time that it takes is proportional to its length.
func TestReadOfHostileTexts(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	for _, one := range []string{"a", "(", "10.1/", "10.1234/a(", "NCT", "NCT1 ", "1", "1,", "Smith AB\n", "Smith AB 2016; 1:1\n\n", "[1] ",
		"p < 0.05 ", "```\n", "PMID 1 ", "doi 10.1000 ", "2005-005257-21 ", "n = 1. A", "@a{", "A. B. (2016). "} {
		d := read(strings.Repeat(one, 40_000/len(one)))
		for _, s := range d.sentences() {
			d.facts(s, true)
		}
		for i := 1; i < len(d.mentions); i++ {
			expect.Must(t, d.mentions[i-1].end <= d.mentions[i].start, "%q: mentions overlap", one)
		}
	}
}
