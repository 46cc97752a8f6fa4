// Package database answers questions about the registry as tables: queries and descriptions, for the command line and for the tools of the
// toolset sql. It asks no source.
package database

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/internal/aact"
	"github.com/biofact-mcp/biofact/internal/aact/engine"
	"github.com/biofact-mcp/biofact/internal/aact/store"
)

// A Backend has the tables in an engine.
type Backend interface {
	engine.Engine
	// Facts returns what is known of the tables.
	Facts(ctx context.Context) (Facts, error)
	Close() error
}

// Database answers from the tables of one backend. It is safe for concurrent use.
type Database struct{ Backend }

// Open returns the database of the mirror at a path, or that of a PostgreSQL server if its address is set.
func Open(mirrorPath, url string, o store.Options) (*Database, error) {
	if url == "" {
		return &Database{NewLocal(mirrorPath, o)}, nil
	}
	server, err := engine.NewPostgres(url)
	if err != nil {
		return nil, err
	}
	return &Database{&remote{server}}, nil
}

// Serve returns the database of a server, whose calls do not wait for the end of an update.
func Serve(mirrorPath, url string) (*Database, error) {
	d, err := Open(mirrorPath, url, store.Options{})
	if local, ok := d.localBackend(); ok {
		local.inBackground = true
	}
	return d, err
}

func (d *Database) localBackend() (*Local, bool) {
	if d == nil {
		return nil, false
	}
	local, ok := d.Backend.(*Local)
	return local, ok
}

// A remote database is one of a PostgreSQL server.
type remote struct{ *engine.Postgres }

// Facts returns what the server says of its tables.
func (r *remote) Facts(ctx context.Context) (Facts, error) {
	f, err := r.Loaded(ctx)
	return Facts{Day: f.Day, Rows: f.Rows, Notices: f.Notices}, err
}

// An Answer has the rows of a query.
type Answer struct {
	Engine      string            `json:"engine"`
	Columns     []string          `json:"columns"`
	Types       []string          `json:"types"`
	Rows        []json.RawMessage `json:"rows"`
	RowCount    int               `json:"row_count"`
	Truncated   bool              `json:"truncated"`
	DataVersion string            `json:"data_version"`
	Notices     []string          `json:"notices"`
}

// Query runs a query. Its error is an *engine.Problem if the query is refused, wrong or stopped.
func (d *Database) Query(ctx context.Context, q engine.Query) (*Answer, error) {
	facts, err := d.Facts(ctx)
	if err != nil {
		return nil, err
	}
	result, err := d.Run(ctx, q)
	if err != nil {
		return nil, err
	}
	a := &Answer{Engine: result.Engine, Columns: result.Columns, Types: result.Types, Rows: result.Rows, RowCount: len(result.Rows),
		Truncated: result.CutAt != "", DataVersion: result.DataVersion, Notices: append([]string{}, facts.Notices...)}
	if a.DataVersion == "" {
		a.DataVersion = facts.Day
	}
	switch result.CutAt {
	case "rows":
		a.Notices = append(a.Notices, fmt.Sprintf("only the first %d rows are shown; ORDER BY, LIMIT and OFFSET reach the others", q.Rows))
	case "bytes":
		a.Notices = append(a.Notices, fmt.Sprintf("only the first %d rows are shown, because an answer has at most %d bytes; name fewer "+
			"columns, or use LIMIT and OFFSET", len(result.Rows), q.Bytes))
	}
	if result.CutValues > 0 {
		a.Notices = append(a.Notices, fmt.Sprintf("values longer than %d characters are cut", q.Value))
	}
	if facts.Hidden != "" && slices.ContainsFunc(result.Tables, ofPeople) {
		a.Notices = append(a.Notices, facts.Hidden)
	}
	return a, nil
}

// ofPeople reports whether a table has contacts of people.
func ofPeople(name string) bool {
	t := aact.Named(strings.ToLower(name))
	return t != nil && t.OfPeople()
}

// bounds returns the bounds of a question that describes tables.
func bounds(sql string) engine.Query {
	return engine.Query{SQL: sql, Rows: 100_000, Bytes: engine.MaxBytes, Value: maxShownValue, Time: profileTime}
}

// Missing reports whether an error says that the engine is not installed.
func Missing(err error) bool { return errors.Is(err, engine.ErrNoProgram) }

// profileTime is the time of one question that describes a table.
const profileTime = 5 * time.Second
