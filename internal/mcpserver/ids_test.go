package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mcpserver"
)

// requestIDs are ids that a decoder to floating-point numbers or Go's encoder
// would change, and plain ones.
var requestIDs = []string{
	`1`, `0`, `-1`, `9007199254740993`, `18446744073709551616`, `1.0`, `1e3`, `2.50`, `1E400`, `"a"`, `""`, `"1"`, `"\u00e9"`, `"<&>"`,
	`"\ud800"`, `"\/"`,
}

// methods are requests that the tool, the library and this package answer.
var methods = []string{
	`"method":"ping"`, `"method":"tools/list"`, `"method":"none"`,
	`"method":"tools/call","params":{"name":"fast","arguments":{}}`, `"method":"tools/call","params":{"name":"none"}`,
	`"method":"tools/call","params":[]`, `"method":"resources/read","params":{"uri":"none:"}`,
	`"method":"subscriptions/listen","params":{"notifications":{},` + modernMeta + `}`,
}

// TestRequestIDs: an answer has the bytes of its request's id, over both
// transports, and standard input ends when all are answered.
func TestRequestIDs(t *testing.T) {
	client := startHTTP(t, newToolServer(t, mcpserver.Options{}, newTool("fast", "trials", noWait)))
	var lines []string
	want := map[string]int{}
	for _, id := range requestIDs {
		for _, method := range methods {
			line := `{"jsonrpc":"2.0","id":` + id + `,` + method + `}`
			lines = append(lines, line)
			want[id]++
			resp, err := client.server.Client().Do(client.request(t.Context(), t, line))
			expect.NoError(t, err)
			body, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			expect.NoError(t, err)
			expect.Is(t, strings.Count(string(body), `"id":`+id+`,`), 1, "over HTTP %s was answered with %s", line, body)
			if strings.Contains(method, "listen") {
				expect.Is(t, strings.Count(string(body), `subscriptionId":`+id+`}`), 2, "over HTTP %s was answered with %s", line, body)
			}
		}
	}
	answers := converseStdio(t, lines...)
	for _, line := range answers {
		var answer struct{ ID json.RawMessage }
		decode(t, line, &answer)
		want[string(answer.ID)]--
	}
	for id, missing := range want {
		expect.Is(t, missing, 0, "unanswered requests with the id %s", id)
	}
}

// converseStdio returns the answers that a server with a fast tool writes until
// its input has ended and all is answered, without its notifications.
func converseStdio(t *testing.T, input ...string) (answers [][]byte) {
	t.Helper()
	var out bytes.Buffer
	server := newToolServer(t, mcpserver.Options{}, newTool("fast", "trials", noWait))
	expect.NoError(t, server.ServeStdio(t.Context(), strings.NewReader(strings.Join(input, "\n")), &out))
	lines := bytes.Split(bytes.TrimSpace(out.Bytes()), []byte("\n"))
	return slices.DeleteFunc(lines, func(line []byte) bool { return !bytes.Contains(line, []byte(`"id":`)) })
}

// TestUnreadableLines: a line that is no request gets its error, and a line has the
// limit that a body has.
func TestUnreadableLines(t *testing.T) {
	long := strings.Repeat("x", mcpserver.MaxMessage)
	for line, want := range map[string]string{
		`{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"` + long + `"}}`: `"id":7,"error":{"code":-32600`,
		`{"method":"ping","params":{"id":8,"x":"` + long + `"}}`:                 `"id":null,"error":{"code":-32600`,
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`:                              `"id":null,"error":{"code":-32600`,
		`{"jsonrpc":"2.0","id":9}`:                                               `"id":9,"error":{"code":-32600`,
		`[{"jsonrpc":"2.0","id":1,"method":"initialize"}]`:                       `"id":null,"error":{"code":-32600`,
		`{"jsonrpc":`:                          `"id":null,"error":{"code":-32700`,
		"\n":                                   "",
		`{"jsonrpc":"2.0","id":5,"result":{}}`: "",
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"unknown"}}`: "",
		`{"jsonrpc":"2.0","method":"notifications/cancelled"}`:                                  "",
		`{"jsonrpc":"2.0","method":"notifications/none","params":{"x":"` + long[:1<<19] + `"}}`: "",
	} {
		answers := converseStdio(t, line, `{"jsonrpc":"2.0","id":"after","method":"ping"}`)
		last := len(answers) - 1
		got := string(bytes.Join(answers[:last], nil))
		expect.That(t, strings.Contains(got, want) && (got == "") == (want == "") && bytes.Contains(answers[last], []byte(`"after"`)),
			"%.80s was answered with %s %s", line, got, answers[last])
	}
}

// TestCancelled: a cancellation ends the call whose id has the same value, also
// in other characters.
func TestCancelled(t *testing.T) {
	for id, written := range map[string]string{`"\u00e9"`: `"é"`, `1.0`: `1`, `9007199254740993`: `9007199254740993`} {
		entered := make(chan struct{})
		waiting := newTool("slow", "trials", func(ctx context.Context) error {
			close(entered)
			<-ctx.Done()
			return ctx.Err()
		})
		in, client := io.Pipe()
		stopped := make(chan error, 1)
		go func() {
			stopped <- newToolServer(t, mcpserver.Options{}, waiting).ServeStdio(t.Context(), in, io.Discard)
		}()
		fmt.Fprintf(client, `{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"slow","arguments":{}}}`+"\n", id)
		<-entered
		fmt.Fprintf(client, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`+"\n", written)
		client.Close()
		expect.Succeeds(t, <-stopped, "%s", id)
	}
}

// TestUnreadOutput: a client that reads nothing neither fills the memory with
// answers nor delays a server that must stop, or whose input has ended.
func TestUnreadOutput(t *testing.T) {
	for _, ends := range []string{"input", "server"} {
		t.Run(ends, func(t *testing.T) {
			t.Parallel()
			const offered = 1000
			called := make(chan struct{}, offered)
			counted := newTool("fast", "trials", func(context.Context) error {
				called <- struct{}{}
				return nil
			})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			in, client := io.Pipe()
			unread, out := io.Pipe()
			stopped := make(chan error, 1)
			go func() {
				stopped <- newToolServer(t, mcpserver.Options{Timeout: time.Second}, counted).ServeStdio(ctx, in, out)
			}()
			go func() {
				for range offered {
					if _, err := io.WriteString(client, fastCall); err != nil {
						return
					}
				}
			}()
			const limit = 256
			for range limit {
				<-called
			}
			if ends == "input" {
				client.Close()
			} else {
				cancel()
			}
			expect.Succeeds(t, <-stopped, "error")
			unread.Close() // ends the write that is left
			client.Close()
			expect.That(t, len(called) < 100, "%d requests were read", limit+len(called))
		})
	}
}

const fastCall = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fast","arguments":{}}}` + "\n"

// TestStopping: a call that a stopping server ends blames neither its source
// nor its arguments.
func TestStopping(t *testing.T) {
	entered := make(chan struct{})
	waiting := newTool("fast", "trials", func(ctx context.Context) error {
		close(entered)
		<-ctx.Done()
		return &entity.Error{Code: entity.UpstreamError, Message: "The source did not answer.", Hint: "Wait.", Cause: ctx.Err()}
	})
	ctx, cancel := context.WithCancel(t.Context())
	in, client := io.Pipe()
	var out bytes.Buffer
	stopped := make(chan error, 1)
	go func() { stopped <- newToolServer(t, mcpserver.Options{}, waiting).ServeStdio(ctx, in, &out) }()
	_, err := io.WriteString(client, fastCall)
	expect.NoError(t, err)
	<-entered
	cancel()
	expect.Succeeds(t, <-stopped, "error")
	expect.That(t, strings.Contains(out.String(), "This server is stopping") && !strings.Contains(out.String(), "reference"),
		"the call was answered with %s", out.String())
	client.Close()
}
