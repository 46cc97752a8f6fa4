// Package runner runs queries over the file of tables: each in a process of its own, within bounds of time, memory and size. It
// translates them by package dialect, and explains in words why one was refused or stopped.
package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/internal/tables"
	"github.com/biofact-mcp/biofact/internal/tables/dialect"
)

const (
	// MaxTime is the longest time of a statement.
	MaxTime = 10 * time.Minute
	// MaxBytes bounds the rows of an answer.
	MaxBytes = 1_000_000
	// atOnce bounds the statements that run at the same time.
	atOnce = 4
	// grace is the time after which a process that has not ended is killed.
	grace = 600 * time.Millisecond
)

// A Runner runs statements over a file of tables. It is safe for concurrent use.
type Runner struct {
	path   string
	places chan struct{}
}

// New returns a runner of a file.
func New(path string) *Runner { return &Runner{path: path, places: make(chan struct{}, atOnce)} }

// A Scope says which data a statement sees.
type Scope struct {
	Day             string // of the data
	WithoutContacts bool   // the tables with contacts of people are not read
}

// Bounds are those of one statement.
type Bounds struct {
	Rows, Bytes, Characters int // 0 Characters: all of a value
	Time                    time.Duration
}

// An Answer has the rows of a statement.
type Answer struct {
	Columns   []string          `json:"columns"`
	Rows      []json.RawMessage `json:"rows"`
	RowCount  int               `json:"row_count"`
	Truncated bool              `json:"truncated"`
	// DataVersion is the day of the data.
	DataVersion string   `json:"data_version"`
	Notices     []string `json:"notices"`
}

// Run runs a statement. Its error is a *dialect.Problem if the statement is refused, wrong or stopped.
func (r *Runner) Run(ctx context.Context, statement string, scope Scope, b Bounds) (*Answer, error) {
	s, err := dialect.Translate(statement)
	if err != nil {
		return nil, err
	}
	for _, t := range s.Tables {
		if t.OfPeople() && scope.WithoutContacts {
			return nil, &dialect.Problem{Next: "Run biofact mirror sync.",
				Message: t.Name + " is not shown: the mirror was not synced for 30 days, and the registry may have removed contacts"}
		}
	}
	j := job{Path: r.path, SQL: s.SQL, MaxRows: b.Rows, MaxBytes: min(b.Bytes, MaxBytes),
		MaxValue: b.Characters, Timeout: min(b.Time, MaxTime)}
	answer := &Answer{DataVersion: scope.Day, Notices: append([]string{}, s.Notices...)}
	for _, c := range s.Columns {
		answer.Columns = append(answer.Columns, c.Name)
		j.Types = append(j.Types, c.Type)
	}
	result, err := r.inProcess(ctx, &j)
	if err != nil {
		return nil, err
	}
	answer.Rows, answer.RowCount, answer.Truncated = result.Rows, len(result.Rows), result.CutAt != ""
	switch result.CutAt {
	case "rows":
		answer.Notices = append(answer.Notices, fmt.Sprintf("only the first %d rows are shown", j.MaxRows))
	case "bytes":
		answer.Notices = append(answer.Notices, fmt.Sprintf("only the first %d rows are shown: the answer may have %d bytes",
			len(result.Rows), j.MaxBytes))
	}
	if result.CutValue {
		answer.Notices = append(answer.Notices, fmt.Sprintf("values longer than %d characters are cut", j.MaxValue))
	}
	return answer, nil
}

const (
	sharesTime = 5 * time.Second
	// sampled is the number of rows above which shares are those of a part of the trials.
	sampled = 300_000
)

// Shares returns the shares of the rows of a table that have a value, in percent, by column.
func (r *Runner) Shares(ctx context.Context, t *tables.Table, rows int64) ([]float64, error) {
	counts := make([]string, 0, len(t.Columns)+1)
	for _, c := range t.Columns {
		counts = append(counts, fmt.Sprintf(`count(t."%s")`, c.Name))
	}
	query := fmt.Sprintf(`SELECT %s, count(*) FROM "_%s" AS t`, strings.Join(counts, ", "), t.Name)
	if part := rows / sampled; part > 0 {
		query = fmt.Sprintf(`SELECT %s, count(*) FROM _study AS s CROSS JOIN "_%s" AS t ON t.id > s.id << 20 AND t.id < (s.id + 1) << 20 `+
			`WHERE s.id %% %d = 0`, strings.Join(counts, ", "), t.Name, part+1)
	}
	j := &job{Path: r.path, SQL: query, Types: make([]dialect.Type, len(t.Columns)+1), MaxRows: 1, MaxBytes: MaxBytes, Timeout: sharesTime}
	result, err := r.inProcess(ctx, j)
	if err != nil {
		return nil, err
	}
	var values []float64
	if len(result.Rows) == 0 || json.Unmarshal(result.Rows[0], &values) != nil {
		return nil, unexplained
	}
	total := max(1, values[len(values)-1])
	for i := range values {
		values[i] = math.Round(values[i]/total*1000) / 10
	}
	return values[:len(values)-1], nil
}

// inProcess runs a statement in a process of its own, which is killed when the call or its time ends.
func (r *Runner) inProcess(ctx context.Context, j *job) (*outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, j.Timeout+grace)
	defer cancel()
	select {
	case r.places <- struct{}{}:
		defer func() { <-r.places }()
	case <-ctx.Done():
		return nil, &dialect.Problem{Message: "other statements took all of the time", Next: "Send it again in a moment."}
	}
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(j)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program, Command)
	cmd.Env = environment()
	cmd.WaitDelay = grace
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	_, _ = in.Write(append(text, '\n')) // a process that has ended says so
	err = cmd.Wait()
	if parent := context.Cause(ctx); errors.Is(parent, context.Canceled) {
		return nil, parent
	}
	var result outcome
	switch code := cmd.ProcessState.ExitCode(); {
	case code == 0 && json.Unmarshal(out.Bytes(), &result) == nil:
		return &result, result.err()
	case code == exitTime || ctx.Err() != nil:
		return nil, j.slow()
	case code == 1:
		return nil, fmt.Errorf("%w: %w", ErrTables, err)
	}
	return nil, needsMemory // Go ends a process without memory with code 2, a system kills it
}

// environment returns what the process needs of the environment: keys of sources are not for it.
func environment() []string {
	var all []string
	for _, name := range []string{"SystemRoot", "TMPDIR", "TMP", "TEMP", "HOME", "GOCOVERDIR"} {
		if text, ok := os.LookupEnv(name); ok {
			all = append(all, name+"="+text)
		}
	}
	return all
}
