package store

import (
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// oldTables returns the file in which an earlier version kept the tables, which is tables.db beside mirror.db; "": no such file exists.
func oldTables(folder string) string {
	dir, base := filepath.Split(strings.TrimSuffix(folder, ".tables"))
	name := base + "-tables.db"
	if rest, ok := strings.CutPrefix(base, "mirror"); ok {
		name = "tables" + rest + ".db"
	}
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return ""
	}
	defer f.Close()
	const signature, at = 0x62696f74, 68 // the application's id in the header of SQLite
	header := make([]byte, at+4)
	if _, err := io.ReadFull(f, header); err != nil || binary.BigEndian.Uint32(header[at:]) != signature {
		return ""
	}
	return f.Name()
}

// removeOld removes the file of an earlier version, and returns its path; "": no such file exists.
func removeOld(folder string) string {
	path := oldTables(folder)
	if path == "" || os.Remove(path) != nil {
		return ""
	}
	_ = os.Remove(path + "-journal")
	return path
}
