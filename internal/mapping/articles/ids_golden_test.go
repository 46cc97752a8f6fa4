package articles_test

import (
	"encoding/json"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/articles"
	"github.com/biofact-mcp/biofact/internal/mapping/mappingtest"
)

// TestIdentifierGoldens maps records of the PMC ID Converter; null in the golden file: the record is not of its requested id.
func TestIdentifierGoldens(t *testing.T) {
	t.Parallel()
	var all []*entity.ArticleIdentifier
	for _, line := range expect.Lines(t, "testdata/ids.jsonl") {
		var given struct {
			Kind   string
			Record articles.ConvertedIDs
		}
		expect.NoError(t, json.Unmarshal(line, &given))
		all = append(all, articles.Identifier(&given.Record, given.Kind))
	}
	mappingtest.Golden(t, "testdata/ids.golden.json", all)
}
