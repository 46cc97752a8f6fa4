// Package contract checks JSON documents against the published schemas, and records of ClinicalTrials.gov against the structure of its API:
// it finds the schema of a document, and lists the violations.
package contract

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/biofact-mcp/biofact/gen/schemas"
	"github.com/biofact-mcp/biofact/gen/study"
)

// Contract has the published schemas. It compiles each one at its first use, and is safe for concurrent use.
type Contract struct {
	compiled map[string]func() *jsonschema.Schema
	entities []string // names of the entity schemas
	answers  []string // names of the schemas of the tools' answers
	study    func() *jsonschema.Schema
}

// New returns the published schemas.
func New() *Contract {
	c := &Contract{compiled: map[string]func() *jsonschema.Schema{}}
	c.study = sync.OnceValue(func() *jsonschema.Schema { return compile("study", study.Schema) })
	for _, name := range schemas.Names() {
		c.compiled[name] = sync.OnceValue(func() *jsonschema.Schema { return compile(name, schemas.Get(name)) })
		if !strings.Contains(name, ".") && !strings.HasSuffix(name, "-envelope") {
			c.entities = append(c.entities, name)
		}
		if strings.HasSuffix(name, ".output") {
			c.answers = append(c.answers, name)
		}
	}
	return c
}

// compile compiles a schema, which refers to no other one. A test compiles all of them.
func compile(name string, text []byte) *jsonschema.Schema {
	compiler := jsonschema.NewCompiler()
	compiler.Draft = jsonschema.Draft2020
	compiler.AssertFormat = true
	if err := compiler.AddResource(name, bytes.NewReader(text)); err != nil {
		panic(fmt.Sprintf("schema %s: %v", name, err))
	}
	return compiler.MustCompile(name)
}

// Verdict is the result of checking one document.
type Verdict struct {
	Kind     string   // kind of document, such as "page of trial-location"
	Items    int      // of a page
	Problems []string // violations of the schema; none: it is valid
}

// Check determines the kind of a document and checks it: an envelope, an entity, the result of a tool call with one, or a record as
// ClinicalTrials.gov has it. A document that is not a JSON object is an error.
func (c *Contract) Check(document []byte) (Verdict, error) {
	var value map[string]any
	err := decode(document, &value)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		err = errors.New(wrong.Value) // such as array
	} else if errors.Is(err, io.EOF) {
		err = errors.New("empty")
	} else if err == nil && value == nil {
		err = errors.New("null")
	}
	if err != nil {
		return Verdict{}, fmt.Errorf("not a JSON object: %w", err)
	}
	value = unwrap(value)
	verdict := c.check(value)
	for _, name := range c.answers { // a tool may have an answer that is no entity and no page of one, such as rows of some fields
		if len(verdict.Problems) > 0 && verdict.Kind != "page" && problems(c.compiled[name](), value, "") == nil {
			verdict = Verdict{Kind: name}
		}
	}
	return verdict, nil
}

// Validate checks a document against the schema of a name, such as get_trial.output. The problems are nil for a valid document.
func (c *Contract) Validate(name string, document []byte) ([]string, error) {
	schema, ok := c.compiled[name]
	if !ok {
		return nil, fmt.Errorf("no schema %s", name)
	}
	var value any
	if err := decode(document, &value); err != nil {
		return nil, err
	}
	return problems(schema(), value, ""), nil
}

// decode decodes exactly one JSON value and preserves the text of its numbers.
func decode(document []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(document))
	dec.UseNumber()
	if err := dec.Decode(into); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the JSON value")
	}
	return nil
}

// unwrap returns the envelope in a tool's result or a JSON-RPC response.
func unwrap(value map[string]any) map[string]any {
	for _, key := range []string{"result", "structuredContent"} {
		if inner, ok := value[key].(map[string]any); ok {
			value = inner
		}
	}
	return value
}

func (c *Contract) check(value map[string]any) Verdict {
	if _, raw := value["protocolSection"]; raw { // every record of the registry has one, and no entity
		return Verdict{Kind: "record of ClinicalTrials.gov", Problems: problems(c.study(), value, "")}
	}
	if _, failed := value["success"]; failed {
		return Verdict{Kind: "error-envelope", Problems: problems(c.compiled["error-envelope"](), value, "")}
	}
	items, paged := value["items"].([]any)
	if _, placed := value["pagination"]; !paged || !placed && len(items) > 0 { // some entities have a field items
		return c.closest(value)
	}
	verdict := Verdict{Kind: "page", Items: len(items), Problems: problems(c.compiled["pagination-envelope"](), value, "")}
	fitting := c.fitting(items...)
	if len(fitting) == 0 {
		return verdict
	}
	kind := fitting[0]
	verdict.Kind = "page of " + kind
	for i, item := range items {
		verdict.Problems = append(verdict.Problems, problems(c.compiled[kind](), item, fmt.Sprintf("items[%d]", i))...)
	}
	return verdict
}

// closest checks an object as the entity that fits it best. Of several, it is the one with the fewest problems.
func (c *Contract) closest(value map[string]any) (closest Verdict) {
	for i, name := range c.fitting(value) {
		if found := problems(c.compiled[name](), value, ""); i == 0 || len(found) < len(closest.Problems) {
			closest = Verdict{Kind: name, Problems: found}
		}
	}
	known := c.compiled[closest.Kind]().Properties
	if !slices.ContainsFunc(slices.Collect(maps.Keys(value)), func(key string) bool { return known[key] != nil }) {
		return Verdict{Kind: "object", Problems: []string{"the document: no answer, entity or record has its members"}}
	}
	return closest
}

// fitting returns the names of the entities that fit the objects best: they have most of their properties and lack fewest. The smallest
// entity is the first. It returns none without objects.
func (c *Contract) fitting(objects ...any) (best []string) {
	bestScore := 0
	for _, name := range c.entities {
		score := 0
		for _, o := range objects {
			fields, ok := o.(map[string]any)
			if !ok {
				continue
			}
			for key := range fields {
				if c.compiled[name]().Properties[key] != nil {
					score += 2
				} else {
					score--
				}
			}
			for _, key := range c.compiled[name]().Required {
				if _, ok := fields[key]; !ok {
					score--
				}
			}
		}
		switch {
		case len(objects) == 0:
		case best == nil || score > bestScore:
			best, bestScore = []string{name}, score
		case score == bestScore:
			best = append(best, name)
		}
	}
	slices.SortStableFunc(best, func(a, b string) int {
		return len(c.compiled[a]().Properties) - len(c.compiled[b]().Properties)
	})
	return best
}

// problems lists the violations of a schema in a value, one line each, sorted.
func problems(schema *jsonschema.Schema, value any, at string) []string {
	finding, ok := errors.AsType[*jsonschema.ValidationError](schema.Validate(value))
	if !ok {
		return nil
	}
	var out []string
	leaves(finding, func(leaf *jsonschema.ValidationError) {
		where := at + strings.ReplaceAll(leaf.InstanceLocation, "/", ".")
		where = cmp.Or(strings.TrimPrefix(where, "."), "the document")
		if line := where + ": " + leaf.Message; !slices.Contains(out, line) {
			out = append(out, line)
		}
	})
	slices.Sort(out) // the library reports them in the order of a map
	return out
}

func leaves(e *jsonschema.ValidationError, visit func(*jsonschema.ValidationError)) {
	if len(e.Causes) == 0 {
		visit(e)
	}
	for _, c := range e.Causes {
		leaves(c, visit)
	}
}
