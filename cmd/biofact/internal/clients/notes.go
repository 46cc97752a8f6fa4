package clients

import (
	"fmt"
	"strings"
)

// perSystem is a file with a path of its own for each system.
func perSystem(darwin, windows, others string) func(goos string) string {
	return func(goos string) string {
		switch goos {
		case "darwin":
			return darwin
		case "windows":
			return windows
		}
		return others
	}
}

// inHome is a file below the user's home folder on every system.
func inHome(path ...string) func(goos string) string {
	return func(goos string) string {
		if goos == "windows" {
			return `%USERPROFILE%\` + strings.Join(path, `\`)
		}
		return "~/" + strings.Join(path, "/")
	}
}

// toWrite is for a client that expands nothing.
func toWrite(s Server) []string {
	return ofVariables(s, "Write your values in the place of ${YOUR_...} (%s), or leave them: such a text counts as not set.")
}

// fromSurroundings is for a client that hands its own environment on.
func fromSurroundings(s Server) []string {
	return ofVariables(s, "%s come from the environment that the client runs in; each may be unset.")
}

func tokenFromSurroundings() []string {
	return []string{"Set " + TokenVariable + " to the token in the environment that the client runs in."}
}

// ofVariables is a note that names the variables, or none without variables.
func ofVariables(s Server, format string) []string {
	var names []string
	for _, v := range s.Env {
		names = append(names, v.Name)
	}
	if len(names) == 0 {
		return nil
	}
	return []string{fmt.Sprintf(format, strings.Join(names, " and "))}
}

// byCommand introduces a command line of Claude Code, which expands nothing in
// the settings that it keeps for the user.
const byCommand = "Or for all projects, with your values in the place of ${YOUR_...}: "

// claudeAdd is the command line of Claude Code. An option must stand between
// --env and the name, which would otherwise count as one more variable.
func claudeAdd(s Server, goos string) string {
	words := []string{"claude", "mcp", "add"}
	for _, v := range s.Env {
		words = append(words, "--env", v.Name+"="+written(v.Name))
	}
	words = append(words, "--transport", "stdio", "--scope", "user", Name, "--", s.Command)
	return byCommand + commandLine(append(words, s.Args...), goos)
}

func claudeAddURL(s Server, goos string) string {
	return byCommand + commandLine([]string{"claude", "mcp", "add", "--transport", "http", "--scope", "user", Name, s.URL,
		"--header", "Authorization: " + authorization(written)["Authorization"]}, goos)
}

// commandLine quotes words for a POSIX shell, or for PowerShell on Windows.
func commandLine(words []string, goos string) string {
	var quoted []string
	for _, w := range words {
		switch {
		case w != "" && !strings.ContainsFunc(w, func(r rune) bool { return !plain(r) && (r != '\\' || goos != "windows") }):
			quoted = append(quoted, w)
		case goos == "windows":
			quoted = append(quoted, "'"+strings.ReplaceAll(w, "'", "''")+"'")
		default:
			quoted = append(quoted, "'"+strings.ReplaceAll(w, "'", `'\''`)+"'")
		}
	}
	return strings.Join(quoted, " ")
}

// plain characters mean nothing to a shell.
func plain(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:=", r)
}
