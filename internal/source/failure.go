package source

import (
	"errors"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// Unreadable returns the error of an answer that cannot be decoded.
func Unreadable(title string, cause error) *entity.Error {
	return &entity.Error{
		Code:    entity.UpstreamError,
		Message: title + " sent an answer that cannot be read.",
		Hint:    "This is not an empty result. Make the same call again in a minute; the arguments need no change.",
		Cause:   cause,
	}
}

// ErrOff is in the chain of the error of a source that is switched off.
var ErrOff = errors.New("the source is switched off")

// Refused reports whether the source rejected the request itself: it works, and
// would reject the request again.
func Refused(err error) bool {
	var refusal interface {
		error
		Refused()
	}
	return errors.As(err, &refusal)
}

// mirrorOnly returns the error of a source that is replaced by its local
// mirror.
func mirrorOnly(s *Source) *entity.Error {
	return &entity.Error{
		Code:    entity.UpstreamError,
		Message: "This server uses only the local mirror of " + s.Title + " (BIOFACT_MIRROR=only), and the mirror cannot answer this call.",
		Hint:    "This is not an empty result, and the same call will fail again. The operator of Biofact can set BIOFACT_MIRROR to exact.",
		Cause:   ErrOff,
	}
}

// switchedOff returns the error of a source that the operator of the server has
// switched off.
func switchedOff(s *Source) *entity.Error {
	return &entity.Error{
		Code:    entity.UpstreamError,
		Message: s.Title + " is switched off on this server (BIOFACT_SOURCES), so no request was sent to it.",
		Hint: "This is not an empty result, and the same call will fail again. Continue without this fact. " +
			"The operator of the server can add " + s.Name + " to BIOFACT_SOURCES.",
		Cause: ErrOff,
	}
}
