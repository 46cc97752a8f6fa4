package tool

import (
	"encoding/json"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestListed: a call has its values in the types of tools/list: a text with commas for a list that is listed so, a list for any other.
func TestListed(t *testing.T) {
	search := &Tool{Definition: Definition{Name: "search", Arguments: []Argument{
		{Name: "status", Type: "string", List: true, Commas: true},
		{Name: "sections", Type: "string", List: true, Words: []string{"design", "arms"}},
		{Name: "size", Type: "integer"},
	}}}
	Together([]*Tool{search})
	for given, want := range map[string]string{
		`{"status":["RECRUITING"]}`:              `{"status":"RECRUITING"}`,
		`{"status":["RECRUITING","COMPLETED"]}`:  `{"status":"RECRUITING,COMPLETED"}`,
		`{"size":5,"status":"a, b"}`:             `{"size":5,"status":"a, b"}`,
		`{"status":["Korea, Republic of"]}`:      `{"status":"Korea, Republic of"}`,
		`{"sections":"Design"}`:                  `{"sections":["design"]}`,
		`{"sections":["design"],"status":null}`:  `{"sections":["design"],"status":null}`,
		`{"status":["Korea, Republic of", "a"]}`: "", // a comma is in a value
		`{"phase":"1"}`:                          "",
		`{"size":"many"}`:                        "",
	} {
		var arguments map[string]any
		expect.NoError(t, json.Unmarshal([]byte(given), &arguments))
		listed, ok := search.inListedTypes(arguments)
		expect.Equal(t, given+" has a listed form", want != "", ok)
		if ok {
			expect.Equal(t, given, want, Show(listed))
		}
		if hint := "Call search with " + given + "."; ok && arguments["status"] != nil {
			expect.Equal(t, hint, "Call search with "+want+".", search.conforming(hint))
		}
	}
}
