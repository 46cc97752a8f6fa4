// Command biofact-sql runs one query of DuckDB for Biofact, within bounds. It knows no table, no mirror and no server. A request is one
// object in JSON on standard input; the answer is lines of JSON on standard output: the columns, a list for each row, and a last line. An
// answer without a last line comes from a program that was stopped: with exit code 9 its time was over, else its memory.
package main

import (
	"bufio"
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/duckdb/duckdb-go/v2"
)

const (
	protocol   = 1
	maxRequest = 1 << 20
	openTime   = 5 * time.Second // of the setup
	extraTime  = 500 * time.Millisecond
	exitUsage  = 2
	exitMemory = 8
	exitTime   = 9
)

// A request is one query with its bounds.
type request struct {
	Version  int      `json:"v"`
	Setup    string   `json:"setup"` // statements before the query
	Files    []string `json:"files"` // that may be opened
	SQL      string   `json:"sql"`
	Tables   bool     `json:"tables"` // whether the answer lists the tables that the query names
	Rows     int      `json:"rows"`
	Bytes    int      `json:"bytes"` // of all rows
	Value    int      `json:"value"` // characters of one value; 0: all
	Seconds  float64  `json:"seconds"`
	Memory   int      `json:"memory_mb"`   // that DuckDB may manage
	Resident int      `json:"resident_mb"` // at which the program ends
	Threads  int      `json:"threads"`
}

// A failure is the error of a query.
type failure struct {
	Kind     string `json:"kind"` // sql, refused, time, memory, size, version or internal
	Message  string `json:"message"`
	Position int    `json:"position,omitempty"` // of the character in the query, from 1
}

func (f *failure) Error() string { return f.Message }

func refuse(format string, args ...any) error {
	return &failure{Kind: "refused", Message: fmt.Sprintf(format, args...)}
}

func main() {
	if info, err := os.Stdin.Stat(); err != nil || info.Mode()&os.ModeCharDevice != 0 || len(os.Args) > 1 {
		fmt.Fprintln(os.Stderr, "biofact-sql runs queries for biofact, which starts it: use biofact mirror sql QUERY")
		os.Exit(exitUsage)
	}
	out := bufio.NewWriter(os.Stdout)
	a := &answer{out: out}
	err := a.serve(os.Stdin)
	if err != nil {
		f, known := errors.AsType[*failure](err)
		if !known {
			f = &failure{Kind: "internal", Message: err.Error()}
		}
		a.line(map[string]any{"error": f})
	} else {
		a.line(map[string]any{"done": true, "rows": a.rows, "truncated": a.cutAt != "", "cut_at": a.cutAt, "truncated_values": a.cutValues})
	}
	if out.Flush() != nil {
		os.Exit(1)
	}
}

// serve reads a request and runs its query.
func (a *answer) serve(in io.Reader) error {
	text, err := io.ReadAll(io.LimitReader(in, maxRequest+1))
	if err != nil {
		return err
	}
	if len(text) > maxRequest {
		return &failure{Kind: "size", Message: "the request is too large"}
	}
	r := &a.request
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	if err := decoder.Decode(r); err != nil || r.Version != protocol {
		return &failure{Kind: "version", Message: fmt.Sprintf("want a request of version %d", protocol)}
	}
	if r.Rows < 1 || r.Bytes < 1 || r.Seconds <= 0 || r.Memory < 1 || r.Resident < 1 || r.Threads < 1 || r.Value < 0 {
		return &failure{Kind: "version", Message: "a bound is missing"}
	}
	if a.folder, err = os.Getwd(); err != nil {
		return err
	}
	go watch(int64(r.Resident) << 20)
	opening := time.AfterFunc(openTime, func() { os.Exit(exitTime) })
	connector, err := duckdb.NewConnector("", nil)
	if err != nil {
		return err
	}
	conn, err := sql.OpenDB(connector).Conn(context.Background())
	if err != nil {
		return err
	}
	if err := a.prepare(conn); err != nil {
		return err
	}
	opening.Stop()
	limit := time.Duration(r.Seconds * float64(time.Second))
	time.AfterFunc(limit+extraTime, func() { os.Exit(exitTime) })
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	if r.Tables { // an error is that of the query
		a.tables, _ = duckdb.GetTableNames(conn, r.SQL, false)
	}
	err = conn.Raw(func(c any) error { return a.query(ctx, c.(*duckdb.Conn)) })
	switch {
	case err != nil && ctx.Err() != nil:
		return &failure{Kind: "time", Message: "the time of the query is over"}
	case err != nil:
		return a.explain(err)
	}
	return nil
}

// watch ends the program when it has too much memory, or when the program that started it has gone.
func watch(most int64) {
	parent := os.Getppid()
	for range time.Tick(5 * time.Millisecond) {
		if resident() > most {
			os.Exit(exitMemory)
		}
		if os.Getppid() != parent {
			os.Exit(1)
		}
	}
}

// prepare runs the setup, then closes everything that a query must not reach: other files, the network, extensions and settings.
func (a *answer) prepare(conn *sql.Conn) error {
	files := make([]string, len(a.request.Files))
	for i, file := range a.request.Files {
		if file == "" { // an empty name would open every file
			return &failure{Kind: "version", Message: "a file has no name"}
		}
		files[i] = "'" + strings.ReplaceAll(file, "'", "''") + "'"
	}
	for _, statement := range []string{
		"SET autoinstall_known_extensions = false", "SET autoload_known_extensions = false", "SET allow_community_extensions = false",
		fmt.Sprintf("SET threads = %d", a.request.Threads), fmt.Sprintf("SET memory_limit = '%dMB'", a.request.Memory),
		"SET temp_directory = ''", "SET TimeZone = 'UTC'", "SET errors_as_json = true",
		a.request.Setup,
		"SET allowed_paths = [" + strings.Join(files, ", ") + "]", "SET enable_external_access = false", "SET lock_configuration = true",
	} {
		if _, err := conn.ExecContext(context.Background(), statement); err != nil && statement != "" {
			return fmt.Errorf("setup: %w", err)
		}
	}
	return nil
}

// query runs the query, which must be one that only reads.
func (a *answer) query(ctx context.Context, conn *duckdb.Conn) error {
	prepared, err := conn.Prepare(a.request.SQL)
	if err != nil {
		return err
	}
	defer prepared.Close()
	statement := prepared.(*duckdb.Stmt)
	kind, err := statement.StatementType()
	switch {
	case err != nil:
		return err
	case kind != duckdb.STATEMENT_TYPE_SELECT:
		return refuse("only a query is run, which begins with SELECT, WITH, VALUES or FROM")
	case statement.NumInput() > 0:
		return refuse("the query has parameters, which have no values: write the values")
	}
	rows, err := statement.QueryContext(ctx, nil)
	if err != nil {
		return err
	}
	defer rows.Close()
	return a.write(rows.(typedRows))
}

// typedRows are rows with the names of their types.
type typedRows interface {
	driver.Rows
	driver.RowsColumnTypeDatabaseTypeName
}
