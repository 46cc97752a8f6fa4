package research

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/ordered"
)

var capital = lazyregexp.New(`([a-z])([A-Z])`)

// ofAnswer has the names of fields that describe an answer and not its record.
var ofAnswer = map[string]bool{"pagination": true, "eFetchDetails": true, "requestedPmids": true, "notFoundPmids": true, "tried": true,
	"outline": true}

// asText returns a JSON object as lines of text, in its order: each value under its name, and the objects of a list as blocks.
func asText(object []byte) string {
	value, _ := ordered.Parse(object) // it was encoded here
	var out strings.Builder
	writeValue(&out, value, "", "")
	return out.String()
}

// writeValue writes a value. indent precedes each of its lines.
func writeValue(out *strings.Builder, value any, indent, name string) {
	label := strings.ToLower(capital.ReplaceAllString(strings.ReplaceAll(name, "_", " "), "$1 $2"))
	if label != "" {
		label += ": "
	}
	switch value := value.(type) {
	case ordered.Object:
		if label != "" {
			out.WriteString(indent + strings.TrimSpace(label) + "\n")
			indent += "  "
		}
		for _, m := range value {
			if !ofAnswer[m.Name] {
				writeValue(out, m.Value, indent, m.Name)
			}
		}
	case []any:
		var texts []string
		for i, item := range value {
			switch item.(type) {
			case ordered.Object, []any:
				writeValue(out, item, indent, name+" "+strconv.Itoa(i+1))
			default:
				texts = append(texts, fmt.Sprint(item))
			}
		}
		if texts != nil {
			out.WriteString(indent + label + strings.Join(texts, "; ") + "\n")
		}
	default:
		out.WriteString(indent + label + fmt.Sprint(value) + "\n")
	}
}
