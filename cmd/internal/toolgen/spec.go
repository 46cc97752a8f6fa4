package toolgen

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// A spec is the OpenAPI document of an upstream.
type spec struct {
	document   *openapi3.T
	operations map[string]*openapi3.Operation
}

func readSpec(name string, document []byte) (*spec, error) {
	doc, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		return nil, fmt.Errorf("spec %s: %w", name, err)
	}
	s := &spec{document: doc, operations: map[string]*openapi3.Operation{}}
	for _, item := range doc.Paths.Map() {
		for _, op := range item.Operations() {
			s.operations[op.OperationID] = op
		}
	}
	return s, nil
}

// findOperation resolves a reference such as ctgov.listStudies.
func findOperation(specs map[string]*spec, ref string) (*operation, error) {
	name, id, ok := strings.Cut(ref, ".")
	if !ok || specs[name] == nil {
		return nil, fmt.Errorf("upstream %s: want UPSTREAM.OPERATION with one of the upstreams %s", ref, known(specs))
	}
	op := specs[name].operations[id]
	if op == nil {
		return nil, fmt.Errorf("upstream %s: the document has no such operation; it has %s", ref, known(specs[name].operations))
	}
	return &operation{Ref: ref, Package: name, ID: id, params: op.Parameters, responses: op.Responses}, nil
}

// An operation is an operation of an upstream that a tool or an entry of filters uses.
type operation struct {
	Ref     string // name in tools.yaml
	Package string // of the generated client
	ID      string // operation id
	Copies  []copied
	Shared  []copied // arguments copied by the tool's filters
	params  openapi3.Parameters

	responses *openapi3.Responses
}

// described reports whether the document describes the answer.
func (op *operation) described() bool {
	ok := op.responses.Value("200")
	return ok != nil && ok.Value.Content["application/json"] != nil && ok.Value.Content["application/json"].Schema != nil
}

// A copied argument only sets an upstream parameter.
type copied struct {
	Field string // field of the client's parameters
	Value string // Go expression with the arguments
}

func (op *operation) GoName() string { return exported(op.ID) }

// same reports whether both are the same operation of the upstream.
func (op *operation) same(other *operation) bool { return op.Ref == other.Ref }

func (op *operation) copies(field string) bool {
	return slices.ContainsFunc(slices.Concat(op.Copies, op.Shared), func(c copied) bool { return c.Field == field })
}

func (op *operation) param(name string) *openapi3.Parameter {
	if p := op.params.GetByInAndName("query", name); p != nil {
		return p
	}
	return op.params.GetByInAndName("path", name)
}

func (op *operation) paramNames() []string {
	var names []string
	for _, p := range op.params {
		names = append(names, p.Value.Name)
	}
	slices.Sort(names)
	return names
}

// enum returns the known values of a component schema such as ctgov.Phase.
func enum(specs map[string]*spec, ref string) ([]string, error) {
	name, id, ok := strings.Cut(ref, ".")
	if !ok || specs[name] == nil {
		return nil, fmt.Errorf("values %s: want UPSTREAM.SCHEMA with one of the upstreams %s", ref, known(specs))
	}
	if c := specs[name].document.Components; c != nil && c.Schemas[id] != nil && len(c.Schemas[id].Value.Enum) > 0 {
		return texts(c.Schemas[id].Value.Enum), nil
	}
	return nil, fmt.Errorf("values %s: the document has no such enumeration", ref)
}

func texts(values []any) []string {
	var out []string
	for _, v := range values {
		out = append(out, fmt.Sprint(v))
	}
	return out
}

func known[V any](m map[string]V) string {
	return strings.Join(slices.Sorted(maps.Keys(m)), ", ")
}
