package main

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/cmd/biofact/internal/clients"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestLinks checks that the buttons in the documents, the links that biofact config prints, and the plugin hold the entry of the
// client, and that docs/clients.md names every client with its file.
func TestLinks(t *testing.T) {
	t.Parallel()
	read := func(path string) string {
		text, err := os.ReadFile(path)
		expect.NoError(t, err)
		return string(text)
	}
	installed := clients.Server{Command: clients.Name, Env: userVariables} // no package of another registry, which may not exist yet
	page := read("../../docs/clients.md")
	for _, name := range clients.Names() {
		snippet, err := clients.For(name, installed, "linux")
		expect.NoError(t, err)
		expect.That(t, strings.Contains(page, "| `"+name+"` | `"+snippet.File), "docs/clients.md lacks %s: %s", name, snippet.File)
		link, err := clients.Link(name, installed)
		if err != nil {
			expect.That(t, name != "vscode" && name != "cursor", "%v", err)
			continue
		}
		expect.That(t, strings.Contains(page, "("+link+")"), "docs/clients.md lacks the button of %s:\n%s", name, link)
		u, err := url.Parse(link)
		expect.NoError(t, err)
		entry, inputs := []byte(u.Query().Get("config")), u.Query().Get("inputs")
		if name == "cursor" {
			entry, err = base64.StdEncoding.DecodeString(string(entry))
			expect.NoError(t, err)
		}
		servers, decoded := "mcpServers", ""
		if name == "vscode" {
			servers, decoded = "servers", `"inputs":`+inputs+`,`
		}
		var want, got any
		expect.NoError(t, json.Unmarshal([]byte(snippet.Text), &want))
		expect.NoError(t, json.Unmarshal([]byte(`{`+decoded+`"`+servers+`":{"biofact":`+string(entry)+`}}`), &got))
		expect.Equal(t, name, want, got)
	}
	var plugin, entry struct {
		Name, Source string
		MCPServers   any
		Plugins      []struct{ Name, Source string }
	}
	expect.NoError(t, json.Unmarshal([]byte(read("../../.claude-plugin/marketplace.json")), &entry))
	folder := "../../" + entry.Plugins[0].Source
	expect.NoError(t, json.Unmarshal([]byte(read(folder+"/.claude-plugin/plugin.json")), &plugin))
	expect.Is(t, plugin.Name, entry.Plugins[0].Name, "the name of the plugin")
	expect.Is(t, read(folder+"/skills/biofact/SKILL.md"), string(skillText), "the skill of the plugin")
	snippet, err := clients.For("claude-code", installed, "linux")
	expect.NoError(t, err)
	entry.MCPServers = nil
	expect.NoError(t, json.Unmarshal([]byte(snippet.Text), &entry))
	expect.Equal(t, "the server of the plugin", entry.MCPServers, plugin.MCPServers)
	if command, _ := starter("/home/me/.npm/_npx/0123/node_modules/@biofact-mcp/linux-x64/biofact"); command != "npx" {
		t.Errorf("npx starts %s", command)
	}
	if command, _ := starter("/home/me/.cache/uv/archive-v0/abc/bin/biofact"); command != "uvx" {
		t.Errorf("uvx starts %s", command)
	}
}
