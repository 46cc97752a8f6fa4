// Package clients writes the configuration by which an MCP client starts Biofact or connects to it, and merges it into the
// client's file.
//
// Each client's configuration has the form that the client's own documentation shows. The tests compare both.
package clients

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Name is the name of the server in the client's configuration.
const Name = "biofact"

// TokenVariable is the environment variable with the bearer token for an HTTP server.
const TokenVariable = "BIOFACT_TOKEN"

// A Server is the server that the client starts, or connects to if URL is set.
type Server struct {
	// Command is the absolute path of the binary, Args its arguments.
	Command string
	Args    []string
	// Env are the variables that a user may want to set.
	Env []Variable
	// URL is the endpoint of a running server; empty: the client starts Command.
	URL string
}

func (s Server) names() (names []string) {
	for _, v := range s.Env {
		names = append(names, v.Name)
	}
	return names
}

// A Variable is an environment variable. The configuration has a placeholder instead of its value.
type Variable struct {
	Name string
	// About describes the value in a few words.
	About string
	// Secret reports whether a client hides the value while it is typed.
	Secret bool
}

// A Snippet is the configuration for one client.
type Snippet struct {
	// Text is a complete document of the client's file: JSON, or TOML for Codex.
	Text string
	// File is the path of the client's file, as people write paths on their system.
	File string
	// Notes are further hints for the user, one sentence each.
	Notes []string
}

// Names lists the clients in the order in which messages list them.
func Names() []string {
	var names []string
	for _, c := range all {
		names = append(names, c.name)
	}
	return names
}

// For returns the configuration of a client on an operating system (a GOOS value). The error names the invalid client or URL.
func For(name string, s Server, goos string) (Snippet, error) {
	i := slices.IndexFunc(all, func(c client) bool { return c.name == name })
	if i < 0 {
		return Snippet{}, fmt.Errorf("no client %q: must be one of %s", name, strings.Join(Names(), ", "))
	}
	c := &all[i]
	if s.URL != "" {
		if err := checkURL(s.URL); err != nil {
			return Snippet{}, err
		}
		if c.url == nil {
			return Snippet{}, fmt.Errorf("%s: %s", c.name, c.noURL)
		}
	}
	text, err := c.document(s)
	return Snippet{Text: text, File: c.path(goos), Notes: c.notes(s, goos)}, err
}

func checkURL(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return errors.New("the URL must be http or https with a host, such as https://host.example/mcp")
	}
	if u.User != nil {
		return errors.New("the URL must not hold a user or a password: the token goes into the Authorization header")
	}
	return nil
}

// document formats JSON with indentation and without HTML escapes.
func document(v any) (string, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return "", fmt.Errorf("write the configuration: %w", err)
	}
	return out.String(), nil
}

// quote returns a string literal that is valid in JSON and in TOML. TOML knows all escapes that are used here. It refuses an unescaped
// delete character, which JSON allows.
func quote(text string) string {
	encoded, _ := document(text) // a string cannot fail
	return strings.ReplaceAll(strings.TrimSuffix(encoded, "\n"), "\x7f", `\u007f`)
}
