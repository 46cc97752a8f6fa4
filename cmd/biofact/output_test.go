package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"testing"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestFullDisk checks that no command passes over an output that cannot be written, and that a reader who has enough is no error.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"call", "get_trial", "NCT02513394"}, {"call", "get_trial", "NCT02513394", "--table"}, {"call", "search_trials", "asthma", "--csv"},
		{"call", "get_trial", "NCT02513394", "--raw"}, {"call", "search_trials", "asthma", "--all", "--ndjson"}, {"demo"}, {"version"}, {"tools"},
	} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Skip(err)
		}
		reader, closed, err := os.Pipe()
		expect.NoError(t, err)
		expect.NoError(t, reader.Close())
		for _, file := range []*os.File{full, closed} {
			cfg, err := config.Read([]string{"BIOFACT_CACHE_DIR=off"})
			expect.NoError(t, err)
			out := &output{file: file}
			root := rootCommand(cfg)
			root.SetOut(out)
			root.SetErr(io.Discard)
			root.SetArgs(append([]string{"--sandbox"}, args...))
			_ = root.ExecuteContext(t.Context()) // the output says more
			lost := out.failed()
			code, reported := codeOf(lost)
			if file == closed {
				expect.That(t, out.err != nil && lost == nil, "%v into a closed pipe: %v, %v", args, out.err, lost)
			} else {
				expect.That(t, lost != nil && code == exitFailed && !reported, "%v onto a full disk: %v", args, lost)
			}
			expect.NoError(t, file.Close())
		}
	}
}

// TestInterruptedCall checks that Ctrl-C ends a call with the code of shells, and prints nothing.
func TestInterruptedCall(t *testing.T) {
	t.Parallel()
	for _, view := range []string{"json", "table"} {
		ctx, cancel := context.WithCancel(t.Context())
		env, _ := pagedTrials(t, 1, func(_ http.ResponseWriter, r *http.Request) {
			cancel()
			<-r.Context().Done()
		})
		r := runBiofact(ctx, t, env, "", "call", "search_trials", "asthma", "--format", view)
		expect.That(t, errors.Is(r.err, exitInterrupted) && r.stdout == "" && r.stderr == "", "%s: %v\n%s%s", view, r.err, r.stdout, r.stderr)
	}
}
