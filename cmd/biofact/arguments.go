package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

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
