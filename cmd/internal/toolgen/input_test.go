package toolgen

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestInputKeywords: package tool checks arguments without their schema, by these keywords. A schema with another one would promise more.
func TestInputKeywords(t *testing.T) {
	t.Parallel()
	checked := strings.Fields("type enum items anyOf properties required additionalProperties minimum maximum minLength maxLength " +
		"minItems maxItems")
	described := strings.Fields("$schema $id title description default examples")
	names, err := filepath.Glob("../../../gen/schemas/*.input.schema.json")
	expect.NoError(t, err)
	expect.That(t, len(names) > 0, "no input schema")
	for _, name := range names {
		text, err := os.ReadFile(name)
		expect.NoError(t, err)
		var root map[string]any
		expect.NoError(t, json.Unmarshal(text, &root))
		var visit func(schema map[string]any)
		visit = func(schema map[string]any) {
			for keyword, value := range schema {
				expect.That(t, slices.Contains(checked, keyword) || slices.Contains(described, keyword),
					"%s: %s is not checked", name, keyword)
				switch keyword {
				case "anyOf":
					for _, form := range value.([]any) {
						visit(form.(map[string]any))
					}
				case "items":
					visit(value.(map[string]any))
				case "properties":
					for _, property := range value.(map[string]any) {
						visit(property.(map[string]any))
					}
				}
			}
		}
		visit(root)
	}
}
