package store

import (
	"encoding/binary"
	"hash/crc32"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum returns the checksum that is stored with an entry. It includes the key, so that a damaged index does not return the entry of
// another key. It detects every error burst of up to four bytes.
func checksum(key string, e Entry) uint32 {
	head := make([]byte, 0, 16+len(key))
	head = binary.BigEndian.AppendUint64(head, uint64(e.Fetched.UnixMicro()))
	head = binary.BigEndian.AppendUint64(head, uint64(e.Stored.UnixMicro()))
	head = append(head, key...)
	return crc32.Update(crc32.Checksum(head, castagnoli), castagnoli, e.Value)
}
