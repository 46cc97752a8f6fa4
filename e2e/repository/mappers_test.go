package repository

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestMappers: only a mapper fills an entity from a record. The sources, and the readers of records, have no filled literal of one.
func TestMappers(t *testing.T) {
	t.Parallel()
	read := 0
	for _, folder := range []string{"source", "sources", "entrez", "query", "mirror", "upstream", "store"} {
		expect.NoError(t, filepath.WalkDir("internal/"+folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.Contains(path, "test") {
				return err
			}
			read++
			positions := token.NewFileSet()
			file, err := parser.ParseFile(positions, path, nil, parser.SkipObjectResolution)
			expect.NoError(t, err)
			ast.Inspect(file, func(n ast.Node) bool {
				literal, _ := n.(*ast.CompositeLit)
				if literal == nil || len(literal.Elts) == 0 {
					return true
				}
				kind, _ := literal.Type.(*ast.SelectorExpr)
				if kind == nil || kind.Sel.Name == "Error" {
					return true
				}
				if from, _ := kind.X.(*ast.Ident); from != nil && from.Name == "entity" {
					t.Errorf("%s: entity.%s is filled here: write a mapper in internal/mapping", positions.Position(n.Pos()), kind.Sel.Name)
				}
				return true
			})
			return nil
		}))
	}
	expect.That(t, read > 50, "only %d files were read", read)
}
