package openapi_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/cmd/internal/openapi"
	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestRead(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/oas":
			fmt.Fprint(w, asJSON)
		case "/page":
			fmt.Fprint(w, "<!DOCTYPE html><title>Sorry</title>")
		case "/cut":
			w.Header().Set("Content-Length", fmt.Sprint(len(structure)))
			fmt.Fprint(w, structure[:len(structure)-1])
		case "/large":
			fmt.Fprint(w, structure+"x-filler: |\n")
			line := strings.Repeat(" x", 1<<15) + "\n"
			for range 16<<20/len(line) + 1 {
				fmt.Fprint(w, line)
			}
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	file := filepath.Join(t.TempDir(), "oas.json")
	expect.NoError(t, os.WriteFile(file, []byte(asJSON), 0o644))
	for name, test := range map[string]struct{ from, failure string }{
		"a file":              {file, ""},
		"a URL":               {server.URL + "/oas", ""},
		"nothing":             {"", "name the official document"},
		"no such file":        {file + ".yaml", "no such file"},
		"no such page":        {server.URL + "/gone", "404"},
		"a web page":          {server.URL + "/page", "not an OpenAPI document"},
		"less than announced": {server.URL + "/cut", "unexpected EOF"},
		"more than is read":   {server.URL + "/large", "more than"},
		"an invalid URL":      {"https://up stream/", "invalid character"},
		"no listener":         {"http://127.0.0.1:1/oas", "connect"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := openapi.Read(t.Context(), test.from)
			if test.failure == "" {
				expect.That(t, err == nil && string(got) == structure, "error %v, read %q", err, got)
				return
			}
			expect.That(t, err != nil && strings.Contains(err.Error(), test.failure) && got == nil,
				"error %v, want one that says %q; read %q", err, test.failure, got)
		})
	}
}
