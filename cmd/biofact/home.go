package main

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html"
	"net/http"
	"strings"

	"github.com/biofact-mcp/biofact/cmd/biofact/internal/clients"
	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/tool"
)

//go:embed home.html
var homeText string

const homeStyle = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}` +
	`code{font-size:.9em;overflow-wrap:anywhere}td{padding:.1rem 1rem .1rem 0;vertical-align:top}`

// homePage returns the page that a person sees who opens the server's address in a browser. It says what the server is for and how to
// connect. It runs no script and loads nothing.
func homePage(cfg *config.Config, tools []*tool.Tool) http.Handler {
	style := sha256.Sum256([]byte(homeStyle))
	policy := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(style[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	banner := ""
	if origin := app.Origin(cfg); origin != nil {
		banner = "<p><b>" + html.EscapeString(origin.Notice) + "</b></p>\n"
	}
	var rows strings.Builder
	for _, t := range tools {
		rows.WriteString("<tr><td><code>" + html.EscapeString(t.Name) + "</code></td><td>" + html.EscapeString(t.Title) + "</td></tr>\n")
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range map[string]string{
			"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff",
			"X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer", "Cache-Control": "no-cache",
		} {
			w.Header().Set(name, value)
		}
		address := cmp.Or(cfg.PublicURL, "http://"+r.Host+"/mcp") // the host was checked before
		header, access := homeAccess(cfg, address)
		// A write error means that the client has gone.
		_, _ = strings.NewReplacer("{{style}}", homeStyle, "{{banner}}", banner,
			"{{address}}", html.EscapeString(address), "{{header}}", header,
			"{{access}}", access, "{{tools}}", rows.String(), "{{version}}", html.EscapeString(buildVersion()),
			"{{homepage}}", homepage).WriteString(w, homeText)
	})
}

// homeAccess returns the option with which claude sends a token, and a paragraph about the access, with links for editors that ask
// their users for the token.
func homeAccess(cfg *config.Config, address string) (header, access string) {
	switch {
	case cfg.AuthSecret != "":
		links := ""
		for _, editor := range [][2]string{{"vscode", "VS Code"}, {"cursor", "Cursor"}} {
			if link, err := clients.Link(editor[0], clients.Server{URL: address}); err == nil {
				links += ` <a href="` + html.EscapeString(link) + `">Add to ` + editor[1] + `</a>.`
			}
		}
		return ` --header "Authorization: Bearer TOKEN"`, "<p>The operator of this server gives you a token." + links + "</p>\n"
	case cfg.AuthIssuer != "":
		return "", "<p>Your assistant opens a page where you sign in.</p>\n"
	}
	return "", ""
}
