package query_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/place"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/sandbox"
)

const (
	dangling = "operators without words on both sides were ignored: "
	brackets = "square brackets were read as text"
)

func TestText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text, want string
		notices    []string // a part of each
	}{
		{text: "", want: ""},
		{text: "melanoma", want: "melanoma"},
		{text: "  non-small\n cell\tlung  cancer ", want: "non-small cell lung cancer"},
		{text: "Crohn's disease: stage 2.5", want: "Crohn's disease: stage 2.5"},
		{text: "São Paulo 東京", want: "São Paulo 東京"},
		{text: "COVID-19 HER2/neu CD4+", want: "COVID-19 HER2/neu CD4+"},

		// operators between words keep their meaning
		{text: "aspirin AND asthma", want: "aspirin AND asthma"},
		{text: "(aspirin OR ibuprofen) AND NOT asthma", want: "(aspirin OR ibuprofen) AND NOT asthma"},
		{text: "NOT (a1 OR b2)", want: "NOT (a1 OR b2)"},
		{text: "aspirin and asthma or not", want: "aspirin and asthma or not"},
		{text: "vitamin D (cholecalciferol)", want: "vitamin D (cholecalciferol)"},
		{text: "f(x)g", want: "f (x) g"},

		// phrases
		{text: `"breast cancer" her2`, want: `"breast cancer" her2`},
		{text: `"acute AND (chronic"`, want: `"acute AND (chronic"`},
		{text: `a"b c"d`, want: `a "b c" d`},
		{text: `"a \ b"`, want: `"a \\ b"`},
		{text: `""`, want: ""},
		{text: `"-" asthma`, want: "asthma"},
		{text: `a 5" lesion`, want: `a 5\" lesion`},
		{text: `"one" and "two`, want: `"one" and \"two`},

		// brackets
		{text: "[18F]FDG", want: `\[18F\]FDG`},
		{text: "a] [b", want: `a\] \[b`},
		{text: "AREA[Phase]PHASE3", want: `AREA\[Phase\]PHASE3`, notices: []string{brackets}},
		{text: "SEARCH[Location](AREA[LocationCity]Boston)", want: `SEARCH\[Location\] (AREA\[LocationCity\]Boston)`,
			notices: []string{brackets}},
		{text: "COVERAGE[FullMatch] x1", want: `COVERAGE\[FullMatch\] x1`, notices: []string{brackets}},
		{text: "COVER[FullMatch] x1", want: `COVER\[FullMatch\] x1`, notices: []string{brackets}},
		{text: "COVER x1", want: `"COVER" x1`},
		{text: "EXPANSION[None] x1", want: `EXPANSION\[None\] x1`, notices: []string{brackets}},

		// parentheses without a partner, or with nothing in them
		{text: "(melanoma", want: "melanoma"},
		{text: "melanoma)", want: "melanoma"},
		{text: ")melanoma(", want: "melanoma"},
		{text: "((melanoma) adjuvant", want: "(melanoma) adjuvant"},
		{text: "melanoma () adjuvant", want: "melanoma adjuvant"},
		{text: "( - ) melanoma", want: "melanoma"},
		{text: "(())", want: ""},
		{text: "() AND melanoma", want: "melanoma", notices: []string{dangling}},
		{text: strings.Repeat("(", 20) + "deep" + strings.Repeat(")", 20), want: strings.Repeat("(", 20) + "deep" +
			strings.Repeat(")", 20)},
		{text: strings.Repeat("(", 21) + "deeper" + strings.Repeat(")", 21) + " (flat)", want: "deeper flat"},

		// operators with nothing to join
		{text: "AND", want: "", notices: []string{dangling}},
		{text: "NOT", want: "", notices: []string{dangling}},
		{text: "melanoma AND", want: "melanoma", notices: []string{dangling + "AND."}},
		{text: "OR melanoma", want: "melanoma", notices: []string{dangling + "OR."}},
		{text: "melanoma NOT", want: "melanoma", notices: []string{dangling + "NOT."}},
		{text: "melanoma AND OR adjuvant", want: "melanoma OR adjuvant", notices: []string{dangling + "AND."}},
		{text: "AND OR melanoma AND NOT", want: "melanoma", notices: []string{dangling + "AND, OR, NOT."}},
		{text: "AND AND AND melanoma", want: "melanoma", notices: []string{dangling + "AND."}},
		{text: "(melanoma AND) adjuvant", want: "(melanoma) adjuvant", notices: []string{dangling}},
		{text: "(OR melanoma) adjuvant", want: "(melanoma) adjuvant", notices: []string{dangling}},
		{text: "(AND) melanoma", want: "melanoma", notices: []string{dangling}},
		{text: "melanoma AND -", want: "melanoma", notices: []string{dangling}},

		// words that are more than words in Essie
		{text: "ALL", want: `"ALL"`},
		{text: "relapsed ALL OR AML", want: `relapsed "ALL" OR AML`},
		{text: "MISSING data MIN MAX", want: `"MISSING" data "MIN" "MAX"`},
		{text: "all missing", want: "all missing"},
		{text: "B-ALL", want: "B-ALL"},
		// The same with only a separating sign between the words.
		{text: "ALL/AML", want: `"ALL" AML`},
		{text: "Ph+ALL", want: `Ph "ALL"`},
		{text: "chemotherapy AND/OR surgery", want: "chemotherapy OR surgery", notices: []string{dangling + "AND."}},
		{text: "surgery;AND", want: "surgery", notices: []string{dangling}},
		{text: "surgery\rAND\rOR", want: "surgery", notices: []string{dangling}},

		// commas, dashes, backslashes
		{text: "melanoma, adjuvant,", want: "melanoma adjuvant"},
		{text: ",", want: ""},
		{text: "melanoma - adjuvant & !", want: "melanoma adjuvant"},
		{text: `a\b c\`, want: `a\\b c\\`},
		{text: `\"`, want: ""},
	} {
		q := query.ReadText(tt.text)
		got, notices := q.Expression, q.Notices
		expect.Equal(t, fmt.Sprintf("Parse(%q)", tt.text), tt.want, got)
		expect.That(t, slices.EqualFunc(tt.notices, notices, func(part, notice string) bool { return strings.Contains(notice, part) }),
			"Text(%q): notices %q, want %q", tt.text, notices, tt.notices)
		parses(t, tt.text, "query.term", got)
	}
}

// TestTextFinds: words that are also syntax are searched as words.
func TestTextFinds(t *testing.T) {
	t.Parallel()
	every := count(t, "query.term", "")
	for _, text := range []string{"ALL", "ALL/AML", "relapsed ALL", "xyzzy OR ALL"} {
		expression := query.ReadText(text).Expression
		if n := count(t, "query.term", expression); n >= every {
			t.Errorf("%q finds each of the %d studies", text, n)
		}
	}
	either := query.ReadText("melanoma AND/OR asthma").Expression
	melanoma, asthma := count(t, "query.term", "melanoma"), count(t, "query.term", "asthma")
	if n := count(t, "query.term", either); n < max(melanoma, asthma) || n == 0 {
		t.Errorf("either finds %d, one %d, the other %d", n, melanoma, asthma)
	}
}

// TestTextOfAnySize: notices do not grow with the text. The time does not grow with the square of its length, which would exceed the test's
// timeout.
func TestTextOfAnySize(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	const n = 20_000
	for name, text := range map[string]string{
		"operators":   strings.Repeat("AND OR NOT ", n),
		"states":      "a or b " + strings.Repeat("or OR ", n),
		"parentheses": strings.Repeat("(", n) + "deep" + strings.Repeat(")", n),
		"words":       strings.Repeat("AREA[x] ", n) + "AND",
		"quotes":      strings.Repeat(`"`, 2*n+1),
	} {
		notices := query.ReadText(text).Notices
		if all := strings.Join(notices, ""); len(all) > 2000 {
			t.Errorf("%s: notices of %d bytes", name, len(all))
		}
		if read, err := place.Read(text); err == nil {
			query.At(place.Readings(read), query.RecruitingSite())
		}
	}
}

func TestDistinguishes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"": false, "a": false, "*": false, "??": false, `"*"`: false, "- -": false, "7": false,
		"the": false, "A study of the": false, "trial AND trials": false, "x": false, "a x": false,
		"NOT": false, "é": false, "東": false,
		"hf": true, "x y": true, "T1": true, "7157": true, "the x-ray": true, "東京": true,
		"study of asthma": true, `"ALL"`: true,
	} {
		if got := query.ReadText(text).Distinguishes(); got != want {
			t.Errorf("Distinguishes(%q) = %t", text, got)
		}
	}
}

// FuzzText: upstream can read the expression of any text, and an expression of ordinary words gives itself again.
func FuzzText(f *testing.F) {
	for _, text := range []string{
		"melanoma", "(a1 OR b2) AND NOT c3", `"x y" AND/OR z`, "ALL/AML", "AREA[Phase]PHASE3", "a (b", "a) b", `5" \ [`,
		"NOT NOT (x) )( AND", "RANGE[MIN,MAX]", "a\rAND\r", "'s :. ²", "NCT04267848, NCT1", "\x00\xff(\u202e)",
		`H_"""""`, "(\fd\xe2\xc0)", " ND NOT O[ \x01) AND NOT c", "(01 OR 00)AND OR 00",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q := query.ReadText(text)
		expression, notices := q.Expression, q.Notices
		again := query.ReadText(text).Expression
		expect.That(t, again == expression, "%q: once %q, then %q", text, expression, again)
		parses(t, text, "query.term", expression)
		if !strings.ContainsFunc(text, func(r rune) bool { return strings.ContainsRune(`"\[]`, r) }) && len(notices) == 0 &&
			!strings.Contains(expression, `"`) {
			expect.Is(t, query.ReadText(expression).Expression, expression, "%q: %q becomes", text, expression)
		}
		for _, n := range notices {
			expect.That(t, len(n) <= 1000, "%q: a notice of %d bytes", text, len(n))
		}
	})
}

// parses checks that the registry can read an expression.
func parses(t *testing.T, text, parameter, expression string) {
	t.Helper()
	if _, err := query.ReadSearch(url.Values{parameter: {expression}}.Encode()); err != nil {
		t.Errorf("%q: %s=%q: %v", text, parameter, expression, err)
	}
}

var oracle = sync.OnceValues(sandbox.New)

// textOf returns the expression of a node, "" of none.
func textOf(n query.Node) string {
	if n == nil {
		return ""
	}
	return n.String()
}

// count returns how many embedded studies an expression finds.
func count(t *testing.T, parameter, expression string) int {
	t.Helper()
	upstream, err := oracle()
	expect.NoError(t, err)
	values := url.Values{parameter: {expression}, "fields": {"NCTId"}, "countTotal": {"true"}, "pageSize": {"1"}}
	resp, err := (&http.Client{Transport: upstream}).Get("https://ctgov.example.org/api/v2/studies?" + values.Encode())
	expect.NoError(t, err)
	defer resp.Body.Close()
	var page query.Page
	if err := json.NewDecoder(resp.Body).Decode(&page); err != nil || page.TotalCount == nil {
		t.Fatalf("%s: %d %v", expression, resp.StatusCode, err)
	}
	return *page.TotalCount
}
