package articles_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/articles"
	"github.com/biofact-mcp/biofact/internal/contract"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/mappingtest"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/store"
)

// TestFullTextCorpus reads each real full text with cursors, and with the calls for omitted parts. Both give the same text as an answer
// without limit, and each answer stays within its limit.
func TestFullTextCorpus(t *testing.T) {
	t.Parallel()
	expect.Slow(t)
	for i, text := range corpusTexts(t) {
		t.Run(fmt.Sprint(len(text)), func(t *testing.T) {
			t.Parallel()
			responder := sourcetest.Network{func(req *http.Request) *http.Response {
				if req.URL.Query().Get("db") == "pmc" {
					return sourcetest.Reply(http.StatusOK, "text/xml", string(text))
				}
				return sourcetest.Reply(http.StatusOK, "text/xml", "<PubmedArticleSet></PubmedArticleSet>")
			}}
			cache := store.New(store.Options{Log: slog.New(slog.DiscardHandler), MaxBytes: 1 << 24})
			t.Cleanup(func() { expect.NoError(t, cache.Close()) })
			s := articles.New(sourcetest.Cached(t, responder, cache), 4<<20, articles.Facts{})
			full := readText(t, s, tools.GetArticleFullTextArgs{MaxBytes: 4 << 20})
			expect.Must(t, full.Omitted == nil && full.Availability == "full_text", "omitted %v", full.Omitted)
			budgets := []int{4_000, 20_000, 60_000, 400_000}
			for _, budget := range budgets[min(i%8, 1):] { // answers of 4 kB are many
				first := readPage(t, s, tools.GetArticleFullTextArgs{MaxBytes: budget})
				sameText(t, &full, readText(t, s, tools.GetArticleFullTextArgs{MaxBytes: budget}), "cursor", budget)
				sameText(t, &full, readOmitted(t, s, &first, budget), "omitted", budget)
			}
		})
	}
}

var published = contract.New()

// readPage returns one answer, and checks its schema and its size: it may exceed the limit only with a single unit.
func readPage(t *testing.T, s *articles.Articles, args tools.GetArticleFullTextArgs) entity.ArticleFullText {
	t.Helper()
	args.Id = "PMC1234567"
	answer, err := s.GetArticleFullText(t.Context(), args)
	expect.NoError(t, err)
	text := answer.Value
	parts := len(text.Figures) + len(text.Supplements) + len(text.References)
	for _, section := range text.Sections {
		parts += strings.Count(section.Text, "\n\n") + 1
	}
	for _, table := range text.Tables {
		parts += max(1, len(table.Rows))
	}
	size := entity.Size(answer)
	problems, err := published.Validate("article-full-text", mappingtest.Encode(t, text, ""))
	expect.That(t, err == nil && len(problems) == 0, "%.500q", problems)
	expect.That(t, size <= args.MaxBytes || parts <= 1, "%d bytes of %d, %d parts", size, args.MaxBytes, parts)
	expect.Is(t, text.Omitted == nil, text.Pagination == nil, "omitted beside the cursor")
	return text
}

// readText follows the cursors to the end, and joins the answers as a reader would.
func readText(t *testing.T, s *articles.Articles, args tools.GetArticleFullTextArgs) entity.ArticleFullText {
	t.Helper()
	text := readPage(t, s, args)
	calls := 1
	for next := text.Pagination; next != nil; calls++ {
		expect.Must(t, calls < 500, "the cursor does not end")
		args.Cursor = next.Cursor
		page := readPage(t, s, args)
		mappingtest.Append(&text, &page)
		next = page.Pagination
	}
	text.Omitted, text.Pagination = nil, nil
	return text
}

// readOmitted reads the omitted parts of an answer, one section or part per call.
func readOmitted(t *testing.T, s *articles.Articles, first *entity.ArticleFullText, budget int) entity.ArticleFullText {
	t.Helper()
	text := *first
	text.Sections = slices.Clone(first.Sections)
	for _, omitted := range first.Omitted {
		args := tools.GetArticleFullTextArgs{MaxBytes: budget, Include: []string{omitted.Part}}
		if omitted.Part == "" {
			args.Sections, args.Include = []string{omitted.ID}, []string{"text"}
		}
		rest := readText(t, s, args)
		begun := func(id string) bool { return id == omitted.ID || strings.HasPrefix(id, omitted.ID+".") }
		switch omitted.Part {
		case "tables":
			text.Tables = rest.Tables
		case "figures":
			text.Figures = rest.Figures
		case "supplements":
			text.Supplements = rest.Supplements
		case "references":
			text.References = rest.References
		default:
			text.Sections = slices.DeleteFunc(text.Sections, func(section entity.TextSection) bool { return begun(section.ID) })
			text.Sections = append(text.Sections, rest.Sections...)
		}
	}
	text.Omitted, text.Pagination = nil, nil
	return text
}

func sameText(t *testing.T, full *entity.ArticleFullText, joined entity.ArticleFullText, how string, budget int) {
	t.Helper()
	expect.Equal(t, fmt.Sprintf("the text by %s in answers of %d bytes", how, budget), *full, joined)
}
