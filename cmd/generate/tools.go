package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/biofact-mcp/biofact/cmd/internal/toolgen"
)

// A schema is what the document tells of a JSON Schema.
type schema struct {
	Ref         string `yaml:"$ref"`
	Type        string
	Description string
	Properties  properties
	Items       *schema
	AnyOf       []*schema `yaml:"anyOf"`
	Enum        []string
	Default     yaml.Node
	Examples    []yaml.Node
	Required    []string
	Defs        map[string]*schema `yaml:"$defs"`

	Minimum, Maximum *int
	MinLength        *int `yaml:"minLength"`
	MaxLength        *int `yaml:"maxLength"`
	MaxItems         *int `yaml:"maxItems"`
}

type property struct {
	name string
	*schema
}

// properties stand in the order of the schema.
type properties []property

// UnmarshalYAML implements yaml.Unmarshaler.
func (p *properties) UnmarshalYAML(node *yaml.Node) error {
	for pair := range slices.Chunk(node.Content, 2) {
		one := property{name: pair[0].Value, schema: &schema{}}
		if err := pair[1].Decode(one.schema); err != nil {
			return err
		}
		*p = append(*p, one)
	}
	return nil
}

// toolPages renders docs/tools.md from the contract and the schemas that were
// rendered from it.
func toolPages(contract *toolgen.Contract, files map[string][]byte) ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprint(&out, `<!-- Generated from tools.yaml and the schemas. Not to be edited. -->
# Tools

A list can be given as one value, as a list, or as a list in a text. Numbers can be given as text; an empty text counts as absent. An argument that a tool does not
have is refused by its name. A text has at most `+strconv.Itoa(toolgen.MaxText)+` characters and a list at most `+strconv.Itoa(toolgen.MaxItems)+` values where the table gives no other limit. Every answer may have `+"`notices`"+`: what was left out, corrected or is old. In an answer absent is absent: nothing is null or empty. The
schemas are in [gen/schemas](../gen/schemas/README.md), and [schemas.md](schemas.md) tells how to use them.

| tool | toolset | |
|---|---|---|
`)
	for _, t := range contract.Tools {
		fmt.Fprintf(&out, "| [`%s`](#%s) | %s | %s |\n", t.Name, strings.ToLower(t.Name), t.Toolset, t.Title)
	}
	for _, t := range contract.Tools {
		if err := toolPage(&out, t, files); err != nil {
			return nil, fmt.Errorf("docs/tools.md: %s: %w", t.Name, err)
		}
	}
	return out.Bytes(), nil
}

func toolPage(out *bytes.Buffer, t *toolgen.Tool, files map[string][]byte) error {
	input, err := readSchema(files, t.Name+".input")
	if err != nil {
		return err
	}
	output, err := readSchema(files, t.Name+".output")
	if err != nil {
		return err
	}
	call, err := exampleCall(t)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\n## %s\n\n%s\n\n```sh\n%s\n```\n\n", t.Name, cell(t.Description), call)
	fmt.Fprint(out, "| argument | type | default | what it is |\n|---|---|---|---|\n")
	for _, p := range input.Properties {
		argument(out, "", p, input.Required)
	}
	fmt.Fprintf(out, "\nErrors: %s.\n\nAnswer: %s\n\n| field | type | what it holds |\n|---|---|---|\n", codes(t.Errors), answer(t))
	fields(out, output.Defs, "", output.Defs[definition(output, t.Paged)], map[*schema]string{})
	return nil
}

// answer says what a tool returns.
func answer(t *toolgen.Tool) string {
	if t.Paged {
		return "`items`, each a " + code(t.Entity) + ", and `pagination` with `cursor` (absent on the last page), `total_count` and `page_size`. An item:"
	}
	return code(t.Entity) + ":"
}

// definition is the name of what the document lists: the answer, or what its
// page has.
func definition(output *schema, paged bool) string {
	name := strings.TrimPrefix(output.AnyOf[0].Ref, "#/$defs/")
	if !paged {
		return name
	}
	for _, p := range output.Defs[name].Properties {
		if p.name == "items" {
			return strings.TrimPrefix(p.Items.Ref, "#/$defs/")
		}
	}
	return name
}

func readSchema(files map[string][]byte, name string) (*schema, error) {
	s := &schema{}
	text, ok := files["gen/schemas/"+name+".schema.json"]
	if !ok {
		return nil, fmt.Errorf("no schema %s", name)
	}
	return s, yaml.Unmarshal(text, s) // JSON is YAML, whose reader keeps the order
}

// exampleCall returns the tool's example on the sandbox, as a line for the shell.
func exampleCall(t *toolgen.Tool) (string, error) {
	line := "biofact --sandbox call " + t.Name
	for _, given := range t.Example {
		value := given.Value
		if list, ok := value.([]any); ok && len(list) == 1 {
			value = list[0]
		}
		text := fmt.Sprint(value)
		switch value.(type) {
		case []any, map[string]any:
			nested, err := json.Marshal(value)
			if err != nil {
				return "", err
			}
			text = string(nested)
		}
		if strings.ContainsAny(text, " '\"{}[]$") {
			text = "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
		}
		line += " " + given.Name + "=" + text
	}
	return line, nil
}

// asJSON is a value as it stands in a call.
func asJSON(node *yaml.Node) (string, error) {
	var value any
	if err := node.Decode(&value); err != nil {
		return "", err
	}
	text, err := json.Marshal(value)
	return string(text), err
}

// argument writes the row of an argument, and those of an object's fields.
func argument(out *bytes.Buffer, prefix string, p property, required []string) {
	about := cell(p.Description)
	if slices.Contains(required, p.name) {
		about += " (required)"
	}
	if words := p.words(); len(words) > 0 {
		about += ": " + codes(words)
	}
	for _, example := range p.Examples {
		if text, err := asJSON(&example); err == nil {
			about += ", such as " + code(strings.Trim(text, `"`))
		}
	}
	fmt.Fprintf(out, "| `%s` | %s | %s | %s |\n", prefix+p.name, p.bounds(), code(p.Default.Value+values(p.Default)), about)
	for _, field := range p.Properties {
		argument(out, prefix+p.name+".", field, nil)
	}
}

// values are those of a list.
func values(list yaml.Node) string {
	var texts []string
	for _, item := range list.Content {
		texts = append(texts, item.Value)
	}
	return strings.Join(texts, ",")
}

// words are the values that are known, wherever the schema lists them.
func (s *schema) words() []string {
	words := s.Enum
	for _, way := range s.AnyOf {
		for _, word := range way.words() {
			if !slices.Contains(words, word) {
				words = append(words, word)
			}
		}
	}
	if s.Items != nil {
		words = append(words, s.Items.words()...)
	}
	return words
}

// kind is the type of a value in a word or two.
func (s *schema) kind() string {
	switch {
	case len(s.AnyOf) > 0:
		last := s.AnyOf[len(s.AnyOf)-1]
		if last.Type == "array" {
			return "one or several"
		}
		return last.kind()
	case s.Type == "array" && s.Items != nil && s.Items.kind() != "":
		return "list of " + s.Items.kind()
	case s.Type == "array":
		return "list"
	}
	return s.Type
}

// bounds are the type of an argument and its bounds.
func (s *schema) bounds() string {
	text := s.kind()
	limits := s
	if n := len(s.AnyOf); n > 0 {
		limits = s.AnyOf[n-1]
	}
	switch {
	case limits.Minimum != nil && limits.Maximum != nil:
		text += fmt.Sprintf(", %d to %d", *limits.Minimum, *limits.Maximum)
	case limits.MinLength != nil && *limits.MinLength > 1:
		text += fmt.Sprintf(", %d characters or more", *limits.MinLength)
	}
	if limits.MaxItems != nil && *limits.MaxItems != toolgen.MaxItems {
		text += fmt.Sprintf(", %d at most", *limits.MaxItems)
	}
	if limits.MaxLength != nil && *limits.MaxLength != toolgen.MaxText {
		text += fmt.Sprintf(", %d characters at most", *limits.MaxLength)
	}
	return text
}

// fields writes the rows of an entity's fields, those of what it holds included.
// What was told at another place of the table is not told again.
func fields(out *bytes.Buffer, defs map[string]*schema, prefix string, s *schema, told map[*schema]string) {
	for _, p := range s.Properties {
		if p.name == "notices" {
			continue // of every answer
		}
		held, kind, mark := p.schema, p.kind(), ""
		if held.Type == "array" && held.Items != nil {
			held, mark = held.Items, "[]"
		}
		if name, ok := strings.CutPrefix(held.Ref, "#/$defs/"); ok {
			held = defs[name]
			kind = held.Type
			if mark != "" {
				kind = "list of " + held.Type
			}
		}
		about, path := cell(p.Description), prefix+p.name+mark
		where, again := told[held]
		if again {
			about += " As " + code(where) + "."
		}
		fmt.Fprintf(out, "| `%s` | %s | %s |\n", prefix+p.name, kind, about)
		if !again && len(held.Properties) > 0 {
			told[held] = path
			fields(out, defs, path+".", held, told)
		}
	}
}
