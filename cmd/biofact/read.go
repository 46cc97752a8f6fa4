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
)

// What a command reads of a file or of standard input, in bytes. The largest
// answer has 100 MB, see BIOFACT_MAX_ANSWER_BYTES.
const (
	maxArguments = 1 << 20   // of biofact call --json -
	maxDocument  = 128 << 20 // of one document, or one line
	maxDocuments = 8 << 30   // of a file of many
)

// limitBytes fails after so many bytes. See isTooMuch.
func limitBytes(from io.Reader, most int64) io.Reader {
	return http.MaxBytesReader(nil, io.NopCloser(from), most)
}

// isTooMuch reports whether a reader had more than may be read.
func isTooMuch(err error) bool {
	_, ok := errors.AsType[*http.MaxBytesError](err)
	return ok
}

// megabytes is a limit for people.
func megabytes(limit int64) string { return fmt.Sprintf("%d MB", limit>>20) }

// interruptible is a reader whose reads end when its context does.
type interruptible struct {
	context.Context
	from io.Reader
}

// Read implements io.Reader.
func (i interruptible) Read(p []byte) (int, error) {
	read, err := waitFor(i.Context, func() ([]byte, error) {
		buffer := make([]byte, len(p)) // p is the caller's again when the context ends
		n, err := i.from.Read(buffer)
		return buffer[:n], err
	})
	return copy(p, read), err
}

// waitFor returns what do returns, or exitInterrupted when ctx ends. The system
// lets nobody interrupt the reading of a pipe: do then waits on until the program
// ends, which is at once.
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

// open opens a file; - is standard input. A pipe that nobody writes to keeps
// nobody from interrupting.
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

// documents hands the documents of a reader to each: the lines, where the first
// is a whole document and others follow, or else all of it as one, whose line is 0.
func documents(from io.Reader, handle func(line int, document []byte)) error {
	lines := bufio.NewReaderSize(limitBytes(from, maxDocuments), 1<<16)
	many := false
	for number := 1; ; number++ {
		line, err := oneLine(lines)
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
			return oneDocument(nil, lines, handle) // which is empty
		}
	}
}

// oneDocument hands all that is left, behind its first line, to each.
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

// errLongLine is a line beyond maxDocument.
var errLongLine = errors.New("the line is too long")

func oneLine(lines *bufio.Reader) (line []byte, err error) {
	for {
		piece, err := lines.ReadSlice('\n')
		if len(line)+len(piece) > maxDocument {
			return nil, errLongLine
		}
		line = append(line, piece...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// tooMuch says which limit is exceeded, and where.
func tooMuch(err error, line int) error {
	switch {
	case errors.Is(err, errLongLine):
		return fmt.Errorf("line %d has more than %s, which is the limit of one document", line, megabytes(maxDocument))
	case isTooMuch(err):
		return fmt.Errorf("more than %s, which is the limit of one file", megabytes(maxDocuments))
	}
	return err
}
