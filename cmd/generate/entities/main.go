// Command entities lists the types of package entity for package toolgen, which generates their schemas. A Go program cannot list the
// types of a package at run time, so this command runs before the generator is compiled. It runs from the root of the repository. With
// -check it writes nothing and fails if the list is not fresh.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	from = "internal/entity"
	to   = "cmd/internal/toolgen/entities.gen.go"
)

func main() {
	check := flag.Bool("check", false, "compare the list with the committed one and write nothing")
	flag.Parse()
	if err := run(".", *check); err != nil {
		fmt.Fprintln(os.Stderr, "entities:", err)
		os.Exit(1)
	}
}

func run(root string, check bool) error {
	names, err := structs(filepath.Join(root, from))
	if err != nil {
		return err
	}
	source, err := render(names)
	if err != nil {
		return err
	}
	path := filepath.Join(root, to)
	committed, err := os.ReadFile(path)
	if err == nil && bytes.Equal(committed, source) {
		return nil
	}
	if check {
		return errors.New(to + " is not fresh: run make generate")
	}
	return os.WriteFile(path, source, 0o644)
}

// structs returns the exported struct types of a package that have JSON fields and no type parameters, in alphabetical order.
func structs(folder string) ([]string, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.IsExported() && spec.TypeParams == nil {
				if inJSON(spec.Type) {
					names = append(names, spec.Name.Name)
				}
			}
			return true
		})
	}
	slices.Sort(names)
	return names, nil
}

// inJSON reports whether a type is a struct with a field that has a JSON name.
func inJSON(t ast.Expr) bool {
	structure, ok := t.(*ast.StructType)
	return ok && slices.ContainsFunc(structure.Fields.List,
		func(f *ast.Field) bool { return f.Tag != nil && strings.Contains(f.Tag.Value, `json:"`) })
}

func render(names []string) ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprint(&out, `// Code generated from internal/entity. DO NOT EDIT.

package toolgen

import (
	"reflect"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// entities are the types that tools.yaml may name, by name.
var entities = map[string]reflect.Type{
`)
	for _, name := range names {
		fmt.Fprintf(&out, "%q: reflect.TypeFor[entity.%s](),\n", name, name)
	}
	fmt.Fprint(&out, "}\n")
	return format.Source(out.Bytes())
}
