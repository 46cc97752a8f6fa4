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

// What the list of tools came to when it was last looked at.
const (
	listBytes        = 45_407
	listBytesWithout = 10_271
)

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
	response := client.exchange(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	decode(t, response, &list)
	without := len(response)
	for _, tool := range list.Result.Tools {
		name := string(tool["name"])
		without -= len(`"outputSchema":,`) + len(tool["outputSchema"])
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
	t.Logf("%d tools: %d bytes, %d without output schemas", len(list.Result.Tools), len(response), without)
	for _, size := range []struct {
		of              string
		now, was, limit int
	}{
		{"the list of tools", len(response), listBytes, 48_000},
		{"the list of tools without output schemas", without, listBytesWithout, 14_000},
	} {
		if size.now > size.limit || size.now > size.was+size.was/20 {
			t.Errorf("%s has %d bytes; it had %d, and may have %d", size.of, size.now, size.was, size.limit)
		}
	}
}
