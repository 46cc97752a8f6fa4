package trials

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/query/api"
	"github.com/biofact-mcp/biofact/internal/reply"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

func TestMain(m *testing.M) { expect.Main(m) }

// A changingRegistry is a registry over the embedded records that publishes changes.
type changingRegistry struct {
	*query.Studies
	bodies   []map[string]any
	day      time.Time
	random   *rand.Rand
	refuses  bool // tokens of earlier versions
	requests []string
	before   func(request int) // is called before each request is answered; nil: nothing
}

// embeddedTrials returns the embedded records. Tests do not change them.
var embeddedTrials = sync.OnceValues(func() ([]map[string]any, error) {
	all, err := sourcetest.Embedded()
	if err != nil {
		return nil, err
	}
	resp, err := (&http.Client{Transport: all}).Get(sourcetest.RegistryURL + "/studies?pageSize=1000")
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var page struct{ Studies []map[string]any }
	decoder := json.NewDecoder(resp.Body)
	decoder.UseNumber()
	err = decoder.Decode(&page)
	return page.Studies, err
})

func newChangingRegistry(t testing.TB, seed uint64) *changingRegistry {
	t.Helper()
	records, err := embeddedTrials()
	expect.NoError(t, err)
	r := &changingRegistry{bodies: slices.Clone(records), day: time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC),
		random: rand.New(rand.NewPCG(seed, 1))}
	r.publish()
	return r
}

// Get implements api.Engine.
func (r *changingRegistry) Get(_ context.Context, id string, fields query.Projection) (study api.Study, known bool, err error) {
	record, canonical, known := r.Studies.Get(id)
	if !known {
		return study, false, nil
	}
	study.ID = canonical
	study.JSON, err = fields.JSON(record)
	return study, true, err
}

// Stamp implements api.Engine.
func (r *changingRegistry) Stamp(context.Context) (string, error) {
	return r.day.Format(time.DateOnly) + "T09:00:05", nil
}

func (r *changingRegistry) RoundTrip(req *http.Request) (*http.Response, error) {
	if r.requests = append(r.requests, req.URL.RawQuery); r.before != nil {
		r.before(len(r.requests))
	}
	if r.refuses && req.URL.Query().Has("pageToken") {
		r.refuses = false
		return &http.Response{StatusCode: http.StatusBadRequest, Header: http.Header{"Content-Type": {"text/plain"}},
			Body: io.NopCloser(strings.NewReader("Parameter `pageToken` has incorrect format")), Request: req}, nil
	}
	return reply.Func(func(req *http.Request) (reply.Reply, error) { return api.Answer(req, r, "the test") }).RoundTrip(req)
}

// publish stamps all records with the next day.
func (r *changingRegistry) publish() {
	r.day = r.day.AddDate(0, 0, 1)
	for i, body := range r.bodies {
		r.bodies[i] = withValue(body, r.day.Format(time.DateOnly), "derivedSection", "miscInfoModule", "versionHolder")
	}
	r.Studies = query.NewStudies(r.bodies)
}

// multiply adds copies of the records with other ids, until they are n.
func (r *changingRegistry) multiply(n int) {
	for i := 0; len(r.bodies) < n; i++ {
		r.bodies = append(r.bodies, withValue(r.bodies[i], fmt.Sprintf("NCT%08d", 70_000_000+i), "protocolSection", "identificationModule",
			"nctId"))
	}
	r.publish()
}

// withValue returns a copy of a record with another value at a path.
func withValue(body map[string]any, value any, path ...string) map[string]any {
	out := map[string]any{}
	for key, old := range body {
		out[key] = old
	}
	if len(path) == 1 {
		out[path[0]] = value
		return out
	}
	inner, _ := out[path[0]].(map[string]any)
	out[path[0]] = withValue(inner, value, path[1:]...)
	return out
}

// change publishes: 0 nothing, 1 removed trials, 2 updated ones, 3 a new one, 4 all of these.
func (r *changingRegistry) change(kind int) {
	if kind == 1 || kind == 4 {
		for range 3 {
			i := r.random.IntN(len(r.bodies))
			r.bodies = slices.Delete(slices.Clone(r.bodies), i, i+1)
		}
	}
	today := r.day.AddDate(0, 0, 1).Format(time.DateOnly)
	if kind == 2 || kind == 4 {
		for range 10 {
			i := r.random.IntN(len(r.bodies))
			r.bodies[i] = withValue(r.bodies[i], today, "protocolSection", "statusModule", "lastUpdatePostDateStruct", "date")
		}
	}
	if kind == 3 || kind == 4 {
		added := withValue(r.bodies[r.random.IntN(len(r.bodies))], fmt.Sprintf("NCT%08d", 80_000_000+r.random.IntN(1_000_000)),
			"protocolSection", "identificationModule", "nctId")
		r.bodies = append(r.bodies, withValue(added, today, "protocolSection", "statusModule", "studyFirstPostDateStruct", "date"))
	}
	r.publish()
}

// overMirror returns a service that answers from a mirror of the registry alone, and a function that syncs it.
func overMirror(t *testing.T, r http.RoundTripper) (*Trials, func()) {
	t.Helper()
	local, update := sourcetest.MirrorOf(t, r)
	client := upstream.NewClient(sourcetest.Policy(r))
	return setup{Setup: sourcetest.Setup{CTGovURL: sourcetest.RegistryURL, CTGov: client, Mirror: local}}.open(t), update
}

// changingWalk reads all pages of a search and calls between after one of them. It returns how often each trial was shown.
func changingWalk(
	t *testing.T, s *Trials, args tools.SearchTrialsArgs, pause int, between func(),
) (shown map[string]int, notices []string) {
	t.Helper()
	shown = map[string]int{}
	for n := 0; ; n++ {
		expect.Must(t, n < 100, "the walk does not end: %+v", args)
		answer, err := s.SearchTrials(t.Context(), args)
		expect.NoError(t, err)
		for _, item := range answer.Value.Items {
			shown[item.ID]++
		}
		for _, notice := range answer.Notices {
			if strings.Contains(notice, "changed since") {
				notices = append(notices, notice)
			}
		}
		if args.Cursor = answer.Value.Pagination.Cursor; args.Cursor == "" {
			return shown, notices
		}
		expect.That(t, len(args.Cursor) < 1500, "a cursor of %d characters", len(args.Cursor))
		if n == pause {
			between()
		}
	}
}

// TestTrialWalks: if the data change between two pages of any search, in the registry or in a mirror, each trial that stays is on one page,
// or a notice says that trials may be missing. If the change cannot move rows in the order, no trial is missing or repeated.
func TestTrialWalks(t *testing.T) {
	t.Parallel()
	all := tools.TrialFilters{StudyType: []string{"INTERVENTIONAL"}}
	words := tools.TrialFilters{Condition: "cancer OR diabetes OR melanoma"}
	searches := map[string]tools.SearchTrialsArgs{
		"default": {TrialFilters: all}, "words": {TrialFilters: words}, "oldest": {TrialFilters: all, Sort: "first_posted", Order: "asc"},
		"updated": {TrialFilters: all, Sort: "last_updated"}, "updated last": {TrialFilters: words, Sort: "last_updated", Order: "asc"},
		"start": {TrialFilters: all, Sort: "start_date"}, "started first": {TrialFilters: words, Sort: "start_date", Order: "asc"},
		"completion": {TrialFilters: all, Sort: "completion_date"}, "results": {TrialFilters: all, Sort: "results_posted"},
		"largest": {TrialFilters: all, Sort: "enrollment"}, "smallest": {TrialFilters: all, Sort: "enrollment", Order: "asc"},
		"criteria": {TrialFilters: tools.TrialFilters{Criteria: "pregnant", CriteriaIn: "inclusion"}, Sort: "first_posted"},
	}
	for i, name := range slices.Sorted(maps.Keys(searches)) {
		args := searches[name]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for round := range 8 {
				if !expect.All() && round != i%4 && (i%2 != 0 || round != 4+i/2%4) {
					continue // each kind of change for every fourth search, and for every eighth one of a mirror
				}
				kind, mirrored := round%4+1, round >= 4
				r := newChangingRegistry(t, uint64(round))
				s, update := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(r)), func() {}
				if mirrored {
					s, update = overMirror(t, r)
				}
				one := args
				one.PageSize = 5 + 9*(round%4)
				single := args // page
				single.PageSize = 200
				before, _ := changingWalk(t, s, single, -1, nil)
				shown, notices := changingWalk(t, s, one, round%3, func() { r.change(kind); update() })
				after, _ := changingWalk(t, s, single, -1, nil)
				// In these orders rows may move; a trial without results has no place in the order of results.
				moves := name == "words" || name == "results" || strings.HasPrefix(name, "updated") && kind%2 == 0
				for id := range before {
					if after[id] > 0 && shown[id] != 1 && (len(notices) == 0 || !moves) {
						t.Errorf("round %d, change %d, mirror %v: %s is shown %d times; %q", round, kind, mirrored, id, shown[id], notices)
					}
				}
				expect.That(t, len(notices) <= 1, "round %d: %q", round, notices)
			}
		})
	}
}

// TestRefusedToken: if the registry no longer accepts a page token, the search is started again after its last trial. In the order of
// relevance, which has no such place, the error names the call of the first page.
func TestRefusedToken(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	r := newChangingRegistry(t, 1)
	s := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(r))
	args := tools.SearchTrialsArgs{TrialFilters: tools.TrialFilters{StudyType: []string{"INTERVENTIONAL"}}, PageSize: 20}
	shown, notices := changingWalk(t, s, args, 1, func() { r.refuses = true })
	for id, times := range shown {
		expect.That(t, times == 1, "%s is shown %d times", id, times)
	}
	single := args // page
	single.PageSize = 200
	all, _ := changingWalk(t, s, single, -1, nil)
	expect.That(t, len(notices) == 1 && len(shown) == len(all), "%d of %d trials, %q", len(shown), len(all), notices)
	args = tools.SearchTrialsArgs{TrialFilters: tools.TrialFilters{Condition: "cancer"}, PageSize: 5}
	first, err := s.SearchTrials(t.Context(), args)
	expect.NoError(t, err)
	args.Cursor, r.refuses = first.Value.Pagination.Cursor, true
	_, err = s.SearchTrials(t.Context(), args)
	expect.That(t, strings.Contains(fmt.Sprint(err), "ClinicalTrials.gov no longer accepts"), "%v", err)

	local, _ := overMirror(t, newChangingRegistry(t, 1))
	args.Cursor = ""
	first, err = local.SearchTrials(t.Context(), args)
	expect.NoError(t, err)
	var at envelope.Cursor
	given := first.Value.Pagination.Cursor
	expect.Must(t, envelope.DecodeCursor(given[:len(given)-envelope.SumLength], &at), "the cursor %s", given)
	at.Token = "unknown"
	args.Cursor, err = at.Encode()
	expect.NoError(t, err)
	_, err = local.SearchTrials(t.Context(), args)
	expect.That(t, strings.Contains(fmt.Sprint(err), "the local mirror of ClinicalTrials.gov no longer accepts"), "%v", err)
}

// TestCountTotal: the total is requested on the first page alone.
func TestCountTotal(t *testing.T) {
	t.Parallel()
	r := newChangingRegistry(t, 1)
	s := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(r))
	changingWalk(t, s, tools.SearchTrialsArgs{TrialFilters: tools.TrialFilters{Criteria: "pregnant", CriteriaIn: "inclusion"}, PageSize: 2},
		-1, nil)
	for i, query := range r.requests {
		expect.That(t, strings.Contains(query, "countTotal") == (i == 0), "request %d: %s", i, query)
	}
	expect.That(t, bytes.Count([]byte(strings.Join(r.requests, "\n")), []byte("pageToken")) == len(r.requests)-1, "%q", r.requests)
}
