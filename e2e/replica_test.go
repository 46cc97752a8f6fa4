package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// testSecret signs the tokens of the tests.
const testSecret = "a-secret-of-more-than-32-bytes-for-tests"

// A replica is a process of the built binary that serves over HTTP.
type replica struct {
	cmd    *exec.Cmd
	url    string // of the server, without a path
	token  string // token of its clients; empty: no token
	stderr *transcript
	client *http.Client
}

// serveReplica starts a server with HS256 tokens on a free port. Variables in env override its settings; a later one overrides an
// earlier one.
func serveReplica(tb testing.TB, env ...string) *replica {
	tb.Helper()
	settings := append([]string{"MCP_AUTH_SECRET_KEY=" + testSecret, "MCP_CLIENT_RATE=0"}, env...)
	r := startReplica(tb, settings...)
	r.token = issue(tb, "--subject", "ann")
	return r
}

// startReplica starts a server on a free port.
func startReplica(tb testing.TB, env ...string) *replica {
	tb.Helper()
	r := &replica{cmd: exec.Command(binary(tb), "serve", "--http"), stderr: newTranscript(),
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 500}}}
	r.cmd.Env = append(os.Environ(), "NCBI_ADMIN_EMAIL=test@example.org", "BIOFACT_CACHE_DIR=off", "MCP_HTTP_PORT=0")
	r.cmd.Env = append(r.cmd.Env, env...)
	output, err := r.cmd.StderrPipe()
	expect.NoError(tb, err)
	expect.NoError(tb, r.cmd.Start())
	go r.stderr.read(output)
	tb.Cleanup(func() {
		_ = r.cmd.Process.Kill() // does nothing if the process has ended
		r.client.CloseIdleConnections()
	})
	const greeting = "biofact: serving "
	_, after, _ := strings.Cut(r.stderr.await(tb, greeting, 1), greeting)
	address, _, _ := strings.Cut(after, "\n")
	r.url = strings.TrimSuffix(address, "/mcp")
	return r
}

// issue makes a token with the built binary.
func issue(tb testing.TB, flags ...string) string {
	tb.Helper()
	cmd := exec.Command(binary(tb), append([]string{"token"}, flags...)...)
	cmd.Env = append(os.Environ(), "MCP_AUTH_SECRET_KEY="+testSecret)
	out, err := cmd.Output()
	expect.Must(tb, err == nil, "biofact token: %v", err)
	return strings.TrimSpace(string(out))
}

// A reply is the response to a request.
type reply struct {
	status int
	header http.Header
	body   []byte
}

func (r reply) String() string { return fmt.Sprintf("%d %.300s", r.status, r.body) }

// request sends a POST to /mcp, or a GET if the body is empty.
func (r *replica) request(tb testing.TB, path, body string, header ...string) (*http.Request, error) {
	tb.Helper()
	method, content := http.MethodGet, io.Reader(http.NoBody)
	if body != "" {
		method, content = http.MethodPost, strings.NewReader(body)
	}
	req, err := http.NewRequestWithContext(tb.Context(), method, r.url+path, content)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if r.token != "" {
		req.Header.Set("Authorization", "Bearer "+r.token)
	}
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			req.Host = header[i+1]
		} else {
			req.Header.Set(header[i], header[i+1])
		}
	}
	return req, nil
}

// send sends a request and reads the complete response.
func (r *replica) send(tb testing.TB, path, body string, header ...string) (reply, error) {
	tb.Helper()
	req, err := r.request(tb, path, body, header...)
	if err != nil {
		return reply{}, err
	}
	resp, err := r.client.Do(req)
	if err != nil {
		return reply{}, err
	}
	defer resp.Body.Close()
	content, err := io.ReadAll(resp.Body)
	return reply{resp.StatusCode, resp.Header, content}, err
}

// get returns the body at a path. The status must be 200.
func (r *replica) get(tb testing.TB, path string) string {
	tb.Helper()
	got, err := r.send(tb, path, "")
	expect.Must(tb, err == nil && got.status == http.StatusOK, "GET %s: %v, %v", path, got, err)
	return string(got.body)
}

// call makes a tool call.
func (r *replica) call(tb testing.TB, q question) (message, error) {
	tb.Helper()
	got, err := r.send(tb, "/mcp", q.line(1))
	if err != nil {
		return message{}, err
	}
	var m message
	if err := json.Unmarshal(got.body, &m); err != nil || got.status != http.StatusOK || len(m.Result.Content) != 1 {
		return message{}, fmt.Errorf("%s was answered with %v", q, got)
	}
	return m, nil
}

// sample returns a metric without labels, or with labels in the order of Prometheus. It fails the test if the metric does not exist.
func sample(tb testing.TB, figures, name string) float64 {
	tb.Helper()
	for line := range strings.Lines(figures) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			n, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			expect.NoError(tb, err)
			return n
		}
	}
	tb.Fatalf("no metric %s in\n%s", name, figures)
	return 0
}

// terminate sends SIGTERM to the server.
func (r *replica) terminate(tb testing.TB) {
	tb.Helper()
	expect.Succeeds(tb, r.cmd.Process.Signal(syscall.SIGTERM), "error")
}

// wait waits until the server exits with 0, and returns its standard error.
func (r *replica) wait(tb testing.TB) string {
	tb.Helper()
	<-r.stderr.ended
	if err := r.cmd.Wait(); err != nil {
		tb.Errorf("the server ended with %v\n%s", err, r.stderr)
	}
	return r.stderr.String()
}

// stop terminates the server and returns its standard error.
func (r *replica) stop(tb testing.TB) string {
	tb.Helper()
	r.client.CloseIdleConnections()
	r.terminate(tb)
	return r.wait(tb)
}

// kill sends SIGKILL.
func (r *replica) kill(tb testing.TB) {
	tb.Helper()
	expect.Succeeds(tb, r.cmd.Process.Kill(), "error")
	<-r.stderr.ended
	_ = r.cmd.Wait() // the error says that it was killed
}

// A transcript is the standard error of a process so far.
type transcript struct {
	ended chan struct{} // closed at the end of the output

	mu      sync.Mutex
	text    strings.Builder
	changed chan struct{} // closed and replaced with each line
}

func newTranscript() *transcript {
	return &transcript{ended: make(chan struct{}), changed: make(chan struct{})}
}

func (s *transcript) read(from io.Reader) {
	defer close(s.ended)
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadString('\n')
		s.mu.Lock()
		s.text.WriteString(line)
		close(s.changed)
		s.changed = make(chan struct{})
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (s *transcript) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// await waits until the transcript contains a text a number of times, and returns it.
func (s *transcript) await(tb testing.TB, something string, times int) string {
	tb.Helper()
	patience := time.NewTimer(time.Minute)
	defer patience.Stop()
	for {
		s.mu.Lock()
		text, changed := s.text.String(), s.changed
		s.mu.Unlock()
		if strings.Count(text, something) >= times {
			return text
		}
		select {
		case <-changed:
		case <-s.ended:
			tb.Fatalf("the process ended before it said %q\n%s", something, s)
		case <-patience.C:
			tb.Fatalf("the process never said %q\n%s", something, s)
		}
	}
}

// A redisServer is a Redis for one test, without persistence.
type redisServer struct {
	address string
	cmd     *exec.Cmd
	stdout  *transcript
}

// serveRedis starts a Redis. It skips the test if Redis is not installed.
func serveRedis(tb testing.TB) *redisServer {
	tb.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		tb.Skip("redis-server is not in PATH")
	}
	s := &redisServer{address: freeAddress(tb)}
	tb.Cleanup(func() { s.kill() })
	s.start(tb)
	return s
}

// freeAddress returns a loopback address that is not in use.
func freeAddress(tb testing.TB) string {
	tb.Helper()
	free, err := new(net.ListenConfig).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	expect.NoError(tb, err)
	defer free.Close()
	return free.Addr().String()
}

// start starts Redis, empty, at the same address as before.
func (s *redisServer) start(tb testing.TB) {
	tb.Helper()
	_, port, _ := net.SplitHostPort(s.address)
	s.cmd = exec.Command("redis-server", "--bind", "127.0.0.1", "--port", port, "--save", "", "--appendonly", "no", "--dir", tb.TempDir())
	s.stdout = newTranscript()
	out, err := s.cmd.StdoutPipe()
	expect.NoError(tb, err)
	expect.NoError(tb, s.cmd.Start())
	go s.stdout.read(out)
	s.stdout.await(tb, "eady to accept connections", 1)
}

// kill sends SIGKILL.
func (s *redisServer) kill() {
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Kill()
	<-s.stdout.ended
	_ = s.cmd.Wait() // the error says that it was killed
	s.cmd = nil
}

// An anyRecord is an upstream that has a record for each requested id: trials, genes and articles. It records the arrivals of requests.
// If hold is not nil, a request for a study waits until hold is closed.
type anyRecord struct {
	genes anyGene
	hold  chan struct{} // nil: no request waits

	mu       sync.Mutex
	arrivals []visit
	most     int           // maximum number of ids in one request
	held     chan struct{} // receives a value for each waiting request
}

type visit struct {
	at    time.Time
	agent string
}

func newAnyRecord() *anyRecord { return &anyRecord{held: make(chan struct{}, 1000)} }

// RoundTrip implements http.RoundTripper.
func (a *anyRecord) RoundTrip(req *http.Request) (*http.Response, error) {
	now := time.Now()
	if err := req.ParseForm(); err != nil {
		return nil, err
	}
	ids := strings.FieldsFunc(req.Form.Get("filter.ids")+req.Form.Get("id"), func(r rune) bool { return r == '|' || r == ',' })
	a.mu.Lock()
	a.arrivals = append(a.arrivals, visit{now, req.UserAgent()})
	a.most = max(a.most, len(ids))
	a.mu.Unlock()
	switch {
	case strings.HasSuffix(req.URL.Path, "/version"):
		return jsonAnswer(`{"apiVersion":"2.0.5","dataTimestamp":"2020-01-01T09:00:00"}`), nil
	case strings.HasSuffix(req.URL.Path, "/studies"):
		if a.hold != nil {
			a.held <- struct{}{}
			<-a.hold
		}
		return jsonAnswer(studies(ids)), nil
	case req.Form.Get("db") == "gene":
		return a.genes.RoundTrip(req)
	case req.Form.Get("db") == "pubmed":
		return xmlAnswer(articles(ids)), nil
	}
	return nil, fmt.Errorf("unexpected request for %s", req.URL)
}

// seen returns the requests since a moment.
func (a *anyRecord) seen(since time.Time) (visits []visit) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, v := range a.arrivals {
		if v.at.After(since) {
			visits = append(visits, v)
		}
	}
	return visits
}

// times returns the arrivals of the requests.
func times(visits []visit) (list []time.Time) {
	for _, v := range visits {
		list = append(list, v.at)
	}
	return list
}

func studies(ids []string) string {
	var all []string
	for _, id := range ids {
		all = append(all, fmt.Sprintf(`{"protocolSection":{"identificationModule":{"nctId":%q,"briefTitle":"Trial %s"},"statusModule":{"overallStatus":"COMPLETED"}}}`, id, id))
	}
	return `{"studies":[` + strings.Join(all, ",") + `]}`
}

func articles(ids []string) string {
	var all strings.Builder
	for _, id := range ids {
		fmt.Fprintf(&all, `<PubmedArticle><MedlineCitation><PMID Version="1">%s</PMID><Article><ArticleTitle>Article %s</ArticleTitle></Article></MedlineCitation></PubmedArticle>`, id, id)
	}
	return `<?xml version="1.0" ?><PubmedArticleSet>` + all.String() + `</PubmedArticleSet>`
}

func jsonAnswer(body string) *http.Response { return typedAnswer("application/json", body) }

func xmlAnswer(body string) *http.Response { return typedAnswer("text/xml; charset=UTF-8", body) }

func typedAnswer(kind, body string) *http.Response {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {kind}},
		Body: io.NopCloser(strings.NewReader(body))}
}

// A lookup is a call for a record of anyRecord, and a text that its answer contains.
type lookup struct {
	question
	shows string
}

func trialLookup(n int) lookup {
	return lookup{trial(fmt.Sprintf("NCT:%08d", n)), fmt.Sprintf(`"title":"Trial NCT%08d"`, n)}
}

func geneLookup(n int) lookup {
	return lookup{question{"get_gene", fmt.Sprintf(`{"entrez_id":"NCBIGene:%d"}`, n)}, fmt.Sprintf(`"symbol":"GENE%d"`, n)}
}

func articleLookup(n int) lookup {
	return lookup{question{"fetchArticleDetails", fmt.Sprintf(`{"pmids":["%d"]}`, n)}, fmt.Sprintf(`"title":"Article %d"`, n)}
}

var errNotAnswered = errors.New("not the right answer")

// lookUp makes a lookup and returns its answer. A wrong answer is an error.
func (r *replica) lookUp(tb testing.TB, l lookup) (message, error) {
	tb.Helper()
	m, err := r.call(tb, l.question)
	if err == nil && (m.Result.IsError || !strings.Contains(m.Result.Content[0].Text, l.shows)) {
		err = fmt.Errorf("%w to %s: %.300s", errNotAnswered, l.question, m.Result.Content[0].Text)
	}
	return m, err
}

// poll waits until a condition is true. The condition is about another process, which sends no event.
func poll(tb testing.TB, what string, so func() bool) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), time.Minute)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !so() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			tb.Fatalf("it never came to it: %s", what)
		}
	}
}

// text returns the body without the line end.
func (r reply) text() string { return string(bytes.TrimSpace(r.body)) }
