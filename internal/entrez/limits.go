package entrez

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// Limits of what is read of NCBI's XML, far above those of any real record.
// encoding/xml holds a whole token in memory, however long it is.
const (
	maxToken     = 1 << 20 // bytes of a tag, text, comment or instruction, and of the text of an element
	maxTextBytes = 8 << 20 // bytes that the texts of one set of genes take in memory
	maxArticle   = 8 << 20 // bytes of one article; the longest lists of investigators take 3 MB
	maxElements  = 200_000 // of one article
	maxRecords   = 1000    // of one set of articles; at most 200 are asked for

	// maxArticles bounds the bytes of one set of articles. Most have some 15 kB,
	// few over 1 MB.
	maxArticles = 24 << 20
)

// tooLarge names the limit that an answer exceeds.
func tooLarge(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{entity.ErrTooLarge}, args...)...)
}

// tokenLimit counts the bytes that a decoder takes for one token.
type tokenLimit int

// next begins a token.
func (l *tokenLimit) next() { *l = 0 }

// take counts one byte.
func (l *tokenLimit) take() error {
	if *l++; *l > maxToken {
		return tooLarge("a token of more than %d bytes", maxToken)
	}
	return nil
}

// tokenSource is the input of an XML decoder, which reads an io.ByteReader byte
// by byte and nothing ahead, so that each token is bounded.
type tokenSource struct {
	from  io.ByteReader
	limit tokenLimit

	read    int64  // bytes in all
	copying bool   // into copied
	inside  bool   // an element that is copied as a whole
	copied  []byte // the last token, or the element so far
}

func newTokenSource(r io.Reader) *tokenSource {
	from, ok := r.(io.ByteReader)
	if !ok {
		from = bufio.NewReader(r)
	}
	return &tokenSource{from: from}
}

// next begins a token at an offset, which is one byte back where the decoder had
// to see the next byte to know that the last token had ended.
func (s *tokenSource) next(offset int64) {
	s.limit.next()
	if ahead := int(s.read - offset); !s.inside && len(s.copied) >= ahead {
		s.copied = append(s.copied[:0], s.copied[len(s.copied)-ahead:]...)
	}
}

// ReadByte reads the next byte of a token.
func (s *tokenSource) ReadByte() (byte, error) {
	if err := s.limit.take(); err != nil {
		return 0, err
	}
	c, err := s.from.ReadByte()
	if err != nil {
		return 0, err
	}
	s.read++
	if s.copying {
		s.copied = append(s.copied, c)
	}
	return c, nil
}

// Read is never called by a decoder that has ReadByte.
func (s *tokenSource) Read([]byte) (int, error) { return 0, errors.ErrUnsupported }

// expectRoot returns the failure that an answer is instead of one with a root
// element, which it does not read.
func expectRoot(answer *bufio.Reader, root string) error {
	head, err := answer.Peek(headBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if bom := []byte("\ufeff"); bytes.HasPrefix(head, bom) {
		head = head[len(bom):]
		_, _ = answer.Discard(len(bom)) // they were peeked at
	}
	if _, name := rootElement(head); name == root {
		return nil
	}
	body, err := io.ReadAll(io.LimitReader(answer, maxFailure))
	if err != nil {
		return err
	}
	if err := check(http.StatusOK, url.Values{"retmode": {"xml"}}, body); err != nil {
		return err
	}
	return fmt.Errorf("NCBI answered with something else than %s", root)
}

// What is read of an answer to tell what it is, and what failure it is.
const (
	headBytes  = 4 << 10
	maxFailure = 1 << 20
)
