package reference_test

import (
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/reference"
)

// TestRecords: records of reference managers are read by their tags, however their lines are made.
func TestRecords(t *testing.T) {
	t.Parallel()
	moss := reference.Fields{Author: "Ashbrook, Dana", Title: "Growth of mosses", Journal: "Moss", Year: "2019", Volume: "7",
		FirstPage: "12",
		DOI:       "10.5555/abc.1", PMID: "90000001", PMCID: "PMC12"}
	with := func(change func(*reference.Fields)) reference.Fields { f := moss; change(&f); return f }
	for text, want := range map[string]reference.Fields{
		"TY  - JOUR\r\nAU  - Ashbrook, Dana\r\nAU  - Roe, K.\r\nTI  - Growth of\r\nmosses.\r\nJO  - Moss\r\nPY  - 2019/03//\r\nVL  - 7\r\n" +
			"SP  - 12\r\nDO  - https://doi.org/10.5555/abc.1\r\nAN  - 90000001\r\nC2  - PMC12\r\nDB  - PubMed\r\nER  - ": moss,
		"\n TY - JOUR\nA1 - Ashbrook, Dana\nT1 - Growth of mosses\nJF - Moss\nY1 - 2019\nVL - 7\nSP - 12\nDB - Embase\nAN - 90000001": with(
			func(f *reference.Fields) { f.DOI, f.PMID, f.PMCID = "", "", "" }),
		"PMID- 90000001\nOWN - NLM\nVI  - 7\nDP  - 2019 Mar\nTI  - Growth of\n      mosses.\nPG  - 12-9\nLID - e5 [pii]\nLID - " +
			"10.5555/abc.1 [doi]\n" +
			"AB  - AIM: PMID- free.\nFAU - Ashbrook, Dana\nAU  - Ashbrook D\nTA  - Moss\nPMC - PMC12\n": moss,
		`@article{a2019, author = "Ashbrook, Dana and Roe, K.", title = {{Growth} of {\textit{mosses}}}, journal = Moss, year = 2019,
			month = mar # "--" # apr, volume = {7}, pages = {12--19}, doi = {10.5555/abc.1}, pmid = {90000001}, pmcid = {PMC12}}`: moss,
		`@Article(a2019, author={Ry{\'e}n, {\O}. and others}, title="A \"{u}ber, {T}est} \& more`: {Author: "Ryen, O.",
			Title: "A uber, Test & more"},
		"@book{b, title = {Growth}": {Title: "Growth"},
	} {
		got := reference.Parse(text)
		got.Issue, got.Pages, got.Authors = "", "", "" // TestStatements has them
		expect.Equal(t, text, want, got)
	}
	for text, want := range map[string]int{
		"TY  - JOUR\nTI  - A\nER  - \n\nTY  - JOUR\nTI  - B\nER  - ": 2, "@article{a,title={A}}\n@article{b,title={B}}": 2,
		"PMID- 1\nTI  - A\n\nPMID- 2\nTI  - B": 2, "PMID- 1\nAU  - Roe K. Moss 2019;7:1.\nAU  - Ash D. Moss 2019;7:2.": 0,
	} {
		expect.Is(t, len(reference.Several(text)), want, "%s", text)
	}
}
