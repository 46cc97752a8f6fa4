package toolgen

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A Contract is the parsed tools.yaml, checked against the upstreams' documents. Everything that is generated or reported about the
// tools is made from it.
type Contract struct {
	Filters []*Filters // filters and tools are in the order of the file
	Tools   []*Tool
	Prompts []*Prompt
	Hosts   []string // keys that hosts add to the arguments of every call

	specs map[string]*spec
}

// A toolset is a group of tools with one handler interface.
type toolset struct {
	Name  string
	Tools []*Tool
}

// toolsets are the names of the toolsets, in the order of the generated code.
var toolsets = []string{"trials", "genes", "articles", "drugs", "research", "sql"}

// ByDefault returns the tools that are served by default.
func (c *Contract) ByDefault() []*Tool {
	return slices.DeleteFunc(slices.Clone(c.Tools), (*Tool).onRequest)
}

// onRequest reports whether a tool is served only where a setting names it or its toolset.
func (t *Tool) onRequest() bool { return t.Toolset == "research" || t.Toolset == "sql" }

func (c *Contract) toolsets() (sets []toolset) {
	for _, name := range toolsets {
		set := toolset{Name: name}
		for _, t := range c.Tools {
			if t.Toolset == name {
				set.Tools = append(set.Tools, t)
			}
		}
		if set.Tools != nil {
			sets = append(sets, set)
		}
	}
	return sets
}

// A Tool is one tool of the contract.
type Tool struct {
	Name        string   `yaml:"name"`
	Title       string   `yaml:"title"`
	Toolset     string   `yaml:"toolset"`
	Description string   `yaml:"description"`
	Upstream    list     `yaml:"upstream"` // operations, as UPSTREAM.OPERATION
	Returns     string   `yaml:"returns"`
	Errors      []string `yaml:"errors"`

	ArgNodes []yaml.Node `yaml:"args"`

	Example   Example  `yaml:"example"`
	OrReturns []string `yaml:"or_returns"` // entities, one of which is the answer to calls with some arguments
	Beside    string   `yaml:"beside"`     // entity whose fields are next to the items of a page
	Parts     []string `yaml:"parts"`      // entities inside the answer that have their own schema
	Page      string   `yaml:"page"`       // HTML page that shows the answer
	Needs     string   `yaml:"needs"`      // "mirror": the tool is listed only where a mirror has a history
	ToolWords `yaml:"-"`

	Entity     string       `yaml:"-"` // entity of the answer, or of the items of a page
	Paged      bool         `yaml:"-"`
	Args       []Argument   `yaml:"-"` // in order, including those of its filters
	Filters    *Filters     `yaml:"-"` // nil without filters
	Operations []*operation `yaml:"-"`
	Leads      []Lead       `yaml:"-"` // Elsewhere, resolved

	line, wordsLine int
}

// A Lead is an argument of another tool that takes some argument names.
type Lead struct {
	Tool, Argument string
	Needs          string // argument that the other tool requires, or ""
	Names          []string
	Beside         []string // names whose words are added: those with a plus sign
}

// Filters are arguments that several tools share. Each narrows a search.
type Filters struct {
	Name      string     `yaml:"filters"`
	Upstream  string     `yaml:"upstream"` // operation whose results they narrow
	Args      []Argument `yaml:"-"`
	Operation *operation `yaml:"-"`

	ArgNodes []yaml.Node `yaml:"args"`
}

// An Argument is an argument of a tool, or a field of an argument that is an object.
type Argument struct {
	Name        string   `yaml:"name"`
	To          string   `yaml:"to"`     // upstream parameter for it: query.cond, into which it is copied, or eSearch.term
	Type        string   `yaml:"type"`   // string (default), integer, boolean or object
	ListOf      string   `yaml:"list"`   // true: one or several values; commas: tools/list shows a text with commas
	Accept      string   `yaml:"accept"` // "enum words": accepts the values as people write them
	Values      string   `yaml:"values"` // enumeration with the known values: ctgov.Phase
	Description string   `yaml:"description"`
	Example     any      `yaml:"example"`
	Default     any      `yaml:"default"`
	Minimum     *int     `yaml:"minimum"`
	Maximum     *int     `yaml:"maximum"`
	Required    bool     `yaml:"required"`
	Or          []string `yaml:"or"`   // arguments, one of which can be given in place of this required one
	With        string   `yaml:"with"` // argument that is required with this one

	Choices    []string    `yaml:"choices"`    // closed list of values, defined by Biofact
	MinLength  int         `yaml:"min_length"` // minimum number of characters
	MaxLength  int         `yaml:"max_length"` // maximum number of characters
	MaxItems   int         `yaml:"max_items"`  // maximum number of items
	FieldNodes []yaml.Node `yaml:"fields"`
	TextField  string      `yaml:"plain"`   // field that a string sets, in a list of objects
	Piece      string      `yaml:"piece"`   // piece of the upstream's records that a filter compares
	Form       string      `yaml:"form"`    // dates or numbers: a range; point: may be one, also given as a list or an object; verbatim: as given
	Either     bool        `yaml:"either"`  // a list of texts is read as one text, joined by OR
	Service    string      `yaml:"service"` // why the service reads it: it has neither a parameter nor a piece
	Skips      int         `yaml:"skips"`   // of a cursor: the maximum number of rows that callers may skip instead
	Search     string      `yaml:"search"`  // tool whose arguments the text has, as JSON

	ArgumentWords `yaml:"-"`

	Fields []Argument `yaml:"-"` // fields of an object
	List   bool       `yaml:"-"` // one or several values
	Param  string     `yaml:"-"` // upstream parameter into which it is copied; "" for none

	line, wordsLine int
	known           []string // known values of an open enumeration
	pattern         string
	object          string // Go type of an object
	text            bool   // the upstream parses it as words
	shared          bool   // one of the tool's filters
}

// The values of accept.
const (
	enumWords = "enum words"
	anyWords  = "any words" // the tool itself parses the words of the argument
)

// An Example is the arguments of an example call, in the order of the file.
type Example []ExampleValue

// An ExampleValue is one argument of an example.
type ExampleValue struct {
	Name  string
	Value any
}

// UnmarshalYAML implements yaml.Unmarshaler.
func (e *Example) UnmarshalYAML(n *yaml.Node) error {
	given := map[string]any{}
	if err := n.Decode(&given); err != nil {
		return err
	}
	*e = Example{} // also for an example without arguments
	for pair := range slices.Chunk(n.Content, 2) {
		*e = append(*e, ExampleValue{Name: pair[0].Value, Value: given[pair[0].Value]})
	}
	return nil
}

// Arguments returns the arguments as a call sends them.
func (e Example) Arguments() map[string]any {
	out := map[string]any{}
	for _, given := range e {
		out[given.Name] = given.Value
	}
	return out
}

// A list accepts a single string as a list of one.
type list []string

func (l *list) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		*l = list{n.Value}
		return nil
	}
	return n.Decode((*[]string)(l))
}

// Own returns the arguments that are not from shared filters.
func (t *Tool) Own() []Argument {
	return slices.DeleteFunc(slices.Clone(t.Args), func(a Argument) bool { return a.shared })
}

// Texts returns the filters that the upstream parses as words.
func (f *Filters) Texts() []Argument {
	return slices.DeleteFunc(slices.Clone(f.Args), func(a Argument) bool { return !a.text })
}

// Pieces returns the filters that compare a piece of a record.
func (f *Filters) Pieces() []Argument {
	return slices.DeleteFunc(slices.Clone(f.Args), func(a Argument) bool { return a.Piece == "" })
}

// PieceWords reports whether a filter looks for words in its piece.
func (a Argument) PieceWords() bool {
	return a.Piece != "" && a.Type == "string" && !a.List && a.Form == ""
}

// Defaults reports whether a filter has a default.
func (f *Filters) Defaults() bool {
	return slices.ContainsFunc(f.Args, func(a Argument) bool { return a.Default != nil })
}

// Fields returns the name of the function that lists the fields of an upstream's records that the tool reads; the package mapping/{toolset}
// has it. It is "" if no document of the tool's upstreams describes its answers.
func (t *Tool) Fields() string {
	if slices.ContainsFunc(t.Operations, (*operation).described) {
		return t.Entity + "Fields"
	}
	return ""
}

// GoType returns the type of the argument's field.
func (a Argument) GoType() string {
	t := map[string]string{"string": "string", "integer": "int", "boolean": "bool"}[a.Type]
	if a.Type == "object" {
		t = a.object
	}
	switch {
	case a.List:
		return "[]" + t
	case a.threeValued():
		return "*" + t
	}
	return t
}

// GoObject returns the Go type of an object.
func (a Argument) GoObject() string { return a.object }

// threeValued reports whether an argument is true, false or absent.
func (a Argument) threeValued() bool { return a.Type == "boolean" && a.Default == nil && !a.Required }

// PieceField returns the field of tool.Piece that holds the argument.
func (a Argument) PieceField() string {
	switch {
	case a.List:
		return "Values"
	case a.threeValued():
		return "Truth"
	}
	return "Text"
}

// Words returns the values that callers may give in words.
func (a Argument) Words() []string {
	if a.Accept == "" {
		return a.Choices
	}
	return a.known
}

// Range returns the kind of range that the argument is: dates, numbers or "".
func (a Argument) Range() string {
	if a.Form == formPoint || a.Form == formVerbatim {
		return ""
	}
	return a.Form
}

// Verbatim reports whether the text is read as it is given.
func (a Argument) Verbatim() bool { return a.Form == formVerbatim }

// Point reports whether the text may be a point.
func (a Argument) Point() bool { return a.Form == formPoint }

// The form of a text that may be a point, and of one that is read as it is given, with its spaces and all its characters.
const (
	formPoint    = "point"
	formVerbatim = "verbatim"
)

// HasWords reports whether words.yaml has words about the argument or its fields.
func (a Argument) HasWords() bool {
	return a.wordsLine > 0 || slices.ContainsFunc(a.Fields, Argument.HasWords)
}

// Commas reports whether tools/list shows a list of texts as one text with commas.
func (a Argument) Commas() bool { return a.ListOf == commas }

// AnyWords reports whether the tool itself parses the words of the argument.
func (a Argument) AnyWords() bool { return a.Accept == anyWords }

// ExampleText returns the example as a message shows it.
func (a Argument) ExampleText() (string, error) { return exampleText(a.Example) }

func exampleText(example any) (string, error) {
	switch example := example.(type) {
	case nil:
		return "", nil
	case map[string]any, []any:
		text, err := json.Marshal(example)
		return string(text), err
	default:
		return fmt.Sprint(example), nil
	}
}

// GoDefault returns the default as a Go expression, or "".
func (a Argument) GoDefault() string {
	switch value := a.Default.(type) {
	case nil:
		return ""
	case []any:
		var items []string
		for _, item := range value {
			items = append(items, fmt.Sprintf("%#v", item))
		}
		return a.GoType() + "{" + strings.Join(items, ", ") + "}"
	default:
		return fmt.Sprintf("%#v", value)
	}
}

// FieldDefaults reports whether a field of an object has a default.
func (a Argument) FieldDefaults() bool {
	return slices.ContainsFunc(a.Fields, func(field Argument) bool { return field.Default != nil })
}

// GoGiven returns a Go condition that reports whether the caller set a filter.
func (a Argument) GoGiven() string {
	field := "f." + exported(a.Name)
	switch {
	case a.List:
		return "len(" + field + ") > 0"
	case a.threeValued():
		return field + " != nil"
	case a.Type == "boolean" && a.Default == true:
		return "!" + field
	case a.Type == "boolean":
		return field
	case a.Type == "integer":
		return fmt.Sprintf("%s != %v", field, a.Default)
	}
	return field + ` != ""`
}
