package trials_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/mappingtest"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
	"github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/sandbox"
)

func TestMain(m *testing.M) { expect.Main(m) }

const fixtures = "testdata/trials"

// mapped has all entities of one study.
type mapped struct {
	Candidate entity.TrialSearchCandidate `json:"candidate"`
	Trial     entity.Trial                `json:"trial"`
	Locations []entity.TrialLocation      `json:"locations,omitempty"`
}

func mapStudy(s *ctgov.Study) (m mapped, err error) {
	if m.Candidate, err = trials.TrialCandidate(s); err != nil {
		return m, err
	}
	if m.Trial, err = trials.Trial(s); err != nil {
		return m, err
	}
	m.Locations = trials.TrialLocations(s)
	return m, nil
}

// fixtureNames returns the names of the hand-made records, each of which covers one subject.
func fixtureNames(t testing.TB) []string { return namesIn(t, fixtures) }

func namesIn(t testing.TB, folder string) []string {
	t.Helper()
	paths, err := filepath.Glob(folder + "/*.json")
	expect.NoError(t, err)
	var names []string
	for _, p := range paths {
		if name := strings.TrimSuffix(filepath.Base(p), ".json"); !strings.HasSuffix(name, ".golden") {
			names = append(names, name)
		}
	}
	expect.Must(t, len(names) != 0, "no fixtures")
	return names
}

func fixture(t testing.TB, name string) *ctgov.Study { return readStudy(t, fixtures, name) }

func readStudy(t testing.TB, folder, name string) *ctgov.Study {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name+".json"))
	expect.NoError(t, err)
	var s ctgov.Study
	expect.NoErrorf(t, json.Unmarshal(text, &s), "%s", name)
	return &s
}

func TestGoldens(t *testing.T) {
	t.Parallel()
	for _, name := range fixtureNames(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, err := mapStudy(fixture(t, name))
			expect.NoError(t, err)
			mappingtest.Golden(t, filepath.Join(fixtures, name+".golden.json"), m)
			for _, problem := range problems(t, m) {
				t.Error(problem)
			}
		})
	}
}

// problems lists schema violations, empty values and unclean texts in the entities. It names paths and never shows values.
func problems(t testing.TB, m mapped) []string {
	t.Helper()
	out := mappingtest.Check(t, "trial-search-candidate", m.Candidate)
	out = append(out, mappingtest.Check(t, "trial", m.Trial)...)
	for i, l := range m.Locations {
		for _, p := range mappingtest.Check(t, "trial-location", l) {
			out = append(out, fmt.Sprintf("site %d: %s", i, p))
		}
	}
	return out
}

func TestIncompleteRecords(t *testing.T) {
	t.Parallel()
	complete := func() *ctgov.Study { return fixture(t, "complete") }
	for name, spoil := range map[string]func(*ctgov.Study){
		"zero":             func(s *ctgov.Study) { *s = ctgov.Study{} },
		"no id":            func(s *ctgov.Study) { s.ProtocolSection.IdentificationModule.NctId = "" },
		"id of no trial":   func(s *ctgov.Study) { s.ProtocolSection.IdentificationModule.NctId = "NCT123" },
		"lower-case id":    func(s *ctgov.Study) { s.ProtocolSection.IdentificationModule.NctId = "nct90000001" },
		"id and a line":    func(s *ctgov.Study) { s.ProtocolSection.IdentificationModule.NctId = "NCT90000001\nNCT90000002" },
		"no status":        func(s *ctgov.Study) { s.ProtocolSection.StatusModule.OverallStatus = "" },
		"status of spaces": func(s *ctgov.Study) { s.ProtocolSection.StatusModule.OverallStatus = " \u0000" },
		"no title": func(s *ctgov.Study) {
			s.ProtocolSection.IdentificationModule.OfficialTitle = "\u202e"
			s.ProtocolSection.IdentificationModule.BriefTitle = " "
		},
	} {
		s := complete()
		spoil(s)
		if c, err := trials.TrialCandidate(s); !errors.Is(err, text.ErrIncomplete) || !reflect.ValueOf(c).IsZero() {
			t.Errorf("%s: candidate %+v, %v", name, c, err)
		}
		if tr, err := trials.Trial(s); !errors.Is(err, text.ErrIncomplete) || !reflect.ValueOf(tr).IsZero() {
			t.Errorf("%s: trial %+v, %v", name, tr, err)
		}
	}
	if sites := trials.TrialLocations(&ctgov.Study{}); len(sites) != 0 {
		t.Errorf("sites of nothing: %+v", sites)
	}
	expect.Is(t, trials.DataVersion(&ctgov.Study{}), "", "version of nothing")
}

// TestNastyText fills every text of a study, also those that are not mapped yet, with characters that must not be in an answer.
func TestNastyText(t *testing.T) {
	t.Parallel()
	for _, nasty := range mappingtest.NastyTexts {
		var s ctgov.Study
		texts := mappingtest.Fill(reflect.ValueOf(&s).Elem(), nasty)
		expect.Must(t, texts >= 200, "only %d texts filled: the study has more", texts)
		id := &s.ProtocolSection.IdentificationModule
		id.NctId = "\u202eNCT9000\u00000099\u0007"
		id.BriefTitle += "t"
		s.ProtocolSection.StatusModule.OverallStatus += "s"
		m, err := mapStudy(&s)
		expect.Must(t, err == nil, "%q: %v", nasty, err)
		expect.That(t, m.Trial.ID == "NCT:90000099" && m.Candidate.ID == m.Trial.ID,
			"%q: ids %s, %s", nasty, m.Trial.ID, m.Candidate.ID)
		for _, p := range problems(t, m) {
			t.Errorf("%q: %s", nasty, p)
		}
		if v := trials.DataVersion(&s); strings.ContainsFunc(v, mappingtest.Unwanted) {
			t.Errorf("%q: data version %q", nasty, v)
		}
	}
}

// TestFieldsAreEnough: a record reduced to the requested fields maps like the complete record, and each field is needed for some record.
func TestFieldsAreEnough(t *testing.T) {
	t.Parallel()
	for _, tt := range projections {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			upstream, ids, full := recordsIn(t, tt.folder)
			for _, s := range projected(t, upstream, ids, tt.fields) {
				id := s.ProtocolSection.IdentificationModule.NctId
				expect.Equal(t, fmt.Sprintf("%s (-whole record +its fields)", id), tt.read(full[id]), tt.read(&s))
			}
			for i, field := range tt.fields {
				if field == "NCTId" || field == "IdentificationModule" { // records are identified by it
					continue
				}
				fewer := slices.Delete(slices.Clone(tt.fields), i, i+1)
				if !slices.ContainsFunc(projected(t, upstream, ids, fewer), func(s ctgov.Study) bool {
					return !cmp.Equal(tt.read(full[s.ProtocolSection.IdentificationModule.NctId]), tt.read(&s))
				}) {
					t.Errorf("%s is requested and changes nothing", field)
				}
			}
		})
	}
}

var projections = []struct {
	name, folder string
	fields       []string
	read         func(*ctgov.Study) any
}{
	{"trial", fixtures, trials.TrialFields(), func(s *ctgov.Study) any {
		m, err := mapStudy(s)
		return []any{m, fmt.Sprint(err), trials.DataVersion(s)}
	}},
	{"candidate", fixtures, trials.CandidateFields(), func(s *ctgov.Study) any {
		c, err := trials.TrialCandidate(s)
		return []any{c, fmt.Sprint(err), trials.DataVersion(s)}
	}},
	{"results", resultFixtures, trials.TrialResultsFields(), func(s *ctgov.Study) any {
		r, err := trials.TrialResults(s)
		return []any{r, fmt.Sprint(err), trials.DataVersion(s), s.ProtocolSection.IdentificationModule.NctIdAliases}
	}},
}

// recordsIn returns a source with the records of a folder, their ids, and the records.
func recordsIn(t *testing.T, from string) (upstream http.RoundTripper, ids []string, full map[string]*ctgov.Study) {
	t.Helper()
	folder := t.TempDir()
	full = map[string]*ctgov.Study{}
	for _, name := range namesIn(t, from) {
		s := readStudy(t, from, name)
		id := s.ProtocolSection.IdentificationModule.NctId
		ids, full[id] = append(ids, id), s
		text, err := os.ReadFile(filepath.Join(from, name+".json"))
		expect.NoError(t, err)
		expect.NoError(t, os.WriteFile(filepath.Join(folder, name+".json"), text, 0o600))
	}
	upstream, err := sandbox.Open(t.Context(), folder)
	expect.NoError(t, err)
	return upstream, ids, full
}

// TestRowFieldsAreEnough: the pieces of each field of a row suffice for its value, which has a value in some record, and which equals that
// of the complete record.
func TestRowFieldsAreEnough(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	upstream, ids, full := recordsIn(t, fixtures)
	for _, field := range trials.RowFieldNames() {
		with := 0
		for _, s := range projected(t, upstream, ids, trials.RowPieces([]string{field})) {
			study := full[s.ProtocolSection.IdentificationModule.NctId]
			want := trials.TrialFieldRow(study, []string{field})
			expect.Equal(t, field+" (-whole record +its pieces)", want, trials.TrialFieldRow(&s, []string{field}))
			row := mappingtest.PlainJSON(t, want)
			if _, has := row[field]; has {
				with++
			}
			record, err := trials.Trial(study)
			expect.NoError(t, err)
			switch value := mappingtest.PlainJSON(t, record)[field].(type) {
			case string, bool, float64:
				expect.That(t, value == row[field], "%s: %v, in the record %v", field, row[field], value)
			}
		}
		// The point of a search decides nearest_site, and the joining of several searches found_by.
		beside := strings.HasSuffix(field, "_computed") || slices.Contains([]string{"nearest_site", "found_by"}, field)
		expect.That(t, with > 0 || beside, "no record has %s", field)
	}
}

// projected requests records by id, reduced to fields.
func projected(t testing.TB, upstream http.RoundTripper, ids, fields []string) []ctgov.Study {
	t.Helper()
	query := url.Values{"filter.ids": {strings.Join(ids, ",")}, "fields": {strings.Join(fields, ",")}, "pageSize": {"1000"}}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://ctgov.example.org/api/v2/studies?"+query.Encode(), nil)
	expect.NoError(t, err)
	resp, err := upstream.RoundTrip(req)
	expect.NoError(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	expect.Must(t, err == nil && resp.StatusCode == http.StatusOK, "%d %v %.200s", resp.StatusCode, err, body)
	var page ctgov.PagedStudies
	expect.NoError(t, json.Unmarshal(body, &page))
	expect.Must(t, len(page.Studies) == len(ids), "%d of %d records", len(page.Studies), len(ids))
	return page.Studies
}
