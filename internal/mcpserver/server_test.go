package mcpserver_test

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestMain(m *testing.M) { expect.Main(m) }

// unusedSource is a source that must get no request.
type unusedSource struct{ t *testing.T }

func (n unusedSource) RoundTrip(req *http.Request) (*http.Response, error) {
	n.t.Errorf("the source got a request for %s", req.URL)
	return nil, io.ErrUnexpectedEOF
}

// The limits of the list of tools in bytes, each per default set of tools or per tool.
const (
	maxList     = 90_000
	maxListBare = 32_000 // without output schemas
	maxToolBare = 6_000  // search_trials
)

// TestListSize limits the bytes that every session spends on the tools, and pins
// the fields that clients rely on: a title, a description, the hints, and an
// output schema whose root is an object.
func TestListSize(t *testing.T) {
	list, size := listTools(t)
	bare := size
	for _, tool := range list {
		if strings.Contains(string(tool["name"]), "_registry") { // the toolset sql is off by default
			text, err := json.Marshal(tool)
			expect.NoError(t, err)
			size, bare = size-len(text), bare-len(text)+len(`"outputSchema":,`)+len(tool["outputSchema"])
		}
		toolBare := len(tool["name"]) + len(tool["description"]) + len(tool["inputSchema"]) + len(tool["annotations"])
		bare -= len(`"outputSchema":,`) + len(tool["outputSchema"])
		expect.That(t, toolBare <= maxToolBare, "%s has %d bytes without its output schema, and may have %d",
			tool["name"], toolBare, maxToolBare)
		for _, hint := range []string{"title", "readOnlyHint", "openWorldHint"} {
			expect.That(t, strings.Contains(string(tool["annotations"]), `"`+hint+`":`), "%s has no hint %s", tool["name"], hint)
		}
		var output struct {
			Type string `json:"type"`
		}
		decode(t, tool["outputSchema"], &output)
		expect.That(t, output.Type == "object" && len(tool["description"]) > 2, "%s: output schema of type %q, description %s",
			tool["name"], output.Type, tool["description"])
	}
	t.Logf("%d tools: %d bytes, %d without output schemas", len(list), size, bare)
	expect.That(t, size <= maxList, "the list of tools has %d bytes, and may have %d: shorten before you raise", size, maxList)
	expect.That(t, bare <= maxListBare, "without output schemas the list has %d bytes, and may have %d: shorten before you raise",
		bare, maxListBare)
}

// listTools returns the tools of the list, and the number of bytes of the answer.
func listTools(t *testing.T) (tools []map[string]json.RawMessage, size int) {
	t.Helper()
	client := startStdio(t, unusedSource{t})
	defer client.close(t)
	var list struct {
		Result struct {
			Tools []map[string]json.RawMessage `json:"tools"`
		} `json:"result"`
	}
	response := client.send(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	decode(t, response, &list)
	return list.Result.Tools, len(response)
}

// TestHostsAcceptInput: an input schema uses only what every host accepts. One
// keyword that a host does not know makes it refuse the complete list.
func TestHostsAcceptInput(t *testing.T) {
	keywords := map[string][]string{ // by type
		"object": {"properties", "required"}, "array": {"items", "minItems", "maxItems"}, "string": {"enum"},
		"integer": {"minimum", "maximum"}, "boolean": {},
	}
	var check func(at string, schema map[string]any)
	check = func(at string, schema map[string]any) {
		kind, _ := schema["type"].(string)
		known, ok := keywords[kind]
		expect.That(t, ok, "%s has the type %v", at, schema["type"])
		for keyword := range schema {
			expect.That(t, slices.Contains(known, keyword) || slices.Contains([]string{"type", "description", "default"}, keyword),
				"%s: hosts do not know the keyword %s of a node of type %s", at, keyword, kind)
		}
		properties, _ := schema["properties"].(map[string]any)
		expect.That(t, kind != "object" || len(properties) > 0, "%s is an object without properties", at)
		for name, property := range properties {
			one := property.(map[string]any)
			about, _ := one["description"].(string)
			expect.That(t, about != "" && len(about) < 1024, "%s.%s is described by %q", at, name, about)
			check(at+"."+name, one)
		}
		if items, ok := schema["items"].(map[string]any); ok {
			check(at+"[]", items)
		} else {
			expect.That(t, kind != "array", "%s is an array without items", at)
		}
	}
	list, _ := listTools(t)
	for _, tool := range list {
		var input map[string]any
		decode(t, tool["inputSchema"], &input)
		check(string(tool["name"]), input)
	}
}

// TestHostsAcceptOutput: strict hosts refuse a property of an answer whose schema says nothing.
func TestHostsAcceptOutput(t *testing.T) {
	var check func(at string, schema map[string]any)
	check = func(at string, schema map[string]any) {
		for _, keyword := range []string{"properties", "$defs"} {
			inner, _ := schema[keyword].(map[string]any)
			for name, one := range inner {
				object, ok := one.(map[string]any)
				expect.That(t, ok && len(object) > 0, "%s.%s is listed as %v", at, name, one)
				check(at+"."+name, object)
			}
		}
		if items, ok := schema["items"]; ok {
			object, ok := items.(map[string]any)
			expect.That(t, ok && len(object) > 0, "%s[] is listed as %v", at, items)
			check(at+"[]", object)
		}
	}
	list, _ := listTools(t)
	for _, tool := range list {
		var output map[string]any
		decode(t, tool["outputSchema"], &output)
		check(string(tool["name"]), output)
	}
}
