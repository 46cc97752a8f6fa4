package entrez_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// Parts of notices.
const (
	dangling = "operators without words on both sides were ignored: "
	unknown  = "is not a field tag"
	astray   = "field tags without a word before them were read as text: "
	star     = "a * was ignored"
	left     = "these parts were ignored: "
	parens   = left + "parentheses without a partner"
)

type termTest struct {
	text, want string
	notices    []string // a part of each notice
}

func testTerms(t *testing.T, fields entrez.Fields, tests []termTest) {
	t.Helper()
	for _, tt := range tests {
		got, notices := entrez.Term(tt.text, fields)
		expect.Equal(t, fmt.Sprintf("Term(%q)", tt.text), tt.want, got)
		expect.That(t, slices.EqualFunc(tt.notices, notices, func(part, notice string) bool { return strings.Contains(notice, part) }),
			"Term(%q): notices %q, want %q", tt.text, notices, tt.notices)
		sound(t, tt.text, got, fields)
	}
}

func TestTermOfGenes(t *testing.T) {
	t.Parallel()
	testTerms(t, entrez.GeneFields(), []termTest{
		{text: ""},
		{text: "BRCA1", want: "BRCA1"},
		{text: "  breast\n cancer\tgene ", want: "breast cancer gene"},
		{text: "breast cancer, early onset;", want: "breast cancer early onset"},
		{text: "Causes of Crohn’s disease?", want: "Causes of Crohn's disease"},
		{text: "β-catenin 東京 HLA-DRB1 NKX2.5", want: "β-catenin 東京 HLA-DRB1 NKX2.5"},
		{text: "1,2-dichloroethane, 5'", want: "1,2-dichloroethane 5'"},
		{text: "acute -leukemia", want: "acute -leukemia",
			notices: []string{"-leukemia was read as leukemia: a minus sign excludes nothing. To exclude the word write NOT before it."}},
		{text: "a1 - b2 -5 c-d", want: "a1 b2 -5 c-d"},

		// tags
		{text: "BRCA1[sym]", want: "BRCA1[sym]"},
		{text: "BRCA1 [ Gene  Name ] AND human[ORGN]", want: "BRCA1[Gene Name] AND human[ORGN]"},
		{text: `"cell adhesion"[GO] NOT newentry[gene]`, want: `"cell adhesion"[GO] NOT newentry[gene]`},
		{text: "transporter[title] AND (\"Drosophila melanogaster\"[orgn] OR \"Mus musculus\"[orgn])",
			want: "transporter[title] AND (\"Drosophila melanogaster\"[orgn] OR \"Mus musculus\"[orgn])"},
		{text: "(II[chr] OR 2[chr]) AND adh*[sym]", want: "(II[chr] OR 2[chr]) AND adh*[sym]"},
		{text: "asthma[Disease/Phenotype] alive[prop] genetype protein coding[prop]",
			want: "asthma[Disease/Phenotype] alive[prop] genetype protein coding[prop]"},
		{text: "txid9606[orgn:noexp] 672[uid] 1.1.1.1[ec] M11313[accn] 113705[mim]",
			want: "txid9606[orgn:noexp] 672[uid] 1.1.1.1[ec] M11313[accn] 113705[mim]"},
		{text: "(BRCA1 OR BRCA2)[sym]", want: "(BRCA1 OR BRCA2)[sym]"},

		// brackets that are not tags
		{text: "BRCA1[symbl]", want: "BRCA1 symbl",
			notices: []string{"[symbl] " + unknown + " of this database: it was read as text. Near are [symbol], [sym]."}},
		{text: "BRCA1[tiab]", want: "BRCA1 tiab", notices: []string{unknown}},
		{text: "BRCA1[sym:noexp]", want: `BRCA1 "sym:noexp"`, notices: []string{unknown}},
		{text: "[18F]FDG", want: "18F FDG"},
		{text: "[sym] BRCA1", want: "sym BRCA1", notices: []string{astray}},
		{text: "BRCA1[sym][gene]", want: "BRCA1[sym] gene", notices: []string{astray}},
		{text: "BRCA1 AND [sym]", want: "BRCA1 AND sym", notices: []string{astray}},
		{text: "BRCA1[sym", want: "BRCA1 sym"},
		{text: "BRCA1]sym[", want: "BRCA1 sym"},
		{text: "BRCA1 *[sym]", want: "BRCA1", notices: []string{star, left + "field tags with nothing before them"}},
		{text: "a[b[sym]]", want: "a b[sym]"},
		{text: "BRCA1[]", want: "BRCA1"},
		{text: "BRCA1[" + strings.Repeat("x ", 40) + "]", want: "BRCA1 " + strings.TrimSpace(strings.Repeat("x ", 40))},

		// a colon is a range or text
		{text: "HGNC:11998", want: `"HGNC:11998"`},
		{text: "KEGG:hsa: GO:0006915[go]", want: `"KEGG:hsa" "GO:0006915"[go]`},
		{text: "Disease: stage", want: "Disease stage"},
		{text: "140424943:140624564[cpos] AND 7[chr]", want: "140424943:140624564[cpos] AND 7[chr]"},
		{text: "2020:2023", want: `"2020:2023"`},
		{text: "2020:2023[sym]", want: `"2020:2023"[sym]`},
		{text: "2020/01/01:2020/12/31[Modification Date]", want: "2020/01/01:2020/12/31[Modification Date]"},

		// truncation
		{text: "kin*", want: "kin*"},
		{text: "IL*", want: "IL", notices: []string{star}},
		{text: "*BRCA1 ** *", want: "BRCA1", notices: []string{star}},
		{text: "BR*CA", want: `"BR CA"`, notices: []string{star}},
		{text: "HLA-A*02:01", want: `"HLA-A 02:01"`, notices: []string{star}},
		{text: `"protein kin*" "kinase a*"`, want: `"protein kin*" "kinase a"`, notices: []string{star}},

		// parentheses
		{text: "Su(H)[sym] E(spl)m8-HLH", want: `"Su(H)"[sym] "E(spl)m8-HLH"`},
		{text: "kinase(human OR mouse)", want: "kinase (human OR mouse)"},
		{text: "BRCA1 AND(a1 OR b2)", want: "BRCA1 AND (a1 OR b2)"},
		{text: "(BRCA1", want: "BRCA1", notices: []string{parens}},
		{text: "BRCA1)[sym] (", want: "BRCA1", notices: []string{parens}},
		{text: "BRCA1 () ( - )", want: "BRCA1", notices: []string{parens}},
		{text: strings.Repeat("(", 21) + "deep" + strings.Repeat(")", 21), want: "deep", notices: []string{parens}},

		// quotes
		{text: `5" lesion`, want: "5 lesion", notices: []string{left + `". `}},
		{text: `“acute AND (chronic”`, want: `"acute AND chronic"`},
		{text: `"a [b] {c}\d"`, want: `"a b c d"`, notices: []string{left + `[, ], {, }, \. `}},
		{text: `"" "-" BRCA1`, want: "BRCA1"},

		// operators
		{text: "and or not AND-1 OR AND/OR", want: `and or not "AND-1"`, notices: []string{dangling + "AND, OR."}},
		{text: "a1 AND NOT b2", want: "a1 NOT b2"},
		{text: "a1 OR NOT b2", want: "a1 NOT b2", notices: []string{dangling + "OR."}},
		{text: "NOT a1", want: "all[filter] NOT a1"},
		{text: "a1 AND (NOT b2)", want: "a1 AND (all[filter] NOT b2)"},
		{text: "a1 NOT NOT b2", want: "a1 NOT b2", notices: []string{dangling + "NOT."}},
		{text: "AND a1 OR AND", want: "a1", notices: []string{dangling + "AND, OR."}},
		{text: "NOT", notices: []string{dangling + "NOT."}},
		{text: "a1;OR", want: "a1", notices: []string{dangling + "OR."}},

		// syntax of other systems
		{text: "#1 AND BRCA1", want: "BRCA1", notices: []string{dangling, left + "#1. "}},
		{text: "BRCA1 #12[sym] C#", want: "BRCA1 C", notices: []string{left + "#12, #, field tags"}},
		{text: "a1|b2;c3&d4{e5}", want: "a1 b2 c3 d4 e5", notices: []string{left + "|, &, {, }. "}},
		{text: "a1\x00b2\xffc3\u202ed4 - \\", want: "a1 b2 c3 d4", notices: []string{left + `\. `}},
		{text: "* ( ) [ ] : ; \" # \x00", notices: []string{star, left}},
	})
}

// TestTermOfAnySize: the number of notices does not grow with the text, and the running time is not quadratic, which would exceed the
// test's timeout.
func TestTermOfAnySize(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	const n = 20_000
	for name, text := range map[string]string{
		"operators":   strings.Repeat("AND OR NOT ", n),
		"parentheses": strings.Repeat("(", n) + "deep" + strings.Repeat(")", n),
		"symbols":     strings.Repeat("a(", n) + "deep" + strings.Repeat(")", n),
		"brackets":    strings.Repeat("a[", n) + strings.Repeat("]", n),
		"tags":        strings.Repeat("x[y z] [sym] #1 ", n),
		"quotes":      strings.Repeat(`"`, 2*n+1),
		"stars":       strings.Repeat("a*", n),
		"colons":      strings.Repeat("a:", n),
		"a word":      strings.Repeat("a", n) + "[nothing]",
	} {
		_, notices := entrez.Term(text, entrez.GeneFields())
		if all := strings.Join(notices, ""); len(all) > 3000 {
			t.Errorf("%s: notices of %d bytes", name, len(all))
		}
	}
}

func TestDistinguishes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"": false, "a": false, "*": false, `"*"`: false, "- -": false, "7": false, "x[sym]": false, "[sym]": false,
		"the gene": false, "genes of the": false, "AND": false, "é": false,
		"hf": true, "7157": true, "WAS": true, "MET": true, "x y": true, "genes of asthma": true, "[18F]FDG": true,
	} {
		if got := entrez.Distinguishes(text, "gene", "genes"); got != want {
			t.Errorf("Distinguishes(%q) = %t", text, got)
		}
	}
	expect.That(t, entrez.Distinguishes("the gene"), "an article may be found by the word gene")
}

func TestSymbol(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"BRCA1": "BRCA1", " tp53 ": "tp53", "BRCA1[sym]": "BRCA1", "BRCA1 [ Gene  Name ]": "BRCA1", `"BRCA1"[Preferred Symbol]`: "BRCA1",
		"HLA-DRB1": "HLA-DRB1", "NKX2.5[gene]": "NKX2.5", "Su(H)": "Su(H)", "CG3@x": "CG3@x", "T/Bra": "T/Bra", "5'-NT": "5'-NT",
		"MT_CO1": "MT_CO1",
		"":       "", "T": "", "BRCA1 BRCA2": "", "BRCA*": "", "BRCA1[orgn]": "", "[sym]": "", "Su(H": "", "(a)b": "", "--": "", "AND": "",
		"HGNC:1100": "",
		"βcatenin":  "", "BRCA1[sym][sym]": "", `"`: "", `""`: "",
	} {
		if got, ok := entrez.Symbol(text); got != want || ok != (want != "") {
			t.Errorf("Symbol(%q) = %q, %t", text, got, ok)
		}
	}
}

func FuzzTerm(f *testing.F) {
	for _, text := range []string{
		"BRCA1[sym] AND human[orgn]", `(a1 OR "b 2*"[ti]) AND NOT c3`, "HGNC:1 #1 2020:2023[dp]", `"2020"[dp] : "3000"[dp]`, "Su(H)[x y",
		"a,*: ,b*", "AND/OR-1 ()[sym]", "x[mh:noexp][tiab:~3]", ")NOT(NOT NOT*", "\x00\xff“”|{};", "':.²", "a(b)c)*:",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		term, notices := entrez.Term(text, entrez.GeneFields())
		sound(t, text, term, entrez.GeneFields())
		for _, n := range notices {
			expect.That(t, len(n) <= 1500, "%q: a notice of %d bytes", text, len(n))
		}
		if symbol, ok := entrez.Symbol(text); ok {
			term, notices := entrez.Term(symbol+"[sym]", entrez.GeneFields())
			expect.That(t, (term == symbol+"[sym]" || term == `"`+symbol+`"[sym]`) && notices == nil,
				"symbol %q of %q: %s %q", symbol, text, term, notices)
		}
	})
}

var (
	quoted   = regexp.MustCompile(`"[^"]*"`)
	brackets = regexp.MustCompile(`\[[^\[\]]*\]`)
	pair     = regexp.MustCompile(`\([^()]*\)`)
	sign     = regexp.MustCompile(`[#;|{}\\^~&<>=%$!?"\x00-\x1f\x7f]`)
	spans    = regexp.MustCompile(`[0-9/]+:[0-9/]+(\[)`)
	stars    = regexp.MustCompile(`([\pL\pN]\*)(["\[ )]|$)`)
)

// sound checks the properties of the term of any text.
func sound(t *testing.T, text, term string, fields entrez.Fields) {
	t.Helper()
	if twice, _ := entrez.Term(term, fields); twice != term {
		t.Errorf("%q: %q becomes %q", text, term, twice)
	}
	expect.That(t, len(term) <= 4*len(text)+16, "%q: %d bytes become %d", text, len(text), len(term))
	expect.That(t, !strings.Contains(stars.ReplaceAllString(term, "$2"), "*"), "%q: %q has a * that does not end a word", text, term)
	for _, tag := range brackets.FindAllString(term, -1) {
		if cut, _ := entrez.Term("word"+tag, fields); cut != "word"+tag {
			t.Errorf("%q: %q has the tag %s", text, term, tag)
		}
	}
	bare := quoted.ReplaceAllString(term, "Q")
	bare = spans.ReplaceAllString(bare, "R$1")
	bare = brackets.ReplaceAllString(bare, "")
	expect.That(t, !strings.Contains(bare, ":") && !strings.ContainsAny(bare, "[]") && !sign.MatchString(bare),
		"%q: %q has a sign that is syntax", text, term)
	operand := ""
	for _, w := range strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(bare)) {
		isOperator := w == "AND" || w == "OR" || w == "NOT"
		expect.That(t, !isOperator && w != ")" || operand != "" && operand != "operator", "%q: %q has nothing before %s", text, term, w)
		switch {
		case isOperator:
			operand = "operator"
		case w == "(":
			operand = ""
		default:
			operand = "word"
		}
	}
	expect.That(t, operand != "operator", "%q: %q ends in an operator", text, term)
	for pair.MatchString(bare) {
		bare = pair.ReplaceAllString(bare, "P")
	}
	expect.That(t, !strings.ContainsAny(bare, "()") && strings.Count(term, "(") == strings.Count(term, ")"),
		"%q: %q is not balanced", text, term)
}
