package mapping

import (
	"errors"
	"html"
	"reflect"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// entityReference matches a character reference of HTML, such as &lt; or &#39;. Some senders left them in their texts.
var entityReference = lazyregexp.New(`&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});`)

// clean returns a text of upstream without control characters and without space around it, its character references resolved.
func clean(text string) string {
	for range 2 { // some are written twice: &amp;lt;
		if !strings.Contains(text, "&") {
			break
		}
		text = entityReference.ReplaceAllStringFunc(text, html.UnescapeString)
	}
	return strings.TrimSpace(entity.Clean(text))
}

// curie returns an id in the form of answers, or "" if a text is not an id of the kind.
func curie(kind *id.Kind, text string) string {
	if text = clean(text); kind.Is(text) {
		return kind.CURIE(text)
	}
	return ""
}

// escape is a Markdown backslash escape.
var escape = lazyregexp.New("\\\\([!-/:-@\\[-`{-~])")

// cleanMarkup returns a text that ClinicalTrials.gov types as markup, cleaned and without backslash escapes (\> \[).
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

// enumValue returns a value of an upstream enumeration as the type of an entity.
func enumValue[To, From ~string](v From) To { return To(clean(string(v))) }

// year matches the year at the beginning of every date, including partial ones.
var year = lazyregexp.New(`^[0-9]{4}`)

// date returns a date as the registry writes it, yyyy, yyyy-MM or yyyy-MM-dd; "" for any other text.
func date(text string) string {
	if text = clean(text); year.MatchString(text) {
		return text
	}
	return ""
}

// nonZero returns a pointer to an object, or nil for a zero object.
func nonZero[T any](v T) *T {
	if reflect.ValueOf(v).IsZero() {
		return nil
	}
	return &v
}

// mapNonZero maps the items of a list and leaves out those that map to a zero value.
func mapNonZero[From, To any](given []From, read func(*From) To) []To {
	var out []To
	for i := range given {
		if v := nonZero(read(&given[i])); v != nil {
			out = append(out, *v)
		}
	}
	return out
}

// enumValues returns values of an upstream enumeration as the type of an entity.
func enumValues[To, From ~string](given []From) []To {
	return mapNonZero(given, func(v *From) To { return enumValue[To](*v) })
}

// distinct returns the cleaned texts, each once and none empty.
func distinct(texts []string) []string { return entity.Once(cleanAll(texts)) }

// firstNonEmpty returns the first text that is not empty.
func firstNonEmpty(texts ...string) string {
	if all := cleanAll(texts); len(all) > 0 {
		return all[0]
	}
	return ""
}

// ErrIncomplete is the error for a record without the fields that every record has: id, title and status of a trial, id and organism of a
// gene, PMID of an article.
var ErrIncomplete = errors.New("the record lacks a fact that every record has")
