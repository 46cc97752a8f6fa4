// Package tool is what the generated stubs stand on: a tool is a name, two
// schemas and a call. A call reads the arguments as models really send them,
// validates them, runs the handler, and renders the answer or the error as
// the bytes of one envelope.
//
// The package knows neither the protocol that carries the call nor any
// upstream.
package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// Definition is what tools.yaml says of a tool.
type Definition struct {
	Name         string
	Title        string
	Toolset      string // trials, genes or articles
	Description  string // for models
	Input        []byte // JSON Schema of the arguments
	ListedInput  []byte // the same, as a list of tools shows it
	ListedOutput []byte // JSON Schema of the answer and of the error envelope, as a list of tools shows it
	Page         string // on which people look at the answer; "" for none
	Arguments    []Argument
	Also         []string // other names of the tool
	InsteadOf    []string // names of tools that Biofact does not have
	Elsewhere    []Elsewhere
}

// Elsewhere is an argument of another tool, and the names by which callers give
// its value to this one.
type Elsewhere struct {
	Tool, Argument string
	Needs          string // argument that the other tool requires; "" for none
	Names          []string
}

// Tag is a field tag of a query, and the names of arguments that it stands for.
type Tag struct {
	Tag   string // "words" for none
	Names []string
}

// Argument tells how a value is read before it is validated.
type Argument struct {
	Name        string
	Description string // for models
	Type        string // string, integer, boolean or object

	List      bool // one value or several
	MaxItems  int  // of a list; 0: any number
	MaxLength int  // characters of a string; 0: any number
	Minimum   int  // of an integer
	Maximum   int  // of an integer; 0: it has no bounds
	Required  bool
	Range     bool                // a string that names two ends, also given as an object of them
	Example   string              // in messages
	Words     []string            // the values, which people may write in words
	AnyWords  bool                // the tool itself reads other words for the values
	Means     map[string][]string // the values that other words stand for
	Also      []string            // other names of the argument
	InsteadOf []string            // names of arguments whose values this one cannot take
	Tags      []Tag               // of a query
	Fields    []Argument          // of an object
	Plain     string              // field of objects that a text stands for; "" for none
}

// Text is an argument that an upstream reads as words.
type Text struct {
	Name  string
	Param string  // of the upstream
	Value *string // of the arguments: it can be rewritten
}

// Piece is an argument that is compared with one piece of a record.
type Piece struct {
	Name   string
	Piece  string
	Range  string // dates or numbers; "" for neither
	Text   string
	Values []string // any of which will do
	Truth  *bool
}

// Tool is a tool that can be called. It is safe for concurrent use.
type Tool struct {
	Definition
	call    func(ctx context.Context, args json.RawMessage) (json.Marshaler, entity.Provenance, error)
	compile func() (*jsonschema.Schema, error)
	answers reflect.Type
}

// New binds a definition to its handler. Arguments that the caller leaves out
// keep the values that defaults returns. It is called for each call: decoding
// writes into the lists of a value, which therefore no two calls may share.
func New[A, T any](d Definition, defaults func() A, handler func(context.Context, A) (entity.Answer[T], error)) *Tool {
	return &Tool{
		Definition: d,
		answers:    reflect.TypeFor[T](),
		call: func(ctx context.Context, raw json.RawMessage) (json.Marshaler, entity.Provenance, error) {
			args := defaults()
			if err := json.Unmarshal(raw, &args); err != nil {
				return nil, entity.Provenance{}, fmt.Errorf("decode validated arguments: %w", err)
			}
			answer, err := handler(ctx, args)
			return answer, answer.Provenance, err
		},
		// Compiled at the first call: the start of the server does not pay for
		// schemas that nobody uses. A test compiles them all.
		compile: sync.OnceValues(func() (*jsonschema.Schema, error) { return compile(d.Name, d.Input) }),
	}
}

// Result is an answered call: one envelope, ready to be sent.
type Result struct {
	JSON    []byte         // the answer or the error envelope, compact
	IsError bool           // the envelope is an error
	Meta    map[string]any // how the answer was made
}

// Call answers a call. Every failure, a panic included, is an error envelope.
// What must not be shown is logged under a reference that the message carries.
func (t *Tool) Call(ctx context.Context, log *slog.Logger, raw json.RawMessage) (result Result) {
	start := time.Now()
	defer func() {
		if p := recover(); p != nil {
			err := entity.AsError(fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
			result = t.failed(ctx, log, err)
		}
		log.DebugContext(ctx, "tool call", "tool", t.Name, "error", result.IsError, "bytes", len(result.JSON), "duration",
			time.Since(start))
	}()
	args, err := t.read(raw)
	if err != nil {
		return t.failed(ctx, log, t.complete(err, raw))
	}
	answer, provenance, err := t.call(ctx, args)
	if err != nil {
		return t.failed(ctx, log, t.complete(err, raw))
	}
	text, err := entity.JSON(answer)
	if err != nil {
		return t.failed(ctx, log, fmt.Errorf("encode the answer: %w", err))
	}
	// What enters is clean already; here is the one place where answers leave.
	return Result{JSON: []byte(entity.Clean(string(text))), Meta: meta(provenance)}
}

// failed renders an error. Errors with a cause are logged: the client sees
// the reference, the operator finds the cause under it.
func (t *Tool) failed(ctx context.Context, log *slog.Logger, err error) Result {
	shown := *entity.AsError(err)
	if shown.Cause != nil {
		reference := fmt.Sprintf("%08x", rand.Uint32())
		log.ErrorContext(ctx, "tool call failed", "tool", t.Name, "code", shown.Code, "reference", reference, "cause", shown.Cause)
		shown.Message = strings.TrimSuffix(shown.Message, ".") + " (reference " + reference + ")."
	}
	text, err := entity.JSON(shown.Envelope())
	if err != nil {
		// The envelope is four strings: it always encodes.
		panic(err)
	}
	return Result{JSON: text, IsError: true}
}

func meta(p entity.Provenance) map[string]any {
	m := map[string]any{"biofact/upstream_requests": p.UpstreamRequests}
	if p.Cache != "" {
		m["biofact/cache"] = p.Cache
	}
	if p.Mirror != "" {
		m["biofact/source"] = p.Mirror + ", local mirror"
		m["biofact/mirror_synced_at"] = p.MirrorSynced.UTC().Format(time.RFC3339)
	}
	if p.DataVersion != "" {
		m["biofact/data_version"] = p.DataVersion
	}
	if !p.RetrievedAt.IsZero() {
		m["biofact/retrieved_at"] = p.RetrievedAt.UTC().Format(time.RFC3339)
	}
	return m
}

func compile(name string, schema []byte) (*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	if err := c.AddResource(name, bytes.NewReader(schema)); err != nil {
		return nil, err
	}
	return c.Compile(name)
}

// Value returns a pointer to v, or nil for the zero value, which stands for an
// argument that was not given.
func Value[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// Either returns the expressions joined by OR, or nil for none: the parameter that they go
// to takes one expression. Empty ones are left out.
func Either(expressions []string) *string {
	given := slices.DeleteFunc(slices.Clone(expressions), func(e string) bool { return e == "" })
	if len(given) > 1 {
		return new("(" + strings.Join(given, ") OR (") + ")")
	}
	return Value(strings.Join(given, ""))
}

// Values returns the strings as a list of an upstream's type, or nil for none.
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
