package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// TestHomePage checks that the page names the address and the tools as text, and that a browser runs and loads nothing for it.
func TestHomePage(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		environ   []string
		has, lack string
	}{
		"tokens": {[]string{"MCP_PUBLIC_URL=https://facts.example.org/mcp", "MCP_AUTH_SECRET_KEY=" + strings.Repeat("s", 32)},
			"https://facts.example.org/mcp --header", "http://localhost"},
		"sign in": {[]string{"MCP_AUTH_ISSUER=https://login.example.org", "MCP_AUTH_AUDIENCE=x"}, "where you sign in", "--header"},
		"no auth": {[]string{"MCP_AUTH_MODE=none"}, "<code>http://localhost:3010/mcp</code>", "--header"},
	} {
		cfg, err := config.Read(test.environ)
		expect.NoError(t, err)
		page := homePage(cfg, []*tool.Tool{{Definition: tool.Definition{Name: "get_trial", Title: "<b>Read</b>"}}})
		answer, request := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil)
		request.Host = "localhost:3010"
		page.ServeHTTP(answer, request)
		text := answer.Body.String()
		expect.That(t, strings.Contains(text, test.has) && !strings.Contains(text, test.lack) && strings.Contains(text, "&lt;b&gt;Read") &&
			!strings.Contains(text, "<script") && !strings.Contains(text, "{{") && strings.Contains(text, "<style>"+homeStyle+"</style>"), "%s: %s", name, text)
		h := answer.Header()
		expect.That(t, strings.HasPrefix(h.Get("Content-Security-Policy"), "default-src 'none'; style-src 'sha256-") &&
			h.Get("X-Frame-Options") == "DENY" && h.Get("X-Content-Type-Options") == "nosniff", "%s: %v", name, h)
	}
}
