package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/cmd/biofact/internal/recordfile"
	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/tables/dialect"
	"github.com/biofact-mcp/biofact/internal/tables/export"
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
		Short: "Write the tables of AACT for other programs: SQLite, Parquet or CSV",
		Long: "Write the tables of AACT, which are made of the mirror, for other programs: one SQLite file, a folder of Parquet " +
			"files with the statements for DuckDB, or one table as CSV. The filters of search_trials select trials. " +
			"A reader never sees a part of it, and no request is made.",
		Example: "  biofact mirror export --format parquet --output aact\n" +
			"  biofact mirror export --format sqlite --output melanoma.db condition=melanoma status=recruiting\n" +
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
	f.StringVar(&x.flags.format, "format", "", "sqlite, parquet or csv")
	f.StringVarP(&x.output, "output", "o", "", "the file, or the folder for Parquet; an older export is replaced, another file is not")
	f.StringVar(&x.table, "table", "", "the table of a CSV file")
	f.BoolVar(&x.flags.yes, "yes", false, "write the tables of more than 20000 trials without a question")
	return cmd
}

// job checks the flags and returns the export.
func (x *tablesExport) job() (*export.Job, error) {
	j := &export.Job{Version: buildVersion(), Source: x.cfg.MirrorSource()}
	switch {
	case x.flags.format != "sqlite" && x.flags.format != "parquet" && x.flags.format != "csv":
		return nil, fmt.Errorf("--format: want sqlite, parquet or csv, not %q", x.flags.format)
	case x.output == "":
		return nil, errors.New("--output is missing, as in --output aact")
	case (x.flags.format == "csv") != (x.table != ""):
		return nil, errors.New("--table names the table of a CSV file, as in --format csv --table studies")
	}
	if x.table != "" {
		table, err := dialect.Table(x.table)
		if err != nil {
			return nil, x.sqlFailed(err, &x.flags)
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
	trials := -1
	if len(x.args) > 0 {
		filters, err := callArguments(x.args, "", x.flags.in)
		if err != nil {
			return err
		}
		if j.IDs, err = matchingTrials(ctx, x.cmd, x.cfg, filters.json()); err != nil {
			return err
		}
		j.IDs = append([]int64{}, j.IDs...) // nil would be all
		trials = len(j.IDs)
	}
	d, done := x.desk(&x.flags)
	defer done()
	now, err := d.Current(ctx)
	done()
	if err != nil {
		return x.sqlFailed(err, &x.flags)
	}
	if trials < 0 {
		trials = now.Studies
	}
	line := newProgress(x.progress, "tables", false)
	j.Progress = func(table string, done, total int) { line.show("tables", done, total, ", "+table) }
	j.From, j.Day, j.WithoutContacts = d.Path(), now.Day, now.Mirror.WithoutContacts()
	write := map[string]func(context.Context) (export.Report, error){"sqlite": j.SQLite, "parquet": j.Parquet, "csv": j.CSV}[x.flags.format]
	report, err := write(ctx)
	line.clear()
	switch {
	case errors.Is(err, export.ErrOther):
		fmt.Fprintf(x.progress, "biofact: %s was not changed: %s. Name another output.\n", x.output, export.ErrOther)
		return exitFailed
	case err != nil:
		return fmt.Errorf("--output: %w", recordfile.WithoutPath(x.output, err))
	}
	x.notes(j, report)
	fmt.Fprintf(x.out, "%s, %s, %s, data of %s\n", plural(trials, "trial"), plural(int(report.Rows), "row"),
		plural(int(report.Bytes), "byte"), now.Day)
	return nil
}

// notes prints what the output lacks or has otherwise.
func (x *tablesExport) notes(j *export.Job, r export.Report) {
	if j.WithoutContacts {
		fmt.Fprintln(x.progress, "biofact:", noContacts)
	}
	if r.Changed > 0 {
		fmt.Fprintf(x.progress, apostrophes, plural(r.Changed, "cell"))
	}
}
