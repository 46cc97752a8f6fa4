package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/internal/aact/engine"
	"github.com/biofact-mcp/biofact/internal/aact/store"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/csvtable"
	"github.com/biofact-mcp/biofact/internal/database"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mirror/disk"
)

const (
	// tablesMemory is the soft memory limit of a command that writes tables.
	tablesMemory = 140 << 20
	// maxSQLRows bounds --max-rows.
	maxSQLRows = 1_000_000
)

// sqlFlags are the flags of the commands that read the tables.
type sqlFlags struct {
	format string
	rows   int
	time   time.Duration
	yes    bool
	in     io.Reader
}

// sqlCommands returns mirror sql and mirror tables.
func sqlCommands(cfg *config.Config) []*cobra.Command {
	flags := sqlFlags{}
	query := &cobra.Command{
		Use: "sql QUERY", Args: takes(1, 1), Short: "Run one query over the tables of AACT, which are made of the mirror",
		Long: "Run one query over the tables of AACT (https://aact.ctti-clinicaltrials.org), which are made of the mirror " +
			"at the first use. The SQL is DuckDB's, or PostgreSQL's where BIOFACT_SQL_URL names a server.\n" +
			"QUERY - reads it from standard input. Nothing can be written, and no request is made. biofact mirror tables lists the tables.",
		Example: "  biofact mirror sql \"SELECT phase, count(*) FROM studies GROUP BY phase ORDER BY phase\"\n" +
			"  biofact mirror sql --format csv - < query.sql > rows.csv",
	}
	list := &cobra.Command{
		Use: "tables [TABLE ...]", Short: "List the tables of AACT that are made of the mirror, or describe the columns of some",
		Long: "List the tables of AACT that are made of the mirror, with their rows and their sources, or describe the columns " +
			"of some: type, place in the record, and the share of rows with a value.",
	}
	ofMirror(cfg, query, func(c *mirrorCall, ctx context.Context) error { return c.sql(ctx, &flags) })
	ofMirror(cfg, list, func(c *mirrorCall, ctx context.Context) error { return c.tables(ctx, &flags) })
	for _, cmd := range []*cobra.Command{query, list} {
		formats := "table or json"
		if cmd == query {
			formats = "table, json or csv"
		}
		cmd.Flags().StringVar(&flags.format, "format", "table", "form of the answer: "+formats)
		cmd.Flags().BoolVar(&flags.yes, "yes", false, "write the tables of more than 20000 trials without a question")
		run := cmd.RunE
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if f := flags.format; !strings.Contains(" "+strings.NewReplacer(",", "", " or", "").Replace(formats)+" ", " "+f+" ") {
				return fmt.Errorf("--format: want %s, not %q", formats, f)
			}
			flags.in = interruptible{cmd.Context(), cmd.InOrStdin()}
			return run(cmd, args)
		}
	}
	query.Flags().IntVar(&flags.rows, "max-rows", 1000, "most rows of the answer")
	query.Flags().DurationVar(&flags.time, "timeout", 0, "longest time of the query; if unset, BIOFACT_SQL_TIMEOUT")
	return []*cobra.Command{query, list}
}

// database returns the tables of the mirror, or of a PostgreSQL server. It asks before it writes much.
func (c *mirrorCall) database(flags *sqlFlags) (d *database.Database, done func(), err error) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(tablesMemory)
	}
	line := newProgress(c.progress, "", false)
	d, err = database.Open(c.path, string(c.cfg.SQLURL), store.Options{
		Progress: func(done, total int) { line.show("trials", done, total, "") },
		Wait:     func() { fmt.Fprintln(c.progress, "biofact: another process writes the tables; waiting for it") },
		Removed: func(path string) {
			fmt.Fprintf(c.progress, "biofact: %s of an earlier version was removed; the tables are in %s\n", path, store.Path(c.path))
		},
		Agree: func(need store.Need) error { return c.agree(need, flags) },
	})
	if err != nil {
		return nil, nil, err
	}
	return d, sync.OnceFunc(func() {
		line.clear()
		_ = d.Close() // it was only read
	}), nil
}

// agree asks whether the tables of many trials are to be written.
func (c *mirrorCall) agree(need store.Need, flags *sqlFlags) error {
	large := &database.LargeError{Need: need}
	if flags.yes || need.Trials <= database.AskAbove {
		return nil
	}
	if flags.in == nil || !isTerminal(os.Stdin) || !isTerminal(c.progress) {
		return large
	}
	fmt.Fprintf(c.progress, "%s. Begin? [y/N] ", large)
	answer, _ := bufio.NewReader(flags.in).ReadString('\n') // no answer is a no
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer == "y" || answer == "yes" {
		return nil
	}
	return large
}

// sqlFailed prints a problem of a query or of the tables, and returns the exit code.
func (c *mirrorCall) sqlFailed(err error) error {
	var large *database.LargeError
	var room *disk.SpaceError
	problem, refused := errors.AsType[*engine.Problem](err)
	var text string
	switch {
	case refused && problem.Kind == engine.Busy:
		text = sentence(problem.Message) + " Run the same command again in 5 s."
	case refused:
		text = strings.TrimSpace(sentence(problem.Message) + " " + problem.Next)
	case database.Missing(err):
		text = err.Error() + "\n" + database.WithoutEngine
	case errors.As(err, &large):
		text = sentence(large.Error()) + " Begin with biofact mirror tables --yes."
	case errors.As(err, &room):
		text = sentence(room.Error()) + " Free some space, or set BIOFACT_MIRROR_PATH to a file on another disk."
	case errors.Is(err, store.ErrForeign):
		text = sentence(store.Path(c.path)+" is of another program") + " Move it, then run the same command again."
	default:
		return err
	}
	fmt.Fprintln(c.progress, "biofact:", text)
	return exitFailed
}

// sentence returns a text as a sentence.
func sentence(text string) string {
	if text != "" && text[0] >= 'a' && text[0] <= 'z' && !strings.Contains(strings.Fields(text)[0], "_") {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	if strings.HasSuffix(text, "?") || strings.HasSuffix(text, "!") {
		return text
	}
	return strings.TrimSuffix(text, ".") + "."
}

func (c *mirrorCall) sql(ctx context.Context, flags *sqlFlags) error {
	statement := c.args[0]
	if statement == "-" {
		text, err := io.ReadAll(io.LimitReader(flags.in, 1<<20))
		if err != nil {
			return err
		}
		statement = string(text)
	}
	limit := flags.time
	switch {
	case limit == 0:
		limit = c.cfg.SQLTimeout
	case limit < 0 || limit > engine.MaxTime:
		return fmt.Errorf("--timeout: want a time up to %s, not %s", engine.MaxTime, limit)
	}
	if flags.rows < 1 || flags.rows > maxSQLRows {
		return fmt.Errorf("--max-rows: want a number from 1 to %d, not %d", maxSQLRows, flags.rows)
	}
	d, done, err := c.database(flags)
	if err != nil {
		return err
	}
	defer done()
	answer, err := d.Query(ctx, engine.Query{SQL: statement, Rows: flags.rows, Bytes: engine.MaxBytes, Value: engine.MaxValue, Time: limit})
	done()
	if err != nil {
		return c.sqlFailed(err)
	}
	if flags.format == "json" {
		return printLine(c.out, answer)
	}
	for _, notice := range answer.Notices {
		fmt.Fprintln(c.progress, "biofact: notice:", notice)
	}
	rows := make([][]string, 0, len(answer.Rows))
	for _, row := range answer.Rows {
		cells, err := cellsOf(row)
		if err != nil {
			return err
		}
		rows = append(rows, cells)
	}
	if flags.format == "csv" {
		return c.asCSV(answer.Columns, rows)
	}
	return c.asTable(answer.Columns, rows)
}

// cellsOf returns the values of a row as texts; NULL is an empty one.
func cellsOf(row json.RawMessage) ([]string, error) {
	d := json.NewDecoder(bytes.NewReader(row))
	d.UseNumber()
	var values []any
	if err := d.Decode(&values); err != nil {
		return nil, err
	}
	cells := make([]string, len(values))
	for i, v := range values {
		if v != nil {
			cells[i] = entity.Clean(fmt.Sprint(v))
		}
	}
	return cells, nil
}

func (c *mirrorCall) asCSV(columns []string, rows [][]string) error {
	var table csvtable.Table
	table.Row(columns...)
	for _, row := range rows {
		table.Row(row...)
	}
	_, err := io.WriteString(c.out, table.String())
	if table.Changed > 0 {
		fmt.Fprintf(c.progress, apostrophes, plural(table.Changed, "cell"))
	}
	return err
}

// oneLine returns a value for a table: on one line, and cut.
func oneLine(cell string) string {
	cell = strings.Join(strings.Fields(cell), " ")
	if runes := []rune(cell); len(runes) > maxCell {
		return string(runes[:maxCell-1]) + "…"
	}
	return cell
}

// maxCell is the number of characters of a cell that a table shows.
const maxCell = 60

// asTable prints rows for people: one line each, with cut values.
func (c *mirrorCall) asTable(columns []string, rows [][]string) error {
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	cutCells := 0
	for _, row := range append([][]string{columns}, rows...) {
		shown := make([]string, len(row))
		for i, cell := range row {
			if shown[i] = oneLine(cell); strings.HasSuffix(shown[i], "…") && !strings.HasSuffix(cell, "…") {
				cutCells++
			}
		}
		fmt.Fprintln(w, strings.TrimRight(strings.Join(shown, "\t"), "\t "))
	}
	if cutCells > 0 {
		fmt.Fprintf(c.progress, "biofact: %s cut to %d characters; --format json or csv has all\n", plural(cutCells, "value"), maxCell)
	}
	return w.Flush()
}

func (c *mirrorCall) tables(ctx context.Context, flags *sqlFlags) error {
	d, done, err := c.database(flags)
	if err != nil {
		return err
	}
	defer done()
	described, err := d.Describe(ctx, c.args)
	done()
	if err != nil {
		return c.sqlFailed(err)
	}
	if flags.format == "json" {
		return printLine(c.out, described)
	}
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for _, t := range described.Tables {
		what := t.From
		if t.Empty != "" {
			what = "empty: " + t.Empty
		}
		fmt.Fprintf(w, "%s\t%d\t%s\n", t.Name, t.Rows, what)
		for _, column := range t.Columns {
			share, from := "", strings.Join(column.From, "; ")
			if column.Share != nil {
				share = fmt.Sprintf("%.1f %%", *column.Share)
			}
			if from == "" {
				from = "never filled"
			}
			fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", column.Name, column.Type, share, from)
			for _, v := range column.Values {
				fmt.Fprintf(w, "    %s\t\t%.1f %%\t\n", oneLine(v.Value), v.Share)
			}
		}
		if t.Note != "" && len(t.Columns) > 0 {
			fmt.Fprintf(w, "  note: %s\n", t.Note)
		}
	}
	return w.Flush()
}

// apostrophes is the line about cells of CSV that a spreadsheet would run.
const apostrophes = "biofact: %s got an apostrophe before it, because a spreadsheet would run it as a formula\n"
