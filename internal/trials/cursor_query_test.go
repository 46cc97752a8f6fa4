package trials

import (
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

// TestCursorWithoutQuery: a cursor without the arguments of its call is refused for that reason.
func TestCursorWithoutQuery(t *testing.T) {
	t.Parallel()
	s := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(placeRecords(t, "")))
	_, err := s.SearchTrials(t.Context(), tools.SearchTrialsArgs{Cursor: "eyJ2IjoxfQ", PageSize: 1})
	e := entity.AsError(err)
	expect.Must(t, e != nil && e.Code == entity.InvalidInput && e.Input == "eyJ2IjoxfQ" && strings.HasPrefix(e.Message, "cursor: "),
		"%+v", e)
}
