package upstream

import (
	"bytes"
	"io"
	"net/http"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// Limits of a body, in addition to Options.MaxBody. They are far above those of any real answer, and keep a hostile answer from filling the
// memory: a JSON decoder allocates up to a thousand bytes for one byte of input.
const (
	maxText    = 1 << 20   // bytes of a string, number or white space in JSON
	maxDepth   = 100       // of objects and lists in JSON
	maxValues  = 400_000   // in one JSON answer
	maxRecords = 2000      // objects of the third level of JSON: studies, documents, link sets
	maxRefusal = 1 << 20   // bytes of a body with a status other than 200
	maxStream  = 256 << 20 // bytes of a body that is streamed
)

// ErrTooLarge is in the chain of the error for a body beyond a limit.
var ErrTooLarge = entity.ErrTooLarge

// CheckJSON returns an error with ErrTooLarge if a text in JSON has more than some values, or more levels or longer texts than an answer
// may have. A reader of a streamed body checks with it the parts that it decodes.
func CheckJSON(text []byte, values int) error {
	s := &jsonLimiter{}
	if err := s.scan(text); err != nil {
		return err
	}
	if s.values > values {
		return entity.TooLarge("JSON of more than %d values", values)
	}
	return nil
}

// tooLargeError returns the failure for a body beyond a limit. The request is not retried: the next answer would be as large.
func (r *receive) tooLargeError(req *http.Request, cause error) error {
	err := r.failed("sent an answer that is too large", r.redact(req.URL, cause))
	err.Hint = "This is not an empty result. Make the same call again in a minute; if it requests several records, request fewer at once."
	return &failedAttempt{err: err, result: ResultUnreadable}
}

// readBody reads a body into memory, within the limits.
func (r *receive) readBody(resp *http.Response, body io.Reader) ([]byte, error) {
	limit := r.MaxBody
	if resp.StatusCode != http.StatusOK {
		limit = min(limit, maxRefusal)
	}
	return io.ReadAll(&byteLimiter{from: &jsonLimiter{from: body}, left: limit})
}

// byteLimiter fails if a body has more bytes than are left. io.LimitReader would report the end of the body instead.
type byteLimiter struct {
	from io.Reader
	left int64
}

// Read implements io.Reader.
func (l *byteLimiter) Read(p []byte) (int, error) {
	n, err := l.from.Read(p[:min(int64(len(p)), l.left+1)])
	if l.left -= int64(n); l.left < 0 {
		return 0, entity.TooLarge("more bytes than are allowed")
	}
	return n, err
}

// jsonLimiter fails while reading a JSON body that exceeds the limits. Any other body passes.
type jsonLimiter struct {
	from     io.Reader
	known    bool // whether the first byte was read
	isJSON   bool
	inString bool
	escaped  bool
	run      int // bytes since the last structural character
	depth    int
	values   int
	records  int
}

// Read implements io.Reader.
func (s *jsonLimiter) Read(p []byte) (int, error) {
	n, err := s.from.Read(p)
	if tooMuch := s.scan(p[:n]); tooMuch != nil {
		return 0, tooMuch
	}
	return n, err
}

func (s *jsonLimiter) scan(p []byte) error {
	if !s.known {
		head := bytes.TrimLeft(p, "\ufeff \t\r\n")
		s.known = len(head) > 0
		s.isJSON = s.known && (head[0] == '{' || head[0] == '[')
	}
	if !s.isJSON {
		return nil
	}
	for i := 0; i < len(p); {
		if s.inString {
			i += s.scanString(p[i:])
		} else {
			s.scanByte(p[i])
			i++
		}
		if s.run > maxText || s.depth > maxDepth || s.values > maxValues || s.records > maxRecords {
			return s.limitError()
		}
	}
	return nil
}

// scanString scans a string up to its end or the end of p, and returns the number of bytes.
func (s *jsonLimiter) scanString(p []byte) int {
	for i, c := range p {
		switch {
		case s.escaped:
			s.escaped = false
		case c == '\\':
			s.escaped = true
		case c == '"':
			s.inString = false
			s.run += i
			return i + 1
		}
	}
	s.run += len(p)
	return len(p)
}

// scanByte scans a byte outside of strings.
func (s *jsonLimiter) scanByte(c byte) {
	s.run++
	switch c {
	case '"':
		s.inString, s.run = true, 0
	case ',':
		s.values++
		s.run = 0
	case '{', '[':
		s.depth++
		s.values++
		s.run = 0
		if c == '{' && s.depth == 3 {
			s.records++
		}
	case '}', ']', ':':
		if c != ':' {
			s.depth--
		}
		s.run = 0
	}
}

func (s *jsonLimiter) limitError() error {
	switch {
	case s.run > maxText:
		return entity.TooLarge("a text of more than %d bytes", maxText)
	case s.depth > maxDepth:
		return entity.TooLarge("JSON of more than %d levels", maxDepth)
	case s.values > maxValues:
		return entity.TooLarge("JSON of more than %d values", maxValues)
	}
	return entity.TooLarge("JSON of more than %d records", maxRecords)
}
