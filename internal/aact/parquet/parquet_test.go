package parquet_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	library "github.com/parquet-go/parquet-go"

	"github.com/biofact-mcp/biofact/internal/aact"
	"github.com/biofact-mcp/biofact/internal/aact/parquet"
	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestMain(m *testing.M) { expect.Main(m) }

// TestFolder: rows that do not fit into the memory are in their files, in their order and in several row groups, and nothing else is in
// the folder.
func TestFolder(t *testing.T) {
	t.Parallel()
	const trials = 9000
	table := aact.Named("detailed_descriptions")
	number := slices.Index(aact.All(), table)
	text := func(i int) string { return strings.Repeat(fmt.Sprintf("line %d\n", i), 1000) }
	folder := t.TempDir()
	out, err := parquet.Create(folder, map[string]string{"data_version": "2026-08-05"})
	expect.NoError(t, err)
	for i := range trials {
		rows := make(aact.Rows, len(aact.All()))
		row := make(aact.Row, len(table.Columns))
		row[table.Column("id")], row[table.Column("nct_id")] = int64(i)<<20, fmt.Sprintf("NCT%08d", i)
		if i%3 > 0 {
			row[table.Column("description")] = text(i)
		}
		rows[number] = []aact.Row{row}
		expect.NoError(t, out.Add(rows))
	}
	expect.NoError(t, out.Close(t.Context()))
	expect.That(t, out.Rows[number] == trials && out.Bytes > 0, "%d rows, %d bytes", out.Rows[number], out.Bytes)
	names, err := filepath.Glob(filepath.Join(folder, "*"))
	expect.That(t, err == nil && len(names) == len(aact.All()), "%v", names)

	file, err := os.Open(filepath.Join(folder, table.Name+parquet.Suffix))
	expect.NoError(t, err)
	defer file.Close()
	info, err := file.Stat()
	expect.NoError(t, err)
	read, err := library.OpenFile(file, info.Size())
	expect.NoError(t, err)
	expect.That(t, len(read.RowGroups()) > 1, "%d row groups", len(read.RowGroups()))
	i := 0
	for _, group := range read.RowGroups() {
		rows := group.Rows()
		for batch := make([]library.Row, 100); ; {
			n, err := rows.ReadRows(batch)
			for _, row := range batch[:n] {
				description := row[table.Column("description")]
				want := i%3 > 0 && description.String() == text(i) || i%3 == 0 && description.IsNull()
				expect.Must(t, want && row[table.Column("id")].Int64() == int64(i)<<20, "row %d is %v", i, row)
				i++
			}
			if errors.Is(err, io.EOF) {
				break
			}
			expect.NoError(t, err)
		}
		expect.NoError(t, rows.Close())
	}
	expect.Is(t, i, trials, "rows")
}

// TestAbandon: a folder that is not completed has no file of waiting rows.
func TestAbandon(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	out, err := parquet.Create(folder, nil)
	expect.NoError(t, err)
	rows := make(aact.Rows, len(aact.All()))
	for i, table := range aact.All() {
		row := make(aact.Row, len(table.Columns))
		if at := slices.IndexFunc(table.Columns, func(c aact.Column) bool { return c.Kind == aact.Text }); at >= 0 {
			row[at] = strings.Repeat("x", 1<<20)
		}
		rows[i] = []aact.Row{row}
	}
	expect.NoError(t, out.Add(rows))
	out.Abandon()
	names, err := filepath.Glob(filepath.Join(folder, "*"))
	expect.That(t, err == nil && len(names) == 0, "%v", names)
}
