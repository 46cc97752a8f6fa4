package toolgen_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/biofact-mcp/biofact/cmd/internal/toolgen"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// root is the root of the repository.
const root = "../../.."

// repository returns the committed inputs.
func repository(t testing.TB) toolgen.Inputs {
	t.Helper()
	in, err := toolgen.Repository(root)
	expect.NoError(t, err)
	return in
}

func generate(t testing.TB, in toolgen.Inputs) map[string][]byte {
	t.Helper()
	files, err := renderAll(in)
	expect.NoError(t, err)
	return files
}

// renderAll reads a contract and renders it.
func renderAll(in toolgen.Inputs) (map[string][]byte, error) {
	c, err := toolgen.Read(in)
	if err != nil {
		return nil, err
	}
	return c.Render(in)
}

// repositoryFiles returns the files rendered from the committed inputs. They are rendered once for all tests that only read them.
func repositoryFiles(t testing.TB) map[string][]byte {
	t.Helper()
	once.Do(func() { onceFiles = generate(t, repository(t)) })
	expect.Must(t, onceFiles != nil, "the committed inputs cannot be rendered")
	return onceFiles
}

var (
	once      sync.Once
	onceFiles map[string][]byte
)

// TestFresh fails if `go generate ./...` was forgotten.
func TestFresh(t *testing.T) {
	t.Parallel()
	files := repositoryFiles(t)
	for _, path := range slices.Sorted(maps.Keys(files)) {
		committed, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Error(err)
			continue
		}
		expect.Equal(t, fmt.Sprintf("%s is not fresh: run go generate ./...", path), string(committed), string(files[path]))
	}
	for _, folder := range toolgen.Folders() {
		entries, err := os.ReadDir(filepath.Join(root, folder))
		expect.NoError(t, err)
		for _, e := range entries {
			if files[folder+"/"+e.Name()] == nil && !slices.Contains(toolgen.Folders(), folder+"/"+e.Name()) {
				t.Errorf("%s/%s is rendered from nothing", folder, e.Name())
			}
		}
	}
}

// Every generated file except documents is in a folder with generated files only, so that a folder can be compared and cleaned as a
// whole.
func TestFoldersHoldAllFiles(t *testing.T) {
	t.Parallel()
	for path := range repositoryFiles(t) {
		if path != "README.md" && path != "docs/tools.md" && !slices.Contains(toolgen.Folders(), filepath.Dir(path)) {
			t.Errorf("%s is in none of %v", path, toolgen.Folders())
		}
	}
}

func TestRenderingIsRepeatable(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	first := generate(t, repository(t))
	for range 2 {
		if diff := cmp.Diff(first, generate(t, repository(t))); diff != "" {
			t.Fatalf("the same inputs gave other files:\n%s", diff)
		}
	}
	moved := repository(t)
	moved.EntityDir = filepath.Join(t.TempDir(), "a folder", "entity")
	expect.NoError(t, os.CopyFS(moved.EntityDir, os.DirFS(root+"/internal/entity")))
	expect.Equal(t, "the same inputs at another place gave other files", first, generate(t, moved))
}

func TestNothingOfTheMachineIsRendered(t *testing.T) {
	t.Parallel()
	in := repository(t)
	inputs := string(slices.Concat(in.Tools, bytes.Join(slices.Collect(maps.Values(in.Specs)), nil), in.Readme))
	forbidden := []*regexp.Regexp{
		regexp.MustCompile(`\b[0-9]{4}-[0-9]{2}-[0-9]{2}\b`), // a date
		regexp.MustCompile(`\b[0-9]{1,2}:[0-9]{2}:[0-9]{2}\b`),
		regexp.MustCompile(`go1\.[0-9]+`),
	}
	folder, err := filepath.Abs(root)
	expect.NoError(t, err)
	host, _ := os.Hostname()
	home, _ := os.UserHomeDir()
	for _, text := range []string{folder, host, home, os.TempDir()} {
		if text != "" && text != "/" && !strings.Contains(inputs, text) {
			forbidden = append(forbidden, regexp.MustCompile(`(^|[^\w.-])`+regexp.QuoteMeta(text)+`\b`))
		}
	}
	for path, content := range generate(t, in) {
		if path == "README.md" {
			continue // written by people; the rendered part comes from the tools
		}
		for _, f := range forbidden {
			if found := f.Find(content); found != nil {
				t.Errorf("%s holds %q", path, found)
			}
		}
	}
}

const suffix = ".schema.json"

// published returns every rendered schema by name.
func published(t testing.TB) map[string]map[string]any {
	t.Helper()
	out := map[string]map[string]any{}
	for path, content := range repositoryFiles(t) {
		if name, ok := strings.CutSuffix(filepath.Base(path), suffix); ok && filepath.Dir(path) == "gen/schemas" {
			var schema map[string]any
			expect.NoErrorf(t, json.Unmarshal(content, &schema), "%s", path)
			out[name] = schema
		}
	}
	expect.Must(t, len(out) != 0, "no schemas")
	return out
}

func compile(t testing.TB, name string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	c.AssertFormat = true
	c.LoadURL = nil // no remote schemas
	content := repositoryFiles(t)["gen/schemas/"+name+suffix]
	expect.NoErrorf(t, c.AddResource(name, strings.NewReader(string(content))), "%s", name)
	schema, err := c.Compile(name)
	expect.Must(t, err == nil, "%s: %v", name, err)
	return schema
}

func TestSchemasCompile(t *testing.T) {
	t.Parallel()
	identity := regexp.MustCompile(`^urn:biofact:schema:v[1-9][0-9]*[.][0-9]+:[A-Za-z_.-]+$`)
	for name, schema := range published(t) {
		compile(t, name)
		if schema["$schema"] != "https://json-schema.org/draft/2020-12/schema" || !identity.MatchString(schema["$id"].(string)) ||
			!strings.HasSuffix(schema["$id"].(string), ":"+name) {
			t.Errorf("%s: $schema %v, $id %v", name, schema["$schema"], schema["$id"])
		}
		expect.Equal(t, fmt.Sprintf("%s: type at the root", name), "object", schema["type"])
	}
}

// No string in an answer is empty, except for the one text that may be, and the cells of a table.
func TestAnswersAdmitNoEmptyString(t *testing.T) {
	t.Parallel()
	for name, root := range published(t) {
		if strings.HasSuffix(name, ".input") {
			continue
		}
		walk(name, root, func(at string, schema any) {
			node, _ := schema.(map[string]any)
			_, pattern := node["pattern"]
			_, enum := node["enum"]
			if least, _ := node["minLength"].(float64); node["type"] == "string" && least < 1 && !pattern && !enum &&
				!strings.HasSuffix(at, "/content") && !strings.HasSuffix(at, "ows/items/items") &&
				!strings.HasSuffix(at, "ows/items/items/anyOf") {
				t.Errorf("%s may be empty", at)
			}
		})
	}
}

// The index lists exactly the published schemas.
func TestIndex(t *testing.T) {
	t.Parallel()
	var index struct {
		Version string
		Schemas []struct {
			Name, Profile, Kind, Title, Tool, Toolset, Returns, File string
			ID                                                       string `json:"$id"`
			Example                                                  map[string]any
		}
	}
	expect.NoError(t, json.Unmarshal(repositoryFiles(t)["gen/schemas/index.json"], &index))
	all := published(t)
	for _, s := range index.Schemas {
		id := "urn:biofact:schema:v" + index.Version + ":" + s.Name
		if s.Profile == "open" {
			var schema map[string]any
			expect.NoError(t, json.Unmarshal(repositoryFiles(t)["gen/schemas/"+s.File], &schema))
			expect.That(t, s.File == "open/"+s.Name+suffix && s.ID == id+".open" && schema["$id"] == s.ID, "%+v", s)
			continue
		}
		if s.File != s.Name+suffix || s.ID != all[s.Name]["$id"] || s.ID != id || s.Profile != "closed" {
			t.Errorf("%s: file %s, $id %s; the schema says %v", s.Name, s.File, s.ID, all[s.Name]["$id"])
		}
		side := map[string]string{"tool input": ".input", "tool output": ".output"}[s.Kind]
		expect.That(t, (s.Kind == "tool output") == (s.Returns != ""), "%s returns %q", s.Name, s.Returns)
		expect.That(t, (s.Kind == "tool input") == (s.Example != nil), "%s has the example %v", s.Name, s.Example)
		expect.That(t, s.Title != "" && (side != "") == (s.Toolset != "") && (side == "" || s.Name == s.Tool+side) &&
			(side != "" || s.Kind == "entity" || s.Kind == "envelope"),
			"%+v", s)
		delete(all, s.Name)
	}
	for name := range all {
		t.Errorf("the index lacks %s", name)
	}
}

// walk visits every schema below a schema.
func walk(at string, schema any, visit func(at string, schema any)) {
	visit(at, schema)
	node, ok := schema.(map[string]any)
	if !ok {
		return
	}
	for _, key := range []string{"properties", "$defs", "patternProperties", "dependentSchemas"} {
		named, _ := node[key].(map[string]any)
		for name, sub := range named {
			walk(at+"/"+key+"/"+name, sub, visit)
		}
	}
	for _, key := range []string{"anyOf", "allOf", "oneOf", "prefixItems"} {
		list, _ := node[key].([]any)
		for _, sub := range list {
			walk(at+"/"+key, sub, visit)
		}
	}
	for _, key := range []string{"items", "not", "if", "then", "else", "contains", "propertyNames", "additionalProperties"} {
		if sub, ok := node[key]; ok && sub != false {
			walk(at+"/"+key, sub, visit)
		}
	}
}

func TestSchemasAreClosedAndDescribed(t *testing.T) {
	t.Parallel()
	// The content of these is described elsewhere: a root is one of its anyOf, an item of the envelope of all pages is any entity.
	open := regexp.MustCompile(`^(\w+\.output|pagination-envelope/\$defs/Item)$`)
	for name, root := range published(t) {
		walk(name, root, func(at string, schema any) {
			node, ok := schema.(map[string]any)
			if !ok {
				t.Errorf("%s is the bare schema %v", at, schema)
				return
			}
			expect.That(t, len(node) != 0, "%s is the empty schema, which admits anything", at)
			properties, _ := node["properties"].(map[string]any)
			for property, sub := range properties {
				node, _ := sub.(map[string]any)
				if text, _ := node["description"].(string); strings.TrimSpace(text) == "" {
					t.Errorf("%s: property %s has no description", at, property)
				}
			}
			_, named := node["additionalProperties"].(map[string]any) // a map: its keys are data, its values are described
			if node["type"] == "object" && node["additionalProperties"] != false && !named && !open.MatchString(at) &&
				!strings.HasSuffix(at, "Next/properties/arguments") {
				t.Errorf("%s is an object with additionalProperties %v, want false", at, node["additionalProperties"])
			}
			required, _ := node["required"].([]any)
			for _, key := range required {
				if _, ok := properties[key.(string)]; !ok {
					t.Errorf("%s requires %v, which it has not", at, key)
				}
			}
		})
	}
}

// A new value of an upstream must stay valid: an enumeration of an upstream has a string alternative. Biofact's own enumerations are
// closed: those of package entity, and the choices of tools.yaml.
func TestEnumerationsOfUpstreamsAreOpen(t *testing.T) {
	t.Parallel()
	closed := []string{"code", "role", "availability", "part", "list", "field", "kind", "kind_computed", "approval", "exists", "result"}
	var choices [][]string
	for _, tool := range tools(t) {
		for _, arg := range tool.Args {
			for _, a := range append([]toolgen.Argument{arg}, arg.Fields...) {
				choices = append(choices, a.Choices)
			}
		}
	}
	ours := func(at string, values []any) bool {
		return slices.Contains(closed, at[strings.LastIndex(at, "/")+1:]) || strings.Contains(at, "/Reporting/") ||
			slices.ContainsFunc(choices, func(c []string) bool { return fmt.Sprint(c) == fmt.Sprint(values) })
	}
	for name, root := range published(t) {
		walk(name, root, func(at string, schema any) {
			node, _ := schema.(map[string]any)
			if values, ok := node["enum"].([]any); ok && !strings.HasSuffix(at, "/anyOf") && !ours(at, values) {
				t.Errorf("%s admits only the values known today", at)
			}
		})
	}
	const value = "A_STATUS_OF_NEXT_YEAR"
	trial := compile(t, "trial-search-candidate")
	expect.Succeeds(t, trial.Validate(map[string]any{"id": "NCT:00461032", "title": "T", "status": value}), "error")
	expect.Succeeds(t, compile(t, "search_trials.input").Validate(map[string]any{"status": []any{value}}), "error")
}

// A tool's error codes are exactly those in tools.yaml.
func TestOutputAdmitsTheErrorsOfTheTool(t *testing.T) {
	t.Parallel()
	for _, tool := range tools(t) {
		output := compile(t, tool.Name+".output")
		for _, code := range []string{"UNRESOLVED_ENTITY", "ENTITY_NOT_FOUND", "AMBIGUOUS_QUERY", "RATE_LIMITED", "UPSTREAM_ERROR",
			"INVALID_INPUT", "OTHER"} {
			err := output.Validate(map[string]any{"success": false,
				"error": map[string]any{"code": code, "message": "m", "recovery_hint": "h"}})
			if declared := slices.Contains(tool.Errors, code); declared != (err == nil) {
				t.Errorf("%s: error %s is declared: %v; the output schema says %v", tool.Name, code, declared, err)
			}
		}
		if err := output.Validate(map[string]any{}); err == nil {
			t.Errorf("%s: the output schema admits an empty object", tool.Name)
		}
	}
}

// tools returns the tools of the contract.
func tools(t testing.TB) []*toolgen.Tool {
	t.Helper()
	all, err := committedTools()
	expect.NoError(t, err)
	expect.Must(t, len(all) != 0, "no tools")
	return all
}

// committedTools are the tools of the committed inputs, which no test changes.
var committedTools = sync.OnceValues(func() ([]*toolgen.Tool, error) {
	in, err := toolgen.Repository(root)
	if err != nil {
		return nil, err
	}
	contract, err := toolgen.Read(in)
	if err != nil {
		return nil, err
	}
	return contract.Tools, nil
})

// normalize converts a YAML value into a JSON value.
func normalize(t testing.TB, value any) any {
	t.Helper()
	text, err := json.Marshal(value)
	expect.NoError(t, err)
	var out any
	expect.NoError(t, json.Unmarshal(text, &out))
	return out
}

func TestExamplesAreValid(t *testing.T) {
	t.Parallel()
	for _, tool := range tools(t) {
		input := compile(t, tool.Name+".input")
		expect.Succeeds(t, input.Validate(normalize(t, tool.Example.Arguments())), "%s", tool.Name)
		if err := input.Validate(map[string]any{"no_such_argument": "x"}); err == nil {
			t.Errorf("%s: the input schema admits any argument", tool.Name)
		}
		for _, arg := range tool.Args {
			for what, value := range map[string]any{"example": arg.Example, "default": arg.Default} {
				if value == nil {
					continue
				}
				with := maps.Clone(tool.Example.Arguments())
				with[arg.Name] = value
				expect.Succeeds(t, input.Validate(normalize(t, with)), "%s: %s of %s", tool.Name, what, arg.Name)
			}
			without := maps.Clone(tool.Example.Arguments())
			delete(without, arg.Name)
			if err := input.Validate(normalize(t, without)); (arg.Required && arg.Or == nil) != (err != nil) {
				t.Errorf("%s: %s is required: %v; without it the schema says %v", tool.Name, arg.Name, arg.Required, err)
			}
		}
	}
}

// TestDescriptionsAreComplete compares descriptions with their origin. A comma in a struct tag, for example, would cut a description.
func TestDescriptionsAreComplete(t *testing.T) {
	t.Parallel()
	comments := fieldComments(t)
	besides := map[string]map[string]string{} // by the name of the output
	for _, tool := range tools(t) {
		page := maps.Clone(comments["page"])
		maps.Copy(page, comments[strings.ToLower(tool.Beside)])
		besides[tool.Name+".output"] = page
	}
	for _, tool := range tools(t) { // the envelope of all pages has the fields beside any of them
		maps.Copy(comments["page"], besides[tool.Name+".output"])
	}
	maps.Copy(comments["trialmatch"], comments["trialsearchcandidate"]) // the first embeds the second
	checked := 0
	schemas := published(t)
	for name, root := range schemas {
		walk(name, root, func(at string, schema any) {
			node, _ := schema.(map[string]any)
			fields := comments[typeAt(at)]
			if typeAt(at) == "page" && besides[name] != nil {
				fields = besides[name]
			}
			properties, _ := node["properties"].(map[string]any)
			for property, sub := range properties {
				if want, ok := fields[property]; ok {
					checked++
					if got := sub.(map[string]any)["description"]; got != want {
						t.Errorf("%s: %s is described as %q, and in Go as %q", at, property, got, want)
					}
				} else if property != "notices" && property != "next" && fields != nil {
					t.Errorf("%s: Go has no field for %s", at, property)
				}
			}
		})
	}
	expect.That(t, checked >= 50, "only %d descriptions were compared", checked)
	for _, tool := range tools(t) {
		properties := schemas[tool.Name+".input"]["properties"].(map[string]any)
		for _, arg := range tool.Args {
			if got := properties[arg.Name].(map[string]any)["description"]; got != arg.Description {
				t.Errorf("%s: %s is described as %q, and in tools.yaml as %q", tool.Name, arg.Name, got, arg.Description)
			}
		}
	}
}

// typeAt returns the lower-case Go type at a place of a schema: the name under $defs or, at the root of an entity's schema, the name of
// the file.
func typeAt(at string) string {
	name := at[strings.LastIndex(at, "/")+1:]
	switch name {
	case "pagination-envelope":
		name = "Page"
	case "error-envelope":
		name = "ErrorEnvelope"
	}
	return strings.ToLower(strings.ReplaceAll(name, "-", ""))
}

// fieldComments returns the doc comments of package entity up to the line with their source, by type and JSON field name.
func fieldComments(t testing.TB) map[string]map[string]string {
	t.Helper()
	paths, err := filepath.Glob(root + "/internal/entity/*.go")
	expect.NoError(t, err)
	out := map[string]map[string]string{}
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		expect.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			structure, ok := spec.Type.(*ast.StructType)
			if !ok {
				return true
			}
			fields := map[string]string{}
			for _, f := range structure.Fields.List {
				if f.Tag == nil {
					continue
				}
				name, _, _ := strings.Cut(reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json"), ",")
				text, _, _ := strings.Cut(f.Doc.Text(), "Source:")
				fields[name] = strings.Join(strings.Fields(text), " ")
			}
			out[strings.ToLower(spec.Name.Name)] = fields
			return true
		})
	}
	return out
}
