package toolgen

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// onlyKeys checks that a node is a mapping that has only the keys of an entry: those of the yaml tags of T.
func onlyKeys[T any](n *yaml.Node, what string) error {
	if n.Kind != yaml.MappingNode {
		return mistake(n.Line, "%s must be a mapping", what)
	}
	var keys []string
	for i := range reflect.TypeFor[T]().NumField() {
		field := reflect.TypeFor[T]().Field(i)
		if key := field.Tag.Get("yaml"); key != "" && key != "-" {
			keys = append(keys, key)
		}
	}
	for pair := range slices.Chunk(n.Content, 2) {
		if !slices.Contains(keys, pair[0].Value) {
			return mistake(pair[0].Line, "%s has no key %s; it has %s", what, pair[0].Value, strings.Join(keys, ", "))
		}
	}
	return nil
}

func listOf(n *yaml.Node, key string) error {
	value := child(n, key)
	if value == nil {
		return nil
	}
	if value.Kind == yaml.AliasNode {
		value = value.Alias
	}
	if value.Kind != yaml.SequenceNode {
		return mistake(value.Line, "%s must be a list", key)
	}
	return nil
}

// child returns the value of a key of a mapping, or nil.
func child(n *yaml.Node, key string) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// lineOf returns the line of a key's value, or of the mapping.
func lineOf(n *yaml.Node, key string) int {
	if c := child(n, key); c != nil {
		return c.Line
	}
	return n.Line
}

func mistake(line int, format string, args ...any) error {
	return fmt.Errorf("tools.yaml:%d: %w", line, fmt.Errorf(format, args...))
}

// validName matches the names of tools, arguments, filters and prompts.
var validName = regexp.MustCompile(`^[a-z][A-Za-z0-9_]*$`)
