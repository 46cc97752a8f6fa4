// Package stored converts whole records between the text of the registry and the form in which the mirror stores them: split, compressed,
// and cut to the fields of an answer. It knows no table and no request.
package stored

import (
	"fmt"
	"slices"

	"github.com/klauspost/compress/zstd"
)

const (
	maxDictionary = 64 << 10
	// DictionarySamples is the number of records from which a dictionary is built.
	DictionarySamples = 16
	// LargestSample bounds one of them.
	LargestSample = 1 << 20
	// dictionaryID identifies the dictionary in the header of each compressed record.
	dictionaryID = 1
	// MaxRecord bounds one record in memory. The largest real records have 4 MB.
	MaxRecord = 16 << 20
	// unpackers bounds the records that are decompressed at the same time.
	unpackers = 4
)

// A Packer compresses records with a preset dictionary, because records share keys and phrases.
// It is not safe for concurrent use.
type Packer struct{ encoder *zstd.Encoder }

// NewPacker returns a packer that writes a checksum with each record, so that damage of the file gives an error.
func NewPacker(dictionary []byte) (*Packer, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderDictRaw(dictionaryID, dictionary))
	return &Packer{encoder}, err
}

// Pack returns the compressed text.
func (p *Packer) Pack(text []byte) []byte {
	return p.encoder.EncodeAll(text, make([]byte, 0, len(text)/2))
}

// An Unpacker decompresses the records of a packer with the same dictionary. It is safe for concurrent use.
type Unpacker struct{ decoder *zstd.Decoder }

// NewUnpacker returns an unpacker of the records of a packer with a dictionary.
func NewUnpacker(dictionary []byte) (*Unpacker, error) {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(unpackers), zstd.WithDecoderMaxMemory(MaxRecord),
		zstd.WithDecoderDictRaw(dictionaryID, dictionary))
	return &Unpacker{decoder}, err
}

// Unpack returns the text. It writes it to the buffer into, if that is large enough.
func (u *Unpacker) Unpack(into, packed []byte) ([]byte, error) {
	text, err := u.decoder.DecodeAll(packed, slices.Grow(into[:0], 5*len(packed)))
	if err != nil {
		return nil, fmt.Errorf("unpack a record: %w", err)
	}
	return text, nil
}

// Close releases the memory of the unpacker.
func (u *Unpacker) Close() { u.decoder.Close() }

// Dictionary returns a dictionary built from records: the end and the beginning of each, which have the keys that all records share.
func Dictionary(records [][]byte) []byte {
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
