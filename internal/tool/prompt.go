package tool

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// A Prompt is a plan of calls, which a client offers to people by its name.
type Prompt struct {
	Name        string
	Title       string
	Description string
	Toolsets    []string // of the tools that it calls
	Arguments   []PromptArgument
	Steps       []PromptStep
	Finally     string // final instruction about the answers
}

// A PromptArgument is a text that a person enters for a prompt.
type PromptArgument struct {
	Name        string
	Description string
	Required    bool
	Example     string
	Default     string
	Choices     []string // the only values
	Pattern     string   // that the text must match
	Form        string   // description of such a text, for messages
	Needs       string   // an argument before this one, without which it has no effect
}

// A PromptStep is one call of a plan.
type PromptStep struct {
	Say  string
	Tool string
	With []PromptValue
}

// A PromptValue is an argument of a call: JSON in which {name} is replaced by an argument of the prompt, and <1.items[0].id> refers to a
// value of an earlier answer.
type PromptValue struct{ Name, JSON string }

// maxPromptText limits an argument of a prompt.
const maxPromptText = 300

// Check returns an error if the arguments of a prompt are invalid.
func (p *Prompt) Check(given map[string]string) error {
	_, err := p.read(given)
	return err
}

// Text returns the plan with the arguments inserted.
func (p *Prompt) Text(given map[string]string) (string, error) {
	values, err := p.read(given)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	out.WriteString(p.Description)
	for i := range p.Arguments {
		if value := values[p.Arguments[i].Name]; value != "" {
			out.WriteString("\n" + p.Arguments[i].Name + ": " + value)
		}
	}
	out.WriteString("\n\nMake these calls in this order. <1.items[0].id> stands for the value at that place in the answer to call 1. " +
		"Read the notices of each answer. Where a call is answered with success:false, follow its recovery_hint.\n")
	for i, step := range p.Steps {
		fmt.Fprintf(&out, "\n%d. %s\n%s %s\n", i+1, step.Say, step.Tool, step.call(values))
	}
	out.WriteString("\n" + p.Finally + "\n")
	return out.String(), nil
}

// read returns the arguments, checked and cleaned, with defaults.
func (p *Prompt) read(given map[string]string) (map[string]string, error) {
	for name := range given {
		if !slices.ContainsFunc(p.Arguments, func(a PromptArgument) bool { return a.Name == name }) {
			return nil, fmt.Errorf("%s has no argument %s; it takes %s", p.Name, entity.Cut(entity.Clean(name), 60), p.argumentNames())
		}
	}
	values := map[string]string{}
	for i := range p.Arguments {
		a := &p.Arguments[i]
		text := cmp.Or(strings.Join(strings.Fields(entity.Clean(given[a.Name])), " "), a.Default)
		if text == "" && a.Required {
			return nil, fmt.Errorf("%s: is required and was not given, such as %s", a.Name, a.Example)
		}
		if text == "" {
			continue
		}
		value, err := a.value(text)
		if err != nil {
			return nil, err
		}
		if a.Needs != "" && values[a.Needs] == "" {
			return nil, fmt.Errorf("%s: needs %s, which was not given", a.Name, a.Needs)
		}
		values[a.Name] = value
	}
	return values, nil
}

func (a *PromptArgument) value(text string) (string, error) {
	shown := entity.Cut(text, 80)
	if n := utf8.RuneCountInString(text); n > maxPromptText {
		return "", fmt.Errorf("%s: takes at most %d characters, got %d", a.Name, maxPromptText, n)
	}
	if len(a.Choices) > 0 {
		i := slices.IndexFunc(a.Choices, func(c string) bool { return strings.EqualFold(c, text) })
		if i < 0 {
			return "", fmt.Errorf("%s: must be one of %s, was %q", a.Name, strings.Join(a.Choices, ", "), shown)
		}
		return a.Choices[i], nil
	}
	if a.Pattern != "" && !lazyregexp.New(a.Pattern).MatchString(text) {
		return "", fmt.Errorf("%s: must be %s, such as %s, was %q", a.Name, a.Form, a.Example, shown)
	}
	return text, nil
}

func (p *Prompt) argumentNames() string {
	var names []string
	for i := range p.Arguments {
		names = append(names, p.Arguments[i].Name)
	}
	return strings.Join(names, ", ")
}

// About returns the description with the values that the argument accepts.
func (a *PromptArgument) About() string {
	switch {
	case len(a.Choices) > 0:
		return a.Description + ": " + strings.Join(a.Choices, ", ")
	case a.Default != "":
		return a.Description + "; " + a.Default + " if not given"
	}
	return a.Description + ", such as " + a.Example
}

// ExampleArguments returns the required arguments with their examples.
func (p *Prompt) ExampleArguments() string {
	example := map[string]any{}
	for i := range p.Arguments {
		if a := &p.Arguments[i]; a.Required {
			example[a.Name] = a.Example
		}
	}
	return Show(example)
}

// call returns the arguments of a step as JSON. It omits an argument whose prompt argument was not given.
func (s *PromptStep) call(values map[string]string) string {
	var parts []string
	for _, v := range s.With {
		if text := fillJSON(v.JSON, values); text != "" {
			parts = append(parts, quote(v.Name)+":"+text)
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

var promptMark = lazyregexp.New(`\{([a-z][A-Za-z0-9_]*)\}`)

// fill inserts arguments into a text; an argument that was not given is replaced by nothing.
func fill(text string, values map[string]string) string {
	text = promptMark.ReplaceAllStringFunc(text, func(mark string) string { return values[mark[1:len(mark)-1]] })
	return strings.Join(strings.Fields(text), " ")
}

// fillJSON inserts arguments into a JSON text. It returns "" if the result is empty.
func fillJSON(text string, values map[string]string) string {
	if rest, isList := strings.CutPrefix(text, "["); isList {
		if inner := fillJSON(strings.TrimSuffix(rest, "]"), values); inner != "" {
			return "[" + inner + "]"
		}
		return ""
	}
	var template string
	if !promptMark.MatchString(text) || json.Unmarshal([]byte(text), &template) != nil {
		return text // the generator allows marks only in strings
	}
	if out := fill(template, values); out != "" {
		return quote(out)
	}
	return ""
}

// quote returns a text as JSON.
func quote(text string) string {
	out, err := entity.JSON(text)
	if err != nil {
		return `""`
	}
	return string(out)
}
