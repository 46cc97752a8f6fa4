package articles_test

import (
	"bytes"
	"net/http"
	"regexp"
	"runtime"
	"slices"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/articles"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

// BenchmarkFullText calls getArticleFullText for the median and the largest article of the corpus, without network time, and prints the
// allocated bytes of a call, an upper limit of its peak heap.
func BenchmarkFullText(b *testing.B) {
	texts := corpusTexts(b)
	for _, tt := range []struct {
		name string
		text []byte
	}{{"median", texts[len(texts)/2]}, {"largest", texts[len(texts)-1]}} {
		b.Run(tt.name, func(b *testing.B) {
			responder := sourcetest.Network{func(req *http.Request) *http.Response {
				if req.URL.Query().Get("db") == "pmc" {
					return sourcetest.Reply(http.StatusOK, "text/xml", string(tt.text))
				}
				return sourcetest.Reply(http.StatusOK, "text/xml", "<PubmedArticleSet></PubmedArticleSet>")
			}}
			s := articles.New(sourcetest.All(b, responder), 400_000, articles.Facts{})
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for b.Loop() {
				answer, err := s.GetArticleFullText(b.Context(), tools.GetArticleFullTextArgs{Id: "PMC1234567", MaxBytes: 400_000})
				expect.NoError(b, err)
				b.ReportMetric(float64(entity.Size(answer)), "answer-bytes")
			}
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N)/1e6, "MB/op")
		})
	}
}

// corpusTexts returns single articles by size, as EFetch returns them, with the same PMCID for all.
func corpusTexts(tb testing.TB) (texts [][]byte) {
	tb.Helper()
	prolog := regexp.MustCompile(`(?s)^.*?<article[ >]`)
	ids := regexp.MustCompile(`<article-id pub-id-type="(pmc|pmcid|pmid)">[^<]*</article-id>`)
	for _, file := range expect.FullTexts().Paths {
		text := expect.Read(tb, file)
		if bytes.Count(text, []byte("<article ")) != 1 || bytes.Contains(text, []byte("<pmc-articleset")) {
			continue
		}
		text = ids.ReplaceAll(prolog.ReplaceAll(text, []byte("<article ")), nil)
		text = bytes.Replace(text, []byte("<article-meta>"),
			[]byte(`<article-meta><article-id pub-id-type="pmcid">PMC1234567</article-id>`), 1)
		texts = append(texts, slices.Concat([]byte("<pmc-articleset>"), text, []byte("</pmc-articleset>")))
	}
	slices.SortFunc(texts, func(a, b []byte) int { return len(a) - len(b) })
	return texts
}
