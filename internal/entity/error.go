package entity

import (
	"errors"
	"strings"
)

// Code is one of the six error codes. The set is closed.
type Code string

// The error codes.
const (
	// UnresolvedEntity: words, or an id of another kind, given to a strict tool.
	UnresolvedEntity Code = "UNRESOLVED_ENTITY"
	// EntityNotFound: a well-formed id without a record.
	EntityNotFound Code = "ENTITY_NOT_FOUND"
	// AmbiguousQuery: a search text that cannot tell anything apart.
	AmbiguousQuery Code = "AMBIGUOUS_QUERY"
	// RateLimited: the request budget cannot serve the call in its time.
	RateLimited Code = "RATE_LIMITED"
	// UpstreamError: the source failed or answered nonsense.
	UpstreamError Code = "UPSTREAM_ERROR"
	// InvalidInput: any other bad argument.
	InvalidInput Code = "INVALID_INPUT"
)

// Codes lists the closed set.
func Codes() []Code {
	return []Code{UnresolvedEntity, EntityNotFound, AmbiguousQuery, RateLimited, UpstreamError, InvalidInput}
}

// ErrTooLarge is in the chain of the error of a source's answer that is larger
// than any real one. The next answer would be as large.
var ErrTooLarge = errors.New("the answer is larger than any real one")

// Error is the only error that reaches a client. It is made where the cause
// is known; Message, Hint and Input are shown, Cause never is.
type Error struct {
	Code    Code
	Message string // what is wrong, in one sentence
	Hint    string // the next call to make, in words that an agent can follow
	Input   string // what the caller gave, where that is the cause
	Cause   error  // for the log only
}

// Error returns the code and the message.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// AsError finds the Error in err's chain. Any other error becomes an
// UPSTREAM_ERROR that says nothing of its text.
func AsError(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return &Error{
		Code:    UpstreamError,
		Message: "The answer could not be made.",
		Hint:    "Make the same call again once. If it fails again, the fault is not in the arguments: go on without this fact.",
		Cause:   err,
	}
}

// ErrorEnvelope is how an error goes out.
type ErrorEnvelope struct {
	// Always false.
	Success bool `json:"success" jsonschema:"enum=false"`
	// What went wrong and how to go on.
	Error ErrorDetails `json:"error"`
}

// ErrorDetails is the body of an ErrorEnvelope.
type ErrorDetails struct {
	// One of the closed codes.
	Code Code `json:"code"`
	// What is wrong.
	Message string `json:"message" jsonschema:"minLength=1"`
	// How to go on: names the next tool call.
	RecoveryHint string `json:"recovery_hint" jsonschema:"minLength=1"`
	// The argument value that caused the error.
	InvalidInput string `json:"invalid_input,omitempty" jsonschema:"minLength=1"`
}

// maxInput bounds the echo of what the caller gave.
const maxInput = 200

// Envelope renders the error.
func (e *Error) Envelope() ErrorEnvelope {
	return ErrorEnvelope{Error: ErrorDetails{
		Code: e.Code, Message: Clean(e.Message), RecoveryHint: Clean(e.Hint),
		InvalidInput: Cut(strings.TrimSpace(Clean(e.Input)), maxInput),
	}}
}

// MarshalJSON writes the envelope as it goes out.
func (e ErrorEnvelope) MarshalJSON() ([]byte, error) {
	type envelope ErrorEnvelope
	return marshal(envelope(e))
}
