package history

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"github.com/biofact-mcp/biofact/internal/mirror/stored"
)

// A difference between two texts has parts in turn: new bytes after their number, and the number of bytes to copy out of the other text,
// with the distance from the end of the last copy. It may end after new bytes.

// block is the least number of bytes that are copied, but for those next to a copy.
const block = 32

// hashOf returns a hash of a block.
func hashOf(text []byte) (h uint64) {
	for i := 0; i < block; i += 8 {
		h = (bits.RotateLeft64(h, 29) ^ binary.LittleEndian.Uint64(text[i:])) * 0x9E3779B97F4A7C15
	}
	return h
}

// difference returns the bytes from which apply makes the text to out of the text from.
func difference(from, to []byte) (out []byte) {
	size := bits.Len(uint(len(from) / block * 2))
	blocks, shift := make([]int32, 1<<size), 64-size // the place of a block with a hash, plus one
	for at := 0; at+block <= len(from); at += block {
		blocks[hashOf(from[at:])>>shift] = int32(at + 1)
	}
	done, end := 0, 0 // bytes of to that are encoded, and the end of the last copy
	for i := 0; i+block <= len(to); {
		at := end + i - done // a part that has only changed
		if at+block > len(from) || !bytes.Equal(from[at:at+block], to[i:i+block]) {
			at = int(blocks[hashOf(to[i:])>>shift]) - 1
			if at < 0 || !bytes.Equal(from[at:at+block], to[i:i+block]) {
				i++
				continue
			}
		}
		for i > done && at > 0 && to[i-1] == from[at-1] {
			i, at = i-1, at-1
		}
		n := block
		for i+n < len(to) && at+n < len(from) && to[i+n] == from[at+n] {
			n++
		}
		out = append(binary.AppendUvarint(out, uint64(i-done)), to[done:i]...)
		out = binary.AppendVarint(binary.AppendUvarint(out, uint64(n)), int64(at-end))
		done, end = i+n, at+n
		i = done
	}
	if done < len(to) {
		out = append(binary.AppendUvarint(out, uint64(len(to)-done)), to[done:]...)
	}
	return out
}

// maxText bounds a text that a difference makes, in bytes.
const maxText = 4 * stored.MaxRecord

// apply returns the text of a difference.
func apply(from, data []byte) ([]byte, error) {
	out, end := make([]byte, 0, len(from)), 0
	for len(data) > 0 {
		n, head := binary.Uvarint(data)
		if head <= 0 || n > uint64(len(data)-head) {
			return nil, errDamaged
		}
		out, data = append(out, data[head:head+int(n)]...), data[head+int(n):]
		if len(data) == 0 {
			break
		}
		n, head = binary.Uvarint(data)
		skipped, more := binary.Varint(data[max(head, 0):])
		at := end + int(skipped)
		if head <= 0 || more <= 0 || at < 0 || at > len(from) || n > uint64(len(from)-at) || len(out)+int(n) > maxText {
			return nil, errDamaged
		}
		end = at + int(n)
		out, data = append(out, from[at:end]...), data[head+more:]
	}
	return out, nil
}
