package query_test

import (
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/query"
)

// TestRewrite: syntax of another search language is never read with the opposite or a narrower meaning without a finding that shows the
// correct form.
func TestRewrite(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want, finding string }{
		{"asthma", "asthma", ""},
		{"non-small cell lung cancer", "non-small cell lung cancer", ""},
		{"IL-6 -5 degrees", "IL-6 -5 degrees", ""},
		{`"acute -leukemia or not"`, `"acute -leukemia or not"`, ""},
		{"aspirin OR ibuprofen NOT asthma", "aspirin OR ibuprofen NOT asthma", ""},
		{"HER2/neu", "HER2/neu", ""},
		{"melanoma - adjuvant & !", "melanoma - adjuvant & !", ""},
		{"[18F]FDG", "[18F]FDG", ""},
		{"AREA[Phase] x1", "AREA[Phase] x1", ""},

		{"asthma -obesity", "asthma NOT obesity", `"-obesity" excludes nothing`},
		{"-leukemia", "NOT leukemia", `"-leukemia" excludes nothing`},
		{"!asthma", "NOT asthma", `"!asthma" excludes nothing`},
		{"asthma \u2212obesity", "asthma NOT obesity", "\"\u2212obesity\" excludes nothing"},
		{"asthma –obesity -copd", "asthma NOT obesity NOT copd", `"–obesity" excludes nothing`},
		{`asthma -"heart failure"`, `asthma NOT "heart failure"`, `excludes nothing`},
		{"asthma -(copd OR obesity)", "asthma NOT (copd OR obesity)", `excludes nothing`},
		{"asthma AND -obesity", "asthma AND NOT obesity", `"-obesity" excludes nothing`},
		{"asthma not obesity", "asthma NOT obesity", `"not" was read as a word`},
		{"not obesity", "NOT obesity", `"not" was read as a word`},
		{" without obesity", " NOT obesity", `"without" was read as a word`},
		{"not yet recruiting asthma", "not yet recruiting asthma", ""},
		{"nothing", "nothing", ""},
		{"asthma without obesity", "asthma NOT obesity", `"without" was read as a word`},

		{"asthma or copd", "asthma OR copd", `"or" joins no alternatives`},
		{"asthma or copd or emphysema", "asthma OR copd OR emphysema", `"or" joins no alternatives`},
		{"asthma; copd", "asthma OR copd", `";" joins no alternatives`},
		{"asthma|copd", "asthma OR copd", `"|" joins no alternatives`},
		{"asthma / copd", "asthma OR copd", `"/" joins no alternatives`},
		{"asthma or -copd", "asthma OR NOT copd", `"-copd" excludes nothing`},

		{"asthma[mh]", "asthma", `"[mh]" was read as words`},
		{`"breast cancer"[MeSH Terms] her2`, `"breast cancer" her2`, `"[MeSH Terms]" was read as words`},
	} {
		got, findings := query.Rewrite(tt.text)
		expect.That(t, got == tt.want && (tt.finding == "") == (len(findings) == 0) &&
			strings.Contains(strings.Join(findings, "; "), tt.finding),
			"Rewrite(%q) is %q, %q", tt.text, got, findings)

		parses(t, got, "query.term", query.ReadText(got).Expression)
	}
}
