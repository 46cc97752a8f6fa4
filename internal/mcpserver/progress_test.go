package mcpserver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mcpserver"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// TestProgress: the steps of a call with a progress token come before its
// answer, in order, each with that token. A call without a token, or with an
// invalid one, has no steps.
func TestProgress(t *testing.T) {
	t.Parallel()
	counts := newTool("get_trial", "trials", func(ctx context.Context) error {
		for step := range 3 {
			tool.Progress(ctx, step+1, 3)
		}
		return nil
	})
	in, client := io.Pipe()
	out, server := io.Pipe()
	stopped := make(chan error, 1)
	go func() { stopped <- newToolServer(t, mcpserver.Options{}, counts).ServeStdio(t.Context(), in, server) }()
	lines := bufio.NewReader(out)
	next := func() (m message) {
		line, err := lines.ReadBytes('\n')
		expect.NoError(t, err)
		expect.NoError(t, json.Unmarshal(line, &m))
		return m
	}
	fmt.Fprintln(client, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
	next()
	call := func(meta string) {
		fmt.Fprintf(client, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_trial","arguments":{"word":"x"}%s}}`+
			"\n", meta)
	}
	for _, meta := range []string{``, `,"_meta":{}`, `,"_meta":{"progressToken":1.5}`, `,"_meta":{"progressToken":{}}`} {
		call(meta)
		expect.Is(t, next().Method, "", "%s was answered with", meta)
	}
	// A step of the calls above would come before those of these calls.
	for _, token := range []string{`"count 1"`, `7`} {
		call(`,"_meta":{"progressToken":` + token + `}`)
		for step := range 3 {
			m := next()
			expect.Is(t, m.Method, "notifications/progress", "%s", token)
			expect.Is(t, string(m.Params.ProgressToken), token, "step %d", step+1)
			expect.Is(t, m.Params.Progress, step+1, "%s: step", token)
			expect.Is(t, m.Params.Total, 3, "%s: steps in all", token)
		}
		expect.Is(t, next().Method, "", "%s was answered with", token)
	}
	expect.NoError(t, client.Close())
	expect.Succeeds(t, <-stopped, "error")
}

// A message is an answer or a notification.
type message struct {
	Method string `json:"method"`
	Params struct {
		ProgressToken   json.RawMessage `json:"progressToken"`
		Progress, Total int
	} `json:"params"`
}
