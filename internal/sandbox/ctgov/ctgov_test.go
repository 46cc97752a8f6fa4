package ctgov

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/reply"
	"github.com/biofact-mcp/biofact/internal/sandbox/records"
)

// over returns the registry over the studies at a path.
func over(ctx context.Context, path string) (*Registry, error) {
	f, err := records.Open(ctx, path, records.DefaultLimits)
	if err != nil {
		return nil, err
	}
	return Read(ctx, f)
}

// few returns the registry over the studies of the tables below.
func few(t testing.TB) *Registry {
	t.Helper()
	r, err := over(t.Context(), "../../query/testdata/studies.jsonl")
	expect.NoError(t, err)
	return r
}

// get requests a path and query below /api/v2 and returns the response.
func get(t testing.TB, r *Registry, path string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://clinicaltrials.gov/api/v2"+path, nil)
	expect.NoError(t, err)
	resp, err := reply.Func(r.Answer).RoundTrip(req)
	expect.Must(t, err == nil, "%s: %v", path, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	expect.NoError(t, err)
	return resp, string(body)
}

func TestParameterErrors(t *testing.T) {
	t.Parallel()
	r := few(t)
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
		{"/studies?filter.geo=distance(1,+2,3mi)", "Parameter `filter.geo` has incorrect format"},
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
		resp, body := get(t, r, tt.path)
		expect.That(t, resp.StatusCode == http.StatusBadRequest && body == tt.want,
			"%s: %d\n got %s\nwant %s", tt.path, resp.StatusCode, body, tt.want)
		expect.Is(t, resp.Header.Get("Content-Type"), "text/plain;charset=UTF-8", "%s: Content-Type", tt.path)
	}
}

func TestSingleStudy(t *testing.T) {
	t.Parallel()
	r := few(t)
	for _, tt := range []struct {
		path, location string
		status         int
		body           string
	}{
		{"/studies/NCT90000003?fields=NCTId", "", 200, `{"protocolSection":{"identificationModule":{"nctId":"NCT90000003"}}}`},
		{"/studies/nct0090000003?fields=NCTId&format=json&markupFormat=markdown", "", 200,
			`{"protocolSection":{"identificationModule":{"nctId":"NCT90000003"}}}`},
		{"/studies/NCT90000011?fields=NCTId", "/api/v2/studies/NCT90000001", 301, ""},
		{"/studies/nct90000011", "/api/v2/studies/NCT90000001", 301, ""},
		{"/studies/NCT99999999", "", 404, "NCT number NCT99999999 not found"},
		{"/studies/nct123", "", 404, "NCT number NCT00000123 not found"},
	} {
		resp, body := get(t, r, tt.path)
		if resp.StatusCode != tt.status || body != tt.body || resp.Header.Get("Location") != tt.location {
			t.Errorf("%s: %d %q to %q", tt.path, resp.StatusCode, body, resp.Header.Get("Location"))
		}
	}
	_, body := get(t, r, "/studies/NCT90000001")
	expect.That(t, strings.Contains(body, `"Dose a < b & c > d in adults."`), "signs of HTML are escaped: %s", body)
}

func TestNoFieldsIsTheWholeRecord(t *testing.T) {
	t.Parallel()
	r := few(t)
	for _, study := range r.studies.Records() {
		checkRecord(t, r, study)
	}
}

// checkRecord checks that a study is found by its id and served unchanged.
func checkRecord(t *testing.T, r *Registry, study map[string]any) {
	t.Helper()
	id := query.First(study, "NCTId")
	_, body := get(t, r, "/studies?filter.ids="+strings.ToLower(id)+"&countTotal=true&fields=NCTId")
	expect.That(t, strings.HasPrefix(body, `{"totalCount":1,`) && strings.Contains(body, id), "%s: %s", id, body)
	_, body = get(t, r, "/studies/"+id)
	got, err := decode([]byte(body))
	expect.NoError(t, err)
	if !reflect.DeepEqual(study, got) {
		t.Errorf("%s (-want +got): %s", id, cmp.Diff(study, got))
	}
}

func TestNumbersKeepTheirText(t *testing.T) {
	t.Parallel()
	study, err := decode([]byte(`{"a":12345678901234567890,"b":1.10}`))
	expect.NoError(t, err)
	out, err := reply.JSON(study)
	expect.That(t, err == nil && string(out.Body) == `{"a":12345678901234567890,"b":1.10}`, "%s %v", out.Body, err)
	if _, err := strconv.Atoi(string(study["a"].(json.Number))); err == nil {
		t.Error("the number fits an int and proves nothing")
	}
}
