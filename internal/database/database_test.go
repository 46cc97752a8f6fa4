package database_test

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/database"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/tables/desk"
	"github.com/biofact-mcp/biofact/internal/tables/runner"
)

// TestMain lets the program of the tests run the statements, as biofact does.
func TestMain(m *testing.M) {
	runner.Main()
	expect.Main(m)
}

// sync fills a mirror with the records of the sandbox.
func sync(t *testing.T, path string) {
	t.Helper()
	cfg, err := config.Read([]string{"BIOFACT_CACHE_DIR=off", "MCP_LOG_LEVEL=error", "BIOFACT_MIRROR_PATH=" + path})
	expect.NoError(t, err)
	cfg.Sandbox = config.SandboxEmbedded
	sync, done, err := app.MirrorSync(t.Context(), cfg, "test")
	expect.NoError(t, err)
	_, err = sync.Run(t.Context())
	expect.NoError(t, errors.Join(err, done()))
}

// TestTools: answers and refusals of the two tools, with and without a mirror.
func TestTools(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "mirror.db")
	d := desk.New(path)
	defer d.Close()
	served := database.New(d, 100_000, 5*time.Second)
	query := func(statement string) (entity.Answer[entity.RegistryRows], error) {
		return served.QueryRegistry(t.Context(), tools.QueryRegistryArgs{Sql: statement, MaxRows: 5})
	}
	for _, without := range []*database.Database{served, database.New(nil, 100_000, time.Second)} {
		_, err := without.QueryRegistry(t.Context(), tools.QueryRegistryArgs{Sql: "SELECT 1", MaxRows: 5})
		_, err2 := without.DescribeRegistry(t.Context(), tools.DescribeRegistryArgs{})
		for _, err := range []error{err, err2} {
			problem := entity.AsError(err)
			expect.That(t, problem.Code == entity.UpstreamError && strings.Contains(problem.Hint, "biofact mirror sync"), "%+v", problem)
		}
	}
	sync(t, path)

	answer, err := query("SELECT has_dmc, count(*), 1.50 AS x, NULL AS y, 'Ä<' FROM studies " +
		"WHERE overall_status <> 'Recruiting' GROUP BY 1 ORDER BY 2 DESC LIMIT 1")
	expect.NoError(t, err)
	text, err := entity.JSON(answer)
	expect.NoError(t, err)
	expect.Equal(t, "answer", `{"columns":["has_dmc","count","x","y","?column?"],"rows":[[null,146,1.5,null,"Ä<"]],"row_count":1,"truncated":false,`+
		`"data_version":"2026-08-05","notices":["'Recruiting' is written 'RECRUITING' since 2024"]}`, string(text))
	all, err := query("SELECT nct_id FROM studies")
	expect.That(t, err == nil && all.Value.RowCount == 5 && all.Value.Truncated && len(all.Notices) == 1, "%+v, %v", all, err)
	for _, hostile := range []string{"DROP TABLE studies", "SELECT 1; SELECT 2", "SELECT * FROM sqlite_schema", "ATTACH 'x' AS y", "SELECT 'a\x00'",
		"SELECT count(*) FROM facilities a, facilities b, facilities c", strings.Repeat("SELECT ", 5000)} {
		_, err := query(hostile)
		problem := entity.AsError(err)
		_, call, ok := strings.Cut(problem.Hint, "query_registry with ")
		var args struct{ SQL string }
		expect.That(t, ok && problem.Code == entity.InvalidInput && len(problem.Input) < 300, "%s: %+v", hostile, problem)
		expect.NoError(t, json.Unmarshal([]byte(strings.TrimSuffix(call, ".")), &args))
		_, err = query(args.SQL)
		expect.NoErrorf(t, err, "the hint %s", args.SQL)
	}
	list, err := served.DescribeRegistry(t.Context(), tools.DescribeRegistryArgs{})
	expect.That(t, err == nil && len(list.Value.Tables) == 53 && len(list.Value.Usage) == 6, "%v, %v", list.Value, err)
	some, err := served.DescribeRegistry(t.Context(), tools.DescribeRegistryArgs{Tables: []string{"designs"}})
	expect.That(t, err == nil && len(some.Value.Tables[0].Columns) > 10 && some.Value.Usage == nil, "%v, %v", some.Value, err)
	_, err = served.DescribeRegistry(t.Context(), tools.DescribeRegistryArgs{Tables: []string{"design"}})
	expect.That(t, strings.Contains(entity.AsError(err).Hint, "designs"), "%v", err)
}
