package mcpserver_test

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mcpserver"
)

const (
	showsPages = `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`
	showsOther = `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/other"]}}}`
)

// pageServer returns a server of one tool with a page and one without, and
// without other resources.
func pageServer(t *testing.T) *mcpserver.Server {
	t.Helper()
	with := newTool("get_trial_results", "trials", noWait)
	with.Page = "results"
	return newToolServer(t, mcpserver.Options{}, newTool("get_trial", "trials", noWait), with)
}

// A conversation has the answers of a server to a client with some
// capabilities.
type conversation struct{ initialize, tools, resources, page string }

func conversations(t *testing.T, capabilities string, newServer func(*testing.T) *mcpserver.Server) map[string]conversation {
	t.Helper()
	request := func(id int, method, params string) string {
		return `{"jsonrpc":"2.0","id":` + string(rune('0'+id)) + `,"method":"` + method + `","params":{` + params + `}}`
	}
	handshake := `"protocolVersion":"2025-11-25","capabilities":` + capabilities + `,"clientInfo":{"name":"test","version":"1"}`
	const uri = `"uri":"ui://biofact/results.html"`
	out := map[string]conversation{}

	stdio := startStdioServer(t, newServer(t))
	out["stdio"] = conversation{
		string(stdio.send(t, request(1, "initialize", handshake))), string(stdio.send(t, request(2, "tools/list", ""))),
		string(stdio.send(t, request(3, "resources/list", ""))), string(stdio.send(t, request(4, "resources/read", uri))),
	}
	stdio.close(t)

	first, second := startHTTP(t, newServer(t)), startHTTP(t, newServer(t)) // two replicas
	resp, err := first.server.Client().Do(first.request(t.Context(), t, request(1, "initialize", handshake)))
	expect.NoError(t, err)
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	expect.NoError(t, err)
	if id := resp.Header.Get("Mcp-Session-Id"); id != "" {
		second.header.Set("Mcp-Session-Id", id)
	}
	post := func(line string) string { _, body := second.post(t, line); return string(body) }
	out["http"] = conversation{string(body) + "\n", post(request(2, "tools/list", "")) + "\n", post(request(3, "resources/list", "")) +
		"\n", post(request(4, "resources/read", uri)) + "\n"}

	meta := strings.Replace(modernMeta, `"io.modelcontextprotocol/clientCapabilities":{}`, `"io.modelcontextprotocol/clientCapabilities":`+
		capabilities, 1)
	modern := startHTTP(t, newServer(t))
	ask := func(id int, method, params string) string {
		_, body := modern.post(t, request(id, method, strings.TrimPrefix(params+","+meta, ",")))
		return string(body)
	}
	out["modern"] = conversation{ask(1, "server/discover", ""), ask(2, "tools/list", ""), ask(3, "resources/list", ""),
		ask(4, "resources/read", uri)}
	return out
}

// TestPagesOffered: a client that shows pages gets them in the list, over each
// transport and in both eras, also from a replica that does not know the
// client.
func TestPagesOffered(t *testing.T) {
	for era, got := range conversations(t, showsPages, pageServer) {
		var list struct {
			Result struct {
				CacheScope string
				Tools      []struct {
					Name string
					Meta map[string]any `json:"_meta"`
				}
			}
		}
		decode(t, []byte(got.tools), &list)
		want := map[string]map[string]any{"get_trial": nil, "get_trial_results": {
			"ui": map[string]any{"resourceUri": "ui://biofact/results.html"}, "ui/resourceUri": "ui://biofact/results.html",
		}}
		for _, listed := range list.Result.Tools {
			expect.Equal(t, era+": "+listed.Name, want[listed.Name], listed.Meta)
		}
		expect.That(t, len(list.Result.Tools) == 2, "%s: the list is %s", era, got.tools)
		expect.That(t, (era == "modern") == (list.Result.CacheScope == "private"), "%s: others may be given a stored %s", era, got.tools)
		expect.That(t, strings.Contains(got.initialize, `"resources":{`), "%s: the server says %s", era, got.initialize)
		expect.That(t, strings.Contains(got.resources, "ui://biofact/results.html"), "%s: the resources are %s", era, got.resources)
		var read struct {
			Result struct {
				Contents []struct{ URI, MIMEType, Text, Blob string }
			}
		}
		expect.NoError(t, json.Unmarshal([]byte(got.page), &read))
		expect.Must(t, len(read.Result.Contents) == 1, "%s: the page is %d contents", era, len(read.Result.Contents))
		page := read.Result.Contents[0]
		expect.That(t, page.MIMEType == "text/html;profile=mcp-app" && strings.HasPrefix(page.Text, "<!doctype html>") && page.Blob == "",
			"%s: the page is %s %.80s", era, page.MIMEType, page.Text)
	}
}

// TestPagesHidden: a client that does not show pages gets the same bytes as
// from a server without pages.
func TestPagesHidden(t *testing.T) {
	withoutPages := func(*testing.T) *mcpserver.Server {
		return newToolServer(t, mcpserver.Options{}, newTool("get_trial", "trials", noWait), newTool("get_trial_results", "trials", noWait))
	}
	for _, capabilities := range []string{`{}`, showsOther} {
		got, want := conversations(t, capabilities, pageServer), conversations(t, capabilities, withoutPages)
		for era := range want {
			expect.That(t, got[era].initialize == want[era].initialize, "%s: the server says %s", era,
				cmp.Diff(want[era].initialize, got[era].initialize))
			expect.That(t, got[era].tools == want[era].tools, "%s: the tools are %s", era, cmp.Diff(want[era].tools, got[era].tools))
			expect.That(t, !strings.Contains(got[era].resources, "ui://"), "%s: the resources are %s", era, got[era].resources)
		}
	}
}

// TestPageAllowed: a caller can read the page of a tool only if it may use the
// tool.
func TestPageAllowed(t *testing.T) {
	with := newTool("get_trial_results", "trials", noWait)
	with.Page = "results"
	client := startHTTP(t, newToolServer(t, mcpserver.Options{Allowed: func(context.Context) []string { return []string{"genes"} }}, with))
	client.header.Set("Mcp-Session-Id", "pages-of-a-test")
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"resources/list","params":{}}`,
		`{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"ui://biofact/results.html"}}`,
	} {
		_, body := client.post(t, line)
		expect.That(t, !strings.Contains(string(body), "doctype") && !strings.Contains(string(body), `"uri":"ui:`),
			"%s was answered with %s", line, body)
	}
}
