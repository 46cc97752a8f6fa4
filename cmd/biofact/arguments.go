package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// arguments holds the arguments of a tool, by name.
type arguments map[string]json.RawMessage

// openTool creates the app of a configuration and returns it with one of its tools.
func openTool(ctx context.Context, cfg *config.Config, name string, given arguments) (*app.App, *tool.Tool, error) {
	a, err := app.New(ctx, cfg, buildVersion(), nil)
	if err != nil {
		return nil, nil, err
	}
	if t := a.Tool(name); t != nil {
		return a, t, nil
	}
	defer a.Close()
	return nil, nil, errors.New(tool.Missing(name, given.json(), slices.Concat(a.Tools, a.Unserved), func(t *tool.Tool) string {
		if slices.Contains(a.Tools, t) {
			if !t.Available(ctx) {
				return tool.NoMirror
			}
			return ""
		}
		return tool.NotServed(t)
	}))
}

// callArguments combines key=value pairs with the arguments of a JSON object. If object is -, it is read from stdin. A pair takes
// precedence over the object's value.
func callArguments(pairs []string, object string, stdin io.Reader) (arguments, error) {
	if object == "-" {
		text, err := io.ReadAll(limitBytes(stdin, maxArguments))
		if isTooMuch(err) {
			return nil, fmt.Errorf("--json -: standard input has more than %s, which is the limit of arguments", megabytes(maxArguments))
		}
		if err != nil {
			return nil, fmt.Errorf("--json -: %w", err)
		}
		if object = strings.TrimSpace(string(text)); object == "" {
			return nil, errors.New("--json -: standard input is empty")
		}
	}
	given := arguments{}
	if object != "" {
		err := json.Unmarshal([]byte(object), &given)
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			err = errors.New(wrong.Value) // such as array
		} else if err == nil && given == nil {
			err = errors.New("null")
		}
		if err != nil {
			return nil, fmt.Errorf("--json: not a JSON object: %w", err)
		}
	}
	values := map[string][]string{}
	for _, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("%q: want ARGUMENT=VALUE", pair)
		}
		values[name] = append(values[name], value)
	}
	for name, list := range values {
		if len(list) == 1 {
			given.set(name, list[0])
		} else {
			given.set(name, list)
		}
	}
	return given, nil
}

// set sets an argument to a string, or to a list of strings where it was given several times. Tools
// parse strings as the type of the argument.
func (a arguments) set(name string, value any) {
	a[name], _ = entity.JSON(value) // strings always encode
}

func (a arguments) json() json.RawMessage {
	raw, _ := json.Marshal(a) // it was decoded from JSON
	return raw
}

// text returns an argument that is a string, or "".
func (a arguments) text(name string) string {
	var text string
	if err := json.Unmarshal(a[name], &text); err != nil {
		return ""
	}
	return text
}

// argument returns the argument of a tool with a name, or nil.
func argument(t *tool.Tool, name string) *tool.Argument {
	i := slices.IndexFunc(t.Arguments, func(a tool.Argument) bool { return a.Name == name })
	if i < 0 {
		return nil
	}
	return &t.Arguments[i]
}

// commandWords returns the words of the original command line with the given arguments.
func commandWords(cmd *cobra.Command, names []string, given arguments) []string {
	words := append([]string{os.Args[0]}, names...)
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Name != "json" { // its value is already among the arguments
			words = append(words, config.Word(f))
		}
	})
	return append(words, argumentWords(given)...)
}

// argumentWords returns the words of a command line for arguments: pairs, and one object for the values that no pair can express.
func argumentWords(given arguments) (words []string) {
	object := arguments{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		var value any
		if err := json.Unmarshal(given[name], &value); err != nil {
			panic(err) // it was decoded from JSON
		}
		texts, ok := pairTexts(value)
		if !ok {
			object[name] = given[name]
		}
		for _, text := range texts {
			words = append(words, name+"="+text)
		}
	}
	if len(object) > 0 {
		words = append(words, "--json="+string(object.json()))
	}
	return words
}

// pairTexts returns the values of the pairs that stand for a value. No pair stands for a list with separators in its texts.
func pairTexts(value any) (texts []string, ok bool) {
	switch value := value.(type) {
	case string:
		return []string{value}, true
	case bool, float64:
		return []string{fmt.Sprint(value)}, true
	case []any:
		for _, item := range value {
			text, isText := item.(string)
			if !isText || strings.ContainsAny(text, ",;|") || strings.Contains(text, " ") {
				return nil, false
			}
			texts = append(texts, text)
		}
		return texts, len(texts) > 0
	}
	return nil, false
}

// quotedWords quotes the words of a command line for a POSIX shell.
func quotedWords(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = config.Quoted(w)
	}
	return strings.Join(quoted, " ")
}

// number parses an argument that is a number or a string with a number.
func number(raw json.RawMessage) (n int, ok bool) {
	n, err := strconv.Atoi(strings.Trim(string(raw), `"`))
	return n, err == nil && n > 0
}

const (
	// cursorArgument is the argument that selects the next page of a list.
	cursorArgument = "cursor"
	// sectionArgument is the argument that selects a section of a record.
	sectionArgument = "section"
)
