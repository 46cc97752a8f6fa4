package runner

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	sqlite3 "modernc.org/sqlite/lib"

	"github.com/biofact-mcp/biofact/internal/mirror/disk"
	"github.com/biofact-mcp/biofact/internal/tables/dialect"
)

// ErrTables is the error of tables that cannot be read.
var ErrTables = errors.New("the tables cannot be read")

// The problems of statements that SQLite or the system stops.
var (
	largeNumber = &dialect.Problem{Message: "a whole number is larger than 9223372036854775807",
		Next: "Write ::numeric after its parts, as in x::numeric * y."}
	needsMemory = &dialect.Problem{Message: "the statement needed more memory than it may have, and was stopped",
		Next: "Read fewer rows with WHERE, or leave ORDER BY and DISTINCT over long texts out."}
	unexplained = &dialect.Problem{Message: "the statement cannot be run as it stands",
		Next: "Write it in smaller steps with WITH, as in WITH some AS (SELECT nct_id FROM studies) SELECT count(*) FROM some."}
	ofCodes = map[int]*dialect.Problem{
		sqlite3.SQLITE_NOMEM:  needsMemory,
		sqlite3.SQLITE_BUSY:   beingWritten,
		sqlite3.SQLITE_LOCKED: beingWritten,
		sqlite3.SQLITE_TOOBIG: {Message: "a value has more than 1,000,000 bytes, or the statement is too large",
			Next: "Shorten values with left(x, 1000), or join fewer rows."},
	}
	ofFiles      = []int{sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR}
	beingWritten = &dialect.Problem{Message: "the tables are being written", Next: "Send it again in a moment."}
)

// slow returns the problem of a statement whose time ended.
func (j *job) slow() *dialect.Problem {
	seconds := strconv.FormatFloat(j.Timeout.Seconds(), 'f', -1, 64) + " s"
	return &dialect.Problem{Message: "the statement ran longer than " + seconds + " and was stopped",
		Next: "Ask for less: name an nct_id or a condition in WHERE, or count in a query of WITH first; " +
			"biofact mirror sql --timeout 60s waits longer."}
}

// failed returns the outcome of a statement that failed; own is the problem of a function, or nil.
func (j *job) failed(ctx context.Context, err error, own *dialect.Problem) *outcome {
	switch code := disk.Code(err); {
	case ctx.Err() != nil || code == sqlite3.SQLITE_INTERRUPT:
		return &outcome{Problem: j.slow()}
	case strings.Contains(err.Error(), "integer overflow"):
		return &outcome{Problem: largeNumber}
	case slices.Contains(ofFiles, code):
		return &outcome{NoTables: true}
	default:
		return &outcome{Problem: cmp.Or(ofCodes[code], own, unexplained)}
	}
}

// err returns the error of a statement that failed, or nil.
func (o *outcome) err() error {
	switch {
	case o.Problem != nil:
		return o.Problem
	case o.NoTables:
		return ErrTables
	}
	return nil
}
