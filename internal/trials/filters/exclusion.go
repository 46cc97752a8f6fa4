package filters

import (
	"strings"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/tool"
)

var (
	signBefore = lazyregexp.New(`^\s*[-!−–]\s*[\pL\pN]`)
	wordBefore = lazyregexp.New(`(?i)^\s*(?:[-!−–]+|(?:not|non|no|never|without|except|excluding|exclude|anything but|all but|other than)[\s-]+)\s*`)
)

// startsWithSign reports whether a sign precedes a value. In many search languages the sign excludes the value.
func startsWithSign(text string) bool { return signBefore.MatchString(text) }

// excludes returns the value that a text such as -completed or "not completed" excludes.
func excludes(text string) (value string, ok bool) {
	before := wordBefore.FindString(text)
	return text[len(before):], before != ""
}

// exclusionError returns the error for a value that the caller excludes. others are the values that remain.
func exclusionError(argument, word string, others []string) error {
	return Misread{Argument: argument, Text: word, Reason: TheText + " excludes, but " + argument + " takes the values to include",
		Again: "with all others: " + tool.Object(argument, others)}
}

// placeholders are words that mean no particular value.
var placeholders = map[string]bool{
	"all": true, "any": true, "anything": true, "everything": true, "none": true, "null": true, "nil": true, "undefined": true,
}

// isPlaceholder reports whether a text means any value or no value.
func isPlaceholder(text string) bool {
	return placeholders[strings.ToLower(strings.Trim(strings.TrimSpace(text), `"'<>*`))]
}

// placeholderError returns the error for a word that means no particular value.
func placeholderError(argument, word string) error {
	return Misread{Argument: argument, Text: word, Reason: TheText + " does not name a particular value",
		Again: "with " + tool.Object(argument, nil) + ", or with a value"}
}
