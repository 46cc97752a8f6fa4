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

// TestOpenPipeEnds checks that an interruption ends the reading of a pipe that has an open writer but no data.
func TestOpenPipeEnds(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	writer, err := os.OpenFile(path, os.O_RDWR, 0) // O_RDWR does not wait for a reader
	if err != nil {
		t.Skip(err)
	}
	defer writer.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan runOutput)
	go func() { ended <- runValidate(ctx, nil, path) }()
	// This is more than a pipe buffers: when all is written, the command is reading.
	if _, err := writer.WriteString("{" + strings.Repeat(" ", 1<<18)); err != nil {
		t.Fatal(err)
	}
	cancel()
	if r := <-ended; !errors.Is(r.err, exitInterrupted) {
		t.Error(r.err)
	}
}
