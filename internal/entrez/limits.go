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

// Limits for reading NCBI's XML, far above the size of any real record. encoding/xml holds a token of any length in memory.
const (
	maxToken     = 1 << 20 // bytes of a tag, text, comment or instruction, and of the text of an element
	maxTextBytes = 8 << 20 // bytes of memory for the texts of one set of genes
	maxArticle   = 8 << 20 // bytes of one article; the longest lists of investigators take 3 MB
	maxElements  = 200_000 // of one article
	maxRecords   = 1000    // of one set of articles; a request has at most 200

	// maxArticles limits the bytes of one set of articles. Most articles have about 15 kB, few over 1 MB.
	maxArticles = 24 << 20
)

// tokenLimit counts the bytes of the current token.
type tokenLimit int

func (l *tokenLimit) next() { *l = 0 }

// take counts one byte.
func (l *tokenLimit) take() error {
	if *l++; *l > maxToken {
		return entity.TooLarge("a token of more than %d bytes", maxToken)
	}
	return nil
}

// tokenSource is the input of an XML decoder. The decoder reads an io.ByteReader byte by byte without reading ahead, so that the size of
// each token can be limited.
type tokenSource struct {
	from  io.ByteReader
	limit tokenLimit

	read    int64  // number of bytes read
	copying bool   // append the bytes to copied
	inside  bool   // in an element that is copied as a whole
	copied  []byte // the last token, or the element so far
}

func newTokenSource(r io.Reader) *tokenSource {
	from, ok := r.(io.ByteReader)
	if !ok {
		from = bufio.NewReader(r)
	}
	return &tokenSource{from: from}
}

// next starts a token at an offset. The offset is one byte back if the decoder had to read the next byte to find the end of the last token.
func (s *tokenSource) next(offset int64) {
	s.limit.next()
	if ahead := int(s.read - offset); !s.inside && len(s.copied) >= ahead {
		s.copied = append(s.copied[:0], s.copied[len(s.copied)-ahead:]...)
	}
}

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

// Read is never called: the decoder uses ReadByte.
func (s *tokenSource) Read([]byte) (int, error) { return 0, errors.ErrUnsupported }

// expectRoot checks that a response begins with a root element, without reading it. If it does not, expectRoot reads the response and
// returns the failure that it reports.
func expectRoot(answer *bufio.Reader, root string) error {
	head, err := answer.Peek(headBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if bom := []byte("\ufeff"); bytes.HasPrefix(head, bom) {
		head = head[len(bom):]
		_, _ = answer.Discard(len(bom)) // cannot fail: these bytes were peeked at
	}
	if name, _ := rootElement(head); name == root {
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

// How many bytes are read to recognize a response, and to read a failure.
const (
	headBytes  = 4 << 10
	maxFailure = 1 << 20
)
