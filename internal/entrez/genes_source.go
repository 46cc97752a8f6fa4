package entrez

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// geneSource is the input of an XML decoder. The decoder reads an io.ByteReader byte by byte without reading ahead. This allows skipping
// unneeded elements in the buffer, which is ten times as fast as decoding them.
type geneSource struct {
	*bufio.Reader
	ahead  []byte // bytes to return before those of the buffer
	last   [2]byte
	latin1 bool
	limit  tokenLimit
}

// geneBuffer is the size of the buffer. It can hold the head of a response and any tag.
const geneBuffer = 64 << 10

// ReadByte returns the next byte of the document in UTF-8. Invalid UTF-8 becomes the replacement character, and control characters become
// spaces, so that a single bad character does not make a record unreadable.
func (s *geneSource) ReadByte() (byte, error) {
	if err := s.limit.take(); err != nil {
		return 0, err
	}
	c, err := s.next()
	s.last[0], s.last[1] = s.last[1], c
	return c, err
}

func (s *geneSource) next() (byte, error) {
	if len(s.ahead) > 0 {
		c := s.ahead[0]
		s.ahead = s.ahead[1:]
		return c, nil
	}
	c, err := s.Reader.ReadByte()
	switch {
	case err != nil:
		return 0, err
	case c >= utf8.RuneSelf:
		s.ahead = s.character(c)
		return s.next()
	case c < ' ' && c != '\t' && c != '\n' && c != '\r':
		return ' ', nil
	}
	return c, nil
}

// character returns a character beyond ASCII whose first byte was read.
func (s *geneSource) character(first byte) []byte {
	if s.latin1 {
		return utf8.AppendRune(nil, rune(first))
	}
	text := [utf8.UTFMax]byte{first}
	rest, _ := s.Peek(utf8.UTFMax - 1) // fewer at the end of input
	copy(text[1:], rest)
	r, size := utf8.DecodeRune(text[:1+len(rest)])
	if r == 0xFFFE || r == 0xFFFF { // not allowed in XML
		r = utf8.RuneError
	}
	_, _ = s.Discard(size - 1) // cannot fail: these bytes were peeked at
	return utf8.AppendRune(nil, r)
}

// charset makes the source decode an encoding other than UTF-8.
func (s *geneSource) charset(label string, _ io.Reader) (io.Reader, error) {
	switch strings.ToLower(label) {
	case "us-ascii", "ascii", "utf8":
	case "iso-8859-1", "latin1", "windows-1252":
		s.latin1 = true
	default:
		return nil, fmt.Errorf("unknown encoding %q", label)
	}
	return s, nil
}

// geneSet is the root element.
const geneSet = "Entrezgene-Set"

// lastTagEmpty reports whether the tag just read is that of an empty element, <a/>.
func (s *geneSource) lastTagEmpty() bool { return s.last == [2]byte{'/', '>'} }

// skipTo skips the content of an element up to its end tag, which is read next. The element may contain others of the same name.
func (s *geneSource) skipTo(name string) error {
	for depth := 1; ; {
		if _, err := s.ReadSlice('<'); errors.Is(err, bufio.ErrBufferFull) {
			continue
		} else if err != nil {
			return err
		}
		tag, _ := s.Peek(len(name) + 2) // fewer at the end of input
		switch {
		case isTag(tag, "/"+name):
			if depth--; depth == 0 {
				s.ahead = []byte{'<'}
				return nil
			}
		case isTag(tag, name) && !s.nextTagEmpty():
			depth++
		}
	}
}

// isTag reports whether tag begins with a name that ends there, and is not a prefix of a longer name.
func isTag(tag []byte, name string) bool {
	return len(tag) > len(name) && string(tag[:len(name)]) == name && bytes.IndexByte([]byte(" \t\r\n/>"), tag[len(name)]) >= 0
}

func (s *geneSource) nextTagEmpty() bool {
	ahead, _ := s.Peek(geneBuffer / 16)
	i := bytes.IndexByte(ahead, '>')
	return i > 0 && ahead[i-1] == '/'
}
