package main

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// An output is standard output. It keeps the first error of a write, because commands print without looking: a full disk must not pass for
// an answer.
type output struct {
	file *os.File
	err  error
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.file.Write(p)
	o.err = err
	return n, err
}

// failed returns the error of the output as the error of the command; nil if all was written, or if the reader had enough.
func (o *output) failed() error {
	if o.err == nil || errors.Is(o.err, syscall.EPIPE) {
		return nil
	}
	err := o.err
	if path, ok := errors.AsType[*os.PathError](err); ok {
		err = path.Err
	}
	return failure{fmt.Errorf("standard output: %w; the output is incomplete", err)}
}

// asFile returns the file behind a stream, if it has one.
func asFile(stream any) (*os.File, bool) {
	if o, ok := stream.(*output); ok {
		stream = o.file
	}
	f, ok := stream.(*os.File)
	return f, ok
}
