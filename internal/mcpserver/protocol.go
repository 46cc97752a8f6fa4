package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"strconv"

	"github.com/mark3labs/mcp-go/mcp"
)

// ProtocolVersion is the newest version of the Model Context Protocol that initialize answers; a client may request an older one. The
// version after it has no initialize: there each request names its version.
const ProtocolVersion = mcp.ProtocolVersion20251125

// maxBatch limits the messages of a JSON-RPC batch. Version 2025-03-26 of the protocol demands that batches are answered; later
// versions know no batch.
const maxBatch = 50

// batchOf returns the messages of a batch, a JSON array, and whether the input is a batch. A text that is not JSON is not a batch.
func batchOf(raw []byte) (members []json.RawMessage, isBatch bool) {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	if len(raw) == 0 || raw[0] != '[' {
		return nil, false
	}
	err := json.Unmarshal(raw, &members)
	return members, err == nil
}

// batchError says what is wrong with a batch as a whole, or "".
func batchError(members []json.RawMessage) string {
	if len(members) == 0 {
		return "A batch must have a message"
	}
	if len(members) > maxBatch {
		return "A batch has more than " + strconv.Itoa(maxBatch) + " messages"
	}
	for _, member := range members {
		if m, code, _ := readMessage(member); code == 0 && m.Method == string(mcp.MethodInitialize) {
			return "initialize cannot be part of a batch"
		}
	}
	return ""
}

// arrayOf returns answers as the line of a batch, or nothing without an answer.
func arrayOf(answers [][]byte) []byte {
	if len(answers) == 0 {
		return nil
	}
	for i, answer := range answers {
		answers[i] = bytes.TrimSuffix(answer, []byte{'\n'})
	}
	return append(append([]byte{'['}, bytes.Join(answers, []byte{','})...), ']', '\n')
}

// answer returns the library's answer to a request, which gets the internal id, with the client's own id.
func (s *Server) answer(ctx context.Context, m message, id int64) []byte {
	ctx, b := withBody(ctx)
	text, err := json.Marshal(s.mcp.HandleMessage(ctx, m.as(id)))
	if err != nil {
		text = bytes.TrimSpace(errorLine(m.ID, mcp.INTERNAL_ERROR, "The answer cannot be encoded"))
	}
	return s.fill(withID(text, id, m), b)
}
