package reference_test

import (
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/reference"
)

// TestStatements: the claims of a reference, in the styles in which people write it, beside its record. A word that is replaced, added or
// left out is another title; a short form, another script of a letter and an omitted group are not.
func TestStatements(t *testing.T) {
	t.Parallel()
	moss := &entity.Article{
		PMID: "90000001", PMCID: "PMC12", DOI: "10.5555/abc.1", Title: "Growth of α-mosses: a randomised trial in ten cold gardens.",
		Authors: []entity.Author{
			{LastName: "van der Ashbröok", FirstName: "Dana J", Initials: "DJ"}, {LastName: "Li", FirstName: "Zao", Initials: "Z"},
			{CollectiveName: "Moss Study Group"}, {LastName: "Li", FirstName: "Chunze", Initials: "C"},
		},
		JournalInfo: &entity.JournalInfo{Title: "The Journal of cold gardens : official journal of moss", ISOAbbreviation: "J Cold Gard",
			Volume: "7", Issue: "2", Pages: "957-61", PublicationDate: &entity.PublicationDate{Year: 2019}},
		ElectronicDate: "2018-12-30",
	}
	const title = "Growth of α-mosses: a randomised trial in ten cold gardens."
	const place = " J Cold Gard. 2019;7(2):957-961. PMID: 90000001"
	for _, tt := range []struct{ different, text string }{
		{"", "van der Ashbröok DJ, Li Z, Li C. Growth of alpha-mosses: a randomised trial in ten cold gardens." + place},
		{"", "Ashbroeok DJ, Li Z, Moss Study Group, Li C. Growth of α-mosses." + place},
		{"", "van der Ashbrook DJ, et al. " + title + place},
		{"", "D.J. van der Ashbrook, Z. Li, C. Li, " + title + " J Cold Gard 7 (2018) 957–61."},
		{"", "Ashbrook, D. J. & Li, Z. " + title + " J. Cold Gard. 7, 957-961 (2019)."},
		{"year", "Ashbrook, D. J., Li, Z., & Li, C. (2020). " + title + " J Cold Gard, 7(2), 957."},
		{"author", "van der Ashbrook DJ, Roe C. " + title + place},
		{"author", "Roe K, Li Z. " + title + place},
		{"title", "van der Ashbrook DJ, Li Z. Growth of α-mosses: a randomised trial in ten warm gardens." + place},
		{"title", "van der Ashbrook DJ, Li Z. A wholly invented title of another paper." + place},
		{"journal issue pages doi", "van der Ashbrook DJ. " + title + " Moss. 2019;7(3):957-962. doi: 10.5555/abc.2"},
		{"", "TY  - JOUR\nAU  - Ashbrook, D J\nAU  - Li, Zao\nTI  - Growth of α-mosses\nJO  - J Cold Gard\nPY  - 2019\nSP  - 957\nEP  - 61\n"},
		{"volume", "@article{a, author = {Ashbrook, Dana and Li, Zao and others}, journal = {J Cold Gard}, volume = {8}, pages = {957--961}}"},
	} {
		var got []string
		for _, s := range reference.Statements(tt.text, moss) {
			if s.Result == reference.Different {
				got = append(got, s.What)
				expect.That(t, s.Source != "", "%s: %s has no words of the record", tt.text, s.What)
			}
		}
		expect.Is(t, strings.Join(got, " "), tt.different, "%s", tt.text)
	}
}
