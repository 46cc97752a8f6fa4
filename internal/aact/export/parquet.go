package export

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/biofact-mcp/biofact/internal/aact"
	"github.com/biofact-mcp/biofact/internal/aact/engine"
	"github.com/biofact-mcp/biofact/internal/aact/parquet"
	"github.com/biofact-mcp/biofact/internal/aact/store"
)

const loadName = "load.sql"

// parquetSink writes Parquet files.
type parquetSink struct{ *parquet.Folder }

func (s parquetSink) add(_ store.Version, rows aact.Rows) error { return s.Add(rows) }

// Parquet writes a folder with a file for each table, and the statements that load them into DuckDB.
func (j *Job) Parquet(ctx context.Context) (r Report, err error) {
	err = j.folder("parquet", &r, func(part string, i *info) error {
		var out *parquet.Folder
		err := j.forEach(ctx, &r, func(records store.Records) (_ sink, err error) {
			out, err = parquet.Create(part, map[string]string{"source": j.Source, "data_version": records.Day(),
				"biofact_version": j.Version})
			return parquetSink{out}, err
		})
		if err != nil {
			if out != nil {
				out.Abandon()
			}
			return err
		}
		for n, t := range aact.All() {
			i.Rows[t.Name] = out.Rows[n]
		}
		if err := out.Close(ctx); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(part, loadName), []byte(loadDuckDB(r.Day)), 0o600)
	})
	return r, err
}

// loadDuckDB returns the statements for DuckDB.
func loadDuckDB(day string) string {
	head := "-- The tables of AACT, written by Biofact, " + stamp(day) + ". In this folder: duckdb -init load.sql\n" +
		"-- From elsewhere, set the folder or the address of the files first: SET VARIABLE base = 'https://example.org/aact';\n"
	return head + engine.Setup(func(t *aact.Table) string {
		return fmt.Sprintf("SELECT * FROM read_parquet(coalesce(getvariable('base'), '.') || '/%s.parquet')", t.Name)
	})
}
