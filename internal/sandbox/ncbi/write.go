package ncbi

import (
	"bytes"

	"github.com/biofact-mcp/biofact/internal/reply"
)

// object is a JSON object whose keys keep their order.
type object []member

type member struct {
	key   string
	value any
}

// MarshalJSON writes the members in order.
func (o object) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			out.WriteByte(',')
		}
		for j, part := range []any{m.key, m.value} {
			if j > 0 {
				out.WriteByte(':')
			}
			text, err := reply.JSON(part)
			if err != nil {
				return nil, err
			}
			out.Write(text.Body)
		}
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// header is the first member of every JSON response.
func (r request) header() member {
	return member{"header", object{{"type", r.utility}, {"version", "0.3"}}}
}

func jsonReply(v any) (reply.Reply, error) {
	out, err := reply.JSON(v)
	out.Type = "application/json; charset=UTF-8"
	return out, err
}

// rawNewlines returns a JSON error with unescaped newlines, which is invalid JSON, as at NCBI.
func rawNewlines(out reply.Reply, err error) (reply.Reply, error) {
	out.Body = bytes.ReplaceAll(out.Body, []byte(`\n`), []byte("\n"))
	return out, err
}
