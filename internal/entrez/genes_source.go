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

// geneSource is the input of an XML decoder, which reads an io.ByteReader byte
// by byte and nothing ahead. So what need not be understood can be passed over
// in between, in the buffer and without tokens: at ten times the speed.
type geneSource struct {
	*bufio.Reader
	ahead  []byte // what comes before the buffer
	last   [2]byte
	latin1 bool
	limit  tokenLimit
}

// geneBuffer holds the head of an answer and any tag.
const geneBuffer = 64 << 10

func newGeneSource(r io.Reader) *geneSource {
	return &geneSource{Reader: bufio.NewReaderSize(r, geneBuffer)}
}

// ReadByte returns the next byte of the document in UTF-8. Bytes that are no
// UTF-8 become the replacement character, control characters become spaces:
// one of them somewhere in a record must not make the whole unreadable.
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

// character returns a character beyond ASCII, of which the first byte is read.
func (s *geneSource) character(first byte) []byte {
	if s.latin1 {
		return utf8.AppendRune(nil, rune(first))
	}
	text := [utf8.UTFMax]byte{first}
	rest, _ := s.Peek(utf8.UTFMax - 1) // as many as there are
	copy(text[1:], rest)
	r, size := utf8.DecodeRune(text[:1+len(rest)])
	if r == 0xFFFE || r == 0xFFFF { // which XML does not know
		r = utf8.RuneError
	}
	_, _ = s.Discard(size - 1) // they were peeked at
	return utf8.AppendRune(nil, r)
}

// charset makes the source read another encoding than UTF-8.
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

// emptied tells that the tag just read is that of an empty element, <a/>.
func (s *geneSource) lastTagEmpty() bool { return s.last == [2]byte{'/', '>'} }

// passTo passes over what is in an element of a name, up to its end tag, which
// is read next. The element may hold others of its name.
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

// begins tells a tag of a name, not of one that is longer.
func isTag(tag []byte, name string) bool {
	return len(tag) > len(name) && string(tag[:len(name)]) == name && bytes.IndexByte([]byte(" \t\r\n/>"), tag[len(name)]) >= 0
}

// empty tells that the tag ahead is that of an empty element.
func (s *geneSource) nextTagEmpty() bool {
	ahead, _ := s.Peek(geneBuffer / 16)
	i := bytes.IndexByte(ahead, '>')
	return i > 0 && ahead[i-1] == '/'
}
