package e2e

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/expect"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/sandbox"
	"github.com/biofact-mcp/biofact/internal/store"
)

// These tests run the built binary as clients do: several processes of one user share a cache file and an upstream.

// A registry is an upstream on the loopback. It answers as the sandbox does and records the arrivals of requests.
type registry struct {
	url     string // base URL for BIOFACT_CTGOV_URL
	records http.RoundTripper

	mu       sync.Mutex
	arrivals []arrival
}

type arrival struct {
	at   time.Time
	path string
}

func newRegistry(tb testing.TB, records http.RoundTripper) *registry {
	tb.Helper()
	r := &registry{records: records}
	server := httptest.NewServer(r)
	tb.Cleanup(server.Close)
	r.url = server.URL + "/api/v2"
	return r
}

func (r *registry) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	r.arrivals = append(r.arrivals, arrival{time.Now(), req.URL.Path})
	r.mu.Unlock()
	resp, err := r.records.RoundTrip(req)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	defer resp.Body.Close()
	maps.Copy(w.Header(), resp.Header)
	w.WriteHeader(resp.StatusCode)
	_, _ = io.Copy(w, resp.Body) // a killed client does not read the rest
}

// requests returns the number of requests for studies and for the version.
func (r *registry) requests() (studies, versions int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, a := range r.arrivals {
		if strings.HasSuffix(a.path, "/version") {
			versions++
		} else {
			studies++
		}
	}
	return studies, versions
}

// closest returns the shortest time between two arrivals.
func (r *registry) closest() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	least := time.Hour
	for i := 1; i < len(r.arrivals); i++ {
		least = min(least, r.arrivals[i].at.Sub(r.arrivals[i-1].at))
	}
	return least
}

// keepsPace checks the pace of the arrivals after since. All earlier requests must have been answered by then.
func (r *registry) keepsPace(tb testing.TB, since time.Time, interval time.Duration) {
	tb.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	var times []time.Time
	for _, a := range r.arrivals {
		if a.at.After(since) {
			times = append(times, a.at)
		}
	}
	expect.That(tb, len(times) > 0, "no request since")
	keepsPace(tb, since, times, interval)
}

// keepsPace checks that arrival number n is at least n intervals after since, counted from 0. No request started before since. A busy
// machine delays arrivals and never advances them, so the check holds on any machine, and a faster pace fails it.
func keepsPace(tb testing.TB, since time.Time, arrivals []time.Time, interval time.Duration) {
	tb.Helper()
	const rounding = time.Millisecond // the store has microseconds, and clocks are adjusted
	for n, at := range slices.SortedFunc(slices.Values(arrivals), time.Time.Compare) {
		least, took := time.Duration(n)*interval-rounding, at.Sub(since)
		expect.That(tb, took >= least, "request %d of %d arrived after %v, want at least %v", n+1, len(arrivals), took, least)
	}
}

// A process is a running server and its client's end of the pipes.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer // to be read after the end

	listening bool
	read      chan struct{} // closed at the end of the output
	killed    atomic.Bool

	writing sync.Mutex
	mu      sync.Mutex
	last    int // id of the newest request
	waiting map[int]chan message
	ended   bool
}

type message struct {
	ID     int `json:"id"`
	Result struct {
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
		IsError bool `json:"isError"`
		Meta    struct {
			Cache entity.CacheUse `json:"biofact/cache"`
		} `json:"_meta"`
	} `json:"result"`
	Error json.RawMessage `json:"error"`
}

// launch starts a server and initializes it. Its answers are read with roundTrip or, after listen, by any number of concurrent calls.
func launch(tb testing.TB, cmd *exec.Cmd, env ...string) *process {
	tb.Helper()
	p := &process{cmd: cmd, waiting: map[int]chan message{}, read: make(chan struct{})}
	cmd.Env = append(os.Environ(), "NCBI_ADMIN_EMAIL=test@example.org", "BIOFACT_CACHE_DIR=off")
	cmd.Env = append(cmd.Env, env...)
	cmd.Stderr = &p.stderr
	var err error
	if p.in, err = cmd.StdinPipe(); err != nil {
		tb.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	expect.NoError(tb, err)
	p.out = bufio.NewReaderSize(out, 1<<16)
	expect.NoError(tb, cmd.Start())
	tb.Cleanup(func() { _ = cmd.Process.Kill() }) // does nothing if the process has ended
	if line, err := p.roundTrip(initialize); err != nil || !bytes.Contains(line, []byte(`"serverInfo"`)) {
		tb.Fatalf("initialize was answered with %q, %v", line, err)
	}
	fmt.Fprintln(p.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return p
}

// roundTrip writes a line and reads the answer.
func (p *process) roundTrip(line string) ([]byte, error) {
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		return nil, err
	}
	return p.out.ReadBytes('\n')
}

// listen passes answers to the calls that wait for them.
func (p *process) listen() *process {
	p.listening = true
	go func() {
		defer close(p.read)
		for {
			line, err := p.out.ReadBytes('\n')
			p.mu.Lock()
			if err != nil {
				p.ended = true
				for _, w := range p.waiting {
					close(w)
				}
				p.mu.Unlock()
				return
			}
			var m message
			if json.Unmarshal(line, &m) == nil && p.waiting[m.ID] != nil {
				p.waiting[m.ID] <- m
				delete(p.waiting, m.ID)
			}
			p.mu.Unlock()
		}
	}()
	return p
}

var errEnded = errors.New("the process has ended")

// call makes a tool call and returns its envelope and how the cache was used.
func (p *process) call(question question) (envelope string, cache entity.CacheUse, err error) {
	answered := make(chan message, 1)
	p.mu.Lock()
	if p.ended {
		p.mu.Unlock()
		return "", "", errEnded
	}
	p.last++
	id := p.last
	p.waiting[id] = answered
	p.mu.Unlock()
	p.writing.Lock()
	_, err = io.WriteString(p.in, question.line(id)+"\n")
	p.writing.Unlock()
	if err != nil {
		return "", "", err
	}
	m, ok := <-answered
	switch {
	case !ok:
		return "", "", errEnded
	case m.Error != nil || len(m.Result.Content) != 1:
		return "", "", fmt.Errorf("%s was answered with %+v", question, m)
	}
	return m.Result.Content[0].Text, m.Result.Meta.Cache, nil
}

// end closes the input and returns the standard error of the server, which must exit with 0.
func (p *process) end(tb testing.TB) string {
	tb.Helper()
	p.in.Close()
	if p.listening {
		<-p.read
	} else if _, err := io.Copy(io.Discard, p.out); err != nil {
		tb.Error(err)
	}
	if err := p.cmd.Wait(); err != nil {
		tb.Errorf("the process ended with %v\n%s", err, &p.stderr)
	}
	return p.stderr.String()
}

// kill sends SIGKILL.
func (p *process) kill(tb testing.TB) {
	tb.Helper()
	p.killed.Store(true)
	expect.Succeeds(tb, p.cmd.Process.Kill(), "error")
	<-p.read
	_ = p.cmd.Wait() // the error says that it was killed
}

// A question is a call of a tool with its arguments as JSON.
type question struct{ tool, arguments string }

func (q question) String() string { return q.tool + " " + q.arguments }

func (q question) line(id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, q.tool, q.arguments)
}

// An answerKey has the right answers: those of the same tools in this process with the same records, without cache, pace and network.
type answerKey struct {
	app *app.App
	ids []string // of all records

	mu    sync.Mutex
	right map[question]string
}

// newAnswerKey returns the answers from records. They do not say that the records are of a sandbox: a process that asks a source with
// these records does not know it.
func newAnswerKey(tb testing.TB, records string) *answerKey {
	tb.Helper()
	cfg, err := config.Read([]string{"BIOFACT_CACHE_DIR=off"})
	expect.NoError(tb, err)
	cfg.Sandbox = records
	k := &answerKey{right: map[question]string{}}
	if k.app, err = app.New(tb.Context(), cfg, "0", nil); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(k.app.Close)
	hideOrigin(k.app)
	for cursor := "first"; cursor != ""; {
		arguments := `{"study_type":["interventional","observational","expanded access"],"page_size":50`
		if cursor != "first" {
			arguments += fmt.Sprintf(`,"cursor":%q`, cursor)
		}
		var page entity.Page[entity.TrialSearchCandidate]
		expect.NoError(tb, json.Unmarshal([]byte(k.answer(question{"search_trials", arguments + "}"})), &page))
		for _, c := range page.Items {
			k.ids = append(k.ids, c.ID)
		}
		cursor = page.Pagination.Cursor
	}
	return k
}

// hideOrigin leaves out of the answers of an app that the records are of a sandbox.
func hideOrigin(a *app.App) {
	for _, t := range a.Tools {
		t.Origin = nil
	}
}

func (k *answerKey) answer(q question) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, known := k.right[q]; !known {
		k.right[q] = string(k.app.Tool(q.tool).Call(context.Background(), k.app.Log, json.RawMessage(q.arguments)).JSON)
	}
	return k.right[q]
}

// trial returns the call for one trial.
func trial(id string) question { return question{"get_trial", fmt.Sprintf(`{"nct_id":%q}`, id)} }

// ask makes all calls concurrently and checks the answers.
func (k *answerKey) ask(tb testing.TB, p *process, ids []string) {
	tb.Helper()
	var all sync.WaitGroup
	for _, id := range ids {
		all.Go(func() { k.check(tb, p, trial(id)) })
	}
	all.Wait()
}

// check makes a call, and fails the test if the answer is wrong. It returns how the cache was used.
func (k *answerKey) check(tb testing.TB, p *process, q question) entity.CacheUse {
	tb.Helper()
	got, cache, err := p.call(q)
	if p.killed.Load() {
		return ""
	}
	if want := k.answer(q); err != nil || got != want {
		tb.Errorf("%s: %v\n got %.300s\nwant %.300s", q, err, got, want)
	}
	return cache
}

func embeddedRecords(tb testing.TB) *sandbox.Sandbox {
	tb.Helper()
	s, err := sandbox.New()
	expect.NoError(tb, err)
	return s
}

// TestProcessesShareThePace checks that eight processes that send requests at once together keep the pace of one.
func TestProcessesShareThePace(t *testing.T) {
	const interval = 200 * time.Millisecond
	key, up := newAnswerKey(t, config.SandboxEmbedded), newRegistry(t, embeddedRecords(t))
	start, took := eightProcesses(t, key, up, interval)
	studies, versions := up.requests()
	t.Logf("%d requests in %v", studies+versions, took)
	// Calls that join before the first turn are in its batch, the others in the second.
	expect.That(t, studies >= 8 && studies <= 16 && versions == 0,
		"%d requests for studies, want 8 to 16; %d for the version, want none", studies, versions)
	up.keepsPace(t, start, interval)
}

// eightProcesses makes five concurrent calls in each of eight processes, and returns the start and the time until all are answered.
func eightProcesses(tb testing.TB, key *answerKey, up *registry, interval time.Duration) (start time.Time, took time.Duration) {
	tb.Helper()
	const processes, calls = 8, 5
	dir := tb.TempDir()
	var running []*process
	for range processes {
		running = append(running, launch(tb, exec.Command(binary(tb)), "BIOFACT_CTGOV_URL="+up.url, "BIOFACT_CACHE_DIR="+dir,
			fmt.Sprintf("BIOFACT_CTGOV_RPS=%g", 1/interval.Seconds())).listen())
	}
	for _, id := range key.ids[:processes*calls] {
		key.answer(trial(id)) // computed first, so that it does not delay the calls
	}
	start = time.Now()
	var all sync.WaitGroup
	for i, p := range running {
		all.Go(func() { key.ask(tb, p, key.ids[i*calls:(i+1)*calls]) })
	}
	all.Wait()
	took = time.Since(start)
	for _, p := range running {
		silent(tb, p)
	}
	return start, took
}

// TestProcessesShareTheDay: eight processes together send the requests that openFDA allows on a day without a key, and a process after a
// restart sends none. Each refusal names the setting that raises the limit.
func TestProcessesShareTheDay(t *testing.T) {
	const allowed = 1000
	up, dir, day := newRegistry(t, embeddedRecords(t)), t.TempDir(), time.Now().UTC().YearDay()
	start := func() *process {
		return launch(t, exec.Command(binary(t)), "BIOFACT_OPENFDA_URL="+strings.TrimSuffix(up.url, "/api/v2"),
			"BIOFACT_CACHE_DIR="+dir, "BIOFACT_OPENFDA_RPS=1000", "OPENFDA_API_KEY=").listen()
	}
	untilRefused := func(p *process, name string) {
		for n := range allowed {
			answer, _, err := p.call(question{"search_drugs", fmt.Sprintf(`{"query":"%s %d"}`, name, n)})
			if err != nil || strings.Contains(answer, string(entity.RateLimited)) {
				expect.That(t, err == nil && strings.Contains(answer, "OPENFDA_API_KEY") && strings.Contains(answer, "midnight UTC"),
					"%s, %v", answer, err)
				return
			}
		}
		t.Errorf("%s was never refused", name)
	}
	var all sync.WaitGroup
	for i := range 8 {
		p := start()
		all.Go(func() { untilRefused(p, fmt.Sprintf("process %d", i)) })
	}
	all.Wait()
	untilRefused(start(), "restart")
	if sent, _ := up.requests(); day == time.Now().UTC().YearDay() {
		expect.Is(t, sent, allowed, "requests")
	}
}

// silent ends a process that must have logged nothing.
func silent(tb testing.TB, p *process) {
	tb.Helper()
	expect.Is(tb, p.end(tb), "", "stderr")
}

// TestManyLookups requests 200 real trials at once from one process, twice, and once more from the next process.
func TestManyLookups(t *testing.T) {
	expect.Slow(t)
	key, up := realRecords(t)
	dir := t.TempDir()
	// All calls are in progress at once, so that they share requests.
	p := launch(t, exec.Command(binary(t)), "BIOFACT_CTGOV_URL="+up.url, "BIOFACT_CACHE_DIR="+dir, "BIOFACT_MAX_CALLS=200").listen()
	for _, id := range key.ids[:200] {
		key.answer(trial(id))
	}
	start := time.Now()
	key.ask(t, p, key.ids[:200])
	cold := time.Since(start)
	requests, versions := up.requests()
	expect.That(t, requests >= 2 && requests <= 3 && versions == 0,
		"%d requests for studies, want 2 or 3; %d for the version, want none", requests, versions)
	expect.That(t, cold <= 10*time.Second, "200 trials took %v", cold)
	start = time.Now()
	key.ask(t, p, key.ids[:200])
	again := time.Since(start)
	silent(t, p)
	p = launch(t, exec.Command(binary(t)), "BIOFACT_CTGOV_URL="+up.url, "BIOFACT_CACHE_DIR="+dir).listen()
	start = time.Now()
	key.ask(t, p, key.ids[:200])
	restarted := time.Since(start)
	silent(t, p)
	if studies, versions := up.requests(); studies != requests || versions > 1 {
		t.Errorf("the store was not used: %d more requests for studies, %d for the version", studies-requests, versions)
	}
	t.Logf("200 trials: cold %v in %d requests, again %v, by the next process %v", cold, requests, again, restarted)
}

// realRecords returns a registry with the real records.
func realRecords(tb testing.TB) (*answerKey, *registry) {
	tb.Helper()
	if _, err := os.Stat(corpus); err != nil {
		tb.Skipf("the real records are not here: %v", err)
	}
	records, err := sandbox.Open(tb.Context(), corpus)
	expect.NoError(tb, err)
	return newAnswerKey(tb, corpus), newRegistry(tb, records)
}

// TestKill kills processes at random moments while all of them write, and clears the cache in between so that they keep writing.
func TestKill(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	const processes, kills = 4, 12
	key, up := newAnswerKey(t, config.SandboxEmbedded), newRegistry(t, embeddedRecords(t))
	dir := t.TempDir()
	file := filepath.Join(dir, "biofact.db")
	var questions []question
	for _, id := range key.ids {
		questions = append(questions, trial(id))
	}
	for size := 1; size <= 50; size++ {
		questions = append(questions, question{"search_trials", fmt.Sprintf(`{"status":"completed","page_size":%d}`, size)})
	}
	begin := func() *process {
		return launch(t, exec.Command(binary(t)), "BIOFACT_CTGOV_URL="+up.url, "BIOFACT_CACHE_DIR="+dir, "BIOFACT_CTGOV_RPS=1000").listen()
	}
	stop := make(chan struct{})
	var loops sync.WaitGroup
	var right atomic.Int64
	work := func(p *process, seed uint64) {
		loops.Go(func() {
			random := rand.New(rand.NewPCG(seed, 0))
			for !p.killed.Load() {
				select {
				case <-stop:
					return
				default:
					key.check(t, p, questions[random.IntN(len(questions))])
					right.Add(1)
				}
			}
		})
	}
	var running []*process
	for i := range processes {
		running = append(running, begin())
		for worker := range 3 {
			work(running[i], uint64(i*10+worker))
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for kill := range kills {
		time.Sleep(time.Duration(50+random.IntN(150)) * time.Millisecond)
		expect.Succeeds(t, store.Clear(t.Context(), file), "error")
		time.Sleep(time.Duration(random.IntN(50)) * time.Millisecond)
		victim := random.IntN(processes)
		running[victim].kill(t)
		running[victim] = begin()
		for worker := range 3 {
			work(running[victim], uint64(1000+kill*10+worker))
		}
	}
	close(stop)
	loops.Wait()
	id := trial(key.ids[0])
	key.check(t, running[0], id)
	for _, p := range running {
		silent(t, p)
	}
	info, err := store.Inspect(t.Context(), file)
	expect.That(t, err == nil && info.Entries != 0, "the file holds %d entries, %v", info.Entries, err)
	expect.Is(t, integrity(t, file), "ok", "the file is not in order")
	p := begin()
	expect.Is(t, key.check(t, p, id), entity.CacheHit, "a new process answers by")
	silent(t, p)
	t.Logf("%d kills, %d calls, %d entries", kills, right.Load(), info.Entries)
}

// integrity returns SQLite's integrity check of a file.
func integrity(t *testing.T, file string) (verdict string) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	expect.NoError(t, err)
	defer db.Close()
	expect.NoError(t, db.QueryRowContext(t.Context(), "PRAGMA integrity_check").Scan(&verdict))
	return verdict
}

// TestUnusableCache runs processes whose cache file cannot be used, from the start or later. The answers must be right, with one
// warning.
//
// A path below a regular file replaces a folder without write permission, which does not bind root. A limit on the size of files
// replaces a full disk, which not every sandbox can mount.
func TestUnusableCache(t *testing.T) {
	t.Parallel()
	key, up := newAnswerKey(t, config.SandboxEmbedded), newRegistry(t, embeddedRecords(t))
	run := func(t *testing.T, cmd *exec.Cmd, dir string) string {
		t.Helper()
		p := launch(t, cmd, "BIOFACT_CTGOV_URL="+up.url, "BIOFACT_CACHE_DIR="+dir, "BIOFACT_CTGOV_RPS=1000").listen()
		key.ask(t, p, key.ids)
		key.check(t, p, trial(key.ids[0])) // the file may have it from before it was full
		if cache := key.check(t, p, trial(key.ids[0])); cache != entity.CacheHit {
			t.Errorf("answered by %q at last, want a hit in memory", cache)
		}
		return p.end(t)
	}
	// used creates a cache file with answers.
	used := func(t *testing.T) (dir, file string) {
		t.Helper()
		dir = t.TempDir()
		if output := run(t, exec.Command(binary(t)), dir); output != "" {
			t.Fatalf("stderr: %s", output)
		}
		return dir, filepath.Join(dir, "biofact.db")
	}
	for name, prepare := range map[string]func(t *testing.T) (*exec.Cmd, string){
		"corrupt from the start": func(t *testing.T) (*exec.Cmd, string) {
			dir, file := used(t)
			overwrite(t, file, 0, 1)
			return exec.Command(binary(t)), dir
		},
		"corrupt inside": func(t *testing.T) (*exec.Cmd, string) {
			dir, file := used(t)
			overwrite(t, file, 0.1, 1)
			return exec.Command(binary(t)), dir
		},
		"cut off": func(t *testing.T) (*exec.Cmd, string) {
			dir, file := used(t)
			info, err := os.Stat(file)
			expect.NoError(t, err)
			expect.NoError(t, os.Truncate(file, info.Size()/3))
			return exec.Command(binary(t)), dir
		},
		"no folder can be made": func(t *testing.T) (*exec.Cmd, string) {
			file := filepath.Join(t.TempDir(), "file")
			expect.NoError(t, os.WriteFile(file, nil, 0o600))
			return exec.Command(binary(t)), filepath.Join(file, "below")
		},
		"full from the start": func(t *testing.T) (*exec.Cmd, string) { return limited(t, 16), t.TempDir() },
		"full after a while":  func(t *testing.T) (*exec.Cmd, string) { return limited(t, 200), t.TempDir() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd, dir := prepare(t)
			output := run(t, cmd, dir)
			// A full file may refuse answers only, or the pace as well.
			lost, full := strings.Count(output, "the cache file cannot be used"), strings.Count(output, "the cache file takes no answers")
			expect.That(t, lost <= 1 && full <= 1 && lost+full != 0 && (full <= 0 || name == "full after a while") &&
				strings.Count(output, "\n") == lost+full,
				"want one warning on stderr, got %q", output)
		})
	}
}

// limited returns a command that runs the binary with a limit in kB on the files that it writes.
func limited(t *testing.T, kB int) *exec.Cmd {
	t.Helper()
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash to limit the size of files with")
	}
	return exec.Command(shell, "-c", fmt.Sprintf(`ulimit -f %d && exec "$0"`, kB), binary(t))
}

// overwrite fills a part of a file with noise.
func overwrite(t *testing.T, path string, from, to float64) {
	t.Helper()
	content, err := os.ReadFile(path)
	expect.NoError(t, err)
	random := rand.New(rand.NewPCG(3, 4))
	for i := int(from * float64(len(content))); i < int(to*float64(len(content))); i++ {
		content[i] = byte(random.Uint32())
	}
	expect.NoError(t, os.WriteFile(path, content, 0o600))
}

// TestCacheRemoved removes the cache folder of a running process and starts another process with the same folder.
func TestCacheRemoved(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	key, up := newAnswerKey(t, config.SandboxEmbedded), newRegistry(t, embeddedRecords(t))
	dir := filepath.Join(t.TempDir(), "cache")
	begin := func() *process {
		return launch(t, exec.Command(binary(t)), "BIOFACT_CTGOV_URL="+up.url, "BIOFACT_CACHE_DIR="+dir, "BIOFACT_CTGOV_RPS=1000").listen()
	}
	first := begin()
	key.ask(t, first, key.ids[:len(key.ids)/2])
	expect.NoError(t, os.RemoveAll(dir))
	second := begin()
	key.ask(t, first, key.ids)
	key.ask(t, second, key.ids)
	if output := first.end(t); strings.Count(output, "\n") > 1 {
		t.Errorf("want one warning at the most, got %s", output)
	}
	silent(t, second)
}

// A retitled transport answers with the embedded records and other titles.
type retitled struct{ http.RoundTripper }

func (r retitled) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := r.RoundTripper.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	body = bytes.ReplaceAll(body, []byte(`Title":"`), []byte(`Title":"other: `))
	resp.Header.Del("Content-Length")
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// TestSourcesStayApart runs processes with different base URLs, and with the sandbox, on one cache file.
func TestSourcesStayApart(t *testing.T) {
	t.Parallel()
	key := newAnswerKey(t, config.SandboxEmbedded)
	one, other := newRegistry(t, embeddedRecords(t)), newRegistry(t, retitled{embeddedRecords(t)})
	dir := t.TempDir()
	id := trial(key.ids[0])
	want := key.answer(id)
	embedded := string(corpusApp(t, config.SandboxEmbedded).Tool(id.tool).Call(t.Context(), slog.New(slog.DiscardHandler),
		json.RawMessage(id.arguments)).JSON)
	for i, c := range []struct {
		url   string
		args  []string
		cache entity.CacheUse
		other bool
	}{
		{url: other.url, args: []string{"--sandbox"}}, // stores nothing
		{url: one.url, cache: entity.CacheMiss},
		{url: other.url, cache: entity.CacheMiss, other: true},
		{url: one.url, cache: entity.CacheHit},
		{url: other.url, cache: entity.CacheHit, other: true},
		{url: other.url, args: []string{"--sandbox"}}, // reads nothing
	} {
		p := launch(t, exec.Command(binary(t), c.args...), "BIOFACT_CTGOV_URL="+c.url, "BIOFACT_CACHE_DIR="+dir,
			"BIOFACT_CTGOV_RPS=1000").listen()
		got, cache, err := p.call(id)
		expect.That(t, err == nil && cache == c.cache, "%d: cache %q, want %q, %v", i, cache, c.cache, err)
		right := want
		if c.args != nil {
			right = embedded
		}
		expect.That(t, (got != right) == c.other && strings.Contains(got, `"title":"other: `) == c.other,
			"%d: the answer of another source: %.200s", i, got)
		if c.args == nil {
			silent(t, p)
			continue
		}
		notice := p.end(t)
		expect.That(t, strings.HasPrefix(notice, "biofact: Sandbox: ") && strings.Count(notice, "\n") == 1, "stderr of a sandbox: %q", notice)
	}
	if studies, _ := one.requests(); studies != 1 {
		t.Errorf("%d requests to the first source, want 1", studies)
	}
	if studies, _ := other.requests(); studies != 1 {
		t.Errorf("%d requests to the other source, want 1", studies)
	}
}
