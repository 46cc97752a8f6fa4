package genes

import (
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestOrthologCursor: a cursor whose gene is not an id is refused without a request.
func TestOrthologCursor(t *testing.T) {
	t.Parallel()
	for _, gene := range []string{"../../evil", "-1", "", "0"} {
		query, err := envelope.Fingerprint(tools.GetGeneOrthologs, []any{"672", []string(nil)})
		expect.NoError(t, err)
		forged, err := envelope.Cursor{Query: query, Token: gene + " x"}.Encode()
		expect.NoError(t, err)
		_, err = (&Genes{}).GetGeneOrthologs(t.Context(), tools.GetGeneOrthologsArgs{EntrezID: "672", PageSize: 5, Cursor: forged})
		expect.That(t, err != nil && strings.HasPrefix(entity.AsError(err).Message, "cursor: is not a cursor of"), "%q: %v", gene, err)
	}
}
