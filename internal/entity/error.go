package entity

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Code is one of the six error codes. The set is closed.
type Code string

// The error codes.
const (
	// UnresolvedEntity: a strict tool got words, or an id of another kind.
	UnresolvedEntity Code = "UNRESOLVED_ENTITY"
	// EntityNotFound: a well-formed id without a record.
	EntityNotFound Code = "ENTITY_NOT_FOUND"
	// AmbiguousQuery: a search text that is too general, or a name with several meanings.
	AmbiguousQuery Code = "AMBIGUOUS_QUERY"
	// RateLimited: the pace of the source does not allow the request in time.
	RateLimited Code = "RATE_LIMITED"
	// UpstreamError: the source failed, or its response was invalid.
	UpstreamError Code = "UPSTREAM_ERROR"
	// InvalidInput: any other bad argument.
	InvalidInput Code = "INVALID_INPUT"
)

// Codes returns all error codes.
func Codes() []Code {
	return []Code{UnresolvedEntity, EntityNotFound, AmbiguousQuery, RateLimited, UpstreamError, InvalidInput}
}

// ErrTooLarge is in the error chain when a response of a source is larger than
// any valid response. A retry would not help.
var ErrTooLarge = errors.New("the response exceeds the size limit")

// TooLarge returns an ErrTooLarge that names the limit.
func TooLarge(limit string, details ...any) error {
	return fmt.Errorf("%w: %s", ErrTooLarge, fmt.Sprintf(limit, details...))
}

// ErrStopping is the cause of a context that ends because this server stops.
var ErrStopping = fmt.Errorf("the server is stopping: %w", context.Canceled)

// Error is the only type of error that a client gets. The code that knows the
// cause creates it. Message, Hint and Input are shown; Cause is not.
type Error struct {
	Code    Code
	Message string // the fault, in one sentence
	Hint    string // sentences for an agent, beside the one about Next
	Next    *Next  // a call with a better answer; nil: none is known
	Input   string // the argument value, where it is the cause
	Cause   error  // for the log only
}

// Error returns the code and the message.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// AsError finds the Error in err's chain. Any other error becomes an
// UPSTREAM_ERROR without the text of err.
func AsError(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if errors.Is(err, ErrStopping) {
		return &Error{
			Code:    UpstreamError,
			Message: "This server is stopping, and ended the call before it was answered. No source failed.",
			Hint:    "Make the same call again when the server has started again.",
		}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &Error{
			Code:    UpstreamError,
			Message: "This server did not finish the call in its time limit. No source failed.",
			Hint:    "Wait 10 s and make the same call again, or ask for fewer records in one call.",
			Cause:   err,
		}
	}
	return &Error{
		Code:    UpstreamError,
		Message: "An internal error prevented the answer.",
		Hint:    "Make the same call once more. If it fails again, the arguments are not the cause: continue without this fact.",
		Cause:   err,
	}
}

// ErrorEnvelope is the JSON of an error, as a client gets it.
type ErrorEnvelope struct {
	// Always false.
	Success bool `json:"success" jsonschema:"enum=false"`
	// The error and the next call.
	Error ErrorDetails `json:"error"`
}

// ErrorDetails is the body of an ErrorEnvelope.
type ErrorDetails struct {
	// Error code.
	Code Code `json:"code"`
	// Description of the error.
	Message string `json:"message" jsonschema:"minLength=1"`
	// The next tool call to make.
	RecoveryHint string `json:"recovery_hint" jsonschema:"minLength=1"`
	// The argument value that caused the error.
	InvalidInput string `json:"invalid_input,omitempty" jsonschema:"minLength=1"`
	// A call with a better answer. Its arguments can be sent as they are.
	Next *Next `json:"next,omitempty"`
}

// maxInput limits the characters of invalid_input.
const maxInput = 200

// Envelope returns the error as its envelope, cleaned and cut. The recovery hint has the sentence about the next call.
func (e *Error) Envelope() ErrorEnvelope {
	details := ErrorDetails{
		Code: e.Code, Message: Clean(e.Message), RecoveryHint: Clean(e.Hint),
		InvalidInput: Cut(strings.TrimSpace(Clean(e.Input)), maxInput),
	}
	if e.Next != nil {
		details.RecoveryHint = strings.TrimSpace(details.RecoveryHint + " " + Clean(e.Next.Sentence()))
		if !e.Next.Again {
			details.Next = e.Next
		}
	}
	return ErrorEnvelope{Error: details}
}

// MarshalJSON writes the envelope without escaping <, > and &.
func (e ErrorEnvelope) MarshalJSON() ([]byte, error) {
	type envelope ErrorEnvelope
	return marshal(envelope(e))
}
