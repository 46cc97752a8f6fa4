package e2e

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mirror"
	"github.com/biofact-mcp/biofact/internal/mirror/mirrortest"
)

// A commandOutput has the output and the exit code of a command.
type commandOutput struct {
	stdout, stderr string
	code           int
}

// biofact runs the binary to its end.
func biofact(t testing.TB, env []string, args ...string) commandOutput {
	t.Helper()
	return run(exec.Command(binary(t), args...), env)
}

// run runs a command to its end.
func run(cmd *exec.Cmd, env []string) commandOutput {
	cmd.Env = append(os.Environ(), append([]string{"NCBI_ADMIN_EMAIL=test@example.org", "BIOFACT_CACHE_DIR=off"}, env...)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run() // the exit code says it
	return commandOutput{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// trialCalls are the calls of trial tools in testdata/questions.md that stand for themselves, and some that
// the mirror answers in a way of its own.
func trialCalls(t *testing.T) (calls []question) {
	t.Helper()
	questions, _ := readScripts(t)
	for _, q := range questions {
		for _, c := range q.calls {
			text := show(c.arguments)
			if strings.Contains(c.tool, "trial") && !reference.MatchString(text) {
				calls = append(calls, question{c.tool, text})
			}
		}
	}
	for _, c := range []string{
		`count_trials {}`, `count_trials {"by":"country","then_by":"phase"}`, `count_trials {"by":"condition","top":5}`,
		`count_trials {"by":"start_year","filters":null}`,
		`count_trials {"by":"lead_sponsor"}`, `count_trials {"by":"age_group","then_by":"sex","status":"completed"}`,
		`count_trials {"by":"has_results"}`, `count_trials {"by":"primary_purpose","phase":"3"}`,
		`search_trials {"status":"recruiting","phase":"Phase 3"}`, `search_trials {"country":["France"],"sort":"start_date"}`,
		`search_trials {"age":"58","sex":"female"}`,
		`search_trials {"location":"Boston, MA","recruiting_site":true}`, `search_trials {"condition":"asthma"}`,
		`search_trials {"sponsor_class":"INDUSTRY","sort":"enrollment"}`,
		`get_trial {"nct_id":"NCT:01844505"}`, `get_trial {"nct_id":"NCT:09999999"}`,
		`get_trial_locations {"nct_id":"NCT:01844505","near":"Boston, MA"}`,
		`compare_trials {"nct_ids":["NCT:01844505","NCT:00461032"]}`, `get_trial_results {"nct_id":"NCT:01844505"}`,
	} {
		tool, arguments, _ := strings.Cut(c, " ")
		calls = append(calls, question{tool, arguments})
	}
	return calls
}

// TestMirrorAnswersAsTheSandbox: in the mode exact each answer is the sandbox's. In the mode only
// all but the order of words are.
func TestMirrorAnswersAsTheSandbox(t *testing.T) {
	t.Parallel()
	env := []string{"BIOFACT_MIRROR_PATH=" + filepath.Join(t.TempDir(), "mirror.db")}
	synced := biofact(t, env, "--sandbox", "mirror", "sync")
	expect.Must(t, synced.code == 0, "%+v", synced)
	noMirror := launch(t, exec.Command(binary(t), "--sandbox", "--mirror=off"))
	exact := launch(t, exec.Command(binary(t), "--sandbox"), env...)
	only := launch(t, exec.Command(binary(t), "--sandbox", "--mirror=only"), env...)
	for _, c := range trialCalls(t) {
		want, failed := noMirror.answer(t, c)
		got, _ := exact.answer(t, c)
		if !failed {
			expect.Is(t, withoutSampling(t, got), withoutSampling(t, want), "%s: exact", c)
		}
		got, _ = only.answer(t, c)
		if total := totalOf(want); !failed && total != totalOf(got) {
			t.Errorf("%s: only has %s, want %s", c, totalOf(got), total)
		}
	}
	for _, expression := range []string{"AREA[Bogus]x", "AREA[BriefSummary]EXPANSION[None]x"} {
		text, failed := only.answer(t, question{"search_trials", `{"expression":"` + expression + `"}`})
		expect.That(t, failed && strings.Contains(text, "expression: the local mirror of ClinicalTrials.gov could not read it"),
			"the refusal of %s: %s", expression, text)
	}
	noMirror.end(t)
	exact.end(t)
	only.end(t)
}

// withoutSampling removes the parts of an answer that depend on the method of counting: the sandbox counts the years of a closed
// list one by one, the mirror counts all years.
func withoutSampling(t *testing.T, envelope string) string {
	t.Helper()
	var v map[string]any
	expect.NoError(t, json.Unmarshal([]byte(envelope), &v))
	delete(v, "counted")
	if p, ok := v["pagination"].(map[string]any); ok && p["cursor"] != nil {
		p["cursor"] = "" // a cursor holds the version of the data, of which a mirror has its own
	}
	return show(v)
}

func totalOf(envelope string) string {
	var v struct {
		Total      *int `json:"total_count"`
		Pagination struct {
			Total *int `json:"total_count"`
		} `json:"pagination"`
	}
	if json.Unmarshal([]byte(envelope), &v) != nil {
		return envelope
	}
	return show([]*int{v.Total, v.Pagination.Total})
}

// copying is a registry on loopback, and the settings by which a process copies it.
func copying(t testing.TB, n int) (*mirrortest.Registry, []string) {
	t.Helper()
	served, err := mirrortest.New(embeddedTrials(t), n, 3)
	expect.NoError(t, err)
	server := httptest.NewServer(served)
	t.Cleanup(server.Close)
	return served, []string{"BIOFACT_CTGOV_URL=" + server.URL + "/api/v2", "BIOFACT_CTGOV_RPS=1000", "BIOFACT_MIRROR_PATH=" +
		filepath.Join(t.TempDir(), "mirror.db")}
}

// embeddedTrials are the records of trials in the sandbox.
func embeddedTrials(t testing.TB) (records [][]byte) {
	t.Helper()
	out, err := http.NewRequestWithContext(context.Background(), http.MethodGet, "http://sandbox.test/api/v2/studies?pageSize=1000", nil)
	expect.NoError(t, err)
	resp, err := embeddedRecords(t).Trials().RoundTrip(out)
	expect.NoError(t, err)
	defer resp.Body.Close()
	var page struct{ Studies []json.RawMessage }
	expect.NoError(t, json.NewDecoder(resp.Body).Decode(&page))
	for _, s := range page.Studies {
		if len(s) < 30_000 {
			records = append(records, s)
		}
	}
	return records
}

// mirrorSize is the environment by which the tests that load a registry load a larger one:
//
//	BIOFACT_MIRROR_SIZE=30000 go test ./e2e -run 'TestMirror(SurvivesKills|AtSize)' -v -timeout 0
const mirrorSize = "BIOFACT_MIRROR_SIZE"

// sizeOr returns the number of studies that a test loads, and whether the environment requests it.
func sizeOr(usual int) (n int, requested bool) {
	if n, err := strconv.Atoi(os.Getenv(mirrorSize)); err == nil {
		return n, true
	}
	return usual, false
}

// TestMirrorAtSize counts the requests of a first load, of an unchanged registry and of a publication, while two processes read.
func TestMirrorAtSize(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	n, _ := sizeOr(3000)
	served, env := copying(t, n)
	sync := func(most int) string {
		t.Helper()
		served.Requests()
		r := biofact(t, env, "mirror", "sync")
		made := served.Requests()
		expect.Must(t, r.code == 0 && made <= most, "%d requests, want at most %d: %+v", made, most, r)
		t.Logf("%d requests: %s", made, r.stdout)
		return r.stdout
	}
	sync(n/1000 + 50)
	expect.That(t, strings.Contains(sync(1), "nothing since"), "unchanged")
	var readers []*process
	for range 2 {
		readers = append(readers, launch(t, exec.Command(binary(t), "--mirror=only"), env...))
	}
	served.Change(n/50, 5, 1, 0)
	served.Requests()
	done := make(chan string, 1)
	go func() { done <- biofact(t, env, "mirror", "sync").stdout }()
	calls := []question{
		{"get_trial", `{"nct_id":"` + served.IDs()[0] + `"}`}, {"search_trials", `{"status":"recruiting","condition":"cancer"}`},
		{"count_trials", `{"by":"country","then_by":"phase"}`}, {"search_trials", `{"location":"Boston, MA"}`},
	}
	answers := 0
	for report := ""; report == ""; answers++ {
		select {
		case report = <-done:
			expect.That(t, strings.Contains(report, "removed 5, merged 1"), "%s", report)
		default:
			c := calls[answers/2%len(calls)]
			text, failed := readers[answers%2].answer(t, c)
			expect.Must(t, !failed, "%s while a sync writes: %s", c, text)
		}
	}
	// The same at any size: 2 % of it, a thirtieth read again, and the halving that finds what was removed.
	made, most := served.Requests(), 60+n/50/1000+n/30/1000
	t.Logf("a publication: %d requests, %d answers meanwhile", made, answers)
	expect.That(t, made <= most, "%d requests, want at most %d", made, most)
	for _, r := range readers {
		expect.Is(t, totalOf(first(r.answer(t, question{"count_trials", "{}"}))), fmt.Sprintf("[%d,null]", n-6), "trials after the sync")
		r.end(t)
	}
}

func first(text string, _ bool) string { return text }

// TestMirrorSurvivesKills: a sync that is killed at random moments, while the registry changes, leaves nothing
// missing, surplus or stale.
func TestMirrorSurvivesKills(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	n, requested := sizeOr(4000)
	kills := 10
	if requested {
		kills = 25
	}
	served, env := copying(t, n)
	random := rand.New(rand.NewPCG(1, 2))
	path := strings.TrimPrefix(env[2], "BIOFACT_MIRROR_PATH=")
	for kill := range kills {
		killed(t, random, time.Duration(100+max(1500, n/10))*time.Millisecond, env, "mirror", "sync")
		if kill%2 == 0 {
			served.Change(n/75, 2, kill%3, 3)
		}
	}
	r := biofact(t, env, "mirror", "sync")
	expect.Must(t, r.code == 0, "%+v", r)
	if r = biofact(t, env, "mirror", "verify"); r.code != 0 {
		t.Errorf("%+v", r)
	}
	reader := mirror.NewReader(path)
	defer func() { expect.NoError(t, reader.Close()) }()
	ids := served.IDs()
	slices.Sort(ids)
	var have []string
	for token := ""; ; {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
			"http://mirror.test/api/v2/studies?pageSize=1000&fields=NCTId|LastUpdatePostDate"+token, nil)
		expect.NoError(t, err)
		resp, err := reader.RoundTrip(req)
		expect.NoError(t, err)
		var page struct {
			Studies []struct {
				ProtocolSection struct {
					IdentificationModule struct{ NctID string }
					StatusModule         struct{ LastUpdatePostDateStruct struct{ Date string } }
				}
			}
			NextPageToken string
		}
		expect.NoError(t, json.NewDecoder(resp.Body).Decode(&page))
		resp.Body.Close()
		for _, s := range page.Studies {
			id := s.ProtocolSection.IdentificationModule.NctID
			have = append(have, id)
			day := fmt.Sprintf(`"lastUpdatePostDateStruct":{"date":"%s"`, s.ProtocolSection.StatusModule.LastUpdatePostDateStruct.Date)
			expect.That(t, bytes.Contains(served.Record(id), []byte(day)), "%s is stale", id)
		}
		if page.NextPageToken == "" {
			break
		}
		token = "&pageToken=" + page.NextPageToken
	}
	slices.Sort(have)
	expect.Is(t, cmp.Diff(ids, have), "", "ids (-registry +mirror)")
}

// TestMirrorModes: which requests each mode makes.
func TestMirrorModes(t *testing.T) {
	t.Parallel()
	served, env := copying(t, 400)
	r := biofact(t, env, "mirror", "sync")
	expect.Must(t, r.code == 0, "%+v", r)
	id, other := served.IDs()[0], served.IDs()[1]
	served.Requests()
	exact := []question{
		{"get_trial", `{"nct_id":"` + id + `"}`}, {"compare_trials", `{"nct_ids":["` + id + `","` + other + `"]}`},
		{"get_trial_locations", `{"nct_id":"` + id + `"}`}, {"get_trial_results", `{"nct_id":"` + other + `"}`},
		{"count_trials", `{"by":"country","then_by":"phase"}`}, {"count_trials", `{"by":"start_year","status":"completed"}`},
		{"search_trials", `{"status":"recruiting","phase":"Phase 3"}`}, {"search_trials", `{"country":["France"],"sort":"start_date"}`},
		{"search_trials", `{"age":"58","sex":"female"}`}, {"search_trials", `{"location":"Boston, MA","recruiting_site":true}`},
	}
	words := []question{
		{"search_trials", `{"condition":"cancer"}`}, {"search_trials", `{"query":"asthma children"}`},
		{"search_trials", `{"query":"asthma progeria zzqx"}`}, {"search_trials", `{"condition":"asthma","query":"relatlimab"}`},
		{"count_trials", `{"condition":"asthma","by":"phase"}`},
	}
	ask := func(mode string, calls ...question) (requests int) {
		p := launch(t, exec.Command(binary(t), "--mirror="+mode), env...)
		for _, c := range calls {
			text, failed := p.answer(t, c)
			// as some calls of the questions are
			expect.That(t, !failed || strings.Contains(text, "INVALID_INPUT"), "%s: %s: %s", mode, c, text)
		}
		p.end(t)
		return served.Requests()
	}
	expect.Is(t, ask("only", append(append(exact, words...), trialCallsWithoutIDs(t)...)...), 0, "requests of only")
	overHTTP := serveReplica(t, append(env, "BIOFACT_MIRROR=only")...)
	for _, path := range []string{"/healthz", "/readyz"} {
		overHTTP.get(t, path)
	}
	_, err := overHTTP.call(t, words[0])
	expect.NoError(t, err)
	overHTTP.stop(t)
	expect.Is(t, served.Requests(), 0, "requests of only over HTTP")
	expect.Is(t, ask("exact", exact...), 0, "requests of exact, synced less than ten minutes ago")
	syncedAnHourAgo(t, env)
	expect.Is(t, ask("exact", exact...), 1, "requests of exact, synced an hour ago: /version")
	expect.That(t, ask("exact", words[0]) > 0, "the word search sent no request to the registry")
	expect.Is(t, ask("off", exact[0]), 1, "requests of off")
}

// syncedAnHourAgo changes the time of the last sync, so that the mirror is no longer used without a look at the date of the registry.
func syncedAnHourAgo(t *testing.T, env []string) {
	t.Helper()
	path := strings.TrimPrefix(env[2], "BIOFACT_MIRROR_PATH=")
	db, err := sql.Open("sqlite", path)
	expect.NoError(t, err)
	hourAgo := time.Now().Add(-time.Hour).UTC().Format(time.RFC3339)
	_, err = db.ExecContext(t.Context(), "UPDATE meta SET value = ? WHERE key = 'synced'", hourAgo)
	expect.NoError(t, err)
	expect.NoError(t, db.Close())
}

// trialCallsWithoutIDs are the calls of testdata/questions.md that name no trial, which the registries of tests may not have.
func trialCallsWithoutIDs(t *testing.T) []question {
	return slices.DeleteFunc(trialCalls(t), func(c question) bool { return strings.Contains(c.arguments, "NCT") })
}

// TestMirrorRefused: a refused request ends a sync with a message that names the next step, and the next sync continues.
func TestMirrorRefused(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	for _, status := range []int{http.StatusForbidden, http.StatusTooManyRequests} {
		served, env := copying(t, 2500)
		served.OnPage(func(page int) {
			if page == 2 { // the first of the walk, which is still answered
				served.Refuse(status)
			}
		})
		r := biofact(t, env, "mirror", "sync")
		made := served.Requests()
		const howOn = "The trials read so far are kept: run the same command again later to continue"
		expect.That(t, r.code == 1 && strings.Contains(r.stderr, howOn) && made >= 4 && made < 10, "%d: %d requests, %+v", status, made, r)
		r = biofact(t, env, "mirror", "status")
		expect.That(t, strings.Contains(r.stdout, "1000 of about 2500"), "%d: %+v", status, r)
		served.Refuse(0)
		served.OnPage(nil)
		r = biofact(t, env, "mirror", "sync")
		expect.That(t, r.code == 0 && served.Requests() <= 6, "%d: %+v", status, r)
	}
}

// TestMirrorWithoutRoom: a disk that is too small ends a sync before it reads the registry.
func TestMirrorWithoutRoom(t *testing.T) {
	t.Parallel()
	served, env := copying(t, 100)
	served.Claim(1_000_000_000_000)
	r := biofact(t, env, "mirror", "sync")
	made := served.Requests()
	expect.That(t, r.code == 1 && made == 1 && strings.Contains(r.stderr, "the disk is full") && strings.Contains(r.stderr, "GB free"),
		"%d requests, %+v", made, r)
}

const (
	// unusableMirror is the warning of a server in the mode exact.
	unusableMirror = "the local mirror of ClinicalTrials.gov cannot be used"
	// makesNewMirror is the remedy for a broken file.
	makesNewMirror = "biofact mirror remove, then biofact mirror sync"
)

// answersLive expects that a server answers each call with a request to the registry.
func answersLive(t *testing.T, name string, p *process, served *mirrortest.Registry, calls []question) {
	t.Helper()
	for _, c := range calls {
		text, failed := p.answer(t, c)
		expect.That(t, !failed, "%s: exact: %s: %s", name, c, text)
		expect.That(t, c.tool != "count_trials" || totalOf(text) == fmt.Sprintf("[%d,null]", len(served.IDs())), "%s: %s: %s", name, c,
			text)
		expect.That(t, served.Requests() > 0, "%s: exact: %s sent no request", name, c)
	}
}

// refusesAll expects that a server answers each call with an UPSTREAM_ERROR that names the command to run.
func refusesAll(t *testing.T, name string, p *process, calls []question, message string) {
	t.Helper()
	for _, c := range calls {
		text, failed := p.answer(t, c)
		expect.That(t, failed && strings.Contains(text, "UPSTREAM_ERROR") && strings.Contains(text, message) &&
			strings.Contains(text, "biofact mirror sync"), "%s: only: %s: %s", name, c, text)
	}
}

// TestMirrorUnfinished: a first load that was cut has many trials, but no answer comes from it.
func TestMirrorUnfinished(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	served, env := copying(t, 1100)
	served.OnPage(func(page int) {
		if page == 2 { // the first of the walk, which is still answered
			served.Refuse(http.StatusServiceUnavailable)
		}
	})
	r := biofact(t, env, "mirror", "sync")
	expect.Must(t, r.code == 1, "%+v", r)
	r = biofact(t, env, "mirror", "status")
	expect.Must(t, strings.Contains(r.stdout, "1000 of about 1100"), "%+v", r)
	served.Refuse(0)
	served.OnPage(nil)
	ids := served.IDs()
	const incomplete = "is not complete yet"
	calls := []question{
		{"count_trials", `{}`}, {"get_trial", `{"nct_id":"` + ids[0] + `"}`}, {"get_trial_results", `{"nct_id":"` + ids[1] + `"}`},
		{"get_trial_locations", `{"nct_id":"` + ids[2] + `"}`}, {"count_trials", `{"by":"phase"}`},
		{"search_trials", `{"condition":"asthma"}`},
	}
	filtered := []question{ // which the registry of tests does not understand
		{"count_trials", `{"by":"country","then_by":"phase"}`}, {"compare_trials", `{"nct_ids":["` + ids[0] + `","` + ids[1] + `"]}`},
		{"search_trials", `{"status":"recruiting","phase":"Phase 3"}`}, {"search_trials", `{"location":"Boston, MA"}`},
	}
	served.Requests()
	only := launch(t, exec.Command(binary(t), "--mirror=only"), env...)
	refusesAll(t, "unfinished", only, append(filtered, calls...), incomplete)
	only.end(t)
	r = biofact(t, append(env, "BIOFACT_MIRROR=only"), "doctor")
	expect.That(t, strings.Contains(r.stdout, "fail  mirror") && strings.Contains(r.stdout, "biofact mirror sync continues it"), "%+v", r)
	expect.Is(t, served.Requests(), 0, "requests of only")
	exact := launch(t, exec.Command(binary(t)), env...)
	answersLive(t, "unfinished", exact, served, calls)
	exact.end(t)
	log := exact.stderr.String()
	expect.That(t, strings.Count(log, unusableMirror) == 1 && strings.Contains(log, "biofact mirror sync continues it"), "%s", log)
}

// TestMirrorFailures: a file that cannot be used ends in one warning and answers of the registry, or in a clear
// error if only the mirror may answer.
func TestMirrorFailures(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	served, env := copying(t, 300)
	r := biofact(t, env, "mirror", "sync")
	expect.Must(t, r.code == 0, "%+v", r)
	path := strings.TrimPrefix(env[2], "BIOFACT_MIRROR_PATH=")
	content, err := os.ReadFile(path)
	expect.NoError(t, err)
	id, other := served.IDs()[0], served.IDs()[1]
	for _, tt := range []struct {
		name     string
		damage   func() error
		warnings int
		message  string // of only
		remedy   string // of doctor
		sync     string // expected message of sync
	}{
		{"missing", func() error { return os.Remove(path) }, 0, "The local mirror of ClinicalTrials.gov does not exist yet",
			"biofact mirror sync", ""},
		{"empty", func() error { return os.WriteFile(path, nil, 0o600) }, 1, "cannot be read", "biofact mirror sync makes one", ""},
		{"another file", func() error { return os.WriteFile(path, bytes.Repeat([]byte("no database "), 9000), 0o600) }, 1,
			"cannot be read", "BIOFACT_MIRROR_PATH", "BIOFACT_MIRROR_PATH"},
		{"cut", func() error { return os.WriteFile(path, content[:len(content)/16], 0o600) }, 1, "cannot be read", makesNewMirror,
			"biofact mirror remove"},
		{"cut in the middle", func() error { return os.WriteFile(path, content[:len(content)/2], 0o600) }, 1, "cannot be read",
			makesNewMirror, "biofact mirror remove"},
		{"damaged", func() error { return os.WriteFile(path, scratched(content), 0o600) }, 1, "cannot be read", makesNewMirror, ""},
		{"of another registry", func() error {
			another := bytes.ReplaceAll(content, []byte("sourcehttp://127.0.0.1"), []byte("sourcehttp://127.0.0.2"))
			return os.WriteFile(path, another, 0o600)
		}, 1, "is a copy of another registry", "BIOFACT_MIRROR_PATH", "BIOFACT_MIRROR_PATH"},
		{"newer", func() error {
			newer := bytes.Clone(content)
			copy(newer[60:], []byte{0, 0, 0, 99}) // user_version
			return os.WriteFile(path, newer, 0o600)
		}, 1, "cannot be read", makesNewMirror, "another version of Biofact"},
	} {
		for _, suffix := range []string{"-wal", "-shm"} {
			_ = os.Remove(path + suffix) // they are of the file before
		}
		expect.NoError(t, tt.damage())
		served.Requests()
		calls := []question{
			{"get_trial", `{"nct_id":"` + id + `"}`}, {"count_trials", `{}`}, {"get_trial_locations", `{"nct_id":"` + other + `"}`},
		}
		exact := launch(t, exec.Command(binary(t)), env...)
		answersLive(t, tt.name, exact, served, calls)
		exact.end(t)
		expect.Is(t, strings.Count(exact.stderr.String(), unusableMirror), tt.warnings, "%s: warnings: %s", tt.name, &exact.stderr)
		only := launch(t, exec.Command(binary(t), "--mirror=only"), env...)
		refusesAll(t, tt.name, only, calls, tt.message)
		only.end(t)
		r = biofact(t, append(env, "BIOFACT_MIRROR=only"), "doctor")
		if !strings.Contains(r.stdout, "fail  mirror") || !strings.Contains(r.stdout, tt.remedy) {
			t.Errorf("%s: doctor: %+v", tt.name, r)
		}
		expect.Is(t, served.Requests(), 0, "%s: requests of only", tt.name)
		if tt.sync != "" {
			if r = biofact(t, env, "mirror", "sync"); r.code != 1 || !strings.Contains(r.stderr, tt.sync) {
				t.Errorf("%s: sync: %+v", tt.name, r)
			}
		}
	}
	r = biofact(t, env, "mirror", "remove")
	expect.That(t, r.code == 0 && strings.Contains(r.stdout, "removed"), "%+v", r)
}

// TestDamagedRecord: a record that is not the one that a sync has written is no answer, and the error names it.
func TestDamagedRecord(t *testing.T) {
	t.Parallel()
	served, env := copying(t, 20)
	expect.Must(t, biofact(t, env, "mirror", "sync").code == 0, "sync")
	db, err := sql.Open("sqlite", strings.TrimPrefix(env[2], "BIOFACT_MIRROR_PATH="))
	expect.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "UPDATE record SET main = (SELECT main FROM record ORDER BY id DESC LIMIT 1)")
	expect.NoError(t, err)
	expect.NoError(t, db.Close())
	id := slices.Min(served.IDs())
	r := biofact(t, append(env, "BIOFACT_MIRROR=only"), "call", "get_trial", "nct_id="+id)
	expect.That(t, r.code == 1 && strings.Contains(r.stdout+r.stderr, "the record of "+id+" is damaged"), "%+v", r)
}

// scratched returns a file of which all but the first page were written over.
func scratched(data []byte) []byte {
	out := bytes.Clone(data)
	for i := 4096; i < len(out); i++ {
		out[i] ^= 0x5a
	}
	return out
}

// TestMirrorSnapshot: a copy serves where nothing can be written, and a newer one takes its place.
func TestMirrorSnapshot(t *testing.T) {
	t.Parallel()
	served, env := copying(t, 200)
	expect.Must(t, biofact(t, env, "mirror", "sync").code == 0, "sync")
	folder := t.TempDir()
	replica := filepath.Join(folder, "replica.db")
	r := biofact(t, env, "mirror", "snapshot", replica)
	expect.Must(t, r.code == 0, "%+v", r)
	expect.NoError(t, os.Chmod(replica, 0o400))
	expect.NoError(t, os.Chmod(folder, 0o500))
	defer func() { _ = os.Chmod(folder, 0o700) }()
	p := launch(t, exec.Command(binary(t), "--mirror=only", "--mirror-path="+replica), env[:2]...)
	count := func() string { text, _ := p.answer(t, question{"count_trials", "{}"}); return totalOf(text) }
	expect.Is(t, count(), "[200,null]", "the first copy")
	expect.NoError(t, os.Chmod(folder, 0o700))
	served.Change(5, 0, 0, 7)
	expect.Must(t, biofact(t, env, "mirror", "sync").code == 0, "sync")
	expect.Must(t, biofact(t, env, "mirror", "snapshot", replica).code == 0, "snapshot")
	expect.Is(t, count(), "[207,null]", "the newer copy")
	p.end(t)
}
