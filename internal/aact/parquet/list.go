package parquet

import (
	"errors"
	"io"
	"os"

	"github.com/parquet-go/parquet-go"
)

// listGroup is the number of structures that a List holds.
const listGroup = 20_000

// A List writes structures to a file.
type List[T any] struct {
	file   *os.File
	writer *parquet.GenericWriter[T]
	held   int
}

// CreateList creates a file.
func CreateList[T any](path string) (*List[T], error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	return &List[T]{file: file, writer: parquet.NewGenericWriter[T](file, options(parquet.SchemaOf(new(T)), nil)...)}, nil
}

// Add adds a structure.
func (l *List[T]) Add(v T) error {
	if _, err := l.writer.Write([]T{v}); err != nil {
		return err
	}
	if l.held++; l.held < listGroup {
		return nil
	}
	l.held = 0
	return l.writer.Flush()
}

// Close completes the file, and returns when it is on the disk.
func (l *List[T]) Close() error { return errors.Join(l.writer.Close(), l.file.Sync(), l.file.Close()) }

// ReadList calls a function with each structure of a file.
func ReadList[T any](path string, read func(T) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	reader := parquet.NewGenericReader[T](file)
	defer reader.Close() //nolint:errcheck // it was only read
	batch := make([]T, 512)
	for {
		n, err := reader.Read(batch)
		for _, v := range batch[:n] {
			if err := read(v); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
