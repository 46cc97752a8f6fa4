package research

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

var capital = lazyregexp.New(`([a-z])([A-Z])`)

// ofAnswer has the names of fields that describe an answer and not its record.
var ofAnswer = map[string]bool{"pagination": true, "eFetchDetails": true, "requestedPmids": true, "notFoundPmids": true, "tried": true,
	"outline": true}

// asText returns a JSON object as lines of text, in its order: each value under its name, and the objects of a list as blocks.
func asText(object []byte) string {
	var out strings.Builder
	writeValue(&out, object, "", "")
	return out.String()
}

// writeValue writes a value. indent precedes each of its lines.
func writeValue(out *strings.Builder, value json.RawMessage, indent, name string) {
	label := strings.ToLower(capital.ReplaceAllString(strings.ReplaceAll(name, "_", " "), "$1 $2"))
	if label != "" {
		label += ": "
	}
	dec := json.NewDecoder(bytes.NewReader(value))
	dec.UseNumber()
	switch token, _ := dec.Token(); token {
	case json.Delim('{'):
		if label != "" {
			out.WriteString(indent + strings.TrimSpace(label) + "\n")
			indent += "  "
		}
		for dec.More() {
			key, _ := dec.Token()
			var field json.RawMessage
			if dec.Decode(&field) == nil && !ofAnswer[key.(string)] {
				writeValue(out, field, indent, key.(string))
			}
		}
	case json.Delim('['):
		var items []json.RawMessage
		var texts []string
		_ = json.Unmarshal(value, &items)
		for i, item := range items {
			var text string
			if item[0] == '{' || item[0] == '[' {
				writeValue(out, item, indent, name+" "+strconv.Itoa(i+1))
			} else if json.Unmarshal(item, &text) == nil {
				texts = append(texts, text)
			} else {
				texts = append(texts, string(item))
			}
		}
		if texts != nil {
			out.WriteString(indent + label + strings.Join(texts, "; ") + "\n")
		}
	default:
		if text, isText := token.(string); isText {
			out.WriteString(indent + label + text + "\n")
		} else {
			out.WriteString(indent + label + string(value) + "\n")
		}
	}
}
