package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParameterErrors(t *testing.T) {
	t.Parallel()
	s := few(t)
	for _, tt := range []struct{ path, want string }{
		{"/studies?filter.phase=PHASE3", "`filter.phase` is unknown parameter"},
		{"/studies?query.cond=a&b=1&a=2", "`b` is unknown parameter"},
		{"/studies?Query.cond=a", "`Query.cond` is unknown parameter"},
		{"/studies?=x", "`` is unknown parameter"},
		{"/studies?query.cond=%zz", "The query string has incorrect format"},
		{"/studies?filter.overallStatus=RECRUITING|NOT_A_STATUS", "Invalid value in parameter `overallStatus`: `NOT_A_STATUS`"},
		{"/studies?filter.overallStatus=recruiting", "Invalid value in parameter `overallStatus`: `recruiting`"},
		{"/studies?filter.ids=foo", "Item 1 in parameter `filter.ids` has incorrect format"},
		{"/studies?filter.ids=NCT00000001,NCT00000000", "Item 2 in parameter `filter.ids` has incorrect format"},
		{"/studies?filter.ids=NCT123456789", "Item 1 in parameter `filter.ids` has incorrect format"},
		{"/studies?filter.ids=NCT1,+NCT2", "Item 2 in parameter `filter.ids` has incorrect format"},
		{"/studies?filter.ids=", "Item 1 in parameter `filter.ids` has incorrect format"},
		{"/studies?sort=@rank", "Item 1 in parameter `sort` has incorrect format"},
		{"/studies?sort=@relevance,StartDate:down", "Item 2 in parameter `sort` has incorrect format"},
		{"/studies?sort=BriefTitle", "Unsupported sort field type: text"},
		{"/studies?sort=Foo", "Unknown piece name of field path: Foo"},
		{"/studies?sort=@relevance,StartDate,EnrollmentCount", "Parameter `sort` has incorrect format"},
		{"/studies?fields=StudyDesign", "Parameter 'fields' contains invalid field name: 'StudyDesign'"},
		{"/studies?fields=NCTId,NctId,Foo", "Parameter 'fields' contains invalid field name: 'NctId'"},
		{"/studies?fields=designModule.phases", "Parameter 'fields' contains invalid field name: 'designModule.phases'"},
		{"/studies?fields=", "Item 1 in parameter `fields` has incorrect format"},
		{"/studies?fields=NCTId,", "Item 2 in parameter `fields` has incorrect format"},
		{"/studies?countTotal=yes", "Parameter `countTotal` has incorrect format"},
		{"/studies?pageSize=ten", "Parameter `pageSize` has incorrect format"},
		{"/studies?pageSize=-1", "Parameter `pageSize` has incorrect format"},
		{"/studies?pageSize=2147483648", "Parameter `pageSize` has incorrect format"},
		{"/studies?pageToken=garbage", "Parameter `pageToken` has incorrect format"},
		{"/studies?pageToken=TkZUMAAAAAA", "Parameter `pageToken` has incorrect format"},
		{"/studies?pageToken=", "Parameter `pageToken` has incorrect format"},
		{"/studies?format=csv", "the sandbox serves format `json` only, not `csv`"},
		{"/studies?format=ris", "Invalid value in parameter `format`: `ris`"},
		{"/studies?markupFormat=legacy", "the sandbox serves markupFormat `markdown` only, not `legacy`"},
		{"/studies?markupFormat=html", "Invalid value in parameter `markupFormat`: `html`"},
		{"/studies?filter.geo=distance(1,2,3mi)", "the sandbox does not understand the parameter `filter.geo`"},
		{"/studies?query.lead=a", "the sandbox does not understand the parameter `query.lead`"},
		{"/studies?query.id=a", "the sandbox does not understand the parameter `query.id`"},
		{"/studies?query.patient=a", "the sandbox does not understand the parameter `query.patient`"},
		{"/studies?filter.synonyms=a:1", "the sandbox does not understand the parameter `filter.synonyms`"},
		{"/studies?postFilter.ids=NCT1", "the sandbox does not understand the parameter `postFilter.ids`"},
		{"/studies?aggFilters=phase:2", "the sandbox does not understand the parameter `aggFilters`"},
		{"/studies?geoDecay=func:exp", "the sandbox does not understand the parameter `geoDecay`"},

		{"/studies/foo", "Parameter `nctId` has incorrect format"},
		{"/studies/NCT00000000", "Parameter `nctId` has incorrect format"},
		{"/studies/NCT:90000001", "Parameter `nctId` has incorrect format"},
		{"/studies/NCT90000001?pageSize=1", "`pageSize` is unknown parameter"},
		{"/studies/NCT90000001?fields=Foo", "Parameter 'fields' contains invalid field name: 'Foo'"},
		{"/studies/NCT90000001?format=ris", "the sandbox serves format `json` only, not `ris`"},
		{"/studies/NCT90000001?format=xml", "Invalid value in parameter `format`: `xml`"},
	} {
		resp, body := get(t, s, tt.path)
		if resp.StatusCode != http.StatusBadRequest || body != tt.want {
			t.Errorf("%s: %d\n got %s\nwant %s", tt.path, resp.StatusCode, body, tt.want)
		}
		if got := resp.Header.Get("Content-Type"); got != "text/plain;charset=UTF-8" {
			t.Errorf("%s: Content-Type %q", tt.path, got)
		}
	}
}

func TestSingleStudy(t *testing.T) {
	t.Parallel()
	s := few(t)
	for _, tt := range []struct {
		path, location string
		status         int
		body           string
	}{
		{"/studies/NCT90000003?fields=NCTId", "", 200, `{"protocolSection":{"identificationModule":{"nctId":"NCT90000003"}}}`},
		{"/studies/nct0090000003?fields=NCTId&format=json&markupFormat=markdown", "", 200, `{"protocolSection":{"identificationModule":{"nctId":"NCT90000003"}}}`},
		{"/studies/NCT90000011?fields=NCTId", "/api/v2/studies/NCT90000001", 301, ""},
		{"/studies/nct90000011", "/api/v2/studies/NCT90000001", 301, ""},
		{"/studies/NCT99999999", "", 404, "NCT number NCT99999999 not found"},
		{"/studies/nct123", "", 404, "NCT number NCT00000123 not found"},
	} {
		resp, body := get(t, s, tt.path)
		if resp.StatusCode != tt.status || body != tt.body || resp.Header.Get("Location") != tt.location {
			t.Errorf("%s: %d %q to %q", tt.path, resp.StatusCode, body, resp.Header.Get("Location"))
		}
	}
	_, body := get(t, s, "/studies/NCT90000001")
	if !strings.Contains(body, `"Dose a < b & c > d in adults."`) {
		t.Errorf("signs of HTML are escaped: %s", body)
	}
}

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
			[]string{"query.cond", "asthma", "query.term", " nct90000003, NCT90000011 ", "filter.overallStatus", "WITHHELD", "filter.ids", "NCT1", "filter.advanced", "AREA[Phase]NA"},
			"1 3",
		},
		{"an id and a word are a query", []string{"query.term", "NCT90000003 registry", "filter.overallStatus", "WITHHELD"}, ""},
	} {
		if got := short(search200(t, s, tt.pairs...).ids()); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestSort(t *testing.T) {
	t.Parallel()
	s := few(t)
	for _, tt := range []struct{ query, sort, want string }{
		{"ALL", "", "1 2 3 4 5 6"},
		{"ALL", "@relevance", "6 5 4 3 2 1"},
		// Only the summary of 5 has the word; 1 has it in its titles too.
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
		pairs := []string{"query.term", tt.query}
		if tt.sort != "" {
			pairs = append(pairs, "sort", tt.sort)
		}
		if got := short(search200(t, s, pairs...).ids()); got != tt.want {
			t.Errorf("%s by %s: %q, want %q", tt.query, tt.sort, got, tt.want)
		}
	}
}

func TestPaging(t *testing.T) {
	t.Parallel()
	s := few(t)
	var seen []string
	token := ""
	for number := 1; ; number++ {
		pairs := []string{"pageSize", "4", "countTotal", "true", "sort", "@relevance"}
		if token != "" {
			pairs = append(pairs, "pageToken", token)
		}
		page := search200(t, s, pairs...)
		if hasTotal := page.TotalCount != nil; hasTotal != (number == 1) {
			t.Errorf("page %d: total %v", number, page.TotalCount)
		}
		seen = append(seen, page.ids()...)
		if token = page.NextPageToken; token == "" {
			break
		}
	}
	if got := short(seen); got != "6 5 4 3 2 1" {
		t.Errorf("pages hold %q", got)
	}
	if page := search200(t, s, "pageSize", "6"); page.NextPageToken != "" || page.TotalCount != nil {
		t.Errorf("an exact last page has token %q and total %v", page.NextPageToken, page.TotalCount)
	}
	for size, want := range map[string]int{"0": 6, "1": 1, "5000": 6} {
		if got := search200(t, s, "pageSize", size); len(got.Studies) != want {
			t.Errorf("pageSize %s: %d studies", size, len(got.Studies))
		}
	}
}

func TestPageSizeDefaultsAndIsCoerced(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"": 10, "pageSize=0": 10, "pageSize=1000": 1000, "pageSize=1001": 1000, "pageSize=2147483647": 1000} {
		s, err := readSearch(text)
		if err != nil || s.pageSize != want {
			t.Errorf("%q: %d %v", text, s.pageSize, err)
		}
	}
}

// Upstream does not tie a token to its query; who sends it with another one
// silently gets that one's rows. Biofact's own cursors must prevent it.
func TestTokenUnderAnotherQuery(t *testing.T) {
	t.Parallel()
	s := few(t)
	token := search200(t, s, "query.cond", "asthma", "pageSize", "1").NextPageToken
	other := search200(t, s, "filter.advanced", "AREA[Phase]PHASE3 OR AREA[Phase]PHASE4", "pageToken", token)
	if got := short(other.ids()); got != "2 4" {
		t.Errorf("other query from the old offset: %q", got)
	}
	if beyond := search200(t, s, "query.cond", "COPD", "pageToken", pageToken(5)); len(beyond.Studies) != 0 || beyond.NextPageToken != "" {
		t.Errorf("beyond the end: %+v", beyond)
	}
}

func TestProjection(t *testing.T) {
	t.Parallel()
	s := few(t)
	for _, tt := range []struct{ id, fields, want string }{
		{"1", "InterventionName", `{"protocolSection":{"armsInterventionsModule":{"interventions":[{"name":"Montelukast"},{"name":"Placebo"}]}}}`},
		{"1", "InterventionOtherName", `{"protocolSection":{"armsInterventionsModule":{"interventions":[{"otherNames":["Leukotriene blocker"]},{}]}}}`},
		{"2", "LocationStatus", `{}`},
		{"2", "LocationStatus,NCTId", `{"protocolSection":{"identificationModule":{"nctId":"NCT90000002"}}}`},
		{"2", "LocationZip|HasResults", `{"hasResults":true,"protocolSection":{"contactsLocationsModule":{"locations":[{},{"zip":"01103"}]}}}`},
		{"1", "StartDate", `{"protocolSection":{"statusModule":{"startDateStruct":{"date":"2022-03-05"}}}}`},
		{"1", "EnrollmentInfo", `{"protocolSection":{"designModule":{"enrollmentInfo":{"count":120,"type":"ACTUAL"}}}}`},
		{"1", "protocolSection.designModule.phases,HasResults", `{"hasResults":false,"protocolSection":{"designModule":{"phases":["PHASE3"]}}}`},
		{"3", "DesignModule,Phase", `{"protocolSection":{"designModule":{"studyType":"OBSERVATIONAL"}}}`},
		{"3", "Phase", `{}`},
		{"3", "TitleSearch", `{"protocolSection":{"identificationModule":{"briefTitle":"Registry of Breast Neoplasms"}}}`},
		{"3", "ResultsSection,DerivedSection", `{"derivedSection":{"conditionBrowseModule":{"meshes":[{"id":"D001943","term":"Breast Neoplasms"}]},"miscInfoModule":{"versionHolder":"2026-08-04"}}}`},
	} {
		id := "NCT9000000" + tt.id
		if _, body := get(t, s, "/studies/"+id+"?fields="+tt.fields); body != tt.want {
			t.Errorf("%s %s:\n got %s\nwant %s", tt.id, tt.fields, body, tt.want)
		}
		want := `{"studies":[` + tt.want + `]}`
		if _, body := get(t, s, studies("filter.ids", id, "fields", tt.fields)); body != want {
			t.Errorf("%s %s:\n got %s\nwant %s", tt.id, tt.fields, body, want)
		}
	}
}

func TestNoFieldsIsTheWholeRecord(t *testing.T) {
	t.Parallel()
	s := few(t)
	source, err := s.trials()
	if err != nil {
		t.Fatal(err)
	}
	for i, id := range source.ids {
		_, body := get(t, s, "/studies/"+id)
		got, err := decode([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(source.studies[i], got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
}

func TestSearchStopsWithItsContext(t *testing.T) {
	t.Parallel()
	source, err := few(t).trials()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := source.find(ctx, &search{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestPiecesAreParentsFirst(t *testing.T) {
	t.Parallel()
	for _, p := range pieces().list {
		if len(p.steps) > 1 {
			if parent := pieces().byPath[strings.Join(p.steps[:len(p.steps)-1], ".")]; parent == nil || parent.ordinal > p.ordinal || !parent.branch {
				t.Errorf("%s stands without its parent", p.name)
			}
		}
	}
	if got := len(pieces().byName); got != len(pieces().list) || got != len(pieces().byPath) {
		t.Errorf("%d names and %d paths for %d pieces", got, len(pieces().byPath), len(pieces().list))
	}
}

// Downloads of real records hold a few undocumented fields; ours must not: a
// record with a field that upstream does not have would be found by no
// query and projected by no field; it is a slip of whoever wrote it.
func TestEmbeddedRecordsFitThePieces(t *testing.T) {
	t.Parallel()
	source, err := loadEmbedded()
	if err != nil {
		t.Fatal(err)
	}
	for i, study := range source.studies {
		var walk func(node any, path string)
		walk = func(node any, path string) {
			p := pieces().byPath[path]
			switch node := node.(type) {
			case map[string]any:
				if path != "" && (p == nil || !p.branch && p.kind != "GeoPoint") {
					t.Errorf("%s: %s has no fields below it", source.ids[i], path)
					return
				}
				for key, child := range node {
					walk(child, strings.TrimPrefix(path+"."+key, "."))
				}
			case []any:
				for _, item := range node {
					walk(item, path)
				}
			default:
				text, ok := scalar(node)
				switch {
				case strings.HasPrefix(path, "protocolSection.contactsLocationsModule.locations.geoPoint."):
				case p == nil || p.branch || !ok:
					t.Errorf("%s: %s is no field", source.ids[i], path)
				case p.enum() != nil && !slices.Contains(p.enum(), text):
					t.Errorf("%s: %s may not be %q", source.ids[i], path, text)
				case (p.kind == "PartialDate" || p.kind == "NormalizedDate") && !partialDate.MatchString(text):
					t.Errorf("%s: %s is no date: %q", source.ids[i], path, text)
				}
			}
		}
		walk(study, "")
	}
}

func TestNumbersKeepTheirText(t *testing.T) {
	t.Parallel()
	study, err := decode([]byte(`{"a":12345678901234567890,"b":1.10}`))
	if err != nil {
		t.Fatal(err)
	}
	ans, err := data(study)
	if err != nil || string(ans.body) != `{"a":12345678901234567890,"b":1.10}` {
		t.Errorf("%s %v", ans.body, err)
	}
	if _, err := strconv.Atoi(string(study["a"].(json.Number))); err == nil {
		t.Error("the number fits an int and proves nothing")
	}
}
