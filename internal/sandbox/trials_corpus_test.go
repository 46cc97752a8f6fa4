package sandbox

import (
	"context"
	"errors"
	"io/fs"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/registry"
)

const corpus = "../../../shared/corpus/ctgov/"

var openCorpus = sync.OnceValues(func() (*Sandbox, error) { return Open(context.Background(), corpus+"studies.jsonl.gz") })

// realRecords is the sandbox over real records, which stand beside the repository
// where it is developed and nowhere else.
func realRecords(t testing.TB) (*Sandbox, *trials) {
	t.Helper()
	s, err := openCorpus()
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no corpus of real records beside the repository")
	}
	if err != nil {
		t.Fatal(err)
	}
	source, err := s.trials()
	if err != nil {
		t.Fatal(err)
	}
	return s, source
}

func TestCorpusIsFoundByID(t *testing.T) {
	t.Parallel()
	s, source := realRecords(t)
	for n, study := range source.studies.Records() {
		if testing.Short() && n%8 > 0 { // a sample
			continue
		}
		id := registry.First(study, "NCTId")
		page := search200(t, s, "filter.ids", strings.ToLower(id), "countTotal", "true")
		if page.TotalCount == nil || *page.TotalCount != 1 || page.ids()[0] != id {
			t.Errorf("%s: %v", id, page.TotalCount)
		}
		_, body := get(t, s, "/studies/"+id)
		got, err := decode([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(study, got) {
			t.Errorf("%s: not the record: %s", id, cmp.Diff(study, got))
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	s, _ := realRecords(b)
	for _, query := range []string{"breast cancer", "randomized placebo controlled trial of insulin in type 2 diabetes"} {
		b.Run(query, func(b *testing.B) {
			for b.Loop() {
				search200(b, s, "query.term", query, "sort", "@relevance", "countTotal", "true", "fields", "NCTId|BriefTitle|Condition")
			}
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	realRecords(b)
	for b.Loop() {
		if _, err := Open(b.Context(), corpus+"studies.jsonl.gz"); err != nil {
			b.Fatal(err)
		}
	}
}
