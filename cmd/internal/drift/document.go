package drift

import (
	"errors"
	"fmt"
	"slices"
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

// A pair is an entry of two mappings: the values of one key, of which one may be absent.
type pair struct {
	key, at  string // at is the place of the values
	old, now *yaml.Node
}

// pairs returns the entries of two mappings at a place, those of the older mapping first.
func pairs(at string, old, now *yaml.Node) []pair {
	var out []pair
	for _, key := range slices.Concat(keys(old), keys(now)) {
		if !slices.ContainsFunc(out, func(p pair) bool { return p.key == key }) {
			out = append(out, pair{key, strings.TrimPrefix(at+"."+key, "."), child(old, key), child(now, key)})
		}
	}
	return out
}

func (p pair) keyword(place string, breaking bool, why string) Change {
	return Change{Path: place, From: keyword(p.key, p.old), To: keyword(p.key, p.now), Breaking: breaking, Why: why}
}

// keyword formats a keyword and its value for a report; "" if it is absent.
func keyword(key string, value *yaml.Node) string {
	if value == nil {
		return ""
	}
	return key + ": " + text(value)
}

// without returns the texts that others does not have, sorted.
func without(texts, others []string) []string {
	return slices.Sorted(slices.Values(slices.DeleteFunc(texts, func(t string) bool { return slices.Contains(others, t) })))
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
		return "[" + strings.Join(texts(n.Content), ", ") + "]"
	}
	var entries []string
	for _, key := range keys(n) {
		entries = append(entries, key+": "+text(child(n, key)))
	}
	return "{" + strings.Join(entries, ", ") + "}"
}

func texts(nodes []*yaml.Node) (out []string) {
	for _, n := range nodes {
		out = append(out, text(n))
	}
	return out
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

// parameters returns a list of parameters as a mapping: where each is sent, and its name.
func (d document) parameters(parameters *yaml.Node) *yaml.Node {
	byName := &yaml.Node{Kind: yaml.MappingNode}
	for _, p := range list(parameters) {
		p = d.resolve(p)
		key := scalar(child(p, "in")) + " " + scalar(child(p, "name"))
		byName.Content = append(byName.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, p)
	}
	return byName
}

func required(parameter *yaml.Node) bool { return scalar(child(parameter, "required")) == "true" }

// describe returns where a parameter is sent, its type, and whether it is required.
func (d document) describe(parameter *yaml.Node) string {
	about := scalar(child(parameter, "in")) + ", " + d.typeName(child(parameter, "schema"))
	if required(parameter) {
		about += ", required"
	}
	return about
}

// plainly reports whether a schema is a scalar without further keywords: the generated Go type is the same with and without a name.
func plainly(n *yaml.Node) bool {
	switch typeOf(n) {
	case "string", "integer", "number", "boolean":
		return child(n, "enum") == nil
	}
	return false
}
