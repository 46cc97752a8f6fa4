package database_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/aact"
	"github.com/biofact-mcp/biofact/internal/aact/engine"
	"github.com/biofact-mcp/biofact/internal/aact/further"
	"github.com/biofact-mcp/biofact/internal/aact/store"
	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/database"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mirror"
)

func TestMain(m *testing.M) { expect.Main(m) }

// needsDuckDB skips a test where the second program is missing.
func needsDuckDB(t *testing.T) {
	t.Helper()
	if _, err := engine.Find(); err != nil {
		t.Skip("biofact-sql is not in PATH: make sql builds it and runs this test")
	}
}

// synced returns the path of a mirror with the records of a sandbox.
func synced(t *testing.T, sandbox string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mirror.db")
	cfg, err := config.Read([]string{"BIOFACT_CACHE_DIR=off", "MCP_LOG_LEVEL=error", "BIOFACT_MIRROR_PATH=" + path})
	expect.NoError(t, err)
	cfg.Sandbox = sandbox
	sync, done, err := app.MirrorSync(t.Context(), cfg, "test")
	expect.NoError(t, err)
	_, err = sync.Run(t.Context())
	expect.NoError(t, errors.Join(err, done()))
	return path
}

// opened returns the database of a mirror.
func opened(t *testing.T, path string) *database.Database {
	t.Helper()
	needsDuckDB(t)
	d, err := database.Open(path, "", store.Options{})
	expect.NoError(t, err)
	t.Cleanup(func() { expect.NoError(t, d.Close()) })
	return d
}

func query(sql string) engine.Query {
	return engine.Query{SQL: sql, Rows: 50_000, Bytes: 12 << 20, Time: 20 * time.Second}
}

// answer returns the rows of a query in JSON, or the problem.
func answer(t *testing.T, d *database.Database, sql string) string {
	t.Helper()
	a, err := d.Query(t.Context(), query(sql))
	if problem, ok := errors.AsType[*engine.Problem](err); ok {
		return problem.Message
	}
	expect.NoErrorf(t, err, "%s", sql)
	text, err := json.Marshal(a.Rows)
	expect.NoError(t, err)
	return string(text)
}

// rowsOf returns the rows of all records in JSON, by table.
func rowsOf(t *testing.T, path string) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	reader := mirror.NewReader(path)
	defer reader.Close()
	expect.NoError(t, database.Records(reader)(t.Context(), func(records store.Records) error {
		var ids []int64
		for _, v := range records.Versions() {
			ids = append(ids, v.ID)
		}
		return records.ForEach(t.Context(), ids, func(_ int64, record map[string]any) error {
			rows, err := further.Of(record)
			for i, table := range aact.All() {
				for _, row := range rows[i] {
					text, err := entity.JSON(row)
					expect.NoError(t, err)
					all[table.Name] = append(all[table.Name], string(text))
				}
			}
			return err
		})
	}))
	return all
}

// normal returns a row with its numbers in one form: a column of PostgreSQL may have 33.470970, and has no -0.
func normal(t *testing.T, row string) string {
	t.Helper()
	var values []any
	expect.NoErrorf(t, json.Unmarshal([]byte(row), &values), "%s", row)
	for i, v := range values {
		if v == 0.0 {
			values[i] = 0.0
		}
	}
	text, err := json.Marshal(values)
	expect.NoError(t, err)
	return string(text)
}

// compareTables compares the rows of each table with those that the rules make.
func compareTables(t *testing.T, d *database.Database, want map[string][]string) {
	t.Helper()
	facts, err := d.Facts(t.Context())
	expect.NoError(t, err)
	for _, table := range aact.All() {
		a, err := d.Query(t.Context(), query("SELECT * FROM ctgov."+table.Name))
		expect.NoErrorf(t, err, "%s", table.Name)
		got := make([]string, len(a.Rows))
		for i, row := range a.Rows {
			got[i] = normal(t, string(row))
		}
		slices.Sort(got)
		var sorted []string
		for _, row := range want[table.Name] {
			sorted = append(sorted, normal(t, row))
		}
		slices.Sort(sorted)
		expect.That(t, slices.Equal(sorted, got), "%s (-want +got):\n%s", table.Name, cmp.Diff(sorted, got))
		expect.Equal(t, "rows of "+table.Name, int64(len(sorted)), facts.Rows[table.Name])
	}
}

// TestTables: DuckDB finds the rows that the rules make.
func TestTables(t *testing.T) {
	t.Parallel()
	path := synced(t, config.SandboxEmbedded)
	compareTables(t, opened(t, path), rowsOf(t, path))
}

// lines returns the lines of a file of cases: a query, " => ", and its answer. An answer that ends with … is the beginning.
func lines(t *testing.T, path string) (cases [][2]string) {
	t.Helper()
	for line := range strings.Lines(string(expect.Read(t, path))) {
		if sql, want, ok := strings.Cut(strings.TrimSpace(line), " => "); ok {
			cases = append(cases, [2]string{sql, want})
		}
	}
	return cases
}

// TestStatements: DuckDB answers as PostgreSQL where the file says so, and in words where it does not read the query.
func TestStatements(t *testing.T) {
	t.Parallel()
	d := opened(t, synced(t, config.SandboxEmbedded))
	for _, c := range lines(t, "testdata/statements.txt") {
		got := answer(t, d, c[0])
		begin, isBegin := strings.CutSuffix(c[1], "…")
		expect.That(t, got == c[1] || isBegin && strings.HasPrefix(got, begin), "%s\n got  %s\n want %s", c[0], got, c[1])
	}
}

// TestEvidenceQueries runs the published queries of strangers as they are, over the embedded records.
func TestEvidenceQueries(t *testing.T) {
	t.Parallel()
	path := expect.Corpus(t, "aact/queries.jsonl", "the queries are those of strangers")
	d := opened(t, synced(t, config.SandboxEmbedded))
	runPublished(t, d, path)
}

func runPublished(t *testing.T, d *database.Database, path string) {
	t.Helper()
	answered, all := 0, expect.Lines(t, path)
	for _, line := range all {
		var q struct{ Name, SQL, Compare string }
		expect.NoError(t, json.Unmarshal(line, &q))
		a, err := d.Query(t.Context(), query(q.SQL))
		if err == nil && (a.RowCount > 0 || strings.HasPrefix(q.Compare, "legacy")) {
			answered++
			continue
		}
		t.Errorf("%s: %+v, %v", q.Name, a, err)
	}
	name, err := d.Name(t.Context())
	t.Logf("| published queries of AACT, %s | %d | %d answered | %v", name, len(all), answered, err)
}

// TestBounds: rows, bytes and values are cut with a notice.
func TestBounds(t *testing.T) {
	t.Parallel()
	d := opened(t, synced(t, config.SandboxEmbedded))
	for statement, q := range map[string]engine.Query{
		"SELECT nct_id FROM studies":      {Rows: 2, Bytes: 10_000},
		"SELECT brief_title FROM studies": {Rows: 100, Bytes: 300},
		"SELECT repeat('é', 50) LIMIT 1":  {Rows: 100, Bytes: 300, Value: 40},
	} {
		q.SQL, q.Time = statement, time.Minute
		a, err := d.Query(t.Context(), q)
		expect.NoError(t, err)
		expect.That(t, len(a.Notices) == 1 && a.RowCount == len(a.Rows) && a.RowCount <= q.Rows && a.DataVersion != "" &&
			len(a.Types) == 1, "%s: %+v", statement, a)
	}
}

// TestOthers: queries without end neither stop another one for ever, nor outlive the call that sent them.
func TestOthers(t *testing.T) {
	t.Parallel()
	d := opened(t, synced(t, config.SandboxEmbedded))
	expect.Equal(t, "before", "[[150]]", answer(t, d, "SELECT count(*) FROM studies"))
	ctx, cancel := context.WithCancel(t.Context())
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			_, err := d.Query(ctx, query("SELECT count(*) FROM range(1000000000000) a, range(1000000) b"))
			problem, busy := errors.AsType[*engine.Problem](err)
			expect.That(t, errors.Is(err, context.Canceled) || busy && problem.Kind == engine.Busy, "%v", err)
		})
	}
	timer := time.AfterFunc(time.Second, cancel)
	defer timer.Stop()
	group.Wait()
	expect.Equal(t, "after", "[[150]]", answer(t, d, "SELECT count(*) FROM studies"))
}

// TestServed: answers and refusals of the two tools, with and without a mirror.
func TestServed(t *testing.T) {
	t.Parallel()
	missing, err := database.Serve(filepath.Join(t.TempDir(), "mirror.db"), "")
	expect.NoError(t, err)
	defer missing.Close()
	for _, d := range []*database.Database{missing, nil} {
		without := database.NewTools(d, 100_000, time.Second)
		_, err := without.QueryRegistry(t.Context(), tools.QueryRegistryArgs{Sql: "SELECT 1", Limit: 5})
		_, err2 := without.DescribeRegistry(t.Context(), tools.DescribeRegistryArgs{})
		for _, err := range []error{err, err2} {
			problem := entity.AsError(err)
			expect.That(t, problem.Code == entity.UpstreamError && strings.Contains(problem.Hint, "biofact mirror sync"), "%+v", problem)
		}
	}
	d, err := database.Serve(synced(t, config.SandboxEmbedded), "")
	expect.NoError(t, err)
	defer d.Close()
	served := database.NewTools(d, 100_000, 5*time.Second)
	_, findErr := engine.Find()
	list, err := served.DescribeRegistry(t.Context(), tools.DescribeRegistryArgs{})
	expect.That(t, err == nil && len(list.Value.Tables) == 53 && (len(list.Value.Examples) == 3) == (findErr == nil), "%v, %v",
		list.Value, err)
	_, err = served.DescribeRegistry(t.Context(), tools.DescribeRegistryArgs{Tables: []string{"design"}})
	expect.That(t, strings.Contains(entity.AsError(err).Hint, "Did you mean designs?"), "%v", err)
	answer, err := served.QueryRegistry(t.Context(), tools.QueryRegistryArgs{Limit: 5,
		Sql: "SELECT has_dmc, count(*), 1.50 AS x, NULL AS y, 'Ä<' AS z FROM studies GROUP BY 1 ORDER BY 2 DESC LIMIT 1"})
	if findErr != nil {
		problem := entity.AsError(err)
		expect.That(t, problem.Code == entity.UpstreamError && strings.Contains(problem.Hint, "BIOFACT_SQL_URL"), "%+v", problem)
		return
	}
	expect.NoError(t, err)
	expect.That(t, strings.HasPrefix(answer.Value.Engine, "DuckDB ") && slices.Equal(answer.Value.Columns,
		[]string{"has_dmc", "count_star()", "x", "y", "z"}) && answer.Value.Types[1] == "BIGINT" && answer.Value.DataVersion != "", "%+v", answer)
	describe(t, served)
}

// describe checks the description of a table: types, shares, values with their shares.
func describe(t *testing.T, served *database.Tools) {
	t.Helper()
	some, err := served.DescribeRegistry(t.Context(), tools.DescribeRegistryArgs{Tables: []string{"ctgov.Designs", "biofact_limits"}})
	expect.NoError(t, err)
	allocation := some.Value.Tables[0].Columns[2]
	expect.That(t, some.Value.Tables[0].Columns[0].Type == "bigint" && allocation.Name == "allocation" && *allocation.Share > 50 &&
		allocation.Values[0].Value == "RANDOMIZED" && allocation.Values[0].Share > 50, "%+v", allocation)
	what := some.Value.Tables[1].Columns[1]
	age := func(v entity.RegistryValue) bool { return v.Value == "age" }
	expect.That(t, what.Name == "what" && slices.ContainsFunc(what.Values, age), "%+v", what)
	for _, example := range some.Value.Examples {
		_, err := served.QueryRegistry(t.Context(), tools.QueryRegistryArgs{Sql: example, Limit: 5})
		expect.NoErrorf(t, err, "the example %s", example)
	}
}

// TestHostile sends hostile queries. None writes, reads or makes a file, passes a bound, or stops the good query after it.
func TestHostile(t *testing.T) {
	path := synced(t, config.SandboxEmbedded)
	d := opened(t, path)
	expect.Equal(t, "before", "[[150]]", answer(t, d, "SELECT count(*) FROM studies"))
	served := database.NewTools(d, 100_000, time.Second)
	before := files(t, filepath.Dir(path))
	all, part := hostileStatements(t), 4
	if os.Getenv("BIOFACT_HOSTILE") != "" {
		part = 1
	}
	longest := time.Duration(0)
	for i, statement := range all {
		if i%part > 0 {
			continue
		}
		began := time.Now()
		rows, err := served.QueryRegistry(t.Context(), tools.QueryRegistryArgs{Sql: statement, Limit: 5})
		took := time.Since(began)
		longest = max(longest, took)
		expect.That(t, took < 10*time.Second, "%.200q took %s", statement, took)
		expect.That(t, err != nil || rows.Value.RowCount <= 5, "%.200q has %d rows", statement, rows.Value.RowCount)
		if err == nil {
			continue
		}
		problem, ok := errors.AsType[*entity.Error](err)
		expect.Must(t, ok && problem.Code == entity.InvalidInput, "%.200q: %v", statement, err)
		text := problem.Message + problem.Hint
		expect.That(t, problem.Hint != "" && !strings.Contains(text, filepath.Dir(path)) && !strings.Contains(text, "LINE 1") &&
			!strings.Contains(text, "INSTALL"), "%.200q: %s", statement, text)
	}
	expect.Equal(t, "after", "[[150]]", answer(t, d, "SELECT count(*) FROM studies"))
	expect.Equal(t, "the folder", before, files(t, filepath.Dir(path)))
	t.Logf("%d hostile queries, each %d. was sent; the longest took %s", len(all), part, longest)
}

// files lists the files below a folder with their sizes and times, without those that SQLite shares between readers of the mirror.
func files(t *testing.T, folder string) (all []string) {
	t.Helper()
	expect.NoError(t, filepath.Walk(folder, func(path string, info os.FileInfo, err error) error {
		if err == nil && !strings.Contains(path, "mirror.db-") && !info.IsDir() {
			all = append(all, path+" "+info.ModTime().String()+" "+info.Mode().String())
		}
		return err
	}))
	return all
}

// hostileStatements returns those of the file, and nested ones.
func hostileStatements(t *testing.T) (all []string) {
	t.Helper()
	for line := range strings.Lines(string(expect.Read(t, "testdata/hostile.txt"))) {
		all = append(all, strings.NewReplacer(`\0`, "\x00", `\n`, "\n").Replace(strings.TrimSuffix(line, "\n")))
	}
	for _, nest := range []struct {
		begin, inner, end string
		levels            []int
	}{
		{"SELECT 1", " < ANY(ARRAY[true,false])", "", []int{60, 1000}},
		{"SELECT ", "(", "1", []int{3000}}, {"SELECT ", "NOT ", "TRUE", []int{400, 12_000}}, {"SELECT ", "abs(", "1", []int{200}},
		{"SELECT 1", " UNION ALL SELECT 1", "", []int{400, 3000}}, {"SELECT 1", " + 1", "", []int{400, 12_000}},
		{"SELECT count(*) FROM studies s", ", studies", "", []int{5, 400}},
		{"SELECT 1 FROM studies s", " JOIN studies USING (nct_id)", "", []int{60, 1500}},
		{"SELECT 1", ", sum(1) OVER (ORDER BY nct_id)", " FROM studies", []int{140}},
		{"SELECT ", "CASE WHEN TRUE THEN ", "1", []int{100, 1000}},
		{"/*", "/*", "", []int{1000}}, {"SELECT 1", ", 1", "", []int{10_000}}, {"", "SELECT ", "", []int{9000}},
	} {
		for _, n := range nest.levels {
			all = append(all, nest.begin+strings.Repeat(nest.inner, n)+nest.end)
		}
	}
	doubled, cases := "SELECT 1 AS a0", "true"
	for i := range 30 {
		doubled += ", a" + string(rune('0'+i/10)) + " + 1"
		if i < 20 {
			cases = "CASE " + cases + " WHEN true THEN 1 = 1 ELSE 2 = 1 END"
		}
	}
	series := "SELECT 1 AS a"
	for range 20 {
		series = "SELECT * FROM generate_series(1, (SELECT max(a) + 1000000 FROM (" + series + ") s)) t(a)"
	}
	with := "WITH a0 AS (SELECT * FROM facilities)"
	for i := 1; i < 20; i++ {
		with += strings.NewReplacer("#", letter(i), "@", letter(i-1)).Replace(", a# AS (SELECT x.* FROM a@ x, a@ y)")
	}
	with = strings.Replace(with, "a0", letter(0), 1)
	return append(all, doubled, "SELECT "+cases, series, with+" SELECT count(*) FROM a"+letter(19), "SELECT "+strings.Repeat("x", 70_000))
}

func letter(i int) string { return string(rune('a' + i)) }
