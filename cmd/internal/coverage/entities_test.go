package coverage_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/cmd/internal/coverage"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// An entityField is a field of an answer whose comment names its source.
type entityField struct{ path, line, source string }

// entityFields returns the fields below an entity that have a value of the record, by the comments of internal/entity.
func entityFields(t *testing.T, roots map[string]string) (fields []entityField) {
	t.Helper()
	const folder = "../../../internal/entity"
	files := token.NewFileSet()
	structs := map[string]*ast.StructType{}
	paths, err := filepath.Glob(folder + "/*.go")
	expect.NoError(t, err)
	for _, path := range paths {
		file, err := parser.ParseFile(files, path, nil, parser.ParseComments)
		expect.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				if s, ok := spec.Type.(*ast.StructType); ok {
					structs[spec.Name.Name] = s
				}
			}
			return true
		})
	}
	var walk func(path, name string)
	walk = func(path, name string) {
		for _, f := range structs[name].Fields.List {
			of := f.Type
			for inner := true; inner; {
				switch outer := of.(type) {
				case *ast.StarExpr:
					of = outer.X
				case *ast.ArrayType:
					of = outer.Elt
				default:
					inner = false
				}
			}
			typeName := fmt.Sprint(of)
			if len(f.Names) == 0 {
				walk(path, typeName)
				continue
			}
			tag, err := strconv.Unquote(f.Tag.Value)
			expect.NoError(t, err)
			json, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
			if structs[typeName] != nil {
				walk(path+"."+json, typeName)
			} else if _, source, named := strings.Cut(f.Doc.Text(), "Source:"); named {
				at := files.Position(f.Pos())
				line := fmt.Sprintf("internal/entity/%s:%d", filepath.Base(at.Filename), at.Line)
				fields = append(fields, entityField{path + "." + json, line, source})
			}
		}
	}
	for root, name := range roots {
		walk(root, name)
	}
	return fields
}

// again matches fields that have a value of another field of the answers: ids, counts and summaries.
var again = regexp.MustCompile(`^(trial\.(locations_summary|cross_references|protocol\.arms_counted)|` +
	`results\.(id|brief_title|has_results|results_first_posted|pubmed|outcome_index|unposted))(\.|$)`)

// sourceName matches a path, or a name with a capital letter, in a comment that names the source of a field.
var sourceName = regexp.MustCompile(`\b[a-z]+(?:[A-Z]|\.\w)[\w.]*`)

// TestEntities compares the fields of the trial entities with the list and with the official document: each field whose comment names its
// source has a row, and the document has the name.
func TestEntities(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../internal/mapping/trials/trials.tsv")
	expect.NoError(t, err)
	table, err := coverage.Parse(text)
	expect.NoError(t, err)
	document, err := os.ReadFile("../../../specs/clinicaltrials.yaml")
	expect.NoError(t, err)
	leaves, err := coverage.Leaves(document, "Study")
	expect.NoError(t, err)
	names := strings.FieldsFunc(strings.Join(leaves, "."), func(r rune) bool { return r == '.' })
	missing := map[string]string{} // by line: entities have a type in several places
	found := map[string]bool{}
	for _, f := range entityFields(t, map[string]string{"trial": "Trial", "location": "TrialLocation", "results": "TrialResults"}) {
		missing[f.line] = f.path
		for _, path := range sourceName.FindAllString(f.source, -1) {
			for name := range strings.SplitSeq(strings.Trim(path, "."), ".") {
				expect.That(t, slices.Contains(names, name), "%s: the document has no field %s", f.line, name)
			}
		}
		found[f.line] = found[f.line] || again.MatchString(f.path) ||
			slices.ContainsFunc(table, func(r coverage.Row) bool { return slices.Contains(r.Fields, f.path) })
	}
	for line, path := range missing {
		expect.That(t, found[line], "%s: no row of internal/mapping/trials/trials.tsv has the field %s", line, path)
	}
}
