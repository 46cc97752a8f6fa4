package mirror

import (
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/query"
)

// TestAreasAreIndexed: each search area of the registry is a union of columns, so that its words need no matcher.
func TestAreasAreIndexed(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"BasicSearch", "ConditionSearch", "InterventionSearch", "TitleSearch", "OutcomeSearch", "SponsorSearch",
		"LocationSearch"} {
		columns, exact := columnsOf(query.AreaNamed(name))
		expect.That(t, len(columns) > 0 && exact, "%s: %v, exact %t", name, columns, exact)
	}
}
