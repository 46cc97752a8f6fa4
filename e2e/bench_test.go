package e2e

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/sandbox"
	"github.com/biofact-mcp/biofact/internal/service"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// These benchmarks measure the figures that the project promises. Each is compared with a baseline of the same run, which alternates
// with it, because absolute figures depend on the machine. One table shows all figures.

// A table has a row for each figure.
type table struct{ rows [][]string }

var figures table

// add adds a figure, or replaces the figure of an earlier run of the benchmark.
func (t *table) add(what, baseline, figure, compared, goal string) {
	t.rows = slices.DeleteFunc(t.rows, func(row []string) bool { return row[0] == what })
	t.rows = append(t.rows, []string{what, baseline, figure, compared, goal})
}

func (t *table) print(out io.Writer) {
	if len(t.rows) == 0 {
		return
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nwhat\tbaseline\tbiofact\tdifference, ratio\tgoal")
	for _, row := range t.rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	_ = w.Flush()
	fmt.Fprintln(out)
}

// addTimes adds a duration and its baseline.
func (t *table) addTimes(b *testing.B, what string, baseline, figure time.Duration, goal string) {
	b.ReportMetric(float64(figure.Nanoseconds()), "ns/op")
	b.ReportMetric(float64(baseline.Nanoseconds()), "ns/baseline")
	t.add(what, rounded(baseline), rounded(figure),
		fmt.Sprintf("%+d µs, x%.2f", (figure-baseline).Microseconds(), float64(figure)/float64(baseline)), goal)
}

func rounded(d time.Duration) string {
	if d >= 10*time.Millisecond {
		return d.Round(100 * time.Microsecond).String()
	}
	return fmt.Sprintf("%d µs", d.Microseconds())
}

// inTurns runs functions alternately, so that other load on the machine affects all of them, and returns the median duration of each.
func inTurns(b *testing.B, functions ...func()) []time.Duration {
	times := make([][]time.Duration, len(functions))
	for b.Loop() {
		for i, f := range functions {
			start := time.Now()
			f()
			times[i] = append(times[i], time.Since(start))
		}
	}
	medians := make([]time.Duration, len(functions))
	for i, all := range times {
		slices.Sort(all)
		medians[i] = all[len(all)/2]
	}
	return medians
}

// BenchmarkStart measures the built binary from its start to the answer to initialize, and its resident memory at that time.
func BenchmarkStart(b *testing.B) {
	ours, least := binary(b), trivial(b)
	var kB [3]int
	var times [3][]time.Duration
	for b.Loop() {
		for i, cmd := range []*exec.Cmd{exec.Command(least), exec.Command(ours), exec.Command(ours, "--sandbox")} {
			start := time.Now()
			p := launch(b, cmd)
			times[i] = append(times[i], time.Since(start))
			kB[i] = residentKB(b, p.cmd.Process.Pid)
			p.end(b)
		}
	}
	for i := range times {
		slices.Sort(times[i])
	}
	half := len(times[0]) / 2
	figures.addTimes(b, "start to initialize, --sandbox", times[0][half], times[2][half], "at most x2.00")
	figures.addTimes(b, "start to initialize", times[0][half], times[1][half], "at most x2.00")
	figures.addMB("resident after initialize", kB[0], kB[1], "under 18 MB")
}

func (t *table) addMB(what string, baseline, figure int, goal string) {
	t.add(what, fmt.Sprintf("%.1f MB", float64(baseline)/1024), fmt.Sprintf("%.1f MB", float64(figure)/1024),
		fmt.Sprintf("%+.1f MB, x%.2f", float64(figure-baseline)/1024, float64(figure)/float64(baseline)), goal)
}

// A canned transport answers every request with the same bytes, at no cost.
type canned struct {
	header http.Header
	body   []byte
}

func (c *canned) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: req,
		Header: c.header.Clone(), Body: io.NopCloser(bytes.NewReader(c.body)), ContentLength: int64(len(c.body)),
	}, nil
}

// A recorder keeps the response to the newest request.
type recorder struct {
	records *sandbox.Sandbox
	last    *canned
}

func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := r.records.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	r.last = &canned{header: resp.Header, body: body}
	return r.last.RoundTrip(req)
}

// over returns a function that calls the tools over a transport, without cache and pace.
func over(tb testing.TB, base http.RoundTripper) func(question) tool.Result {
	tb.Helper()
	log := slog.New(slog.DiscardHandler)
	handlers := service.New(service.Options{MaxAnswerBytes: 400_000, Sources: sourcetest.Setup{
		CTGovURL: "http://127.0.0.1/api/v2",
		CTGov:    upstream.NewClient(upstream.Options{Source: "ClinicalTrials.gov", Base: base, Tries: 4, MaxBody: 16 << 20, Log: log}),
	}.Sources(tb)})
	table := tools.Table(handlers)
	return func(q question) tool.Result {
		i := slices.IndexFunc(table, func(t *tool.Tool) bool { return t.Name == q.tool })
		return table[i].Call(tb.Context(), log, json.RawMessage(q.arguments))
	}
}

// fullPage is a search whose page has 50 of the embedded records.
var fullPage = question{"search_trials", `{"study_type":["interventional","observational"],"page_size":50}`}

// medianTrial returns the call for the embedded record whose upstream response has the median size.
func medianTrial(tb testing.TB) (question, *canned) {
	tb.Helper()
	transport := &recorder{records: embeddedRecords(tb)}
	call := over(tb, transport)
	type sized struct {
		question question
		answer   *canned
	}
	var all []sized
	for _, id := range newAnswerKey(tb, config.SandboxEmbedded).ids {
		call(trial(id))
		all = append(all, sized{trial(id), transport.last})
	}
	slices.SortFunc(all, func(a, b sized) int { return len(a.answer.body) - len(b.answer.body) })
	median := all[len(all)/2]
	return median.question, median.answer
}

// BenchmarkCall compares a call that sends a request with the request alone: the difference is Biofact's own cost.
func BenchmarkCall(b *testing.B) {
	measure := func(b *testing.B, q question, answer *canned, goal string) {
		call := over(b, answer)
		if r := call(q); r.IsError {
			b.Fatalf("%s: %s", q, r.JSON)
		}
		times := inTurns(b, func() {
			req, err := http.NewRequestWithContext(b.Context(), http.MethodGet, "http://127.0.0.1/api/v2/studies", nil)
			expect.NoError(b, err)
			resp, err := answer.RoundTrip(req)
			expect.NoError(b, err)
			if _, err := io.ReadAll(resp.Body); err != nil {
				b.Fatal(err)
			}
		}, func() { call(q) })
		figures.addTimes(b, fmt.Sprintf("%s over the bare exchange, %d bytes", q.tool, len(answer.body)), times[0], times[1], goal)
	}
	b.Run("search_trials", func(b *testing.B) {
		transport := &recorder{records: embeddedRecords(b)}
		var page struct{ Items []json.RawMessage }
		if err := json.Unmarshal(over(b, transport)(fullPage).JSON, &page); err != nil || len(page.Items) != 50 {
			b.Fatalf("%d candidates, %v", len(page.Items), err)
		}
		measure(b, fullPage, transport.last, "under +1500 µs")
	})
	b.Run("get_trial", func(b *testing.B) {
		q, answer := medianTrial(b)
		measure(b, q, answer, "under +500 µs")
	})
}

// line sends a line to a server and returns the answer. It is not for concurrent calls.
func (p *process) line(tb testing.TB, line string) []byte {
	tb.Helper()
	answer, err := p.roundTrip(line)
	expect.Must(tb, err == nil && !bytes.Contains(answer, []byte(`"isError":true`)) && !bytes.Contains(answer, []byte(`"error":{`)),
		"%s was answered with %.300s, %v", line, answer, err)
	return answer
}

// BenchmarkCached measures calls over stdio that the file cache answers. The baselines are trivial tools over stdio: one that answers
// ok, and one that answers the same bytes, which shows the share of the protocol library.
func BenchmarkCached(b *testing.B) {
	up := newRegistry(b, embeddedRecords(b))
	get, _ := medianTrial(b)
	for _, c := range []struct {
		question question
		goal     string
	}{
		{get, "under +150 µs"},
		{fullPage, ""},
	} {
		b.Run(c.question.tool, func(b *testing.B) {
			ours := launch(b, exec.Command(binary(b)), "BIOFACT_CTGOV_URL="+up.url, "BIOFACT_CACHE_DIR="+b.TempDir(),
				"BIOFACT_CTGOV_RPS=1000")
			line := c.question.line(1)
			var first message
			expect.NoError(b, json.Unmarshal(ours.line(b, line), &first))
			file := filepath.Join(b.TempDir(), "answer.json")
			expect.NoError(b, os.WriteFile(file, []byte(first.Result.Content[0].Text), 0o600))
			least, same := launch(b, exec.Command(trivial(b))), launch(b, exec.Command(trivial(b), file))
			if answer := ours.line(b, line); !bytes.Contains(answer, []byte(`"biofact/cache":"hit"`)) {
				b.Fatalf("not from the store: %.300s", answer)
			}
			echo := question{"echo", "{}"}.line(1)
			times := inTurns(b,
				func() { least.line(b, echo) },
				func() { same.line(b, echo) },
				func() { ours.line(b, line) })
			figures.addTimes(b, fmt.Sprintf("cached %s over stdio, p50, beside a tool that says ok", c.question.tool), times[0],
				times[2], c.goal)
			figures.addTimes(b, fmt.Sprintf("cached %s over stdio, p50, beside the same %d bytes", c.question.tool,
				len(first.Result.Content[0].Text)), times[1], times[2], "")
			for _, p := range []*process{ours, least, same} {
				p.end(b)
			}
		})
	}
}

// BenchmarkManyLookups requests 200 different trials at once, with an empty cache.
func BenchmarkManyLookups(b *testing.B) {
	key, up := realRecords(b)
	var took time.Duration
	var requests int
	for b.Loop() {
		p := launch(b, exec.Command(binary(b)), "BIOFACT_CTGOV_URL="+up.url, "BIOFACT_CACHE_DIR="+b.TempDir()).listen()
		before, _ := up.requests()
		start := time.Now()
		key.ask(b, p, key.ids[:200])
		took = time.Since(start)
		requests, _ = up.requests()
		requests -= before
		p.end(b)
	}
	figures.add("200 real trials at once, cold, 1 request/s", "", rounded(took), fmt.Sprintf("%d requests", requests),
		"under 4 s, 2 or 3 requests")
}

// BenchmarkEightProcesses makes five concurrent calls in each of eight processes.
func BenchmarkEightProcesses(b *testing.B) {
	const interval = 200 * time.Millisecond
	key := newAnswerKey(b, config.SandboxEmbedded)
	var up *registry
	var took time.Duration
	for b.Loop() {
		up = newRegistry(b, embeddedRecords(b))
		_, took = eightProcesses(b, key, up, interval)
	}
	requests, _ := up.requests()
	figures.add("8 processes, 5 calls each at once, 5 requests/s", interval.String()+" apart", rounded(took),
		fmt.Sprintf("%d requests, closest %s", requests, rounded(up.closest())), "never closer, all answered")
}

// BenchmarkMemory measures the resident memory after 10,000 calls.
func BenchmarkMemory(b *testing.B) {
	up := newRegistry(b, embeddedRecords(b))
	ids := newAnswerKey(b, config.SandboxEmbedded).ids
	var idle, least, after int
	for b.Loop() {
		ours := launch(b, exec.Command(binary(b)), "BIOFACT_CTGOV_URL="+up.url, "BIOFACT_CACHE_DIR="+b.TempDir(), "BIOFACT_CTGOV_RPS=1000")
		baseline := launch(b, exec.Command(trivial(b)))
		idle = residentKB(b, ours.cmd.Process.Pid)
		for i := range 10_000 {
			q := trial(ids[i%len(ids)])
			if i%10 == 0 {
				q = fullPage
			}
			ours.line(b, q.line(i))
			baseline.line(b, question{"echo", "{}"}.line(i))
		}
		after, least = residentKB(b, ours.cmd.Process.Pid), residentKB(b, baseline.cmd.Process.Pid)
		ours.end(b)
		baseline.end(b)
	}
	figures.addMB("resident after 10,000 calls, beside idle", idle, after, "under 30 MB")
	figures.addMB("resident after 10,000 calls, beside trivial", least, after, "")
}

// BenchmarkToolsList measures the list of tools, which every client reads.
func BenchmarkToolsList(b *testing.B) {
	p := launch(b, exec.Command(binary(b)))
	var answer []byte
	for b.Loop() {
		var err error
		if answer, err = p.roundTrip(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`); err != nil {
			b.Fatal(err)
		}
	}
	p.end(b)
	var list struct {
		Result map[string]json.RawMessage `json:"result"`
	}
	var all []map[string]json.RawMessage
	expect.NoError(b, json.Unmarshal(answer, &list))
	expect.NoError(b, json.Unmarshal(list.Result["tools"], &all))
	for _, t := range all {
		delete(t, "outputSchema")
	}
	without, err := json.Marshal(all)
	expect.NoError(b, err)
	figures.add(fmt.Sprintf("tools/list, %d tools, without output schemas", len(all)), "", fmt.Sprintf("%d bytes", len(without)), "",
		"9 tools: under 14 kB")
	figures.add(fmt.Sprintf("tools/list, %d tools, with output schemas", len(all)), "", fmt.Sprintf("%d bytes", len(list.Result["tools"])),
		"", "9 tools: under 48 kB")
}

// binary returns the path of the command, which is built once for all tests, or the path in BIOFACT_TEST_BINARY.
func binary(tb testing.TB) string {
	tb.Helper()
	if path := os.Getenv("BIOFACT_TEST_BINARY"); path != "" {
		_, err := os.Stat(path) // the go command's test cache depends on the file
		expect.NoError(tb, err)
		return path
	}
	path, err := built()
	expect.NoError(tb, err)
	return path
}

// trivial returns the path of the smallest server that the protocol library can make.
func trivial(tb testing.TB) string {
	tb.Helper()
	path, err := builtTrivial()
	expect.NoError(tb, err)
	return path
}

var (
	built        = sync.OnceValues(func() (string, error) { return build("../cmd/biofact", "biofact") })
	builtTrivial = sync.OnceValues(func() (string, error) {
		return build("../internal/mcpserver/testdata/trivial", "trivial")
	})
	binaries string // the folder of the built binaries
)

// TestMain removes the built binaries and prints the table of the benchmarks. Under -short it runs nothing, because every test starts
// the built binary.
func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		fmt.Println("e2e: skipped under -short: its tests build the binary and start processes")
		return
	}
	data, err := os.MkdirTemp("", "biofact-data-")
	if err == nil {
		err = os.Setenv("XDG_DATA_HOME", data) // no test reads the mirror or the watches of the user
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(data)
	figures.print(os.Stdout)
	if binaries != "" {
		_ = os.RemoveAll(binaries)
	}
	os.Exit(code)
}

var folder sync.Mutex

// build compiles a command with the flags of a release.
func build(pkg, name string) (string, error) {
	folder.Lock()
	defer folder.Unlock()
	if binaries == "" {
		var err error
		if binaries, err = os.MkdirTemp("", "biofact-test-"); err != nil {
			return "", err
		}
		if err := os.Chmod(binaries, 0o755); err != nil { // some tests run the binary as another user
			return "", err
		}
	}
	path := filepath.Join(binaries, name)
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", path, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", pkg, err, out)
	}
	return path, nil
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`

func residentKB(tb testing.TB, pid int) int {
	tb.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0 // no /proc: the figure is zero
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kb, err := strconv.Atoi(strings.Fields(rest)[0])
			expect.NoError(tb, err)
			return kb
		}
	}
	return 0
}
