package entrez_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/expect"
)

func readArticles(text string) (all []*entrez.Article, err error) {
	err = entrez.ReadArticles(strings.NewReader(text), func(a *entrez.Article) error {
		all = append(all, a)
		return nil
	})
	return all, err
}

func article(pmid, inner string) string {
	return fmt.Sprintf(`<PubmedArticle><MedlineCitation><PMID Version="1">%s</PMID>%s</MedlineCitation></PubmedArticle>`, pmid, inner)
}

func set(articles ...string) string {
	return "<PubmedArticleSet>" + strings.Join(articles, "\n") + "</PubmedArticleSet>"
}

func TestArticleText(t *testing.T) {
	t.Parallel()
	math := func(inner string) string {
		return `<mml:math xmlns:mml="http://www.w3.org/1998/Math/MathML">` + inner + `</mml:math>`
	}
	for markup, want := range map[string]string{
		"":                                    "",
		" \n\t a \u00a0\u2009 b&#x2003;\r\n ": "a b",
		"a<b> b</b><i>c </i> <u>d</u>":        "a bc d",
		"&lt;5 &amp; &#x2265;3 &quot;x&quot;": `<5 & ≥3 "x"`,
		"caf&eacute; &alpha;":                 "café α",
		"<![CDATA[a < b]]>":                   "a < b",
		"a<!-- no -->b":                       "ab",
		"H<sub>2</sub>O":                      "H2O",
		"10<sup>-5</sup>":                     "10^-5",
		"10<sup>−5</sup> M":                   "10^−5 M",
		"2 × 10<sup>18</sup>cm":               "2 × 10^18cm",
		"10<sup><i>6</i></sup>":               "10^6",
		"ml·kg<sup>-1</sup>·min<sup>-1</sup>": "ml·kg^-1·min^-1",
		"kg/m<sup>2</sup>":                    "kg/m2",
		"Ca<sup>2+</sup>":                     "Ca2+",
		"CD4<sup>+</sup>CD8<sup>+</sup>":      "CD4+CD8+",
		"SO<sub>4</sub><sup>2-</sup>":         "SO4^2-",
		"10<sub>2</sub>":                      "10_2",
		"1<sup>st</sup>":                      "1st",
		"<sup>18</sup>F":                      "18F",
		"at 5 <sup>18</sup>F":                 "at 5 18F",
		"p<sub>trend</sub>=0.04":              "ptrend=0.04",
		"x<sup></sup><sub/>y":                 "xy",
		"10<sup>-</sup>":                      "10-",
		"x<sup>2<sup>3</sup></sup>":           "x2^3",

		math(`<mml:mfrac><mml:mi>a</mml:mi><mml:mi>b</mml:mi></mml:mfrac>`):                                                                                         "a/b",
		math(`<mml:mfrac><mml:mi>mg</mml:mi><mml:mrow><mml:mn>2</mml:mn><mml:mi>b</mml:mi></mml:mrow></mml:mfrac>`):                                                 "mg/(2b)",
		math(`<mml:msqrt><mml:mi>a</mml:mi><mml:mo>+</mml:mo><mml:mi>b</mml:mi></mml:msqrt>`):                                                                       "√(a+b)",
		math(`<mml:msqrt> <mml:mn>10</mml:mn> </mml:msqrt>`):                                                                                                        "√10",
		math(`<mml:mroot><mml:mi>x</mml:mi><mml:mn>3</mml:mn></mml:mroot>`):                                                                                         "x^(1/3)",
		math(`<mml:msup><mml:mn>10</mml:mn><mml:mrow><mml:mo>−</mml:mo><mml:mn>5</mml:mn></mml:mrow></mml:msup>`):                                                   "10^−5",
		math(`<mml:msup><mml:mi>x</mml:mi><mml:mrow><mml:mi>n</mml:mi><mml:mo>+</mml:mo><mml:mn>1</mml:mn></mml:mrow></mml:msup>`):                                  "x^(n+1)",
		math(`<mml:msub><mml:mi>x</mml:mi><mml:mi>i</mml:mi></mml:msub>`):                                                                                           "x_i",
		math(`<mml:munderover><mml:mo>∑</mml:mo><mml:mrow><mml:mi>i</mml:mi><mml:mo>=</mml:mo><mml:mn>1</mml:mn></mml:mrow><mml:mi>n</mml:mi></mml:munderover>`):    "∑_(i=1)^n",
		math(`<mml:mover><mml:mi>x</mml:mi><mml:mo>¯</mml:mo></mml:mover>`):                                                                                         "x\u0304",
		math(`<mml:mover><mml:mi>AB</mml:mi><mml:mo>→</mml:mo></mml:mover>`):                                                                                        "AB^→",
		math(`<mml:mmultiscripts><mml:mi>F</mml:mi><mml:mn>2</mml:mn><mml:none/><mml:mprescripts/><mml:none/><mml:mn>18</mml:mn></mml:mmultiscripts>`):              "18F_2",
		math(`<mml:mfenced><mml:mi>a</mml:mi><mml:mi>b</mml:mi></mml:mfenced>`):                                                                                     "(a,b)",
		math(`<mml:mtable><mml:mtr><mml:mtd><mml:mn>1</mml:mn></mml:mtd><mml:mtd><mml:mn>2</mml:mn></mml:mtd></mml:mtr><mml:mtr><mml:mtd/></mml:mtr></mml:mtable>`): "[1, 2; ]",
		math(`<mml:semantics><mml:mi>a</mml:mi><mml:annotation encoding="application/x-tex">\alpha</mml:annotation></mml:semantics>`):                               "a",
		math(`<mml:mi>a</mml:mi><mml:mo>&#x2062;</mml:mo><mml:mi>b</mml:mi><mml:mtext> if </mml:mtext><mml:mi>c</mml:mi><mml:mspace/><mml:mi>d</mml:mi>`):           "ab if c d",
		math(`<mml:mfrac/><mml:msup/><mml:msqrt/><mml:mmultiscripts/><mml:mover/><mml:mroot/>`):                                                                     "/√()^(1/)",
		"a<DispFormula>" + math("<mml:mi>x</mml:mi>") +
			"</DispFormula>b": "a x b",
	} {
		articles, err := readArticles(set(article("1", "<Article><ArticleTitle>"+markup+"</ArticleTitle></Article>")))
		if err != nil || len(articles) != 1 {
			t.Errorf("%s: %v", markup, err)
			continue
		}
		expect.Equal(t, markup, want, articles[0].Title)
	}
}

func TestReadArticles(t *testing.T) {
	t.Parallel()
	const prolog = "\ufeff<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE PubmedArticleSet PUBLIC \"x\" " +
		"\"https://example.org/none.dtd\" [<!ENTITY a \"b\">]>\n<!-- x -->"
	for text, want := range map[string]string{
		"<PubmedArticleSet></PubmedArticleSet>":                       "",
		prolog + "<PubmedArticleSet/>\n":                              "",
		prolog + set(article("1", ""), article("2", "")) + "<!-- -->": "1 2",
		set(article("1", ""), article("1", "")):                       "1 1",
		set("<Unknown><PubmedArticle/></Unknown>",
			article(" 3 ", "<Unknown><PMID>4</PMID></Unknown><PMID Version=\"2\">5</PMID>")): "5",
		set("<PubmedBookArticle><BookDocument><PMID>6</PMID></BookDocument></PubmedBookArticle><DeleteCitation><PMID>7</PMID></DeleteCitation>"): "6",
		set("<PubmedArticle/>"): "",
	} {
		var got []string
		articles, err := readArticles(text)
		for _, a := range articles {
			got = append(got, a.PMID)
		}
		expect.That(t, err == nil && strings.Join(got, " ") == want, "%q: %q, %v", text, got, err)
	}
}

// TestReadArticlesInvalid: both readers return an error for an incomplete or invalid response, never a shorter list.
func TestReadArticlesInvalid(t *testing.T) {
	t.Parallel()
	complete := `<?xml version="1.0" ?>` + "\n" + set(article("1", "<Article><ArticleTitle>T</ArticleTitle></Article>"), article("2", ""))
	texts := map[string]bool{ // value: the root element is at fault
		"":                               true,
		" ":                              true,
		"PMID- 1":                        true,
		"{}":                             true,
		"<html><body>down</body></html>": true,
		"<eFetchResult><ERROR>x</ERROR></eFetchResult>":                   true,
		"<?xml version=\"1.0\"?>":                                         true,
		set("<ERROR>Error occurred</ERROR>"):                              false,
		set(article("1", ""), "<ERROR>Error occurred</ERROR>"):            false,
		set("Error occurred"):                                             false,
		complete + complete:                                               false,
		complete + "<x/>":                                                 false,
		complete + "x":                                                    false,
		complete + "</PubmedArticleSet>":                                  false,
		set("<PubmedArticle></MedlineCitation>"):                          false,
		set("<PubmedArticle>"):                                            false,
		set("<PubmedArticle a=b/>"):                                       false,
		set("<PubmedArticle>&nosuch;</PubmedArticle>"):                    false,
		set("<PubmedArticle>\x01</PubmedArticle>"):                        false,
		set("<PubmedArticle>\xff</PubmedArticle>"):                        false,
		set(strings.Repeat("<b>", 100_000)):                               false,
		set("<PubmedArticle><x:A></y:A></PubmedArticle>"):                 false,
		`<?xml version="1.0" encoding="UTF-16"?>` + set(article("1", "")): true,
	}
	for i := range len(complete) {
		texts[complete[:i]] = i < strings.Index(complete, "<PubmedArticleSet>")+len("<PubmedArticleSet>")
	}
	for text, root := range texts {
		_, err := readArticles(text)
		expect.That(t, err != nil && errors.Is(err, entrez.ErrNoArticleSet) == root, "%.60q: %v", text, err)
		if parts, err := entrez.SplitArticles(strings.NewReader(text)); err == nil || parts != nil {
			t.Errorf("%.60q split: %d, %v", text, len(parts), err)
		}
	}
	broken := io.MultiReader(strings.NewReader(complete[:len(complete)/2]), iotest.ErrReader(errors.ErrUnsupported))
	if err := entrez.ReadArticles(broken, func(*entrez.Article) error { return nil }); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("broken reader: %v", err)
	}
	seen := 0
	err := entrez.ReadArticles(strings.NewReader(complete), func(*entrez.Article) error { seen++; return errors.ErrUnsupported })
	expect.That(t, errors.Is(err, errors.ErrUnsupported) && seen == 1, "error of each: %v after %d", err, seen)
}

func TestSplitArticles(t *testing.T) {
	t.Parallel()
	first := article("1", "<Article><ArticleTitle>é &#xe9; "+
		"<b>b</b></ArticleTitle></Article><CommentsCorrectionsList><CommentsCorrections><PMID>9</PMID></CommentsCorrections></CommentsCorrectionsList>")
	again, book := article("1", ""), `<PubmedBookArticle ><BookDocument><PMID Version='1'> 2</PMID></BookDocument></PubmedBookArticle>`
	got, err := entrez.SplitArticles(strings.NewReader("\ufeff<?xml version=\"1.0\"?><!DOCTYPE x>" + set("\n"+first+"<!-- - -->", book)))
	expect.That(t, err == nil && len(got) == 2 && string(got["1"]) == first && string(got["2"]) == book, "%q, %v", got, err)
	got, err = entrez.SplitArticles(strings.NewReader(set(first, again)))
	expect.That(t, err == nil && len(got) == 1 && string(got["1"]) == again, "twice: %q, %v", got, err)
	got, err = entrez.SplitArticles(strings.NewReader(set()))
	expect.That(t, err == nil && got != nil && len(got) == 0, "none: %q, %v", got, err)
	for _, id := range []string{"", "x", "1 2"} {
		got, err := entrez.SplitArticles(strings.NewReader(set(article(id, ""), first)))
		expect.That(t, err == nil && len(got) == 2 && string(got["1"]) == first && got[""] != nil, "PMID %q: %q, %v", id, got, err)
	}
}

func TestSplitMEDLINE(t *testing.T) {
	t.Parallel()
	const one, two = "PMID- 1\nOWN - NLM\nTI  - A title\n      of two lines\nSO  - J. 1",
		"PMID- 22\nAB  - BACKGROUND: PMID- 3\nbroken line\nSO  - J. 2"
	for text, want := range map[string]map[string]string{
		"":                                   {},
		" \r\n\n":                            {},
		one:                                  {"1": one},
		"\n" + one + "\n\n" + two + "\n\n\n": {"1": one, "22": two},
		one + "\n" + two:                     {"1": one, "22": two},
		"\nid: 5 Error occurred: The following PMID is not available: 5\n\n" + two + "\n": {"22": two},
		strings.ReplaceAll("\n"+one+"\n\n"+two+"\n", "\n", "\r\n"): {
			"1": strings.ReplaceAll(one, "\n", "\r\n"), "22": strings.ReplaceAll(two, "\n", "\r\n"),
		},
	} {
		got, err := entrez.SplitMEDLINE(text)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%q: %v\n%s", text, err, diff)
		}
	}
	for _, text := range []string{
		"<html>", "{}", "1", "Error occurred: x", "ID+list+is+empty!", "OWN - NLM\nPMID- 1\n", one + "\n\nError occurred: x\n",
		"PMID- \nOWN - NLM", "PMID- x", "  PMID- 1", set(),
	} {
		if got, err := entrez.SplitMEDLINE(text); err == nil || got != nil {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestMEDLINECorpus(t *testing.T) {
	t.Parallel()
	folder := expect.Corpus(t, "pubmed/medline", "the sandbox writes MEDLINE itself, and embeds none")
	paths, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	expect.NoError(t, err)
	total := 0
	for _, p := range paths {
		text, err := os.ReadFile(p)
		expect.NoError(t, err)
		got, err := entrez.SplitMEDLINE(string(text))
		expect.That(t, err == nil && len(got) == strings.Count("\n"+string(text), "\nPMID- "), "%s: %d records, %v", p, len(got), err)
		letters := 0
		for _, id := range slices.Sorted(maps.Keys(got)) {
			letters += len(strings.Join(strings.Fields(got[id]), ""))
			expect.That(t, strings.HasPrefix(got[id], "PMID- "+id+"\n"), "%s: record of %s begins otherwise", p, id)
		}
		expect.That(t, letters == len(strings.Join(strings.Fields(string(text)), "")), "%s: text is lost", p)
		total += len(got)
	}
	t.Logf("%d records", total)
}

// FuzzReadArticles: no input causes a panic, and a split article reads the same as in the set.
func FuzzReadArticles(f *testing.F) {
	f.Add([]byte(set(article("1", "<Article><ArticleTitle>10<sup>-5</sup></ArticleTitle></Article>"), article("2", ""))))
	f.Add([]byte(set("<PubmedBookArticle><BookDocument><PMID>6</PMID><Book><BookTitle>t</BookTitle></Book></BookDocument></PubmedBookArticle>")))
	f.Add([]byte(set(article("1", `<OtherAbstract><AbstractText><m:math><m:msup><m:mi>x</m:mi><m:mn>2</m:mn></m:msup></m:math></AbstractText></OtherAbstract>`))))
	f.Fuzz(func(t *testing.T, text []byte) {
		all, err := readArticles(string(text))
		parts, splitErr := entrez.SplitArticles(bytes.NewReader(text))
		if err != nil {
			expect.Must(t, splitErr != nil, "split what cannot be read: %v", err)
			return
		}
		expect.Must(t, splitErr == nil, "not split: %v", splitErr)
		last := map[string]*entrez.Article{}
		for _, a := range all {
			last[a.PMID] = a
		}
		for pmid, part := range parts {
			again, err := readArticles("<PubmedArticleSet>" + string(part) + "</PubmedArticleSet>")
			expect.Must(t, err == nil && len(again) == 1, "%s split off: %d articles, %v", pmid, len(again), err)
			expect.Equal(t, "", last[again[0].PMID], again[0])
		}
	})
}

func FuzzSplitMEDLINE(f *testing.F) {
	f.Add("\nPMID- 1\nOWN - NLM\n\nPMID- 2\r\nTI  - x\n      y\n")
	f.Add("id: 5 Error occurred: The following PMID is not available: 5")
	f.Fuzz(func(t *testing.T, text string) {
		records, err := entrez.SplitMEDLINE(text)
		expect.Must(t, err == nil || records == nil, "records of an error")
		for pmid, record := range records {
			again, err := entrez.SplitMEDLINE(record)
			expect.That(t, err == nil && len(again) == 1 && again[pmid] == record, "%q: %q, %v", record, again, err)
		}
	})
}
