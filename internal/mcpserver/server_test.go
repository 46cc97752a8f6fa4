package mcpserver_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// unusedSource is a source that must get no request.
type unusedSource struct{ t *testing.T }

func (n unusedSource) RoundTrip(req *http.Request) (*http.Response, error) {
	n.t.Errorf("the source got a request for %s", req.URL)
	return nil, io.ErrUnexpectedEOF
}

// The limits of the list of tools: for the whole list, and for one tool on
// average. A new tool within its share needs no change here.
const (
	maxList, maxTool               = 115_000, 7_200
	maxListWithout, maxToolWithout = 34_000, 2_400 // output schemas
)

// TestListSize limits the tokens that every session spends on the tools, and
// pins the fields that clients rely on: a title, a description, every hint, and
// an output schema whose root is an object.
func TestListSize(t *testing.T) {
	client := startStdio(t, unusedSource{t})
	defer client.close(t)
	var list struct {
		Result struct {
			Tools []map[string]json.RawMessage `json:"tools"`
		} `json:"result"`
	}
	response := client.send(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	decode(t, response, &list)
	without := len(response)
	for _, tool := range list.Result.Tools {
		name := string(tool["name"])
		without -= len(`"outputSchema":,`) + len(tool["outputSchema"])
		for _, hint := range []string{"title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
			expect.That(t, strings.Contains(string(tool["annotations"]), `"`+hint+`":`), "%s has no hint %s", name, hint)
		}
		var output struct {
			Type string `json:"type"`
		}
		decode(t, tool["outputSchema"], &output)
		if output.Type != "object" || len(tool["title"]) < 3 || len(tool["description"]) < 3 {
			t.Errorf("%s: output schema of type %q, title %s, description %s", name, output.Type, tool["title"], tool["description"])
		}
	}
	t.Logf("%d tools: %d bytes, %d without output schemas", len(list.Result.Tools), len(response), without)
	count := len(list.Result.Tools)
	for _, size := range []struct {
		of       string
		now, max int
	}{
		{"the list of tools", len(response), min(maxList, count*maxTool)},
		{"the list of tools without output schemas", without, min(maxListWithout, count*maxToolWithout)},
	} {
		expect.That(t, size.now <= size.max,
			"%s has %d bytes for %d tools, and may have %d: shorten before you raise", size.of, size.now, count, size.max)
	}
}
