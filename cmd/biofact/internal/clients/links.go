package clients

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
)

// Link returns a web address that opens VS Code or Cursor and adds the server to it, with the entry that For returns.
func Link(name string, s Server) (string, error) {
	if name != "vscode" && name != "cursor" {
		return "", fmt.Errorf("--link: %s opens no links; vscode and cursor do", name)
	}
	snippet, err := For(name, s, "")
	if err != nil {
		return "", err
	}
	var file struct {
		Inputs     json.RawMessage
		Servers    map[string]json.RawMessage
		MCPServers map[string]json.RawMessage
	}
	if err := json.Unmarshal([]byte(snippet.Text), &file); err != nil {
		return "", err
	}
	if name == "cursor" {
		entry := base64.StdEncoding.EncodeToString([]byte(compact(file.MCPServers[Name])))
		return "https://cursor.com/en/install-mcp?name=" + Name + "&config=" + url.QueryEscape(entry), nil
	}
	link := "https://vscode.dev/redirect/mcp/install?name=" + Name
	if len(file.Inputs) > 0 {
		link += "&inputs=" + escaped(compact(file.Inputs))
	}
	return link + "&config=" + escaped(compact(file.Servers[Name])), nil
}

// compact returns a valid JSON value without spaces between its parts.
func compact(value json.RawMessage) string {
	var out bytes.Buffer
	_ = json.Compact(&out, value) // it was decoded before
	return out.String()
}

// escaped returns a text as part of a query, with a space as browsers write it.
func escaped(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }
