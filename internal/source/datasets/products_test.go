package datasets

import (
	"testing"

	api "github.com/biofact-mcp/biofact/gen/datasets"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestUnknownGenesTogether: a page without reports says that none of the requested genes is known.
func TestUnknownGenesTogether(t *testing.T) {
	t.Parallel()
	answers := productsOf(&api.V2reportsGeneDataReportPage{}, []string{"25213701", "25313037"})
	expect.That(t, len(answers) == 0, "%v", answers)
}
