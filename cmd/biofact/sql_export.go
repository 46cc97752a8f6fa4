package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/cmd/biofact/internal/recordfile"
	"github.com/biofact-mcp/biofact/internal/aact/export"
	"github.com/biofact-mcp/biofact/internal/aact/store"
	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/database"
	"github.com/biofact-mcp/biofact/internal/mirror"
)

// tablesExport is one run of mirror export.
type tablesExport struct {
	*mirrorCall
	cmd           *cobra.Command
	flags         sqlFlags
	output, table string
}

// tablesExportCommand returns mirror export.
func tablesExportCommand(cfg *config.Config) *cobra.Command {
	x := &tablesExport{}
	cmd := &cobra.Command{
		Use: "export --format FORMAT --output PATH [FILTER=VALUE ...]", Args: takes(0, maxFilters),
		Short: "Write the tables of AACT for other programs: Parquet, PostgreSQL or CSV",
		Long: "Write the tables of AACT, which are made of the mirror, for other programs: a folder of Parquet files with the " +
			"statements for DuckDB, a folder that psql loads into PostgreSQL, or one table as CSV. The filters of search_trials " +
			"select trials. A reader never sees a part of it, and no request is made.",
		Example: "  biofact mirror export --format parquet --output aact\n" +
			"  biofact mirror export --format postgres --output melanoma condition=melanoma status=recruiting\n" +
			"  biofact mirror export --format csv --table sponsors --output sponsors.csv",
		ValidArgsFunction: func(_ *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
			return completeFilters(app.Listed(cfg), args, toComplete)
		},
	}
	ofMirror(cfg, cmd, func(c *mirrorCall, ctx context.Context) error {
		x.mirrorCall, x.cmd = c, cmd
		x.flags.in = interruptible{ctx, cmd.InOrStdin()}
		return x.run(ctx)
	})
	f := cmd.Flags()
	f.StringVar(&x.flags.format, "format", "", "parquet, postgres or csv")
	f.StringVarP(&x.output, "output", "o", "", "the folder, or the file for CSV; an older export is replaced, another file is not")
	f.StringVar(&x.table, "table", "", "the table of a CSV file")
	f.BoolVar(&x.flags.yes, "yes", false, "write the tables of more than 20000 trials without a question")
	return cmd
}

// job checks the flags and returns the export.
func (x *tablesExport) job() (*export.Job, error) {
	j := &export.Job{Version: buildVersion(), Source: x.cfg.MirrorSource(), Folder: store.Path(x.path)}
	switch f := x.flags.format; {
	case f == "sqlite":
		return nil, errors.New("--format: want parquet, postgres or csv, not sqlite; DuckDB makes a SQLite file of the Parquet files " +
			"(docs/database.md)")
	case f != "parquet" && f != "postgres" && f != "csv":
		return nil, fmt.Errorf("--format: want parquet, postgres or csv, not %q", f)
	case x.output == "":
		return nil, errors.New("--output is missing, as in --output aact")
	case (f == "csv") != (x.table != ""):
		return nil, errors.New("--table names the table of a CSV file, as in --format csv --table studies")
	}
	if x.table != "" {
		table, err := database.Table(x.table)
		if err != nil {
			return nil, x.sqlFailed(err)
		}
		j.Table = table
	}
	path, err := filepath.Abs(x.output)
	if j.To = path; err != nil {
		return nil, err
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("--output: %s is no folder; make it, or name another output", filepath.Dir(x.output))
	}
	return j, nil
}

func (x *tablesExport) run(ctx context.Context) error {
	j, err := x.job()
	if err != nil {
		return err
	}
	if len(x.args) > 0 {
		filters, err := callArguments(x.args, "", x.flags.in)
		if err != nil {
			return err
		}
		if j.IDs, err = matchingTrials(ctx, x.cmd, x.cfg, filters.json()); err != nil {
			return err
		}
		j.IDs, j.Filters = append([]int64{}, j.IDs...), x.args // nil would be all
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(tablesMemory)
	}
	reader := mirror.NewReader(x.path)
	defer func() { _ = reader.Close() }() // nothing is written
	state, err := reader.State(ctx)
	if err != nil {
		return err
	}
	line := newProgress(x.progress, "", false)
	j.Mirror, j.WithoutContacts = database.Records(reader), state.WithoutContacts()
	j.Progress = func(done, total int) { line.show("trials", done, total, "") }
	j.Agree = func(need store.Need) error { return x.agree(need, &x.flags) }
	writers := map[string]func(context.Context) (export.Report, error){"parquet": j.Parquet, "postgres": j.Postgres, "csv": j.CSV}
	report, err := writers[x.flags.format](ctx)
	line.clear()
	switch {
	case errors.Is(err, export.ErrOther), errors.Is(err, export.ErrStore):
		fmt.Fprintf(x.progress, "biofact: %s was not changed: %s. Name another output.\n", x.output, err)
		return exitFailed
	case err != nil:
		if failed := x.sqlFailed(err); !errors.Is(failed, err) {
			return failed
		}
		return fmt.Errorf("--output: %w", recordfile.WithoutPath(x.output, err))
	}
	x.notes(j, report)
	fmt.Fprintf(x.out, "%s, %s, %s, data of %s\n", plural(report.Trials, "trial"), plural(int(report.Rows), "row"),
		plural(int(report.Bytes), "byte"), report.Day)
	return nil
}

// notes prints what the output lacks or has otherwise, and how it is used.
func (x *tablesExport) notes(j *export.Job, r export.Report) {
	if j.WithoutContacts {
		fmt.Fprintln(x.progress, "biofact:", noContacts)
	}
	if r.Changed > 0 {
		fmt.Fprintf(x.progress, apostrophes, plural(r.Changed, "cell"))
	}
	if x.flags.format == "postgres" {
		script := "load.sql"
		if r.Updates {
			script = "update.sql (or load.sql, which loads all)"
		}
		fmt.Fprintf(x.progress, "biofact: in %s: psql -f %s DATABASE\n", x.output, script)
	}
}
