package clients_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/cmd/biofact/internal/clients"
	"github.com/biofact-mcp/biofact/internal/expect"
)

var update = flag.Bool("update", false, "write the goldens anew")

var (
	local = clients.Server{
		Command: "/usr/local/bin/biofact",
		Args:    []string{"--sandbox"},
		Env: []clients.Variable{
			{Name: "NCBI_API_KEY", About: "API key of NCBI", Secret: true},
			{Name: "NCBI_ADMIN_EMAIL", About: "E-mail address"},
		},
	}
	remote = clients.Server{URL: "https://host.example/mcp"}
)

// An object is a JSON object or a TOML table.
type object = map[string]any

// forms are the documented forms of the clients, written from the named pages. They have only the keys that the page shows.
var forms = []struct {
	client, page  string
	local, remote object // nil: the client takes no URL
}{
	{
		client: "claude-desktop",
		page:   "modelcontextprotocol.io/docs/develop/connect-local-servers",
		local: object{"mcpServers": object{"biofact": object{
			"command": "/usr/local/bin/biofact", "args": []any{"--sandbox"},
			"env": object{"NCBI_API_KEY": "${YOUR_NCBI_API_KEY}", "NCBI_ADMIN_EMAIL": "${YOUR_NCBI_ADMIN_EMAIL}"},
		}}},
	},
	{
		client: "claude-code",
		page:   "code.claude.com/docs/en/mcp: .mcp.json, expansion of ${VAR} and ${VAR:-default} in command, args, env, url and headers",
		local: object{"mcpServers": object{"biofact": object{
			"type": "stdio", "command": "/usr/local/bin/biofact", "args": []any{"--sandbox"},
			"env": object{"NCBI_API_KEY": "${NCBI_API_KEY:-}", "NCBI_ADMIN_EMAIL": "${NCBI_ADMIN_EMAIL:-}"},
		}}},
		remote: object{"mcpServers": object{"biofact": object{
			"type": "http", "url": "https://host.example/mcp", "headers": object{"Authorization": "Bearer ${BIOFACT_TOKEN}"},
		}}},
	},
	{
		client: "cursor",
		page:   "cursor.com/docs/context/mcp: type stdio, or url and headers; ${env:NAME} in command, args, env, url and headers",
		local: object{"mcpServers": object{"biofact": object{
			"type": "stdio", "command": "/usr/local/bin/biofact", "args": []any{"--sandbox"},
			"env": object{"NCBI_API_KEY": "${env:NCBI_API_KEY}", "NCBI_ADMIN_EMAIL": "${env:NCBI_ADMIN_EMAIL}"},
		}}},
		remote: object{"mcpServers": object{"biofact": object{
			"url": "https://host.example/mcp", "headers": object{"Authorization": "Bearer ${env:BIOFACT_TOKEN}"},
		}}},
	},
	{
		client: "vscode",
		page:   "code.visualstudio.com/docs/copilot/reference/mcp-configuration: servers, and inputs of type promptString",
		local: object{
			"inputs": []any{
				object{"type": "promptString", "id": "ncbi-api-key", "description": "API key of NCBI", "password": true},
				object{"type": "promptString", "id": "ncbi-admin-email", "description": "E-mail address", "password": false},
			},
			"servers": object{"biofact": object{
				"type": "stdio", "command": "/usr/local/bin/biofact", "args": []any{"--sandbox"},
				"env": object{"NCBI_API_KEY": "${input:ncbi-api-key}", "NCBI_ADMIN_EMAIL": "${input:ncbi-admin-email}"},
			}},
		},
		remote: object{
			"inputs": []any{object{"type": "promptString", "id": "biofact-token", "description": "Bearer token of the Biofact server",
				"password": true}},
			"servers": object{"biofact": object{
				"type": "http", "url": "https://host.example/mcp", "headers": object{"Authorization": "Bearer ${input:biofact-token}"},
			}},
		},
	},
	{
		client: "windsurf",
		page:   "docs.windsurf.com/windsurf/cascade/mcp: serverUrl for HTTP; ${env:NAME} in command, args, env, serverUrl and headers",
		local: object{"mcpServers": object{"biofact": object{
			"command": "/usr/local/bin/biofact", "args": []any{"--sandbox"},
			"env": object{"NCBI_API_KEY": "${env:NCBI_API_KEY}", "NCBI_ADMIN_EMAIL": "${env:NCBI_ADMIN_EMAIL}"},
		}}},
		remote: object{"mcpServers": object{"biofact": object{
			"serverUrl": "https://host.example/mcp", "headers": object{"Authorization": "Bearer ${env:BIOFACT_TOKEN}"},
		}}},
	},
	{
		client: "gemini",
		page:   "geminicli.com/docs/tools/mcp-server: httpUrl for streamable HTTP (url is SSE); $NAME and ${NAME} are expanded",
		local: object{"mcpServers": object{"biofact": object{
			"command": "/usr/local/bin/biofact", "args": []any{"--sandbox"},
			"env": object{"NCBI_API_KEY": "${NCBI_API_KEY}", "NCBI_ADMIN_EMAIL": "${NCBI_ADMIN_EMAIL}"},
		}}},
		remote: object{"mcpServers": object{"biofact": object{
			"httpUrl": "https://host.example/mcp", "headers": object{"Authorization": "Bearer ${BIOFACT_TOKEN}"},
		}}},
	},
	{
		client: "zed",
		page:   "zed.dev/docs/ai/mcp: context_servers, command, args and env, or url and headers",
		local: object{"context_servers": object{"biofact": object{
			"command": "/usr/local/bin/biofact", "args": []any{"--sandbox"},
			"env": object{"NCBI_API_KEY": "${YOUR_NCBI_API_KEY}", "NCBI_ADMIN_EMAIL": "${YOUR_NCBI_ADMIN_EMAIL}"},
		}}},
		remote: object{"context_servers": object{"biofact": object{
			"url": "https://host.example/mcp", "headers": object{"Authorization": "Bearer ${YOUR_BIOFACT_TOKEN}"},
		}}},
	},
	{
		client: "codex",
		page:   "developers.openai.com/codex/mcp: mcp_servers.<name> with command, args and env_vars, or url and bearer_token_env_var",
		local: object{"mcp_servers.biofact": object{
			"command": "/usr/local/bin/biofact", "args": []any{"--sandbox"}, "env_vars": []any{"NCBI_API_KEY", "NCBI_ADMIN_EMAIL"},
		}},
		remote: object{"mcp_servers.biofact": object{
			"url": "https://host.example/mcp", "bearer_token_env_var": "BIOFACT_TOKEN",
		}},
	},
}

// TestForms compares the output with the documented form of each client.
func TestForms(t *testing.T) {
	t.Parallel()
	var tested []string
	for _, form := range forms {
		tested = append(tested, form.client)
		for kind, want := range map[string]object{"stdio": form.local, "http": form.remote} {
			server := local
			if kind == "http" {
				server = remote
			}
			snippet, err := clients.For(form.client, server, "linux")
			if want == nil {
				expect.That(t, err != nil, "%s: took a URL", form.client)
				continue
			}
			expect.NoError(t, err)
			expect.Equal(t, fmt.Sprintf("%s, %s: not as on %s", form.client, kind, form.page), want, read(t, form.client, snippet.Text))
			golden(t, form.client, kind, server)
		}
	}
	expect.Equal(t, "clients without a documented form", clients.Names(), tested)
}

// golden compares the complete snippets and their notes on each system with a golden file.
func golden(t *testing.T, client, kind string, server clients.Server) {
	t.Helper()
	var out strings.Builder
	for _, goos := range []string{"darwin", "linux", "windows"} {
		s := server
		if goos == "windows" && s.Command != "" {
			s.Command = `C:\Program Files\biofact\biofact.exe`
		}
		snippet, err := clients.For(client, s, goos)
		expect.NoError(t, err)
		fmt.Fprintf(&out, "-- %s --\n%s\n", goos, snippet.File)
		for _, note := range snippet.Notes {
			fmt.Fprintf(&out, "# %s\n", note)
		}
		out.WriteString(snippet.Text)
	}
	path := filepath.Join("testdata", client+"."+kind+".golden")
	if *update {
		expect.NoError(t, os.WriteFile(path, []byte(out.String()), 0o644))
	}
	want, err := os.ReadFile(path)
	expect.NoError(t, err)
	expect.Equal(t, path, string(want), out.String())
}

// TestAnyPath checks that every path and argument is preserved, in JSON and in TOML.
func TestAnyPath(t *testing.T) {
	t.Parallel()
	paths := []string{
		`C:\Users\Ann\AppData\Local\biofact.exe`,
		`\\server\share\new\table.exe`,
		`/Applications/My "own" <tools> & more/biofact`,
		"/home/josé/程序/biofact", "/tmp/🧬/biofact",
		"/odd/\ttab\x7fdelete\x01/biofact", "/line\u2028break/biofact",
	}
	for _, form := range forms {
		for _, path := range paths {
			s := local
			s.Command, s.Args = path, []string{"--sandbox=" + path}
			snippet, err := clients.For(form.client, s, "windows")
			expect.NoError(t, err)
			server := inner(read(t, form.client, snippet.Text))
			if server["command"] != path {
				t.Errorf("%s: the command %q arrives as %q", form.client, path, server["command"])
			}
			expect.Equal[any](t, form.client, []any{"--sandbox=" + path}, server["args"])
		}
	}
}

// TestWithoutArguments checks that empty keys are left out.
func TestWithoutArguments(t *testing.T) {
	t.Parallel()
	for _, form := range forms {
		snippet, err := clients.For(form.client, clients.Server{Command: "/bin/biofact"}, "linux")
		expect.NoError(t, err)
		for key := range inner(read(t, form.client, snippet.Text)) {
			expect.That(t, key == "command" || key == "type", "%s: %s is written without a value:\n%s", form.client, key, snippet.Text)
		}
	}
}

func TestRefuses(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"host.example", "ftp://host.example/mcp", "https://", "https://me:secret@host.example/mcp",
		"https://host.example/%zz"} {
		_, err := clients.For("cursor", clients.Server{URL: url}, "linux")
		if err == nil {
			t.Errorf("took the URL %s", url)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("the error shows a password: %v", err)
		}
	}
	if _, err := clients.For("Cursor", local, "linux"); err == nil || !strings.Contains(err.Error(), strings.Join(clients.Names(), ", ")) {
		t.Errorf("the error does not list the clients: %v", err)
	}
}

// TestCommandLine checks the quoting of the command line for Claude Code.
func TestCommandLine(t *testing.T) {
	t.Parallel()
	s := clients.Server{Command: "/opt/it's here/biofact"}
	for goos, want := range map[string]string{
		"linux":   `claude mcp add --transport stdio --scope user biofact -- '/opt/it'\''s here/biofact'`,
		"windows": `claude mcp add --transport stdio --scope user biofact -- '/opt/it''s here/biofact'`,
	} {
		snippet, err := clients.For("claude-code", s, goos)
		expect.NoError(t, err)
		expect.That(t, slices.ContainsFunc(snippet.Notes, func(n string) bool { return strings.HasSuffix(n, want) }),
			"%s: want %s in %q", goos, want, snippet.Notes)
	}
}

// inner returns the only server of a document.
func inner(doc object) object {
	for _, key := range []string{"mcpServers", "servers", "context_servers"} {
		if servers, ok := doc[key].(object); ok {
			return servers[clients.Name].(object)
		}
	}
	return doc["mcp_servers."+clients.Name].(object)
}

// read parses a document strictly.
func read(t *testing.T, client, text string) object {
	t.Helper()
	if client == "codex" {
		return readTOML(t, text)
	}
	return readJSON(t, text).(object)
}

func readJSON(t *testing.T, text string) any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	expect.Must(t, !dec.More(), "more than one document:\n%s", text)
	return v
}

// readTOML parses tables of strings and of lists of strings, which TOML writes as JSON does. It refuses JSON that is not TOML.
func readTOML(t *testing.T, text string) object {
	t.Helper()
	doc, table := object{}, object(nil)
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "["); ok {
			table = object{}
			doc[strings.TrimSuffix(name, "]")] = table
			continue
		}
		key, value, ok := strings.Cut(line, " = ")
		expect.Must(t, ok && table != nil && (strings.HasPrefix(value, `"`) || strings.HasPrefix(value, `["`)),
			"not a pair of TOML: %q", line)
		expect.Must(t, !strings.Contains(value, `\/`) && !strings.Contains(strings.ToLower(value), `\ud`) &&
			!bytes.ContainsRune([]byte(value), 0x7f),
			"not a string of TOML: %s", value)
		if _, twice := table[key]; twice {
			t.Fatalf("%s stands twice", key)
		}
		table[key] = readJSON(t, value)
	}
	return doc
}
