package history

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"

	"github.com/biofact-mcp/biofact/internal/mirror/stored"
)

// A Record is one version of a record as the mirror stores it: its two parts. Its Main is nil where the registry has no such trial.
type Record struct {
	// Main is the record with empty texts for the posted results and for the date of the data; Results are the posted results, or nil.
	Main, Results []byte
}

// Missing reports whether the registry has no such trial.
func (r Record) Missing() bool { return r.Main == nil }

// Hash returns a hash of the record; 0: the registry has no such trial.
func (r Record) Hash() int64 {
	if r.Missing() {
		return 0
	}
	return stored.Hash(r.Main, r.Results)
}

func (r Record) equal(other Record) bool {
	return bytes.Equal(r.Main, other.Main) && bytes.Equal(r.Results, other.Results)
}

// Text returns the record as the registry served it on a day. It may change the record.
func (r Record) Text(day string) []byte {
	text := stored.WithVersion(r.Main, day)
	if r.Results != nil {
		text = stored.WithResults(text, r.Results)
	}
	return text
}

// The forms of a part of an older version.
const (
	absent    = iota
	unchanged // it is that of the newer version
	byteDiff  // its difference to that of the newer version
	packed    // the difference as the mirror compresses a record
)

// errDamaged is the error of a difference that was not made of the version to which it is applied.
var errDamaged = errors.New("the history is damaged")

// A Codec compresses and decompresses the records of a file. A reader needs no Packer.
type Codec struct {
	Packer   *stored.Packer
	Unpacker *stored.Unpacker
}

// A codec makes the stored form of older versions.
type codec Codec

// encode returns the bytes from which decode makes the version old out of the version now.
func (c codec) encode(old, now Record) []byte {
	main, mainForm := c.encodePart(old.Main, now.Main)
	results, resultsForm := c.encodePart(old.Results, now.Results)
	out := binary.AppendUvarint([]byte{mainForm, resultsForm}, uint64(len(main)))
	return append(append(out, main...), results...)
}

// Forward returns the bytes from which Next makes a version out of the one before it, in any file.
func Forward(before, after Record) []byte {
	if after.Missing() {
		return nil
	}
	return codec{}.encode(after, before)
}

// Next returns the version that Forward has encoded, out of the record of a trial in the file.
func Next(ctx context.Context, db Querier, c Codec, id int64, data []byte) (Record, error) {
	before, err := current(ctx, db, codec(c), id, new([2][]byte))
	if err != nil {
		return before, err
	}
	return codec(c).decode(data, before)
}

// leastPacked is the number of bytes from which a difference is compressed.
const leastPacked = 128

func (c codec) encodePart(old, now []byte) ([]byte, byte) {
	switch {
	case old == nil:
		return nil, absent
	case now != nil && bytes.Equal(old, now):
		return nil, unchanged
	}
	text := difference(now, old)
	if c.Packer == nil || len(text) < leastPacked {
		return text, byteDiff
	}
	return c.Packer.Pack(text), packed
}

// decode returns the version that encode has encoded.
func (c codec) decode(data []byte, now Record) (old Record, err error) {
	if len(data) < 3 {
		return old, errDamaged
	}
	size, n := binary.Uvarint(data[2:])
	rest := data[2+max(n, 0):]
	if n <= 0 || size > uint64(len(rest)) {
		return old, errDamaged
	}
	if old.Main, err = c.decodePart(data[0], rest[:size], now.Main); err == nil {
		old.Results, err = c.decodePart(data[1], rest[size:], now.Results)
	}
	return old, err
}

func (c codec) decodePart(form byte, data, now []byte) ([]byte, error) {
	switch form {
	case absent:
		return nil, nil
	case unchanged:
		return bytes.Clone(now), nil
	case byteDiff:
		return apply(now, data)
	case packed:
		text, err := c.Unpacker.Unpack(nil, data)
		if err != nil {
			return nil, err
		}
		return apply(now, text)
	}
	return nil, errDamaged
}
