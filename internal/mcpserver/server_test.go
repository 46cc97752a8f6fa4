package mcpserver_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// nowhere is an upstream that must not be asked.
type nowhere struct{ t *testing.T }

func (n nowhere) RoundTrip(req *http.Request) (*http.Response, error) {
	n.t.Errorf("the upstream was asked for %s", req.URL)
	return nil, io.ErrUnexpectedEOF
}

// TestListSize bounds what every session of every model pays for the tools,
// and pins what clients rely on: a title, a description, every hint, and an
// output schema whose root is an object.
func TestListSize(t *testing.T) {
	client := startStdio(t, nowhere{t})
	defer client.close(t)
	var list struct {
		Result struct {
			Tools []map[string]json.RawMessage `json:"tools"`
		} `json:"result"`
	}
	decode(t, client.exchange(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`), &list)
	with, without := 0, 0
	for _, tool := range list.Result.Tools {
		name := string(tool["name"])
		for key, value := range tool {
			with += len(key) + len(value)
			if key != "outputSchema" {
				without += len(key) + len(value)
			}
		}
		for _, hint := range []string{"title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
			if !strings.Contains(string(tool["annotations"]), `"`+hint+`":`) {
				t.Errorf("%s has no hint %s", name, hint)
			}
		}
		var output struct {
			Type string `json:"type"`
		}
		decode(t, tool["outputSchema"], &output)
		if output.Type != "object" || len(tool["title"]) < 3 || len(tool["description"]) < 3 {
			t.Errorf("%s: output schema of type %q, title %s, description %s", name, output.Type, tool["title"], tool["description"])
		}
	}
	t.Logf("%d tools: %d bytes, %d without output schemas", len(list.Result.Tools), with, without)
	if without > 6000 || with > 6000+len(list.Result.Tools)*5400 {
		t.Errorf("the list of tools has %d bytes, %d without output schemas", with, without)
	}
}
