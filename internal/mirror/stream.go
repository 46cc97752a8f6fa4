package mirror

import (
	"bufio"
	"errors"
	"io"
)

// A stream splits JSON into values while it reads. It finds the end of a value without checking its contents.
type stream struct {
	r   *bufio.Reader
	buf []byte
}

// next returns the next byte that is not white space, without consuming it.
func (s *stream) next() (byte, error) {
	for {
		c, err := s.r.ReadByte()
		if err != nil {
			return 0, unexpectedEnd(err)
		}
		if c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return c, s.r.UnreadByte()
		}
	}
}

func unexpectedEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// expect consumes the next byte, which must be sign.
func (s *stream) expect(sign byte) error {
	c, err := s.next()
	if err == nil && c != sign {
		err = errJSON
	}
	if err == nil {
		_, err = s.r.ReadByte()
	}
	return err
}

// list calls part at each element of a comma-separated list between two brackets.
func (s *stream) list(first, last byte, part func() error) error {
	if err := s.expect(first); err != nil {
		return err
	}
	if c, err := s.next(); err != nil || c == last {
		return errors.Join(err, s.expect(last))
	}
	for {
		if err := part(); err != nil {
			return err
		}
		c, err := s.next()
		if err != nil {
			return err
		}
		if c == last {
			return s.expect(last)
		}
		if err := s.expect(','); err != nil {
			return err
		}
	}
}

// value returns the text of the next value, which is valid until the next call.
func (s *stream) value() ([]byte, error) {
	s.buf = s.buf[:0]
	if _, err := s.next(); err != nil {
		return nil, err
	}
	var end valueEnd
	for {
		if _, err := s.r.Peek(1); err != nil {
			return nil, unexpectedEnd(err)
		}
		chunk, _ := s.r.Peek(s.r.Buffered()) // the buffer has these bytes
		n, ended := end.find(chunk)
		s.buf = append(s.buf, chunk[:n]...)
		if _, err := s.r.Discard(n); err != nil {
			return nil, err
		}
		if ended {
			return s.buf, nil
		}
		if len(s.buf) > maxRecord {
			return nil, errTooLarge
		}
	}
}

// errTooLarge is the error of a record above maxRecord.
var errTooLarge = errors.New("a record that is too large")

// A valueEnd finds the end of a value that is read in chunks.
type valueEnd struct {
	depth           int
	inText, escaped bool
}

// find returns the number of bytes of a chunk that belong to the value, and whether the value ends after them.
func (e *valueEnd) find(chunk []byte) (n int, ended bool) {
	for i := 0; i < len(chunk); i++ {
		c := chunk[i]
		if e.inText && !e.escaped && c != '"' && c != '\\' {
			continue // most bytes are inside a text
		}
		switch {
		case e.escaped:
			e.escaped = false
		case e.inText:
			e.escaped = c == '\\'
			if c == '"' {
				e.inText = false
				if e.depth == 0 {
					return i + 1, true
				}
			}
		case c == '"':
			e.inText = true
		case c == '{' || c == '[':
			e.depth++
		case c == '}' || c == ']':
			if e.depth == 0 {
				return i, true // of a scalar
			}
			if e.depth--; e.depth == 0 {
				return i + 1, true
			}
		case e.depth == 0 && (c == ',' || c == ':' || c == ' ' || c == '\n' || c == '\t' || c == '\r'):
			return i, true // of a scalar
		}
	}
	return len(chunk), false
}
