// Package wording knows the words that say nothing about a subject. It knows no source and no tool.
package wording

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed generic.txt
var genericText string

// generic has the words of the language, and those that appear in texts about any person or study.
var generic = sync.OnceValue(func() (words []string) {
	for line := range strings.Lines(genericText) {
		if !strings.HasPrefix(line, "#") {
			words = append(words, strings.Fields(line)...)
		}
	}
	return words
})

// Generic reports whether a word in lower case says nothing about a subject: a generic one, its plural, or a number.
func Generic(word string) bool {
	return slices.Contains(generic(), word) || slices.Contains(generic(), strings.TrimSuffix(word, "s")) ||
		strings.Trim(word, "0123456789.") == ""
}

// Bare returns a word without the punctuation around it.
func Bare(word string) string { return strings.Trim(word, ".,;:!?'…") }
