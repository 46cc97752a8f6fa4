package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mirror"
	"github.com/biofact-mcp/biofact/internal/mirror/mirrortest"
)

// A ran is what a command printed.
type ran struct {
	stdout, stderr string
	code           int
}

// biofact runs the binary to its end.
func biofact(t testing.TB, env []string, args ...string) ran {
	t.Helper()
	cmd := exec.Command(binary(t), args...)
	cmd.Env = append(os.Environ(), append([]string{"NCBI_ADMIN_EMAIL=test@example.org", "BIOFACT_CACHE_DIR=off"}, env...)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run() // the exit code says it
	return ran{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// trialCalls are the calls of trial tools in docs/questions.md that stand for themselves, and some that
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
	noMirror.end(t)
	exact.end(t)
	only.end(t)
}

// withoutSampling leaves out of an answer what depends on how it was counted: the sandbox counts years one by
// one in a closed list, the mirror all that there are.
func withoutSampling(t *testing.T, envelope string) string {
	t.Helper()
	var v map[string]any
	expect.NoError(t, json.Unmarshal([]byte(envelope), &v))
	delete(v, "counted")
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

// TestMirrorSurvivesKills: a sync that is killed at random moments, while the registry changes, leaves nothing
// missing, surplus or stale.
func TestMirrorSurvivesKills(t *testing.T) {
	t.Parallel()
	n, kills := 2500, 6
	if !testing.Short() {
		n, kills = 6000, 25
	}
	served, env := copying(t, n)
	random := rand.New(rand.NewPCG(1, 2))
	path := strings.TrimPrefix(env[2], "BIOFACT_MIRROR_PATH=")
	for kill := range kills {
		cmd := exec.Command(binary(t), "mirror", "sync")
		cmd.Env = append(os.Environ(), append([]string{"BIOFACT_CACHE_DIR=off"}, env...)...)
		cmd.Stdout, cmd.Stderr = io.Discard, io.Discard
		expect.NoError(t, cmd.Start())
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		select {
		case <-ended:
		case <-time.After(time.Duration(100+random.IntN(1500)) * time.Millisecond):
			_ = cmd.Process.Kill() // it may have ended
			<-ended
		}
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
	id := served.IDs()[0]
	served.Requests()
	lookup := []string{"call", "get_trial", "nct_id=" + id}
	for _, tt := range []struct {
		mode     string
		call     []string
		requests int
		code     int
	}{
		{"only", lookup, 0, 0},
		{"only", []string{"call", "search_trials", "condition=cancer"}, 0, 0},
		{"only", []string{"call", "count_trials", "by=country", "then_by=phase"}, 0, 0},
		{"exact", lookup, 0, 0}, // synced less than ten minutes ago
		{"exact", []string{"call", "count_trials", "by=country", "then_by=phase"}, 0, 0},
		{"exact", []string{"call", "search_trials", "status=recruiting"}, 0, 0},
		{"off", lookup, 1, 0},
	} {
		r := biofact(t, append(env, "BIOFACT_MIRROR="+tt.mode), tt.call...)
		if made := served.Requests(); made != tt.requests || r.code != tt.code {
			t.Errorf("%s %v: %d requests, want %d; %+v", tt.mode, tt.call, made, tt.requests, r)
		}
	}
}

// TestMirrorFailures: a file that cannot be used ends in one warning and answers of the registry, or in a clear
// error where only the mirror may be asked.
func TestMirrorFailures(t *testing.T) {
	t.Parallel()
	served, env := copying(t, 300)
	r := biofact(t, env, "mirror", "sync")
	expect.Must(t, r.code == 0, "%+v", r)
	path := strings.TrimPrefix(env[2], "BIOFACT_MIRROR_PATH=")
	content, err := os.ReadFile(path)
	expect.NoError(t, err)
	id := served.IDs()[0]
	for _, tt := range []struct {
		name     string
		damage   func() error
		warnings int
		message  string // of only
		sync     string // what sync says
	}{
		{"missing", func() error { return os.Remove(path) }, 0, "There is no local mirror", ""},
		{"empty", func() error { return os.WriteFile(path, nil, 0o600) }, 1, "cannot be read", ""},
		{"another file", func() error { return os.WriteFile(path, bytes.Repeat([]byte("no database "), 9000), 0o600) }, 1, "cannot be read",
			"biofact mirror remove"},
		{"cut", func() error { return os.WriteFile(path, content[:len(content)/16], 0o600) }, 1, "cannot be read", "biofact mirror remove"},
		{"newer", func() error {
			newer := bytes.Clone(content)
			copy(newer[60:], []byte{0, 0, 0, 99}) // user_version
			return os.WriteFile(path, newer, 0o600)
		}, 1, "cannot be read", "another version of Biofact"},
	} {
		for _, suffix := range []string{"-wal", "-shm"} {
			_ = os.Remove(path + suffix) // they are of the file before
		}
		expect.NoError(t, tt.damage())
		served.Requests()
		r := biofact(t, env, "call", "get_trial", "nct_id="+id)
		if warnings := strings.Count(r.stderr, "the local mirror of ClinicalTrials.gov cannot be used"); r.code != 0 ||
			warnings != tt.warnings {
			t.Errorf("%s: %d warnings, want %d: %+v", tt.name, warnings, tt.warnings, r)
		}
		expect.That(t, served.Requests() > 0, "%s: the registry was not asked", tt.name)
		r = biofact(t, append(env, "BIOFACT_MIRROR=only"), "call", "get_trial", "nct_id="+id)
		if made := served.Requests(); r.code != 1 || made != 0 || !strings.Contains(r.stdout, "UPSTREAM_ERROR") ||
			!strings.Contains(r.stdout, tt.message) || !strings.Contains(r.stdout, "biofact mirror sync") {
			t.Errorf("%s: only: %d requests, %+v", tt.name, made, r)
		}
		r = biofact(t, append(env, "BIOFACT_MIRROR=only"), "doctor")
		if !strings.Contains(r.stdout, "fail  mirror") || !strings.Contains(r.stdout, "biofact mirror sync") || served.Requests() != 0 {
			t.Errorf("%s: doctor: %+v", tt.name, r)
		}
		if tt.sync != "" {
			if r = biofact(t, env, "mirror", "sync"); r.code != 2 || !strings.Contains(r.stderr, tt.sync) {
				t.Errorf("%s: sync: %+v", tt.name, r)
			}
		}
	}
	r = biofact(t, env, "mirror", "remove")
	expect.That(t, r.code == 0 && strings.Contains(r.stdout, "removed"), "%+v", r)
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
