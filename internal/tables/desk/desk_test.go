package desk_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mirror"
	"github.com/biofact-mcp/biofact/internal/tables"
	"github.com/biofact-mcp/biofact/internal/tables/desk"
	"github.com/biofact-mcp/biofact/internal/tables/dialect"
	"github.com/biofact-mcp/biofact/internal/tables/file"
	"github.com/biofact-mcp/biofact/internal/tables/further"
	"github.com/biofact-mcp/biofact/internal/tables/runner"
)

// TestMain lets the program of the tests run the statements, as biofact does.
func TestMain(m *testing.M) {
	runner.Main()
	expect.Main(m)
}

// open returns a desk of a mirror of the sandbox, with its tables.
func open(t *testing.T) *desk.Desk {
	t.Helper()
	return openWith(t, config.SandboxEmbedded)
}

// openWith returns a desk of a mirror of a sandbox.
func openWith(t *testing.T, sandbox string) *desk.Desk {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mirror.db")
	cfg, err := config.Read([]string{"BIOFACT_CACHE_DIR=off", "MCP_LOG_LEVEL=error", "BIOFACT_MIRROR_PATH=" + path})
	expect.NoError(t, err)
	cfg.Sandbox = sandbox
	sync, done, err := app.MirrorSync(t.Context(), cfg, "test")
	expect.NoError(t, err)
	_, err = sync.Run(t.Context())
	expect.NoError(t, errors.Join(err, done()))
	d := desk.New(path)
	t.Cleanup(func() { _ = d.Close() })
	_, err = d.Current(t.Context())
	expect.NoError(t, err)
	return d
}

var bounds = runner.Bounds{Rows: 100, Bytes: runner.MaxBytes, Time: 20 * time.Second}

// answer returns the rows of a statement in JSON, or the problem.
func answer(t *testing.T, d *desk.Desk, statement string) string {
	t.Helper()
	a, err := d.Query(t.Context(), statement, bounds)
	if err != nil {
		problem, ok := errors.AsType[*dialect.Problem](err)
		expect.That(t, ok, "%s: %v", statement, err)
		if !ok {
			return err.Error()
		}
		return problem.Message + " → " + problem.Next
	}
	text, err := json.Marshal(a.Rows)
	expect.NoError(t, err)
	return string(text)
}

// TestDialect: PostgreSQL's answers, or a refusal in words. A text before … is the beginning.
func TestDialect(t *testing.T) {
	t.Parallel()
	d := open(t)
	for line := range strings.Lines(string(expect.Read(t, "testdata/dialect.txt"))) {
		statement, want, ok := strings.Cut(strings.TrimSpace(line), " => ")
		if !ok {
			continue
		}
		got := answer(t, d, statement)
		begin, isBegin := strings.CutSuffix(want, "…")
		expect.That(t, got == want || isBegin && strings.HasPrefix(got, begin), "%s\n got  %s\n want %s", statement, got, want)
	}
}

// TestLimitsQuery: the bounds of a measure in some trials are one query.
func TestLimitsQuery(t *testing.T) {
	t.Parallel()
	var lines string
	for i, trial := range [][3]string{
		{"PHASE3", "Heart Failure", "* LVEF \\\\> 40 %\\n* Age 18 or older"}, {"PHASE3", "Chronic heart failure", "* Ejection fraction of more than 40%"},
		{"PHASE3", "Heart Failure", "* LVEF \u2264 35 %"}, {"PHASE2", "Heart Failure", "* LVEF \u2264 30 %"}, {"PHASE3", "Asthma", "* LVEF \u2265 50 %"},
	} {
		lines += fmt.Sprintf(`{"protocolSection":{"identificationModule":{"nctId":"NCT0000000%d","briefTitle":"x"},"statusModule":`+
			`{"overallStatus":"COMPLETED"},`+
			`"designModule":{"studyType":"INTERVENTIONAL","phases":["%s"]},"conditionsModule":{"conditions":["%s"]},`+
			`"eligibilityModule":{"eligibilityCriteria":"Inclusion Criteria:\n\n%s\n\nExclusion Criteria:\n\n* Asthma"}}}`+"\n", i+1, trial[0], trial[1], trial[2])
	}
	records := filepath.Join(t.TempDir(), "records.jsonl")
	expect.NoError(t, os.WriteFile(records, []byte(lines), 0o600))
	want := `[["inclusion",40,false,null,null,"%",2],["inclusion",null,null,35,true,"%",1]]`
	expect.Equal(t, "bounds", want, answer(t, openWith(t, records),
		"SELECT list, low, low_inclusive, high, high_inclusive, unit, count(DISTINCT nct_id) AS trials "+
			"FROM biofact_limits JOIN studies USING (nct_id) WHERE what = 'lvef' AND phase LIKE '%PHASE3%' "+
			"AND nct_id IN (SELECT nct_id FROM conditions WHERE name ILIKE '%heart failure%') "+
			"GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY trials DESC"))
}

// TestOthers: statements without end neither hold up another one, nor outlive the call that sent them.
func TestOthers(t *testing.T) {
	t.Parallel()
	d := open(t)
	const endless = "SELECT count(*) FROM studies a, studies b, studies c, studies d, studies e"
	ctx, cancel := context.WithCancel(t.Context())
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			_, err := d.Query(ctx, endless, runner.Bounds{Rows: 1, Bytes: 1000, Time: time.Minute})
			expect.That(t, errors.Is(err, context.Canceled), "%v", err)
		})
	}
	expect.Equal(t, "beside them", "[[150]]", answer(t, d, "SELECT count(*) FROM studies"))
	began := time.Now()
	cancel()
	group.Wait()
	expect.That(t, time.Since(began) < 20*time.Second, "they ended after %s", time.Since(began))
}

// TestBounds: rows, bytes and values are cut with a notice.
func TestBounds(t *testing.T) {
	t.Parallel()
	d := open(t)
	for statement, b := range map[string]runner.Bounds{
		"SELECT nct_id FROM studies":        {Rows: 2, Bytes: 10_000, Time: bounds.Time},
		"SELECT brief_title FROM studies":   {Rows: 100, Bytes: 300, Time: bounds.Time},
		"SELECT repeat('é', 50) LIMIT 1":    {Rows: 100, Bytes: 300, Characters: 40, Time: bounds.Time},
		"SELECT count(*) FROM mesh_terms":   {Rows: 100, Bytes: 300, Time: bounds.Time},
		"SELECT 1 WHERE 'Recruiting' = 'x'": {},
	} {
		if b.Rows == 0 {
			continue
		}
		a, err := d.Query(t.Context(), statement, b)
		expect.NoError(t, err)
		expect.That(t, len(a.Notices) == 1 && a.RowCount == len(a.Rows) && a.RowCount <= b.Rows && a.DataVersion != "", "%s: %+v", statement, a)
	}
}

// TestTables: the file has the rows that package tables makes, in its order, and follows the mirror.
func TestTables(t *testing.T) {
	t.Parallel()
	d := open(t)
	mirrorPath := filepath.Join(filepath.Dir(d.Path()), "mirror.db")
	want := map[string][]string{}
	reader := mirror.NewReader(mirrorPath)
	defer reader.Close()
	expect.NoError(t, reader.Records(t.Context(), func(records *mirror.Records) error {
		need, err := file.Lacks(t.Context(), d.Path(), records)
		expect.That(t, err == nil && len(need.Write)+len(need.Remove) == 0, "lacks %v: %v", need, err)
		var ids []int64
		for _, v := range records.Versions {
			ids = append(ids, v.ID)
		}
		fewer := *records // a sync that removed one trial and changed another
		fewer.Versions = append([]mirror.Version{}, records.Versions[1:]...)
		fewer.Versions[0].Hash++
		for _, state := range []*mirror.Records{&fewer, records} {
			need, err = file.Lacks(t.Context(), d.Path(), state)
			expect.NoError(t, err)
			expect.That(t, len(need.Write) <= 2 && len(need.Write)+len(need.Remove) == 2, "lacks %v", need)
			expect.NoError(t, file.Update(t.Context(), d.Path(), state, need, func(int, int) {}))
		}
		return records.ForEach(t.Context(), ids, func(_ int64, record map[string]any) error {
			rows, err := further.Of(record)
			for i, table := range tables.All() {
				for _, row := range rows[i] {
					text, err := json.Marshal(row)
					expect.NoError(t, err)
					want[table.Name] = append(want[table.Name], string(text))
				}
			}
			return err
		})
	}))
	for _, table := range tables.All() {
		order := "id"
		if table.Column("id") < 0 {
			order = "nct_id"
		}
		a, err := d.Query(t.Context(), "SELECT * FROM ctgov."+table.Name+" ORDER BY "+order,
			runner.Bounds{Rows: 5000, Bytes: runner.MaxBytes, Time: 5 * time.Second})
		expect.NoError(t, err)
		var got []string
		for _, row := range a.Rows {
			got = append(got, string(row))
		}
		unescaped := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(strings.Join(want[table.Name], "\n"))
		expect.Equal(t, table.Name, unescaped, strings.Join(got, "\n"))
	}
	described, err := d.Describe(t.Context(), []string{"ctgov.Studies", "mesh_terms"})
	expect.NoError(t, err)
	expect.That(t, len(described.Tables) == 2 && described.Tables[0].Rows == 150 && *described.Tables[0].Columns[0].Share == 100,
		"%+v", described.Tables[0])
	info, err := os.Stat(d.Path())
	expect.That(t, err == nil && info.Mode().Perm() == 0o600, "%v", info.Mode())
}

// TestEvidenceQueries runs the published queries of strangers as they are, over the embedded records. The file says what each must do.
func TestEvidenceQueries(t *testing.T) {
	t.Parallel()
	path := expect.Corpus(t, "aact/queries.jsonl", "the queries are those of strangers")
	d := open(t)
	answered, refused, noticed, all := 0, 0, 0, expect.Lines(t, path)
	for _, line := range all {
		var q struct{ Name, SQL, Compare string }
		expect.NoError(t, json.Unmarshal(line, &q))
		a, err := d.Query(t.Context(), q.SQL, bounds)
		_, isProblem := errors.AsType[*dialect.Problem](err)
		spelling, legacy := strings.CutPrefix(q.Compare, "legacy ")
		switch {
		case q.Compare == "refuse" && isProblem:
			refused++
		case err != nil:
			t.Errorf("%s: %v", q.Name, err)
		case legacy:
			expect.That(t, strings.Contains(strings.Join(a.Notices, " "), spelling), "%s: %v", q.Name, a.Notices)
			noticed++
		default:
			expect.That(t, a.RowCount > 0, "%s has no rows", q.Name)
			answered++
		}
	}
	t.Logf("| published queries of AACT | %d | %d answered, %d with the spelling of today, %d refused in words |",
		len(all), answered, noticed, refused)
}
