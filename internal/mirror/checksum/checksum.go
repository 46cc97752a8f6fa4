// Package checksum is a file system (VFS) of SQLite that gives each page of a database a checksum, and checks the pages that SQLite reads
// from a database or its log. It knows no table: any database can use it.
package checksum

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"sync"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// The file system is the default one of the system, which also writes a checksum at the end of a page of a database and checks it when the
// page is read. Pages in the write-ahead log have the checksums of SQLite, see log.go.

const (
	// PageSize is the size of a page in bytes.
	PageSize = 4096
	// sumSize is the number of bytes at the end of each page that SQLite does not use. With 8, a block of FTS5 takes two pages.
	sumSize = 4
	// smallestPage is the size from which SQLite reads whole pages. Below, it reads parts of the header, and the page later.
	smallestPage = 512
)

// pageSizeInHeader and unusedInHeader are the offsets of the page size and of the number of unused bytes in the header of a file.
const pageSizeInHeader, unusedInHeader = 16, 20

// The methods of SQLite, as package lib calls them.
type (
	openMethod  = func(tls *libc.TLS, system, name, file uintptr, flags int32, outFlags uintptr) int32
	dataMethod  = func(tls *libc.TLS, file, buffer uintptr, size int32, offset int64) int32 // xRead and xWrite
	traitMethod = func(tls *libc.TLS, file uintptr) int32
)

// A checkedSystem is the file system.
type checkedSystem struct {
	sqlite3.Tsqlite3_vfs
	base *sqlite3.Tsqlite3_vfs
}

// checkedMethods are the methods of an open database or log. They are in the memory that SQLite allocates for the file, after that of the
// default file system.
type checkedMethods struct {
	sqlite3.Tsqlite3_io_methods
	base *sqlite3.Tsqlite3_io_methods

	header    int64 // of a log: offset of the frame whose header was written last, without its page
	unchecked int64 // of a log: offset of the first frame that has no checksum yet; 0: none
}

// checked registers the file system. It is not in the memory of Go, because SQLite keeps its address and writes to it.
var checked = sync.OnceValues(func() (*checkedSystem, error) {
	tls := libc.NewTLS()
	defer tls.Close()
	name, err := libc.CString("biofact")
	if err != nil {
		return nil, err
	}
	base := at[sqlite3.Tsqlite3_vfs](sqlite3.Xsqlite3_vfs_find(tls, 0))
	address := libc.Xcalloc(tls, 1, libc.Tsize_t(unsafe.Sizeof(checkedSystem{})))
	if address == 0 {
		return nil, errors.New("no memory for the file system of SQLite")
	}
	s := at[checkedSystem](address)
	*s = checkedSystem{*base, base}
	s.FzName, s.FpNext = name, 0
	s.FszOsFile += int32(unsafe.Sizeof(checkedMethods{}))
	s.FxOpen = addressOf(openChecked)
	if code := sqlite3.Xsqlite3_vfs_register(tls, address, 0); code != sqlite3.SQLITE_OK {
		return nil, fmt.Errorf("register the file system of SQLite: code %d", code)
	}
	return s, nil
})

// FileSystem returns the name of the file system, which the parameter vfs of the driver takes.
func FileSystem() (string, error) {
	s, err := checked()
	if err != nil {
		return "", err
	}
	return libc.GoString(s.FzName), nil
}

// at returns the value at an address outside of the memory of Go.
func at[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

// addressOf returns the address of a function as SQLite stores it.
func addressOf[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }

func method[F any](address uintptr) F { return *(*F)(unsafe.Pointer(&address)) }

// openChecked is xOpen. Temporary files keep the methods of the default file system.
var openChecked openMethod = func(tls *libc.TLS, system, name, file uintptr, flags int32, outFlags uintptr) int32 {
	base := at[checkedSystem](system).base
	code := method[openMethod](base.FxOpen)(tls, uintptr(unsafe.Pointer(base)), name, file, flags, outFlags)
	if code == sqlite3.SQLITE_OK && flags&(sqlite3.SQLITE_OPEN_MAIN_DB|sqlite3.SQLITE_OPEN_WAL) != 0 {
		replaceMethods(file, file+uintptr(base.FszOsFile), flags&sqlite3.SQLITE_OPEN_WAL != 0)
	}
	return code
}

// replaceMethods gives an open file the methods that check it. They are written to an address.
func replaceMethods(file, address uintptr, isLog bool) {
	opened, own := at[sqlite3.Tsqlite3_file](file), at[checkedMethods](address)
	methods := at[sqlite3.Tsqlite3_io_methods](opened.FpMethods)
	*own = checkedMethods{Tsqlite3_io_methods: *methods, base: methods}
	if isLog {
		own.FxRead, own.FxWrite = addressOf[dataMethod](readLog), addressOf[dataMethod](writeLog)
	} else {
		own.FxRead, own.FxWrite = addressOf[dataMethod](readChecked), addressOf[dataMethod](writeChecked)
		own.FxDeviceCharacteristics = addressOf[traitMethod](traitsOfChecked)
	}
	opened.FpMethods = address
}

// baseOf returns the methods of the default file system for an open file.
func baseOf(file uintptr) *sqlite3.Tsqlite3_io_methods {
	return at[checkedMethods](at[sqlite3.Tsqlite3_file](file).FpMethods).base
}

// readChecked is xRead. A page with a wrong checksum, and one that the file is too short for, is that of a damaged file.
func readChecked(tls *libc.TLS, file, buffer uintptr, size int32, offset int64) int32 {
	code := method[dataMethod](baseOf(file).FxRead)(tls, file, buffer, size, offset)
	bytes := unsafe.Slice(at[byte](buffer), size)
	switch short := code == sqlite3.SQLITE_IOERR_SHORT_READ; {
	case code != sqlite3.SQLITE_OK && !short:
		return code
	case size >= smallestPage:
		if short || size != PageSize || binary.LittleEndian.Uint32(bytes[PageSize-sumSize:]) != sumOf(bytes, offset) {
			return sqlite3.SQLITE_CORRUPT
		}
	case short && offset == 0: // of a new file
		binary.BigEndian.PutUint16(bytes[pageSizeInHeader:], PageSize)
		bytes[unusedInHeader] = sumSize
	}
	return code
}

// writeChecked is xWrite.
func writeChecked(tls *libc.TLS, file, buffer uintptr, size int32, offset int64) int32 {
	if size == PageSize {
		bytes := unsafe.Slice(at[byte](buffer), size)
		binary.LittleEndian.PutUint32(bytes[PageSize-sumSize:], sumOf(bytes, offset))
	}
	return method[dataMethod](baseOf(file).FxWrite)(tls, file, buffer, size, offset)
}

// traitsOfChecked is xDeviceCharacteristics: SQLite must read whole pages.
func traitsOfChecked(tls *libc.TLS, file uintptr) int32 {
	return method[traitMethod](baseOf(file).FxDeviceCharacteristics)(tls, file) &^ sqlite3.SQLITE_IOCAP_SUBPAGE_READ
}

// sumOf returns the checksum of a page at an offset. A page in the place of another one has a wrong checksum.
func sumOf(page []byte, offset int64) uint32 {
	return crc32.Update(uint32(offset/PageSize), crc32.MakeTable(crc32.Castagnoli), page[:PageSize-sumSize])
}
