package stored

import (
	"bytes"
	"slices"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestUnpackDamaged: a changed bit of a compressed record, or of the dictionary, gives an error and never another text.
func TestUnpackDamaged(t *testing.T) {
	t.Parallel()
	record := []byte(`{"protocolSection":{"identificationModule":{"nctId":"NCT00000102","briefTitle":"A study of damage"},"n":12345}}`)
	dictionary := Dictionary([][]byte{bytes.Replace(record, []byte("damage"), []byte("repair"), 1)})
	p, err := NewPacker(dictionary)
	expect.NoError(t, err)
	packed := p.Pack(record)
	unpack := func(dictionary, packed []byte) ([]byte, error) {
		u, err := NewUnpacker(dictionary)
		expect.NoError(t, err)
		defer u.Close()
		return u.Unpack(nil, packed)
	}
	got, err := unpack(dictionary, packed)
	expect.Must(t, err == nil && bytes.Equal(got, record), "%s %v", got, err)
	for i := range len(packed) * 8 {
		damaged := slices.Clone(packed)
		damaged[i/8] ^= 1 << (i % 8)
		if got, err := unpack(dictionary, damaged); err == nil && !bytes.Equal(got, record) {
			t.Errorf("bit %d of the record: %s", i, got)
		}
	}
	for i := range dictionary {
		damaged := slices.Clone(dictionary)
		damaged[i] ^= 1
		if got, err := unpack(damaged, packed); err == nil && !bytes.Equal(got, record) {
			t.Errorf("byte %d of the dictionary: %s", i, got)
		}
	}
}
