package fulltext_test

import (
	"cmp"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/fulltext"
)

// references are cited by the articles of these tests.
const references = `<back><ref-list><title>References</title>
<ref id="b1"><label>1.</label><mixed-citation>Doe J. On tides. <source>J Invented</source> 2020;<volume>1</volume><fpage>5</fpage>. doi: <pub-id pub-id-type="doi">10.5555/a.1</pub-id><pub-id pub-id-type="pmid">0123</pub-id></mixed-citation></ref>
<ref id="b2"><element-citation><person-group person-group-type="author"><name><surname>Roe</surname><given-names>A B</given-names></name><etal/></person-group><article-title>Of sand</article-title><source>Shore</source><year>2021</year><volume>3</volume><issue>2</issue><fpage>7</fpage><lpage>9</lpage><pub-id pub-id-type="pmcid">77</pub-id></element-citation></ref>
<ref id="b3"><label>4</label><note><p>In a drawer.</p></note></ref></ref-list></back>`

func article(body string) string {
	return `<article xmlns:xlink="x" xmlns:mml="m"><front><article-meta><article-id pub-id-type="pmcid">12</article-id></article-meta></front><body>` + body + `</body>` + references + `</article>`
}

func readOne(t *testing.T, text string) *entity.ArticleFullText {
	t.Helper()
	set, err := fulltext.Read([]byte(text))
	expect.NoError(t, err)
	expect.Must(t, len(set.Articles) == 1, "%d articles", len(set.Articles))
	return &set.Articles[0].ArticleFullText
}

// TestText: the text of paragraphs.
func TestText(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`<p>tides<sup><xref ref-type="bibr" rid="b1">1</xref>,<xref ref-type="bibr" rid="b2">2</xref></sup> rise</p>`:                      "tides[1,2] rise",
		`<p>tides [<xref ref-type="bibr" rid="b1">1</xref>–<xref ref-type="bibr" rid="b3">4</xref>]</p>`:                                   "tides [1–4]",
		`<p>tides <xref ref-type="bibr" rid="b1"><sup>1</sup></xref> rise</p>`:                                                             "tides [1] rise",
		`<p>(<xref ref-type="bibr" rid="b2">Roe et al., 2021</xref>)</p>`:                                                                  "(Roe et al., 2021 [2])",
		`<p>10<sup>6</sup> m<sup>2</sup> of CO<sub>2</sub></p>`:                                                                            "10^6 m2 of CO2",
		`<p>so <inline-formula><tex-math>\usepackage{a}\begin{document}$a^2$\end{document}</tex-math></inline-formula> is</p>`:             "so $a^2$ is",
		`<p>so <inline-formula><alternatives><inline-graphic/><mml:math><mml:mi>a</mml:mi></mml:math></alternatives></inline-formula></p>`: "so a",
		`<p>so</p><disp-formula><label>(1)</label><graphic/></disp-formula>`:                                                               "so\n\n[formula: image] (1)",
		`<p>one<list list-type="order"><list-item><p>a</p><p>b</p></list-item><list-item><p>c</p></list-item></list>two</p>`:               "one\n\n1. a\n\n  b\n\n2. c\n\ntwo",
		`<p>before<fig id="f"><label>Fig 1</label><caption><p>Sea.</p></caption></fig>after</p>`:                                           "before after",
		`<p>See <ext-link xlink:href="https://example.org/x">the data</ext-link>.</p>`:                                                     "See the data (https://example.org/x).",
		`<p>said:<disp-quote><p>x</p><p>y</p></disp-quote></p>`:                                                                            "said:\n\n> x\n\n> y",
		`<p>a<fn><p>but not b</p></fn> c</p>`:                                                                                              "a (note: but not b) c",
		`<def-list><def-item><term>HW</term><def><p>high water</p></def></def-item></def-list>`:                                            "- HW: high water",
		`<list list-type="simple"><list-item><label/><p>a</p></list-item></list>`:                                                          "a",
		`<tp:taxon-treatment><tp:treatment-meta><kwd-group><label>Taxon classification</label><kwd><named-content>Animalia</named-content></kwd><kwd>Crabidae</kwd></kwd-group></tp:treatment-meta><tp:nomenclature><tp:taxon-name>Crabus novus</tp:taxon-name><tp:taxon-authority>Doe</tp:taxon-authority><tp:taxon-status>sp. n.</tp:taxon-status></tp:nomenclature><tp:treatment-sec><title>Type</title><p>One.</p></tp:treatment-sec></tp:taxon-treatment>`: "Taxon classification Animalia Crabidae\n\nCrabus novus Doe sp. n.\n\n### Type\n\nOne.",
		"<p><preformat>a\n\n  b</preformat></p>": "```\na\n  b\n```",
	} {
		expect.Is(t, cmp.Or(readOne(t, article(body)).Sections[0].Text, "nothing"), want, "%s", body)
	}
}

// TestSections: sections of two levels, content outside of them, boxes, and articles within the article.
func TestSections(t *testing.T) {
	t.Parallel()
	a := readOne(t, strings.Replace(article(`<p>loose</p><boxed-text><label>Box 1</label><caption><title>Terms</title></caption><p>boxed</p></boxed-text>
		<sec sec-type="materials|methods"><label>2.</label><title>How</title><p>own</p><sec><title>Site</title><p>deep</p><sec><title>Pier</title><p>deeper</p></sec></sec><p>later</p></sec>
		<sec><title>Results and discussion</title><p>r</p><sec><title>Sub</title><p>x</p></sec></sec><notes><sec><title>Funding</title><p>f</p></sec><sec><title>Thanks</title><p>t</p></sec></notes><notes/>`), `</article>`,
		`<sub-article article-type="decision-letter"><front-stub><title-group><article-title>Letter</article-title></title-group></front-stub><body><p>well</p></body></sub-article></article>`, 1))
	var got []string
	for _, s := range a.Sections {
		got = append(got, s.ID+"|"+s.Title+"|"+strings.Join(s.Kinds, ",")+"|"+strings.ReplaceAll(s.Text, "\n\n", "¶"))
	}
	expect.Equal(t, "sections", []string{
		"s1|||loose", "s2|Box 1 Terms|box|boxed", "s3|2. How|methods|own", "s3.1|Site||deep¶### Pier¶deeper", "s3.2|||later",
		"s4|Results and discussion|results,discussion|r", "s4.1|Sub||x", "s5|||", "s5.1|Funding|funding|f", "s5.2|Thanks||t",
		"s6|Letter|peer_review|well",
	}, got)
}

// TestTables: merged cells in header and body, a CALS table, and a picture.
func TestTables(t *testing.T) {
	t.Parallel()
	a := readOne(t, article(`<sec><title>A</title><p><table-wrap id="T1"><label>Table 1</label><caption><title>Tides</title></caption><table>
		<thead><tr><th rowspan="2">Pier</th><th colspan="2">Tide</th></tr><tr><th>low</th><th>high</th></tr></thead>
		<tbody><tr><td rowspan="9">North</td><td>1 m<sup>2</sup> of <sup>18</sup>F<xref ref-type="table-fn">b</xref></td><td>2<sup>a</sup></td></tr><tr><td colspan="2">none</td></tr></tbody></table>
		<table-wrap-foot><fn><label>a</label><p>By eye.</p></fn><fn><label/><p><sup><italic>b</italic></sup>Data.</p></fn><p><sup>*</sup>At 10<sup>6</sup>.</p></table-wrap-foot></table-wrap></p></sec>
		<table-wrap><table><tgroup><colspec colname="x"/><colspec colname="y"/><colspec colname="z"/><tbody>
		<row><entry morerows="1">p</entry><entry namest="y" nameend="z">q</entry></row><row><entry colname="z">r</entry></row></tbody></tgroup></table></table-wrap>
		<table-wrap><label>Table 3</label><graphic xlink:href="t3.png"/></table-wrap>`))
	expect.Equal(t, "tables", []entity.TextTable{
		{
			ID: "t1", Label: "Table 1", Caption: "Tides", Section: "s1",
			HeaderRows: [][]string{{"Pier", "Tide", "Tide"}, {"", "low", "high"}},
			Rows:       [][]string{{"North", "1 m^2 of 18F^b", "2^a"}, {"", "none", ""}}, Notes: []string{"a By eye.", "b Data.", "* At 10^6."},
		},
		{ID: "t2", Section: "s1", Rows: [][]string{{"p", "q", ""}, {"", "", "r"}}},
		{ID: "t3", Label: "Table 3", Section: "s1", Image: "t3.png"},
	}, a.Tables)
}

// TestTableGroups: the label and the caption of a group are those of its tables, and cells of an array are apart.
func TestTableGroups(t *testing.T) {
	t.Parallel()
	a := readOne(t, article(`<sec><title>A</title><table-wrap-group><label>Table 1</label><caption><p>Tides.</p></caption>
		<table-wrap><label>A</label><caption><p>North.</p></caption><table><tr><td>1</td></tr></table></table-wrap>
		<table-wrap><table><tr><td>2</td></tr></table></table-wrap><table-wrap-foot><p>By eye.</p></table-wrap-foot></table-wrap-group>
		<p>so <array><tbody><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></tbody></array> on</p></sec>
		<sec><title>Nothing</title></sec><sec><title>Empty</title><sec><title>Too</title></sec></sec><sec><title>B</title><p>x</p></sec>`))
	expect.Equal(t, "tables", []entity.TextTable{
		{ID: "t1", Label: "Table 1 A", Caption: "Tides.\nNorth.", Section: "s1", Rows: [][]string{{"1"}}},
		{ID: "t2", Label: "Table 1", Caption: "Tides.", Section: "s1", Rows: [][]string{{"2"}}, Notes: []string{"By eye."}},
	}, a.Tables)
	expect.Is(t, len(a.Figures), 0, "figures")
	var got []string
	for _, s := range a.Sections {
		got = append(got, s.ID+"|"+s.Title+"|"+strings.ReplaceAll(s.Text, "\n\n", "¶"))
	}
	expect.Equal(t, "sections", []string{"s1|A|so¶a | b¶c | d¶on", "s2|B|x"}, got)
}

func TestReferences(t *testing.T) {
	t.Parallel()
	expect.Equal(t, "references", []entity.TextReference{
		{Number: 1, Text: "Doe J. On tides. J Invented 2020;1 5.", PMID: "123", DOI: "10.5555/a.1"},
		{Number: 2, Text: "Roe A B, et al. Of sand. Shore. 2021;3(2):7-9", PMCID: "PMC77"},
		{Number: 3, Label: "4", Text: "In a drawer."},
	}, readOne(t, article(`<p>x</p>`)).References)
}

// TestReferenceForms: of several forms of a reference the structured one is read, with the ids of all, and elements that meet are apart.
func TestReferenceForms(t *testing.T) {
	t.Parallel()
	structured := `<element-citation><name><surname>Roe</surname></name><article-title>Of sand</article-title><source>Shore</source><year>2021</year></element-citation>`
	mixed := `<mixed-citation id="m">Roe: Of sand. Shore (2021)<pub-id pub-id-type="pmid">77</pub-id></mixed-citation>`
	older := `<nlm-citation>Roe. Of sand.</nlm-citation>`
	want := entity.TextReference{Number: 1, Text: "Roe. Of sand. Shore. 2021", PMID: "77"}
	for _, ref := range []string{
		structured + mixed, mixed + structured, mixed + older + structured, older + structured + mixed,
	} {
		for _, in := range []string{
			`<citation-alternatives>` + ref + `</citation-alternatives>`,
			`<label>1.</label><citation-alternatives>` + structured + mixed + `</citation-alternatives>` + older,
		} {
			a := readOne(t, strings.Replace(article(`<p>x<xref ref-type="bibr" rid="m">a</xref></p>`), references,
				`<back><ref-list><ref>`+in+`</ref></ref-list></back>`, 1))
			expect.Equal(t, in, []entity.TextReference{want}, a.References)
		}
	}
	for in, text := range map[string]string{
		`<source>Nature</source><bold>5</bold>, 3`:                                                       "Nature 5, 3",
		`<article-title>First title</article-title><italic>Nat. Methods</italic>. 2020`:                  "First title Nat. Methods. 2020",
		`Roe, <article-title>On CO<sub>2</sub><sup>+</sup></article-title>. <bold>H</bold><sub>2</sub>O`: "Roe, On CO2+. H2O",
		`<string-name><surname>Doe</surname><given-names>J</given-names></string-name>, so`:              "Doe J, so",
	} {
		a := readOne(t, strings.Replace(article(`<p>x</p>`), references,
			`<back><ref-list><ref><mixed-citation>`+in+`</mixed-citation></ref></ref-list></back>`, 1))
		expect.Equal(t, in, text, a.References[0].Text)
	}
}

// TestFront: ids, versions, license, abstracts and statements.
func TestFront(t *testing.T) {
	t.Parallel()
	a := readOne(t, `<article><front><journal-meta><custom-meta-group><custom-meta><meta-name>pmc-collection-title</meta-name><meta-value>NIHPA Author Manuscripts</meta-value></custom-meta></custom-meta-group></journal-meta>
		<article-meta><article-id pub-id-type="pmc">0012</article-id><article-id pub-id-type="pmcid-ver">PMC12.1</article-id><article-id pub-id-type="doi">10.5555/b</article-id>
		<title-group><article-title>Tides<xref>*</xref></article-title><subtitle>of a bay</subtitle></title-group>
		<author-notes><fn fn-type="conflict"><p>None.</p></fn></author-notes>
		<permissions><license href="https://creativecommons.org/licenses/by-nc/4.0/"><license-p>Words.</license-p></license></permissions>
		<abstract abstract-type="graphical"><p>G</p></abstract><abstract><sec><title>Aim</title><p>A</p></sec></abstract></article-meta></front></article>`)
	expect.Is(t, a.PMCID+" "+a.DOI+" "+a.Title+" "+a.Copy+" "+a.Availability,
		"PMC12 10.5555/b Tides: of a bay author_manuscript abstract_only", "front")
	expect.Equal(t, "license", &entity.License{Code: "CC BY-NC 4.0", URL: "https://creativecommons.org/licenses/by-nc/4.0/",
		Statement: "Words."}, a.License)
	expect.Equal(t, "sections", []entity.TextSection{
		{ID: "abstract", Title: "Abstract", Kinds: []string{"abstract"}, Text: "### Aim\n\nA"},
		{ID: "abstract-2", Title: "Abstract", Kinds: []string{"abstract", "graphical"}, Text: "G"},
		{ID: "s1", Title: "Competing interests", Kinds: []string{"interests"}, Text: "None."},
	}, a.Sections)
}

// TestRead: valid and invalid sets of articles.
func TestRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`<pmc-articleset><error id="7">The following PMCID is not available: 7</error></pmc-articleset>`: "missing 7",
		`<pmc-articleset><Reply Id="7" error="x"/></pmc-articleset>`:                                     "missing 7",
		`<pmc-articleset><ERROR>down</ERROR></pmc-articleset>`:                                           "error",
		`<pmc-articleset></pmc-articleset>`:                                                              "error",
		`<html><body><p>Maintenance</p></body></html>`:                                                   "error",
		`<!DOCTYPE html><html><br></html>`:                                                               "error",
		article("<p>a")[:80]:                                                                             "error",
		"":                                                                                               "error",
		"{}":                                                                                             "error",
		strings.Repeat("<a>", 1000) + strings.Repeat("</a>", 1000):                                       "error",
	} {
		got := "error"
		if set, err := fulltext.Read([]byte(text)); err == nil {
			got = "missing " + strings.Join(set.Missing, ",")
		}
		expect.Is(t, got, want, "%.80s", text)
	}
}

// FuzzRead: no input causes a panic, tables are rectangular, and paging with a small limit ends.
func FuzzRead(f *testing.F) {
	f.Add([]byte(article(`<p>a<xref ref-type="bibr" rid="b1">1</xref></p>`)))
	f.Add([]byte(article(`<table-wrap><table><tr><td rowspan="0" colspan="3">a</td></tr><tr><td/></tr></table></table-wrap>`)))
	f.Add([]byte(article(`<sec><title>A</title><sec><fig-group><label>F</label><fig><caption><p>c</p></caption></fig></fig-group></sec></sec>`)))
	f.Fuzz(func(t *testing.T, text []byte) {
		set, err := fulltext.Read(text)
		if err != nil {
			return
		}
		for i := range set.Articles {
			a := &set.Articles[i].ArticleFullText
			for _, table := range a.Tables {
				for _, row := range slices.Concat(table.HeaderRows, table.Rows) {
					expect.That(t, len(row) == len(slices.Concat(table.HeaderRows, table.Rows)[0]), "%s is no rectangle", table.ID)
				}
			}
			checkPages(t, a)
		}
	})
}

// BenchmarkRead reads and pages the median and the largest article of the corpus, and prints the largest heap size.
func BenchmarkRead(b *testing.B) {
	texts := corpus(b)
	files := slices.SortedFunc(func(yield func(string) bool) {
		for name := range texts {
			if !strings.Contains(name, "PMC6358576") && !yield(name) { // ten articles in one file
				return
			}
		}
	}, func(a, b string) int { return cmp.Compare(len(texts[a]), len(texts[b])) })
	for name, file := range map[string]string{"median": files[len(files)/2], "largest": files[len(files)-1]} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(texts[file])))
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			for b.Loop() {
				set, err := fulltext.Read(texts[file])
				expect.NoError(b, err)
				a := &set.Articles[0].ArticleFullText
				page, _ := fulltext.NewPager(a, everything, everything, allParts...).Page(0, 400_000, 0)
				b.ReportMetric(float64(entity.Size(page)), "answer-bytes")
			}
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N)/1e6, "MB/op")
		})
	}
}

// TestLimits: documents larger than any real article are refused, with one table or many, before they fill the memory.
func TestLimits(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	again := strings.Repeat
	table := func(head, body string) string {
		return `<table-wrap><label>T</label><table><thead>` + head + `</thead><tbody>` + body + `</tbody></table></table-wrap>`
	}
	wide := table(``, `<tr><td rowspan="150" colspan="999">a</td><td>b</td></tr>`+again(`<tr><td>a</td></tr>`, 149))
	for name, body := range map[string]string{
		"wide head":        table(again(`<tr><th colspan="1000">`+again("h", 190)+`</th></tr>`, 499), `<tr><td>a</td></tr>`),
		"repeated head":    table(again(`<tr><th colspan="900">`+again("h", 190)+`</th></tr>`, 100), `<tr><td>a</td></tr>`),
		"spans":            table(``, `<tr><td rowspan="500" colspan="999">a</td><td>b</td></tr>`+again(`<tr><td>a</td></tr>`, 499)),
		"last row is wide": table(``, again(`<tr><td>a</td></tr>`, 499)+`<tr><td colspan="1000">a</td></tr>`),
		"several tables":   wide + wide,
		"many cells":       table(``, again(`<tr>`+again(`<td>a</td>`, 300)+`</tr>`, 640)),
		"a label of many tables": `<table-wrap><label>` + again("L", 10_000) + `</label>` +
			again(`<table><tr><td>a</td></tr></table>`, 1000) + `</table-wrap>`,
		"a long text":       `<p>` + again("word ", 300_000) + `</p>`,
		"long texts":        again(`<p>`+again("word ", 180_000)+`</p>`, 5),
		"a long section":    `<p><![CDATA[` + again("< > ", 300_000) + `]]></p>`,
		"all bytes":         again(`<p>`+again("word ", 180_000)+`</p>`, 10),
		"texts":             `<p>` + again(`text<!-- -->`, 210_000) + `</p>`,
		"attributes":        again(`<p `+again(`a="b" `, 100_000)+`/>`, 3),
		"nested quotations": again(`<disp-quote>`, 240) + again(`<p>a</p>`, 20_000) + again(`</disp-quote>`, 240),
		"sections":          again(`<sec><title>A</title><p>a</p></sec>`, 30_000),
	} {
		for _, text := range []string{article(body), `<pmc-articleset>` + article(body) + `</pmc-articleset>`} {
			set, err := fulltext.Read([]byte(text))
			expect.That(t, errors.Is(err, entity.ErrTooLarge) || err == nil && set.Articles[0].TooLarge && set.Articles[0].Sections == nil,
				"%s: %v", name, err)
		}
	}
	for name, body := range map[string]string{
		"a wide table": wide, "a long text": `<p>` + again("word ", 200_000) + `</p>`,
		"many cells": table(``, again(`<tr>`+again(`<td>a</td>`, 30)+`</tr>`, 1000)),
	} {
		_, err := fulltext.Read([]byte(article(body)))
		expect.NoErrorf(t, err, "%s", name)
	}
	front := `<article><front><article-meta><title-group><article-title>A</article-title></title-group><funding-group>` +
		again(`<funding-statement>f</funding-statement>`, 101) + `</funding-group></article-meta></front><body><p>a</p></body></article>`
	_, err := fulltext.Read([]byte(front))
	expect.That(t, errors.Is(err, entity.ErrTooLarge), "many statements: %v", err)
	_, err = fulltext.Read([]byte(`<pmc-articleset>` + article(wide) + article(wide) + `</pmc-articleset>`))
	expect.That(t, errors.Is(err, entity.ErrTooLarge), "tables of several articles: %v", err)
	set, err := fulltext.Read([]byte(`<pmc-articleset>` + article(wide+wide) + article(wide) + `</pmc-articleset>`))
	expect.That(t, err == nil && set.Articles[0].TooLarge && set.Articles[0].PMCID == "PMC12" && !set.Articles[1].TooLarge,
		"one article too large: %v", err)
}

// TestPageIsLinear: a page of twice as many paragraphs takes at most about twice the memory.
func TestPageIsLinear(t *testing.T) { // not parallel: it measures the memory
	allocated := func(paragraphs int) float64 {
		set, err := fulltext.Read([]byte(article(strings.Repeat("<p>word</p>", paragraphs))))
		expect.NoError(t, err)
		pager := fulltext.NewPager(&set.Articles[0].ArticleFullText, everything, everything)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		page, next := pager.Page(0, 400_000, 0)
		runtime.ReadMemStats(&after)
		expect.That(t, next == paragraphs && len(page.Sections[0].Text) == paragraphs*len("word\n\n")-2, "%d paragraphs", next)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	small, large := allocated(4000), allocated(8000)
	expect.That(t, large < 3*small+100_000, "%.0f bytes, for twice as much %.0f", small, large)
}
