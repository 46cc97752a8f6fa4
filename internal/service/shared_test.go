package service

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/contract"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/sandbox"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// embedded is read once for all tests.
var embedded = sync.OnceValues(sandbox.New)

// policy returns the options of the command without its rate limit.
func policy(base http.RoundTripper) upstream.Options {
	return upstream.Options{
		Source: "ClinicalTrials.gov", Status: statusPage, Base: base,
		Tries: 1, MaxBody: 8 << 20, UserAgent: "biofact/test", Log: slog.New(slog.DiscardHandler),
	}
}

const statusPage = "https://clinicaltrials.gov/data-api/api"

const registryURL = "https://ctgov.test/api/v2"

// inMemory returns a store without a file, for a synctest bubble.
func inMemory() *store.Store {
	return store.New(store.Options{MaxBytes: 64 << 20, Log: slog.New(slog.DiscardHandler)})
}

const callTimeout = 30 * time.Second

// An outcome is the result of a call of any tool.
type outcome struct {
	value      any
	notices    []string
	provenance entity.Provenance
	err        error
}

func newOutcome[T any](a entity.Answer[T], err error) outcome {
	return outcome{a.Value, a.Notices, a.Provenance, err}
}

func wantEmptyStore(t testing.TB, entries *store.Store) {
	t.Helper()
	if info, err := entries.Info(t.Context()); err != nil || info.Entries != 0 {
		t.Errorf("%d entries are kept, %v", info.Entries, err)
	}
}

// invalidEnvelope returns the defect of the envelope of an error.
func invalidEnvelope(err error) string {
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

// published is compiled once for all tests.
var published = sync.OnceValues(contract.New)

// valid checks an answer against the schema of its tool.
func valid(t testing.TB, schema string, answer any) []byte {
	t.Helper()
	text, err := entity.JSON(answer)
	expect.NoError(t, err)
	schemas, err := published()
	expect.NoError(t, err)
	if problems, err := schemas.Validate(schema, text); err != nil || len(problems) > 0 {
		t.Fatalf("%s: %v %q %.300s", schema, err, problems, text)
	}
	return text
}
