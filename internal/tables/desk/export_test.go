package desk_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/tables"
	"github.com/biofact-mcp/biofact/internal/tables/desk"
	"github.com/biofact-mcp/biofact/internal/tables/export"
	"github.com/biofact-mcp/biofact/internal/tables/runner"
)

// rowsOf returns the rows of a table in JSON, in the order of their ids.
func rowsOf(t *testing.T, d *desk.Desk, table *tables.Table, where string) string {
	t.Helper()
	a, err := d.Query(t.Context(), "SELECT * FROM "+table.Name+where+" ORDER BY nct_id, 1",
		runner.Bounds{Rows: 5000, Bytes: runner.MaxBytes, Time: 10 * time.Second})
	expect.NoError(t, err)
	var all []string
	for _, row := range a.Rows {
		all = append(all, string(row))
	}
	return strings.Join(all, "\n")
}

// readParquet returns the rows of a file in JSON.
func readParquet(t *testing.T, path string, table *tables.Table) string {
	t.Helper()
	f, err := os.Open(path)
	expect.NoError(t, err)
	defer f.Close()
	info, err := f.Stat()
	expect.NoError(t, err)
	file, err := parquet.OpenFile(f, info.Size())
	expect.NoErrorf(t, err, "%s", path)
	var names []string
	for _, field := range file.Schema().Fields() {
		names = append(names, field.Name())
	}
	for i, c := range table.Columns {
		expect.Equal(t, path, c.Name, names[i])
	}
	day, _ := file.Lookup("data_version")
	expect.That(t, len(day) == len(time.DateOnly) && len(names) == len(table.Columns), "%s: %s, %d columns", path, day, len(names))
	reader := parquet.NewReader(file)
	defer reader.Close()
	var lines []string
	buffer := make([]parquet.Row, 64)
	for {
		n, err := reader.ReadRows(buffer)
		for _, row := range buffer[:n] {
			values := make([]any, len(row))
			for i, v := range row {
				values[i] = goValue(v, table.Columns[i].Kind)
			}
			text, err := json.Marshal(values)
			expect.NoError(t, err)
			lines = append(lines, string(text))
		}
		if err != nil {
			return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(strings.Join(lines, "\n"))
		}
	}
}

func goValue(v parquet.Value, kind tables.Kind) any {
	switch {
	case v.IsNull():
		return nil
	case kind == tables.Date:
		return time.Unix(int64(v.Int32())*86400, 0).UTC().Format(time.DateOnly)
	case kind == tables.Bool:
		return v.Boolean()
	case kind == tables.Real:
		return v.Double()
	case kind == tables.Int:
		return v.Int32()
	case kind == tables.Long:
		return v.Int64()
	}
	return string(v.ByteArray())
}

// TestExport: each format has the rows that a query finds, of all trials or of some, and replaces no other file.
func TestExport(t *testing.T) {
	t.Parallel()
	d := open(t)
	folder := t.TempDir()
	job := func(name string, ids []int64) *export.Job {
		return &export.Job{From: d.Path(), To: filepath.Join(folder, name), IDs: ids, Day: "2026-08-05",
			Progress: func(string, int, int) {}}
	}
	some := []int64{184067, 461032}
	const where = " WHERE nct_id IN ('NCT00184067', 'NCT00461032')"
	for range 2 { // the second one replaces the first
		_, err := job("all", nil).Parquet(t.Context())
		expect.NoError(t, err)
		_, err = job("some", some).Parquet(t.Context())
		expect.NoError(t, err)
		_, err = job("some.db", some).SQLite(t.Context())
		expect.NoError(t, err)
	}
	for _, table := range tables.All() {
		if table.Column("nct_id") < 0 {
			continue
		}
		expect.Equal(t, table.Name, rowsOf(t, d, table, ""), readParquet(t, filepath.Join(folder, "all", table.Name+".parquet"), table))
		expect.Equal(t, table.Name, rowsOf(t, d, table, where), readParquet(t, filepath.Join(folder, "some", table.Name+".parquet"), table))
	}
	copied := runner.New(filepath.Join(folder, "some.db"))
	for _, name := range []string{"studies", "facilities", "reported_events", "outcome_measurements"} {
		table := tables.Named(name)
		a, err := copied.Run(t.Context(), "SELECT * FROM "+name+" ORDER BY nct_id, 1", runner.Scope{},
			runner.Bounds{Rows: 5000, Bytes: runner.MaxBytes, Time: 5 * time.Second})
		expect.NoError(t, err)
		var lines []string
		for _, row := range a.Rows {
			lines = append(lines, string(row))
		}
		expect.Equal(t, name, rowsOf(t, d, table, where), strings.Join(lines, "\n"))
	}
	list := job("conditions.csv", some)
	list.Table = tables.Named("conditions")
	report, err := list.CSV(t.Context())
	text := string(expect.Read(t, list.To))
	expect.That(t, err == nil && int(report.Rows) == strings.Count(text, "\r\n")-1 && strings.HasPrefix(text, "id,nct_id,name,"), "%v: %s", err, text)

	other := filepath.Join(folder, "other")
	expect.NoError(t, os.WriteFile(other, []byte("mine"), 0o600))
	for _, write := range []func(*export.Job) error{
		func(j *export.Job) error { _, err := j.SQLite(t.Context()); return err },
		func(j *export.Job) error { _, err := j.Parquet(t.Context()); return err },
		func(j *export.Job) error { j.Table = list.Table; _, err := j.CSV(t.Context()); return err },
	} {
		expect.That(t, errors.Is(write(job("other", nil)), export.ErrOther) && string(expect.Read(t, other)) == "mine", "another file was changed")
	}
	left, err := filepath.Glob(filepath.Join(folder, ".biofact-*"))
	expect.That(t, err == nil && len(left) == 0, "left behind: %v", left)

	people := job("without", nil)
	people.WithoutContacts = true
	people.Table = tables.Named("central_contacts")
	report, err = people.CSV(t.Context())
	expect.That(t, err == nil && report.Rows == 0, "contacts: %+v, %v", report, err)
}
