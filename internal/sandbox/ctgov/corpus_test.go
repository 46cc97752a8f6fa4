package ctgov

import (
	"net/url"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// realRecords returns the registry over real records, or the embedded ones.
func realRecords(t testing.TB) *Registry {
	t.Helper()
	r, err := over(t.Context(), expect.Trials("studies").Folder(t))
	expect.NoError(t, err)
	return r
}

func TestCorpusIsFoundByID(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	r := realRecords(t)
	for _, study := range r.studies.Records() {
		checkRecord(t, r, study)
	}
}

func BenchmarkSearch(b *testing.B) {
	r := realRecords(b)
	for _, query := range []string{"breast cancer", "randomized placebo controlled trial of insulin in type 2 diabetes"} {
		b.Run(query, func(b *testing.B) {
			for b.Loop() {
				get(b, r, "/studies?sort=@relevance&countTotal=true&fields=NCTId|BriefTitle|Condition&query.term="+url.QueryEscape(query))
			}
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	folder := expect.Trials("studies").Folder(b)
	for b.Loop() {
		_, err := over(b.Context(), folder)
		expect.NoError(b, err)
	}
}
