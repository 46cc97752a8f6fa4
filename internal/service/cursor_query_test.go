package service

import (
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestCursorAlone: a cursor without the call that it belongs to is refused with
// that as the reason, and the call that the hint shows is answered.
func TestCursorWithoutQuery(t *testing.T) {
	t.Parallel()
	s := serve(t, nil, registryURL, policy(placeRecords(t, "")))
	_, err := s.SearchTrials(t.Context(), tools.SearchTrialsArgs{Cursor: "eyJ2IjoxfQ", PageSize: 1})
	e := entity.AsError(err)
	expect.Must(t, e != nil && e.Code == entity.InvalidInput && e.Input == "eyJ2IjoxfQ" && strings.HasPrefix(e.Message, "cursor: "),
		"%+v", e)
	wantHintedTrials(t, s, "a cursor alone", e.Hint)
}
