package fulltext_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"html"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// A sourceTable is a table as its source writes it.
type sourceTable struct {
	Head  []tablePart `xml:"thead"`
	Body  []tablePart `xml:"tbody"`
	Foot  []tablePart `xml:"tfoot"`
	Rows  []tableRow  `xml:"tr"`
	Group []struct{}  `xml:"tgroup"`
}

type tablePart struct {
	Rows []tableRow `xml:"tr"`
}

type tableRow struct {
	Cells []tableCell `xml:",any"`
}

type tableCell struct {
	Wide  string `xml:"colspan,attr"`
	High  string `xml:"rowspan,attr"`
	Inner string `xml:",innerxml"`
}

// parts returns the parts of a table in their order; the first heads of them are of its head.
func (s *sourceTable) parts() (list []tablePart, heads int) {
	list = slices.Concat(s.Head, s.Body)
	if len(s.Rows) > 0 {
		list = append(list, tablePart{s.Rows})
	}
	return append(list, s.Foot...), len(s.Head)
}

// tablesOf returns the tables of each article of a document.
func tablesOf(t *testing.T, text []byte) (articles [][]sourceTable) {
	t.Helper()
	dec := xml.NewDecoder(bytes.NewReader(text))
	dec.Entity = xml.HTMLEntity
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return articles
		}
		expect.NoError(t, err)
		start, ok := token.(xml.StartElement)
		switch {
		case !ok:
		case start.Name.Local == "article":
			articles = append(articles, nil)
		case start.Name.Local == "table":
			var table sourceTable
			expect.NoError(t, dec.DecodeElement(&table, &start))
			articles[len(articles)-1] = append(articles[len(articles)-1], table)
		}
	}
}

var (
	unwritten = regexp.MustCompile(`(?s)<(?:\w+:)?(alt-text|object-id)\b.*?</(?:\w+:)?(alt-text|object-id)>`)
	anyTag    = regexp.MustCompile(`(?s)<!--.*?-->|<[^>]*>`)
	numbers   = regexp.MustCompile(`[0-9]+`)
)

// sameCell reports whether a cell has the text of its source. Formulas and pictures have no text,
// and where articles are cited their numbers are added.
func sameCell(text, source string) bool {
	if strings.Contains(source, "math") || strings.Contains(source, "graphic") {
		return true
	}
	withoutTags := anyTag.ReplaceAllString(unwritten.ReplaceAllString(source, ""), "")
	got, want := strings.Join(words(text), ""), strings.Join(words(html.UnescapeString(withoutTags)), "")
	if strings.Contains(source, "bibr") {
		got, want = numbers.ReplaceAllString(got, ""), numbers.ReplaceAllString(want, "")
	}
	return got == want
}

// checkGrid compares a table with its source: each cell is, once, where the cells before it and the spans
// of those above leave room, and all other cells are empty. In the head a cell is repeated to
// the right.
func checkGrid(t *testing.T, a *entity.TextTable, source *sourceTable) {
	t.Helper()
	rows := slices.Concat(a.HeaderRows, a.Rows)
	parts, heads := source.parts()
	at, headRows := 0, 0
	for i, part := range parts {
		taken := map[[2]int]bool{}
		for j, row := range part.Rows {
			expect.Must(t, at < len(rows), "%s: %d rows, the source has more", a.ID, len(rows))
			column, used := 0, map[int]bool{}
			for _, cell := range row.Cells {
				for taken[[2]int{j, column}] {
					column++
				}
				wide, high := span(cell.Wide), span(cell.High)
				if cell.High == "0" {
					high = len(part.Rows)
				}
				expect.Must(t, column+wide <= len(rows[at]), "%s: row %d has %d cells, want %d at least", a.ID, at, len(rows[at]),
					column+wide)
				expect.That(t, sameCell(rows[at][column], cell.Inner), "%s: row %d, column %d has %q of %q", a.ID, at, column,
					rows[at][column], cell.Inner)
				for k := range wide {
					used[column+k] = k == 0 || i < heads
					for l := range min(high, len(part.Rows)-j) {
						taken[[2]int{j + l, column + k}] = true
					}
				}
				column += wide
			}
			for k, text := range rows[at] {
				expect.That(t, used[k] || text == "", "%s: row %d, column %d has %q, want nothing", a.ID, at, k, text)
			}
			at++
		}
		if i < heads {
			headRows = at
		}
	}
	expect.That(t, at == len(rows) && headRows == len(a.HeaderRows), "%s: %d rows, %d in the head; want %d, %d", a.ID, len(rows),
		len(a.HeaderRows), at, headRows)
}

func span(text string) int {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < 1 {
		return 1
	}
	return n
}

// checkGrids compares all tables of an article with those of its source. It ignores tables without
// rows there: pictures, and the groups of CALS.
func checkGrids(t *testing.T, a *entity.ArticleFullText, source []sourceTable) (checked int) {
	t.Helper()
	var grids []entity.TextTable
	for _, table := range a.Tables {
		if len(table.Rows)+len(table.HeaderRows) > 0 {
			grids = append(grids, table)
		}
	}
	if slices.ContainsFunc(source, func(s sourceTable) bool { return len(s.Group) > 0 }) {
		return 0
	}
	expect.Must(t, len(grids) == len(source), "%d tables, the source has %d", len(grids), len(source))
	for i := range grids {
		checkGrid(t, &grids[i], &source[i])
	}
	return len(grids)
}
