package toolgen_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/cmd/internal/toolgen"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestClients checks that each specs/*.codegen.yaml gives a client, and that an error names the file.
func TestClients(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write := func(name, text string) {
		expect.NoError(t, os.MkdirAll(filepath.Join(folder, "specs"), 0o755))
		expect.NoError(t, os.WriteFile(filepath.Join(folder, "specs", name), []byte(text), 0o644))
	}
	write("b.codegen.yaml", "package: beta\noutput-options: {include-operation-ids: [one]}\n")
	write("a.codegen.yaml", "package: alpha\n")
	write("a.yaml", "openapi: 3.0.3\n")
	got, err := toolgen.Clients(folder)
	expect.NoError(t, err)
	want := []toolgen.Client{
		{Package: "alpha", Spec: "specs/a.yaml", Config: "specs/a.codegen.yaml", File: "gen/alpha/alpha.gen.go"},
		{Package: "beta", Spec: "specs/b.yaml", Config: "specs/b.codegen.yaml", File: "gen/beta/beta.gen.go", Operations: []string{"one"}},
	}
	expect.Equal(t, "clients", want, got)
	for text, problem := range map[string]string{
		"package: [":      "specs/c.codegen.yaml: yaml: ",
		"package: a b":    `specs/c.codegen.yaml: package "a b" is not a valid name of a Go package`,
		"generate: {}":    `specs/c.codegen.yaml: package "" is not a valid name of a Go package`,
		"package: beta\n": "specs/c.codegen.yaml: package beta is already used by specs/b.codegen.yaml",
	} {
		write("c.codegen.yaml", text)
		if _, err := toolgen.Clients(folder); err == nil || !strings.HasPrefix(err.Error(), problem) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
