package mcpserver_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// gate is a source that gives no answer before it is opened.
type gate struct {
	requested chan struct{} // one value for each request
	open      chan struct{}
}

func (g *gate) RoundTrip(req *http.Request) (*http.Response, error) {
	g.requested <- struct{}{}
	select {
	case <-g.open:
	case <-req.Context().Done():
		return nil, req.Context().Err()
	}
	return &http.Response{
		StatusCode: http.StatusOK, Request: req, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(`{"totalCount":0,"studies":[]}`)),
	}, nil
}

func searchCall(id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"search_trials","arguments":{"condition":"asthma %d"}}}`, id, id)
}

// TestInputEnds: a client that writes its calls and closes its end, as a shell
// pipe does, gets all answers, also to a last line without an end.
func TestInputEnds(t *testing.T) {
	defer goleak.VerifyNone(t)
	const calls = 8
	upstream := &gate{requested: make(chan struct{}, calls), open: make(chan struct{})}
	var lines []string
	for id := range calls {
		lines = append(lines, searchCall(id+1))
	}
	go func() {
		for range calls {
			<-upstream.requested
		}
		close(upstream.open) // by now the whole input was read
	}()
	var out bytes.Buffer
	expect.NoError(t, newServer(t, upstream).ServeStdio(t.Context(), strings.NewReader(strings.Join(lines, "\n")), &out))
	if got := strings.Count(out.String(), `"structuredContent":{"items":[]`); got != calls {
		t.Errorf("%d answers, want %d:\n%s", got, calls, out.String())
	}
}

// TestStop: a server stops on request although its client does not close and a
// call is active.
func TestStop(t *testing.T) {
	upstream := &gate{requested: make(chan struct{}, 1), open: make(chan struct{})}
	ctx, cancel := context.WithCancel(t.Context())
	in, client := io.Pipe()
	stopped := make(chan error, 1)
	go func() { stopped <- newServer(t, upstream).ServeStdio(ctx, in, io.Discard) }()
	if _, err := io.WriteString(client, searchCall(1)+"\n"); err != nil {
		t.Fatal(err)
	}
	<-upstream.requested
	cancel()
	expect.Succeeds(t, <-stopped, "stopped with")
	client.Close()
}

// TestManyAtOnce: more calls than the pool has workers are all answered, each
// with its id.
func TestManyAtOnce(t *testing.T) {
	const calls = 300
	upstream := &gate{requested: make(chan struct{}, calls), open: make(chan struct{})}
	close(upstream.open)
	in, client := io.Pipe()
	out, server := io.Pipe()
	var wg sync.WaitGroup
	wg.Go(func() {
		expect.Succeeds(t, newServer(t, upstream).ServeStdio(t.Context(), in, server), "error")
		server.Close()
	})
	wg.Go(func() {
		for id := range calls {
			fmt.Fprintln(client, searchCall(id+1))
		}
		client.Close()
	})
	seen := map[string]bool{}
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		expect.NoError(t, err)
		id, _, _ := strings.Cut(strings.TrimPrefix(line, `{"jsonrpc":"2.0","id":`), ",")
		seen[id] = true
	}
	wg.Wait()
	expect.Equal(t, "calls were answered", calls, len(seen))
}
