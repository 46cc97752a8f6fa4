package toolgen

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"go.yaml.in/yaml/v3"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// A toolSpec is one entry of tools.yaml.
type toolSpec struct {
	Name        string         `yaml:"name"`
	Title       string         `yaml:"title"`
	Toolset     string         `yaml:"toolset"`
	Description string         `yaml:"description"`
	Upstream    list           `yaml:"upstream"`
	Returns     string         `yaml:"returns"`
	Errors      []string       `yaml:"errors"`
	Args        []argSpec      `yaml:"args"`
	Example     map[string]any `yaml:"example"`
	Also        []string       `yaml:"also"`       // other names of the tool
	InsteadOf   []string       `yaml:"instead_of"` // names of tools that Biofact does not have

	line      int
	upstreams []upstream
	entity    string // name of the entity, without "page of"
	paged     bool
}

// An argSpec is one argument of a tool.
type argSpec struct {
	Name        string `yaml:"name"`
	Param       string `yaml:"param"`  // upstream parameter that it is copied into
	Type        string `yaml:"type"`   // string (default), integer, boolean or object
	List        bool   `yaml:"list"`   // one value or several
	Accept      string `yaml:"accept"` // "enum words": the values as people write them
	Values      string `yaml:"values"` // enumeration that names the known values: ctgov.Phase
	Description string `yaml:"description"`
	Example     any    `yaml:"example"`
	Default     any    `yaml:"default"`
	Minimum     *int   `yaml:"minimum"`
	Maximum     *int   `yaml:"maximum"`
	Required    bool   `yaml:"required"`

	Choices   []string  `yaml:"choices"`    // the only values, ours and closed
	MinLength int       `yaml:"min_length"` // characters of a string
	MaxLength int       `yaml:"max_length"` // characters of a string
	MaxItems  int       `yaml:"max_items"`  // of a list
	Fields    []argSpec `yaml:"fields"`     // of an object

	Also      []string `yaml:"also"`       // other names of the argument
	InsteadOf []string `yaml:"instead_of"` // names of arguments whose values this one cannot take

	line    int
	known   []string // values known of an enumeration that may grow
	pattern string
	element string // Go type of the upstream's list elements
	object  string // Go type of an object
}

// list accepts one string for a list of one.
type list []string

func (l *list) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		*l = list{n.Value}
		return nil
	}
	return n.Decode((*[]string)(l))
}

const enumWords = "enum words"

var (
	toolKeys = []string{"name", "title", "toolset", "description", "upstream", "returns", "errors", "args", "example", "also", "instead_of"}
	argKeys  = []string{"name", "param", "type", "list", "accept", "values", "description", "example", "default", "minimum", "maximum", "required",
		"choices", "min_length", "max_length", "max_items", "fields", "also", "instead_of"}

	toolName = regexp.MustCompile(`^[a-z][A-Za-z0-9_]*$`)
	toolsets = []string{"trials", "genes", "articles"}
)

func readTools(document []byte, specs map[string]*spec) ([]*toolSpec, error) {
	var root, more yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(document))
	if err := dec.Decode(&root); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("tools.yaml: %w", err)
	}
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, mistake(max(1, more.Line), "a second document: all tools stand in one")
	}
	if len(root.Content) != 1 || root.Content[0].Kind != yaml.SequenceNode {
		return nil, mistake(1, "the document must be a list of tools")
	}
	var tools []*toolSpec
	for _, n := range root.Content[0].Content {
		t, err := readTool(n, specs)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(tools, func(other *toolSpec) bool { return exported(other.Name) == exported(t.Name) }) {
			return nil, mistake(t.line, "%s: a second tool of this name (%s in Go)", t.Name, exported(t.Name))
		}
		tools = append(tools, t)
	}
	return tools, checkToolNames(tools)
}

func readTool(n *yaml.Node, specs map[string]*spec) (*toolSpec, error) {
	if err := onlyKeys(n, "a tool", toolKeys); err != nil {
		return nil, err
	}
	t := &toolSpec{line: n.Line}
	if err := n.Decode(t); err != nil {
		return nil, fmt.Errorf("tools.yaml: %w", err)
	}
	if !toolName.MatchString(t.Name) {
		return nil, mistake(n.Line, "name %q: want letters, digits and underscores, a small letter first", t.Name)
	}
	fail := func(line int, err error) (*toolSpec, error) {
		return nil, mistake(line, "%s: %w", t.Name, err)
	}
	for _, text := range []struct{ key, value string }{{"title", t.Title}, {"description", t.Description}, {"returns", t.Returns}} {
		if strings.TrimSpace(text.value) == "" {
			return fail(n.Line, fmt.Errorf("%s is missing", text.key))
		}
	}
	if !slices.Contains(toolsets, t.Toolset) {
		return fail(lineOf(n, "toolset"), fmt.Errorf("toolset %q: want one of %s", t.Toolset, strings.Join(toolsets, ", ")))
	}
	for _, ref := range t.Upstream {
		u, err := operation(specs, ref)
		if err != nil {
			return fail(lineOf(n, "upstream"), err)
		}
		t.upstreams = append(t.upstreams, u)
	}
	if err := t.readReturns(); err != nil {
		return fail(lineOf(n, "returns"), err)
	}
	if err := t.checkErrors(); err != nil {
		return fail(lineOf(n, "errors"), err)
	}
	if args := child(n, "args"); args != nil {
		if args.Kind == yaml.AliasNode {
			args = args.Alias
		}
		if err := t.readArgs(args, t.Args, specs); err != nil {
			return nil, err
		}
	}
	return t, t.checkExample(n)
}

// readArgs reads the arguments of a tool, or the fields of one that is an object.
func (t *toolSpec) readArgs(n *yaml.Node, args []argSpec, specs map[string]*spec) error {
	for i, argNode := range n.Content {
		if err := onlyKeys(argNode, t.Name+": an argument", argKeys); err != nil {
			return err
		}
		a := &args[i]
		a.line = argNode.Line
		fail := func(err error) error { return mistake(a.line, "%s: argument %s: %w", t.Name, a.Name, err) }
		if err := t.readArg(a, specs); err != nil {
			return fail(err)
		}
		if slices.ContainsFunc(args[:i], func(other argSpec) bool { return exported(other.Name) == exported(a.Name) }) {
			return fail(fmt.Errorf("a second argument of this name (%s in Go)", exported(a.Name)))
		}
		if a.Type != "object" {
			continue
		}
		a.object = exported(t.Name) + exported(a.Name)
		if slices.ContainsFunc(a.Fields, func(field argSpec) bool { return field.Param != "" || field.Type == "object" }) {
			return fail(errors.New("fields have no param and no fields of their own"))
		}
		if err := t.readArgs(child(argNode, "fields"), a.Fields, specs); err != nil {
			return err
		}
	}
	return t.checkArgNames(args)
}

func (t *toolSpec) readReturns() error {
	t.entity, t.paged = strings.CutPrefix(t.Returns, "page of ")
	if entities[t.entity] == nil {
		return fmt.Errorf("returns %s: no such entity; there are %s", t.Returns, known(entities))
	}
	return nil
}

func (t *toolSpec) checkErrors() error {
	for _, code := range t.Errors {
		if !slices.Contains(entity.Codes(), entity.Code(code)) {
			return fmt.Errorf("errors: %s is no error code; the closed set is %v", code, entity.Codes())
		}
	}
	if len(t.Errors) == 0 {
		return errors.New("errors: name the codes that the tool may answer")
	}
	return nil
}

func (t *toolSpec) readArg(a *argSpec, specs map[string]*spec) error {
	if !toolName.MatchString(a.Name) {
		return fmt.Errorf("want letters, digits and underscores, a small letter first")
	}
	if a.Description == "" {
		return errors.New("description is missing")
	}
	if a.Type == "" {
		a.Type = "string"
	}
	if !slices.Contains([]string{"string", "integer", "boolean", "object"}, a.Type) {
		return fmt.Errorf("type %s: want string, integer, boolean or object", a.Type)
	}
	if (a.Type == "object") != (len(a.Fields) > 0) {
		return errors.New("an object, and nothing else, has fields")
	}
	if a.Type == "object" && (a.List || a.Param != "" || a.Default != nil) {
		return errors.New("an object has no list, param or default: its fields may have one")
	}
	if a.Type != "string" && (len(a.Choices) > 0 || a.MinLength > 0 || a.MaxLength > 0) {
		return errors.New("choices, min_length and max_length are for strings")
	}
	if len(a.Choices) > 0 && (a.Param != "" || a.Values != "" || a.Accept != "") {
		return errors.New("choices are all that there is: no param, values or accept")
	}
	if !a.List && a.MaxItems > 0 {
		return errors.New("max_items is for lists")
	}
	if a.Values != "" {
		values, err := enum(specs, a.Values)
		if err != nil {
			return err
		}
		a.known = values
	}
	if a.Param != "" {
		if err := t.bind(a); err != nil {
			return err
		}
	}
	if a.Accept != "" && (a.Accept != enumWords || len(a.known) == 0) {
		return fmt.Errorf("accept %s: only %q can be accepted, of an argument with known values", a.Accept, enumWords)
	}
	if (a.Minimum != nil || a.Maximum != nil) && a.Type == "string" {
		return errors.New("minimum and maximum are for integers")
	}
	if (a.Type == "integer" || a.Type == "boolean") && a.Default == nil && !a.Required {
		return fmt.Errorf("an optional %s needs a default", a.Type)
	}
	a.limit()
	return a.checkDefault()
}

func (a *argSpec) checkDefault() error {
	switch value := a.Default.(type) {
	case nil:
		return nil
	case bool:
		if a.Type == "boolean" && !a.List {
			return nil
		}
	case int:
		if a.Minimum != nil && value < *a.Minimum || a.Maximum != nil && value > *a.Maximum {
			return fmt.Errorf("default %d is out of the argument's bounds", value)
		}
		if a.Type == "integer" && !a.List {
			return nil
		}
	case string:
		if !a.List && slices.Contains(a.Choices, value) {
			return nil
		}
	case []any:
		if a.List && !slices.ContainsFunc(value, func(item any) bool { word, _ := item.(string); return !slices.Contains(a.Choices, word) }) {
			return nil
		}
	}
	if a.Type == "string" {
		return fmt.Errorf("default %v: want one of the choices, or a list of them where the argument is one", a.Default)
	}
	return fmt.Errorf("default %v: want one %s", a.Default, a.Type)
}

// bind ties an argument to the upstream parameter that it is copied into and
// takes over the parameter's enumeration, pattern and bounds, which tools.yaml
// may only narrow.
func (t *toolSpec) bind(a *argSpec) error {
	i := slices.IndexFunc(t.upstreams, func(u upstream) bool { return u.param(a.Param) != nil })
	if i < 0 {
		var has []string
		for _, u := range t.upstreams {
			has = append(has, u.paramNames()...)
		}
		return fmt.Errorf("param %s: %s has no such parameter; it has %s", a.Param, strings.Join(t.Upstream, ", "), strings.Join(has, ", "))
	}
	u := &t.upstreams[i]
	schema := u.param(a.Param).Schema
	value := "a." + exported(a.Name)
	switch {
	case schema.Value.Type.Is("array"):
		if !a.List {
			return fmt.Errorf("param %s is a list upstream: say list: true", a.Param)
		}
		items := schema.Value.Items
		a.element = goType(u.Package, items)
		value = "tool.Values[" + a.element + "](" + value + ")"
		schema = items
	case a.List:
		return fmt.Errorf("param %s is no list upstream", a.Param)
	case schema.Value.Type.Is("integer"):
		if a.Type != "integer" {
			return fmt.Errorf("param %s is an integer upstream", a.Param)
		}
		value = "tool.Value(" + goType(u.Package, schema) + "(" + value + "))"
	case schema.Value.Type.Is("string"):
		value = "tool.Value(" + value + ")"
	default:
		return fmt.Errorf("param %s is of type %v upstream, which no argument has", a.Param, schema.Value.Type.Slice())
	}
	field := exported(a.Param)
	if slices.ContainsFunc(u.Copies, func(c copied) bool { return c.Field == field }) {
		return fmt.Errorf("param %s: another argument is copied into it", a.Param)
	}
	u.Copies = append(u.Copies, copied{Field: field, Value: value})
	if len(schema.Value.Enum) > 0 {
		a.known = texts(schema.Value.Enum)
	}
	a.pattern = schema.Value.Pattern
	return a.narrow(schema.Value)
}

func (a *argSpec) narrow(s *openapi3.Schema) error {
	if s.Min != nil {
		lowest := int(*s.Min)
		if a.Minimum == nil {
			a.Minimum = &lowest
		} else if *a.Minimum < lowest {
			return fmt.Errorf("minimum %d is below the upstream's %d: a bound may only be narrowed", *a.Minimum, lowest)
		}
	}
	if s.Max != nil {
		highest := int(*s.Max)
		if a.Maximum == nil {
			a.Maximum = &highest
		} else if *a.Maximum > highest {
			return fmt.Errorf("maximum %d is above the upstream's %d: a bound may only be narrowed", *a.Maximum, highest)
		}
	}
	return nil
}

func goType(pkg string, schema *openapi3.SchemaRef) string {
	if name, ok := strings.CutPrefix(schema.Ref, "#/components/schemas/"); ok {
		return pkg + "." + exported(name)
	}
	if schema.Value.Type.Is("integer") {
		if schema.Value.Format == "" {
			return "int"
		}
		return schema.Value.Format
	}
	return "string"
}

func (t *toolSpec) checkExample(n *yaml.Node) error {
	if t.Example == nil || len(t.Example) == 0 && len(t.Args) > 0 {
		return mistake(n.Line, "%s: example is missing", t.Name)
	}
	for name := range t.Example {
		if !slices.ContainsFunc(t.Args, func(a argSpec) bool { return a.Name == name }) {
			return mistake(lineOf(n, "example"), "%s: the example gives %s, which is no argument", t.Name, name)
		}
	}
	for _, a := range t.Args {
		if _, given := t.Example[a.Name]; a.Required && !given {
			return mistake(lineOf(n, "example"), "%s: the example lacks %s", t.Name, a.Name)
		}
	}
	return nil
}

func onlyKeys(n *yaml.Node, what string, keys []string) error {
	if n.Kind != yaml.MappingNode {
		return mistake(n.Line, "%s must be a mapping", what)
	}
	for i := 0; i < len(n.Content); i += 2 {
		if key := n.Content[i]; !slices.Contains(keys, key.Value) {
			return mistake(key.Line, "%s has no key %s; it has %s", what, key.Value, strings.Join(keys, ", "))
		}
	}
	return nil
}

func child(n *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

func lineOf(n *yaml.Node, key string) int {
	if c := child(n, key); c != nil {
		return c.Line
	}
	return n.Line
}
