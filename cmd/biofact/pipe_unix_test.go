//go:build unix

package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestOpenPipeEnds: a pipe that somebody has opened and writes nothing to is left
// when the command is interrupted.
func TestOpenPipeEnds(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	writer, err := os.OpenFile(path, os.O_RDWR, 0) // which waits for no reader
	if err != nil {
		t.Skip(err)
	}
	defer writer.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan runOutput)
	go func() { ended <- runValidate(ctx, nil, path) }()
	// More than a pipe holds: it is being read when all is written.
	if _, err := writer.WriteString("{" + strings.Repeat(" ", 1<<18)); err != nil {
		t.Fatal(err)
	}
	cancel()
	if r := <-ended; !errors.Is(r.err, exitInterrupted) {
		t.Error(r.err)
	}
}
