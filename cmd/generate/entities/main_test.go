package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestFresh(t *testing.T) {
	t.Parallel()
	expect.Succeeds(t, run("../../..", true), "error")
}

// TestRun checks that exported structs without type parameters are listed, and that nothing is written with -check or for a package
// that cannot be parsed.
func TestRun(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	put := func(path, content string) {
		t.Helper()
		path = filepath.Join(root, path)
		expect.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		expect.NoError(t, os.WriteFile(path, []byte(content), 0o644))
	}
	list := func() string {
		t.Helper()
		content, err := os.ReadFile(filepath.Join(root, to))
		expect.NoError(t, err)
		return string(content)
	}
	put(from+"/b.go", "package entity\ntype (\n\tTrial struct{ ID string `json:\"id\"` }\n\tstatus Trial\n\tCode string\n\tNotes "+
		"struct{ Text string }\n)\ntype Page[T any] struct{ Items []T `json:\"items\"` }\n")
	put(from+"/a.go", "package entity\ntype Gene struct{ ID string `json:\"id\"` }\n")
	put(from+"/a_test.go", "package entity\ntype Case struct{ ID string `json:\"id\"` }\n")
	put(to, "package toolgen\n")
	if err := run(root, true); err == nil || !strings.Contains(err.Error(), "not fresh") || list() != "package toolgen\n" {
		t.Errorf("-check of a list that is not fresh: %v", err)
	}
	expect.NoError(t, run(root, false))
	written := list()
	const want = "\t\"Gene\":  reflect.TypeFor[entity.Gene](),\n\t\"Trial\": reflect.TypeFor[entity.Trial](),\n}\n"
	expect.That(t, strings.HasSuffix(written, "{\n"+want), "the list is\n%s", written)
	expect.Succeeds(t, run(root, true), "-check of a fresh list")
	put(from+"/c.go", "package entity\ntype {\n")
	if err := run(root, false); err == nil || list() != written {
		t.Errorf("of a package that cannot be parsed: %v", err)
	}
}
