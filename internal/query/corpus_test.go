package query

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestCorpusPagesToTheEnd(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	s := realRecords(t)
	for _, order := range []string{"@relevance", "LastUpdatePostDate", "EnrollmentCount,StartDate:asc"} {
		var seen []string
		for token := ""; ; {
			pairs := []string{"query.term", "study OR trial OR NOT study", "pageSize", "37", "fields", "NCTId", "sort", order}
			if token != "" {
				pairs = append(pairs, "pageToken", token)
			}
			page := search(t, s, pairs...)
			seen = append(seen, ids(page.Studies)...)
			if token = page.NextPageToken; token == "" {
				break
			}
		}
		want := slices.Sorted(slices.Values(s.ids))
		slices.Sort(seen)
		expect.Is(t, cmp.Diff(want, seen), "", "by %s (-want +got)", order)
	}
}

func TestCorpusProjectionIsPartOfTheRecord(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	s := realRecords(t)
	fields := []string{
		"NCTId", "BriefTitle", "OverallStatus", "StartDate", "Phase", "InterventionName", "LocationCity", "LocationContactPhone",
		"protocolSection.outcomesModule", "ReferencePMID", "ConditionMeshId", "SecondaryIdInfo", "EnrollmentInfo",
	}
	for i, id := range s.ids {
		got := decoded(search(t, s, "filter.ids", id, "fields", strings.Join(fields, "|")).Studies[0])
		if where := notWithin(s.records[i], got); where != "" {
			t.Errorf("%s: %s is not of the record", id, where)
		}
		if _, present := got["hasResults"]; present || got["derivedSection"] == nil && First(s.records[i], "ConditionMeshId") != "" {
			t.Errorf("%s: wrong sections %v", id, got)
		}
		for _, name := range []string{"LocationCity", "InterventionName", "ReferencePMID", "PrimaryOutcomeTimeFrame"} {
			p := PieceNamed(name)
			expect.Is(t, cmp.Diff(p.values(s.records[i]), p.values(got), cmp.AllowUnexported(value{})), "",
				"%s: %s (-record +projection)", id, name)
		}
	}
}

// notWithin names the first place of part that full does not have in the
// same place, lists being of the same length.
func notWithin(full, part any) string {
	switch part := part.(type) {
	case map[string]any:
		object, _ := full.(map[string]any)
		for key, child := range part {
			value, ok := object[key]
			if !ok {
				return key
			}
			if where := notWithin(value, child); where != "" {
				return key + "." + where
			}
		}
		return ""
	case []any:
		list, _ := full.([]any)
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
	if !reflect.DeepEqual(full, part) {
		return "a value"
	}
	return ""
}

// The pieces must be those of the official tree of fields.
func TestPiecesAreTheUpstreams(t *testing.T) {
	t.Parallel()
	text := expect.Read(t, expect.Corpus(t, "ctgov/responses/studies_metadata.json", "the sandbox does not embed the registry's tree of fields"))
	type field struct {
		Name, Piece, Type string
		IsEnum            bool
		Children          []field
	}
	var tree []field
	expect.NoError(t, json.Unmarshal(text, &tree))
	count := 0
	var walk func(fields []field, above string)
	walk = func(fields []field, above string) {
		for _, f := range fields {
			count++
			p := PieceNamed(f.Piece)
			switch {
			case p == nil:
				t.Errorf("no piece %s", f.Piece)
			case p.path() != above+f.Name || p.Type != f.Type || p.Parent != (f.Children != nil) || (p.Enum() != nil) != f.IsEnum:
				t.Errorf("%s: %+v", f.Piece, p)
			}
			walk(f.Children, above+f.Name+".")
		}
	}
	walk(tree, "")
	if count != len(Pieces()) {
		t.Errorf("%d pieces, want %d", len(Pieces()), count)
	}
}
