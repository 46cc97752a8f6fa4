package toolgen_test

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/biofact-mcp/biofact/cmd/internal/toolgen"
	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestMain(m *testing.M) { expect.LongMain(m) }

var update = flag.Bool("update", false, "rewrite what the archives in testdata expect")

// TestArchives runs each archive of testdata as a case. An archive has tools.yaml and may have spec.yaml (the document of upstream
// ctgov, without components) and README.md. It expects either an error or files. The rendered README has the name gen/README.md.
func TestArchives(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob("testdata/*.txtar")
	expect.Must(t, err == nil && len(archives) != 0, "no archives: %v", err)
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(path)
			expect.NoError(t, err)
			files, failure := renderAll(archiveInputs(t, archive))
			got := map[string]string{"error": ""}
			if failure != nil {
				got["error"] = failure.Error() + "\n"
			}
			for name, content := range files {
				if name == "README.md" {
					name = "gen/README.md"
				}
				got[name] = string(content)
			}
			got["files"] = strings.Join(slices.Sorted(maps.Keys(files)), "\n") + "\n"
			expects := false
			for i, f := range archive.Files {
				if slices.Contains([]string{"tools.yaml", "words.yaml", "prompts.yaml", "spec.yaml", "README.md"}, f.Name) {
					continue
				}
				expects = true
				text, rendered := got[f.Name]
				expect.That(t, rendered, "%s was not rendered", f.Name)
				if *update {
					archive.Files[i].Data = []byte(text)
				} else if diff := cmp.Diff(string(f.Data), text); diff != "" {
					t.Errorf("%s (-want +got):\n%s", f.Name, diff)
				}
				delete(got, f.Name)
			}
			expect.That(t, expects, "the archive expects nothing")
			expect.Is(t, got["error"], "", "unexpected error")
			if *update {
				expect.NoError(t, os.WriteFile(path, txtar.Format(archive), 0o644))
			}
		})
	}
}

// archiveInputs adds the inputs that an archive leaves out.
func archiveInputs(t *testing.T, archive *txtar.Archive) toolgen.Inputs {
	t.Helper()
	in := toolgen.Inputs{EntityDir: "../../../internal/entity"}
	paths := read(t, "testdata/paths.yaml")
	for _, f := range archive.Files {
		switch f.Name {
		case "tools.yaml":
			in.Tools = f.Data
		case "words.yaml":
			in.Words = f.Data
		case "prompts.yaml":
			in.Prompts = f.Data
		case "spec.yaml":
			paths = f.Data
		case "README.md":
			in.Readme = f.Data
		}
	}
	in.Specs = map[string][]byte{"ctgov": slices.Concat(paths, read(t, "testdata/components.yaml"))}
	return in
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	expect.NoError(t, err)
	return content
}

// The error names the enumeration that an entity needs and the upstream no longer has.
func TestMissingEnumeration(t *testing.T) {
	t.Parallel()
	spec := strings.ReplaceAll(string(read(t, "testdata/paths.yaml")), "$ref: '#/components/schemas/Status'", "type: string")
	_, err := renderAll(toolgen.Inputs{Tools: []byte("[]"), EntityDir: "../../../internal/entity",
		Specs: map[string][]byte{"ctgov": []byte(spec)}})
	expect.That(t, err != nil && strings.Contains(err.Error(), "the document has no such enumeration"), "error %v", err)
}
