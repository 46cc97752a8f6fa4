package toolgen_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// A snapshot has the constraints of the schemas of one version, by name. Descriptions, titles and examples are left out, and references
// are resolved.
type snapshot struct {
	Version string                    `json:"version"`
	Schemas map[string]map[string]any `json:"schemas"`
}

// rendered returns the snapshot of the current schemas.
func rendered(t testing.TB) snapshot {
	t.Helper()
	s := snapshot{Schemas: map[string]map[string]any{}}
	for name, schema := range published(t) {
		s.Schemas[name] = reduce(schema, schema["$defs"])
		version, _, _ := strings.Cut(strings.TrimPrefix(schema["$id"].(string), "urn:biofact:schema:v"), ":")
		s.Version = version
	}
	return s
}

func reduce(schema map[string]any, defs any) map[string]any {
	out := map[string]any{}
	if ref, ok := schema["$ref"].(string); ok {
		name := strings.TrimPrefix(ref, "#/$defs/")
		out = reduce(defs.(map[string]any)[name].(map[string]any), defs)
	}
	for key, value := range schema {
		switch value := value.(type) {
		case map[string]any:
			switch key {
			case "$defs":
			case "properties":
				all := map[string]any{}
				for name, property := range value {
					all[name] = reduce(property.(map[string]any), defs)
				}
				out[key] = all
			default:
				out[key] = reduce(value, defs)
			}
		case []any:
			switch key {
			case "examples":
			case "anyOf":
				all := []any{}
				for _, one := range value {
					all = append(all, reduce(one.(map[string]any), defs))
				}
				out[key] = all
			default:
				out[key] = value
			}
		default:
			if !slices.Contains([]string{"$schema", "$id", "$ref", "title", "description"}, key) {
				out[key] = value
			}
		}
	}
	return out
}

// breaking lists the changes between two snapshots that break readers or callers, by place.
//
// Readers of answers rely on every existing property and on the type of each value: a newer answer must be valid by the older schema. A
// new property is the only exception, because validators use the schemas of the server that answered. Callers rely on the arguments: an
// older call must be valid by the newer schema, and mean the same if arguments are left out.
func breaking(older, newer snapshot) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(older.Schemas)) {
		now, ok := newer.Schemas[name]
		switch {
		case !ok:
			out = append(out, name+" is gone")
		case strings.HasSuffix(name, ".input"):
			out = append(out, comparison{answers: false}.within(name, older.Schemas[name], now)...)
		default:
			tool, isTool := strings.CutSuffix(name, ".output")
			more := isTool && takesMore(older.Schemas[tool+".input"], newer.Schemas[tool+".input"])
			if more {
				now = withoutNewForms(older.Schemas[name], now)
			}
			found := comparison{answers: true}.within(name, now, older.Schemas[name])
			if more {
				found = slices.DeleteFunc(found, func(f string) bool { return strings.HasPrefix(f, name+"/error/code: value was nothing") })
			}
			out = append(out, found...)
		}
	}
	return out
}

// withoutNewForms returns the schema of an answer without the forms that the older one does not have, between the known ones and the error.
// Only calls with a new argument can get such a form.
func withoutNewForms(older, newer map[string]any) map[string]any {
	was, _ := older["anyOf"].([]any)
	is, _ := newer["anyOf"].([]any)
	if len(is) <= len(was) {
		return newer
	}
	newer = maps.Clone(newer)
	newer["anyOf"] = append(slices.Clone(is[:len(was)-1]), is[len(is)-1])
	return newer
}

// takesMore reports whether a tool has a new argument. A new error code may come with it, because no older call can get that code.
func takesMore(older, newer map[string]any) bool {
	was, _ := older["properties"].(map[string]any)
	is, _ := newer["properties"].(map[string]any)
	return len(is) > len(was)
}

// generous are limits that may be added to an argument without a limit: no source could serve a call beyond them. Afterwards they may
// only grow.
var generous = map[string]float64{"maxLength": 500, "maxItems": 100}

// A comparison checks whether every value that is valid by a narrow schema is also valid by a wide one. For answers the newer schema
// must be the narrow one, for calls the older one.
type comparison struct{ answers bool }

func (c comparison) change(at, keyword string, narrow, wide any) string {
	was, is := narrow, wide
	if c.answers {
		was, is = wide, narrow
	}
	text := func(v any) string {
		if v == nil {
			return "nothing"
		}
		b, err := json.Marshal(v)
		if err != nil {
			return err.Error()
		}
		return string(b)
	}
	return fmt.Sprintf("%s: %s was %s, is %s", at, keyword, text(was), text(is))
}

// within lists the differences by which a value of the narrow schema is not valid by the wide one.
func (c comparison) within(at string, narrow, wide map[string]any) []string {
	if reflect.DeepEqual(narrow, wide) {
		return nil
	}
	var out []string
	for _, n := range alternatives(narrow) {
		// The schema must be within one of the alternatives. If it is in none, the result lists the differences to the nearest one: of
		// the same type, with the fewest differences.
		var nearest []string
		same := false
		for i, w := range alternatives(wide) {
			found, typed := c.one(at, n, w), reflect.DeepEqual(n["type"], w["type"])
			if i == 0 || len(found) == 0 || typed && !same || typed == same && len(found) < len(nearest) {
				nearest, same = found, typed
			}
			if len(found) == 0 {
				break
			}
		}
		for _, f := range nearest {
			if !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	return out
}

// alternatives returns the schemas of anyOf, each merged with the keywords next to anyOf.
func alternatives(schema map[string]any) []map[string]any {
	all, ok := schema["anyOf"].([]any)
	if !ok {
		return []map[string]any{schema}
	}
	var out []map[string]any
	for _, one := range all {
		merged := maps.Clone(schema)
		delete(merged, "anyOf")
		maps.Copy(merged, one.(map[string]any))
		out = append(out, merged)
	}
	return out
}

func (c comparison) one(at string, narrow, wide map[string]any) []string {
	var out []string
	moved := !c.answers && wide["default"] == nil // the tool may set it: the wire archives show whether it does
	if !moved && !reflect.DeepEqual(narrow["default"], wide["default"]) {
		out = append(out, c.change(at, "default", narrow["default"], wide["default"]))
	}
	if values := values(narrow); values != nil {
		for _, v := range values {
			if !admits(wide, v) {
				out = append(out, c.change(at, "value", v, nil))
			}
		}
		return out
	}
	for _, key := range slices.Sorted(maps.Keys(wide)) {
		n, w := narrow[key], wide[key]
		ok := true
		switch key {
		case "default", "properties", "required":
		case "additionalProperties":
			schema, isSchema := n.(map[string]any)
			of, alsoSchema := w.(map[string]any)
			if ok = n == false || isSchema && alsoSchema; isSchema && alsoSchema {
				out = append(out, c.within(at+"/*", schema, of)...)
			}
		case "items":
			schema, isSchema := n.(map[string]any)
			if ok = isSchema; ok {
				out = append(out, c.within(at+"/[]", schema, w.(map[string]any))...)
			}
		case "type":
			admitted := types(w)
			ok = n != nil && !slices.ContainsFunc(types(n), func(t any) bool {
				return !slices.Contains(admitted, t) && (t != "integer" || !slices.Contains(admitted, any("number")))
			})
		case "minimum", "minLength", "minItems", "minProperties":
			least, bound := n.(float64)
			ok = least >= w.(float64) && (bound || key != "minimum")
		case "maxLength", "maxItems":
			most, bound := n.(float64)
			first := !c.answers && !bound // the first limit of an argument
			ok = bound && most <= w.(float64) || first && w.(float64) >= generous[key]
		case "maximum", "maxProperties":
			most, bound := n.(float64)
			ok = bound && most <= w.(float64)
		default: // pattern, format, enum, const, and unknown keywords
			ok = reflect.DeepEqual(n, w)
		}
		if !ok {
			out = append(out, c.change(at, key, n, w))
		}
	}
	return append(out, c.properties(at, narrow, wide)...)
}

func (c comparison) properties(at string, narrow, wide map[string]any) []string {
	var out []string
	ns, _ := narrow["properties"].(map[string]any)
	ws, _ := wide["properties"].(map[string]any)
	older, newer := ns, ws
	if c.answers {
		older, newer = ws, ns
	}
	for _, name := range slices.Sorted(maps.Keys(older)) {
		if newer[name] == nil {
			out = append(out, at+"/"+name+" is gone")
			continue
		}
		out = append(out, c.within(at+"/"+name, ns[name].(map[string]any), ws[name].(map[string]any))...)
	}
	has, _ := narrow["required"].([]any)
	required, _ := wide["required"].([]any)
	for _, name := range required {
		if slices.Contains(has, name) {
			continue
		}
		if c.answers {
			out = append(out, fmt.Sprintf("%s/%v was required, is optional", at, name))
		} else {
			out = append(out, fmt.Sprintf("%s/%v was not required, is", at, name))
		}
	}
	return out
}

// types returns the types of a type keyword as a list.
func types(keyword any) []any {
	if list, ok := keyword.([]any); ok {
		return list
	}
	return []any{keyword}
}

// values returns all values that a schema allows, or nil if it does not list them.
func values(schema map[string]any) []any {
	if value, ok := schema["const"]; ok {
		return []any{value}
	}
	list, _ := schema["enum"].([]any)
	return list
}

func admits(schema map[string]any, value any) bool {
	text, err := json.Marshal(schema)
	if err != nil {
		return false
	}
	compiled, err := jsonschema.CompileString("schema.json", string(text))
	return err == nil && compiled.Validate(value) == nil
}

// numbers returns the two numbers of the version.
func (s snapshot) numbers() []int {
	major, adds, _ := strings.Cut(s.Version, ".")
	first, _ := strconv.Atoi(major)
	second, _ := strconv.Atoi(adds)
	return []int{first, second}
}

// judge returns an error if a snapshot may not follow the released one: a change that breaks needs the next first number of the version,
// an addition the next second one.
func judge(released, newer snapshot) error {
	was, is := released.numbers(), newer.numbers()
	breaks, adds := []int{was[0] + 1, 0}, []int{was[0], was[1] + 1}
	found := breaking(released, newer)
	switch {
	case slices.Equal(is, breaks), slices.Equal(is, adds) && len(found) == 0:
		return nil
	case !slices.Equal(is, was) && !slices.Equal(is, adds):
		return fmt.Errorf("version %s of the contract was released, and now it is %s: it goes by one", released.Version, newer.Version)
	case len(found) > 0:
		return fmt.Errorf("the schemas break version %s of the contract. Undo it, or set contractVersion in schema.go to %d.0:\n  %s",
			released.Version, breaks[0], strings.Join(found, "\n  "))
	case !reflect.DeepEqual(released.Schemas, newer.Schemas):
		return fmt.Errorf("version %s of the contract was released: set contractVersion in schema.go to %d.%d, and make generate",
			released.Version, adds[0], adds[1])
	}
	return nil
}

const contractFile = "testdata/contract.json"

func recorded(t testing.TB) snapshot {
	t.Helper()
	var s snapshot
	expect.NoError(t, json.Unmarshal(read(t, contractFile), &s))
	return s
}

// lastReleased returns the newest snapshot of a released version.
func lastReleased(t testing.TB) (newest snapshot) {
	t.Helper()
	paths, err := filepath.Glob("testdata/contract-*.json.gz")
	expect.Must(t, err == nil && len(paths) > 0, "no released version: %v", err)
	for _, path := range paths {
		unpacked, err := gzip.NewReader(bytes.NewReader(read(t, path)))
		expect.NoError(t, err)
		var s snapshot
		expect.NoError(t, json.NewDecoder(unpacked).Decode(&s))
		if slices.Compare(newest.numbers(), s.numbers()) < 0 {
			newest = s
		}
	}
	return newest
}

var release = flag.Bool("release", false, "keep the snapshot of this version, which validators may pin from now on")

// TestContract compares the schemas with the released and with the recorded ones. With -update it records the current ones, unless they
// break the released version, with -release it keeps them as released.
func TestContract(t *testing.T) {
	t.Parallel()
	older, newer := recorded(t), rendered(t)
	expect.NoError(t, judge(lastReleased(t), newer))
	if *release {
		var packed bytes.Buffer
		out := gzip.NewWriter(&packed)
		expect.NoError(t, json.NewEncoder(out).Encode(newer))
		expect.NoError(t, out.Close())
		expect.NoError(t, os.WriteFile("testdata/contract-"+newer.Version+".json.gz", packed.Bytes(), 0o644))
	}
	if reflect.DeepEqual(older, newer) {
		return
	}
	if !*update {
		var changed []string
		for name := range newer.Schemas {
			if !reflect.DeepEqual(older.Schemas[name], newer.Schemas[name]) {
				changed = append(changed, name)
			}
		}
		slices.Sort(changed)
		t.Fatalf("%s: differs from the record. Version %s allows the change; record it: "+
			"go test ./cmd/internal/toolgen -run TestContract -update",
			strings.Join(changed, ", "), newer.Version)
	}
	text := layout(normalize(t, newer), "") + "\n"
	expect.NoError(t, os.WriteFile(contractFile, []byte(text), 0o644))
}

// layout formats JSON with short values on one line, so that diffs are readable.
func layout(value any, indent string) string {
	short, err := json.Marshal(value)
	if err != nil || len(indent)+len(short) <= 140 {
		return string(short)
	}
	var lines []string
	brackets := "{}"
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			lines = append(lines, fmt.Sprintf("%s %q: %s", indent, key, layout(value[key], indent+" ")))
		}
	case []any:
		brackets = "[]"
		for _, one := range value {
			lines = append(lines, indent+" "+layout(one, indent+" "))
		}
	default:
		return string(short)
	}
	return brackets[:1] + "\n" + strings.Join(lines, ",\n") + "\n" + indent + brackets[1:]
}

// TestBreaking edits copies of the schemas and checks that exactly the breaking changes are reported, with their place.
func TestBreaking(t *testing.T) {
	t.Parallel()
	older := recorded(t)
	type node = map[string]any
	// at returns the schema at a path below a schema. A number selects an alternative of anyOf.
	at := func(s node, path ...any) node {
		for _, step := range path {
			switch step := step.(type) {
			case int:
				s = s["anyOf"].([]any)[step].(node)
			case string:
				if step == "[]" {
					s = s["items"].(node)
				} else {
					s = s["properties"].(node)[step].(node)
				}
			}
		}
		return s
	}
	remove := func(s node, name string) { delete(s["properties"].(node), name) }
	add := func(s node, name string) { s["properties"].(node)[name] = node{"type": "string"} }
	require := func(s node, name string) {
		list, _ := s["required"].([]any)
		s["required"] = append(slices.Clone(list), name)
	}
	release := func(s node, name string) {
		s["required"] = slices.DeleteFunc(slices.Clone(s["required"].([]any)), func(v any) bool { return v == name })
	}
	for name, tt := range map[string]struct {
		schema string
		edit   func(s node)
		want   []string
	}{
		// These are the properties that readers of answers rely on.
		"answer: property removed": {"trial", func(s node) { remove(s, "acronym") }, []string{"trial/acronym is gone"}},
		"answer: property renamed": {"gene", func(s node) { remove(s, "symbol"); add(s, "gene_symbol") },
			[]string{"gene/symbol is gone"}},
		"answer: property below removed": {"trial", func(s node) { remove(at(s, "eligibility_criteria"), "sex") },
			[]string{"trial/eligibility_criteria/sex is gone"}},
		"answer: property of items removed": {"trial", func(s node) { remove(at(s, "central_contacts", "[]"), "email") },
			[]string{"trial/central_contacts/[]/email is gone"}},
		"answer: property added":          {"trial", func(s node) { add(s, "colour") }, nil},
		"answer: required property added": {"trial", func(s node) { add(s, "colour"); require(s, "colour") }, nil},
		"answer: required made optional": {"trial", func(s node) { release(s, "status") },
			[]string{"trial/status was required, is optional"}},
		"answer: optional made required": {"trial", func(s node) { require(s, "acronym") }, nil},
		"answer: other type": {"trial", func(s node) { at(s, "acronym")["type"] = "integer" },
			[]string{`trial/acronym: type was "string", is "integer"`}},
		"answer: one more type": {"trial", func(s node) { at(s, "acronym")["type"] = []any{"string", "null"} },
			[]string{`trial/acronym: type was "string", is ["string","null"]`}},
		"answer: type no longer said": {"trial", func(s node) { delete(at(s, "acronym"), "type") },
			[]string{`trial/acronym: type was "string", is nothing`}},
		"answer: a number, then an integer": {"gene-search-candidate", func(s node) { at(s, "score")["type"] = "integer" }, nil},
		"answer: an integer, then a number": {"gene", func(s node) { at(s, "taxon_id")["type"] = "number" },
			[]string{`gene/taxon_id: type was "integer", is "number"`}},
		"answer: one, then a list": {"trial", func(s node) {
			s["properties"].(node)["acronym"] = node{"type": "array", "items": node{"type": "string"}}
		}, []string{`trial/acronym: minLength was 1, is nothing`, `trial/acronym: type was "string", is "array"`}},
		"answer: pattern removed": {"trial", func(s node) { delete(at(s, "id"), "pattern") },
			[]string{`trial/id: pattern was "^NCT:[0-9]{8}$", is nothing`}},
		"answer: pattern changed": {"trial", func(s node) { at(s, "id")["pattern"] = "^NCT[0-9]+$" },
			[]string{`trial/id: pattern was "^NCT:[0-9]{8}$", is "^NCT[0-9]+$"`}},
		"answer: pattern added": {"trial", func(s node) { at(s, "title")["pattern"] = "." }, nil},
		"answer: may be empty": {"trial", func(s node) { delete(at(s, "title"), "minLength") },
			[]string{`trial/title: minLength was 1, is nothing`}},
		"answer: list may be empty": {"trial", func(s node) { at(s, "conditions")["minItems"] = 0.0 },
			[]string{`trial/conditions: minItems was 1, is 0`}},
		"answer: other items": {"trial", func(s node) { at(s, "conditions", "[]")["type"] = "object" },
			[]string{`trial/conditions/[]: type was "string", is "object"`}},
		"answer: number may be lower": {"gene-search-candidate", func(s node) { at(s, "score")["exclusiveMinimum"] = -1.0 },
			[]string{`gene-search-candidate/score: exclusiveMinimum was 0, is -1`}},
		"answer: number may be higher": {"gene-search-candidate", func(s node) { at(s, "score")["maximum"] = 100.0 },
			[]string{`gene-search-candidate/score: maximum was 1, is 100`}},
		"answer: number without lower bound": {"pagination-envelope", func(s node) { delete(at(s, "pagination", "page_size"), "minimum") },
			[]string{`pagination-envelope/pagination/page_size: minimum was 1, is nothing`}},
		"answer: anything else allowed": {"trial", func(s node) { delete(s, "additionalProperties") },
			[]string{`trial: additionalProperties was false, is nothing`}},
		"answer: map of other values": {"article-relationships",
			func(s node) { at(s, "citations")["additionalProperties"] = node{"type": "integer"} },
			[]string{`article-relationships/citations/*: minLength was 1, is nothing`,
				`article-relationships/citations/*: type was "string", is "integer"`}},
		"answer: error code added": {"error-envelope",
			func(s node) { c := at(s, "error", "code"); c["enum"] = append(slices.Clone(c["enum"].([]any)), "GONE") },
			[]string{`error-envelope/error/code: value was nothing, is "GONE"`}},
		"answer: error code removed": {"error-envelope",
			func(s node) { c := at(s, "error", "code"); c["enum"] = c["enum"].([]any)[1:] }, nil},
		"answer: codes no longer closed": {"error-envelope", func(s node) {
			s["properties"].(node)["error"].(node)["properties"].(node)["code"] = node{"type": "string"}
		}, []string{`error-envelope/error/code: enum was ["UNRESOLVED_ENTITY","ENTITY_NOT_FOUND","AMBIGUOUS_QUERY","RATE_LIMITED","UPSTREAM_ERROR","INVALID_INPUT"], is nothing`}},
		"answer: other constant": {"error-envelope", func(s node) { at(s, "success")["const"] = true },
			[]string{`error-envelope/success: value was nothing, is true`}},
		"answer: known value added": {"trial",
			func(s node) { c := at(s, "status", 0); c["enum"] = append(slices.Clone(c["enum"].([]any)), "NEW") }, nil},
		"answer: known value removed": {"trial", func(s node) { c := at(s, "status", 0); c["enum"] = c["enum"].([]any)[1:] }, nil},
		"answer: open values closed":  {"trial", func(s node) { c := at(s, "status"); c["anyOf"] = c["anyOf"].([]any)[:1] }, nil},
		"answer: one more alternative": {"trial", func(s node) {
			c := at(s, "eligibility_criteria", "sex")
			c["anyOf"] = append(slices.Clone(c["anyOf"].([]any)), node{"type": "integer"})
		}, []string{`trial/eligibility_criteria/sex: enum was ["FEMALE","MALE","ALL"], is nothing`}},
		"answer: in the output of a tool": {"get_trial.output", func(s node) { release(at(s, 0), "title") },
			[]string{"get_trial.output/title was required, is optional"}},
		"answer: error code of a tool added": {"get_trial.output", func(s node) {
			c := at(s, 2, "error", "code")
			c["enum"] = append(slices.Clone(c["enum"].([]any)), "AMBIGUOUS_QUERY")
		}, []string{`get_trial.output/error/code: value was nothing, is "AMBIGUOUS_QUERY"`}},
		"answer: other keyword added": {"trial", func(s node) { at(s, "conditions")["uniqueItems"] = true }, nil},

		// These are the properties that callers rely on.
		"call: argument removed": {"search_trials.input", func(s node) { remove(s, "sponsor") },
			[]string{"search_trials.input/sponsor is gone"}},
		"call: argument added": {"search_trials.input", func(s node) { add(s, "colour") }, nil},
		"call: required argument added": {"search_trials.input", func(s node) { add(s, "colour"); require(s, "colour") },
			[]string{"search_trials.input/colour was not required, is"}},
		"call: argument made required": {"search_trials.input", func(s node) { require(s, "condition") },
			[]string{"search_trials.input/condition was not required, is"}},
		"call: argument made optional": {"get_trial_locations.input", func(s node) { release(s, "nct_id") }, nil},
		"call: other type": {"search_trials.input", func(s node) { at(s, "condition")["type"] = "integer" },
			[]string{`search_trials.input/condition: type was "string", is "integer"`}},
		"call: one more type": {"search_trials.input",
			func(s node) { at(s, "condition")["type"] = []any{"string", "null"} }, nil},
		"call: lower maximum": {"search_trials.input", func(s node) { at(s, "page_size")["maximum"] = 100.0 },
			[]string{"search_trials.input/page_size: maximum was 200, is 100"}},
		"call: higher maximum":  {"search_trials.input", func(s node) { at(s, "page_size")["maximum"] = 1000.0 }, nil},
		"call: maximum removed": {"search_trials.input", func(s node) { delete(at(s, "page_size"), "maximum") }, nil},
		"call: maximum added": {"search_trials.input", func(s node) { at(s, "page_size")["maxLength"] = 9.0 },
			[]string{"search_trials.input/page_size: maxLength was nothing, is 9"}},
		"call: first length, generous": {"search_trials.input", func(s node) { at(s, "page_size")["maxLength"] = 500.0 }, nil},
		"call: first items, generous":  {"search_trials.input", func(s node) { at(s, "page_size")["maxItems"] = 100.0 }, nil},
		"call: shorter text": {"search_trials.input", func(s node) { at(s, "condition")["maxLength"] = 1999.0 },
			[]string{"search_trials.input/condition: maxLength was 2000, is 1999"}},
		"call: higher minimum": {"search_trials.input", func(s node) { at(s, "page_size")["minimum"] = 10.0 },
			[]string{"search_trials.input/page_size: minimum was 1, is 10"}},
		"call: minimum length added": {"get_trial.input", func(s node) { at(s, "nct_id")["minLength"] = 1.0 },
			[]string{"get_trial.input/nct_id: minLength was nothing, is 1"}},
		"call: pattern added": {"get_trial.input", func(s node) { at(s, "nct_id")["pattern"] = "^NCT" },
			[]string{`get_trial.input/nct_id: pattern was nothing, is "^NCT"`}},
		"call: other default": {"search_trials.input", func(s node) { at(s, "page_size")["default"] = 10.0 },
			[]string{"search_trials.input/page_size: default was 50, is 10"}},
		"call: default removed": {"search_trials.input", func(s node) { delete(at(s, "page_size"), "default") }, nil},
		"call: choice removed": {"searchPubMedArticles.input",
			func(s node) { c := at(s, "sortBy"); c["enum"] = c["enum"].([]any)[1:] },
			[]string{`searchPubMedArticles.input/sortBy: value was "relevance", is nothing`}},
		"call: choice added": {"searchPubMedArticles.input",
			func(s node) { c := at(s, "sortBy"); c["enum"] = append(slices.Clone(c["enum"].([]any)), "title") }, nil},
		"call: choice of a field gone": {"searchPubMedArticles.input",
			func(s node) { c := at(s, "dateRange", "dateType"); c["enum"] = c["enum"].([]any)[1:] },
			[]string{`searchPubMedArticles.input/dateRange/dateType: value was "pdat", is nothing`}},
		"call: known values closed": {"search_trials.input", func(s node) { c := at(s, "phase"); c["anyOf"] = c["anyOf"].([]any)[:1] },
			[]string{`search_trials.input/phase: enum was nothing, is ["NA","EARLY_PHASE1","PHASE1","PHASE2","PHASE3","PHASE4"]`}},
		"call: list no longer taken": {"fetchArticleDetails.input",
			func(s node) { c := at(s, "pmids"); c["anyOf"] = c["anyOf"].([]any)[:1] },
			[]string{`fetchArticleDetails.input/pmids: type was "array", is "string"`}},
		"call: shorter list": {"fetchArticleDetails.input", func(s node) { at(s, "pmids", 1)["maxItems"] = 20.0 },
			[]string{"fetchArticleDetails.input/pmids: maxItems was 200, is 20"}},
		"call: unknown arguments taken": {"get_trial.input", func(s node) { delete(s, "additionalProperties") }, nil},

		"nothing": {"trial", func(node) {}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			newer := recorded(t).Schemas[tt.schema]
			tt.edit(newer)
			one := func(schema node) snapshot {
				return snapshot{Version: older.Version, Schemas: map[string]node{tt.schema: schema}}
			}
			expect.Equal(t, "", tt.want, breaking(one(older.Schemas[tt.schema]), one(newer)))
		})
	}
}

func TestBreakingNames(t *testing.T) {
	t.Parallel()
	older, newer := recorded(t), recorded(t)
	newer.Schemas["protein"] = map[string]any{"type": "object"}
	if found := breaking(older, newer); found != nil {
		t.Errorf("a new schema: %q", found)
	}
	newer.Schemas["get_trial.input"]["properties"].(map[string]any)["colour"] = map[string]any{"type": "string"}
	forms := newer.Schemas["get_trial.output"]["anyOf"].([]any)
	code := forms[len(forms)-1].(map[string]any)
	for _, name := range []string{"error", "code"} {
		code = code["properties"].(map[string]any)[name].(map[string]any)
	}
	code["enum"] = append(slices.Clone(code["enum"].([]any)), "AMBIGUOUS_QUERY")
	if found := breaking(older, newer); found != nil {
		t.Errorf("an error code with a new argument: %q", found)
	}
	delete(newer.Schemas, "trial")
	if found := breaking(older, newer); !slices.Equal(found, []string{"trial is gone"}) {
		t.Errorf("a schema less: %q", found)
	}
}

// A breaking change requires a new first number, an addition a new second one.
func TestJudge(t *testing.T) {
	t.Parallel()
	older := recorded(t)
	older.Version = "1.3"
	for _, tt := range []struct {
		version, change, want string
	}{
		{"1.3", "", ""},
		{"1.3", "break", "set contractVersion in schema.go to 2.0"},
		{"1.3", "add", "set contractVersion in schema.go to 1.4"},
		{"1.4", "add", ""},
		{"1.4", "break", "set contractVersion in schema.go to 2.0"},
		{"1.5", "add", "it goes by one"},
		{"2.0", "", ""},
		{"2.0", "break", ""},
		{"2.1", "break", "it goes by one"},
		{"3.0", "break", "it goes by one"},
		{"0.3", "", "it goes by one"},
	} {
		newer := recorded(t)
		newer.Version = tt.version
		switch tt.change {
		case "break":
			delete(newer.Schemas, "trial")
		case "add":
			newer.Schemas["trial"]["properties"].(map[string]any)["colour"] = map[string]any{"type": "string"}
		}
		err := judge(older, newer)
		expect.That(t, (err == nil) == (tt.want == "") && (err == nil || strings.Contains(err.Error(), tt.want)),
			"%s after %s: %v", tt.version, tt.change, err)
	}
}

// A snapshot ignores descriptions and keeps constraints.
func TestReduce(t *testing.T) {
	t.Parallel()
	got := reduce(map[string]any{
		"$id": "i", "$schema": "s", "description": "d", "type": "object", "additionalProperties": false,
		"$defs": map[string]any{"T": map[string]any{"type": "integer", "minimum": 1.0, "description": "d"}},
		"properties": map[string]any{
			"description": map[string]any{"type": "string", "examples": []any{"e"}, "default": "x"},
			"title":       map[string]any{"$ref": "#/$defs/T", "description": "d"},
			"examples":    map[string]any{"anyOf": []any{map[string]any{"$ref": "#/$defs/T"}, map[string]any{"enum": []any{"a"}}}},
		},
	}, map[string]any{"T": map[string]any{"type": "integer", "minimum": 1.0, "description": "d"}})
	integer := map[string]any{"type": "integer", "minimum": 1.0}
	want := map[string]any{"type": "object", "additionalProperties": false, "properties": map[string]any{
		"description": map[string]any{"type": "string", "default": "x"},
		"title":       integer,
		"examples":    map[string]any{"anyOf": []any{integer, map[string]any{"enum": []any{"a"}}}},
	}}
	expect.Equal(t, "", want, got)
}
