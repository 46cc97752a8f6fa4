package sourcetest

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/contract"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/sandbox"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// Embedded is read once for all tests.
var Embedded = sync.OnceValues(sandbox.New)

// opened holds the sandboxes of Opened, by path.
var opened sync.Map

// Opened returns the records of a path, which are read once for all tests.
func Opened(t testing.TB, path string) *sandbox.Sandbox {
	t.Helper()
	open, _ := opened.LoadOrStore(path, sync.OnceValues(func() (*sandbox.Sandbox, error) {
		return sandbox.Open(context.WithoutCancel(t.Context()), path)
	}))
	records, err := open.(func() (*sandbox.Sandbox, error))()
	expect.NoError(t, err)
	return records
}

// Policy returns the options of the command without its rate limit.
func Policy(base http.RoundTripper) upstream.Options {
	return upstream.Options{
		Source: "ClinicalTrials.gov", Status: StatusPage, Base: base,
		Tries: 1, MaxBody: 8 << 20, UserAgent: "biofact/test", Log: slog.New(slog.DiscardHandler),
	}
}

// StatusPage is the page of the registry that errors name.
const StatusPage = "https://clinicaltrials.gov/data-api/api"

// RegistryURL is the address of the registry in tests.
const RegistryURL = "https://ctgov.test/api/v2"

// InMemory returns a store without a file, for a synctest bubble.
func InMemory() *store.Store {
	return store.New(store.Options{MaxBytes: 64 << 20, Log: slog.New(slog.DiscardHandler)})
}

// CallTimeout limits the time of a call.
const CallTimeout = 30 * time.Second

// An Outcome is the result of a call of any tool.
type Outcome struct {
	Value      any
	Notices    []string
	Provenance entity.Provenance
	Err        error
}

// NewOutcome returns the result of a call.
func NewOutcome[T any](a entity.Answer[T], err error) Outcome {
	return Outcome{a.Value, a.Notices, a.Provenance, err}
}

// WantEmptyStore checks that a store has no entries.
func WantEmptyStore(t testing.TB, entries *store.Store) {
	t.Helper()
	if info, err := entries.Info(t.Context()); err != nil || info.Entries != 0 {
		t.Errorf("%d entries are kept, %v", info.Entries, err)
	}
}

// InvalidEnvelope returns the defect of the envelope of an error.
func InvalidEnvelope(err error) string {
	text, encodeErr := entity.JSON(entity.AsError(err).Envelope())
	if encodeErr != nil {
		return encodeErr.Error()
	}
	var e entity.ErrorEnvelope
	if err := json.Unmarshal(text, &e); err != nil {
		return err.Error()
	}
	if e.Error.Message == "" || e.Error.RecoveryHint == "" || strings.ContainsAny(e.Error.Message, "\x00\x07") {
		return string(text)
	}
	return ""
}

// published is shared by all tests.
var published = contract.New()

// Valid checks an answer against the schema of its tool.
func Valid(t testing.TB, schema string, answer any) []byte {
	t.Helper()
	text, err := entity.JSON(answer)
	expect.NoError(t, err)
	if problems, err := published.Validate(schema, text); err != nil || len(problems) > 0 {
		t.Fatalf("%s: %v %q %.300s", schema, err, problems, text)
	}
	return text
}

// A Recorder records the events that an observer receives.
type Recorder struct {
	mu     sync.Mutex
	events []string // since the last call of since
}

// Observer returns the observer that records the events.
func (w *Recorder) Observer() source.Observer {
	return source.Observer{
		Batch: func(source, kind string, questions int) { w.note(source, kind, "asked", questions) },
		Cache: func(source, kind, use string, questions int) { w.note(source, kind, use, questions) },
	}
}

func (w *Recorder) note(source, kind, what string, questions int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, fmt.Sprintf("%s/%s/%s/%d", source, kind, what, questions))
}

// Since returns the events since its last call, in alphabetical order.
func (w *Recorder) Since() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	events := w.events
	w.events = nil
	slices.Sort(events)
	return events
}

// Want checks the events since the last check.
func (w *Recorder) Want(t *testing.T, when string, want ...string) {
	t.Helper()
	expect.Equal(t, fmt.Sprintf("%s: told", when), want, w.Since())
}

// FixedReply is an upstream with one response.
type FixedReply string

// RoundTrip returns the response.
func (s FixedReply) RoundTrip(req *http.Request) (*http.Response, error) {
	resp := Reply(http.StatusOK, "application/json", string(s))
	resp.Request = req
	return resp, nil
}

// ToolNamed returns the tool of a table that has a name.
func ToolNamed(table []*tool.Tool, name string) *tool.Tool {
	return table[slices.IndexFunc(table, func(t *tool.Tool) bool { return t.Name == name })]
}
