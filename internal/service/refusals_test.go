package service

import (
	"encoding/json"
	"log/slog"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

// TestRefusalsDoNotDependOnEarlierCalls: the search for further mistakes of a call reads no answer that an earlier call has stored.
func TestRefusalsDoNotDependOnEarlierCalls(t *testing.T) {
	t.Parallel()
	next, err := sourcetest.Embedded()
	expect.NoError(t, err)
	s := New(Options{MaxAnswerBytes: 400_000, Sources: sourcetest.Cached(t, next, sourcetest.InMemory())})
	call := func(name, args string) string {
		result := sourcetest.ToolNamed(tools.Table(s), name).Call(t.Context(), slog.New(slog.DiscardHandler), json.RawMessage(args))
		return string(result.JSON)
	}
	const wrong = `{"near":"insulin","then_by":"status"}`
	first := call("count_trials", wrong)
	call("search_trials", `{"near":"insulin"}`) // the store has now that no site is found
	expect.Is(t, call("count_trials", wrong), first, "after a call with the same place")
}
