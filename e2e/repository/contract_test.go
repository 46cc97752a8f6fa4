package repository

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestToolNames checks that hand-written code refers to a tool by its generated constant, so that a renamed tool does not compile.
func TestToolNames(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("gen/schemas/index.json")
	expect.NoError(t, err)
	var index struct{ Schemas []struct{ Tool string } }
	expect.NoError(t, json.Unmarshal(text, &index))
	names := map[string]bool{}
	for _, s := range index.Schemas {
		names[s.Tool] = s.Tool != ""
	}
	delete(names, "search") // words of other texts as well
	delete(names, "fetch")
	positions := token.NewFileSet()
	for _, folder := range []string{"cmd", "internal", "packaging"} {
		err := fs.WalkDir(os.DirFS(folder), ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(positions, filepath.Join(folder, path), nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				literal, ok := n.(*ast.BasicLit)
				if !ok || literal.Kind != token.STRING {
					return true
				}
				if name, err := strconv.Unquote(literal.Value); err == nil && names[name] {
					t.Errorf("%s: write the constant of package tools for %s", positions.Position(literal.Pos()), literal.Value)
				}
				return true
			})
			return nil
		})
		expect.NoError(t, err)
	}
}
