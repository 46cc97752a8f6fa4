package reference_test

import (
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/reference"
)

func TestSeveral(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Larkin J. N Engl J Med. 2015;373:23-34.\nHusain, Lancet 394:121 (2019)": "Larkin J. N Engl J Med. " +
			"2015;373:23-34.|Husain, Lancet 394:121 (2019)",
		"1. Larkin J. A title of\nmany words\n2. Husain M. Another title": "1. Larkin J. A title of many words|2. Husain " +
			"M. Another title",
		"Larkin J. A title of words. 2015.\nHusain M. Another title of words. 2019.": "Larkin J. A title of words. 2015.|Husain M. " +
			"Another title of words. 2019.",
		"Larkin J. N Engl J Med. 2015;373:23-34; Husain M. Lancet. 2019;394:121.": "Larkin J. N Engl J Med. 2015;373:23-34|Husain " +
			"M. Lancet. 2019;394:121.",
		"A title. doi:10.5555/a.1. PMID: 1 Another title, https://doi.org/10.5555/a.2": "A title. doi:10.5555/a.1. PMID: 1|Another " +
			"title, https://doi.org/10.5555/a.2",
		"10.5555/a.1;10.5555/a.2":        "10.5555/a.1|10.5555/a.2",
		"31189511, 26027431":             "31189511|26027431",
		"PMID: 31189511; PMID: 26027431": "PMID: 31189511|PMID: 26027431",
		"3. Husain M; Ashbrook D. A title of words. Lancet 2019, 394, 121-130.":                                        "",
		"Husain M. A title of\nmany words. Lancet 2019; 394:\n121-30. doi:10.5555/a; PMID: 31189511":                   "",
		"doi:10.5555/a.1. https://doi.org/10.5555/A.1":                                                                 "",
		"Doe J. Moss. J Inv Moss. 2020;14:12. doi: 10.5555/a. Retraction in: Moss. 2022;1:4. doi: 10.5555/b. PMID: 6.": "",
		"": "",
	} {
		expect.Is(t, strings.Join(reference.Several(text), "|"), want, "%q", text)
	}
}
