package mapping

import (
	"reflect"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// clean is every text field of an upstream as it goes into an entity: cleaned
// of control characters, without space around.
func clean(text string) string { return strings.TrimSpace(entity.Clean(text)) }

// curie returns an id in the form of answers, or "" for what is no id of its kind.
func curie(kind *id.Kind, text string) string {
	if text = clean(text); kind.Is(text) {
		return kind.CURIE(text)
	}
	return ""
}

// escape is a Markdown backslash escape.
var escape = lazyregexp.New("\\\\([!-/:-@\\[-`{-~])")

// cleanMarkup is plain for the fields that ClinicalTrials.gov types as markup: its
// backslash escapes (\> \[) are undone.
func cleanMarkup(text string) string {
	text = clean(text)
	if !strings.Contains(text, `\`) {
		return text
	}
	return escape.ReplaceAllString(text, "$1")
}

func cleanAll(texts []string) []string {
	return mapNonZero(texts, func(t *string) string { return clean(*t) })
}

// enumValue is a value of an upstream's enumeration as an entity has it.
func enumValue[To, From ~string](v From) To { return To(clean(string(v))) }

// year begins every date, partial ones too.
var year = lazyregexp.New(`^[0-9]{4}`)

// date is a date as the registry has it, yyyy, yyyy-MM or yyyy-MM-dd; "" for
// what is none.
func date(text string) string {
	if text = clean(text); year.MatchString(text) {
		return text
	}
	return ""
}

// nonZero returns nil for an object without anything in it.
func nonZero[T any](v T) *T {
	if reflect.ValueOf(v).IsZero() {
		return nil
	}
	return &v
}

// mapNonZero maps the items of a list, without those that come to nothing.
func mapNonZero[From, To any](given []From, read func(*From) To) []To {
	var out []To
	for i := range given {
		if v := nonZero(read(&given[i])); v != nil {
			out = append(out, *v)
		}
	}
	return out
}

// enumValues are the values of an upstream's enumeration as an entity has them.
func enumValues[To, From ~string](given []From) []To {
	return mapNonZero(given, func(v *From) To { return enumValue[To](*v) })
}
