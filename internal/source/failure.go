package source

import (
	"errors"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// Unreadable returns the error of an answer that makes no sense.
func Unreadable(title string, cause error) *entity.Error {
	return &entity.Error{
		Code:    entity.UpstreamError,
		Message: title + " answered something that cannot be read.",
		Hint:    "This is not an empty result. Make the same call again in a minute; the arguments need no change.",
		Cause:   cause,
	}
}

// Refused reports whether an error says that the source found the request itself
// wrong: the source is there, and would say so again.
func Refused(err error) bool {
	var refusal interface {
		error
		Refused()
	}
	return errors.As(err, &refusal)
}
