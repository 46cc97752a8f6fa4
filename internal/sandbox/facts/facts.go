// Package facts turns the plain facts files of the sandbox into its records:
// trials.yaml into studies in the shape in which ClinicalTrials.gov serves them,
// genes.yaml and articles.yaml into the facts from which the sandbox writes the
// answers of E-utilities.
//
// The files hold facts of the sources only: identifiers, names, dates, counts,
// places and codes. The sentences of a study are composed here and its people are
// invented, so that nobody's words and nobody's telephone number travel with the
// program; authors of articles are facts, their abstracts are our own words. The
// same file always gives the same bytes.
package facts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"

	"go.yaml.in/yaml/v3"
)

// Studies renders a facts file as one JSON record a line. It refuses a file that
// says anything it does not understand: a misspelt key would otherwise be a fact
// that silently never reaches a record.
func Studies(source []byte) ([]byte, error) {
	version, studies, err := read(source)
	if err != nil {
		return nil, fmt.Errorf("facts: %w", err)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false) // the upstream writes < and > as they are
	for _, s := range studies {
		if err := encoder.Encode(newRecord(version, s)); err != nil {
			return nil, fmt.Errorf("facts: study %s: %w", s.id, err)
		}
	}
	return out.Bytes(), nil
}

// read returns the version of the data set and its studies, in the file's order.
func read(source []byte) (string, []*study, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(source, &document); err != nil {
		return "", nil, err
	}
	if len(document.Content) != 1 {
		return "", nil, errors.New("the file is empty")
	}
	var version string
	var studies []*study
	known := keys{
		"version": one(&version, date(`^\d{4}-\d{2}-\d{2}$`)),
		"studies": list(&studies, parseStudy),
	}
	if err := known.decode(document.Content[0]); err != nil {
		return "", nil, err
	}
	if version == "" || len(studies) == 0 {
		return "", nil, errors.New("the file must have the keys version and studies")
	}
	return version, studies, unique(studies)
}

// unique refuses a number that stands for two studies, as an id or as an alias.
func unique(studies []*study) error {
	seen := map[string]string{}
	for _, s := range studies {
		for _, id := range append([]string{s.id}, s.aliases...) {
			if other, taken := seen[id]; taken {
				return fmt.Errorf("study %s: %w", s.id, at(s.line, "%s already belongs to study %s", id, other))
			}
			seen[id] = s.id
		}
	}
	return nil
}

// keys are the known keys of one mapping, each with what reads its value.
type keys map[string]func(*yaml.Node) error

// decode reads every key of a mapping and refuses unknown and repeated ones.
func (k keys) decode(node *yaml.Node) error {
	if node.Kind != yaml.MappingNode {
		return at(node.Line, "keys and values are expected here")
	}
	seen := map[string]bool{}
	for i := 0; i < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		parse, known := k[key.Value]
		switch {
		case !known:
			return at(key.Line, "unknown key %q", key.Value)
		case seen[key.Value]:
			return at(key.Line, "key %q stands twice", key.Value)
		}
		seen[key.Value] = true
		if err := parse(value); err != nil {
			return fmt.Errorf("%s: %w", key.Value, err)
		}
	}
	return nil
}

// lineError is a mistake in the facts file and the line on which it stands.
type lineError struct {
	line    int
	message string
}

func (e *lineError) Error() string { return fmt.Sprintf("line %d: %s", e.line, e.message) }

func at(line int, format string, args ...any) error {
	return &lineError{line, fmt.Sprintf(format, args...)}
}

// one reads a single value into target.
func one[T any](target *T, parse func(*yaml.Node) (T, error)) func(*yaml.Node) error {
	return func(node *yaml.Node) (err error) {
		*target, err = parse(node)
		return err
	}
}

// list reads a sequence of values into target. An empty one is refused: absent is
// said by leaving the key out.
func list[T any](target *[]T, parse func(*yaml.Node) (T, error)) func(*yaml.Node) error {
	return func(node *yaml.Node) error {
		if node.Kind != yaml.SequenceNode || len(node.Content) == 0 {
			return at(node.Line, "a list of at least one item is expected here")
		}
		for _, item := range node.Content {
			value, err := parse(item)
			if err != nil {
				return err
			}
			*target = append(*target, value)
		}
		return nil
	}
}

// matching reads text of one form.
func matching(pattern, form string) func(*yaml.Node) (string, error) {
	expression := regexp.MustCompile(pattern)
	return func(node *yaml.Node) (string, error) {
		value, err := text(node)
		if err == nil && !expression.MatchString(value) {
			err = at(node.Line, "%q is not %s", value, form)
		}
		return value, err
	}
}
