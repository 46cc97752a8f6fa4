package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"

	"github.com/mark3labs/mcp-go/mcp"
)

// MaxMessage is the maximum number of bytes of a client's message.
const MaxMessage = 1 << 20

// message has the fields of a client's message.
type message struct {
	Version json.RawMessage `json:"jsonrpc,omitempty"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"` // of a response, as Error
	Error   json.RawMessage `json:"error,omitempty"`
}

// readMessage decodes a client's message. code is 0, or the JSON-RPC code of the error; the text says what is wrong.
func readMessage(raw []byte) (m message, code int, text string) {
	err := json.Unmarshal(raw, &m)
	_, malformed := errors.AsType[*json.SyntaxError](err)
	switch {
	case malformed:
		return m, mcp.PARSE_ERROR, "Parse error"
	case err != nil:
		return message{}, mcp.INVALID_REQUEST, "A message must be a JSON-RPC object"
	case m.withoutID() || m.ID[0] == '"' || m.ID[0] == '-' || m.ID[0] >= '0' && m.ID[0] <= '9':
		return m, 0, ""
	}
	return message{}, mcp.INVALID_REQUEST, "The id of a request must be a string or a number"
}

func (m message) withoutID() bool { return len(m.ID) == 0 || string(m.ID) == "null" }

// notifies reports whether the message expects no answer.
func (m message) notifies() bool { return m.Method != "" && m.withoutID() }

// as returns the message under another id. The library decodes ids to floating-point numbers and encodes them again, which changes large
// numbers, 1.0 and escapes: it gets an internal id, and the client gets its own bytes.
func (m message) as(id int64) []byte {
	m.ID, m.Result, m.Error = strconv.AppendInt(nil, id, 10), nil, nil
	line, _ := json.Marshal(m) // fields that were decoded can be encoded
	return line
}

// sameID reports whether two ids are equal: the same text, escaped or not, or the same number.
func sameID(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	const exact = 1 << 53 // larger numbers lose digits in decoding
	if n, ok := x.(float64); ok && (n > exact || n < -exact) {
		return false
	}
	return x == y
}

// The text that the library encodes before an id.
var (
	beforeID           = []byte(`{"jsonrpc":"` + mcp.JSONRPC_VERSION + `","id":`)
	beforeSubscription = []byte(`"` + mcp.MetaKeySubscriptionID + `":`)
)

// idAfter returns the internal id that follows a mark in a message of the library, and the message before and after it.
func idAfter(answer, mark []byte) (id int64, parts [2][]byte) {
	place := bytes.Index(answer, mark)
	if place < 0 {
		return 0, parts
	}
	place += len(mark)
	after := bytes.TrimLeft(answer[place:], "0123456789")
	id, err := strconv.ParseInt(string(answer[place:len(answer)-len(after)]), 10, 64)
	if err != nil {
		return 0, parts
	}
	return id, [2][]byte{answer[:place], after}
}

// withID returns a message of the library with the client's id in the place of the internal one. A message of a subscription has it also in
// its metadata.
func withID(answer []byte, ours int64, client message) []byte {
	marks := [][]byte{beforeID}
	if mcp.MCPMethod(client.Method) == mcp.MethodSubscriptionsListen {
		marks = append(marks, beforeSubscription)
	}
	for _, mark := range marks {
		if id, parts := idAfter(answer, mark); id == ours {
			answer = slices.Concat(parts[0], client.ID, parts[1])
		}
	}
	return answer
}

// leadingID returns the id of a message whose end may be missing, if it precedes the parameters.
func leadingID(beginning []byte) json.RawMessage {
	dec := json.NewDecoder(bytes.NewReader(beginning))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil
		}
		var value json.RawMessage
		if key == "params" || dec.Decode(&value) != nil {
			return nil
		}
		if key == "id" {
			return value
		}
	}
	return nil
}

// errorLine returns the error response to a request, and a line end.
func errorLine(id json.RawMessage, code int, text string) []byte {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	details, _ := json.Marshal(mcp.NewJSONRPCErrorDetails(code, text, nil)) // it has a number and a text
	return slices.Concat(beforeID, id, []byte(`,"error":`), details, []byte("}\n"))
}
