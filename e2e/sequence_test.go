package e2e

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mcpserver"
	"github.com/biofact-mcp/biofact/internal/service"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/sources"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

const (
	sequenceCallers = 8
	maxPool         = 2000 // questions that are repeated
	maxHarvest      = 500  // ids of answers that become arguments
)

// TestSequences sends random calls to one server from several clients, concurrently over stdio and HTTP, for two seconds or for
// BIOFACT_SOAK. An answer must not depend on earlier calls: each must equal the answer of a new process. BIOFACT_SOAK_SEED repeats the
// calls of a run, but not their order.
func TestSequences(t *testing.T) {
	expect.Slow(t)
	duration, seed := 2*time.Second, rand.Uint64()
	if text := os.Getenv("BIOFACT_SOAK"); text != "" {
		duration = must(time.ParseDuration(text))
	}
	if text := os.Getenv("BIOFACT_SOAK_SEED"); text != "" {
		if _, err := fmt.Sscan(text, &seed); err != nil {
			t.Fatal(err)
		}
	}
	binary(t)
	s := newSequences(t)
	end := time.Now().Add(duration)
	var callers sync.WaitGroup
	for i := range sequenceCallers {
		random := rand.New(rand.NewPCG(seed, uint64(i)))
		callers.Go(func() {
			for !t.Failed() && time.Now().Before(end) {
				s.ask(t, random)
			}
		})
	}
	callers.Wait()
	t.Logf("%v, seed %d: %d calls, %d different, %d errors, tools %v", duration, seed, s.calls.Load(), len(s.right), s.failures.Load(),
		s.callsByTool)
	if long := duration >= 30*time.Second; long && len(s.callsByTool) != len(s.table) || s.failures.Load() == 0 ||
		s.failures.Load() == s.calls.Load() {
		t.Error("not all tools were called, or all calls ended alike")
	}
}

// sequences are calls of one server, over stdio and over HTTP.
type sequences struct {
	table []*tool.Tool
	ways  []func(question) (envelope string, err error)

	calls, failures atomic.Int64 // failures counts error answers

	mu          sync.Mutex
	callsByTool map[string]int // calls by tool
	pool        []question
	harvest     []string                  // ids of answers
	right       map[question]*freshAnswer // answers of a process without earlier calls
}

// A freshAnswer is the checksum of the answer of a new process.
type freshAnswer struct {
	once sync.Once
	sum  [sha256.Size]byte
	err  error
}

// newSequences starts a server in this process, so that the race detector covers it. Requests to its sources are paced, so that calls
// wait and share requests. Its cache is small, so that it answers only some of the calls.
func newSequences(t *testing.T) *sequences {
	cfg := must(config.Read(nil))
	quiet := slog.New(slog.DiscardHandler)
	cache := store.New(store.Options{MaxBytes: 2 << 20, Log: quiet})
	records, access := embeddedRecords(t), map[string]source.Access{}
	for _, described := range source.All() {
		o := described.Options(cfg, upstream.Options{Base: described.Sandbox(records), Turns: cache, MaxBody: 16 << 20, Log: quiet})
		o.Interval, o.Tries = time.Millisecond, 1
		client := upstream.NewClient(o)
		access[described.Name] = source.Access{
			Source: described, URL: described.BaseURL(cfg), Client: client, Doer: described.Doer(cfg, "test", client), Store: cache,
		}
	}
	opened, err := sources.Open(cfg, access, nil)
	expect.NoError(t, err)
	handlers := service.New(service.Options{Sources: *opened, MaxAnswerBytes: cfg.MaxAnswerBytes})
	s := &sequences{table: byDefault(tools.Table(handlers)), callsByTool: map[string]int{}, right: map[question]*freshAnswer{}}
	for _, served := range s.table { // as a process with --sandbox, with which the answers are compared
		served.Origin = app.Origin(&config.Config{Sandbox: config.SandboxEmbedded})
	}
	server := mcpserver.New(s.table, mcpserver.Options{Version: "test", Timeout: time.Minute, Log: quiet})
	s.ways = []func(question) (string, error){overStdio(t, server), overHTTP(t, server)}
	return s
}

// overStdio returns a function that makes calls over a pair of pipes.
func overStdio(t *testing.T, server *mcpserver.Server) func(question) (string, error) {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	p := &process{in: toServer, out: bufio.NewReader(fromServer), waiting: map[int]chan message{}, read: make(chan struct{})}
	go func() { out.CloseWithError(server.ServeStdio(t.Context(), in, out)) }()
	if line, err := p.roundTrip(initialize); err != nil || !bytes.Contains(line, []byte(`"serverInfo"`)) {
		t.Fatalf("initialize was answered with %q, %v", line, err)
	}
	fmt.Fprintln(toServer, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	p.listen()
	t.Cleanup(func() {
		toServer.Close()
		<-p.read
	})
	return func(q question) (string, error) {
		envelope, _, err := p.call(q)
		return envelope, err
	}
}

// overHTTP returns a function that makes calls over HTTP.
func overHTTP(t *testing.T, server *mcpserver.Server) func(question) (string, error) {
	endpoint := httptest.NewServer(server.HTTP())
	t.Cleanup(endpoint.Close)
	r := &replica{url: endpoint.URL, client: endpoint.Client()}
	return func(q question) (string, error) {
		m, err := r.call(t, q)
		if err != nil {
			return "", err
		}
		return m.Result.Content[0].Text, nil
	}
}

// ask makes a call and follows its pages, and compares each answer with that of a new process.
func (s *sequences) ask(t *testing.T, random *rand.Rand) {
	q := s.question(random)
	for page := 0; ; page++ {
		way := random.IntN(len(s.ways))
		envelope, err := s.ways[way](q)
		if err != nil {
			t.Errorf("%s: %v", q, err)
			return
		}
		s.calls.Add(1)
		if sum, err := s.fresh(t, q); err != nil || sum != sha256.Sum256(canonical(t, envelope)) {
			fresh, _ := callFresh(t, q)
			t.Errorf("%s over %s: %v\n got %.2000s\nwant %.2000s", q, []string{"stdio", "HTTP"}[way], err, canonical(t, envelope), fresh)
			return
		}
		cursor := s.learn(envelope)
		if cursor == "" || page == 3 || random.IntN(3) == 0 {
			return
		}
		var arguments map[string]any
		if err := json.Unmarshal([]byte(q.arguments), &arguments); err != nil {
			return
		}
		arguments["cursor"] = cursor
		q.arguments = string(must(json.Marshal(arguments)))
	}
}

// question returns a new call or an earlier one.
func (s *sequences) question(random *rand.Rand) question {
	s.mu.Lock()
	defer s.mu.Unlock()
	var q question
	if len(s.pool) > 0 && random.IntN(2) == 0 {
		q = s.pool[random.IntN(len(s.pool))]
	} else {
		tool := s.table[random.IntN(len(s.table))]
		q = question{tool.Name, string(must(json.Marshal(s.arguments(random, tool.Arguments))))}
		if len(s.pool) < maxPool {
			s.pool = append(s.pool, q)
		} else {
			s.pool[random.IntN(maxPool)] = q
		}
	}
	s.callsByTool[q.tool]++
	return q
}

// arguments returns arguments of a call, most of which are valid.
func (s *sequences) arguments(random *rand.Rand, known []tool.Argument) map[string]any {
	arguments := map[string]any{}
	for _, a := range known {
		if a.Name == "cursor" && random.IntN(20) > 0 || random.IntN(3) > 0 && (!a.Required || random.IntN(10) == 0) {
			continue
		}
		if random.IntN(15) == 0 {
			junk := []any{nil, "", 0, -1, 1e6, "((", []any{}, []any{"a", 2}, map[string]any{}, map[string]any{"b": 1}, true, "null"}
			arguments[a.Name] = junk[random.IntN(len(junk))]
			continue
		}
		arguments[a.Name] = s.value(random, a)
		if a.List && random.IntN(2) == 0 {
			var list []any
			for range 1 + random.IntN(4) {
				list = append(list, s.value(random, a))
			}
			arguments[a.Name] = list
		}
	}
	if random.IntN(40) == 0 {
		arguments["unknown"] = 1
	}
	return arguments
}

// value returns one value of an argument.
func (s *sequences) value(random *rand.Rand, a tool.Argument) any {
	words := []string{"asthma", "melanoma", "breast cancer", "BRCA1", "PCSK9", "insulin", "human", "mouse", "Boston, MA", "France", "2020",
		"nosuchword", "(diabetes"}
	switch {
	case a.Type == "object":
		return s.arguments(random, a.Fields)
	case a.Type == "boolean":
		return random.IntN(2) == 0
	case a.Type == "integer":
		return []int{1, 2, 3, 5, 10, 20}[random.IntN(6)]
	case len(a.Words) > 0:
		return a.Words[random.IntN(len(a.Words))]
	case a.Example != "" && (len(s.harvest) == 0 || random.IntN(3) == 0):
		return a.Example
	case identifying.MatchString(a.Name) && len(s.harvest) > 0:
		return s.harvest[random.IntN(len(s.harvest))]
	}
	return words[random.IntN(len(words))]
}

var (
	identifying = regexp.MustCompile(`(?i)(id|pmids?)$`)
	identifier  = regexp.MustCompile(`"(?:id|pmid|sourcePmid)":"([A-Za-z]*:?[0-9]+)"`)
	reported    = regexp.MustCompile(` \(reference [0-9a-f]{8}\)`)
)

// learn collects ids of an answer for later calls, and returns its cursor.
func (s *sequences) learn(envelope string) (cursor string) {
	var answer struct {
		Success    *bool             `json:"success"`
		Pagination entity.Pagination `json:"pagination"`
	}
	if json.Unmarshal([]byte(envelope), &answer) == nil && answer.Success != nil {
		s.failures.Add(1)
		return ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range identifier.FindAllStringSubmatch(envelope, 20) {
		if len(s.harvest) < maxHarvest && !slices.Contains(s.harvest, m[1]) {
			s.harvest = append(s.harvest, m[1])
		}
	}
	return answer.Pagination.Cursor
}

// fresh returns the checksum of the answer of a new process.
func (s *sequences) fresh(t *testing.T, q question) ([sha256.Size]byte, error) {
	s.mu.Lock()
	f, known := s.right[q]
	if !known {
		f = &freshAnswer{}
		s.right[q] = f
	}
	s.mu.Unlock()
	f.once.Do(func() {
		var answer []byte
		answer, f.err = callFresh(t, q)
		f.sum = sha256.Sum256(answer)
	})
	return f.sum, f.err
}

// callFresh makes a call in a new process without cache.
func callFresh(t *testing.T, q question) ([]byte, error) {
	cmd := exec.CommandContext(t.Context(), binary(t), "--sandbox", "call", q.tool, "--json", q.arguments)
	cmd.Env = append(os.Environ(), "BIOFACT_CACHE_DIR=off", "BIOFACT_MIRROR=off")
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || exit.ExitCode() != 1) {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	return canonical(t, string(out)), nil
}

// canonical returns an envelope with sorted names and without the reference of a log entry.
func canonical(t *testing.T, envelope string) []byte {
	dec := json.NewDecoder(bytes.NewReader([]byte(reported.ReplaceAllString(envelope, ""))))
	dec.UseNumber()
	var value map[string]any
	if err := dec.Decode(&value); err != nil {
		t.Errorf("no envelope: %v: %.300s", err, envelope)
	}
	return must(json.Marshal(value))
}
