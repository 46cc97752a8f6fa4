package clients

import (
	"fmt"
	"strings"
)

// A client and the forms of its configuration.
type client struct {
	name string
	// stdio and remote write the document for a command and for a URL. A client
	// without remote says in noRemote what to do instead.
	stdio    func(Server) (string, error)
	remote   func(Server) (string, error)
	noRemote string
	// stdioNotes and remoteNotes say what a user must do or know besides.
	stdioNotes  func(s Server, goos string) []string
	remoteNotes func(s Server, goos string) []string
	// file is where the document goes.
	file func(goos string) string
}

// entry is one server in a client's file: what all clients have in common. The
// rest differs in the name of the URL and in whether the kind is named.
type entry struct {
	Type      string            `json:"type,omitempty"`
	Command   string            `json:"command,omitempty"`
	Args      []string          `json:"args,omitempty"`
	Env       map[string]string `json:"env,omitempty"`
	URL       string            `json:"url,omitempty"`
	HTTPURL   string            `json:"httpUrl,omitempty"`
	ServerURL string            `json:"serverUrl,omitempty"`
	Headers   map[string]string `json:"headers,omitempty"`
}

// A placeholder stands for the value of a variable. Some clients put the
// variable of their own environment there; for the others a user must write it.
// Biofact counts a text of the form ${...} that arrives as it is as not set.
type placeholder func(name string) string

func written(name string) string         { return "${YOUR_" + name + "}" }
func expanded(name string) string        { return "${" + name + "}" }
func expandedOrEmpty(name string) string { return "${" + name + ":-}" }
func fromEnv(name string) string         { return "${env:" + name + "}" }
func fromInput(name string) string       { return "${input:" + inputID(name) + "}" }

func inputID(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "-")) }

func (s Server) environment(p placeholder) map[string]string {
	env := map[string]string{}
	for _, v := range s.Env {
		env[v.Name] = p(v.Name)
	}
	return env
}

func authorization(p placeholder) map[string]string {
	return map[string]string{"Authorization": "Bearer " + p(TokenVariable)}
}

// all are the clients. The documentation of each is named where its form is
// tested.
var all = []client{
	{
		name:     "claude-desktop",
		stdio:    func(s Server) (string, error) { return mcpServers(start(s, "", written)) },
		noRemote: "its file takes only servers that it starts; add the URL in Claude Desktop under Settings, Connectors, Add custom connector",
		stdioNotes: func(s Server, _ string) []string {
			return append(toWrite(s), "Quit Claude Desktop and start it again.")
		},
		file: perSystem("~/Library/Application Support/Claude/claude_desktop_config.json", `%APPDATA%\Claude\claude_desktop_config.json`,
			"~/.config/Claude/claude_desktop_config.json"),
	},
	{
		name:  "claude-code",
		stdio: func(s Server) (string, error) { return mcpServers(start(s, "stdio", expandedOrEmpty)) },
		remote: func(s Server) (string, error) {
			return mcpServers(entry{Type: "http", URL: s.URL, Headers: authorization(expanded)})
		},
		stdioNotes: func(s Server, goos string) []string {
			return append(fromSurroundings(s), claudeAdd(s, goos))
		},
		remoteNotes: func(s Server, goos string) []string {
			return append(tokenFromSurroundings(), claudeAddURL(s, goos))
		},
		file: func(string) string { return ".mcp.json in the folder of the project" },
	},
	{
		name:  "cursor",
		stdio: func(s Server) (string, error) { return mcpServers(start(s, "stdio", fromEnv)) },
		remote: func(s Server) (string, error) {
			return mcpServers(entry{URL: s.URL, Headers: authorization(fromEnv)})
		},
		stdioNotes:  func(s Server, _ string) []string { return fromSurroundings(s) },
		remoteNotes: func(Server, string) []string { return tokenFromSurroundings() },
		file:        inHome(".cursor", "mcp.json"),
	},
	{
		name:   "vscode",
		stdio:  vscodeStdio,
		remote: vscodeRemote,
		stdioNotes: func(s Server, _ string) []string {
			return append(ofVariables(s, "VS Code asks for %s when the server starts for the first time; an empty answer leaves it out."), vscodeCommand)
		},
		remoteNotes: func(Server, string) []string {
			return []string{"VS Code asks for the token when it connects for the first time.", vscodeCommand}
		},
		file: perSystem("~/Library/Application Support/Code/User/mcp.json", `%APPDATA%\Code\User\mcp.json`, "~/.config/Code/User/mcp.json"),
	},
	{
		name:  "windsurf",
		stdio: func(s Server) (string, error) { return mcpServers(start(s, "", fromEnv)) },
		remote: func(s Server) (string, error) {
			return mcpServers(entry{ServerURL: s.URL, Headers: authorization(fromEnv)})
		},
		stdioNotes:  func(s Server, _ string) []string { return fromSurroundings(s) },
		remoteNotes: func(Server, string) []string { return tokenFromSurroundings() },
		file:        inHome(".codeium", "windsurf", "mcp_config.json"),
	},
	{
		name:  "gemini",
		stdio: func(s Server) (string, error) { return mcpServers(start(s, "", expanded)) },
		remote: func(s Server) (string, error) {
			return mcpServers(entry{HTTPURL: s.URL, Headers: authorization(expanded)})
		},
		stdioNotes:  func(s Server, _ string) []string { return fromSurroundings(s) },
		remoteNotes: func(Server, string) []string { return tokenFromSurroundings() },
		file:        inHome(".gemini", "settings.json"),
	},
	{
		name: "zed",
		stdio: func(s Server) (string, error) {
			e := start(s, "", written)
			return document(contextServers{map[string]entry{Name: e}})
		},
		remote: func(s Server) (string, error) {
			e := entry{URL: s.URL, Headers: authorization(written)}
			return document(contextServers{map[string]entry{Name: e}})
		},
		stdioNotes: func(s Server, _ string) []string { return toWrite(s) },
		remoteNotes: func(Server, string) []string {
			return []string{"Write your token in the place of " + written(TokenVariable) + "."}
		},
		file: perSystem("~/.config/zed/settings.json", `%APPDATA%\Zed\settings.json`, "~/.config/zed/settings.json"),
	},
	{
		name:        "codex",
		stdio:       codexStdio,
		remote:      codexRemote,
		stdioNotes:  func(s Server, _ string) []string { return fromSurroundings(s) },
		remoteNotes: func(Server, string) []string { return tokenFromSurroundings() },
		file:        inHome(".codex", "config.toml"),
	},
}

// start is the entry of a server that the client starts.
func start(s Server, kind string, p placeholder) entry {
	return entry{Type: kind, Command: s.Command, Args: s.Args, Env: s.environment(p)}
}

// mcpServers is the form that most clients share.
func mcpServers(e entry) (string, error) {
	return document(struct {
		MCPServers map[string]entry `json:"mcpServers"`
	}{map[string]entry{Name: e}})
}

// contextServers is Zed's form.
type contextServers struct {
	ContextServers map[string]entry `json:"context_servers"`
}

// vscodeCommand opens the file wherever a profile keeps it.
const vscodeCommand = "The command «MCP: Open User Configuration» opens the file; .vscode/mcp.json serves one workspace."

// vscodeInput is a value that VS Code asks for and keeps.
type vscodeInput struct {
	Type        string `json:"type"`
	ID          string `json:"id"`
	Description string `json:"description"`
	Password    bool   `json:"password"`
}

type vscodeFile struct {
	Inputs  []vscodeInput    `json:"inputs,omitempty"`
	Servers map[string]entry `json:"servers"`
}

func vscodeStdio(s Server) (string, error) {
	f := vscodeFile{Servers: map[string]entry{Name: start(s, "stdio", fromInput)}}
	for _, v := range s.Env {
		f.Inputs = append(f.Inputs, vscodeInput{Type: "promptString", ID: inputID(v.Name), Description: v.About, Password: v.Secret})
	}
	return document(f)
}

func vscodeRemote(s Server) (string, error) {
	return document(vscodeFile{
		Inputs:  []vscodeInput{{Type: "promptString", ID: inputID(TokenVariable), Description: "Bearer token of the Biofact server", Password: true}},
		Servers: map[string]entry{Name: {Type: "http", URL: s.URL, Headers: authorization(fromInput)}},
	})
}

// codexStdio names the variables that Codex hands on; it expands none.
func codexStdio(s Server) (string, error) {
	var names []string
	for _, v := range s.Env {
		names = append(names, v.Name)
	}
	text := fmt.Sprintf("[mcp_servers.%s]\ncommand = %s\n", Name, quote(s.Command))
	if len(s.Args) > 0 {
		text += "args = " + list(s.Args) + "\n"
	}
	if len(names) > 0 {
		text += "env_vars = " + list(names) + "\n"
	}
	return text, nil
}

// codexRemote names the variable whose value Codex sends as the bearer token of
// the Authorization header; it refuses a token in the file.
func codexRemote(s Server) (string, error) {
	return fmt.Sprintf("[mcp_servers.%s]\nurl = %s\nbearer_token_env_var = %s\n", Name, quote(s.URL), quote(TokenVariable)), nil
}

func list(texts []string) string {
	var quoted []string
	for _, t := range texts {
		quoted = append(quoted, quote(t))
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
