package mirror

import (
	"fmt"
	"slices"

	"github.com/klauspost/compress/zstd"
)

const (
	maxDictionary = 64 << 10
	// dictionarySamples is the number of records from which a dictionary is built.
	dictionarySamples = 16
	// largestSample bounds one of them.
	largestSample = 1 << 20
	// dictionaryID identifies the dictionary in the header of each compressed record.
	dictionaryID = 1
	// maxRecord bounds one record in memory. The largest real records have 4 MB.
	maxRecord = 16 << 20
)

// A packer compresses records with a preset dictionary, because records share keys and phrases.
// It is not safe for concurrent use.
type packer struct{ encoder *zstd.Encoder }

// newPacker returns a packer that writes a checksum with each record, so that damage of the file gives an error.
func newPacker(dictionary []byte) (*packer, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderDictRaw(dictionaryID, dictionary))
	return &packer{encoder}, err
}

// pack returns the compressed text.
func (p *packer) pack(text []byte) []byte {
	return p.encoder.EncodeAll(text, make([]byte, 0, len(text)/2))
}

// An unpacker decompresses the records of a packer with the same dictionary. It is safe for concurrent use.
type unpacker struct{ decoder *zstd.Decoder }

func newUnpacker(dictionary []byte) (*unpacker, error) {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(readers), zstd.WithDecoderMaxMemory(maxRecord),
		zstd.WithDecoderDictRaw(dictionaryID, dictionary))
	return &unpacker{decoder}, err
}

// unpack returns the text. It writes it to the buffer into, if that is large enough.
func (u *unpacker) unpack(into, packed []byte) ([]byte, error) {
	text, err := u.decoder.DecodeAll(packed, slices.Grow(into[:0], 5*len(packed)))
	if err != nil {
		return nil, fmt.Errorf("unpack a record: %w", err)
	}
	return text, nil
}

// dictionaryOf returns a dictionary built from records: the end and the beginning of each, which have the keys that all records share.
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
