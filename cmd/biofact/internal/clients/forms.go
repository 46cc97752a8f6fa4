package clients

import (
	"cmp"
	"fmt"
	"strings"
)

// A client describes the configuration file of an MCP client.
type client struct {
	name string
	// servers is the key of the servers in the file.
	servers string
	// local and remote are the values of "type" for a server that the client starts and for one that it connects to; empty: the file
	// has no type.
	local, remote string
	// url returns the field of an entry that takes a URL; nil: the file cannot have a URL, and noURL says what to do instead.
	url   func(*entry) *string
	noURL string
	// values is the placeholder of the variables, token that of TokenVariable.
	values, token placeholder
	// write writes the document; nil: a JSON document with the servers only.
	write func(s Server, e entry) (string, error)
	// also returns further notes.
	also func(s Server, goos string) string
	// file is the path of the client's file; mac and windows are its paths on these systems, if they differ by more than the home folder.
	file, mac, windows string
	// user is the file of the user if file is that of a folder; project is the file of a folder, or "".
	user, project string
}

// path returns the path of the client's file as people write it on a system.
func (c *client) path(goos string) string {
	switch rest, inHome := strings.CutPrefix(c.file, "~/"); {
	case goos == "darwin":
		return cmp.Or(c.mac, c.file)
	case goos == "windows" && c.windows != "":
		return c.windows
	case goos == "windows" && inHome:
		return `%USERPROFILE%\` + strings.ReplaceAll(rest, "/", `\`)
	}
	return c.file
}

// An entry is one server in a client's file, with the fields that all clients have. Clients differ in the name of the URL field and in
// whether they name the type.
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

func urlField(e *entry) *string { return &e.URL }

// A placeholder replaces the value of a variable. Some clients replace it with the value in their own environment; for the others the
// user must replace it. Biofact treats a value of the form ${...} as not set.
type placeholder struct {
	before, after string // the name of the variable
	variables     string // note on the variables, with their names
	token         string // note on TokenVariable
}

var (
	written = placeholder{
		before: "${YOUR_", after: "}",
		variables: "Replace ${YOUR_...} with your values (%s), or leave it: such a value counts as not set.",
		token:     "Replace with your token: ${YOUR_" + TokenVariable + "}.",
	}
	expanded        = fromEnvironment("${", "}")
	expandedOrEmpty = fromEnvironment("${", ":-}")
	fromEnv         = fromEnvironment("${env:", "}")
	fromInput       = placeholder{
		before: "${input:", after: "}",
		variables: "VS Code asks for %s when the server starts for the first time; an empty answer means not set.",
		token:     "VS Code asks for the token when it connects for the first time.",
	}
)

// fromEnvironment returns the placeholder of a client that expands variables of its own environment.
func fromEnvironment(before, after string) placeholder {
	return placeholder{
		before: before, after: after,
		variables: "%s come from the environment that the client runs in; each may be unset.",
		token:     "Set " + TokenVariable + " to the token in the environment that the client runs in.",
	}
}

func (p placeholder) of(variable string) string {
	if p == fromInput {
		variable = inputID(variable)
	}
	return p.before + variable + p.after
}

func inputID(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "-")) }

// all lists the clients. The tests name the documentation of each.
var all = []client{
	{
		name: "claude-desktop", servers: "mcpServers", values: written,
		noURL: "its file accepts only servers that the client starts; add the URL in Claude Desktop under Settings, Connectors, Add " +
			"custom connector",
		also: func(Server, string) string { return "Quit Claude Desktop and start it again." },
		file: "~/.config/Claude/claude_desktop_config.json", mac: "~/Library/Application Support/Claude/claude_desktop_config.json",
		windows: `%APPDATA%\Claude\claude_desktop_config.json`,
	},
	{
		name: "claude-code", servers: "mcpServers", local: "stdio", remote: "http", url: urlField, values: expandedOrEmpty, token: expanded,
		also: claudeAdd,
		file: ".mcp.json in the folder of the project", user: "~/.claude.json", project: ".mcp.json",
	},
	{
		name: "cursor", servers: "mcpServers", local: "stdio", url: urlField, values: fromEnv, token: fromEnv,
		file: "~/.cursor/mcp.json", project: ".cursor/mcp.json",
	},
	{
		name: "vscode", local: "stdio", remote: "http", url: urlField, values: fromInput, token: fromInput, write: vscode,
		also: func(Server, string) string {
			return "The command «MCP: Open User Configuration» opens the file; .vscode/mcp.json serves one workspace."
		},
		file: "~/.config/Code/User/mcp.json", mac: "~/Library/Application Support/Code/User/mcp.json",
		windows: `%APPDATA%\Code\User\mcp.json`, project: ".vscode/mcp.json",
	},
	{
		name: "windsurf", servers: "mcpServers", url: func(e *entry) *string { return &e.ServerURL }, values: fromEnv, token: fromEnv,
		file: "~/.codeium/windsurf/mcp_config.json",
	},
	{
		name: "gemini", servers: "mcpServers", url: func(e *entry) *string { return &e.HTTPURL }, values: expanded, token: expanded,
		file: "~/.gemini/settings.json", project: ".gemini/settings.json",
	},
	{
		name: "zed", servers: "context_servers", url: urlField, values: written, token: written,
		file: "~/.config/zed/settings.json", windows: `%APPDATA%\Zed\settings.json`, project: ".zed/settings.json",
	},
	{
		name: "codex", url: urlField, values: expanded, token: expanded, write: codex,
		file: "~/.codex/config.toml", project: ".codex/config.toml",
	},
}

func (c *client) entry(s Server) entry {
	if s.URL != "" {
		e := entry{Type: c.remote, Headers: map[string]string{"Authorization": "Bearer " + c.token.of(TokenVariable)}}
		*c.url(&e) = s.URL
		return e
	}
	e := entry{Type: c.local, Command: s.Command, Args: s.Args, Env: map[string]string{}}
	for _, v := range s.Env {
		e.Env[v.Name] = c.values.of(v.Name)
	}
	return e
}

// document returns the whole document of the client's file.
func (c *client) document(s Server) (string, error) {
	if c.write != nil {
		return c.write(s, c.entry(s))
	}
	return document(map[string]map[string]entry{c.servers: {Name: c.entry(s)}})
}

// vscode writes the document of VS Code. It has inputs in addition to the servers: values that VS Code asks the user for and stores.
func vscode(s Server, e entry) (string, error) {
	type input struct {
		Type        string `json:"type"`
		ID          string `json:"id"`
		Description string `json:"description"`
		Password    bool   `json:"password"`
	}
	var file struct {
		Inputs  []input          `json:"inputs,omitempty"`
		Servers map[string]entry `json:"servers"`
	}
	requestedVars := s.Env
	if s.URL != "" {
		requestedVars = []Variable{{Name: TokenVariable, About: "Bearer token of the Biofact server", Secret: true}}
	}
	for _, v := range requestedVars {
		file.Inputs = append(file.Inputs, input{Type: "promptString", ID: inputID(v.Name), Description: v.About, Password: v.Secret})
	}
	file.Servers = map[string]entry{Name: e}
	return document(file)
}

// codex writes the document of Codex. Codex expands no placeholders and refuses a token in the file, so the document names the
// variables that Codex passes on and the variable with the bearer token.
func codex(s Server, e entry) (string, error) {
	text := "[mcp_servers." + Name + "]\n"
	if s.URL != "" {
		return text + fmt.Sprintf("url = %s\nbearer_token_env_var = %s\n", quote(s.URL), quote(TokenVariable)), nil
	}
	text += "command = " + quote(e.Command) + "\n"
	if len(s.Args) > 0 {
		text += "args = " + list(s.Args) + "\n"
	}
	if len(s.Env) > 0 {
		text += "env_vars = " + list(s.names()) + "\n"
	}
	return text, nil
}

func list(texts []string) string {
	var quoted []string
	for _, t := range texts {
		quoted = append(quoted, quote(t))
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
