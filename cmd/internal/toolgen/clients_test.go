package toolgen_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/cmd/internal/toolgen"
)

// TestClients: each specs/*.codegen.yaml stands for a client, and a mistake in
// one names the file.
func TestClients(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Join(folder, "specs"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "specs", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("b.codegen.yaml", "package: beta\noutput-options: {include-operation-ids: [one]}\n")
	write("a.codegen.yaml", "package: alpha\n")
	write("a.yaml", "openapi: 3.0.3\n")
	got, err := toolgen.Clients(folder)
	if err != nil {
		t.Fatal(err)
	}
	want := []toolgen.Client{
		{Package: "alpha", Spec: "specs/a.yaml", Config: "specs/a.codegen.yaml", File: "gen/alpha/alpha.gen.go"},
		{Package: "beta", Spec: "specs/b.yaml", Config: "specs/b.codegen.yaml", File: "gen/beta/beta.gen.go", Operations: []string{"one"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("clients (-want +got):\n%s", diff)
	}
	for text, problem := range map[string]string{
		"package: [":      "specs/c.codegen.yaml: yaml: ",
		"package: a b":    `specs/c.codegen.yaml: package "a b" is no name of a Go package`,
		"generate: {}":    `specs/c.codegen.yaml: package "" is no name of a Go package`,
		"package: beta\n": "specs/c.codegen.yaml: package beta is that of specs/b.codegen.yaml",
	} {
		write("c.codegen.yaml", text)
		if _, err := toolgen.Clients(folder); err == nil || !strings.HasPrefix(err.Error(), problem) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
