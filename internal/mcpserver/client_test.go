package mcpserver_test

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mcpserver"
)

// TestIndependentClient: the official Go SDK, which shares no code with the
// server's library, lists and calls the tools over each transport, in both
// eras.
func TestIndependentClient(t *testing.T) {
	for _, version := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
		t.Run("http "+version, func(t *testing.T) {
			client := startHTTP(t, newToolServer(t, mcpserver.Options{}, newTool("get_trial", "trials", noWait)))
			converse(t, &mcp.StreamableClientTransport{Endpoint: client.server.URL, HTTPClient: &http.Client{}, MaxRetries: -1}, version)
		})
		t.Run("stdio "+version, func(t *testing.T) {
			serverIn, clientOut := io.Pipe()
			clientIn, serverOut := io.Pipe()
			stopped := make(chan error, 1)
			server := newToolServer(t, mcpserver.Options{}, newTool("get_trial", "trials", noWait))
			go func() {
				err := server.ServeStdio(t.Context(), serverIn, serverOut)
				serverOut.Close()
				stopped <- err
			}()
			converse(t, &mcp.IOTransport{Reader: clientIn, Writer: clientOut}, version)
			expect.Succeeds(t, <-stopped, "error")
		})
	}
}

func converse(t *testing.T, transport mcp.Transport, version string) {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	expect.NoError(t, err)
	expect.Equal(t, "the conversation is in", version, session.InitializeResult().ProtocolVersion)
	list, err := session.ListTools(t.Context(), nil)
	expect.NoError(t, err)
	expect.That(t, slices.ContainsFunc(list.Tools, func(tool *mcp.Tool) bool { return tool.Name == "get_trial" }),
		"the list of tools is %v", list.Tools)
	for _, test := range []struct {
		arguments map[string]any
		isError   bool
		want      string
	}{
		{map[string]any{"word": "asthma"}, false, `{"word":"asthma"}`},
		{map[string]any{"colour": "asthma"}, true, ""},
	} {
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "get_trial", Arguments: test.arguments})
		expect.NoError(t, err)
		got, err := json.Marshal(result.StructuredContent)
		expect.NoError(t, err)
		expect.That(t, result.IsError == test.isError && (test.want == "" || string(got) == test.want),
			"%v was answered with %s (error %v)", test.arguments, got, result.IsError)
	}
	expect.Succeeds(t, session.Close(), "error")
}
