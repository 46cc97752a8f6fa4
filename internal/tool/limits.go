package tool

import (
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// maxArguments limits the arguments of a call in bytes: the longest text that an argument takes, with every character escaped.
const maxArguments = 256 << 10

// argumentsTooLong returns the error of arguments that are too long to be read. It names the longest one.
func (t *Tool) argumentsTooLong(raw json.RawMessage) *entity.Error {
	var given map[string]json.RawMessage
	if json.Unmarshal(raw, &given) == nil {
		for _, a := range t.Arguments {
			text := ""
			if len(given[a.Name]) > maxArguments/2 && json.Unmarshal(given[a.Name], &text) == nil && a.MaxLength > 0 {
				return t.textTooLong(a, utf8.RuneCountInString(text), text)
			}
		}
	}
	longest := ""
	for name, value := range given {
		if len(value) > len(given[longest]) || len(value) == len(given[longest]) && name < longest {
			longest = name
		}
	}
	e := &entity.Error{
		Code:    entity.InvalidInput,
		Message: fmt.Sprintf("The arguments of %s have %d bytes, at most %d can be read.", t.Name, len(raw), maxArguments),
		Hint:    "Call " + t.Name + " again with shorter arguments.",
	}
	if i := slices.IndexFunc(t.Arguments, func(a Argument) bool { return a.Name == longest }); i >= 0 {
		e.Message = fmt.Sprintf("%s: has %d bytes, all arguments of %s together at most %d.", longest, len(given[longest]), t.Name,
			maxArguments)
		e.Hint, e.Input = t.formHint(longest), longest
	}
	return e
}

// textTooLong returns the error of a text that is longer than its argument allows.
func (t *Tool) textTooLong(a Argument, length int, text string) *entity.Error {
	e := t.invalid(a.Name, fmt.Sprintf("has %d characters, at most %d are accepted", length, a.MaxLength), "",
		fmt.Sprintf("Call %s again with %s shortened to %d characters: the words that matter most.", t.Name, a.Name, a.MaxLength))
	e.Input = entity.Cut(text, 100)
	return e
}
