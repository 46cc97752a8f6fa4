package openapi

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

var (
	dtdComment   = regexp.MustCompile(`(?s)<!--.*?-->`)
	dtdEntity    = regexp.MustCompile(`(?s)<!ENTITY\s+%\s+(\S+)\s+(?:"(.*?)"|'(.*?)')\s*>`)
	dtdReference = regexp.MustCompile(`%[\w.-]+;`)
	dtdElement   = regexp.MustCompile(`(?s)<!(ELEMENT|ATTLIST)\s+(\S+)\s+(.*?)>`)
	dtdToken     = regexp.MustCompile(`[\w#][\w.:#-]*|[(),|?*+]`)
	dtdAttribute = regexp.MustCompile(`(?s)([\w:.-]+)\s+([A-Z]+|\(.*?\))\s+(#REQUIRED|#IMPLIED|(?:#FIXED\s+)?(?:".*?"|'.*?'))`)
)

// dtdStructure returns the structure of a DTD in the form of OpenAPI: a schema for each element, with its children, its attributes (@NAME)
// and its text (#text) as properties. The paths are the elements that no other element contains. Entities of other files count as
// text.
func dtdStructure(name string, document []byte) ([]byte, error) {
	elements := map[string]*element{}
	for _, d := range dtdElement.FindAllStringSubmatch(expanded(dtdComment.ReplaceAllString(string(document), "")), -1) {
		e := elements[d[2]]
		if e == nil {
			e = &element{attributes: map[string]any{}}
			elements[d[2]] = e
		}
		if d[1] == "ELEMENT" {
			m := model{dtdToken.FindAllString(d[3], -1)}
			e.children = m.particle()
		} else {
			e.attribute(d[3])
		}
	}
	schemas, paths := map[string]any{}, map[string]any{}
	for name, e := range elements {
		schemas[name] = e.schema(elements)
		if !slices.ContainsFunc(slices.Collect(maps.Keys(elements)), func(parent string) bool {
			_, contains := elements[parent].children[name]
			return contains && parent != name
		}) {
			paths["/"+name] = map[string]any{}
		}
	}
	out, err := yaml.Marshal(map[string]any{
		"openapi": "3.0.3", "info": map[string]any{"title": "DTD", "version": name}, "paths": paths,
		"components": map[string]any{"schemas": schemas},
	})
	if err != nil {
		return nil, err
	}
	return Structure(out)
}

// An element is an element of a DTD.
type element struct {
	children   map[string]occurrence
	attributes map[string]any // schemas, by @NAME
	required   []string       // attributes
}

func (e *element) attribute(declaration string) {
	for _, a := range dtdAttribute.FindAllStringSubmatch(declaration, -1) {
		schema := map[string]any{"type": "string"}
		if values, isEnum := strings.CutPrefix(a[2], "("); isEnum {
			schema["enum"] = slices.Sorted(slices.Values(strings.Fields(strings.NewReplacer("|", " ", ")", " ").Replace(values))))
		}
		e.attributes["@"+a[1]] = schema
		if a[3] == "#REQUIRED" {
			e.required = append(e.required, "@"+a[1])
		}
	}
}

// schema returns an element as a schema, which refers to those of the declared elements.
func (e *element) schema(declared map[string]*element) map[string]any {
	properties, required := maps.Clone(e.attributes), slices.Clone(e.required)
	for child, times := range e.children {
		if child == "#PCDATA" {
			properties["#text"] = map[string]any{"type": "string"}
			continue
		}
		schema := map[string]any{}
		if declared[child] != nil {
			schema["$ref"] = "#/components/schemas/" + child
		}
		if times.most > 1 {
			schema = map[string]any{"type": "array", "items": schema}
		}
		if properties[child] = schema; times.least > 0 {
			required = append(required, child)
		}
	}
	if len(properties) == 1 && properties["#text"] != nil {
		return map[string]any{"type": "string"}
	}
	schema := map[string]any{"type": "object", "properties": properties}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}

// expanded replaces the parameter entities of a DTD by their texts.
func expanded(text string) string {
	entities := map[string]string{}
	for _, e := range dtdEntity.FindAllStringSubmatch(text, -1) {
		entities["%"+e[1]+";"] = e[2] + e[3]
	}
	for range 16 { // an entity may contain others
		text = dtdReference.ReplaceAllStringFunc(text, func(reference string) string {
			if value, ok := entities[reference]; ok {
				return value
			}
			return "#PCDATA"
		})
	}
	return text
}

// An occurrence says how often a child occurs, where 2 means any number of times.
type occurrence struct{ least, most int }

// A model reads the tokens of a content model, such as (PMID, Article?, (Note | Comment)*).
type model struct{ tokens []string }

func (m *model) next() string {
	if len(m.tokens) == 0 {
		return ""
	}
	token := m.tokens[0]
	m.tokens = m.tokens[1:]
	return token
}

// particle returns the children of a name or a group with its sign.
func (m *model) particle() map[string]occurrence {
	children := map[string]occurrence{}
	switch token := m.next(); token {
	case "", "EMPTY", "ANY":
	case "(":
		children = m.particle()
		for sign := m.next(); sign == "," || sign == "|"; sign = m.next() {
			children = joined(children, m.particle(), sign == "|")
		}
	default:
		children[token] = occurrence{1, 1}
	}
	sign := ""
	if len(m.tokens) > 0 && strings.Contains("?*+", m.tokens[0]) {
		sign = m.next()
	}
	for name, times := range children {
		if sign == "?" || sign == "*" {
			times.least = 0
		}
		if sign == "*" || sign == "+" {
			times.most = 2
		}
		children[name] = times
	}
	return children
}

// joined returns the children of two parts of a group, which are alternatives or follow each other.
func joined(a, b map[string]occurrence, alternatives bool) map[string]occurrence {
	out := map[string]occurrence{}
	for _, name := range slices.Concat(slices.Collect(maps.Keys(a)), slices.Collect(maps.Keys(b))) {
		if x, y := a[name], b[name]; alternatives {
			out[name] = occurrence{min(x.least, y.least), max(x.most, y.most)}
		} else {
			out[name] = occurrence{min(x.least+y.least, 1), min(x.most+y.most, 2)}
		}
	}
	return out
}

// doctype matches the head of an XML document that names its DTD.
var doctype = regexp.MustCompile(`^\s*(?:<\?xml[^>]*\?>)?\s*<!DOCTYPE\s+\S+\s+(?:PUBLIC\s+"[^"]*"|SYSTEM)\s+"(https?://[^"]+)"`)

// dtdOf returns the address of the DTD that an XML document names, or "".
func dtdOf(document []byte) string {
	if found := doctype.FindSubmatch(document); found != nil {
		return string(found[1])
	}
	return ""
}
