package checksum

import (
	"encoding/binary"
	"slices"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// This file checks the write-ahead log. SQLite checks the log only when the first process opens it: it leaves out all changes from a
// damaged frame on, although the file may have some of them, and later reads pages from the log without a check.

// The log has a header, and a frame for each changed page. Both have two random numbers (the salt), which identify the frames of one log,
// and two checksums. Those of a frame continue those before it.
const (
	logHeader    = 32
	frameHeader  = 24
	frameSize    = frameHeader + PageSize
	saltInHeader = 16
	sumsInHeader = 24
	sizeInFrame  = 4 // of the file after a transaction, in its last frame; 0 in the others
	saltInFrame  = 8
	sumsInFrame  = 16
	saltSize     = 8
	sumsSize     = 8
)

// A logFile is an open log.
type logFile struct {
	tls  *libc.TLS
	file uintptr
}

// readLog is xRead of a log.
func readLog(tls *libc.TLS, file, buffer uintptr, size int32, offset int64) int32 {
	code := method[dataMethod](baseOf(file).FxRead)(tls, file, buffer, size, offset)
	unchecked := at[checkedMethods](at[sqlite3.Tsqlite3_file](file).FpMethods).unchecked
	l := logFile{tls, file}
	switch bytes := unsafe.Slice(at[byte](buffer), size); {
	case code != sqlite3.SQLITE_OK:
		return code
	case offset == 0 && size == logHeader:
		if !slices.Equal(logSums(bytes, bytes[:sumsInHeader], make([]byte, sumsSize)), bytes[sumsInHeader:]) {
			return sqlite3.SQLITE_CORRUPT
		}
	case unchecked > 0 && offset >= unchecked:
	case size == PageSize && !l.intact(bytes, offset-frameHeader),
		size == frameSize && !l.intact(bytes[frameHeader:], offset) && l.commits(offset+frameSize):
		return sqlite3.SQLITE_CORRUPT
	}
	return code
}

// writeLog is xWrite of a log. A transaction that changes a page again writes it without its header, and writes the headers of all frames
// from there on at its end. Until then, the frames have wrong checksums.
func writeLog(tls *libc.TLS, file, buffer uintptr, size int32, offset int64) int32 {
	own := at[checkedMethods](at[sqlite3.Tsqlite3_file](file).FpMethods)
	switch frame := offset - frameHeader; {
	case offset == 0:
		own.unchecked = 0
	case size == frameHeader:
		if own.header = offset; offset == own.unchecked {
			own.unchecked += frameSize
		}
	case size == PageSize && frame == own.header:
		own.header = 0
	case size == PageSize && (own.unchecked == 0 || frame < own.unchecked):
		own.unchecked = frame
	}
	return method[dataMethod](baseOf(file).FxWrite)(tls, file, buffer, size, offset)
}

// read returns bytes of the log; nil if they cannot be read.
func (l logFile) read(size int, offset int64) []byte {
	buffer := l.tls.Alloc(size)
	defer l.tls.Free(size)
	if method[dataMethod](baseOf(l.file).FxRead)(l.tls, l.file, buffer, int32(size), offset) != sqlite3.SQLITE_OK {
		return nil
	}
	return slices.Clone(unsafe.Slice(at[byte](buffer), size))
}

// intact reports whether the frame at an offset, with a page, belongs to the log and continues its checksums.
func (l logFile) intact(page []byte, offset int64) bool {
	before := offset - frameSize + sumsInFrame
	if offset == logHeader {
		before = sumsInHeader
	}
	header, frame, sums := l.read(logHeader, 0), l.read(frameHeader, offset), l.read(sumsSize, before)
	return header != nil && frame != nil && sums != nil && slices.Equal(frame[saltInFrame:][:saltSize], header[saltInHeader:][:saltSize]) &&
		slices.Equal(logSums(header, page, logSums(header, frame[:saltInFrame], sums)), frame[sumsInFrame:])
}

// commits reports whether the log has the end of a transaction at an offset or after it.
func (l logFile) commits(offset int64) bool {
	header := l.read(logHeader, 0)
	for frame := l.read(frameHeader, offset); header != nil && frame != nil; frame = l.read(frameHeader, offset) {
		if slices.Equal(frame[saltInFrame:][:saltSize], header[saltInHeader:][:saltSize]) &&
			binary.BigEndian.Uint32(frame[sizeInFrame:]) > 0 {
			return true
		}
		offset += frameSize
	}
	return false
}

// logSums returns the checksums of bytes, which continue others. The lowest bit of the header's first number is the order of the bytes.
func logSums(header, bytes, sums []byte) []byte {
	var order binary.ByteOrder = binary.LittleEndian
	if header[3]&1 == 1 {
		order = binary.BigEndian
	}
	a, b := binary.BigEndian.Uint32(sums), binary.BigEndian.Uint32(sums[4:])
	for ; len(bytes) > 0; bytes = bytes[8:] {
		a += order.Uint32(bytes) + b
		b += order.Uint32(bytes[4:]) + a
	}
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, a), b)
}
