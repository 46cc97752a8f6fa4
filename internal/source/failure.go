package source

import (
	"errors"
	"fmt"
	"slices"
	"strings"

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

// A PartialError is the error of questions to which the source sent no readable answer. The answers to the other questions are returned
// beside it.
type PartialError struct {
	failure *entity.Error
	title   string
	keys    []string
}

// Error returns the text of the failure.
func (e *PartialError) Error() string { return e.failure.Error() }

// Unwrap returns the failure.
func (e *PartialError) Unwrap() error { return e.failure }

// Unread returns the ids to which a PartialError applies. Any other error is returned as it is.
func Unread(ids []string, err error) (unread []string, failure error) {
	partial, ok := errors.AsType[*PartialError](err)
	if !ok {
		return nil, err
	}
	for _, id := range ids {
		if slices.ContainsFunc(partial.keys, func(key string) bool { return strings.EqualFold(key, id) }) {
			unread = append(unread, id)
		}
	}
	return unread, nil
}

// LeaveOut returns the ids without those to which a PartialError applies, and names these in a notice: nothing is known about them. If no
// id is left, or for another error, it returns the error.
func LeaveOut(ids []string, err error, notes *entity.Notes) ([]string, error) {
	unread, failure := Unread(ids, err)
	if failure != nil || len(unread) > 0 && len(unread) == len(ids) {
		return nil, err
	}
	if len(unread) == 0 {
		return ids, nil
	}
	partial, _ := errors.AsType[*PartialError](err)
	notes.Add(fmt.Sprintf("%s sent no readable record of %s: left out, and not missing at the source. "+
		"Make the same call again in a minute.", partial.title, entity.Cut(strings.Join(unread, ", "), 400)))
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return slices.Contains(unread, id) }), nil
}

// ErrOff is in the chain of the error of a source that is switched off.
var ErrOff = errors.New("the source is switched off")

// Refused reports whether the source rejected the request itself: it works, and would reject the request again.
func Refused(err error) bool {
	var refusal interface {
		error
		Refused()
	}
	return errors.As(err, &refusal)
}

// mirrorOnly returns the error of a source that is replaced by its local mirror.
func mirrorOnly(s *Source) *entity.Error {
	return &entity.Error{
		Code:    entity.UpstreamError,
		Message: "This server uses only the local mirror of " + s.Title + " (BIOFACT_MIRROR=only), and the mirror cannot answer this call.",
		Hint:    "This is not an empty result, and the same call will fail again. The operator of Biofact can set BIOFACT_MIRROR to exact.",
		Cause:   ErrOff,
	}
}

// switchedOff returns the error of a source that the operator of the server has switched off.
func switchedOff(s *Source) *entity.Error {
	return &entity.Error{
		Code:    entity.UpstreamError,
		Message: s.Title + " is switched off on this server (BIOFACT_SOURCES), so no request was sent to it.",
		Hint: "This is not an empty result, and the same call will fail again. Continue without this fact. " +
			"The operator of the server can add " + s.Name + " to BIOFACT_SOURCES.",
		Cause: ErrOff,
	}
}
