//go:build unix

package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestReadingEnds checks that an interruption ends the reading of a pipe without a writer, before and after it is opened.
func TestReadingEnds(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	stdin, writer := io.Pipe()
	defer writer.Close()
	for _, name := range []string{"-", path} {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan runOutput)
		go func() { ended <- runValidate(ctx, stdin, name) }()
		cancel()
		if r := <-ended; !errors.Is(r.err, exitInterrupted) {
			t.Errorf("%s: %v", name, r.err)
		}
	}
	// Opening both ends unblocks the waiting reader.
	if pipe, err := os.OpenFile(path, os.O_RDWR, 0); err == nil {
		pipe.Close()
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r := runBiofact(ctx, t, nil, "", "--sandbox", "call", "search_genes", "--json", "-"); r.err == nil {
		t.Errorf("%v %s", r.err, r.stdout)
	}
}
