package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// repository copies the inputs and outputs of the command to a temporary folder.
func repository(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for _, path := range []string{"tools.yaml", "words.yaml", "prompts.yaml", "README.md", "go.mod", "go.sum", manifestPath} {
		content, err := os.ReadFile(filepath.Join("../..", path))
		expect.NoError(t, err)
		put(t, root, path, string(content))
	}
	for _, folder := range []string{"internal/entity", "internal/mapping", "internal/query", "gen", "docs", "specs"} {
		expect.NoError(t, os.CopyFS(filepath.Join(root, folder), os.DirFS(filepath.Join("../..", folder))))
	}
	return root
}

// put writes a file below a folder.
func put(t *testing.T, root, path, content string) {
	t.Helper()
	path = filepath.Join(root, path)
	expect.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	expect.NoError(t, os.WriteFile(path, []byte(content), 0o644))
}

// tree returns every file below a folder.
func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(root, path))
		files[path] = string(content)
		return err
	})
	expect.NoError(t, err)
	return files
}

func TestRunChangesNothingThatIsFresh(t *testing.T) {
	t.Parallel()
	root := repository(t)
	before := tree(t, root)
	checks := []bool{true, false}
	if !expect.All() {
		checks = checks[1:] // TestCheckWritesNothing has the other
	}
	for _, check := range checks {
		expect.NoError(t, run(t.Context(), root, check))
		expect.Equal(t, "", before, tree(t, root))
	}
}

// TestCheckWritesNothing checks that -check lists every file that is not fresh, and does not change it.
func TestCheckWritesNothing(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	root := repository(t)
	put(t, root, "docs/tools.md", "# By hand\n")
	put(t, root, "gen/ctgov/ctgov.gen.go", "package ctgov\n")
	put(t, root, "gen/tools/old.gen.go", "package tools\n")
	put(t, root, manifestPath, strings.Replace(string(mustRead(t, root, manifestPath)), "Search genes", "Search for genes", 1))
	expect.NoError(t, os.Remove(filepath.Join(root, "gen/schemas/gene.schema.json")))
	before := tree(t, root)
	err := run(t.Context(), root, true)
	const want = "not fresh, run make generate: docs/tools.md, gen/ctgov/ctgov.gen.go, gen/schemas/gene.schema.json, " +
		manifestPath + ", gen/tools/old.gen.go"
	expect.That(t, err != nil && err.Error() == want, "error %v\n want %s", err, want)
	expect.Equal(t, "", before, tree(t, root))
}

func TestRunLeavesNoOrphan(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	root := repository(t)
	tools := string(mustRead(t, root, "tools.yaml"))
	const name = "getArticleRelationships"
	above, entry, found := strings.Cut(tools, "\n- name: "+name+"\n")
	expect.Must(t, found, "tools.yaml has no %s", name)
	_, below, more := strings.Cut(entry, "\n- ")
	if more {
		above += "\n- " + below
	}
	for path, expression := range map[string]string{
		"words.yaml":   `(?m)^` + name + `:\n(?:  .*\n)+|^ +` + name + `\.\w+: .*\n`, // other tools refer to it
		"prompts.yaml": `(?m)^ +- say: .*\n +call: ` + name + `\n +with: .*\n`,       // a prompt calls it
	} {
		put(t, root, path, regexp.MustCompile(expression).ReplaceAllString(string(mustRead(t, root, path)), ""))
	}
	put(t, root, "tools.yaml", above+"\n")
	put(t, root, "gen/schemas/old.schema.json", "{}")
	put(t, root, "gen/tools/old/old.gen.go", "package old")
	put(t, root, "gen/other/kept.gen.go", "package kept")
	before := tree(t, root)
	expect.NoError(t, run(t.Context(), root, false))
	after := tree(t, root)
	for _, path := range []string{
		"gen/schemas/" + name + ".input.schema.json", "gen/schemas/" + name + ".output.schema.json",
		"gen/schemas/" + name + ".input.listed.json", "gen/schemas/" + name + ".output.listed.json",
		"gen/schemas/open/" + name + ".input.schema.json", "gen/schemas/open/" + name + ".output.schema.json",
		"gen/schemas/open/article-relationships.schema.json",
		"gen/schemas/article-relationships.schema.json", "gen/schemas/old.schema.json", "gen/tools/old/old.gen.go",
	} {
		if _, was := before[path]; !was {
			t.Errorf("%s was not there before", path)
		}
		delete(before, path)
	}
	for path, content := range after {
		expect.That(t, (!strings.Contains(content, name+`"`) || !strings.HasPrefix(path, "gen/tools/")) &&
			!strings.Contains(path, name+"."),
			"%s still knows %s", path, name)
		expect.That(t, !strings.Contains(content, "| `"+name+"` |"), "the table of %s still lists %s", path, name)
	}
	for path := range before {
		if _, is := after[path]; !is {
			t.Errorf("%s is gone", path)
		}
		delete(after, path)
	}
	for path := range after {
		t.Errorf("%s is new", path)
	}
}

func TestRunWritesNothingOfAMistake(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	for name, test := range map[string]struct{ path, content, want string }{
		"tools.yaml": {"tools.yaml", "- name: find\n", "tools.yaml:1: find: title is missing"},
		"spec":       {"specs/clinicaltrials.yaml", "openapi: 3.0.3\ninfo: {title: t, version: v}\npaths: {}\n", "no such operation"},
		"manifest":   {manifestPath, `{"name": "biofact"}`, "it has no tools"},
		"client":     {"specs/eutils.codegen.yaml", "package: [", "specs/eutils.codegen.yaml: yaml: "},
		"option":     {"specs/eutils.codegen.yaml", "package: eutils\ngenerate: {clients: true}\n", "oapi-codegen"},
		"README":     {"README.md", "# Without a place for the table\n", "markers"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := repository(t)
			put(t, root, test.path, test.content)
			put(t, root, "gen/schemas/old.schema.json", "{}")
			before := tree(t, root)
			if err := run(t.Context(), root, false); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one that says %q", err, test.want)
			}
			expect.Equal(t, "", before, tree(t, root))
		})
	}
}

func TestRunInAnotherFolder(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if err := run(t.Context(), root, false); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("error %v", err)
	}
	if files := tree(t, root); len(files) > 0 {
		t.Errorf("it wrote %v", files)
	}
}

func mustRead(t *testing.T, root, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, path))
	expect.NoError(t, err)
	return content
}
