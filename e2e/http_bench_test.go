package e2e

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// These benchmarks compare the cost of HTTP with that of stdio. Their clients do as little as possible, so that the server is measured:
// they write prepared bytes and look only for the end of an answer.

// crowd is the number of concurrent clients.
const crowd = 16

// cachedQuestions returns calls for the trials of the embedded set.
func cachedQuestions(tb testing.TB) (questions []question) {
	tb.Helper()
	for _, id := range newAnswerKey(tb, config.SandboxEmbedded).ids {
		questions = append(questions, trial(id))
	}
	return questions
}

// A pipeline is a stdio server with as many calls in flight as the HTTP server has clients, such as one client with many agents.
type pipeline struct {
	p     *process
	lines []string
}

// run makes a number of calls and returns the duration of each.
func (l *pipeline) run(tb testing.TB, calls int) (times []time.Duration) {
	tb.Helper()
	var mu sync.Mutex
	started := make([]time.Time, calls)
	next := 0
	begin := func() {
		if next < calls {
			line := strings.Replace(l.lines[next%len(l.lines)], `"id":0`, fmt.Sprintf(`"id":%d`, next), 1)
			mu.Lock()
			started[next] = time.Now()
			mu.Unlock()
			if _, err := io.WriteString(l.p.in, line+"\n"); err != nil {
				tb.Error(err)
			}
			next++
		}
	}
	for range crowd {
		begin()
	}
	for range calls {
		line, err := readLine(l.p.out)
		expect.NoError(tb, err)
		var id int
		if _, after, ok := bytes.Cut(line, []byte(`"id":`)); ok {
			_, _ = fmt.Sscanf(string(after[:min(len(after), 12)]), "%d", &id)
		}
		times = append(times, time.Since(started[id]))
		begin()
	}
	return times
}

// readLine reads a line of any length and returns its beginning.
func readLine(from *bufio.Reader) (head []byte, err error) {
	for {
		part, err := from.ReadSlice('\n')
		if head == nil {
			head = bytes.Clone(part[:min(len(part), 64)])
		}
		if err != bufio.ErrBufferFull { //nolint:errorlint // the reader's own
			return head, err
		}
	}
}

// A keptConnection is an HTTP client that keeps its connection open.
type keptConnection struct {
	conn     net.Conn
	in       *bufio.Reader
	requests [][]byte
}

func connect(tb testing.TB, r *replica, questions []question) *keptConnection {
	tb.Helper()
	conn := r.dial(tb)
	if conn == nil {
		tb.FailNow()
	}
	tb.Cleanup(func() { conn.Close() })
	c := &keptConnection{conn: conn, in: bufio.NewReaderSize(conn, 1<<16)}
	for i, q := range questions {
		line := q.line(i)
		c.requests = append(c.requests,
			fmt.Appendf(nil, "POST /mcp HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n"+
				"Accept: application/json, text/event-stream\r\nContent-Length: %d\r\n\r\n%s", strings.TrimPrefix(r.url, "http://"),
				r.token, len(line), line))
	}
	return c
}

// call makes one call and reads its answer.
func (c *keptConnection) call(n int) error {
	if _, err := c.conn.Write(c.requests[n%len(c.requests)]); err != nil {
		return err
	}
	length, chunked := 0, false
	for first := true; ; first = false {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return err
		}
		switch {
		case first && !bytes.HasPrefix(line, []byte("HTTP/1.1 200")):
			return fmt.Errorf("answered with %s", line)
		case bytes.HasPrefix(line, []byte("Content-Length: ")):
			if length, err = strconv.Atoi(string(bytes.TrimSpace(line[len("Content-Length: "):]))); err != nil {
				return err
			}
		case bytes.HasPrefix(line, []byte("Transfer-Encoding: chunked")):
			chunked = true
		}
		if len(line) == 2 {
			break
		}
	}
	if !chunked {
		_, err := c.in.Discard(length)
		return err
	}
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return err
		}
		size, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 16, 64)
		if err != nil {
			return err
		}
		if _, err := c.in.Discard(int(size) + 2); err != nil || size == 0 {
			return err
		}
	}
}

// runClients makes a number of calls, divided among all clients, and returns the duration of each.
func runClients(tb testing.TB, clients []*keptConnection, calls int) (times []time.Duration) {
	tb.Helper()
	all := make([][]time.Duration, len(clients))
	together(len(clients), func(i int) {
		for n := range calls / len(clients) {
			start := time.Now()
			if err := clients[i].call(n + i*7); err != nil {
				tb.Error(err)
				return
			}
			all[i] = append(all[i], time.Since(start))
		}
	})
	return slices.Concat(all...)
}

// quantile returns the given quantile of durations. It sorts them.
func quantile(times []time.Duration, share float64) time.Duration {
	slices.Sort(times)
	return times[int(share*float64(len(times)-1))]
}

// processorTime returns the processor time of a process. It does not depend on other load of the machine.
func processorTime(tb testing.TB, pid int) time.Duration {
	tb.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0 // no /proc: the figure is zero
	}
	const tick = 10 * time.Millisecond // on every Linux
	_, after, _ := bytes.Cut(stat, []byte(") "))
	fields := strings.Fields(string(after))
	user, err := strconv.Atoi(fields[11])
	expect.NoError(tb, err)
	system, err := strconv.Atoi(fields[12])
	expect.NoError(tb, err)
	return time.Duration(user+system) * tick
}

// BenchmarkHTTP compares 16 clients over HTTP, with tokens, with 16 calls in flight over stdio, for lookups that the file cache
// answers. Both alternate.
func BenchmarkHTTP(b *testing.B) {
	const calls = 1600 // in each turn
	records, questions := embeddedRecords(b), cachedQuestions(b)
	start := func(ours func(env ...string)) {
		ours("BIOFACT_CTGOV_URL="+newRegistry(b, records).url, "BIOFACT_CACHE_DIR="+b.TempDir(), "BIOFACT_CTGOV_RPS=1000")
	}
	piped := &pipeline{}
	start(func(env ...string) { piped.p = launch(b, exec.Command(binary(b)), env...) })
	for _, q := range questions {
		piped.lines = append(piped.lines, q.line(0))
	}
	var served *replica
	start(func(env ...string) { served = serveReplica(b, env...) })
	var clients []*keptConnection
	for range crowd {
		clients = append(clients, connect(b, served, questions))
	}
	piped.run(b, calls) // fills the cache
	runClients(b, clients, calls)

	var ratios []float64
	var overStdio, overHTTP []time.Duration
	processes := []int{piped.p.cmd.Process.Pid, served.cmd.Process.Pid}
	spent := []time.Duration{processorTime(b, processes[0]), processorTime(b, processes[1])}
	made := 0
	for b.Loop() {
		begun := time.Now()
		overStdio = append(overStdio, piped.run(b, calls)...)
		between := time.Now()
		overHTTP = append(overHTTP, runClients(b, clients, calls)...)
		ratios = append(ratios, float64(between.Sub(begun))/float64(time.Since(between)))
		made += calls
	}
	slices.Sort(ratios)
	ratio := ratios[len(ratios)/2]
	for i, pid := range processes {
		spent[i] = (processorTime(b, pid) - spent[i]) / time.Duration(made)
	}
	for ; made < 100_000; made += calls {
		runClients(b, clients, calls)
	}
	least, after, peak := residentKB(b, processes[0]), residentKB(b, processes[1]), memoryKB(b, processes[1], "VmHWM")
	b.ReportMetric(ratio, "throughput/stdio")
	b.ReportMetric(float64(quantile(overHTTP, .99).Microseconds()), "µs-p99")
	figures.add(fmt.Sprintf("cached get_trial, %d clients over HTTP beside %d calls in flight over stdio, throughput", crowd, crowd),
		"", "", fmt.Sprintf("x%.2f", ratio), "at least x0.50")
	figures.addTimes(b, "the same, p50", quantile(overStdio, .5), quantile(overHTTP, .5), "")
	figures.addTimes(b, "the same, p99", quantile(overStdio, .99), quantile(overHTTP, .99), "under 10 ms")
	figures.addTimes(b, "the same, processor time of the server for a call", spent[0], spent[1], "")
	figures.addMB(fmt.Sprintf("the same, resident after %d calls over HTTP", made), least, after, "under 60 MB")
	figures.addMB("the same, resident at most", least, peak, "")
	piped.p.end(b)
	if output := served.stop(b); strings.Count(output, "\n") != 1 {
		b.Errorf("stderr: %s", output)
	}
}
