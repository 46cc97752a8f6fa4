package envelope

import (
	"fmt"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// A Refusal is an error without a hint. Again and Hint add the hint and return the error.
type Refusal struct{ refused entity.Error }

// Refuse returns an INVALID_INPUT with the value of an argument and the message "argument: reason.", or "reason." for no argument.
func Refuse(argument, value, reason string, details ...any) Refusal {
	message := fmt.Sprintf(reason, details...) + "."
	if argument != "" {
		message = argument + ": " + message
	}
	return Refusal{entity.Error{Code: entity.InvalidInput, Message: message, Input: value}}
}

// As returns the refusal with another code.
func (r Refusal) As(code entity.Code) Refusal {
	r.refused.Code = code
	return r
}

// Hint returns the error with a hint.
func (r Refusal) Hint(hint string, details ...any) *entity.Error {
	r.refused.Hint = fmt.Sprintf(hint, details...)
	return &r.refused
}

// Again returns the error with the hint to call a tool again in some way, such as "with %s".
func (r Refusal) Again(tool, how string, details ...any) *entity.Error {
	return r.Hint("Call %s again %s.", tool, fmt.Sprintf(how, details...))
}
