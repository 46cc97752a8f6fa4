package upstream_test

import (
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// TestLogged: the debug level logs each request with its parameters, without those that identify the caller; higher levels log none.
func TestLogged(t *testing.T) {
	t.Parallel()
	const query = "term=melanoma&retmode=json&id=12345678&api_key=" + key + "&email=someone%40example.org&tool=biofact&note=" + key
	get := func(t *testing.T) *http.Request { return newRequest(t, http.MethodGet, "?"+query, nil) }
	for name, request := range map[string]func(t *testing.T) *http.Request{
		"GET":  get,
		"POST": func(t *testing.T) *http.Request { return newRequest(t, http.MethodPost, "", strings.NewReader(query)) },
	} {
		for _, level := range []slog.Level{slog.LevelDebug, slog.LevelInfo} {
			log, text := loggedFrom(level)
			o := options(newSource(ok()))
			o.Log, o.Secrets = log, []string{key, "someone@example.org"}
			if _, err := upstream.NewClient(o).Do(request(t)); err != nil {
				t.Fatal(err)
			}
			line := text()
			for _, want := range []string{`"source":"Example"`, `"operation":"/find"`, "term=melanoma", "retmode=json", "id=12345678",
				"note=[hidden]", `"result":"ok"`} {
				expect.That(t, strings.Contains(line, want) == (level == slog.LevelDebug),
					"%s at %v: %s in %s", name, level, want, line)
			}
			for _, secret := range []string{key, "example.org", "api_key", "email"} {
				expect.That(t, !strings.Contains(line, secret), "%s: %s in %s", name, secret, line)
			}
		}
	}
}

func newRequest(t *testing.T, method, query string, body io.Reader) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, "https://upstream.test/find"+query, body)
	expect.NoError(t, err)
	return req
}
