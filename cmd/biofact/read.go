package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/cmd/biofact/internal/recordfile"
)

// These are the limits for reading a file or standard input, in bytes. The largest answer has 100 MB, see BIOFACT_MAX_ANSWER_BYTES.
const (
	maxArguments = 1 << 20            // for biofact call --json -
	maxDocument  = recordfile.MaxLine // for one document or one line
	maxDocuments = 8 << 30            // for a file of several documents
)

// limitBytes returns a reader that fails after a number of bytes. See isTooMuch.
func limitBytes(from io.Reader, most int64) io.Reader {
	return http.MaxBytesReader(nil, io.NopCloser(from), most)
}

// isTooMuch reports whether an error means that the limit was exceeded.
func isTooMuch(err error) bool {
	_, ok := errors.AsType[*http.MaxBytesError](err)
	return ok
}

// megabytes formats a limit for people.
func megabytes(limit int64) string { return fmt.Sprintf("%d MB", limit>>20) }

// An interruptible is a reader whose reads end when its context does.
type interruptible struct {
	context.Context
	from io.Reader
}

// Read implements io.Reader.
func (i interruptible) Read(p []byte) (int, error) {
	read, err := waitFor(i.Context, func() ([]byte, error) {
		buffer := make([]byte, len(p)) // p belongs to the caller again when the context ends
		n, err := i.from.Read(buffer)
		return buffer[:n], err
	})
	return copy(p, read), err
}

// waitFor returns the result of do, or exitInterrupted when ctx ends. The read of a pipe cannot be interrupted: do then keeps waiting
// until the program ends, which follows at once.
func waitFor[T any](ctx context.Context, do func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		value, err := do()
		done <- outcome{value, err}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, exitInterrupted
	}
}

// open opens a file; - is standard input. The opening of a pipe without a writer can be interrupted.
func open(cmd *cobra.Command, name string) (io.Reader, func(), error) {
	if name == "-" {
		return interruptible{cmd.Context(), cmd.InOrStdin()}, func() {}, nil
	}
	file, err := waitFor(cmd.Context(), func() (*os.File, error) { return os.Open(name) })
	if pathError, ok := errors.AsType[*os.PathError](err); ok {
		return nil, nil, fmt.Errorf("%s: %w", name, pathError.Err)
	}
	if err != nil {
		return nil, nil, err
	}
	return interruptible{cmd.Context(), file}, func() { file.Close() }, nil
}

// documents calls handle for each document of a reader. If the first line is a complete document and more lines follow, each line is a
// document. Otherwise the whole input is one document, with line number 0.
func documents(from io.Reader, handle func(line int, document []byte)) error {
	lines := bufio.NewReaderSize(limitBytes(from, maxDocuments), 1<<16)
	many := false
	for number := 1; ; number++ {
		line, err := recordfile.Line(lines)
		if err != nil && !errors.Is(err, io.EOF) {
			return tooMuch(err, number)
		}
		if document := bytes.TrimSpace(line); len(document) > 0 {
			if !many && (err != nil || !json.Valid(document)) {
				return oneDocument(line, lines, handle)
			}
			if _, end := lines.Peek(1); !many && errors.Is(end, io.EOF) {
				return oneDocument(line, lines, handle)
			}
			many = true
			handle(number, document)
		}
		switch {
		case err == nil:
		case many:
			return nil
		default:
			return oneDocument(nil, lines, handle) // the rest is empty
		}
	}
}

// oneDocument calls handle with all the remaining input, including its first line.
func oneDocument(line []byte, rest io.Reader, handle func(line int, document []byte)) error {
	all, err := io.ReadAll(limitBytes(io.MultiReader(bytes.NewReader(line), rest), maxDocument))
	if isTooMuch(err) {
		return fmt.Errorf("more than %s, which is the limit of one document", megabytes(maxDocument))
	}
	if err == nil {
		handle(0, all)
	}
	return err
}

// tooMuch returns the error for an exceeded limit, with the line.
func tooMuch(err error, line int) error {
	switch {
	case errors.Is(err, recordfile.ErrLongLine):
		return fmt.Errorf("line %d has more than %s, which is the limit of one document", line, megabytes(maxDocument))
	case isTooMuch(err):
		return fmt.Errorf("more than %s, which is the limit of one file", megabytes(maxDocuments))
	}
	return err
}
