//go:build unix

package database_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/aact/engine"
	"github.com/biofact-mcp/biofact/internal/aact/export"
	"github.com/biofact-mcp/biofact/internal/aact/store"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/database"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mirror"
)

// A server is a PostgreSQL server on the loopback.
type server struct{ address string }

// url returns the address of a database for a role.
func (s server) url(role, name string) string {
	return "postgres://" + role + "@" + s.address + "/" + name
}

// program returns the path of a program of PostgreSQL, "" if it is not installed.
func program(name string) string {
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name) // the pattern is valid
	if len(found) == 0 {
		return ""
	}
	return found[len(found)-1]
}

// startPostgres starts a server in a folder of its own. PostgreSQL refuses to run as root, so that another user runs it then.
func startPostgres(t *testing.T) server {
	t.Helper()
	initdb, postgres := program("initdb"), program("postgres")
	if initdb == "" || postgres == "" || program("psql") == "" {
		t.Skip("no PostgreSQL server is here (Debian: apt-get install postgresql)")
	}
	folder, err := os.MkdirTemp("", "pg") // the path of a socket is short, and open to the other user
	expect.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	var as *syscall.SysProcAttr
	if os.Geteuid() == 0 {
		other, err := user.Lookup("postgres")
		if err != nil {
			other, err = user.Lookup("nobody")
		}
		expect.NoError(t, err)
		uid, err := strconv.Atoi(other.Uid)
		expect.NoError(t, err)
		gid, err := strconv.Atoi(other.Gid)
		expect.NoError(t, err)
		expect.NoError(t, os.Chown(folder, uid, gid))
		as = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	}
	data := filepath.Join(folder, "data")
	cmd := exec.CommandContext(t.Context(), initdb, "-D", data, "-A", "trust", "-U", "owner", "--no-sync", "-E", "UTF8")
	cmd.SysProcAttr, cmd.Dir = as, folder
	out, err := cmd.CombinedOutput()
	expect.NoErrorf(t, err, "%s", out)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	expect.NoError(t, err)
	s := server{listener.Addr().String()}
	expect.NoError(t, listener.Close())
	_, port, _ := net.SplitHostPort(s.address)
	run := exec.Command(postgres, "-D", data, "-p", port, "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="+folder,
		"-c", "fsync=off", "-c", "max_connections=30")
	run.SysProcAttr, run.Dir = as, folder
	expect.NoError(t, run.Start())
	t.Cleanup(func() {
		_ = run.Process.Signal(syscall.SIGQUIT)
		_ = run.Wait() // it was ended
	})
	for deadline := time.Now().Add(30 * time.Second); ; {
		if out, err = psql(t, s.url("owner", "postgres"), folder, "-c", "SELECT 1"); err == nil {
			return s
		}
		expect.Must(t, time.Now().Before(deadline), "the server does not answer: %s", out)
	}
}

// psql runs psql in a folder.
func psql(t *testing.T, url, folder string, args ...string) ([]byte, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program("psql"), append([]string{"-X", "-q", "-d", url}, args...)...)
	cmd.Dir = folder
	return cmd.CombinedOutput()
}

// must runs psql, which must not fail.
func must(t *testing.T, url, folder string, args ...string) string {
	t.Helper()
	out, err := psql(t, url, folder, args...)
	expect.NoErrorf(t, err, "psql %v: %s", args, out)
	return string(out)
}

// exported writes an export for PostgreSQL.
func exported(t *testing.T, path, folder string, filters ...string) export.Report {
	t.Helper()
	reader := mirror.NewReader(path)
	defer reader.Close()
	j := &export.Job{Mirror: database.Records(reader), Folder: store.Path(path), To: folder, Filters: filters, Source: "test", Version: "1"}
	r, err := j.Postgres(t.Context())
	expect.NoError(t, err)
	return r
}

// someRecords writes records of the corpus as a sandbox: a part of them, some changed.
func someRecords(t *testing.T, from, to int, changed string) string {
	t.Helper()
	var lines []string
	for _, line := range expect.Lines(t, expect.Trials("results").Paths[0])[from:to] {
		lines = append(lines, strings.Replace(string(line), `"briefTitle":"`, `"briefTitle":"`+changed, 1))
	}
	path := filepath.Join(t.TempDir(), "records.jsonl")
	expect.NoError(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600))
	return path
}

// TestPostgres: a server that loaded an export has the rows of the rules, after updates too, and gives no more than rows.
func TestPostgres(t *testing.T) {
	t.Parallel()
	s := startPostgres(t)
	folder := filepath.Join(t.TempDir(), "aact")
	must(t, s.url("owner", "postgres"), "", "-c", "CREATE DATABASE registry", "-c", "CREATE DATABASE fresh", "-c", "CREATE DATABASE mine")
	registry, fresh := s.url("owner", "registry"), s.url("owner", "fresh")
	published := expect.Corpus(t, "aact/queries.jsonl", "the queries are those of strangers")

	path := synced(t, config.SandboxEmbedded)
	exported(t, path, folder)
	must(t, registry, folder, "-f", "load.sql", "-f", "public.sql")
	d, err := database.Open("", s.url("biofact_reader", "registry"), store.Options{})
	expect.NoError(t, err)
	compareTables(t, d, rowsOf(t, path))
	runPublished(t, d, published)
	rightsOf(t, registry)
	refusals(t, s, d)

	real := len(expect.Lines(t, expect.Trials("results").Paths[0]))
	for i, records := range []string{someRecords(t, 0, min(6, real), ""), someRecords(t, 2, min(8, real), "new ")} {
		path = synced(t, records)
		report := exported(t, path, folder)
		expect.That(t, report.Updates, "export %d has no update", i)
		must(t, registry, folder, "-f", "update.sql")
		compareTables(t, d, rowsOf(t, path))
		out, err := psql(t, registry, folder, "-f", "update.sql")
		expect.That(t, err != nil && strings.Contains(string(out), "load.sql makes it whole"), "a second time: %s", out)
	}
	must(t, fresh, folder, "-f", "load.sql")
	for _, table := range []string{"studies", "reported_events", "outcome_analysis_groups", "_biofact"} {
		const all = "SELECT md5(string_agg(t::text, '' ORDER BY t::text)) FROM ctgov.%s t"
		expect.Equal(t, table, must(t, fresh, "", "-c", fmt.Sprintf(all, table)), must(t, registry, "", "-c", fmt.Sprintf(all, table)))
	}
	expect.That(t, !exported(t, path, folder, "status=recruiting").Updates, "other filters have an update")
	must(t, s.url("owner", "mine"), "", "-c", "CREATE SCHEMA ctgov", "-c", "CREATE TABLE ctgov.studies (nct_id text)")
	out, err := psql(t, s.url("owner", "mine"), folder, "-f", "load.sql")
	expect.That(t, err != nil && strings.Contains(string(out), "not loaded by Biofact"), "another schema: %s", out)
	must(t, s.url("owner", "mine"), "", "-c", "GRANT USAGE ON SCHEMA ctgov TO biofact_reader",
		"-c", "GRANT SELECT ON ctgov.studies TO biofact_reader")
	foreign, err := database.Open("", s.url("biofact_reader", "mine"), store.Options{})
	expect.NoError(t, err)
	a, err := foreign.Query(t.Context(), query("SELECT count(*) FROM studies"))
	expect.That(t, err == nil && a.DataVersion == "unknown" && len(a.Notices) == 1, "%+v, %v", a, err)
}

// rightsOf checks keys, references, indexes and the types of ids.
func rightsOf(t *testing.T, url string) {
	t.Helper()
	for query, want := range map[string]string{
		"SELECT count(*) FROM pg_constraint WHERE contype = 'p' AND connamespace = 'ctgov'::regnamespace": "51",
		"SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND connamespace = 'ctgov'::regnamespace AND " +
			"confrelid <> 'ctgov.studies'::regclass": "19",
		"SELECT count(*) FROM information_schema.columns WHERE table_schema = 'ctgov' AND column_name = 'id' AND " +
			"data_type <> 'bigint'": "0",
		"SELECT has_table_privilege('biofact_reader', 'ctgov.studies', 'INSERT, UPDATE, DELETE, TRUNCATE')": "f",
	} {
		expect.Equal(t, query, want, strings.TrimSpace(must(t, url, "", "-A", "-t", "-c", query)))
	}
}

// refusals sends what must be refused or stopped.
func refusals(t *testing.T, s server, d *database.Database) {
	t.Helper()
	for sql, want := range map[string]engine.Kind{
		"INSERT INTO studies VALUES (1)": engine.Wrong, "SELECT 1; SELECT 2": engine.Wrong,
		"SELECT 1; COMMIT; DROP TABLE studies":                        engine.Wrong,
		"WITH a AS (DELETE FROM studies RETURNING *) SELECT * FROM a": engine.Wrong, "SELECT * INTO x FROM studies": engine.Wrong,
		"COPY studies TO '/tmp/x'": engine.Wrong, "SELECT brief_titl FROM studies": engine.Wrong, "SELECT 1 FROM studis": engine.Wrong,
		"SELECT * FROM studies FOR UPDATE": engine.Refused, "SELECT pg_read_file('/etc/passwd')": engine.Refused,
		"SELECT pg_sleep(100)": engine.Time, "SELECT set_config('statement_timeout', '0', false), pg_sleep(100)": engine.Time,
		"SELECT count(*) FROM generate_series(1, 1000000000000)": engine.Time, "SELECT repeat('x', 100000000)": engine.Memory,
		"SELECT 1\x00": engine.Refused, "EXPLAIN SELECT 1": engine.Wrong, "SET ROLE owner": engine.Wrong, "": engine.Refused,
	} {
		q := query(sql)
		if want == engine.Time {
			q.Time = time.Second
		}
		began := time.Now()
		_, err := d.Run(t.Context(), q)
		problem, ok := errors.AsType[*engine.Problem](err)
		expect.That(t, ok && problem.Kind == want && problem.Next != "" && time.Since(began) < 20*time.Second, "%q: %v", sql, err)
	}
	for _, role := range []string{"owner", "nobody_else"} {
		other, err := database.Open("", s.url(role, "registry"), store.Options{})
		expect.NoError(t, err)
		_, err = other.Query(t.Context(), query("SELECT 1"))
		problem, ok := errors.AsType[*engine.Problem](err)
		expect.That(t, ok && problem.Kind == engine.Unavailable && !strings.Contains(problem.Message+problem.Next, s.address),
			"%s: %v", role, err)
	}
	a, err := d.Query(t.Context(), query("SELECT 1.50::numeric, 2::bigint ^ 60, 'NaN'::float8, ARRAY[1, NULL], DATE '2024-01-31', "+
		"'{\"a\": 1}'::json, true, 9007199254740993"))
	expect.NoError(t, err)
	text, err := json.Marshal(a.Rows)
	expect.That(t, err == nil && string(text) == `[[1.50,1.152921504606847e+18,"nan",[1,null],"2024-01-31",{"a":1},true,"9007199254740993"]]` &&
		a.Types[3] == "integer[]" && strings.HasPrefix(a.Engine, "PostgreSQL "), "%s, %+v, %v", text, a, err)
	_, err = engine.NewPostgres("postgres://user:sec%ret@host/x")
	expect.That(t, errors.Is(err, engine.ErrAddress), "%v", err)
}
