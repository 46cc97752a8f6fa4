package service

import (
	"fmt"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/tool"
)

var (
	signBefore = lazyregexp.New(`^\s*[-!−–]\s*[\pL\pN]`)
	wordBefore = lazyregexp.New(`(?i)^\s*(?:[-!−–]+|(?:not|non|no|never|without|except|excluding|exclude|anything but|all but|other than)[\s-]+)\s*`)
)

// startsWithSign reports whether a sign stands before a value, which many
// search languages exclude by it.
func startsWithSign(text string) bool { return signBefore.MatchString(text) }

// excludes returns the value of a text such as -completed or "not completed".
func excludes(text string) (value string, ok bool) {
	before := wordBefore.FindString(text)
	return text[len(before):], before != ""
}

// exclusion refuses a value that is to be excluded; others are those that are
// left.
func exclusion(caller, argument, word string, others []string) *entity.Error {
	return &entity.Error{
		Code:    entity.InvalidInput,
		Message: fmt.Sprintf("%s: %s excludes, but %s takes the values to include.", argument, quoted(word), argument),
		Hint:    "Call " + caller + " again with all others: " + tool.Object(argument, others) + ".",
		Input:   word,
	}
}

// placeholders are words that stand for no value.
var placeholders = map[string]bool{
	"all": true, "any": true, "anything": true, "everything": true, "none": true, "null": true, "nil": true, "undefined": true,
}

// isPlaceholder reports whether a text stands for any value or none.
func isPlaceholder(text string) bool {
	return placeholders[strings.ToLower(strings.Trim(strings.TrimSpace(text), `"'<>*`))]
}

// placeholder refuses a word that stands for no value.
func placeholder(caller, argument, word string) *entity.Error {
	return &entity.Error{
		Code:    entity.InvalidInput,
		Message: fmt.Sprintf("%s: %s is no value of its own.", argument, quoted(word)),
		Hint: fmt.Sprintf("Leave %s out: call %s with the other arguments alone, such as %s.", argument, caller,
			tool.Object(example(argument))),
		Input: word,
	}
}

// example is a call that has another argument.
func example(besides string) (argument, value string) {
	if besides == "condition" {
		return "intervention", "nivolumab"
	}
	return "condition", "melanoma"
}
