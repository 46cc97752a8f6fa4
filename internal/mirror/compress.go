package mirror

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
)

const (
	// maxDictionary is the window of the method: nothing farther back is found.
	maxDictionary = 32 << 10
	// dictionarySamples is the number of records that a dictionary is made of.
	dictionarySamples = 12
	// compression trades time for size: level 5 makes files that are 1 % smaller, and takes twice the time.
	compression = 2
	// maxRecord bounds one record in memory. The largest real ones have 4 MB.
	maxRecord = 64 << 20
)

// A packer compresses records with a preset dictionary: records have the same keys and phrases.
// It is not safe for concurrent use.
type packer struct {
	writer *flate.Writer
	out    bytes.Buffer
}

func newPacker(dictionary []byte) (*packer, error) {
	p := &packer{}
	var err error
	p.writer, err = flate.NewWriterDict(&p.out, compression, dictionary)
	return p, err
}

// pack returns a text compressed.
func (p *packer) pack(text []byte) ([]byte, error) {
	p.out.Reset()
	p.writer.Reset(&p.out)
	if _, err := p.writer.Write(text); err != nil {
		return nil, err
	}
	if err := p.writer.Close(); err != nil {
		return nil, err
	}
	return slices.Clone(p.out.Bytes()), nil
}

// An unpacker reads what a packer with the same dictionary wrote. It is safe for concurrent use.
type unpacker struct {
	dictionary []byte
	readers    sync.Pool
}

// unpack returns the text.
func (u *unpacker) unpack(packed []byte) ([]byte, error) {
	reader, ok := u.readers.Get().(io.ReadCloser)
	if !ok {
		reader = flate.NewReaderDict(bytes.NewReader(packed), u.dictionary)
	} else if err := reader.(flate.Resetter).Reset(bytes.NewReader(packed), u.dictionary); err != nil {
		return nil, err
	}
	var text bytes.Buffer
	text.Grow(5 * len(packed))
	n, err := text.ReadFrom(io.LimitReader(reader, maxRecord+1))
	if err == nil && n > maxRecord {
		err = errors.New("a record that is too large")
	}
	if err != nil {
		return nil, fmt.Errorf("unpack a record: %w", err)
	}
	u.readers.Put(reader)
	return text.Bytes(), nil
}

// dictionaryOf returns a dictionary of some records: the beginning of each, where most of the keys
// are, and what two records in a row have in common with all others, the frame of a record.
func dictionaryOf(records [][]byte) []byte {
	if len(records) == 0 {
		return []byte("{}")
	}
	share := maxDictionary / len(records)
	var out []byte
	for _, record := range records {
		out = append(out, record[max(0, len(record)-share/2):]...)
		out = append(out, record[:min(len(record), share/2)]...)
	}
	return out[max(0, len(out)-maxDictionary):]
}
