package main

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

func TestMain(m *testing.M) { expect.LongMain(m) }

// TestStateOf checks that /readyz reports the queue length of a source, and the times of its last answer and last failure.
func TestStateOf(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 8, 5, 11, 0, 0, 0, time.UTC)
	for want, state := range map[string]upstream.State{
		`{"status":"unknown","queued":3}`:                                   {Queued: 3},
		`{"status":"up","last_answered":"2026-08-05T11:00:00Z","queued":0}`: {Answered: at},
		`{"status":"failing","last_answered":"2026-08-05T11:00:00Z","last_failed":"2026-08-05T11:00:01Z","queued":7}`: {Answered: at,
			Failed: at.Add(time.Second), Queued: 7},
	} {
		text, err := json.Marshal(stateOf(state))
		expect.NoError(t, err)
		expect.Equal(t, "state", want, string(text))
	}
}
