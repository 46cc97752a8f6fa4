package toolgen

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/invopop/jsonschema"
)

// outputLevels is the number of levels of a tool's answer whose properties are listed: the answer, and its objects or items. The schemas of
// deeper objects are published only.
const outputLevels = 2

// listedInput returns the schema of a tool's arguments as tools/list shows it. Every session sends the complete list to the model, and some
// hosts refuse a list with a keyword that they do not know. So a node has one type and, besides it, only keywords that every host accepts.
// The server itself also reads a single value in place of a list, and explains a wrong name or a long text. A filter that an earlier tool
// describes has no words of its own: the description of the tool names the earlier one.
func (t *Tool) listedInput(tools []*Tool) *jsonschema.Schema {
	schema := listedObject(t.Args)
	for _, earlier := range tools {
		if earlier == t || t.Filters == nil {
			break
		}
		if earlier.Filters != t.Filters {
			continue
		}
		for _, a := range t.Filters.Args {
			listed, _ := schema.Properties.Get(a.Name)
			if listed.Items != nil {
				listed.Items = &jsonschema.Schema{Type: listed.Items.Type}
			}
			*listed = jsonschema.Schema{Type: listed.Type, Items: listed.Items, Description: "filter"}
		}
	}
	return schema
}

func listedObject(args []Argument) *jsonschema.Schema {
	schema := &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties()}
	for i := range args {
		listed := args[i].listed()
		if slices.ContainsFunc(args[:i], func(a Argument) bool { return args[i].refersTo(&a) }) {
			listed.Enum = nil
		}
		schema.Properties.Set(args[i].Name, listed)
		if args[i].Required && args[i].Or == nil {
			schema.Required = append(schema.Required, args[i].Name)
		}
	}
	return schema
}

// refersTo reports whether an argument has the choices of another, and its description names that.
func (a *Argument) refersTo(other *Argument) bool {
	words := strings.FieldsFunc(a.Description, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) })
	return slices.Equal(a.Choices, other.Choices) && slices.Contains(words, other.Name)
}

func (a *Argument) listed() *jsonschema.Schema {
	schema := a.one()
	if a.Type == "object" {
		schema = listedObject(a.Fields)
	}
	schema.MinLength, schema.MaxLength, schema.Pattern = nil, nil, ""
	if a.Minimum != nil && *a.Minimum <= 1 {
		schema.Minimum = "" // every reader expects it
	}
	if a.List && !a.Commas() {
		schema = &jsonschema.Schema{Type: "array", Items: schema}
		if a.MaxItems > 0 && a.MaxItems != MaxItems {
			schema.MaxItems = pointer(uint64(a.MaxItems))
		}
	}
	schema.Description = a.Description
	if a.Default != nil && a.Default != false && a.Default != 0 {
		schema.Default = a.Default
	}
	return schema
}

// listedOutput returns the schema of a tool's answer as tools/list shows it: the properties of its first levels, with their types, and the
// descriptions of those of items. The names of a record's properties say what they are. The schema of an error is published only.
func (s *schemas) listedOutput(t *Tool) *jsonschema.Schema {
	root := s.output(t)
	name := strings.TrimPrefix(root.AnyOf[0].Ref, refPrefix)
	answer := root.Definitions[name]
	schema := &jsonschema.Schema{
		Type: "object", Properties: answer.Properties, Definitions: jsonschema.Definitions{},
		AnyOf: []*jsonschema.Schema{{Required: answer.Required}, {Required: []string{"error"}}},
	}
	for i, name := range t.OrReturns {
		other := root.Definitions[name]
		for p := other.Properties.Oldest(); p != nil; p = p.Next() {
			mine, known := schema.Properties.Get(p.Key)
			if known && mine.Items != nil && p.Value.Items != nil && mine.Items.Ref != p.Value.Items.Ref {
				root.Definitions[strings.TrimPrefix(mine.Items.Ref, refPrefix)].Required =
					root.Definitions[strings.TrimPrefix(p.Value.Items.Ref, refPrefix)].Required
			} else if !known {
				listed := &jsonschema.Schema{Type: cmp.Or(p.Value.Type, "object")}
				if p.Value.Items != nil {
					listed.Items = &jsonschema.Schema{Type: cmp.Or(p.Value.Items.Type, "object")}
				}
				schema.Properties.Set(p.Key, listed)
			}
		}
		schema.AnyOf = slices.Insert(schema.AnyOf, i+1, &jsonschema.Schema{Required: other.Required})
	}
	l := lister{all: root.Definitions, listed: schema.Definitions, described: t.Parts}
	if t.Paged {
		l.described = append(l.described, t.Entity)
	}
	l.properties(name, schema, 1)
	for level := 2; len(l.next) > 0; level++ {
		names := l.next
		l.next = nil
		for _, name := range names {
			l.properties(name, schema.Definitions[name], level)
		}
	}
	return schema
}

// A lister shortens the schema of an answer.
type lister struct {
	all, listed jsonschema.Definitions
	described   []string // definitions whose properties keep their descriptions
	next        []string // definitions of the next level
}

// properties shortens the properties of an object at a level, the definition of a name.
func (l *lister) properties(name string, object *jsonschema.Schema, level int) {
	object.AdditionalProperties = nil
	for p := object.Properties.Oldest(); p != nil; p = p.Next() {
		if p.Value.Description == nextText { // the instructions of the server describe it
			*p.Value = jsonschema.Schema{Type: "object"}
		}
		if strings.HasPrefix(p.Value.Description, reserved) {
			defer object.Properties.Delete(p.Key)
		}
		if p.Value.Description == noticesText || !slices.Contains(l.described, name) {
			p.Value.Description = ""
		}
		l.shorten(p.Value, level)
	}
}

// shorten removes the keywords of a value that clients do not need.
func (l *lister) shorten(v *jsonschema.Schema, level int) {
	v.MinLength, v.MinItems, v.Minimum, v.Pattern = nil, nil, "", ""
	switch {
	case len(v.AnyOf) > 0 && v.AnyOf[0].Ref != "": // objects of several types
		v.AnyOf, v.Type = nil, "object"
	case len(v.AnyOf) > 0 && v.AnyOf[len(v.AnyOf)-1].Type == "null": // a value of any type
	case len(v.AnyOf) > 0: // known values of a string that accepts others, too
		v.AnyOf, v.Type = nil, "string"
	}
	if name := strings.TrimPrefix(v.Ref, refPrefix); name != "" {
		switch {
		case level == outputLevels:
			v.Ref, v.Type = "", "object"
		case l.listed[name] == nil:
			l.listed[name] = l.all[name]
			l.next = append(l.next, name)
		}
	}
	for _, inner := range []*jsonschema.Schema{v.Items, v.AdditionalProperties} {
		if inner != nil && inner != jsonschema.FalseSchema {
			l.shorten(inner, level)
		}
	}
}

// reserved is the beginning of the description of a property that is not set yet. Such a property is published, so that it can be set
// later, but not listed.
const reserved = "Reserved"

// compact encodes JSON without escapes of <, > and &, which take six characters each.
func compact(v any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return bytes.TrimSpace(out.Bytes()), err
}
