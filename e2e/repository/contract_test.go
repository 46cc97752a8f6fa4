package repository

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/toolgen"
)

// TestToolNames: code that people write calls a tool by its generated constant,
// so that a tool of another name does not compile.
func TestToolNames(t *testing.T) {
	t.Parallel()
	in, err := toolgen.Repository(".")
	if err != nil {
		t.Fatal(err)
	}
	contract, err := toolgen.Read(in)
	if err != nil {
		t.Fatal(err)
	}
	isTool := func(name string) bool {
		return slices.ContainsFunc(contract.Tools, func(tool *toolgen.Tool) bool { return tool.Name == name })
	}
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
				if name, err := strconv.Unquote(literal.Value); err == nil && isTool(name) {
					t.Errorf("%s: write the constant of package tools for %s", positions.Position(literal.Pos()), literal.Value)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
