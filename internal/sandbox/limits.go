package sandbox

import (
	"context"
	"fmt"
	"io"
	"os"
)

// limits bound what is read of a path. They let through far more than a machine
// can hold of studies, and keep a wrong path from being read without an end.
type limits struct {
	file    int64 // bytes of a file that is read record by record, unzipped
	held    int64 // bytes of a file that is held in memory, unzipped
	line    int   // bytes of one study
	gene    int64 // bytes of one gene
	entries int   // files and folders
	depth   int   // of folders within each other
}

var usual = limits{file: 32 << 30, held: 1 << 30, line: 64 << 20, gene: 256 << 20, entries: 1_000_000, depth: 32}

// openWithin opens a file, which may be zipped, for as many bytes of text as a
// limit allows, and until ctx ends. Only a file has an end: a pipe or a device is
// refused.
func openWithin(ctx context.Context, path string, limit int64) (io.ReadCloser, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a file", path)
	}
	text, err := openText(path)
	if err != nil {
		return nil, err
	}
	return readCloser{&guarded{ctx: ctx, from: text, limit: limit, left: limit}, text}, nil
}

// guarded is a reader that fails beyond its limit, or when its context ends.
type guarded struct {
	ctx         context.Context
	from        io.Reader
	limit, left int64
}

// Read implements io.Reader.
func (g *guarded) Read(p []byte) (int, error) {
	if err := g.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := g.from.Read(p[:min(int64(len(p)), g.left+1)])
	if g.left -= int64(n); g.left < 0 {
		return 0, beyond("the text of a file", g.limit)
	}
	return n, err
}

// beyond is the error of something larger than its limit.
func beyond(what string, limit int64) error {
	if limit < 1<<20 {
		return fmt.Errorf("more than %d bytes, which is the limit of %s", limit, what)
	}
	return fmt.Errorf("more than %d MB, which is the limit of %s", limit>>20, what)
}
