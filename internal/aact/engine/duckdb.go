package engine

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/biofact-mcp/biofact/internal/aact"
	"github.com/biofact-mcp/biofact/internal/entity"
)

const (
	// program is the name of the second program.
	program    = "biofact-sql"
	protocol   = 1
	memoryMB   = 300
	residentMB = 450
	threads    = 2
	atOnce     = 2
	waitTime   = 5 * time.Second // of a query for its place
	openTime   = 5 * time.Second // of the program for its setup
	graceTime  = 1500 * time.Millisecond
	exitTime   = 9
	aroundRows = 1 << 20 // of the output beside the rows
)

// ErrNoProgram is the error where the second program is missing.
var ErrNoProgram = errors.New("SQL needs the program biofact-sql beside biofact or in PATH; this installation has no such program")

// Find returns the path of the second program: beside this one, or in PATH. Its error is ErrNoProgram.
func Find() (string, error) {
	name := program
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if self, err := os.Executable(); err == nil {
		if self, err = filepath.EvalSymlinks(self); err == nil {
			path := filepath.Join(filepath.Dir(self), name)
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				return path, nil
			}
		}
	}
	path, err := exec.LookPath(program)
	if err != nil {
		return "", ErrNoProgram
	}
	return filepath.Abs(path)
}

// A Source says what the program opens.
type Source struct {
	// Folder is the folder in which it runs.
	Folder string
	// Setup are statements; Files are the files that it may open, below the folder.
	Setup string
	Files []string
	// Day is that of the data.
	Day string
}

// DuckDB runs each query in a process of its own.
type DuckDB struct {
	// Source returns the source of a query, that of today.
	Source func() (Source, error)

	places *semaphore.Weighted
}

// NewDuckDB returns an engine over a source.
func NewDuckDB(source func() (Source, error)) *DuckDB {
	return &DuckDB{Source: source, places: semaphore.NewWeighted(atOnce)}
}

// Name returns the name and version of the engine.
func (d *DuckDB) Name(ctx context.Context) (string, error) {
	answer, err := d.start(ctx, Source{Folder: os.TempDir()}, Query{SQL: "SELECT 1", Rows: 1, Bytes: 100, Time: time.Second})
	if err != nil {
		return "", err
	}
	return answer.Engine, nil
}

// Run runs a query.
func (d *DuckDB) Run(ctx context.Context, q Query) (*Result, error) {
	if err := check(q.SQL); err != nil {
		return nil, err
	}
	waiting, cancel := context.WithTimeout(ctx, waitTime)
	defer cancel()
	if err := d.places.Acquire(waiting, 1); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &Problem{Kind: Busy, Message: fmt.Sprintf("%d queries run already", atOnce)}
	}
	defer d.places.Release(1)
	source, err := d.Source()
	if err != nil {
		return nil, err
	}
	result, err := d.start(ctx, source, q)
	if problem, ok := errors.AsType[*Problem](err); !ok || problem.Kind != Unavailable {
		return result, err
	}
	if newer, sourceErr := d.Source(); sourceErr == nil && newer.Setup != source.Setup { // a file of the older state has gone
		return d.start(ctx, newer, q)
	}
	return result, err
}

// start runs the program for a query.
func (d *DuckDB) start(ctx context.Context, source Source, q Query) (*Result, error) {
	path, err := Find()
	if err != nil {
		return nil, err
	}
	limit := min(q.Time, MaxTime)
	request, err := json.Marshal(map[string]any{
		"v": protocol, "setup": source.Setup, "files": source.Files, "sql": q.SQL, "rows": q.Rows, "bytes": q.Bytes, "value": q.Value,
		"seconds": limit.Seconds(), "memory_mb": memoryMB, "resident_mb": residentMB, "threads": threads, "tables": true,
	})
	if err != nil {
		return nil, err
	}
	caller := ctx
	ctx, cancel := context.WithTimeout(ctx, openTime+limit+graceTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, path)
	cmd.Dir, cmd.Env, cmd.Stdin = source.Folder, environment(), bytes.NewReader(request)
	cmd.WaitDelay = graceTime
	ofGroup(cmd)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, &Problem{Kind: Unavailable, Message: "the program biofact-sql does not start"}
	}
	result, readErr := read(io.LimitReader(out, int64(q.Bytes)+aroundRows))
	if readErr != nil {
		cancel() // the rest is not read
	}
	_ = cmd.Wait() // the last line, or the code, says what happened
	problem, isProblem := errors.AsType[*Problem](readErr)
	switch {
	case caller.Err() != nil:
		return nil, caller.Err()
	case readErr == nil:
		result.DataVersion = source.Day
		return result, nil
	case isProblem && problem.Kind == Time, cmd.ProcessState.ExitCode() == exitTime:
		return nil, stopped(limit)
	case isProblem:
		return nil, problem
	}
	return nil, tooLarge
}

// errUnfinished is the error of an output without its last line.
var errUnfinished = errors.New("the program was stopped")

// read reads the answer of the program.
func read(out io.Reader) (*Result, error) {
	var line struct {
		Engine    string
		Columns   []string
		Types     []string
		Tables    []string
		Done      bool
		CutAt     string `json:"cut_at"`
		CutValues int    `json:"truncated_values"`
		Error     *struct{ Kind, Message string }
	}
	result := &Result{Rows: []json.RawMessage{}}
	reader := bufio.NewReaderSize(out, 1<<16)
	for {
		text, err := reader.ReadBytes('\n')
		if err != nil {
			return nil, errUnfinished
		}
		if text[0] == '[' {
			result.Rows = append(result.Rows, bytes.TrimSpace(text))
			continue
		}
		if err := json.Unmarshal(text, &line); err != nil {
			return nil, errUnfinished
		}
		switch {
		case line.Error != nil:
			return nil, problemOf(line.Error.Kind, line.Error.Message)
		case line.Done:
			result.CutAt, result.CutValues = line.CutAt, line.CutValues
			return result, nil
		}
		result.Engine, result.Columns, result.Types, result.Tables = line.Engine, line.Columns, line.Types, line.Tables
	}
}

// asides begin what DuckDB says about other programs and settings.
var asides = []string{"\nLINE ", ", but it exists in the ", "Please try installing", "Try installing", "Alternatively, ",
	"Consider enabling"}

// sentence returns DuckDB's own sentence.
func sentence(message string) string {
	message = entity.Clean(message)
	for _, aside := range asides {
		message, _, _ = strings.Cut(message, aside)
	}
	return strings.Join(strings.Fields(message), " ")
}

// problemOf returns the problem that the program reports, with DuckDB's own sentence.
func problemOf(kind, message string) error {
	switch Kind(kind) {
	case Memory:
		return tooLarge
	case Time:
		return &Problem{Kind: Time}
	case Wrong, Refused:
		message = sentence(message)
		p := &Problem{Kind: Kind(kind), Message: message}
		if p.Next = "Correct the query, which is in DuckDB's SQL."; p.Kind == Refused {
			p.Next = "Send one query that begins with SELECT, WITH or VALUES."
		}
		return p
	}
	return &Problem{Kind: Unavailable, Message: "the tables cannot be opened", Next: message}
}

// environment returns what the program needs of the environment: keys and addresses are not for it.
func environment() []string {
	all := []string{}
	for _, name := range []string{"SystemRoot", "TMPDIR"} {
		if text, ok := os.LookupEnv(name); ok {
			all = append(all, name+"="+text)
		}
	}
	return all
}

// Settings are the statements with which DuckDB reads queries that were written for PostgreSQL. The macros are those that operators call.
const Settings = `SET default_null_order = 'nulls_last_on_asc_first_on_desc';
SET integer_division = true;
CREATE SCHEMA IF NOT EXISTS ctgov;
CREATE SCHEMA IF NOT EXISTS public;
CREATE OR REPLACE MACRO ctgov.regexp_full_match(s, p) AS regexp_matches(s, p);
CREATE OR REPLACE MACRO ctgov."~*"(s, p) AS regexp_matches(s, p, 'i');
CREATE OR REPLACE MACRO ctgov."!~*"(s, p) AS NOT regexp_matches(s, p, 'i');
CREATE OR REPLACE MACRO ctgov.initcap(s) AS array_to_string(list_transform(regexp_extract_all(s, '[A-Za-z0-9]+|[^A-Za-z0-9]+'), ` +
	`lambda w: upper(w[1]) || lower(w[2:])), '');
CREATE OR REPLACE MACRO ctgov.cardinality(a) AS len(a);
CREATE OR REPLACE MACRO ctgov.json_agg(x) AS to_json(list(x));
CREATE OR REPLACE MACRO ctgov.to_char(d, f) AS strftime(d, replace(replace(replace(f, 'YYYY', '%Y'), 'MM', '%m'), 'DD', '%d'));
`

// Setup returns the statements that make the tables as views. Each table is read by a query, "" if it has no rows to show.
func Setup(query func(t *aact.Table) string) string {
	var b strings.Builder
	b.WriteString(Settings)
	for _, t := range aact.All() {
		text := query(t)
		if text == "" {
			var columns []string
			for _, c := range t.Columns {
				columns = append(columns, fmt.Sprintf(`NULL::%s AS "%s"`, strings.ReplaceAll(c.Type, "(6)", ""), c.Name))
			}
			text = "SELECT " + strings.Join(columns, ", ") + " WHERE false"
		}
		fmt.Fprintf(&b, "CREATE OR REPLACE VIEW ctgov.%s AS %s;\nCREATE OR REPLACE VIEW public.%[1]s AS SELECT * FROM ctgov.%[1]s;\n",
			t.Name, text)
	}
	b.WriteString("SET search_path = 'ctgov,main';\n")
	return b.String()
}
