// Package tool runs the tools of the generated stubs: a tool is a name, two schemas and a function. A call reads the arguments in the forms
// that models really send, validates them, runs the handler, and encodes the answer or the error in one envelope.
//
// The package depends neither on the protocol of the call nor on a source.
package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/words"
	"github.com/biofact-mcp/biofact/internal/entity"
)

const (
	maxListed   = 20   // names in a message
	maxHintCall = 2000 // bytes of a call in a hint
)

// Definition is the entry of a tool in tools.yaml.
type Definition struct {
	Name         string
	Title        string
	Toolset      string // trials, genes or articles
	Description  string // for models
	Schema       string // $id of the schema of its answers, successes and errors
	ListedInput  []byte // JSON Schema of the arguments, in the form of tools/list
	ListedOutput []byte // JSON Schema of the answer and of the error envelope, in the form of tools/list
	Page         string // name of the page that shows an answer to people; "" for none
	NeedsMirror  bool   // it can answer only where a mirror has a history
	Arguments    []Argument
	Also         []string // other names of the tool
	InsteadOf    []string // names of tools that Biofact does not have
	Elsewhere    []Elsewhere
}

// The words that callers use, of words.yaml.
type (
	// Elsewhere is an argument of another tool, and the names under which callers pass its value to this one.
	Elsewhere = words.Elsewhere
	// Words are the words about an argument.
	Words = words.Argument
	// Tag is a field tag of a query, and the argument names that it replaces.
	Tag = words.Tag
)

// WordsFor returns the words about an argument of a tool, or of shared filters.
func WordsFor(owner, argument string) Words { return words.Of(owner).Arguments[argument] }

// learn sets the words about a tool, its arguments and their fields.
func (d *Definition) learn(about words.Tool) {
	if about.Also != nil || about.InsteadOf != nil || about.Elsewhere != nil {
		d.Also, d.InsteadOf, d.Elsewhere = about.Also, about.InsteadOf, about.Elsewhere
	}
	learn(d.Arguments, about.Arguments)
}

func learn(arguments []Argument, about map[string]words.Argument) {
	for i := range arguments {
		a := &arguments[i]
		if w, has := about[a.Name]; has {
			a.Also, a.InsteadOf, a.Tags, a.Means, a.Answered, a.Direction = w.Also, w.InsteadOf, w.Tags, w.Means, w.Answered, w.Direction
			learn(a.Fields, w.Fields)
		}
	}
}

// Argument configures how a value is read before it is validated.
type Argument struct {
	Name        string
	Description string // for models
	Type        string // string, integer, boolean or object

	List      bool // one value or several
	Commas    bool // of a list of texts: tools/list shows one text, in which commas separate the values
	MaxItems  int  // of a list; 0: no limit
	MinLength int  // characters of a string
	MaxLength int  // characters of a string; 0: no limit
	Minimum   int  // of an integer
	Maximum   int  // of an integer; 0: no limits
	Required  bool
	Or        []string            // arguments, one of which can be given in place of this required one
	Either    bool                // a text of words; a list of texts is joined by OR
	Range     bool                // a string with the two ends of a range, also given as a list or an object
	Verbatim  bool                // a string that is read as it is given, and no message quotes
	Point     bool                // a string that may be latitude,longitude, also given as a list or an object
	Example   string              // in messages
	Words     []string            // the values, which callers may write in any spelling
	AnyWords  bool                // the tool also accepts other words
	Means     map[string][]string // values by the words that stand for them
	Answered  map[string]string   // calls that answer words that are no values; $name in them is an argument of this call
	Also      []string            // other names of the argument
	InsteadOf []string            // names of arguments whose values this one cannot take
	Tags      []Tag               // of a query
	Fields    []Argument          // of an object
	TextField string              // field of objects that a text is used for; "" for none
	Skips     int                 // of a cursor: the most rows that it takes after Skip
	Search    string              // tool whose arguments the text has, as a JSON object
	Direction string              // argument for the direction that a value may have; "" for none
}

// Text is an argument that a source reads as words.
type Text struct {
	Name  string
	Param string  // of the source
	Value *string // of the arguments; it can be changed
}

// Piece is an argument that is compared with one piece of a record.
type Piece struct {
	Name   string
	Piece  string   // name of the piece
	Range  string   // dates or numbers; "" for neither
	Text   string   // value of a string
	Values []string // of a list: one of them must match
	Truth  *bool    // value of a boolean
}

// Tool is a tool that can be called. It is safe for concurrent use.
type Tool struct {
	Definition
	// MaxAnswer is the limit of an answer in bytes; 0: none.
	MaxAnswer int
	// CanAnswer reports whether a tool with NeedsMirror can answer; nil: it cannot.
	CanAnswer func(context.Context) bool
	// Origin says where the answers come from; nil: from the sources.
	Origin *Origin
	// Setting is the one that keeps the tool from being served; "" if it is served.
	Setting string

	all     []*Tool // with which it is served
	call    func(ctx context.Context, args json.RawMessage, finish func(*entity.Notes)) (json.Marshaler, entity.Provenance, error)
	answers reflect.Type
}

// New returns a tool with a handler. Arguments that the caller omits keep the values that defaults returns. defaults is called for each
// call, as decoding writes into the lists of a value, which two calls must not share.
func New[A, T any](d Definition, defaults func() A, handler func(context.Context, A) (entity.Answer[T], error)) *Tool {
	d.learn(words.Of(d.Name))
	return &Tool{
		Definition: d,
		answers:    reflect.TypeFor[T](),
		call: func(ctx context.Context, raw json.RawMessage, finish func(*entity.Notes)) (json.Marshaler, entity.Provenance, error) {
			args := defaults()
			if err := json.Unmarshal(raw, &args); err != nil {
				return nil, entity.Provenance{}, fmt.Errorf("decode validated arguments: %w", err)
			}
			answer, err := handler(ctx, args)
			finish(&answer.Notes)
			return answer, answer.Provenance, err
		},
	}
}

// Available reports whether the tool can answer here, so that lists have it.
func (t *Tool) Available(ctx context.Context) bool {
	return !t.NeedsMirror || t.CanAnswer != nil && t.CanAnswer(ctx)
}

// NoMirror is the reason that a tool with NeedsMirror is not available.
const NoMirror = "it needs a local mirror with a history (biofact mirror sync)"

// Together returns the tools; the calls in the hints of one may be of any of them.
func Together(all []*Tool) []*Tool {
	together := slices.Clone(all) // callers leave some out
	for _, t := range all {
		t.all = together
	}
	return all
}

// Value returns a pointer to v, or nil for the zero value, which means that the argument was not given.
func Value[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// Either returns the expressions joined by OR, or nil for none: the parameter takes one expression. Empty ones are omitted.
func Either(expressions []string) *string {
	given := slices.DeleteFunc(slices.Clone(expressions), func(e string) bool { return e == "" })
	if len(given) > 1 {
		return new("(" + strings.Join(given, ") OR (") + ")")
	}
	return Value(strings.Join(given, ""))
}

// Values returns the strings as a list of a source's type, or nil for none.
func Values[T ~string](values []string) *[]T {
	if len(values) == 0 {
		return nil
	}
	out := make([]T, len(values))
	for i, v := range values {
		out[i] = T(v)
	}
	return &out
}

// missing reports whether a call lacks a required argument, and those that can be given in its place.
func (a *Argument) missing(given map[string]any) bool {
	return a.Required && absent(given[a.Name]) && !slices.ContainsFunc(a.Or, func(name string) bool { return !absent(given[name]) })
}
