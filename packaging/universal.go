package main

import (
	"bytes"
	"debug/macho"
	"encoding/binary"
	"fmt"
)

// pageBits is the alignment of a program in a universal binary: Apple silicon has pages of 16 KiB.
const pageBits = 14

// universal joins programs for macOS into one file that runs on all their architectures. A bundle can have different programs for
// systems, but not for architectures.
func universal(programs ...[]byte) ([]byte, error) {
	header := []uint32{macho.MagicFat, uint32(len(programs))}
	offset := uint32(1 << pageBits)
	var body bytes.Buffer
	for _, program := range programs {
		f, err := macho.NewFile(bytes.NewReader(program))
		if err != nil {
			return nil, fmt.Errorf("not a program for macOS: %w", err)
		}
		size := uint32(len(program))
		header = append(header, uint32(f.Cpu), f.SubCpu, offset, size, pageBits)
		padded := (size + 1<<pageBits - 1) &^ (1<<pageBits - 1)
		body.Write(program)
		body.Write(make([]byte, padded-size))
		offset += padded
	}
	out := make([]byte, 1<<pageBits)
	for i, word := range header {
		binary.BigEndian.PutUint32(out[4*i:], word)
	}
	return append(out, body.Bytes()...), nil
}
