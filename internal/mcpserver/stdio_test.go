package mcpserver_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

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

// TestBatchIsOneLine: the answers of a batch leave together, also where its calls end in another order. A batch of notifications gets no
// answer.
func TestBatchIsOneLine(t *testing.T) {
	defer goleak.VerifyNone(t)
	upstream := &gate{requested: make(chan struct{}, 8), open: make(chan struct{})}
	close(upstream.open)
	silent := `[{"jsonrpc":"2.0","method":"notifications/initialized"}]`
	over := "[" + strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"ping"},`, 50) + `{"jsonrpc":"2.0","id":2,"method":"ping"}]`
	in := strings.Join([]string{"[" + searchCall(1) + "," + searchCall(2) + "]", silent, over}, "\n")
	var out bytes.Buffer
	expect.NoError(t, newServer(t, upstream).ServeStdio(t.Context(), strings.NewReader(in), &out))
	refused, answered := 0, 0
	for line := range strings.Lines(out.String()) {
		if strings.Contains(line, "more than 50 messages") {
			refused++
			continue
		}
		answered++
		var answers []struct{ ID int }
		expect.NoError(t, json.Unmarshal([]byte(line), &answers))
		expect.That(t, len(answers) == 2 && answers[0].ID+answers[1].ID == 3, "%s", line)
	}
	expect.That(t, refused == 1 && answered == 1, "%s", out.String())
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
	synctest.Test(t, func(t *testing.T) { // the calls wait for the pace of the source
		const calls = 300
		upstream := &gate{requested: make(chan struct{}, 10*calls), open: make(chan struct{})}
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
			expect.That(t, !strings.Contains(line, `"isError":true`), "%s", line)
		}
		wg.Wait()
		expect.Equal(t, "calls were answered", calls, len(seen))
	})
}

// FuzzStdio: after any input each line of the server is one JSON-RPC message, and a request on a line of its own is answered.
func FuzzStdio(f *testing.F) {
	for _, text := range []string{
		searchCall(1), searchCall(1) + "\n" + searchCall(1), `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "[]", "{", "\x00\xff", "\n\n",
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"last"}}`,
		`{"jsonrpc":"2.0","id":1e400,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":"a","method":"resources/read","params":{"uri":"pubmed-connect://info"}}`,
	} {
		f.Add([]byte(text))
	}
	upstream := &gate{requested: make(chan struct{}, 1<<20), open: make(chan struct{})}
	close(upstream.open)
	server := newServer(f, upstream)
	f.Fuzz(func(t *testing.T, text []byte) {
		if bytes.Contains(text, []byte("subscriptions/listen")) {
			t.Skip("it is answered when it ends")
		}
		var out bytes.Buffer
		input := io.MultiReader(bytes.NewReader(text), strings.NewReader("\n"+`{"jsonrpc":"2.0","id":"last","method":"ping"}`))
		expect.NoError(t, server.ServeStdio(t.Context(), input, &out))
		answered := false
		for line := range bytes.Lines(out.Bytes()) {
			var m struct {
				JSONRPC string
				ID      json.RawMessage
			}
			expect.That(t, json.Unmarshal(line, &m) == nil && m.JSONRPC == "2.0", "%q", line)
			answered = answered || string(m.ID) == `"last"`
		}
		expect.That(t, answered, "no answer to the last request after %q:\n%s", text, out.Bytes())
	})
}
