package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const document = `{"info": {"version": "1", "title": "T", "description": "Prose."}, "paths": {}, "openapi": "3.0.3"}`

const structure = "openapi: 3.0.3\ninfo:\n  title: T\n  version: \"1\"\npaths: {}\n"

func TestRun(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/oas":
			fmt.Fprint(w, document)
		case "/page":
			fmt.Fprint(w, "<!DOCTYPE html><title>Sorry</title>")
		case "/large":
			fmt.Fprint(w, "openapi: 3.0.3\npaths: {}\nx-filler: |\n")
			line := strings.Repeat(" x", 1<<15) + "\n"
			for range maxDocument/len(line) + 1 {
				fmt.Fprint(w, line)
			}
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	file := filepath.Join(t.TempDir(), "oas.json")
	if err := os.WriteFile(file, []byte(document), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ from, failure string }{
		"a file":              {file, ""},
		"a URL":               {server.URL + "/oas", ""},
		"nothing":             {"", "say where the official document is"},
		"no such file":        {file + ".yaml", "no such file"},
		"no such page":        {server.URL + "/gone", "404"},
		"a web page":          {server.URL + "/page", "not an OpenAPI document"},
		"more than is read":   {server.URL + "/large", "more than"},
		"a URL that is none":  {"https://up stream/", "invalid character"},
		"nobody at the other": {"http://127.0.0.1:1/oas", "connect"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out := filepath.Join(t.TempDir(), "out.yaml")
			if err := os.WriteFile(out, []byte("before"), 0o644); err != nil {
				t.Fatal(err)
			}
			err := run(t.Context(), test.from, out)
			written, readErr := os.ReadFile(out)
			if readErr != nil {
				t.Fatal(readErr)
			}
			if test.failure == "" {
				if err != nil || string(written) != structure {
					t.Errorf("error %v, wrote %q", err, written)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), test.failure) {
				t.Errorf("error %v, want one that says %q", err, test.failure)
			}
			if string(written) != "before" {
				t.Errorf("it wrote %q all the same", written)
			}
		})
	}
}
