package toolgen

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// ToolWords are the words of words.yaml about a tool or about shared filters.
type ToolWords struct {
	Also      []string `yaml:"also"`       // other names of the tool
	InsteadOf []string `yaml:"instead_of"` // names of tools that Biofact does not have

	// Elsewhere maps an argument of another tool to the argument names that belong to it: search_genes.query: [symbol].
	// A name with a plus sign, such as +gene, only adds its words to those of the others.
	Elsewhere map[string][]string `yaml:"elsewhere"`

	Args yaml.Node `yaml:"args"`
}

// ArgumentWords are the words of words.yaml about an argument, or about a field of one.
type ArgumentWords struct {
	Also      []string            `yaml:"also"`       // other names of the argument
	InsteadOf []string            `yaml:"instead_of"` // names of arguments whose values this one does not accept
	Tags      map[string][]string `yaml:"tags"`       // field tags of a query that correspond to an argument: au: [author]
	Means     map[string][]string `yaml:"means"`      // words that people write for values: vus: [uncertain_significance]
	Imprecise map[string][]string `yaml:"imprecise"`  // words, each with a value that means more or less, and the difference
	Unclear   map[string][]string `yaml:"unclear"`    // words, each with the values that it may mean
	Direction string              `yaml:"direction"`  // argument for the direction that a sort key may have: start_date:asc
	Answered  map[string]string   `yaml:"answered"`   // calls that answer words that are no choices: results: 'get_trial_results {...}'
	FieldsOf  yaml.Node           `yaml:"fields"`
}

// dictionary has the entries of words.yaml.
type dictionary struct {
	hosts   []string
	entries map[string]*yaml.Node // by name of a tool, of filters, and "everywhere"
	used    map[*yaml.Node]bool
}

// wordsError returns a mistake in words.yaml.
func wordsError(line int, format string, args ...any) error {
	return fmt.Errorf("words.yaml:%d: %w", line, fmt.Errorf(format, args...))
}

// everywhere is the entry of the words of arguments that several tools have.
const everywhere = "everywhere"

// readWords reads words.yaml, which may be empty.
func readWords(document []byte) (*dictionary, error) {
	d := &dictionary{entries: map[string]*yaml.Node{}, used: map[*yaml.Node]bool{}}
	var root yaml.Node
	if err := yaml.NewDecoder(bytes.NewReader(document)).Decode(&root); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("words.yaml: %w", err)
	}
	if len(root.Content) == 0 {
		return d, nil
	}
	if root.Content[0].Kind != yaml.MappingNode {
		return nil, wordsError(1, "the document must map tools to their words")
	}
	for pair := range slices.Chunk(root.Content[0].Content, 2) {
		name, node := pair[0].Value, pair[1]
		if name == "hosts" {
			if err := node.Decode(&d.hosts); err != nil {
				return nil, fmt.Errorf("words.yaml: %w", err)
			}
			continue
		}
		if d.entries[name] != nil {
			return nil, wordsError(pair[0].Line, "%s: a second entry of this name", name)
		}
		if err := onlyIn[ToolWords](node, name); err != nil && name != everywhere {
			return nil, err
		}
		d.entries[name] = node
	}
	return d, nil
}

// onlyIn checks the keys of a node of words.yaml.
func onlyIn[T any](n *yaml.Node, what string) error {
	if err := onlyKeys[T](n, what); err != nil {
		return errors.New(strings.Replace(err.Error(), "tools.yaml", "words.yaml", 1))
	}
	return nil
}

// ofTool returns the words of a tool or of filters, without those of arguments.
func (d *dictionary) ofTool(name string) (w ToolWords, line int, err error) {
	node := d.entries[name]
	if node == nil {
		return w, 0, nil
	}
	d.used[node] = true
	if err := node.Decode(&w); err != nil {
		return w, 0, fmt.Errorf("words.yaml: %w", err)
	}
	return w, node.Line, nil
}

// ofArgument returns the words of an argument of a tool or of filters, or those that it has everywhere.
func (d *dictionary) ofArgument(owner, name string) (ArgumentWords, int, error) {
	for _, args := range []*yaml.Node{argsOf(d.entries[owner]), d.entries[everywhere]} {
		if args == nil {
			continue
		}
		if node := child(args, name); node != nil {
			return d.decode(owner, name, node)
		}
	}
	return ArgumentWords{}, 0, nil
}

func argsOf(entry *yaml.Node) *yaml.Node {
	if entry == nil {
		return nil
	}
	return child(entry, "args")
}

func (d *dictionary) decode(owner, name string, node *yaml.Node) (w ArgumentWords, line int, err error) {
	d.used[node] = true
	if err := onlyIn[ArgumentWords](node, owner+": argument "+name); err != nil {
		return w, 0, err
	}
	if err := node.Decode(&w); err != nil {
		return w, 0, fmt.Errorf("words.yaml: %w", err)
	}
	return w, node.Line, nil
}

// describe sets the words of an argument and of its fields, and checks that they lead to values of the argument.
func (d *dictionary) describe(owner string, a *Argument) error {
	words, line, err := d.ofArgument(owner, a.Name)
	if err != nil {
		return err
	}
	return d.set(owner, a, words, line)
}

func (d *dictionary) set(owner string, a *Argument, words ArgumentWords, line int) error {
	a.ArgumentWords, a.wordsLine = words, line
	if err := a.checkWords(); err != nil {
		return wordsError(line, "%s: argument %s: %w", owner, a.Name, err)
	}
	if words.FieldsOf.Kind == 0 {
		return nil
	}
	for pair := range slices.Chunk(words.FieldsOf.Content, 2) {
		i := slices.IndexFunc(a.Fields, func(f Argument) bool { return f.Name == pair[0].Value })
		if i < 0 {
			return wordsError(pair[0].Line, "%s: argument %s has no field %s", owner, a.Name, pair[0].Value)
		}
		inner, at, err := d.decode(owner, pair[0].Value, pair[1])
		if err == nil {
			err = d.set(owner, &a.Fields[i], inner, at)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// unread returns an error for an entry that belongs to no tool, or to no argument of its tool.
func (d *dictionary) unread() error {
	for name, node := range d.entries {
		args := node
		if name != everywhere {
			if !d.used[node] {
				return wordsError(node.Line, "%s: tools.yaml has no such tool", name)
			}
			if args = child(node, "args"); args == nil {
				continue
			}
		}
		for pair := range slices.Chunk(args.Content, 2) {
			if !d.used[pair[1]] {
				return wordsError(pair[0].Line, "%s: no argument %s", name, pair[0].Value)
			}
		}
	}
	return nil
}
