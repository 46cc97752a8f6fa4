package mirror

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/biofact-mcp/biofact/internal/upstream"
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

// errTooLarge is the error of a page beyond its limits.
var errTooLarge = fmt.Errorf("%w: a record of more than %d bytes, or more than %d records", upstream.ErrTooLarge, maxRecord, largestPage)

// A valueEnd finds the end of a value that is read in chunks.
type valueEnd struct {
	depth           int
	inText, escaped bool
}

// find returns the number of bytes of a chunk that belong to the value, and whether the value ends after them.
func (e *valueEnd) find(chunk []byte) (n int, ended bool) {
	for n < len(chunk) {
		if e.inText {
			n += e.text(chunk[n:])
			if !e.inText && e.depth == 0 {
				return n, true
			}
			continue
		}
		if last, ended := e.afterText(chunk[n]); ended {
			return n + last, true
		}
		n++
	}
	return n, false
}

// text returns the number of bytes of a chunk that belong to the text in which it begins. Most bytes of a record are in texts.
func (e *valueEnd) text(chunk []byte) (n int) {
	if e.escaped {
		e.escaped = false
		n = 1
	}
	for {
		part, _, closed := bytes.Cut(chunk[n:], []byte{'"'})
		escaped := (len(part)-len(bytes.TrimRight(part, `\`)))%2 == 1
		n += len(part)
		if !closed {
			e.escaped = escaped
			return n
		}
		n++
		if !escaped {
			e.inText = false
			return n
		}
	}
}

// afterText takes a byte outside of texts. It returns whether the value ends there, and with 1 that the byte belongs to it.
func (e *valueEnd) afterText(c byte) (n int, ended bool) {
	switch c {
	case '"':
		e.inText = true
	case '{', '[':
		e.depth++
	case '}', ']':
		if e.depth == 0 {
			return 0, true // after a scalar
		}
		e.depth--
		return 1, e.depth == 0
	case ',', ':', ' ', '\n', '\t', '\r':
		return 0, e.depth == 0 // after a scalar
	}
	return 0, false
}
