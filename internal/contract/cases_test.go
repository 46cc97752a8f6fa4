package contract_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"golang.org/x/tools/txtar"

	"github.com/biofact-mcp/biofact/gen/schemas"
	"github.com/biofact-mcp/biofact/internal/contract"
	"github.com/biofact-mcp/biofact/internal/expect"
)

var update = flag.Bool("update", false, "take the answers that docs/schemas.md shows from the conversations")

var casesFile = flag.String("cases",
	"", "write the documents and their verdicts to this file, one a line, for validators of other languages")

// A testCase is a document and whether it follows a schema.
type testCase struct {
	Name     string          `json:"name"`
	Schema   string          `json:"schema"`
	Valid    bool            `json:"valid"`
	Document json.RawMessage `json:"document"`

	arguments json.RawMessage // of the call, for an answer
}

// TestCases checks every answer of the conversations in mcpserver/testdata,
// every example of tools.yaml and of docs/schemas.md, and broken copies of
// them. With -cases it writes them for make validators, where other validators
// must return the same results.
func TestCases(t *testing.T) {
	t.Parallel()
	c := published
	answered := answers(t)
	valid := slices.Concat(answered, examples(t))
	documented, wrong := documented(t, answered)
	valid = append(valid, documented...)
	all := slices.Clone(wrong)
	for _, one := range valid {
		all = append(all, one)
		if problems, err := c.Validate(one.Schema, one.Document); err != nil || problems != nil {
			t.Errorf("%s breaks %s: %q %v", one.Name, one.Schema, problems, err)
		}
	}
	for _, one := range wrong {
		if problems, err := c.Validate(one.Schema, one.Document); err != nil || problems == nil {
			t.Errorf("%s does not break %s: %v", one.Name, one.Schema, err)
		}
	}
	all = append(all, broken(t, c, valid)...)
	seen := map[string]bool{}
	for _, one := range valid {
		seen[one.Schema] = true
	}
	for _, name := range schemas.Names() {
		expect.That(t, seen[name], "no document follows %s", name)
	}
	open := inOpenProfile(t, all)
	t.Logf("%d documents, %d changed copies", len(valid), len(all)-len(valid))
	if *casesFile == "" {
		return
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	for _, one := range slices.Concat(all, open) {
		expect.NoError(t, enc.Encode(one))
	}
	expect.NoError(t, os.WriteFile(*casesFile, out.Bytes(), 0o644))
}

// inOpenProfile returns the cases with the verdicts of the open profile, which accepts what the closed one accepts, and no other changed
// copy than one with more members.
func inOpenProfile(t *testing.T, cases []testCase) []testCase {
	t.Helper()
	open, out := map[string]*jsonschema.Schema{}, []testCase(nil)
	for _, one := range cases {
		if open[one.Schema] == nil {
			text, err := fs.ReadFile(schemas.Bundle(), "open/"+one.Schema+".schema.json")
			expect.NoError(t, err)
			open[one.Schema], err = jsonschema.CompileString(one.Schema, string(text))
			expect.NoError(t, err)
		}
		var document any
		expect.NoError(t, json.Unmarshal(one.Document, &document))
		valid := open[one.Schema].Validate(document) == nil
		expect.That(t, valid || !one.Valid, "%s is not valid by the open profile of %s", one.Name, one.Schema)
		addition := strings.Contains(one.Name, ": unknown property at") || strings.HasPrefix(one.Name, "schemas.md")
		expect.That(t, one.Valid || !valid || addition, "%s is valid by the open profile of %s", one.Name, one.Schema)
		out = append(out, testCase{Name: one.Name, Schema: one.Schema + ".open", Valid: valid, Document: one.Document})
	}
	return out
}

// TestKinds: Check finds the kind of every answer and entity of the conversations, and finds no problem.
func TestKinds(t *testing.T) {
	t.Parallel()
	for _, one := range answers(t) {
		verdict, err := published.Check(one.Document)
		isAnswer := strings.HasSuffix(one.Schema, ".output") // most are among the cases by their entity, too
		expect.That(t, err == nil && len(verdict.Problems) == 0 &&
			(isAnswer || verdict.Kind == one.Schema || one.Schema == "pagination-envelope" && strings.HasPrefix(verdict.Kind, "page")),
			"%s is a %s, and was read as %s: %.300q", one.Name, one.Schema, verdict.Kind, verdict.Problems)
	}
}

// TestListedSchemas: a schema of tools/list is true of every answer and has every argument.
func TestListedSchemas(t *testing.T) {
	t.Parallel()
	checked := 0
	for _, one := range slices.Concat(answers(t), examples(t)) {
		listed := schemas.Listed(one.Schema)
		if listed == nil || !strings.HasSuffix(one.Schema, ".output") {
			continue
		}
		schema, err := jsonschema.CompileString(one.Schema, string(listed))
		expect.NoError(t, err)
		var document any
		expect.NoError(t, json.Unmarshal(one.Document, &document))
		expect.NoErrorf(t, schema.Validate(document), "%s breaks the listed %s", one.Name, one.Schema)
		checked++
	}
	expect.That(t, checked > 100, "only %d answers were checked", checked)
	type input struct {
		Properties map[string]struct{ Description string }
		Required   []string
	}
	for _, name := range schemas.Names() {
		if !strings.HasSuffix(name, ".input") {
			continue
		}
		var published, listed input
		expect.NoError(t, json.Unmarshal(schemas.Get(name), &published))
		expect.NoError(t, json.Unmarshal(schemas.Listed(name), &listed))
		expect.Equal(t, name, slices.Sorted(maps.Keys(published.Properties)), slices.Sorted(maps.Keys(listed.Properties)))
		expect.Equal(t, name, published.Required, listed.Required)
	}
}

// answers returns the structured contents of the server in the conversations,
// and their parts, each with the schema that it must follow.
func answers(t *testing.T) []testCase {
	t.Helper()
	paths, err := filepath.Glob("../mcpserver/testdata/*.txtar")
	expect.Must(t, err == nil && len(paths) != 0, "no conversations: %v", err)
	returns := returned(t)
	var out []testCase
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		expect.NoError(t, err)
		type call struct {
			Name      string
			Arguments json.RawMessage
		}
		called := map[string]call{} // by the id of the request
		for _, f := range archive.Files {
			switch f.Name {
			case "client":
				for line := range strings.Lines(string(f.Data)) {
					var request struct {
						ID     json.RawMessage
						Params call
					}
					if json.Unmarshal([]byte(line), &request) == nil && request.Params.Name != "" {
						called[string(request.ID)] = request.Params
					}
				}
			case "server":
				dec := json.NewDecoder(bytes.NewReader(f.Data))
				for {
					var response struct {
						ID     json.RawMessage
						Result struct{ StructuredContent json.RawMessage }
					}
					if err := dec.Decode(&response); errors.Is(err, io.EOF) {
						break
					} else if err != nil {
						t.Fatalf("%s: %v", path, err)
					}
					if content := response.Result.StructuredContent; content != nil {
						name := strings.TrimSuffix(filepath.Base(path), ".txtar") + " " + string(response.ID)
						call := called[string(response.ID)]
						for _, one := range parts(t, name, call.Name, returns, content) {
							one.arguments = call.Arguments
							out = append(out, one)
						}
					}
				}
			}
		}
	}
	return out
}

// An indexed schema is an entry of gen/schemas/index.json.
type indexed struct {
	Name, Profile, Kind, Title, Tool, Returns string
	Example                                   json.RawMessage // arguments of a call
}

// index returns the index of the schemas.
func index(t *testing.T) []indexed {
	t.Helper()
	text, err := os.ReadFile("../../gen/schemas/index.json")
	expect.NoError(t, err)
	var list struct{ Schemas []indexed }
	expect.NoError(t, json.Unmarshal(text, &list))
	return slices.DeleteFunc(list.Schemas, func(s indexed) bool { return s.Profile != "closed" })
}

// returned returns the schema of the entity of every tool.
func returned(t *testing.T) map[string]string {
	t.Helper()
	all := index(t)
	entities, out := map[string]string{}, map[string]string{}
	for _, s := range all {
		if s.Kind == "entity" {
			entities[s.Title] = s.Name
		}
	}
	for _, s := range all {
		if s.Kind == "tool output" {
			out[s.Tool] = entities[strings.TrimPrefix(s.Returns, "page of ")]
		}
	}
	return out
}

// parts returns an answer, with its schema as an envelope or an entity, and its
// items.
func parts(t *testing.T, name, tool string, returns map[string]string, content json.RawMessage) []testCase {
	t.Helper()
	out := []testCase{{Name: name, Schema: tool + ".output", Valid: true, Document: content}}
	var answer struct {
		Success    *bool
		Items      *[]json.RawMessage
		Pagination json.RawMessage
		Articles   []json.RawMessage
		Section    string
		Rows       []json.RawMessage
		NCTIDs     []any `json:"nct_ids"` // of a drug: objects
		Fields     []string
	}
	expect.NoErrorf(t, json.Unmarshal(content, &answer), "%s", name)
	switch {
	case answer.Success != nil:
		return append(out, testCase{Name: name, Schema: "error-envelope", Valid: true, Document: content})
	case len(answer.NCTIDs) > 0 && reflect.TypeOf(answer.NCTIDs[0]).Kind() == reflect.String ||
		answer.Fields != nil: // rows of several trials, or of some fields
	case answer.Items == nil || answer.Pagination == nil:
		out = append(out, testCase{Name: name, Schema: returns[tool], Valid: true, Document: content})
	default:
		out = append(out, testCase{Name: name, Schema: "pagination-envelope", Valid: true, Document: content})
		for i, item := range *answer.Items {
			out = append(out, testCase{Name: fmt.Sprintf("%s item %d", name, i), Schema: returns[tool], Valid: true, Document: item})
		}
	}
	if schema, ok := map[string]string{"comparisons": "comparison-row", "arms": "arm-row"}[answer.Section]; ok {
		for i, row := range answer.Rows {
			out = append(out, testCase{Name: fmt.Sprintf("%s row %d", name, i), Schema: schema, Valid: true, Document: row})
		}
	}
	for i, article := range answer.Articles {
		out = append(out, testCase{Name: fmt.Sprintf("%s article %d", name, i), Schema: "article", Valid: true, Document: article})
	}
	return out
}

// examples returns the example calls of tools.yaml.
func examples(t *testing.T) []testCase {
	t.Helper()
	var out []testCase
	for _, s := range index(t) {
		if s.Kind == "tool input" {
			out = append(out, testCase{Name: "example of " + s.Tool, Schema: s.Name, Valid: true, Document: s.Example})
		}
	}
	return out
}

const document = "../../docs/schemas.md"

// documented returns the examples of docs/schemas.md. A block starts with
//
//	```json SCHEMA                   a document that follows the schema
//	```json SCHEMA CONVERSATION:ID   the answer in mcpserver/testdata
//	```json SCHEMA wrong             a document that does not follow it
func documented(t *testing.T, answered []testCase) (valid, wrong []testCase) {
	t.Helper()
	text, err := os.ReadFile(document)
	expect.NoError(t, err)
	out := string(text)
	for i, block := range regexp.MustCompile("(?ms)^```json (\\S+) ?(\\S*)\n(.*?)^```$").FindAllStringSubmatch(out, -1) {
		one := testCase{Name: fmt.Sprintf("schemas.md %d", i+1), Schema: block[1], Valid: block[2] != "wrong",
			Document: json.RawMessage(block[3])}
		if !one.Valid {
			wrong = append(wrong, one)
			continue
		}
		if block[2] != "" {
			one.Document = answer(t, answered, one.Schema, strings.Replace(block[2], ":", " ", 1))
			if *update {
				out = strings.Replace(out, block[0], strings.TrimSuffix(block[0], block[3]+"```")+string(one.Document)+"```", 1)
			} else if block[3] != string(one.Document) {
				t.Errorf("%s differs from the server's answer in %s: go test ./internal/contract -run TestCases -update", one.Name,
					block[2])
			}
		}
		valid = append(valid, one)
	}
	if n := strings.Count(out, "```json"); n != len(valid)+len(wrong) || len(valid) < 5 || len(wrong) < 2 {
		t.Errorf("%s: of %d examples %d were read, and %d wrong ones", document, n, len(valid), len(wrong))
	}
	if *update {
		expect.NoError(t, os.WriteFile(document, []byte(out), 0o644))
	}
	return valid, wrong
}

// answer finds an answer by its name and indents it.
func answer(t *testing.T, answered []testCase, schema, name string) json.RawMessage {
	t.Helper()
	i := slices.IndexFunc(answered, func(c testCase) bool { return c.Name == name && c.Schema == schema })
	expect.Must(t, i >= 0, "%s: no answer %s of %s", document, name, schema)
	var out bytes.Buffer
	expect.NoError(t, json.Indent(&out, answered[i].Document, "", "  "))
	out.WriteByte('\n')
	return out.Bytes()
}

// TestDocumentedCode compares the code of docs/schemas.md with the programs
// that make validators runs.
func TestDocumentedCode(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(document)
	expect.NoError(t, err)
	for language, path := range map[string]string{"js": "testdata/ajv.js", "python": "testdata/jsonschema_check.py"} {
		program, err := os.ReadFile(path)
		expect.NoError(t, err)
		_, rest, _ := strings.Cut(string(text), "```"+language+"\n")
		code, _, found := strings.Cut(rest, "```")
		expect.That(t, found && strings.Contains(string(program), code), "%s does not hold the code of %s:\n%s", path, document, code)
	}
}

// broken returns copies of documents with one error each. Every place of a
// schema gets every kind of error once.
func broken(t *testing.T, c *contract.Contract, valid []testCase) []testCase {
	t.Helper()
	var out []testCase
	done := map[string]bool{}
	index := regexp.MustCompile(`/[0-9]+`)
	for _, one := range valid {
		var document any
		expect.NoErrorf(t, json.Unmarshal(one.Document, &document), "%s", one.Name)
		change(document, "", func(at, how string) {
			key := one.Schema + index.ReplaceAllString(at, "/[]") + " " + how
			if done[key] {
				return
			}
			done[key] = true
			text := marshal(t, document)
			problems, err := c.Validate(one.Schema, text)
			expect.NoError(t, err)
			expect.That(t, problems != nil || !mustBreak(one.Schema, at, how),
				"%s: %s at %s breaks nothing of %s: %s", one.Name, how, at, one.Schema, text)
			out = append(out, testCase{Name: one.Name + ": " + how + " at " + at, Schema: one.Schema, Valid: problems == nil, Document: text})
		})
	}
	return out
}

// cell matches the place of a cell of a table, which may be empty.
var cell = regexp.MustCompile(`ows/[0-9]+/[0-9]+$`)

// openMap matches the place of an object whose keys are styles, endpoints or sections of a label.
var openMap = regexp.MustCompile(`/(citations|data_dates|label/text)$`)

// mustBreak reports whether no schema may accept a change; for other changes it
// depends on the required properties, limits and patterns.
func mustBreak(schema, at, how string) bool {
	switch {
	case schema == "pagination-envelope" && strings.HasPrefix(at, "/items/"):
		return false // an item is any entity
	case strings.Contains(at+"/", "/next/arguments/"):
		return at == "/next/arguments" && how != "unknown property" && how != "empty object" // the arguments of any tool
	case how == "unknown property":
		return !openMap.MatchString(at)
	case how == "empty string":
		return !strings.HasSuffix(schema, ".input") && !strings.HasSuffix(at, "/content") && !cell.MatchString(at)
	}
	return slices.Contains([]string{
		"null", "unknown code", "number for a string", "string for a number", "string for a boolean", "object for a list",
		"list for an object",
	}, how)
}

// change applies each change to every place of a document at and below a path,
// one after the other, and reverts it. It calls report while the document is
// changed.
func change(value any, at string, report func(at, how string)) {
	try := func(here string, set func(any), old any) {
		set(nil)
		report(here, "null")
		switch old := old.(type) {
		case string:
			set("")
			report(here, "empty string")
			set(7)
			report(here, "number for a string")
			if strings.HasSuffix(here, "/error/code") {
				set("OTHER")
				report(here, "unknown code")
			}
			set(old + "!")
			report(here, "other text")
		case float64:
			set(fmt.Sprint(old))
			report(here, "string for a number")
			set(-1)
			report(here, "negative")
			set(old + 0.5)
			report(here, "half more")
		case bool:
			set(!old)
			report(here, "opposite")
			set(fmt.Sprint(old))
			report(here, "string for a boolean")
		case []any:
			set([]any{})
			report(here, "empty list")
			set(map[string]any{})
			report(here, "object for a list")
		case map[string]any:
			set(map[string]any{})
			report(here, "empty object")
			set([]any{})
			report(here, "list for an object")
		}
		set(old)
		change(old, here, report)
	}
	switch value := value.(type) {
	case map[string]any:
		value["no_such_property"] = "x"
		report(at, "unknown property")
		delete(value, "no_such_property")
		for _, key := range slices.Sorted(maps.Keys(value)) {
			old := value[key]
			delete(value, key)
			report(at+"/"+key, "missing")
			try(at+"/"+key, func(v any) { value[key] = v }, old)
			value[key] = old
		}
	case []any:
		for i, old := range value {
			try(fmt.Sprintf("%s/%d", at, i), func(v any) { value[i] = v }, old)
		}
	}
}

func marshal(t *testing.T, value any) json.RawMessage {
	t.Helper()
	text, err := json.Marshal(value)
	expect.NoError(t, err)
	return text
}
