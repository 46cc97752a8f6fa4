// Package parquet writes the tables of AACT as a folder of Parquet files. It knows no mirror and no query.
package parquet

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/biofact-mcp/biofact/internal/aact"
)

const (
	// heldBytes bounds the values that all tables hold before their largest row group is written.
	heldBytes = 24 << 20
	// pageBytes is the size of a page, which each column holds.
	pageBytes = 32 << 10
	// dictionaryBytes is the size of a dictionary above which a column is written without one.
	dictionaryBytes = 256 << 10
	// Suffix ends the names of the files.
	Suffix = ".parquet"
)

// A Folder writes a file for each table.
type Folder struct {
	path   string
	tables []*tableFile
	held   int
	// Rows are the numbers of rows that were added, by table.
	Rows []int64
	// Bytes is the size of all files, when they are complete.
	Bytes int64
}

// A tableFile writes one table.
type tableFile struct {
	table  *aact.Table
	file   *os.File
	writer *parquet.GenericWriter[any]
	held   int // bytes of the values that are not written yet
}

// Create creates the files of a folder that exists. Each has the metadata.
func Create(path string, metadata map[string]string) (*Folder, error) {
	f := &Folder{path: path, Rows: make([]int64, len(aact.All()))}
	for _, t := range aact.All() {
		file, err := os.OpenFile(filepath.Join(path, t.Name+Suffix), os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
		if err != nil {
			f.Abandon()
			return nil, err
		}
		writer := parquet.NewGenericWriter[any](file, options(schema(t), metadata)...)
		f.tables = append(f.tables, &tableFile{table: t, file: file, writer: writer})
	}
	return f, nil
}

// options returns the options of a writer.
func options(s *parquet.Schema, metadata map[string]string) []parquet.WriterOption {
	all := []parquet.WriterOption{
		s, parquet.Compression(&zstd.Codec{Level: zstd.SpeedDefault}), parquet.PageBufferSize(pageBytes),
		parquet.DictionaryMaxBytes(dictionaryBytes), parquet.CreatedBy("biofact", metadata["biofact_version"], ""),
	}
	for key, value := range metadata {
		all = append(all, parquet.KeyValueMetadata(key, value))
	}
	return all
}

// Add adds the rows of one trial.
func (f *Folder) Add(rows aact.Rows) error {
	for i, t := range f.tables {
		if len(rows[i]) == 0 {
			continue
		}
		batch := make([]parquet.Row, len(rows[i]))
		for n, row := range rows[i] {
			values := make(parquet.Row, len(row))
			for c, v := range row {
				values[c] = valueOf(v, t.table.Columns[c].Kind, c)
				t.held, f.held = t.held+8, f.held+8
				if text, ok := v.(string); ok {
					t.held, f.held = t.held+len(text), f.held+len(text)
				}
			}
			batch[n] = values
		}
		if _, err := t.writer.WriteRows(batch); err != nil {
			return err
		}
		f.Rows[i] += int64(len(batch))
	}
	for f.held > heldBytes {
		largest := slices.MaxFunc(f.tables, func(a, b *tableFile) int { return a.held - b.held })
		f.held -= largest.held
		largest.held = 0
		if err := largest.writer.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// Close completes the files, and returns when they are on the disk.
func (f *Folder) Close() (err error) {
	for _, t := range f.tables {
		closed := errors.Join(t.writer.Close(), t.file.Sync())
		info, statErr := t.file.Stat()
		if statErr == nil {
			f.Bytes += info.Size()
		}
		err = errors.Join(err, closed, statErr, t.file.Close())
	}
	return err
}

// Abandon closes the files, which stay incomplete.
func (f *Folder) Abandon() {
	for _, t := range f.tables {
		_ = t.file.Close() // it is not read
	}
}

// ordered is a group whose columns have their own order; a parquet.Group sorts them by name.
type ordered struct {
	parquet.Group
	columns []aact.Column
}

// Fields implements parquet.Node.
func (o ordered) Fields() []parquet.Field {
	at := map[string]int{}
	for i, c := range o.columns {
		at[c.Name] = i
	}
	fields := o.Group.Fields()
	slices.SortFunc(fields, func(a, b parquet.Field) int { return at[a.Name()] - at[b.Name()] })
	return fields
}

// schema returns the columns of a table with their types.
func schema(t *aact.Table) *parquet.Schema {
	group := parquet.Group{}
	for _, c := range t.Columns {
		node := map[aact.Kind]parquet.Node{
			aact.Text: parquet.Encoded(parquet.String(), &parquet.RLEDictionary),
			aact.Int:  parquet.Int(32),
			aact.Long: parquet.Encoded(parquet.Int(64), &parquet.DeltaBinaryPacked),
			aact.Real: parquet.Leaf(parquet.DoubleType),
			aact.Bool: parquet.Leaf(parquet.BooleanType), aact.Date: parquet.Date(),
			aact.Time: parquet.Timestamp(parquet.Microsecond),
		}[c.Kind]
		group[c.Name] = parquet.Optional(node)
	}
	return parquet.NewSchema(t.Name, ordered{group, t.Columns})
}

// valueOf returns a value of a row as one of a column.
func valueOf(v any, kind aact.Kind, column int) parquet.Value {
	var out parquet.Value
	switch v := v.(type) {
	case nil:
		return parquet.NullValue().Level(0, 0, column)
	case string:
		out = parquet.ByteArrayValue([]byte(v))
		if kind == aact.Date {
			day, err := time.Parse(time.DateOnly, v)
			if err != nil {
				return parquet.NullValue().Level(0, 0, column)
			}
			out = parquet.Int32Value(int32(day.Unix() / (24 * 60 * 60)))
		}
	case bool:
		out = parquet.BooleanValue(v)
	case float64:
		out = parquet.DoubleValue(v)
	case int64:
		switch kind {
		case aact.Int:
			out = parquet.Int32Value(int32(v))
		case aact.Real:
			out = parquet.DoubleValue(float64(v))
		default:
			out = parquet.Int64Value(v)
		}
	}
	return out.Level(0, 1, column)
}
