package mcpserver_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/logging"
	"github.com/biofact-mcp/biofact/internal/mcpserver"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// An httpClient posts messages to a server.
type httpClient struct {
	server *httptest.Server
	header http.Header // of every request
}

func startHTTP(t testing.TB, server *mcpserver.Server) *httpClient {
	t.Helper()
	c := &httpClient{server: httptest.NewServer(server.HTTP()), header: http.Header{}}
	t.Cleanup(c.server.Close)
	return c
}

// request returns the POST of a message with the headers that its era requires.
func (c *httpClient) request(ctx context.Context, t testing.TB, line string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.server.URL, strings.NewReader(line))
	expect.NoError(t, err)
	req.Header = c.header.Clone()
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	var message struct {
		Method string
		Params struct {
			Name, URI string
			Meta      map[string]any `json:"_meta"`
		}
	}
	if json.Unmarshal([]byte(line), &message) != nil {
		return req
	}
	if version, ok := message.Params.Meta["io.modelcontextprotocol/protocolVersion"].(string); ok {
		req.Header.Set("MCP-Protocol-Version", version)
		req.Header.Set("Mcp-Method", message.Method)
		if name := message.Params.Name + message.Params.URI; name != "" {
			req.Header.Set("Mcp-Name", name)
		}
	}
	return req
}

func (c *httpClient) post(t testing.TB, line string) (status int, body []byte) {
	t.Helper()
	resp, err := c.server.Client().Do(c.request(t.Context(), t, line))
	expect.NoError(t, err)
	defer resp.Body.Close()
	if body, err = io.ReadAll(resp.Body); err != nil {
		t.Fatal(err)
	}
	if kind := resp.Header.Get("Content-Type"); len(body) > 0 && kind != "application/json" {
		t.Errorf("%s was answered with %s: %s", line, kind, body)
	}
	return resp.StatusCode, body
}

func (c *httpClient) send(t *testing.T, line string) []byte {
	t.Helper()
	status, body := c.post(t, line)
	if status == http.StatusAccepted && len(body) == 0 {
		return nil
	}
	expect.That(t, status == http.StatusOK || status == http.StatusBadRequest, "%s was answered with %d: %s", line, status, body)
	return body
}

func (c *httpClient) close(*testing.T) { c.server.Close() }

// fact is the answer of the tools in these tests.
type fact struct {
	Word string `json:"word"`
}

type query struct {
	Word string `json:"word"`
}

// newTool returns a tool that takes a word and answers with it, once wait
// returns.
func newTool(name, toolset string, wait func(context.Context) error) *tool.Tool {
	schema := func(side string) []byte {
		return fmt.Appendf(nil, `{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"urn:test:%s.%s","type":"object","properties":{"word":{"type":"string"}}}`, name, side)
	}
	return tool.New(tool.Definition{
		Name: name, Title: name, Toolset: toolset, Description: name, ListedInput: schema("input"),
		ListedOutput: schema("output"),
		Arguments:    []tool.Argument{{Name: "word", Type: "string", Example: "x"}},
	}, func() (empty query) { return empty }, func(ctx context.Context, q query) (entity.Answer[fact], error) {
		if err := wait(ctx); err != nil {
			return entity.Answer[fact]{}, err
		}
		return entity.Answer[fact]{Value: fact(q)}, nil
	})
}

func noWait(context.Context) error { return nil }

func newToolServer(t testing.TB, o mcpserver.Options, tools ...*tool.Tool) *mcpserver.Server {
	t.Helper()
	o.Version, o.Timeout = "test", cmp.Or(o.Timeout, 30*time.Second)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return mcpserver.New(tools, o)
}

const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

// call returns the message of a call, of the era of 2026-07-28 or of the one
// before.
func call(id int, name, word string, modern bool) string {
	meta := ""
	if modern {
		meta = "," + modernMeta
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{"word":%q}%s}}`, id, name,
		word, meta)
}

// TestCancelOnlyOwnCall: a client that cancels an id does not cancel the call
// of another client with the same id.
func TestCancelOnlyOwnCall(t *testing.T) {
	for _, modern := range []bool{false, true} {
		entered, leave := make(chan struct{}), make(chan struct{})
		client := startHTTP(t, newToolServer(t, mcpserver.Options{}, newTool("slow", "trials", func(ctx context.Context) error {
			entered <- struct{}{}
			select {
			case <-leave:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})))
		answered := make(chan []byte)
		go func() {
			_, body := client.post(t, call(7, "slow", "mine", modern))
			answered <- body
		}()
		<-entered
		params := `"params":{"requestId":7}`
		if modern {
			params = `"params":{"requestId":7,` + modernMeta + `}`
		}
		for _, line := range []string{
			`{"jsonrpc":"2.0","method":"notifications/cancelled",` + params + `}`,
			`{"jsonrpc":"2.0","id":null,"method":"notifications/cancelled",` + params + `}`,
			`{"jsonrpc":"2.0","METHOD":"notifications/cancelled",` + params + `}`,
			`{"jsonrpc":"2.0","id":8,"id":null,"method":"ping","method":"notifications/cancelled",` + params + `}`,
			`{"jsonrpc":"2.0","method":"notifications\/cancelled",` + params + `}`,
		} {
			if status, body := client.post(t, line); status != http.StatusAccepted || len(body) > 0 {
				t.Errorf("%s was answered with %d %s", line, status, body)
			}
		}
		close(leave)
		if body := <-answered; !strings.Contains(string(body), `{"word":"mine"}`) {
			t.Errorf("the call of another client was answered with %s", body)
		}
	}
}

// TestDropCancels: closing the connection cancels the call that was made on it.
func TestDropCancels(t *testing.T) {
	for _, modern := range []bool{false, true} {
		entered, cancelled := make(chan struct{}), make(chan struct{})
		client := startHTTP(t, newToolServer(t, mcpserver.Options{}, newTool("slow", "trials", func(ctx context.Context) error {
			close(entered)
			<-ctx.Done()
			close(cancelled)
			return ctx.Err()
		})))
		ctx, drop := context.WithCancel(t.Context())
		go func() {
			<-entered
			drop()
		}()
		if _, err := client.server.Client().Do(client.request(ctx, t, call(1, "slow", "x", modern))); err == nil {
			t.Error("a dropped call was answered")
		}
		<-cancelled
	}
}

// TestEndpointRefuses pins the responses to invalid messages and to requests
// for a session.
func TestEndpointRefuses(t *testing.T) {
	client := startHTTP(t, newToolServer(t, mcpserver.Options{}, newTool("fast", "trials", noWait)))
	for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodHead, http.MethodPut} {
		req, err := http.NewRequestWithContext(t.Context(), method, client.server.URL, nil)
		expect.NoError(t, err)
		req.Header.Set("Accept", "text/event-stream")
		resp, err := client.server.Client().Do(req)
		expect.NoError(t, err)
		resp.Body.Close()
		if resp.StatusCode != http.StatusMethodNotAllowed || resp.Header.Get("Allow") != http.MethodPost {
			t.Errorf("%s was answered with %d, Allow %q", method, resp.StatusCode, resp.Header.Get("Allow"))
		}
	}
	for body, code := range map[string]int{
		` [] `:                                -32600,
		`"text"`:                              -32600,
		`{"jsonrpc":"2.0","id":1,"method":5}`: -32600,
		``:                                    -32700,
		`{"jsonrpc":"2.0",`:                   -32700,
		"\x00\xff\xfe":                        -32700,
		strings.Repeat("[", 1_000_000):        -32700,
	} {
		status, answer := client.post(t, body)
		var message struct{ Error struct{ Code int } }
		decode(t, answer, &message)
		expect.That(t, status == http.StatusBadRequest && message.Error.Code == code && !strings.Contains(string(answer), "json:"),
			"%.60q was answered with %d %s, want code %d", body, status, answer, code)
	}
}

// TestBatchOfVersion: a request that names a version without batches gets none.
func TestBatchOfVersion(t *testing.T) {
	client := startHTTP(t, newToolServer(t, mcpserver.Options{}, newTool("fast", "trials", noWait)))
	batch := `[` + call(1, "fast", "x", false) + `,{"jsonrpc":"2.0","method":"notifications/none"}]`
	for version, want := range map[string]int{
		"": http.StatusOK, "2024-11-05": http.StatusOK, "2025-03-26": http.StatusOK, "2025-06-18": http.StatusBadRequest,
	} {
		client.header.Set("Mcp-Protocol-Version", version)
		status, answer := client.post(t, batch)
		expect.Is(t, status, want, "version %q was answered with %s", version, answer)
	}
	client.header.Del("Mcp-Protocol-Version")
	status, answer := client.post(t, `[{"jsonrpc":"2.0","method":"notifications/none"}]`)
	expect.That(t, status == http.StatusAccepted && len(answer) == 0, "%d %s", status, answer)
}

// TestMalformed: params of the wrong types are refused without Go terms.
func TestMalformed(t *testing.T) {
	client := startHTTP(t, newToolServer(t, mcpserver.Options{Resources: []tool.Resource{
		{URI: "test://trials", Name: "t", Read: func(context.Context) ([]byte, error) { return nil, nil }},
	}}, newTool("fast", "trials", noWait)))
	for _, line := range []string{
		`"initialize","params":{"protocolVersion":5}`,
		`"ping","params":{"_meta":5}`,
		`"tools/list","params":{"cursor":5}`,
		`"tools/list","params":{"cursor":"%%%"}`,
		`"tools/list","params":{"_meta":5}`,
		`"tools/call","params":{"name":"fast","_meta":5}`,
		`"tools/call","params":{"name":5}`,
		`"tools/call","params":[]`,
		`"tools/call","params":{"name":["fast"]}`,
		`"tools/call","params":{"name":"fact"}`,
		`"resources/list","params":{"cursor":{}}`,
		`"resources/templates/list","params":{"cursor":{}}`,
		`"resources/read","params":{"uri":5}`,
		`"resources/read","params":{"uri":"test://trials","arguments":5}`,
	} {
		_, body := client.post(t, `{"jsonrpc":"2.0","id":1,"method":`+line+`}`)
		var message struct {
			Error struct {
				Code    int
				Message string
			}
		}
		decode(t, body, &message)
		text := message.Error.Message
		expect.That(t, message.Error.Code == -32602 && text != "" && !strings.Contains(text, "json:") && !strings.Contains(text, "Go ") &&
			!strings.Contains(text, "base64"),
			"%s was answered with %s", line, body)
	}
	if _, body := client.post(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":""}}`); !strings.Contains(string(body),
		`"fast"`) {
		t.Errorf("an empty cursor was answered with %s", body)
	}
}

// TestAnyReplica: any server answers a client that another one has initialized,
// and ignores unknown sessions.
func TestAnyReplica(t *testing.T) {
	first := startHTTP(t, newToolServer(t, mcpserver.Options{}, newTool("fast", "trials", noWait)))
	second := startHTTP(t, newToolServer(t, mcpserver.Options{}, newTool("fast", "trials", noWait)))
	resp, err := first.server.Client().Do(first.request(t.Context(), t,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`))
	expect.NoError(t, err)
	resp.Body.Close()
	if id := resp.Header.Get("Mcp-Session-Id"); resp.StatusCode != http.StatusOK || id != "" {
		t.Errorf("initialize was answered with %d and session %q", resp.StatusCode, id)
	}
	second.header.Set("MCP-Protocol-Version", "2025-11-25")
	second.header.Set("Mcp-Session-Id", "of-another-server")
	if status, body := second.post(t, call(2, "fast", "asthma", false)); status != http.StatusOK ||
		!strings.Contains(string(body), `{"word":"asthma"}`) {
		t.Errorf("the other replica answered %d %s", status, body)
	}
}

// TestAllowed: a caller sees and reaches the tools and resources of its
// toolsets; for others the error names the missing scope.
func TestAllowed(t *testing.T) {
	type scopes struct{}
	server := newToolServer(t, mcpserver.Options{
		Allowed: func(ctx context.Context) []string {
			if toolsets, ok := ctx.Value(scopes{}).([]string); ok {
				return toolsets
			}
			return []string{"trials", "genes"} // all toolsets of the tools
		},
		Prompts: []*tool.Prompt{{Name: "both", Toolsets: []string{"trials", "genes"},
			Steps: []tool.PromptStep{{Say: "Look.", Tool: "get_gene"}}}},
		Resources: []tool.Resource{
			{URI: "test://trials", Name: "t", Toolset: "trials",
				Read: func(context.Context) ([]byte, error) { return []byte("trial facts"), nil }},
			{URI: "test://genes", Name: "g", Toolset: "genes",
				Read: func(context.Context) ([]byte, error) { return []byte("gene facts"), nil }},
		},
	}, newTool("get_trial", "trials", noWait), newTool("get_gene", "genes", noWait))
	handler := server.HTTP()
	client := &httpClient{header: http.Header{}, server: httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if given := r.Header.Get("X-Toolsets"); given != "" {
			r = r.WithContext(context.WithValue(r.Context(), scopes{}, strings.Split(given, ",")))
		}
		handler.ServeHTTP(w, r)
	}))}
	defer client.server.Close()
	request := func(method, params string, modern bool) string {
		if modern {
			params = strings.TrimPrefix(params+","+modernMeta, ",")
		}
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s}}`, method, params)
	}
	for _, modern := range []bool{false, true} {
		refusal := http.StatusOK
		if modern {
			refusal = http.StatusBadRequest
		}
		for _, test := range []struct {
			toolsets, method, params string
			status                   int
			has, lacks               string
		}{
			{"", "tools/list", "", http.StatusOK, `"get_gene"`, "-"},
			{"trials", "tools/list", "", http.StatusOK, `"get_trial"`, "get_gene"},
			{"articles", "tools/list", "", http.StatusOK, `"tools":[]`, "get_"},
			{"trials,genes", "tools/call", `"name":"get_gene","arguments":{"word":"TP53"}`, http.StatusOK, `{"word":"TP53"}`, "error"},
			{"trials", "tools/call", `"name":"get_gene","arguments":{"word":"TP53"}`, refusal,
				"get_gene is not allowed: it needs the scope genes:read", "TP53"},
			{"trials", "tools/call", `"name":"get_none","arguments":{}`, refusal,
				"The tool get_none does not exist, and no tool is known by this name.", "scope"},
			{"", "resources/list", "", http.StatusOK, "test://genes", "-"},
			{"trials", "resources/list", "", http.StatusOK, "test://trials", "test://genes"},
			{"genes", "resources/read", `"uri":"test://genes"`, http.StatusOK, "Z2VuZSBmYWN0cw==", "error"},
			{"trials", "resources/read", `"uri":"test://genes"`, refusal, "it needs the scope genes:read", "Z2VuZ"},
			{"trials,genes", "prompts/list", "", http.StatusOK, `"both"`, "-"},
			{"trials", "prompts/list", "", http.StatusOK, `"prompts":[]`, "both"},
			{"genes,trials", "prompts/get", `"name":"both"`, http.StatusOK, `1. Look.`, "error"},
			{"genes", "prompts/get", `"name":"both"`, refusal, "both is not allowed: it needs the scope trials:read", "1. Look."},
			{"genes", "prompts/get", `"name":"none"`, refusal, "the prompt none does not exist", "both"},
		} {
			client.header.Set("X-Toolsets", test.toolsets)
			line := request(test.method, test.params, modern)
			status, body := client.post(t, line)
			expect.That(t, status == test.status && strings.Contains(string(body), test.has) &&
				(test.lacks == "-" || !strings.Contains(string(body), test.lacks)),
				"with %q %s was answered with %d %s", test.toolsets, line, status, body)
			expect.That(t, !strings.HasSuffix(test.method, "/list") || !modern || strings.Contains(string(body), `"cacheScope":"private"`),
				"others may be given a stored %s", body)
		}
	}
}

// TestResourceIsClean: like the answer of a tool, a document has no characters
// that hide or reverse text.
func TestResourceIsClean(t *testing.T) {
	client := startHTTP(t, newToolServer(t, mcpserver.Options{Resources: []tool.Resource{
		{URI: "test://text", Name: "text", Read: func(context.Context) ([]byte, error) { return []byte("a\u202e\u200b\U000e0041b"), nil }},
	}}))
	_, body := client.post(t, `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"test://text"}}`)
	var message struct {
		Result struct {
			Contents []struct {
				Blob []byte
				Text string
			}
		}
	}
	decode(t, body, &message)
	if c := message.Result.Contents; len(c) != 2 || c[0].Text != "ab" || string(c[1].Blob) != "ab" {
		t.Errorf("read %s", body)
	}
}

// TestResourceFails: a caller that cannot read a document gets the same error
// as from a tool, without internal causes.
func TestResourceFails(t *testing.T) {
	fails := func(name string, err error) tool.Resource {
		return tool.Resource{URI: "test://" + name, Name: name, Read: func(context.Context) ([]byte, error) {
			if err == nil {
				panic("secret")
			}
			return nil, err
		}}
	}
	client := startHTTP(t, newToolServer(t, mcpserver.Options{Resources: []tool.Resource{
		fails("panic", nil),
		fails("cause", io.ErrUnexpectedEOF),
		fails("limit", &entity.Error{Code: entity.RateLimited, Message: "NCBI is busy.", Hint: "Wait 3 s.", Cause: io.ErrUnexpectedEOF}),
	}}))
	for name, want := range map[string]string{"panic": "UPSTREAM_ERROR", "cause": "UPSTREAM_ERROR",
		"limit": "RATE_LIMITED: NCBI is busy. Wait 3 s."} {
		_, body := client.post(t, `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"test://`+name+`"}}`)
		if text := string(body); !strings.Contains(text, want) || strings.Contains(text, "EOF") || strings.Contains(text, "secret") {
			t.Errorf("%s was answered with %s", name, text)
		}
	}
}

// TestCallLog: the log and the observer get every call, without its arguments.
func TestCallLog(t *testing.T) {
	var out bytes.Buffer
	var seen []mcpserver.Call
	fail := newTool("fails", "trials", func(context.Context) error {
		return &entity.Error{Code: entity.EntityNotFound, Message: "It does not exist.", Hint: "Search."}
	})
	server := newToolServer(t, mcpserver.Options{
		Log:       slog.New(logging.New(slog.NewJSONHandler(&out, nil))),
		RequestID: func(context.Context) string { return "r-1" },
		Observe:   func(_ context.Context, c mcpserver.Call) { seen = append(seen, c) },
	}, newTool("works", "trials", noWait), fail)
	client := startHTTP(t, server)
	client.post(t, call(1, "works", "melanoma", false))
	client.post(t, call(2, "fails", "melanoma", false))
	client.server.Close()
	var codes []string
	for line := range strings.Lines(out.String()) {
		var entry map[string]any
		decode(t, []byte(line), &entry)
		expect.That(t, entry["msg"] == "call" && entry["request"] == "r-1" && entry["duration"] != nil && entry["bytes"] != nil,
			"log line %s", line)
		codes = append(codes, fmt.Sprint(entry["tool"], " ", entry["code"]))
	}
	want := []string{"works ok", "fails ENTITY_NOT_FOUND"}
	expect.That(t, slices.Equal(codes, want) && !strings.Contains(out.String(), "melanoma"), "the log has %q:\n%s", codes, out.String())
	expect.That(t, len(seen) == 2 && seen[0].Code == "ok" && seen[0].Bytes == len(`{"word":"melanoma"}`) &&
		seen[1].Code == "ENTITY_NOT_FOUND",
		"observed %+v", seen)
}

// TestHTTPLeavesNoGoroutine: served requests end and leave no goroutine. A
// client that listens learns at once that the server has no events.
func TestHTTPLeavesNoGoroutine(t *testing.T) {
	defer goleak.VerifyNone(t)
	client := startHTTP(t, newToolServer(t, mcpserver.Options{}, newTool("fast", "trials", noWait)))
	for _, modern := range []bool{false, true} {
		client.post(t, call(1, "fast", "x", modern))
	}
	resp, err := client.server.Client().Do(client.request(t.Context(), t,
		`{"jsonrpc":"2.0","id":9,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},`+modernMeta+`}}`))
	expect.NoError(t, err)
	defer resp.Body.Close()
	stream, err := io.ReadAll(resp.Body)
	expect.That(t, err == nil && strings.Contains(string(stream), `"id":9,"result"`),
		"listening was answered with %s (%v)", stream, err)
	client.server.Close()
}
