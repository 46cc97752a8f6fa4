package records

import (
	"context"
	"fmt"
	"io"
)

// Limits limit the reading of a path. All bounds the memory; the others stop the reading of a wrong path.
type Limits struct {
	All     int64 // bytes of all files at a path together, decompressed
	File    int64 // decompressed bytes of a file that is read record by record
	Held    int64 // decompressed bytes of a file that is held in memory
	Line    int   // bytes of one study
	Entries int   // files and folders
	Depth   int   // of folders within each other
}

// allText is the text whose records take 2 GB of memory: studies take eight times their text.
const allText = 256 << 20

// DefaultLimits are the limits outside of tests.
var DefaultLimits = Limits{All: allText, File: 32 << 30, Held: 1 << 30, Line: 64 << 20, Entries: 1_000_000, Depth: 32}

// A limitedReader fails beyond its limit, or when its context ends.
type limitedReader struct {
	ctx         context.Context
	from        io.Reader
	file        io.Closer
	limit, left int64
}

// Close implements io.Closer.
func (g *limitedReader) Close() error { return g.file.Close() }

// Read implements io.Reader.
func (g *limitedReader) Read(p []byte) (int, error) {
	if err := g.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := g.from.Read(p[:min(int64(len(p)), g.left+1)])
	if g.left -= int64(n); g.left < 0 {
		return 0, LimitError("the text of a file", g.limit)
	}
	return n, err
}

// A limitError is the text of the error for something larger than its limit.
type limitError string

// Error implements error.
func (e limitError) Error() string { return string(e) }

// LimitError returns the error for something larger than its limit.
func LimitError(what string, limit int64) error {
	if limit < 1<<20 {
		return limitError(fmt.Sprintf("more than %d bytes, which is the limit of %s", limit, what))
	}
	return limitError(fmt.Sprintf("more than %d MB, which is the limit of %s", limit>>20, what))
}
