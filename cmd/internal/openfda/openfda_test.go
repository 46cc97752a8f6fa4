package openfda_test

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/cmd/internal/openapi"
	"github.com/biofact-mcp/biofact/cmd/internal/openfda"
	api "github.com/biofact-mcp/biofact/gen/openfda"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestDocument derives a document from small invented ones, with the forms that the documents have.
func TestDocument(t *testing.T) {
	t.Parallel()
	const fields = `
properties:
  openfda: {type: object, properties: {unii: {type: array, items: {type: string}}, type: object}}
  meta: {type: object, properties: {last_updated: {type: string}}}
  products: {type: object, properties: {name: {type: string, format: date}}}
  docs: {type: array, items: {id: {type: string}, type: {type: string}}}
  forgotten: {type: , is_exact: false, description: No type.}
type: object
`
	const mapping = `{"_doc": {"properties": {"products": {"properties": {"name": {"type": "text", "fields": {"exact": {"type": "keyword"}}}}},
		"hidden": {"type": "text", "index": false}}}}`
	requested := map[string]bool{}
	read := func(field string) func(context.Context, string) ([]byte, error) {
		return func(_ context.Context, from string) ([]byte, error) {
			requested[from] = true
			if strings.HasSuffix(from, "_mapping.json") {
				return []byte(mapping), nil
			}
			return []byte(strings.Replace(fields, "type: string, format: date", field, 1)), nil
		}
	}
	document, err := openfda.Document(t.Context(), "https://example.org/FDA/", read("type: string"))
	expect.NoError(t, err)
	structure, err := openapi.Structure(document)
	expect.NoError(t, err)
	for _, part := range []string{
		"    ApplicationField:\n      type: string\n      enum:\n        - products.name\n        - products.name.exact\n",
		"    ApplicationDocs:\n      type: object\n      properties:\n        id:\n          type: string\n        type:\n          type: string\n",
		"        products:\n          $ref: '#/components/schemas/ApplicationProducts'\n",
		"        forgotten:\n          type: string\n", "    Harmonised:\n      type: object\n      properties:\n        unii:\n          type: array\n",
	} {
		expect.That(t, strings.Contains(string(structure), part), "no %q in\n%s", part, structure)
	}
	expect.That(t, requested["https://example.org/FDA/openfda/HEAD/schemas/spl_mapping.json"] && len(requested) == 13,
		"it requested %v", requested)
	_, err = openfda.Document(t.Context(), "folder", read("type: money"))
	expect.That(t, err != nil && strings.Contains(err.Error(), `LabelProductsName: a field of type "money"`), "error %v", err)
}

// TestOfficialDocuments checks that the committed structure is that of the official documents.
func TestOfficialDocuments(t *testing.T) {
	t.Parallel()
	got, err := openapi.Read(t.Context(), expect.Corpus(t, "openfda", "the official documents"))
	expect.NoError(t, err)
	committed, err := os.ReadFile("../../../specs/openfda.yaml")
	expect.NoError(t, err)
	expect.Equal(t, "specs/openfda.yaml", string(committed), string(got))
}

// TestRealRecords decodes each recorded record and reply with the generated types. An unknown key is an error.
func TestRealRecords(t *testing.T) {
	t.Parallel()
	folder, decoded := expect.Corpus(t, "openfda", "real records"), 0
	strictly := func(name string, text []byte) {
		records := map[string]func() any{
			"label": func() any { return &api.Label{} }, "drugsfda": func() any { return &api.Application{} },
			"ndc": func() any { return &api.Product{} }, "event": func() any { return &api.Report{} },
			"enforcement": func() any { return &api.Recall{} }, "shortages": func() any { return &api.Shortage{} },
			"count": func() any { return &api.Group{} },
		}
		for prefix, record := range records {
			if strings.HasPrefix(filepath.Base(name), prefix) {
				var keys map[string]json.RawMessage
				expect.NoErrorf(t, json.Unmarshal(text, &keys), "%s", name)
				maps.DeleteFunc(keys, func(key string, _ json.RawMessage) bool { return key[0] == '@' }) // of the index, until 2015
				text, err := json.Marshal(keys)
				expect.NoError(t, err)
				from := json.NewDecoder(bytes.NewReader(text))
				from.DisallowUnknownFields()
				expect.NoErrorf(t, from.Decode(record()), "%s", name)
				decoded++
			}
		}
	}
	lines, _ := filepath.Glob(filepath.Join(folder, "records/*.jsonl.gz"))
	for _, path := range lines {
		for _, line := range expect.Lines(t, path) {
			strictly(path, line)
		}
	}
	replies, _ := filepath.Glob(filepath.Join(folder, "responses/*.json"))
	for _, path := range replies {
		var reply api.Reply
		expect.NoErrorf(t, json.Unmarshal(expect.Read(t, path), &reply), "%s", path)
		for _, record := range reply.Results {
			strictly(path, record)
		}
	}
	expect.That(t, decoded > 480, "%d records", decoded)
}
