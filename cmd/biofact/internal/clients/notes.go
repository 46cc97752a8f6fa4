package clients

import (
	"fmt"
	"strings"
)

// notes returns further hints for the user.
func (c *client) notes(s Server, goos string) (notes []string) {
	if s.URL != "" {
		notes = append(notes, c.token.token)
	} else if len(s.Env) > 0 {
		notes = append(notes, fmt.Sprintf(c.values.variables, strings.Join(s.names(), " and ")))
	}
	if c.also != nil {
		notes = append(notes, c.also(s, goos))
	}
	return notes
}

// claudeAdd returns the command line that adds the server to Claude Code, which does not expand variables in the user settings. Another
// option must follow --env, because --env would take the name of the server as a further variable.
func claudeAdd(s Server, goos string) string {
	words := []string{"claude", "mcp", "add"}
	if s.URL != "" {
		words = append(words, "--transport", "http", "--scope", "user", Name, s.URL, "--header", "Authorization: Bearer "+
			written.of(TokenVariable))
	} else {
		for _, v := range s.Env {
			words = append(words, "--env", v.Name+"="+written.of(v.Name))
		}
		words = append(append(words, "--transport", "stdio", "--scope", "user", Name, "--", s.Command), s.Args...)
	}
	return "Or for all projects, with your values instead of ${YOUR_...}: " + commandLine(words, goos)
}

// commandLine quotes words for a POSIX shell, or for PowerShell on Windows.
func commandLine(words []string, goos string) string {
	var quoted []string
	for _, w := range words {
		switch {
		case w != "" && !strings.ContainsFunc(w, func(r rune) bool { return !isUnquoted(r) && (r != '\\' || goos != "windows") }):
			quoted = append(quoted, w)
		case goos == "windows":
			quoted = append(quoted, "'"+strings.ReplaceAll(w, "'", "''")+"'")
		default:
			quoted = append(quoted, "'"+strings.ReplaceAll(w, "'", `'\''`)+"'")
		}
	}
	return strings.Join(quoted, " ")
}

// isUnquoted reports whether a shell takes a character literally.
func isUnquoted(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:=", r)
}
