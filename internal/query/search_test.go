package query

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestFilters(t *testing.T) {
	t.Parallel()
	s := few(t)
	for _, tt := range []struct {
		name  string
		pairs []string
		want  string
	}{
		{"nothing is everything", nil, "1 2 3 4 5 6"},
		{"one status", []string{"filter.overallStatus", "RECRUITING"}, "1 5"},
		{"statuses by comma", []string{"filter.overallStatus", "COMPLETED,UNKNOWN"}, "2 3"},
		{"statuses by pipe", []string{"filter.overallStatus", "COMPLETED|UNKNOWN"}, "2 3"},
		{"status without a study", []string{"filter.overallStatus", "WITHHELD"}, ""},
		{"ids in any writing", []string{"filter.ids", "nct90000004|NCT0090000002"}, "2 4"},
		{"an unknown id is left out", []string{"filter.ids", "NCT5,NCT90000002"}, "2"},
		{"an alias", []string{"filter.ids", "NCT90000011"}, "1"},
		{"an alias and its study", []string{"filter.ids", "NCT90000011,NCT90000001"}, "1"},
		{"ids with a query", []string{"filter.ids", "NCT90000001,NCT90000004", "query.cond", "asthma"}, "1"},
		{"parts are ANDed", []string{"query.cond", "asthma", "query.locn", "Boston", "filter.overallStatus", "COMPLETED"}, "2"},
		{
			"a query of ids alone switches everything else off",
			[]string{"query.cond", "asthma", "query.term", " nct90000003, NCT90000011 ", "filter.overallStatus", "WITHHELD", "filter.ids",
				"NCT1", "filter.advanced", "AREA[Phase]NA"},
			"1 3",
		},
		{"an id and a word are a query", []string{"query.term", "NCT90000003 registry", "filter.overallStatus", "WITHHELD"}, ""},
	} {
		expect.Is(t, short(search(t, s, tt.pairs...).Studies), tt.want, "%s", tt.name)
	}
}

func TestSort(t *testing.T) {
	t.Parallel()
	s := few(t)
	for _, tt := range []struct{ expressionParameter, sort, want string }{
		{"ALL", "", "1 2 3 4 5 6"},
		{"ALL", "@relevance", "6 5 4 3 2 1"},
		// Study 5 has the word only in its summary, study 1 also in its titles.
		{"asthma", "@relevance", "1 2 5"},
		{"asthma", "@relevance:asc", "5 2 1"},
		{"ALL", "LastUpdatePostDate", "5 4 1 2 6 3"},
		{"ALL", "LastUpdatePostDate:asc", "3 6 2 1 4 5"},
		{"ALL", "StartDate", "5 6 1 4 2 3"},
		{"ALL", "StartDate:asc", "2 4 1 6 5 3"},
		{"ALL", "EnrollmentCount", "6 4 2 1 5 3"},
		{"ALL", "EnrollmentCount:desc", "5 1 2 4 6 3"},
		{"ALL", "protocolSection.designModule.enrollmentInfo.count:desc", "5 1 2 4 6 3"},
		{"ALL", "CompletionDate", "6 5 4 3 2 1"},
		{"ALL", "CompletionDate|EnrollmentCount:desc", "5 1 2 4 6 3"},
	} {
		pairs := []string{"query.term", tt.expressionParameter}
		if tt.sort != "" {
			pairs = append(pairs, "sort", tt.sort)
		}
		expect.Is(t, short(search(t, s, pairs...).Studies), tt.want, "%s by %s", tt.expressionParameter, tt.sort)
	}
}

func TestPaging(t *testing.T) {
	t.Parallel()
	s := few(t)
	var seen []json.RawMessage
	token := ""
	for number := 1; ; number++ {
		pairs := []string{"pageSize", "4", "countTotal", "true", "sort", "@relevance"}
		if token != "" {
			pairs = append(pairs, "pageToken", token)
		}
		page := search(t, s, pairs...)
		if hasTotal := page.TotalCount != nil; hasTotal != (number == 1) {
			t.Errorf("page %d: total %v", number, page.TotalCount)
		}
		seen = append(seen, page.Studies...)
		if token = page.NextPageToken; token == "" {
			break
		}
	}
	expect.Is(t, short(seen), "6 5 4 3 2 1", "pages hold")
	if page := search(t, s, "pageSize", "6"); page.NextPageToken != "" || page.TotalCount != nil {
		t.Errorf("an exact last page has token %q and total %v", page.NextPageToken, page.TotalCount)
	}
	for size, want := range map[string]int{"0": 6, "1": 1, "5000": 6} {
		if got := search(t, s, "pageSize", size); len(got.Studies) != want {
			t.Errorf("pageSize %s: %d studies", size, len(got.Studies))
		}
	}
}

func TestPageSizeDefaultsAndIsCoerced(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"": 10, "pageSize=0": 10, "pageSize=1000": 1000, "pageSize=1001": 1000,
		"pageSize=2147483647": 1000} {
		s, err := ReadSearch(text)
		expect.That(t, err == nil && s.PageSize == want, "%q: %d %v", text, s.PageSize, err)
	}
}

// The registry does not bind a token to its query: with another query it returns rows of that query, without an error.
// Biofact's own cursors must prevent it.
func TestTokenUnderAnotherQuery(t *testing.T) {
	t.Parallel()
	s := few(t)
	token := search(t, s, "query.cond", "asthma", "pageSize", "1").NextPageToken
	other := search(t, s, "filter.advanced", "AREA[Phase]PHASE3 OR AREA[Phase]PHASE4", "pageToken", token)
	expect.Is(t, short(other.Studies), "2 4", "other query from the old offset")
	if beyond := search(t, s, "query.cond", "COPD", "pageToken", pageToken(5)); len(beyond.Studies) != 0 || beyond.NextPageToken != "" {
		t.Errorf("beyond the end: %+v", beyond)
	}
}

func TestSearchStopsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := few(t).Search(ctx, &Search{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestProjection(t *testing.T) {
	t.Parallel()
	s := few(t)
	for _, tt := range []struct{ id, fields, want string }{
		{"1", "InterventionName", `{"protocolSection":{"armsInterventionsModule":{"interventions":[{"name":"Montelukast"},{"name":"Placebo"}]}}}`},
		{"1", "InterventionOtherName",
			`{"protocolSection":{"armsInterventionsModule":{"interventions":[{"otherNames":["Leukotriene blocker"]},{}]}}}`},
		{"2", "LocationStatus", `{}`},
		{"2", "LocationStatus,NCTId", `{"protocolSection":{"identificationModule":{"nctId":"NCT90000002"}}}`},
		{"2", "LocationZip|HasResults",
			`{"hasResults":true,"protocolSection":{"contactsLocationsModule":{"locations":[{},{"zip":"01103"}]}}}`},
		{"1", "StartDate", `{"protocolSection":{"statusModule":{"startDateStruct":{"date":"2022-03-05"}}}}`},
		{"1", "EnrollmentInfo", `{"protocolSection":{"designModule":{"enrollmentInfo":{"count":120,"type":"ACTUAL"}}}}`},
		{"1", "protocolSection.designModule.phases,HasResults",
			`{"hasResults":false,"protocolSection":{"designModule":{"phases":["PHASE3"]}}}`},
		{"3", "DesignModule,Phase", `{"protocolSection":{"designModule":{"studyType":"OBSERVATIONAL"}}}`},
		{"3", "Phase", `{}`},
		{"3", "TitleSearch", `{"protocolSection":{"identificationModule":{"briefTitle":"Registry of Breast Neoplasms"}}}`},
		{"3", "ResultsSection,DerivedSection",
			`{"derivedSection":{"conditionBrowseModule":{"meshes":[{"id":"D001943","term":"Breast Neoplasms"}]},"miscInfoModule":{"versionHolder":"2026-08-04"}}}`},
	} {
		page := search(t, s, "filter.ids", "NCT9000000"+tt.id, "fields", tt.fields)
		expect.Is(t, string(page.Studies[0]), tt.want, "%s %s", tt.id, tt.fields)
	}
}
