// Package text reads the values of records as the mappers of all entities need them: clean texts, dates, ids and values of enumerations.
package text

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

// Clean returns a text of upstream without control characters and without space around it, its character references resolved.
func Clean(text string) string {
	for range 2 { // some are written twice: &amp;lt;
		if !strings.Contains(text, "&") {
			break
		}
		text = entityReference.ReplaceAllStringFunc(text, html.UnescapeString)
	}
	return strings.TrimSpace(entity.Clean(text))
}

// CURIE returns an id in the form of answers, or "" if a text is not an id of the kind.
func CURIE(kind *id.Kind, text string) string {
	if text = Clean(text); kind.Is(text) {
		return kind.CURIE(text)
	}
	return ""
}

// escape is a Markdown backslash escape.
var escape = lazyregexp.New("\\\\([!-/:-@\\[-`{-~])")

// CleanMarkup returns a text that ClinicalTrials.gov types as markup, cleaned and without backslash escapes (\> \[).
func CleanMarkup(text string) string {
	text = Clean(text)
	if !strings.Contains(text, `\`) {
		return text
	}
	return escape.ReplaceAllString(text, "$1")
}

// CleanAll returns cleaned texts without empty ones.
func CleanAll(texts []string) []string {
	return MapNonZero(texts, func(t *string) string { return Clean(*t) })
}

// Enum returns a value of an upstream enumeration as the type of an entity.
func Enum[To, From ~string](v From) To { return To(Clean(string(v))) }

// year matches the year at the beginning of every date, including partial ones.
var year = lazyregexp.New(`^[0-9]{4}`)

// Date returns a date as the registry writes it, yyyy, yyyy-MM or yyyy-MM-dd; "" for any other text.
func Date(text string) string {
	if text = Clean(text); year.MatchString(text) {
		return text
	}
	return ""
}

// NonZero returns a pointer to an object, or nil for a zero object.
func NonZero[T any](v T) *T {
	if reflect.ValueOf(v).IsZero() {
		return nil
	}
	return &v
}

// MapNonZero maps the items of a list and leaves out those that map to a zero value.
func MapNonZero[From, To any](given []From, read func(*From) To) []To {
	var out []To
	for i := range given {
		if v := NonZero(read(&given[i])); v != nil {
			out = append(out, *v)
		}
	}
	return out
}

// Enums returns values of an upstream enumeration as the type of an entity.
func Enums[To, From ~string](given []From) []To {
	return MapNonZero(given, func(v *From) To { return Enum[To](*v) })
}

// Distinct returns the cleaned texts, each once and none empty.
func Distinct(texts []string) []string { return entity.Once(CleanAll(texts)) }

// FirstNonEmpty returns the first text that is not empty.
func FirstNonEmpty(texts ...string) string {
	if all := CleanAll(texts); len(all) > 0 {
		return all[0]
	}
	return ""
}

// ErrIncomplete is the error for a record without the fields that every record has: id, title and status of a trial, id and organism of a
// gene, PMID of an article.
var ErrIncomplete = errors.New("the record lacks a fact that every record has")
