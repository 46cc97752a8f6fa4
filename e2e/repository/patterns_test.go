package repository

import (
	"go/ast"
	"go/constant"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestPatterns checks that every regular expression of the program is valid and is not compiled at the start, and that the program uses no
// templates.
func TestPatterns(t *testing.T) {
	t.Parallel()
	linked, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedDeps | packages.NeedImports, Context: t.Context()},
		"./cmd/biofact")
	expect.NoError(t, err)
	var ours []string
	packages.Visit(linked, func(p *packages.Package) bool {
		if strings.HasPrefix(p.PkgPath, module) {
			ours = append(ours, p.PkgPath)
		}
		return true
	}, nil)
	read, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax, Context: t.Context()}, ours...)
	expect.NoError(t, err)
	checked := 0
	for _, p := range read {
		for _, e := range p.Errors {
			t.Error(e)
		}
		const costs = "with templates the linker keeps every method of every type: the program grows by 9 MB and takes 2 MB more"
		for id, used := range p.TypesInfo.Uses {
			if strings.HasPrefix(used.Name(), "Set") && strings.HasSuffix(used.Name(), "Template") {
				t.Errorf("%s: %s", p.Fset.Position(id.Pos()), costs)
			}
		}
		for _, file := range p.Syntax {
			for _, imported := range file.Imports {
				expect.That(t, !strings.HasSuffix(imported.Path.Value, `/template"`), "%s: %s", p.Fset.Position(imported.Pos()), costs)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl, *ast.FuncLit: // runs later
					return false
				case *ast.SelectorExpr:
					of, _ := n.X.(*ast.Ident)
					if of != nil && of.Name == "regexp" && strings.HasSuffix(n.Sel.Name, "Compile") {
						t.Errorf("%s: every start compiles it: use lazyregexp.New", p.Fset.Position(n.Pos()))
					}
				case *ast.CallExpr:
					called, _ := n.Fun.(*ast.SelectorExpr)
					if called == nil || len(n.Args) != 1 {
						break
					}
					if of, _ := called.X.(*ast.Ident); of == nil || of.Name != "lazyregexp" {
						break
					}
					checked++
					value := p.TypesInfo.Types[n.Args[0]].Value
					if value == nil {
						t.Errorf("%s: the expression is not constant", p.Fset.Position(n.Pos()))
					} else if _, err := regexp.Compile(constant.StringVal(value)); err != nil {
						t.Errorf("%s: %v", p.Fset.Position(n.Pos()), err)
					}
				}
				return true
			})
		}
	}
	expect.That(t, checked != 0, "no expression was checked")
}
