// Package openfda writes an OpenAPI document of openFDA. Its operator publishes none, but documents of the fields of each endpoint, which
// are JSON Schemas in all but name, and the mappings of its search indexes, which say what can be searched, counted and sorted.
package openfda

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// frame is the part that is the same for all endpoints: the parameters and the form of a reply. It is from the documentation, by hand.
//
//go:embed frame.yaml
var frame []byte

// An endpoint is a path of the API with the names of its two documents.
type endpoint struct {
	path, operation, schema string
	fields, mapping         string
	// only are the properties of the record that are kept; empty: all.
	only []string
}

var endpoints = []endpoint{
	{path: "/drug/label.json", operation: "drugLabel", schema: "Label", fields: "druglabel", mapping: "spl"},
	{path: "/drug/drugsfda.json", operation: "drugsFDA", schema: "Application", fields: "drugsfda", mapping: "drugsfda"},
	{path: "/drug/ndc.json", operation: "drugNDC", schema: "Product", fields: "drugndc", mapping: "ndc"},
	{path: "/drug/event.json", operation: "drugEvent", schema: "Report", fields: "drugevent", mapping: "faers"},
	{path: "/drug/enforcement.json", operation: "drugEnforcement", schema: "Recall", fields: "drugenforcement", mapping: "res"},
	{path: "/drug/shortages.json", operation: "drugShortages", schema: "Shortage", fields: "drugshortages"},
	// The complete record has 390 fields of chemistry.
	{path: "/other/substance.json", operation: "substance", schema: "Substance", fields: "othersubstance", mapping: "substancedata",
		only: []string{"codes", "names", "unii"}},
}

// Document returns an OpenAPI document from the documents below a base, which is the URL of the operator's repositories or a folder with
// the folders fields and schemas. read reads a file or a URL.
func Document(ctx context.Context, base string, read func(ctx context.Context, from string) ([]byte, error)) ([]byte, error) {
	d := &document{schemas: map[string]any{}, blocks: map[string]bool{}}
	if err := yaml.Unmarshal(frame, &d.top); err != nil {
		return nil, err
	}
	fields, schemas := strings.TrimSuffix(base, "/")+"/fields/", strings.TrimSuffix(base, "/")+"/schemas/"
	if strings.HasPrefix(base, "https://") || strings.HasPrefix(base, "http://") {
		fields, schemas = base+"open.fda.gov/HEAD/src/constants/fields/", base+"openfda/HEAD/schemas/"
	}
	for _, e := range endpoints {
		text, err := read(ctx, fields+e.fields+".yaml")
		if err != nil {
			return nil, err
		}
		var mapping []byte
		if e.mapping != "" {
			if mapping, err = read(ctx, schemas+e.mapping+"_mapping.json"); err != nil {
				return nil, err
			}
		}
		if err := d.add(e, text, mapping); err != nil {
			return nil, fmt.Errorf("%s: %w", e.fields, err)
		}
	}
	return d.encode()
}

// A document is the OpenAPI document that is written.
type document struct {
	top     map[string]any
	schemas map[string]any
	blocks  map[string]bool // the keys of the blocks openfda of all endpoints
}

// add adds an endpoint: its operation, the schemas of its record, and the list of its search fields.
func (d *document) add(e endpoint, fields, mapping []byte) error {
	var record map[string]any
	if err := yaml.Unmarshal(fields, &record); err != nil {
		return err
	}
	if properties := asMap(record["properties"]); len(e.only) > 0 {
		maps.DeleteFunc(properties, func(key string, _ any) bool { return !slices.Contains(e.only, key) })
	}
	if _, err := d.schema(e.schema, record); err != nil {
		return err
	}
	paths := asMap(d.top["paths"])
	operation := map[string]any{"operationId": e.operation}
	maps.Copy(operation, asMap(d.top["x-operation"]))
	paths[e.path] = map[string]any{"get": operation}
	if mapping == nil {
		return nil
	}
	var index struct {
		Doc node `json:"_doc"`
	}
	if err := json.Unmarshal(mapping, &index); err != nil {
		return err
	}
	var names []string
	index.Doc.search("", &names)
	if len(names) == 0 {
		return fmt.Errorf("%s: the mapping has no field", e.mapping)
	}
	slices.Sort(names)
	names = slices.DeleteFunc(names, func(name string) bool {
		first, _, _ := strings.Cut(name, ".")
		return name[0] == '@' || len(e.only) > 0 && !slices.Contains(e.only, first) // an @ marks a field of the index itself
	})
	d.schemas[e.schema+"Field"] = map[string]any{"type": "string", "enum": names}
	return nil
}

// A node is a field of a mapping, with the fields in it.
type node struct {
	Type       string          `json:"type"`
	Index      *bool           `json:"index"`
	Fields     map[string]any  `json:"fields"`
	Properties map[string]node `json:"properties"`
}

// search adds the names of the fields that a search can use. A text is split into words; its whole value, if it can be searched, counted
// and sorted at all, is a field of its own, with the suffix .exact.
func (n *node) search(path string, names *[]string) {
	if n.Type != "" && (n.Index == nil || *n.Index) {
		*names = append(*names, path)
		for suffix := range n.Fields {
			*names = append(*names, path+"."+suffix)
		}
	}
	for key, child := range n.Properties {
		child.search(strings.TrimPrefix(path+"."+key, "."), names)
	}
}

// schema returns the schema of a node of a field document. An object becomes a schema of its own with the name. All values are strings: the
// formats, patterns and possible values of the documents refuse real values.
func (d *document) schema(name string, field map[string]any) (any, error) {
	properties, items := asMap(field["properties"]), asMap(field["items"])
	kind, scalar := field["type"].(string)
	switch {
	case properties == nil && items == nil && !scalar:
		properties = field // the properties without the keyword
	case items != nil:
		item, err := d.schema(name, items)
		return map[string]any{"type": "array", "items": item}, err
	}
	if properties == nil {
		switch kind {
		case "string", "type", "object", "float", "integer", "integers", "boolean", "number":
			return map[string]any{"type": "string"}, nil
		}
		return nil, fmt.Errorf("%s: a field of type %q", name, kind)
	}
	return d.object(name, properties)
}

// object adds the schema of an object, and returns a reference to it.
func (d *document) object(name string, properties map[string]any) (any, error) {
	out := map[string]any{}
	for key, child := range properties {
		inner := asMap(child)
		switch {
		case key == "openfda":
			d.harmonised(asMap(inner["properties"]))
			out[key] = reference("Harmonised")
		case inner == nil || key == "meta": // a keyword, or the head of the reply
		case inner["type"] == nil && inner["items"] == nil && inner["is_exact"] != nil: // the type was forgotten
			out[key] = map[string]any{"type": "string"}
		default:
			schema, err := d.schema(name+exported(key), inner)
			if err != nil {
				return nil, err
			}
			out[key] = schema
		}
	}
	d.schemas[name] = map[string]any{"type": "object", "properties": out}
	return reference(name), nil
}

// harmonised adds the keys of a block openfda. All endpoints have the same block; the document of each lists a part of it.
func (d *document) harmonised(properties map[string]any) {
	for key, value := range properties {
		if asMap(value) != nil {
			d.blocks[key] = true
		}
	}
}

// encode returns the document in YAML.
func (d *document) encode() ([]byte, error) {
	block := map[string]any{}
	for key := range d.blocks {
		block[key] = map[string]any{"type": "array", "items": map[string]any{"type": "string"}}
	}
	d.schemas["Harmonised"] = map[string]any{"type": "object", "properties": block}
	maps.Copy(asMap(asMap(d.top["components"])["schemas"]), d.schemas)
	delete(d.top, "x-operation")
	return yaml.Marshal(d.top)
}

func reference(schema string) map[string]any {
	return map[string]any{"$ref": "#/components/schemas/" + schema}
}

// exported returns a key as a part of the name of a schema.
func exported(key string) string {
	var out strings.Builder
	for part := range strings.SplitSeq(key, "_") {
		if part != "" {
			out.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return out.String()
}

// asMap returns a value as a mapping, or nil.
func asMap(value any) map[string]any {
	m, _ := value.(map[string]any)
	return m
}
