package toolgen_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/biofact-mcp/biofact/cmd/internal/openapi"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// The tests of this file run the go command.

// goCommand runs the go command in a folder of the repository.
func goCommand(t *testing.T, folder string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = filepath.Join(root, folder)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// overlay writes generated files, by path in the repository, to a temporary folder. It returns the build overlay that replaces the
// committed files with them.
func overlay(t *testing.T, files map[string][]byte) string {
	t.Helper()
	at, err := filepath.Abs(root)
	expect.NoError(t, err)
	folder := t.TempDir()
	replace := map[string]string{}
	for path, content := range files {
		if !strings.HasPrefix(path, "gen/") {
			continue
		}
		to := filepath.Join(folder, filepath.FromSlash(path))
		expect.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
		expect.NoError(t, os.WriteFile(to, content, 0o644))
		replace[filepath.Join(at, filepath.FromSlash(path))] = to
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	expect.NoError(t, err)
	file := filepath.Join(folder, "overlay.json")
	expect.NoError(t, os.WriteFile(file, text, 0o644))
	return file
}

// client generates the client of a document as cmd/generate does.
func client(t *testing.T, structure []byte) []byte {
	t.Helper()
	specs, err := filepath.Abs(root + "/specs")
	expect.NoError(t, err)
	spec := filepath.Join(t.TempDir(), "spec.yaml")
	expect.NoError(t, os.WriteFile(spec, structure, 0o644))
	cmd := exec.CommandContext(t.Context(), "go", "tool", "oapi-codegen", "-config", "clinicaltrials.codegen.yaml", spec)
	cmd.Dir = specs
	out, err := cmd.Output()
	expect.Must(t, err == nil, "oapi-codegen: %v", err)
	return out
}

// TestBothVersions runs the complete pipeline for two official documents: structure, client, tools. The project must compile with both.
func TestBothVersions(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	for _, version := range []string{"2.0.3-2025-06", "2.0.5"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			document, err := os.ReadFile("../../../../shared/corpus/ctgov/oas/ctg-oas-v2-" + version + ".yaml")
			if err != nil {
				t.Skipf("the corpus is not here: %v", err)
			}
			structure, err := openapi.Structure(document)
			expect.NoError(t, err)
			in := repository(t)
			committed := in.Specs["ctgov"]
			in.Specs["ctgov"] = structure
			files := generate(t, in)
			files["gen/ctgov/ctgov.gen.go"] = client(t, structure)
			if out, err := goCommand(t, ".", "build", "-overlay", overlay(t, files), "./gen/...", "./internal/..."); err != nil {
				t.Errorf("the project does not compile: %v\n%s", err, out)
			}
			if of := infoVersion(t, structure); of != infoVersion(t, committed) {
				t.Logf("specs/clinicaltrials.yaml is of another version than %s: the committed client is not compared", of)
			} else if string(files["gen/ctgov/ctgov.gen.go"]) != string(read(t, root+"/gen/ctgov/ctgov.gen.go")) {
				t.Error("gen/ctgov/ctgov.gen.go is not fresh: run go generate ./...")
			}
		})
	}
}

// infoVersion returns the version in an OpenAPI document.
func infoVersion(t *testing.T, document []byte) string {
	t.Helper()
	var head struct {
		Info struct{ Version string }
	}
	if err := yaml.Unmarshal(document, &head); err != nil || head.Info.Version == "" {
		t.Fatalf("no info.version: %v", err)
	}
	return head.Info.Version
}

// TestMissingHandler checks that a tool without a handler does not compile.
func TestMissingHandler(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	in := repository(t)
	in.Tools = append(in.Tools, `
- name: unserved_tool
  title: A tool without a method
  toolset: trials
  description: A tool without a handler.
  upstream: ctgov.listStudies
  returns: page of TrialLocation
  errors: [UPSTREAM_ERROR]
  args:
    - {name: condition, to: query.cond, description: Condition}
  example: {condition: asthma}
`...)
	out, err := goCommand(t, ".", "build", "-overlay", overlay(t, generate(t, in)), "./internal/service")
	expect.Must(t, err != nil, "it compiles")
	expect.That(t, strings.Contains(out, "missing method UnservedTool"), "the compiler does not name the method:\n%s", out)
	if out, err := goCommand(t, ".", "build", "-overlay", overlay(t, generate(t, in)), "./gen/..."); err != nil {
		t.Errorf("the generated code does not compile: %v\n%s", err, out)
	}
}
