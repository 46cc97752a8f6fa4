package entity_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/contract"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestEnvelope(t *testing.T) {
	t.Parallel()
	contracts := contract.New()
	for name, tt := range map[string]struct {
		err  entity.Error
		want string
	}{
		"whole": {
			entity.Error{Code: entity.InvalidInput, Message: "Bad <a>.", Hint: "Call b & c.", Input: "x"},
			`{"success":false,"error":{"code":"INVALID_INPUT","message":"Bad <a>.","recovery_hint":"Call b & c.","invalid_input":"x"}}`,
		},
		"without input, with a cause": {
			entity.Error{Code: entity.UpstreamError, Message: "m", Hint: "h", Cause: errors.New("secret")},
			`{"success":false,"error":{"code":"UPSTREAM_ERROR","message":"m","recovery_hint":"h"}}`,
		},
		"cleaned": {
			entity.Error{Code: entity.UnresolvedEntity, Message: "m\u202e\x00", Hint: "\x1bh", Input: " \u2066x\x07\n"},
			`{"success":false,"error":{"code":"UNRESOLVED_ENTITY","message":"m","recovery_hint":"h","invalid_input":"x"}}`,
		},
		"input of nothing": {
			entity.Error{Code: entity.AmbiguousQuery, Message: "m", Hint: "h", Input: " \x00 "},
			`{"success":false,"error":{"code":"AMBIGUOUS_QUERY","message":"m","recovery_hint":"h"}}`,
		},
		"long input": {
			entity.Error{Code: entity.EntityNotFound, Message: "m", Hint: "h", Input: strings.Repeat("é", 500)},
			`{"success":false,"error":{"code":"ENTITY_NOT_FOUND","message":"m","recovery_hint":"h","invalid_input":"` +
				strings.Repeat("é", 199) + `…"}}`,
		},
	} {
		got, err := entity.JSON(tt.err.Envelope())
		expect.That(t, err == nil && string(got) == tt.want, "%s: got %s, %v\nwant %s", name, got, err, tt.want)
		if found, err := contracts.Validate("error-envelope", got); err != nil || len(found) > 0 {
			t.Errorf("%s: %q %v", name, found, err)
		}
	}
}

func TestAsError(t *testing.T) {
	t.Parallel()
	known := &entity.Error{Code: entity.RateLimited, Message: "m", Hint: "h", Cause: errors.New("c")}
	if got := entity.AsError(fmt.Errorf("wrapped: %w", known)); got != known {
		t.Errorf("%+v", got)
	}
	cause := errors.New("dial tcp 10.0.0.1: secret")
	got := entity.AsError(cause)
	expect.That(t, got.Code == entity.UpstreamError && errors.Is(got, cause), "%+v", got)
	if shown := got.Error() + got.Message + got.Hint + got.Input; strings.Contains(shown, "secret") || got.Message == "" || got.Hint == "" {
		t.Errorf("shown: %s", shown)
	}
}

func TestCodesAreClosed(t *testing.T) {
	t.Parallel()
	want := "UNRESOLVED_ENTITY ENTITY_NOT_FOUND AMBIGUOUS_QUERY RATE_LIMITED UPSTREAM_ERROR INVALID_INPUT"
	expect.Equal(t, "", want, strings.Trim(fmt.Sprint(entity.Codes()), "[]"))
}
