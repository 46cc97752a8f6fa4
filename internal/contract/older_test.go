package contract_test

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestOlderVersions reads the answers of today as a validator does that pinned the open profile of an older version of the contract.
func TestOlderVersions(t *testing.T) {
	t.Parallel()
	const folder = "../../cmd/internal/toolgen/testdata/"
	older, err := filepath.Glob(folder + "contract-*.json.gz")
	expect.Must(t, err == nil && len(older) > 0, "no older version: %v", err)
	answered := slices.Concat(answers(t), examples(t))
	for _, path := range older {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".json.gz"), func(t *testing.T) {
			t.Parallel()
			pinned, checked := openProfile(t, path), 0
			for _, one := range answered {
				tool, isOutput := strings.CutSuffix(one.Schema, ".output")
				if isOutput && !strings.Contains(string(one.Document), `"success":false`) && one.arguments != nil {
					var call map[string]any
					expect.NoError(t, json.Unmarshal(one.arguments, &call))
					input := pinned[tool+".input"]
					unknown := func(name string) bool { return input.Properties[name] == nil }
					if input != nil && (input.Validate(call) != nil || slices.ContainsFunc(slices.Collect(maps.Keys(call)), unknown)) {
						continue // the older version has no such call
					}
				}
				if schema := pinned[one.Schema]; schema != nil && !strings.HasSuffix(one.Schema, ".input") {
					var document any
					expect.NoError(t, json.Unmarshal(one.Document, &document))
					expect.NoErrorf(t, schema.Validate(document), "%s breaks the older %s", one.Name, one.Schema)
					checked++
				}
			}
			expect.That(t, checked > 100, "only %d answers were checked", checked)
			for name, row := range map[string]string{
				"one more field":          `"title":"A","status":"COMPLETED","later":{"x":[1]}`,
				"one more value":          `"title":"A","status":"OF_LATER"`,
				"a field of another type": `"title":7,"status":"COMPLETED"`,
				"a field missing":         `"status":"COMPLETED"`,
			} {
				var answer any
				expect.NoError(t, json.Unmarshal([]byte(`{"items":[{"id":"NCT:90001103",`+row+`}],"pagination":{"page_size":1,"later":1},"later":1}`),
					&answer))
				err := pinned["search_trials.output"].Validate(answer)
				expect.That(t, (err == nil) == strings.HasPrefix(name, "one more"), "%s: %v", name, err)
			}
		})
	}
}

// openProfile returns the schemas of a snapshot of the contract, which accept unknown members.
func openProfile(t *testing.T, path string) map[string]*jsonschema.Schema {
	t.Helper()
	file, err := os.Open(path)
	expect.NoError(t, err)
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	expect.NoError(t, err)
	text, err := io.ReadAll(unpacked)
	expect.NoError(t, err)
	var snapshot struct{ Schemas map[string]json.RawMessage }
	expect.NoError(t, json.Unmarshal([]byte(strings.ReplaceAll(string(text), `"additionalProperties":false`, `"additionalProperties":true`)),
		&snapshot))
	out := map[string]*jsonschema.Schema{}
	for name, schema := range snapshot.Schemas {
		out[name], err = jsonschema.CompileString(name, string(schema))
		expect.NoError(t, err)
	}
	return out
}
