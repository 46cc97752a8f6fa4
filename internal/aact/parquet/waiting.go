package parquet

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"

	"github.com/biofact-mcp/biofact/internal/aact"
)

// waiting has the rows of a table that are not in its Parquet file yet: the first ones in a compressed file, the others in memory. Each
// value is its length plus one and its bytes, and NULL is the length 0.
type waiting struct {
	table *aact.Table
	rows  []byte
	file  *os.File // nil: all rows are in memory
	value []byte   // the last one, for reuse
}

// add adds a row.
func (w *waiting) add(row aact.Row) {
	for c, v := range row {
		value := valueOf(v, w.table.Columns[c].Kind, c)
		if value.IsNull() {
			w.rows = append(w.rows, 0)
			continue
		}
		w.value = value.AppendBytes(w.value[:0])
		w.rows = binary.AppendUvarint(w.rows, uint64(len(w.value))+1)
		w.rows = append(w.rows, w.value...)
	}
}

// flush moves the rows in memory to the file in a folder.
func (w *waiting) flush(folder string, packer *zstd.Encoder) (err error) {
	if w.file == nil {
		w.file, err = os.OpenFile(filepath.Join(folder, w.table.Name+".rows"), os.O_CREATE|os.O_RDWR|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
	}
	_, err = w.file.Write(packer.EncodeAll(w.rows, nil))
	w.rows = w.rows[:0]
	return err
}

// remove removes the rows.
func (w *waiting) remove() {
	if w.file != nil {
		_ = w.file.Close() // it is not needed any more
		_ = os.Remove(w.file.Name())
	}
	w.file, w.rows = nil, nil
}

// write writes all rows as a Parquet file, which it closes, and removes them.
func (w *waiting) write(ctx context.Context, out *parquet.GenericWriter[any]) (err error) {
	defer w.remove()
	var all io.Reader = bytes.NewReader(w.rows)
	if w.file != nil {
		if _, err := w.file.Seek(0, io.SeekStart); err != nil {
			return err
		}
		packed, err := zstd.NewReader(w.file, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
		if err != nil {
			return err
		}
		defer packed.Close()
		all = io.MultiReader(packed, all)
	}
	err = w.copy(ctx, bufio.NewReaderSize(all, 1<<16), out)
	return errors.Join(err, out.Close())
}

// copy copies rows to a Parquet file, in row groups of groupBytes.
func (w *waiting) copy(ctx context.Context, from *bufio.Reader, out *parquet.GenericWriter[any]) error {
	var kinds []parquet.Kind
	for _, column := range out.Schema().Columns() {
		leaf, _ := out.Schema().Lookup(column...)
		kinds = append(kinds, leaf.Node.Type().Kind())
	}
	row := make(parquet.Row, len(kinds))
	group := 0
	for {
		if _, err := from.Peek(1); errors.Is(err, io.EOF) {
			return nil
		}
		size, err := readRow(from, kinds, row)
		if err == nil {
			_, err = out.WriteRows([]parquet.Row{row})
		}
		if group += size; err == nil && group > groupBytes {
			group, err = 0, errors.Join(ctx.Err(), out.Flush())
		}
		if err != nil {
			return err
		}
	}
}

// readRow reads the values of a row, and returns the number of their bytes.
func readRow(from *bufio.Reader, kinds []parquet.Kind, row parquet.Row) (size int, err error) {
	for c, kind := range kinds {
		n, err := binary.ReadUvarint(from)
		if err != nil {
			return 0, err
		}
		if n == 0 {
			row[c] = parquet.NullValue().Level(0, 0, c)
			continue
		}
		value := make([]byte, n-1)
		if _, err := io.ReadFull(from, value); err != nil {
			return 0, err
		}
		row[c] = kind.Value(value).Level(0, 1, c)
		size += len(value)
	}
	return size, nil
}
