package feed

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/biofact-mcp/biofact/internal/mirror/stored"
	"github.com/biofact-mcp/biofact/internal/upstream"
	"github.com/go-json-experiment/json/jsontext"
)

// errTooLarge is the error of a page beyond its limits.
var errTooLarge = fmt.Errorf("%w: a record of more than %d bytes, or more than %d records",
	upstream.ErrTooLarge, stored.MaxRecord, LargestPage)

// A pageReader reads the body of a page for a decoder, which keeps a value in memory until it ends. It bounds the size of a value.
type pageReader struct {
	body    io.Reader
	decoder *jsontext.Decoder
	bytes   int64
	failure error
}

// Read implements io.Reader.
func (r *pageReader) Read(p []byte) (n int, err error) {
	left := stored.MaxRecord - (r.bytes - r.decoder.InputOffset())
	if left < 0 {
		r.failure = errTooLarge
		return 0, r.failure
	}
	n, err = r.body.Read(p[:min(int64(len(p)), left+1)])
	if r.bytes += int64(n); !errors.Is(err, io.EOF) {
		r.failure = err
	}
	return n, err
}

// read reads a page as a stream. It stops at an error of study.
func (p *Page) read(body io.Reader, study func([]byte) error) error {
	r := &pageReader{body: body}
	d := stored.NewDecoder(r)
	r.decoder = d
	listed := false
	err := stored.Members(d, func(name string) error {
		if name == "studies" {
			listed = true
			return p.readStudies(d, study)
		}
		value, err := d.ReadValue()
		switch {
		case err != nil:
			return err
		case name == "nextPageToken":
			return json.Unmarshal(value, &p.Next)
		case name == "totalCount":
			return json.Unmarshal(value, &p.Total)
		}
		return nil
	})
	_, invalid := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case r.failure != nil:
		return r.failure
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		return io.ErrUnexpectedEOF
	case invalid:
		return stored.ErrJSON
	case err == nil && !listed:
		return errors.New("the response has no list of studies")
	}
	return err
}

// readStudies calls study with each study until it returns an error. The bytes are valid until the next study is read.
func (p *Page) readStudies(d *jsontext.Decoder, study func([]byte) error) error {
	return stored.Elements(d, '[', func() error {
		raw, err := d.ReadValue()
		if err != nil {
			return err
		}
		if p.Studies++; p.Studies > LargestPage {
			return errTooLarge
		}
		return study(raw)
	})
}

// A PageBound bounds a chain of pages, which may have fewer studies than requested.
type PageBound struct {
	begun         bool
	studies, most int
}

// Add counts a page that is not the last one. The first page has the total of studies.
func (b *PageBound) Add(p Page) error {
	if !b.begun {
		b.begun, b.most = true, 2*min(max(0, p.Total), largestRegistry)+LargestPage/10
	}
	if b.studies += p.Studies; b.studies > b.most || p.Studies == 0 {
		return errEndless
	}
	return nil
}

// largestRegistry bounds the studies of a registry, of which ClinicalTrials.gov has a tenth.
const largestRegistry = 6_000_000

// errEndless is the error of a list with more pages than its studies need.
var errEndless = errors.New("the registry lists pages of trials again and again")
