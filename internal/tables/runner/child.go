package runner

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"os"
	"regexp"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"modernc.org/libc"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/biofact-mcp/biofact/internal/mirror/disk"
	"github.com/biofact-mcp/biofact/internal/tables/dialect"
)

// Command is the argument with which the program starts itself for one statement.
const Command = "run-one-statement"

const (
	heapLimit   = 128 << 20 // of SQLite
	softMemory  = 96 << 20  // of Go
	largestHeap = 200 << 20 // of Go, at which the process ends
	// largestProcess is the memory of the process at which it ends.
	largestProcess = 320 << 20
	extraTime      = 300 * time.Millisecond
	exitTime       = 3 // exit codes of the process
	exitMemory     = 4
)

// A job is a statement for the process.
type job struct {
	Path     string
	SQL      string
	Types    []dialect.Type // by column
	MaxRows  int
	MaxBytes int
	MaxValue int // characters
	Timeout  time.Duration
}

// An outcome is the answer of the process.
type outcome struct {
	Rows     []json.RawMessage
	CutAt    string // "rows", "bytes" or ""
	CutValue bool
	Problem  *dialect.Problem // of a statement that failed
	NoTables bool             // they cannot be read
}

// Main runs a statement and ends the program, if Command is its argument.
func Main() {
	if len(os.Args) == 2 && os.Args[1] == Command {
		os.Exit(Serve(os.Stdin, os.Stdout))
	}
}

// Serve runs the statement that it reads from in, and writes its outcome to out. It returns the exit code. The process ends when in is
// closed, and at the latest shortly after the time of the statement.
func Serve(in io.Reader, out io.Writer) int {
	debug.SetMemoryLimit(softMemory)
	if err := countMemory(); err != nil {
		return 1
	}
	reader := bufio.NewReader(in)
	line, err := reader.ReadBytes('\n')
	var j job
	if err != nil || json.Unmarshal(line, &j) != nil {
		return 1
	}
	time.AfterFunc(j.Timeout+extraTime, func() { os.Exit(exitTime) })
	go func() {
		_, _ = reader.ReadByte() // the caller has gone
		os.Exit(1)
	}()
	go watchMemory()
	ctx, cancel := context.WithTimeout(context.Background(), j.Timeout)
	defer cancel()
	result, err := j.run(ctx)
	if err != nil {
		result = j.failed(ctx, err, result.Problem)
	}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	if err := e.Encode(result); err != nil {
		return 1
	}
	return 0
}

// watchMemory ends the process when it has too much memory: the part of Go, or all of it where the system says how much that is.
func watchMemory() {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	for range time.Tick(10 * time.Millisecond) {
		if metrics.Read(sample); sample[0].Value.Uint64() > largestHeap || resident() > largestProcess {
			os.Exit(exitMemory)
		}
	}
}

// resident returns the bytes of memory that the process has, 0 where that is not known.
func resident() int64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(fields[1], 10, 64) // no number is 0
	return pages * int64(os.Getpagesize())
}

// countMemory lets SQLite count its memory, without which it keeps no limit. It works before the first use of SQLite.
func countMemory() error {
	tls := libc.NewTLS()
	defer tls.Close()
	on := libc.NewVaList(int32(1))
	defer libc.Xfree(tls, on)
	if code := sqlite3.Xsqlite3_config(tls, sqlite3.SQLITE_CONFIG_MEMSTATUS, on); code != sqlite3.SQLITE_OK {
		return fmt.Errorf("count the memory: code %d", code)
	}
	return nil
}

// limits bound what SQLite accepts.
var limits = map[int]int{
	sqlite3.SQLITE_LIMIT_ATTACHED: 0, sqlite3.SQLITE_LIMIT_LENGTH: 1_000_000, sqlite3.SQLITE_LIMIT_SQL_LENGTH: 512 << 10,
	sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 400, sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 50, sqlite3.SQLITE_LIMIT_COLUMN: 600,
	sqlite3.SQLITE_LIMIT_VDBE_OP: 100_000, sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 32, sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 300,
	sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1, sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}

// open opens the tables so that nothing can be written, nor another file be opened.
func (j *job) open(ctx context.Context) (*sql.DB, *sql.Conn, error) {
	db, err := sql.Open("sqlite", disk.DSN(j.Path, url.Values{
		"mode": {"ro"}, "_query_only": {"1"}, "_defensive": {"1"}, "_dqs": {"0"},
		"_pragma": {fmt.Sprintf("hard_heap_limit(%d)", heapLimit), "temp_store(2)", "trusted_schema(0)", "busy_timeout(1000)",
			"cache_size(-16384)", "cell_size_check(1)"},
	}))
	if err != nil {
		return nil, nil, err
	}
	db.SetMaxOpenConns(1)
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	for id, n := range limits {
		if _, err := sqlite.Limit(conn, id, n); err != nil {
			return nil, nil, errors.Join(err, conn.Close(), db.Close())
		}
	}
	return db, conn, nil
}

// run runs the statement.
func (j *job) run(ctx context.Context) (result *outcome, err error) {
	result = &outcome{Rows: []json.RawMessage{}}
	f := &functions{patterns: map[string]*regexp.Regexp{}}
	defer func() {
		if err != nil {
			result.Problem = f.problem
		}
	}()
	if err := f.register(); err != nil {
		return result, err
	}
	db, conn, err := j.open(ctx)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	rows, err := conn.QueryContext(ctx, j.SQL)
	if err != nil {
		return result, err
	}
	defer rows.Close()
	values := make([]any, len(j.Types))
	into := make([]any, len(values))
	for i := range values {
		into[i] = &values[i]
	}
	size := 0
	for rows.Next() {
		if len(result.Rows) == j.MaxRows {
			result.CutAt = "rows"
			return result, nil
		}
		if err := rows.Scan(into...); err != nil {
			return result, err
		}
		row, err := j.row(values, result)
		if err != nil {
			return result, err
		}
		if size += len(row) + 2; size > j.MaxBytes {
			result.CutAt = "bytes"
			return result, nil
		}
		result.Rows = append(result.Rows, row)
	}
	return result, rows.Err()
}

// row returns a row as a list in JSON.
func (j *job) row(values []any, result *outcome) ([]byte, error) {
	shown := make([]any, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case time.Time:
			shown[i] = v.Format(time.DateOnly)
		case []byte:
			shown[i] = hex.EncodeToString(v)
		case string:
			if j.Types[i] == dialect.Array {
				v = braces(v)
			}
			if j.MaxValue > 0 && utf8.RuneCountInString(v) > j.MaxValue {
				v, result.CutValue = string([]rune(v)[:j.MaxValue]), true
			}
			shown[i] = v
		case int64:
			shown[i] = v
			if j.Types[i] == dialect.Boolean {
				shown[i] = v != 0
			}
		case float64:
			if shown[i] = v; math.IsInf(v, 0) || math.IsNaN(v) {
				shown[i] = nil
			}
		default:
			shown[i] = v
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(shown)
	return bytes.TrimSpace(b.Bytes()), err
}
