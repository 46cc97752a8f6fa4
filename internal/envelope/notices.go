package envelope

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// CutNotice returns the notice about a page that ends before its size, because the answer would be too large.
func CutNotice(fits int, what string) string {
	return fmt.Sprintf("The answer was cut to %d %s to stay within its size; the next page continues from there.", fits, what)
}

// Quoted returns a value in quotation marks for a message, cut to 80 characters.
func Quoted(text string) string { return `"` + entity.Cut(text, 80) + `"` }

// lowercaseOr matches an "or" that Entrez reads as a word.
var lowercaseOr = lazyregexp.New(`\s+(?:or|Or)\s+`)

// LowercaseOrNotice returns a notice that an "or" in small letters is not an operator, with the query that finds either side. It returns
// nil for a text without such an "or".
func LowercaseOrNotice(toolName, argument, text string) []string {
	if strings.ContainsAny(text, `"[]()`) || !lowercaseOr.MatchString(text) {
		return nil
	}
	return []string{argument + `: "or" in small letters is only a word, so that both sides had to match. To find either of them call ` +
		toolName + " again with " + tool.Object(argument, lowercaseOr.ReplaceAllString(text, " OR ")) + "."}
}

// EnglishAdvice returns the advice to search in English for a text in another script, and "" for other texts.
func EnglishAdvice(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsLetter(r) && !unicode.In(r, unicode.Latin, unicode.Greek, unicode.Common)
	}) {
		return " NCBI is searched in English: translate the words."
	}
	return ""
}
