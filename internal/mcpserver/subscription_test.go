package mcpserver_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mcpserver"
)

// TestSubscription: a subscription is acknowledged before it ends, which it
// does at once, as the server has no events.
func TestSubscription(t *testing.T) {
	client := startHTTP(t, newToolServer(t, mcpserver.Options{}, newTool("fast", "trials", noWait)))
	for range 50 {
		resp, err := client.server.Client().Do(client.request(t.Context(), t,
			`{"jsonrpc":"2.0","id":"s1","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},`+
				modernMeta+`}}`))
		expect.NoError(t, err)
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		expect.NoError(t, err)
		first, rest, _ := strings.Cut(string(body), "\n\n")
		if kind := resp.Header.Get("Content-Type"); resp.StatusCode != http.StatusOK || kind != "text/event-stream" ||
			!strings.Contains(first, `"method":"notifications/subscriptions/acknowledged"`) ||
			!strings.Contains(first, `"notifications":{}`) ||
			!strings.Contains(rest, `"id":"s1"`) || !strings.Contains(rest, `"result":`) {
			t.Fatalf("the subscription was answered with %d %s: %s", resp.StatusCode, kind, body)
		}
	}
}

// TestUnexpectedResponse: a response without a request of the server is
// refused.
func TestUnexpectedResponse(t *testing.T) {
	client := startHTTP(t, newToolServer(t, mcpserver.Options{}, newTool("fast", "trials", noWait)))
	for _, answer := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{"role":"assistant"}}`,
		`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no"}}`,
		`{"jsonrpc":"2.0","id":1,"result":{}}`,
	} {
		if status, body := client.post(t, answer); status != http.StatusBadRequest || !strings.Contains(string(body), `"code":-32600`) {
			t.Errorf("%s was answered with %d %s", answer, status, body)
		}
	}
}
