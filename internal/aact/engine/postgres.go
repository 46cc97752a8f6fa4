package engine

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"golang.org/x/sync/semaphore"

	"github.com/biofact-mcp/biofact/internal/entity"
)

const (
	// connections bounds the connections to the server.
	connections = 4
	// receivedBytes bounds what a connection receives: the server sends a value as a whole.
	receivedBytes = 16 << 20
	clientGrace   = 500 * time.Millisecond
	connectTime   = 10 * time.Second
)

// ErrAddress is the error of an address that pgx does not read. It does not have the address, which may have a password.
var ErrAddress = errors.New("BIOFACT_SQL_URL: must be an address of PostgreSQL, as postgres://user@host:5432/database")

// Postgres runs queries on a server, each in a connection of its own.
type Postgres struct {
	config *pgconn.Config
	places *semaphore.Weighted
	types  *pgtype.Map
}

// NewPostgres returns the engine of a server. Its error is ErrAddress.
func NewPostgres(url string) (*Postgres, error) {
	config, err := pgconn.ParseConfig(url)
	if err != nil || !strings.Contains(url, "://") {
		return nil, ErrAddress
	}
	config.RuntimeParams["application_name"] = "biofact"
	config.RuntimeParams["search_path"] = "ctgov, public"
	config.RuntimeParams["default_transaction_read_only"] = "on"
	config.RuntimeParams["client_encoding"] = "UTF8"
	config.RuntimeParams["timezone"] = "UTC"
	config.RuntimeParams["datestyle"] = "ISO, YMD"
	config.RuntimeParams["intervalstyle"] = "postgres"
	config.RuntimeParams["bytea_output"] = "hex"
	config.RuntimeParams["extra_float_digits"] = "1"
	dial := config.DialFunc
	config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &boundedConn{Conn: conn}, nil
	}
	return &Postgres{config: config, places: semaphore.NewWeighted(connections), types: pgtype.NewMap()}, nil
}

// Close does nothing: no connection outlives its query.
func (p *Postgres) Close() error { return nil }

// A boundedConn ends when it has received too much.
type boundedConn struct {
	net.Conn
	received atomic.Int64
}

// Read implements net.Conn.
func (c *boundedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.received.Add(int64(n)) > receivedBytes {
		_ = c.Close() // the error says more
		return n, errors.New("too many bytes")
	}
	return n, err
}

// full reports whether a connection has received too much.
func full(conn *pgconn.PgConn) bool {
	c := conn.Conn()
	if secured, ok := c.(*tls.Conn); ok {
		c = secured.NetConn()
	}
	bounded, ok := c.(*boundedConn)
	return ok && bounded.received.Load() > receivedBytes
}

// A session is the connection of one question.
type session struct {
	*pgconn.PgConn
	context.Context
}

// open calls a function with a connection, which is closed then.
func (p *Postgres) open(ctx context.Context, limit time.Duration, use func(session) error) error {
	waiting, cancel := context.WithTimeout(ctx, waitTime)
	defer cancel()
	if err := p.places.Acquire(waiting, 1); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &Problem{Kind: Busy, Message: fmt.Sprintf("%d queries run already", connections)}
	}
	defer p.places.Release(1)
	connecting, cancelConnect := context.WithTimeout(ctx, connectTime)
	defer cancelConnect()
	conn, err := pgconn.ConnectConfig(connecting, p.config)
	if err != nil {
		return unavailable("the PostgreSQL server of BIOFACT_SQL_URL does not answer, or refuses its user")
	}
	inTime, cancelTime := context.WithTimeout(ctx, limit+clientGrace)
	defer cancelTime()
	defer func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), clientGrace)
		defer cancel()
		_ = conn.Close(closing) // the server ends it too
	}()
	err = use(session{conn, inTime})
	switch {
	case err == nil || ctx.Err() != nil:
		return errors.Join(err, ctx.Err())
	case full(conn):
		return &Problem{Kind: Memory, Message: fmt.Sprintf("the rows take more than %d MB", receivedBytes>>20),
			Next: "Name fewer columns, or use LIMIT."}
	case inTime.Err() != nil:
		return stopped(limit)
	}
	return explain(err, limit)
}

// run runs one of our statements, and returns its rows as texts. It uses the extended protocol, which takes one statement alone.
func (s session) run(statement string, arguments ...string) (*pgconn.Result, error) {
	var values [][]byte
	for _, argument := range arguments {
		values = append(values, []byte(argument))
	}
	result := s.ExecParams(s, statement, values, nil, nil, nil).Read()
	return result, result.Err
}

// rights selects what the role may do beside reading.
const rights = `SELECT coalesce((SELECT string_agg(right_of, ', ') FROM (
  SELECT 'superuser' AS right_of FROM pg_roles WHERE rolsuper AND pg_has_role(current_user, oid, 'MEMBER')
  UNION SELECT rolname FROM pg_roles WHERE rolname IN ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program')
    AND pg_has_role(current_user, oid, 'MEMBER')
  UNION SELECT 'write to ctgov' FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'ctgov' AND c.relkind IN ('r', 'p', 'v')
      AND has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')) AS all_rights), '')`

// begin begins a transaction that only reads, as a role that may not do more.
func (s session) begin(limit time.Duration) error {
	if _, err := s.run("BEGIN READ ONLY"); err != nil {
		return err
	}
	if _, err := s.run("SELECT set_config('statement_timeout', $1, true)", fmt.Sprint(limit.Milliseconds())); err != nil {
		return err
	}
	found, err := s.run(rights)
	if err != nil {
		return err
	}
	if list := string(found.Rows[0][0]); list != "" {
		return unavailable("the role of BIOFACT_SQL_URL may do more than read (" + list + "), so that no query is run as it; " +
			"use biofact_reader, which load.sql makes")
	}
	return nil
}

// Name returns the name and version of the engine.
func (p *Postgres) Name(ctx context.Context) (name string, err error) {
	err = p.open(ctx, connectTime, func(s session) error {
		name = serverName(s)
		return nil
	})
	return name, err
}

func serverName(s session) string {
	version, _, _ := strings.Cut(s.ParameterStatus("server_version"), " ")
	return "PostgreSQL " + version
}

// Run runs a query.
func (p *Postgres) Run(ctx context.Context, q Query) (result *Result, err error) {
	if err := check(q.SQL); err != nil {
		return nil, err
	}
	limit := min(q.Time, MaxTime)
	err = p.open(ctx, limit, func(s session) error {
		if err := s.begin(limit); err != nil {
			return err
		}
		if _, err := s.run("DECLARE biofact_rows NO SCROLL CURSOR FOR " + q.SQL); err != nil {
			return err
		}
		rows, err := s.run(fmt.Sprintf("FETCH %d FROM biofact_rows", q.Rows+1))
		if err != nil {
			return err
		}
		result = p.result(rows, q)
		result.Engine = serverName(s)
		return nil
	})
	return result, err
}

// Loaded are the facts of the tables of a server.
type Loaded struct {
	Day, Revision string
	Rows          map[string]int64
	Notices       []string
}

// Loaded returns what the server says of its tables.
func (p *Postgres) Loaded(ctx context.Context) (l Loaded, err error) {
	l.Rows = map[string]int64{}
	err = p.open(ctx, connectTime, func(s session) error {
		if err := s.begin(connectTime); err != nil {
			return err
		}
		ours, err := s.run("SELECT to_regclass('ctgov._biofact') IS NOT NULL, to_regclass('ctgov.studies') IS NOT NULL")
		if err != nil {
			return err
		}
		if string(ours.Rows[0][1]) != "t" {
			return unavailable("the database of BIOFACT_SQL_URL has no schema ctgov, or its role may not use it")
		}
		if string(ours.Rows[0][0]) == "t" {
			row, err := s.run("SELECT day, revision, rows FROM ctgov._biofact")
			if err != nil || len(row.Rows) != 1 {
				return errors.Join(err, errNotLoaded(row))
			}
			l.Day, l.Revision = string(row.Rows[0][0]), string(row.Rows[0][1])
			return json.Unmarshal(row.Rows[0][2], &l.Rows)
		}
		l.Day = "unknown"
		l.Notices = []string{"the schema ctgov was not loaded by Biofact, so that the day of its data is not known"}
		counts, err := s.run("SELECT relname, greatest(reltuples, 0)::bigint FROM pg_class " +
			"WHERE relnamespace = 'ctgov'::regnamespace AND relkind = 'r'")
		for _, row := range counts.Rows {
			var n int64
			_, _ = fmt.Sscan(string(row[1]), &n) // an estimate of the server
			l.Rows[string(row[0])] = n
		}
		return err
	})
	return l, err
}

func errNotLoaded(r *pgconn.Result) error {
	if len(r.Rows) == 1 {
		return nil
	}
	return unavailable("the tables of the PostgreSQL server are not complete")
}

// loadFirst is the next step where the tables are not there.
const loadFirst = "Ask the operator to load the tables (biofact mirror export --format postgres --output DIR, then psql -f load.sql " +
	"there), and to check BIOFACT_SQL_URL."

func unavailable(message string) error {
	return &Problem{Kind: Unavailable, Message: message, Next: loadFirst}
}

// explain returns the problem of an error of the server, in its own words.
func explain(err error, limit time.Duration) error {
	if problem, ok := errors.AsType[*Problem](err); ok {
		return problem
	}
	answer, ok := errors.AsType[*pgconn.PgError](err)
	if !ok {
		return unavailable("the connection to the PostgreSQL server failed")
	}
	const canceled, noRight = "57014", "42501"
	switch class := answer.Code[:min(2, len(answer.Code))]; {
	case answer.Code == canceled:
		return stopped(limit)
	case answer.Code == noRight:
		return &Problem{Kind: Refused, Message: "the role may not do that", Next: "Read the tables of the schema ctgov."}
	case class == "25":
		return &Problem{Kind: Refused, Message: oneLine(answer.Message), Next: "Send one query that only reads."}
	case class == "08" || class == "28" || class == "57" || class == "58" || class == "XX":
		return unavailable("the PostgreSQL server failed or stopped")
	case class == "53":
		return tooLarge
	}
	p := &Problem{Kind: Wrong, Message: oneLine(answer.Message), Next: oneLine(answer.Hint)}
	if p.Next == "" {
		p.Next = "Correct the query, which is in PostgreSQL's SQL."
	}
	return p
}

func oneLine(text string) string { return strings.Join(strings.Fields(entity.Clean(text)), " ") }
