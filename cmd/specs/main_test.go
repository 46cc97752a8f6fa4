package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestRun(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	from, out := filepath.Join(folder, "oas.json"), filepath.Join(folder, "specs/clinicaltrials.yaml")
	expect.NoError(t, os.Mkdir(filepath.Dir(out), 0o755))
	write(t, from, `{"info": {"version": "1", "title": "T", "description": "Prose."}, "paths": {}, "openapi": "3.0.3"}`)
	write(t, out, "before")
	if err := run(t.Context(), folder, "ctgov", from+"x"); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("error %v", err)
	}
	if err := run(t.Context(), folder, "ncbi", from); err == nil ||
		!strings.Contains(err.Error(), "no official document ncbi") {
		t.Errorf("error %v", err)
	}
	expect.Is(t, read(t, out), "before", "without a document it wrote")
	expect.NoError(t, run(t.Context(), folder, "ctgov", from))
	expect.Is(t, read(t, out), "openapi: 3.0.3\ninfo:\n  title: T\n  version: \"1\"\npaths: {}\n", "wrote")
}

func write(t *testing.T, file, text string) {
	t.Helper()
	expect.NoError(t, os.WriteFile(file, []byte(text), 0o644))
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	expect.NoError(t, err)
	return string(text)
}
