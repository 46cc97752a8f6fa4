// Package engine runs queries over the tables of AACT: by DuckDB in a second program, over files, or by a PostgreSQL server. SQL is that of
// the engine; no text of a query is read or changed here.
package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

const (
	// MaxTime is the longest time of a query.
	MaxTime = 10 * time.Minute
	// MaxBytes bounds the rows of an answer.
	MaxBytes = 1 << 20
	// MaxStatement bounds the bytes of a query.
	MaxStatement = 65_536
	// MaxValue is the number of characters of one value.
	MaxValue = 20_000
)

// A Query is one statement with its bounds.
type Query struct {
	SQL                string
	Rows, Bytes, Value int // Value: characters of a value
	Time               time.Duration
}

// A Result has the rows of a query.
type Result struct {
	// Engine is the name and version of the engine.
	Engine  string
	Columns []string
	Types   []string
	// Rows are lists in JSON.
	Rows []json.RawMessage
	// CutAt is "rows" or "bytes" where more rows exist.
	CutAt string
	// CutValues is the number of values that were cut.
	CutValues int
	// Tables are the tables that the query names, where the engine lists them.
	Tables []string
	// DataVersion is the day of the data.
	DataVersion string
}

// An Engine runs queries. It is safe for concurrent use.
type Engine interface {
	// Name returns the name and version of the engine.
	Name(ctx context.Context) (string, error)
	// Run runs a query. Its error is a *Problem if the query is refused, wrong or stopped.
	Run(ctx context.Context, q Query) (*Result, error)
}

// A Kind says whose fault a problem is.
type Kind string

// The kinds of problems.
const (
	Wrong       Kind = "sql"         // the engine does not accept the query
	Refused     Kind = "refused"     // it would do more than read, or is too large
	Time        Kind = "time"        // it was stopped
	Memory      Kind = "memory"      // it was stopped
	Busy        Kind = "busy"        // other queries run
	Unavailable Kind = "unavailable" // the engine cannot be used
)

// A Problem is the error of a query.
type Problem struct {
	Kind    Kind
	Message string
	// Next is the next step.
	Next string
	// Table is the table whose name is most like an unknown one, or "".
	Table string
}

func (p *Problem) Error() string { return p.Message }

func refuse(format string, args ...any) error {
	return &Problem{Kind: Refused, Message: fmt.Sprintf(format, args...), Next: "Send one query that begins with SELECT, WITH or VALUES."}
}

// check refuses a text that is no query.
func check(sql string) error {
	switch {
	case len(sql) > MaxStatement:
		return refuse("the query has more than %d bytes", MaxStatement)
	case !utf8.ValidString(sql):
		return refuse("the query is no valid UTF-8")
	case strings.ContainsFunc(sql, func(r rune) bool { return unicode.IsControl(r) && r != '\t' && r != '\n' && r != '\r' }):
		return refuse("the query has a control character")
	case strings.TrimSpace(sql) == "":
		return refuse("the query is empty")
	}
	return nil
}

// stopped returns the problem of a query whose time was over.
func stopped(limit time.Duration) error {
	return &Problem{Kind: Time, Message: fmt.Sprintf("the query ran longer than %s and was stopped", limit),
		Next: "Narrow it with WHERE, or count and group fewer rows."}
}

// tooLarge is the problem of a query that was stopped because of its memory.
var tooLarge = &Problem{Kind: Memory, Message: "the query took too much memory and was stopped",
	Next: "Narrow it with WHERE, or count and group fewer rows."}
