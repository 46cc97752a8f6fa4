package ctgov

import (
	"context"
	"errors"
	"io/fs"
	"net/url"
	"sync"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

const corpus = "../../../../shared/corpus/ctgov/studies.jsonl.gz"

var openCorpus = sync.OnceValues(func() (*Registry, error) { return over(context.Background(), corpus) })

// realRecords returns the registry over real records, which are not part of the repository.
func realRecords(t testing.TB) *Registry {
	t.Helper()
	r, err := openCorpus()
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no corpus of real records beside the repository")
	}
	expect.NoError(t, err)
	return r
}

func TestCorpusIsFoundByID(t *testing.T) {
	expect.Long(t)
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
	realRecords(b)
	for b.Loop() {
		_, err := over(b.Context(), corpus)
		expect.NoError(b, err)
	}
}
