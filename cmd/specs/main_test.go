package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	from, out := filepath.Join(folder, "oas.json"), filepath.Join(folder, "out.yaml")
	write(t, from, `{"info": {"version": "1", "title": "T", "description": "Prose."}, "paths": {}, "openapi": "3.0.3"}`)
	write(t, out, "before")
	if err := run(t.Context(), from+"x", out); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("error %v", err)
	}
	if got := read(t, out); got != "before" {
		t.Errorf("without a document it wrote %q", got)
	}
	if err := run(t.Context(), from, out); err != nil {
		t.Fatal(err)
	}
	if got := read(t, out); got != "openapi: 3.0.3\ninfo:\n  title: T\n  version: \"1\"\npaths: {}\n" {
		t.Errorf("wrote %q", got)
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
