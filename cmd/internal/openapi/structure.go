// Package openapi reduces an upstream's official OpenAPI document to its structure: paths, parameters, schema and property names,
// types, formats, enums, patterns and limits, in a canonical order and without prose. Of the prose of operations and parameters a
// checksum stays, because some rules of an API are only there, such as the largest page.
//
// A DTD has a structure in the same form, and so have the field documents of openFDA.
//
// The rest of the pipeline is generated from the structure, so a newer official document gives a diff of the relevant changes only. The
// package knows OpenAPI and DTDs; package openfda makes an OpenAPI document from the field documents.
package openapi

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Structure returns the structure of an OpenAPI 3 document in YAML or JSON. The result is YAML. The same document in either format and
// with any order of keys gives the same bytes. Structure returns an error for a document that is not OpenAPI 3 or that has a reference
// without a target, because truncated YAML is often valid YAML.
func Structure(document []byte) ([]byte, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(document, &root); err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}
	if len(root.Content) != 1 || root.Content[0].Kind != yaml.MappingNode {
		return nil, errors.New("not an OpenAPI document: the top level is not a mapping")
	}
	top := root.Content[0]
	if version := value(top, "openapi"); version == nil || !strings.HasPrefix(version.Value, "3.") {
		return nil, errors.New("not an OpenAPI 3 document: no openapi: 3.x at the top")
	}
	if paths := value(top, "paths"); paths == nil || paths.Kind != yaml.MappingNode {
		return nil, errors.New("not a complete OpenAPI document: it has no paths")
	}
	reduce(top, object)
	if missing := dangling(top, top); missing != "" {
		return nil, fmt.Errorf("not a complete OpenAPI document: it refers to %s, which does not exist in it", missing)
	}
	var out strings.Builder
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := enc.Encode(top); err != nil {
		return nil, fmt.Errorf("write the structure: %w", err)
	}
	return []byte(out.String()), nil
}

// A role says whether the keys of a mapping are OpenAPI keywords or names that the document's author chose: a property can have the
// name description.
type role int

const (
	object    role = iota // keys are OpenAPI keywords
	named                 // keys are names; each value is an object
	responses             // keys are status codes or names; each value is a response
	info                  // of the document: its title and version are kept
)

var roles = map[string]role{
	"paths":      named,
	"properties": named,
	"schemas":    named,
	"parameters": named, // under components only; elsewhere it is a list
	"content":    named,
	"headers":    named,
	"responses":  responses,
	"info":       info,
}

// prose lists the keywords that explain and do not constrain.
var prose = map[string]bool{
	"description": true, "summary": true, "example": true, "examples": true,
	"externalDocs": true, "tags": true, "title": true,
}

// Prose is the keyword of the structure for the checksum of the description and the summary of an operation or a parameter.
const Prose = "x-prose"

// leading keywords come first, in this order; all others are sorted by name.
var leading = []string{
	"openapi", "info", "servers", "paths", "components",
	"operationId", "name", "in", "$ref", "type", "format",
}

func reduce(n *yaml.Node, r role) {
	clearStyle(n)
	switch n.Kind {
	case yaml.SequenceNode:
		for _, item := range n.Content {
			reduce(item, object)
		}
	case yaml.MappingNode:
		reduceMapping(n, r)
	}
}

// An entry is a key of a mapping and its value.
type entry struct{ key, value *yaml.Node }

// reduceMapping drops the keywords of a mapping that constrain nothing, and sorts the others.
func reduceMapping(n *yaml.Node, r role) {
	var entries []entry
	if sum := proseOf(n); r == object && sum != "" {
		entries = append(entries, entry{textNode(Prose), textNode(sum)})
	}
	for i := 0; i < len(n.Content); i += 2 {
		e := entry{n.Content[i], n.Content[i+1]}
		if r == object && prose[e.key.Value] || r == info && e.key.Value != "title" && e.key.Value != "version" {
			continue
		}
		e.reduce(r)
		entries = append(entries, e)
	}
	slices.SortStableFunc(entries, func(a, b entry) int {
		if r == object {
			if c := cmp.Compare(rank(a.key.Value), rank(b.key.Value)); c != 0 {
				return c
			}
		}
		return cmp.Compare(a.key.Value, b.key.Value)
	})
	n.Content = n.Content[:0]
	for _, e := range entries {
		n.Content = append(n.Content, e.key, e.value)
	}
}

// proseOf returns the checksum of the prose of an operation or a parameter; "" for another node, or one without prose.
func proseOf(n *yaml.Node) string {
	if value(n, "operationId") == nil && (value(n, "in") == nil || value(n, "name") == nil) {
		return ""
	}
	text := ""
	for _, key := range []string{"summary", "description"} {
		if prose := value(n, key); prose != nil {
			text += prose.Value + "\n"
		}
	}
	words := strings.Join(strings.Fields(text), " ")
	if words == "" {
		return ""
	}
	return fmt.Sprintf("h%.4x", sha256.Sum256([]byte(words)))
}

func textNode(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
}

func (e entry) reduce(r role) {
	clearStyle(e.key)
	reduce(e.value, childRole(r, e.key.Value, e.value))
	if r == object && e.key.Value == "required" && e.value.Kind == yaml.SequenceNode {
		slices.SortFunc(e.value.Content, func(a, b *yaml.Node) int { return cmp.Compare(a.Value, b.Value) })
	}
	if r == responses && e.value.Kind == yaml.MappingNode {
		describe(e.key.Value, e.value)
	}
}

// clearStyle removes the style of a node: quotes, flow style and comments.
func clearStyle(n *yaml.Node) {
	n.Style, n.HeadComment, n.LineComment, n.FootComment = 0, "", "", ""
}

func childRole(parent role, key string, val *yaml.Node) role {
	if parent != object || val.Kind != yaml.MappingNode {
		return object
	}
	return roles[key]
}

// describe adds the description that OpenAPI requires of a response: the reason phrase of its status, or its key if that is default,
// 4XX or a name. A reference has the description of its target.
func describe(status string, response *yaml.Node) {
	if value(response, "$ref") != nil {
		return
	}
	phrase := status
	if code, err := strconv.Atoi(status); err == nil && http.StatusText(code) != "" {
		phrase = http.StatusText(code)
	}
	response.Content = append([]*yaml.Node{textNode("description"), textNode(phrase)}, response.Content...)
}

// dangling returns the first reference within the document that has no target, or "".
func dangling(top, n *yaml.Node) string {
	if ref := value(n, "$ref"); n.Kind == yaml.MappingNode && ref != nil && ref.Kind == yaml.ScalarNode {
		if pointer, local := strings.CutPrefix(ref.Value, "#/"); local && !holds(top, pointer) {
			return ref.Value
		}
	}
	for _, child := range n.Content {
		if missing := dangling(top, child); missing != "" {
			return missing
		}
	}
	return ""
}

// escapes replaces the two escape sequences of a JSON pointer.
var escapes = strings.NewReplacer("~1", "/", "~0", "~")

// holds reports whether the target of a pointer exists and is not empty: a key without a value is where a document was truncated.
func holds(top *yaml.Node, pointer string) bool {
	n := top
	for step := range strings.SplitSeq(pointer, "/") {
		if n.Kind != yaml.MappingNode {
			return false
		}
		if n = value(n, escapes.Replace(step)); n == nil {
			return false
		}
	}
	return n.Tag != "!!null"
}

func rank(key string) int {
	if i := slices.Index(leading, key); i >= 0 {
		return i
	}
	return len(leading)
}

func value(mapping *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return nil
}
