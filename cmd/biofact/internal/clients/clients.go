// Package clients writes the configuration by which an MCP client starts
// Biofact or connects to it. It is pure: a client and a server in, text out.
//
// Each client's form is the one that its own documentation shows; the tests
// hold the texts against it.
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

// Name is what the clients list Biofact under.
const Name = "biofact"

// TokenVariable is the variable of the environment that holds the bearer token
// for a server reached over HTTP.
const TokenVariable = "BIOFACT_TOKEN"

// A Server is what a client starts, or connects to where URL is set.
type Server struct {
	// Command is the absolute path of the binary, Args its arguments.
	Command string
	Args    []string
	// Env are the variables that a user may want to set.
	Env []Variable
	// URL is the endpoint of a server that runs already; empty: start Command.
	URL string
}

// names returns the names of the variables.
func (s Server) names() (names []string) {
	for _, v := range s.Env {
		names = append(names, v.Name)
	}
	return names
}

// A Variable of the environment. Its value is never written, only a placeholder.
type Variable struct {
	Name string
	// About says in a few words what the value is.
	About string
	// Secret values are not shown while they are typed.
	Secret bool
}

// A Snippet is the configuration for one client.
type Snippet struct {
	// Text is a whole document of the client's file: JSON, or TOML for Codex.
	Text string
	// File is where the document goes, as people write paths on their system.
	File string
	// Notes are what the user should know besides, a sentence each.
	Notes []string
}

// Names lists the clients in the order of For's messages.
func Names() []string {
	var names []string
	for _, c := range all {
		names = append(names, c.name)
	}
	return names
}

// For returns the configuration of a client on an operating system, named as Go
// names it. The error says what is wrong with the name, the URL, or the client.
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
	return Snippet{Text: text, File: c.file(goos), Notes: c.notes(s, goos)}, err
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

// document is JSON as people write it: indented, no HTML escapes.
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

// quote is a text that JSON and TOML read alike: TOML knows all escapes that are
// written here, and refuses a bare delete character, which JSON admits.
func quote(text string) string {
	encoded, _ := document(text) // a string cannot fail
	return strings.ReplaceAll(strings.TrimSuffix(encoded, "\n"), "\x7f", `\u007f`)
}
