package sandbox

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/registry"
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

func TestNoFieldsIsTheWholeRecord(t *testing.T) {
	t.Parallel()
	s := few(t)
	source, err := s.trials()
	if err != nil {
		t.Fatal(err)
	}
	for _, study := range source.studies.Records() {
		id := registry.First(study, "NCTId")
		_, body := get(t, s, "/studies/"+id)
		got, err := decode([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(study, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
}

// Downloads of real records hold a few undocumented fields; ours must not: a
// record with a field that upstream does not have would be found by no
// query and projected by no field; it is a slip of whoever wrote it.
func TestEmbeddedRecordsFitThePieces(t *testing.T) {
	t.Parallel()
	partialDate := regexp.MustCompile(`^[0-9]{4}(-[0-9]{2}){0,2}$`)
	source, err := loadEmbedded()
	if err != nil {
		t.Fatal(err)
	}
	for _, study := range source.studies.Records() {
		id := registry.First(study, "NCTId")
		var walk func(node any, path string)
		walk = func(node any, path string) {
			p := registry.PieceAt(path)
			switch node := node.(type) {
			case map[string]any:
				if path != "" && (p == nil || !p.Parent && p.Type != "GeoPoint") {
					t.Errorf("%s: %s has no fields below it", id, path)
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
				text := fmt.Sprint(node)
				switch {
				case strings.HasPrefix(path, "protocolSection.contactsLocationsModule.locations.geoPoint."):
				case p == nil || p.Parent || node == nil:
					t.Errorf("%s: %s is no field", id, path)
				case p.Enum() != nil && !slices.Contains(p.Enum(), text):
					t.Errorf("%s: %s may not be %q", id, path, text)
				case (p.Type == "PartialDate" || p.Type == "NormalizedDate") && !partialDate.MatchString(text):
					t.Errorf("%s: %s is no date: %q", id, path, text)
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
