package drift

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A document is an OpenAPI structure as a tree.
type document struct{ root *yaml.Node }

func parse(structure []byte) (document, error) {
	var n yaml.Node
	if err := yaml.Unmarshal(structure, &n); err != nil {
		return document{}, fmt.Errorf("read the structure: %w", err)
	}
	if len(n.Content) != 1 || n.Content[0].Kind != yaml.MappingNode {
		return document{}, errors.New("read the structure: the top level is not a mapping")
	}
	return document{n.Content[0]}, nil
}

const schemaRef = "#/components/schemas/"

func (d document) schemas() *yaml.Node { return child(child(d.root, "components"), "schemas") }

// deepest is the maximum length of a chain of references, because a schema may refer to itself.
const deepest = 16

// resolve follows references to their end. A reference to another document, or to itself, is returned unchanged.
func (d document) resolve(n *yaml.Node) *yaml.Node {
	for range deepest {
		pointer, local := strings.CutPrefix(ref(n), "#/")
		if !local {
			return n
		}
		target := d.root
		for step := range strings.SplitSeq(pointer, "/") {
			target = child(target, strings.NewReplacer("~1", "/", "~0", "~").Replace(step))
		}
		if target == nil {
			return n
		}
		n = target
	}
	return n
}

// ref returns the target of a node that is a reference, or "".
func ref(n *yaml.Node) string { return scalar(child(n, "$ref")) }

// child returns the value of a key, or nil. It accepts a node that is nil or not a mapping.
func child(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// keys returns the keys of a mapping, in order.
func keys(n *yaml.Node) []string {
	var out []string
	if n != nil && n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			out = append(out, n.Content[i].Value)
		}
	}
	return out
}

// list returns the elements of a sequence.
func list(n *yaml.Node) []*yaml.Node {
	if n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	return n.Content
}

func scalar(n *yaml.Node) string {
	if n == nil || n.Kind != yaml.ScalarNode {
		return ""
	}
	return n.Value
}

// text formats a node in one line; "" for nil.
func text(n *yaml.Node) string {
	switch {
	case n == nil:
		return ""
	case n.Kind == yaml.ScalarNode:
		return n.Value
	case n.Kind == yaml.SequenceNode:
		var items []string
		for _, item := range n.Content {
			items = append(items, text(item))
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	var entries []string
	for _, key := range keys(n) {
		entries = append(entries, key+": "+text(child(n, key)))
	}
	return "{" + strings.Join(entries, ", ") + "}"
}

// compositions are the keywords that combine schemas.
var compositions = []string{"allOf", "anyOf", "oneOf", "not"}

// typeOf returns the JSON type of a schema that is not a reference.
func typeOf(n *yaml.Node) string {
	if t := child(n, "type"); t != nil {
		return text(t)
	}
	if child(n, "properties") != nil {
		return "object"
	}
	for _, key := range compositions {
		if child(n, key) != nil {
			return key
		}
	}
	return "any"
}

// typeName returns a schema's type as a report shows it: the name of the referenced schema, then its type.
func (d document) typeName(n *yaml.Node) string {
	r := d.resolve(n)
	name := typeOf(r)
	if child(r, "enum") != nil {
		name += " with known values"
	}
	if format := scalar(child(r, "format")); format != "" {
		name += " of format " + format
	}
	if at := ref(n); at != "" {
		return strings.TrimPrefix(at, schemaRef) + " (" + name + ")"
	}
	return name
}

// plainly reports whether a schema is a scalar without further keywords: the generated Go type is the same with and without a name.
func plainly(n *yaml.Node) bool {
	switch typeOf(n) {
	case "string", "integer", "number", "boolean":
		return child(n, "enum") == nil
	}
	return false
}
