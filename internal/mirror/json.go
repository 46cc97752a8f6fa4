package mirror

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/biofact-mcp/biofact/internal/registry"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// errJSON is the error of a text that is not valid JSON.
var errJSON = errors.New("a record that is no JSON")

// newDecoder returns a decoder that accepts the same texts as encoding/json.
func newDecoder(from io.Reader) *jsontext.Decoder {
	return jsontext.NewDecoder(from, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// decode reads a record. Numbers become json.Number, with their digits unchanged.
func decode(text []byte) (map[string]any, error) { return decodeFields(text, nil) }

// decodeFields reads the part of a record that fields select, or a little more. It only checks the rest.
func decodeFields(text []byte, fields registry.Projection) (map[string]any, error) {
	value, err := decodeAny(text, fields)
	if err != nil {
		return nil, err
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, errors.New("a record that is no object")
	}
	return object, nil
}

// decodeAny reads a value as decodeFields does.
func decodeAny(text []byte, fields registry.Projection) (any, error) {
	d := newDecoder(bytes.NewBuffer(text))
	value, err := decodeNext(d, fields)
	if _, end := d.ReadToken(); err != nil || !errors.Is(end, io.EOF) {
		return nil, errJSON
	}
	return value, nil
}

func decodeNext(d *jsontext.Decoder, fields registry.Projection) (any, error) {
	switch d.PeekKind() {
	case '{':
		out := map[string]any{}
		return out, members(d, func(name string) (err error) {
			below, selected := fields[name]
			if fields != nil && !selected {
				return d.SkipValue()
			}
			out[name], err = decodeNext(d, below)
			return err
		})
	case '[':
		out := []any{}
		return out, elements(d, '[', func() error {
			item, err := decodeNext(d, fields)
			out = append(out, item)
			return err
		})
	}
	token, err := d.ReadToken()
	switch token.Kind() {
	case 't', 'f':
		return token.Bool(), err
	case '0':
		return json.Number(token.String()), err
	case '"':
		return token.String(), err
	}
	return nil, err
}

// members calls a function with the name of each member of an object, at its value.
func members(d *jsontext.Decoder, value func(name string) error) error {
	return elements(d, '{', func() error {
		name, err := d.ReadToken()
		if err != nil {
			return err
		}
		return value(name.String())
	})
}

// elements calls a function at each element of an object or a list, whose text begins with a bracket.
func elements(d *jsontext.Decoder, bracket jsontext.Kind, element func() error) error {
	first, err := d.ReadToken()
	if err == nil && first.Kind() != bracket {
		err = errJSON
	}
	for err == nil && d.PeekKind() != '}' && d.PeekKind() != ']' {
		err = element()
	}
	if err == nil {
		_, err = d.ReadToken()
	}
	return err
}

// errTooLarge is the error of a page beyond its limits.
var errTooLarge = fmt.Errorf("%w: a record of more than %d bytes, or more than %d records", upstream.ErrTooLarge, maxRecord, largestPage)

// A pageReader reads the body of a page for a decoder, which keeps a value in memory until it ends. It bounds the size of a value.
type pageReader struct {
	body    io.Reader
	decoder *jsontext.Decoder
	bytes   int64
	failure error
}

// Read implements io.Reader.
func (r *pageReader) Read(p []byte) (n int, err error) {
	if r.bytes-r.decoder.InputOffset() > maxRecord {
		r.failure = errTooLarge
		return 0, r.failure
	}
	n, err = r.body.Read(p)
	if r.bytes += int64(n); !errors.Is(err, io.EOF) {
		r.failure = err
	}
	return n, err
}

// read reads a page as a stream. It stops at an error of study.
func (p *page) read(body io.Reader, study func([]byte) error) error {
	r := &pageReader{body: body}
	d := newDecoder(r)
	r.decoder = d
	listed := false
	err := members(d, func(name string) error {
		if name == "studies" {
			listed = true
			return p.readStudies(d, study)
		}
		value, err := d.ReadValue()
		switch {
		case err != nil:
			return err
		case name == "nextPageToken":
			return json.Unmarshal(value, &p.next)
		case name == "totalCount":
			return json.Unmarshal(value, &p.total)
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
		return errJSON
	case err == nil && !listed:
		return errors.New("the response has no list of studies")
	}
	return err
}

// readStudies calls study with each study until it returns an error. The bytes are valid until the next study is read.
func (p *page) readStudies(d *jsontext.Decoder, study func([]byte) error) error {
	return elements(d, '[', func() error {
		raw, err := d.ReadValue()
		if err != nil {
			return err
		}
		if p.studies++; p.studies > largestPage {
			return errTooLarge
		}
		return study(raw)
	})
}
