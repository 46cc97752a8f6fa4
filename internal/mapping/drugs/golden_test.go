package drugs_test

import (
	"encoding/json"
	"testing"

	api "github.com/biofact-mcp/biofact/gen/openfda"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/drugs"
	"github.com/biofact-mcp/biofact/internal/mapping/mappingtest"
)

// TestDrugGoldens folds applications and listed products, and compares the drugs and their products with the golden file.
func TestDrugGoldens(t *testing.T) {
	t.Parallel()
	records := drugs.Records{Applications: readAll[api.Application](t, "drugsfda"), Products: readAll[api.Product](t, "ndc")}
	type answer struct {
		Drug     entity.Drug          `json:"drug"`
		Listings []entity.DrugListing `json:"listings,omitzero"`
	}
	var all []answer
	for _, d := range drugs.Fold(records) {
		all = append(all, answer{d.Entity(nil), d.Listings()})
	}
	mappingtest.Golden(t, "testdata/drugs.golden.json", all)
}

// readAll reads the records of a file, one a line.
func readAll[T any](t *testing.T, name string) (all []T) {
	t.Helper()
	for _, line := range expect.Lines(t, "testdata/"+name+".jsonl") {
		var record T
		expect.NoError(t, json.Unmarshal(line, &record))
		all = append(all, record)
	}
	return all
}
