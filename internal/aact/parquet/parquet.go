// Package parquet writes the tables of AACT as a folder of Parquet files. It knows no mirror and no query.
package parquet

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	codec "github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/biofact-mcp/biofact/internal/aact"
)

const (
	// heldBytes bounds the rows of all tables in memory.
	heldBytes = 16 << 20
	// groupBytes is the size of the rows of a row group, before they are compressed.
	groupBytes = 32 << 20
	// pageBytes is the size of a page, of which each column of a table holds one.
	pageBytes = 256 << 10
	// dictionaryBytes is the size of a dictionary above which a column is written without one.
	dictionaryBytes = 1 << 20
	// Suffix ends the names of the files.
	Suffix = ".parquet"
)

// A Folder writes a file for each table. The rows wait in a file of another form until the folder is closed; then one table after the other
// is written, so that only one has a row group in memory.
type Folder struct {
	path     string
	metadata map[string]string
	tables   []*waiting
	held     int
	packer   *zstd.Encoder
	// Rows are the numbers of rows that were added, by table.
	Rows []int64
	// Bytes is the size of all files, when they are complete.
	Bytes int64
}

// Create prepares a folder that exists. Each file will have the metadata.
func Create(path string, metadata map[string]string) (*Folder, error) {
	f := &Folder{path: path, metadata: metadata, Rows: make([]int64, len(aact.All()))}
	for _, t := range aact.All() {
		f.tables = append(f.tables, &waiting{table: t})
	}
	var err error
	f.packer, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	return f, err
}

// options returns the options of a writer.
func options(s *parquet.Schema, metadata map[string]string) []parquet.WriterOption {
	all := []parquet.WriterOption{
		s, parquet.Compression(&codec.Codec{Level: codec.SpeedDefault}), parquet.PageBufferSize(pageBytes),
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
		before := len(t.rows)
		for _, row := range rows[i] {
			t.add(row)
		}
		f.held += len(t.rows) - before
		f.Rows[i] += int64(len(rows[i]))
	}
	for f.held > heldBytes {
		largest := slices.MaxFunc(f.tables, func(a, b *waiting) int { return len(a.rows) - len(b.rows) })
		f.held -= len(largest.rows)
		if err := largest.flush(f.path, f.packer); err != nil {
			return err
		}
	}
	return nil
}

// Close writes the files, and returns when they are on the disk.
func (f *Folder) Close(ctx context.Context) error {
	defer f.Abandon()
	for _, t := range f.tables {
		path := filepath.Join(f.path, t.table.Name+Suffix)
		file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		err = errors.Join(t.write(ctx, parquet.NewGenericWriter[any](file, options(schema(t.table), f.metadata)...)), file.Sync())
		info, statErr := file.Stat()
		if err = errors.Join(err, statErr, file.Close()); err != nil {
			return err
		}
		f.Bytes += info.Size()
	}
	return nil
}

// Abandon removes the rows that wait.
func (f *Folder) Abandon() {
	for _, t := range f.tables {
		t.remove()
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
