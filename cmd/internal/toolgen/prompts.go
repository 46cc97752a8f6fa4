package toolgen

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A Prompt is a named plan of calls.
type Prompt struct {
	Name        string           `yaml:"prompt"`
	Title       string           `yaml:"title"`
	Description string           `yaml:"description"`
	Args        []PromptArgument `yaml:"-"`
	Steps       []PromptStep     `yaml:"-"`
	Toolsets    []string         `yaml:"-"` // toolsets of the tools that it calls

	ArgNodes  []yaml.Node `yaml:"args"`
	StepNodes []yaml.Node `yaml:"steps"`
	Finally   string      `yaml:"finally"`
}

// A PromptArgument is an argument of a prompt.
type PromptArgument struct {
	Name        string   `yaml:"name"`
	Description string   `yaml:"description"`
	Required    bool     `yaml:"required"`
	Example     string   `yaml:"example"`
	Default     string   `yaml:"default"`
	Choices     []string `yaml:"choices"`
	Pattern     string   `yaml:"pattern"`
	Form        string   `yaml:"form"`
	Needs       string   `yaml:"needs"` // earlier argument that is required with this one
}

// A PromptStep is one call of a plan.
type PromptStep struct {
	Say  string  `yaml:"say"`
	Call string  `yaml:"call"`
	With Example `yaml:"with"`
}

var (
	promptMark      = regexp.MustCompile(`\{([^{}]*)\}`)
	promptReference = regexp.MustCompile(`<([0-9]+)\.[^<>]+>`)
)

// prompt parses an entry that is a prompt. Its tools must be defined before it.
func (p *parser) prompt(n *yaml.Node) error {
	if err := onlyKeys[Prompt](n, "a prompt"); err != nil {
		return err
	}
	for _, key := range []string{"args", "steps"} {
		if err := listOf(n, key); err != nil {
			return err
		}
	}
	prompt := &Prompt{}
	if err := n.Decode(prompt); err != nil {
		return fmt.Errorf("tools.yaml: %w", err)
	}
	if !validName.MatchString(prompt.Name) {
		return mistake(n.Line, "prompt %q: want letters, digits and underscores, a small letter first", prompt.Name)
	}
	for key, text := range map[string]string{"title": prompt.Title, "description": prompt.Description, "finally": prompt.Finally} {
		if text == "" {
			return mistake(n.Line, "%s: %s is missing", prompt.Name, key)
		}
	}
	if slices.ContainsFunc(p.Prompts, func(other *Prompt) bool { return other.Name == prompt.Name }) {
		return mistake(n.Line, "%s: a second prompt of this name", prompt.Name)
	}
	for i := range prompt.ArgNodes {
		if err := prompt.argument(&prompt.ArgNodes[i]); err != nil {
			return mistake(prompt.ArgNodes[i].Line, "%s: %w", prompt.Name, err)
		}
	}
	for i := range prompt.StepNodes {
		if err := prompt.step(&prompt.StepNodes[i], p.Tools); err != nil {
			return mistake(prompt.StepNodes[i].Line, "%s: call %d: %w", prompt.Name, i+1, err)
		}
	}
	if len(prompt.Steps) == 0 {
		return mistake(n.Line, "%s: steps are missing", prompt.Name)
	}
	p.Prompts = append(p.Prompts, prompt)
	return prompt.checkUsed(n)
}

func (p *Prompt) argument(n *yaml.Node) error {
	if err := onlyKeys[PromptArgument](n, "an argument of a prompt"); err != nil {
		return err
	}
	var a PromptArgument
	if err := n.Decode(&a); err != nil {
		return err
	}
	switch _, err := regexp.Compile(a.Pattern); {
	case !validName.MatchString(a.Name):
		return fmt.Errorf("argument %q: want letters, digits and underscores, a small letter first", a.Name)
	case a.Description == "" || a.Example == "" && len(a.Choices) == 0:
		return fmt.Errorf("argument %s: it needs a description, and an example or choices", a.Name)
	case err != nil:
		return fmt.Errorf("argument %s: pattern: %w", a.Name, err)
	case (a.Pattern == "") != (a.Form == ""):
		return fmt.Errorf("argument %s: pattern and form go together", a.Name)
	case a.Pattern != "" && !regexp.MustCompile(a.Pattern).MatchString(a.Example):
		return fmt.Errorf("argument %s: the example does not match the pattern", a.Name)
	}
	if a.Needs != "" && !slices.ContainsFunc(p.Args, func(other PromptArgument) bool { return other.Name == a.Needs }) {
		return fmt.Errorf("argument %s: needs: no argument %s is defined above it", a.Name, a.Needs)
	}
	p.Args = append(p.Args, a)
	return nil
}

func (p *Prompt) step(n *yaml.Node, tools []*Tool) error {
	if err := onlyKeys[PromptStep](n, "a step"); err != nil {
		return err
	}
	var step PromptStep
	if err := n.Decode(&step); err != nil {
		return err
	}
	i := slices.IndexFunc(tools, func(t *Tool) bool { return t.Name == step.Call })
	if i < 0 {
		return fmt.Errorf("no tool %s is defined above", step.Call)
	}
	if step.Say == "" {
		return errors.New("say is missing")
	}
	for _, given := range step.With {
		if !slices.ContainsFunc(tools[i].Args, func(a Argument) bool { return a.Name == given.Name }) {
			return fmt.Errorf("%s has no argument %s", step.Call, given.Name)
		}
		if err := p.checkValue(given.Value); err != nil {
			return fmt.Errorf("%s: %w", given.Name, err)
		}
	}
	if !slices.Contains(p.Toolsets, tools[i].Toolset) {
		p.Toolsets = append(p.Toolsets, tools[i].Toolset)
	}
	p.Steps = append(p.Steps, step)
	return nil
}

func (p *Prompt) checkValue(value any) error {
	if list, isList := value.([]any); isList && len(list) == 1 {
		return p.checkValue(list[0])
	}
	text, isText := value.(string)
	if !isText {
		if encoded, err := json.Marshal(value); err != nil || promptMark.MatchString(strings.Trim(string(encoded), "{}")) {
			return errors.New("{name} is valid in texts only")
		}
		return nil
	}
	for _, m := range promptMark.FindAllStringSubmatch(text, -1) {
		if !slices.ContainsFunc(p.Args, func(a PromptArgument) bool { return a.Name == m[1] }) {
			return fmt.Errorf("the prompt has no argument %s", m[1])
		}
	}
	for _, m := range promptReference.FindAllStringSubmatch(text, -1) {
		if call, err := strconv.Atoi(m[1]); err != nil || call < 1 || call > len(p.Steps) {
			return fmt.Errorf("%s names no earlier call", m[0])
		}
	}
	return nil
}

// checkUsed reports arguments that no call uses.
func (p *Prompt) checkUsed(n *yaml.Node) error {
	for _, a := range p.Args {
		used := slices.ContainsFunc(p.Steps, func(s PromptStep) bool {
			return slices.ContainsFunc(s.With, func(v ExampleValue) bool {
				return strings.Contains(fmt.Sprint(v.Value), "{"+a.Name+"}")
			})
		})
		if !used {
			return mistake(n.Line, "%s: no call uses the argument %s", p.Name, a.Name)
		}
	}
	return nil
}

// JSON returns the value as JSON.
func (v ExampleValue) JSON() (string, error) {
	text, err := json.Marshal(v.Value)
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(text)), err
}
