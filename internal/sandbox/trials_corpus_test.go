package sandbox

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const corpus = "../../../shared/corpus/ctgov/"

var openCorpus = sync.OnceValues(func() (*Sandbox, error) { return Open(corpus + "studies.jsonl.gz") })

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
	for i, id := range source.ids {
		page := search200(t, s, "filter.ids", strings.ToLower(id), "countTotal", "true")
		if page.TotalCount == nil || *page.TotalCount != 1 || page.ids()[0] != id {
			t.Errorf("%s: %v", id, page.TotalCount)
		}
		_, body := get(t, s, "/studies/"+id)
		got, err := decode([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(source.studies[i], got) {
			t.Errorf("%s: not the record: %s", id, cmp.Diff(source.studies[i], got))
		}
	}
}

func TestCorpusPagesToTheEnd(t *testing.T) {
	t.Parallel()
	s, source := realRecords(t)
	for _, order := range []string{"@relevance", "LastUpdatePostDate", "EnrollmentCount,StartDate:asc"} {
		var seen []string
		for token := ""; ; {
			pairs := []string{"query.term", "study OR trial OR NOT study", "pageSize", "37", "fields", "NCTId", "sort", order}
			if token != "" {
				pairs = append(pairs, "pageToken", token)
			}
			page := search200(t, s, pairs...)
			seen = append(seen, page.ids()...)
			if token = page.NextPageToken; token == "" {
				break
			}
		}
		want := slices.Sorted(slices.Values(source.ids))
		slices.Sort(seen)
		if diff := cmp.Diff(want, seen); diff != "" {
			t.Errorf("by %s (-want +got):\n%s", order, diff)
		}
	}
}

func TestCorpusProjectionIsPartOfTheRecord(t *testing.T) {
	t.Parallel()
	s, source := realRecords(t)
	fields := []string{
		"NCTId", "BriefTitle", "OverallStatus", "StartDate", "Phase", "InterventionName", "LocationCity", "LocationContactPhone",
		"protocolSection.outcomesModule", "ReferencePMID", "ConditionMeshId", "SecondaryIdInfo", "EnrollmentInfo",
	}
	for i, id := range source.ids {
		got := search200(t, s, "filter.ids", id, "fields", strings.Join(fields, "|")).Studies[0]
		if where := notWithin(roundTrip(t, source.studies[i]), got); where != "" {
			t.Errorf("%s: %s is not of the record", id, where)
		}
		if _, there := got["hasResults"]; there || got["derivedSection"] == nil && first(source.studies[i], "ConditionMeshId") != "" {
			t.Errorf("%s: wrong sections %v", id, got)
		}
		for _, name := range []string{"LocationCity", "InterventionName", "ReferencePMID", "PrimaryOutcomeTimeFrame"} {
			p := pieces().byName[name]
			if diff := cmp.Diff(p.values(source.studies[i]), p.values(got), cmp.AllowUnexported(value{})); diff != "" {
				t.Errorf("%s: %s (-record +projection):\n%s", id, name, diff)
			}
		}
	}
}

// roundTrip reads a study as the test's client does, numbers included.
func roundTrip(t *testing.T, study map[string]any) map[string]any {
	t.Helper()
	text, err := json.Marshal(study)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// notWithin names the first place of part that whole does not have in the
// same place, lists being of the same length.
func notWithin(whole, part any) string {
	switch part := part.(type) {
	case map[string]any:
		object, _ := whole.(map[string]any)
		for key, child := range part {
			there, ok := object[key]
			if !ok {
				return key
			}
			if where := notWithin(there, child); where != "" {
				return key + "." + where
			}
		}
		return ""
	case []any:
		list, _ := whole.([]any)
		if len(list) != len(part) {
			return "a list of another length"
		}
		for i := range part {
			if where := notWithin(list[i], part[i]); where != "" {
				return where
			}
		}
		return ""
	}
	if !reflect.DeepEqual(whole, part) {
		return "a value"
	}
	return ""
}

// The pieces must be those of the official tree of fields.
func TestPiecesAreTheUpstreams(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(corpus + "responses/studies_metadata.json")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no corpus of real answers beside the repository")
	}
	if err != nil {
		t.Fatal(err)
	}
	type field struct {
		Name, Piece, Type string
		IsEnum            bool
		Children          []field
	}
	var tree []field
	if err := json.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	count := 0
	var walk func(fields []field, above string)
	walk = func(fields []field, above string) {
		for _, f := range fields {
			count++
			p := pieces().byName[f.Piece]
			switch {
			case p == nil:
				t.Errorf("no piece %s", f.Piece)
			case p.path() != above+f.Name || p.kind != f.Type || p.branch != (f.Children != nil) || (p.enum() != nil) != f.IsEnum:
				t.Errorf("%s: %+v", f.Piece, p)
			}
			walk(f.Children, above+f.Name+".")
		}
	}
	walk(tree, "")
	if count != len(pieces().list) {
		t.Errorf("%d pieces, want %d", len(pieces().list), count)
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
		if _, err := Open(corpus + "studies.jsonl.gz"); err != nil {
			b.Fatal(err)
		}
	}
}
