package export

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/biofact-mcp/biofact/internal/tables"
	"github.com/biofact-mcp/biofact/internal/tables/file"
)

const (
	loadName = "load.sql"
	loadHead = "-- The tables of AACT, written by Biofact"
	boolean  = tables.Bool
	// groupBytes is the size of the values of a row group, before compression. The writer holds one in memory.
	groupBytes = 16 << 20
	// batchRows is the number of rows that are given to the writer at once.
	batchRows = 256
	// dictionaryBytes is the size of a dictionary above which a column is written without one.
	dictionaryBytes = 1 << 20
)

// Parquet writes a folder with a file for each table, and the statements that load them into DuckDB.
func (j *Job) Parquet(ctx context.Context) (r Report, err error) {
	if err := ownFolder(j.To); err != nil {
		return r, err
	}
	db, err := file.Open(j.From)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	temporary, err := os.MkdirTemp(filepath.Dir(filepath.Clean(j.To)), ".biofact-*")
	if err != nil {
		return r, err
	}
	defer func() { _ = os.RemoveAll(temporary) }() // it has another name if it is complete
	for i, t := range tables.All() {
		j.Progress(t.Name, i, len(tables.All()))
		n, size, err := j.parquet(ctx, db, t, filepath.Join(temporary, t.Name+".parquet"))
		if err != nil {
			return r, fmt.Errorf("%s: %w", t.Name, err)
		}
		r.Rows, r.Bytes = r.Rows+n, r.Bytes+size
	}
	if err := os.WriteFile(filepath.Join(temporary, loadName), []byte(j.load()), 0o600); err != nil {
		return r, err
	}
	old := temporary + "-old"
	if err := os.Rename(j.To, old); err == nil {
		defer func() { _ = os.RemoveAll(old) }()
	}
	return r, os.Rename(temporary, j.To)
}

// load returns the statements for DuckDB.
func (j *Job) load() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, data of %s. In this folder: duckdb -init load.sql\n-- PostgreSQL divides integers without a remainder:\n"+
		"SET integer_division = true;\nCREATE SCHEMA IF NOT EXISTS ctgov;\n", loadHead, j.Day)
	for _, t := range tables.All() {
		fmt.Fprintf(&b, "CREATE OR REPLACE VIEW ctgov.%s AS SELECT * FROM read_parquet('%[1]s.parquet');\n", t.Name)
	}
	b.WriteString("SET search_path = 'ctgov,main';\n")
	return b.String()
}

// ordered is a group whose columns have their own order; a parquet.Group sorts them by name.
type ordered struct {
	parquet.Group
	columns []tables.Column
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
func schema(t *tables.Table) *parquet.Schema {
	group := parquet.Group{}
	for _, c := range t.Columns {
		node := map[tables.Kind]parquet.Node{
			tables.Text: parquet.Encoded(parquet.String(), &parquet.RLEDictionary),
			tables.Int:  parquet.Int(32), tables.Long: parquet.Int(64), tables.Real: parquet.Leaf(parquet.DoubleType),
			tables.Bool: parquet.Leaf(parquet.BooleanType), tables.Date: parquet.Date(),
			tables.Time: parquet.Timestamp(parquet.Microsecond),
		}[c.Kind]
		group[c.Name] = parquet.Optional(node)
	}
	return parquet.NewSchema(t.Name, ordered{group, t.Columns})
}

// parquet writes one table, and returns the numbers of its rows and bytes.
func (j *Job) parquet(ctx context.Context, db *sql.DB, t *tables.Table, path string) (n, size int64, err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := parquet.NewWriter(f, schema(t), parquet.Compression(&zstd.Codec{Level: zstd.SpeedFastest}),
		parquet.CreatedBy("biofact", j.Version, ""), parquet.KeyValueMetadata("source", j.Source),
		parquet.KeyValueMetadata("data_version", j.Day),
		parquet.KeyValueMetadata("biofact_version", j.Version), parquet.DictionaryMaxBytes(dictionaryBytes))
	batch, bytes := make([]parquet.Row, 0, batchRows), 0
	flush := func() error {
		_, err := w.WriteRows(batch)
		batch = batch[:0]
		if err == nil && bytes > groupBytes {
			bytes, err = 0, w.Flush()
		}
		return err
	}
	if !j.skip(t) {
		err = j.rows(ctx, db, t, func(values []any) error {
			row := make(parquet.Row, len(values))
			for i, v := range values {
				row[i] = parquetValue(v, t.Columns[i].Kind, i)
				bytes += 8
				if text, ok := v.(string); ok {
					bytes += len(text)
				}
			}
			batch = append(batch, row)
			if n++; len(batch) == batchRows {
				return flush()
			}
			return nil
		})
	}
	if err == nil {
		err = flush()
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return n, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return n, 0, err
	}
	return n, info.Size(), f.Sync()
}

// parquetValue returns a value of SQLite as one of a column.
func parquetValue(v any, kind tables.Kind, column int) parquet.Value {
	var out parquet.Value
	switch v := v.(type) {
	case nil:
		return parquet.NullValue().Level(0, 0, column)
	case string:
		out = parquet.ByteArrayValue([]byte(v))
		if kind == tables.Date {
			day, err := time.Parse(time.DateOnly, v)
			if err != nil {
				return parquet.NullValue().Level(0, 0, column)
			}
			out = dayValue(day)
		}
	case time.Time:
		out = dayValue(v)
	case bool:
		out = parquet.BooleanValue(v)
	case float64:
		out = parquet.DoubleValue(v)
	case int64:
		switch kind {
		case tables.Bool:
			out = parquet.BooleanValue(v != 0)
		case tables.Int:
			out = parquet.Int32Value(int32(v))
		case tables.Real:
			out = parquet.DoubleValue(float64(v))
		default:
			out = parquet.Int64Value(v)
		}
	}
	return out.Level(0, 1, column)
}

// dayValue returns a day as the number of days since 1970.
func dayValue(t time.Time) parquet.Value {
	return parquet.Int32Value(int32(t.Unix() / (24 * 60 * 60)))
}
