package fulltext_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"unicode"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/fulltext"
	"github.com/biofact-mcp/biofact/internal/mapping/mappingtest"
)

// corpus returns full texts by file name.
func corpus(tb testing.TB) map[string][]byte {
	tb.Helper()
	texts := map[string][]byte{}
	for _, file := range expect.FullTexts().Paths {
		texts[filepath.Base(file)] = expect.Read(tb, file)
	}
	return texts
}

var allParts = []string{fulltext.Tables, fulltext.Figures, fulltext.Supplements, fulltext.References}

func everything(string) bool { return true }

// TestCorpus checks the guarantees of the package for each full text.
func TestCorpus(t *testing.T) {
	t.Parallel()
	expect.Slow(t)
	var grids atomic.Int64
	t.Cleanup(func() { t.Logf("%d tables", grids.Load()) })
	for name, text := range corpus(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set, err := fulltext.Read(text)
			expect.NoError(t, err)
			sources, tables := articlesOf(t, text), tablesOf(t, text)
			expect.Must(t, len(set.Articles) == len(sources), "%d articles of %d", len(set.Articles), len(sources))
			for i := range set.Articles {
				a := &set.Articles[i].ArticleFullText
				checkStored(t, &set.Articles[i])
				checkWords(t, a, &sources[i])
				checkTables(t, a)
				grids.Add(int64(checkGrids(t, a, tables[i])))
				checkPages(t, a)
			}
		})
	}
}

// checkStored: the JSON form of an article, which the cache stores, decodes to the same article.
func checkStored(t *testing.T, a *fulltext.Article) {
	t.Helper()
	text, err := json.Marshal(a)
	expect.NoError(t, err)
	var again fulltext.Article
	expect.NoError(t, json.Unmarshal(text, &again))
	expect.Equal(t, "the article as it is stored", *a, again)
}

// checkWords: nearly all words of the body are in the result, no run of words more often than in the article, and no text of a table in a
// section.
func checkWords(t *testing.T, a *entity.ArticleFullText, source *articleText) {
	t.Helper()
	answer := answered(a)
	had := map[string]int{}
	for _, word := range words(strings.Join(answer, "\n")) {
		had[word]++
	}
	var missing []string
	all := words(source.body.String())
	for _, word := range all {
		if had[word]--; had[word] < 0 {
			missing = append(missing, word)
		}
	}
	expect.That(t, len(missing)*100 <= len(all), "%d of %d words of the body are missing: %.600q", len(missing), len(all), missing)
	// Formulas interrupt some runs that the source has more than once.
	again := twice(answer, source.all.String())
	expect.That(t, len(again) <= 5, "in the answer twice: %.600q", again)
	floating := map[string]bool{}
	for run := range runs(source.tables.String()) {
		floating[run] = true
	}
	for run := range runs(source.prose.String()) {
		delete(floating, run)
	}
	for _, s := range a.Sections {
		for run := range runs(s.Text) {
			expect.That(t, !floating[run], "%s has of a table: %q", s.ID, run)
		}
	}
}

// answered returns all texts of a result.
func answered(a *entity.ArticleFullText) (texts []string) {
	for _, s := range a.Sections {
		texts = append(texts, s.Title, s.Text)
	}
	for _, table := range a.Tables {
		texts = append(texts, table.Caption)
		if !slices.ContainsFunc(a.Tables, func(o entity.TextTable) bool { return o.ID < table.ID && o.Label == table.Label }) {
			texts = append(texts, table.Label)
		}
		for _, row := range slices.Concat(table.HeaderRows, table.Rows) {
			texts = append(texts, row...)
		}
		texts = append(texts, table.Notes...)
	}
	for _, f := range a.Figures {
		texts = append(texts, f.Label, f.Caption)
	}
	for _, s := range a.Supplements {
		texts = append(texts, s.Label, s.Caption)
	}
	for _, r := range a.References {
		texts = append(texts, r.Text)
	}
	return texts
}

// twice returns the runs of words that are in the texts more often than in the source, and are in the source.
func twice(texts []string, source string) (more []string) {
	counts := map[string]int{}
	for run := range runs(source) {
		counts[run]++
	}
	for _, text := range texts {
		for run := range runs(text) {
			if n, known := counts[run]; known {
				if counts[run]--; n == 0 {
					more = append(more, run)
				}
			}
		}
	}
	return more
}

// runs yields the runs of 18 words of a text.
func runs(text string) iter.Seq[string] {
	const length = 18
	list := words(text)
	return func(yield func(string) bool) {
		for i := range max(0, len(list)-length+1) {
			if !yield(strings.Join(list[i:i+length], " ")) {
				return
			}
		}
	}
}

// words returns the runs of letters and the runs of digits of a text.
func words(text string) (list []string) {
	begin, kind := 0, 0
	for i, r := range text + " " {
		k := 0
		switch {
		case unicode.IsLetter(r) || unicode.IsMark(r):
			k = 1
		case unicode.IsDigit(r):
			k = 2
		}
		if k != kind {
			if kind != 0 {
				list = append(list, strings.ToLower(text[begin:i]))
			}
			begin, kind = i, k
		}
	}
	return list
}

// An articleText is the text of an article without formulas: all of it, its bodies, its prose (without tables, figures, supplements and
// references), and its tables.
type articleText struct{ all, body, prose, tables strings.Builder }

func articlesOf(t *testing.T, text []byte) (list []articleText) {
	t.Helper()
	dec := xml.NewDecoder(bytes.NewReader(text))
	dec.Entity = xml.HTMLEntity
	var open []string
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return list
		}
		expect.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			open = append(open, token.Name.Local)
			if token.Name.Local == "article" {
				list = append(list, articleText{})
			}
			separate(list, token.Name.Local)
		case xml.EndElement:
			open = open[:len(open)-1]
			separate(list, token.Name.Local)
		case xml.CharData:
			if len(list) > 0 && !within(open, "math", "tex-math", "object-id", "alt-text", "pub-id") {
				list[len(list)-1].take(open, string(token))
			}
		}
	}
}

func (a *articleText) take(open []string, text string) {
	a.all.WriteString(text)
	if within(open, "body") && !within(open, "ref-list") {
		a.body.WriteString(text)
	}
	if !within(open, "table", "table-wrap", "fig", "ref-list", "supplementary-material", "media") {
		a.prose.WriteString(text)
	} else if within(open, "table-wrap") {
		a.tables.WriteString(text)
	}
}

// separate ends a word at the start or end of an element that is not inline markup. Inline markup ends numbers.
func separate(list []articleText, name string) {
	if len(list) == 0 || slices.Contains([]string{"italic", "bold", "underline", "named-content", "sc", "styled-content", "monospace",
		"sub", "sup"}, name) {
		return
	}
	a := &list[len(list)-1]
	for _, b := range []*strings.Builder{&a.all, &a.body, &a.prose, &a.tables} {
		b.WriteString(" ")
	}
}

func within(open []string, names ...string) bool {
	return slices.ContainsFunc(open, func(name string) bool { return slices.Contains(names, name) })
}

// checkTables: all rows of a table have the same number of cells.
func checkTables(t *testing.T, a *entity.ArticleFullText) {
	t.Helper()
	for _, table := range a.Tables {
		rows := slices.Concat(table.HeaderRows, table.Rows)
		for i, row := range rows {
			expect.That(t, len(row) == len(rows[0]), "%s: row %d has %d cells of %d", table.ID, i, len(row), len(rows[0]))
		}
		expect.That(t, len(rows) > 0 || table.Image != "" || table.Caption != "", "%s has nothing", table.ID)
	}
}

// checkPages: each page is within its limit, and all pages together are the whole text.
func checkPages(t *testing.T, a *entity.ArticleFullText) {
	t.Helper()
	pager := fulltext.NewPager(a, everything, everything, allParts...)
	full, end := pager.Page(0, 1<<30, 0)
	expect.That(t, end == pager.Units() && full.Omitted == nil, "without a limit %d of %d units", end, pager.Units())
	for _, budget := range []int{4_000, 20_000, 60_000, 400_000} {
		var joined entity.ArticleFullText
		for at := 0; at < pager.Units(); {
			page, next := pager.Page(at, budget, 0)
			expect.Must(t, next > at, "no progress at %d", at)
			size := entity.Size(page)
			expect.That(t, size <= budget || next == at+1, "%d bytes of %d, %d units", size, budget, next-at)
			expect.That(t, (page.Omitted == nil) == (next == pager.Units()), "omitted %v at %d of %d", page.Omitted, next, pager.Units())
			mappingtest.Append(&joined, &page)
			at = next
		}
		joined.Outline, joined.License = full.Outline, full.License
		expect.Equal(t, "the parts of an answer", full.Sections, joined.Sections)
		expect.Equal(t, "the parts of an answer", full.Tables, joined.Tables)
		expect.Equal(t, "the parts of an answer", full.Figures, joined.Figures)
		expect.Equal(t, "the parts of an answer", full.Supplements, joined.Supplements)
		expect.Equal(t, "the parts of an answer", full.References, joined.References)
	}
}
