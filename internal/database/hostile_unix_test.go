//go:build unix

package database_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/database"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/tables/desk"
)

// The bounds of one statement in a test: its time, and that of its call; memory in bytes.
const (
	hostileTime   = time.Second
	hostileCall   = 6 * time.Second
	hostileMemory = 400 << 20
)

// TestHostile sends hostile statements to the tool, and to the command if BIOFACT_TEST_BINARY names it. None writes, reads or makes a file,
// passes a bound, or stops the good statement after it. BIOFACT_HOSTILE=1 sends all of them, which takes minutes; else a part is sent.
func TestHostile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mirror.db")
	sync(t, path)
	d := desk.New(path)
	defer d.Close()
	served, patient := database.New(d, 100_000, hostileTime), database.New(d, 100_000, time.Minute)
	_, err := d.Current(t.Context())
	expect.NoError(t, err)
	all := hostileStatements(t)
	before, part := files(t, filepath.Dir(path)), 12
	if os.Getenv("BIOFACT_HOSTILE") != "" {
		part = 1
	} else if testing.Short() {
		part = 60
	}
	sent, refused, longest := 0, 0, time.Duration(0)
	for i, statement := range all {
		if i%part > 0 {
			continue
		}
		began := time.Now()
		answer, err := served.QueryRegistry(t.Context(), tools.QueryRegistryArgs{Sql: statement, MaxRows: 5})
		took := time.Since(began)
		longest = max(longest, took)
		expect.That(t, took < hostileCall, "%.200q took %s", statement, took)
		expect.That(t, err != nil || answer.Value.RowCount <= 5, "%.200q has %d rows", statement, answer.Value.RowCount)
		if err != nil {
			refused++
			checkRefusal(t, statement, path, err)
		}
		good, err := patient.QueryRegistry(t.Context(), tools.QueryRegistryArgs{Sql: "SELECT count(*) FROM studies", MaxRows: 1})
		expect.That(t, err == nil && string(good.Value.Rows[0]) == "[150]", "after %.200q: %v", statement, err)
		if part == 1 || i%(10*part) == 0 {
			commandLine(t, statement, path)
		}
		sent++
	}
	expect.Equal(t, "the folder", before, files(t, filepath.Dir(path)))
	var used syscall.Rusage
	expect.NoError(t, syscall.Getrusage(syscall.RUSAGE_CHILDREN, &used))
	// Some systems count bytes.
	expect.That(t, used.Maxrss<<10 < hostileMemory || used.Maxrss > 1<<24, "a process took %d kB", used.Maxrss)
	t.Logf("%d of %d hostile statements: %d refused or stopped, the longest after %s, at most %d kB", sent, len(all), refused, longest,
		used.Maxrss)
}

// checkRefusal checks the words of a refusal.
func checkRefusal(t *testing.T, statement, path string, err error) {
	t.Helper()
	problem, ok := errors.AsType[*entity.Error](err)
	expect.Must(t, ok, "%.200q: %v", statement, err)
	text := problem.Message + problem.Hint
	expect.That(t, problem.Code == entity.InvalidInput && problem.Hint != "" && len(text) < 700 && !strings.Contains(text, "SQL logic") &&
		!strings.Contains(text, filepath.Dir(path)), "%.200q: %s", statement, text)
}

// commandLine sends a statement to the command.
func commandLine(t *testing.T, statement, path string) {
	t.Helper()
	binary := os.Getenv("BIOFACT_TEST_BINARY")
	if binary == "" {
		return
	}
	cmd := exec.CommandContext(t.Context(), binary, "mirror", "sql", "--max-rows", "5", "--timeout", hostileTime.String(), "-")
	cmd.Env = append(os.Environ(), "BIOFACT_CACHE_DIR=off", "BIOFACT_MIRROR_PATH="+path)
	cmd.Stdin = strings.NewReader(statement)
	began := time.Now()
	out, _ := cmd.CombinedOutput() // the exit code of a refusal is 1
	expect.That(t, cmd.ProcessState.ExitCode() <= 1 && len(out) < 100_000, "%.200q: exit code %d", statement, cmd.ProcessState.ExitCode())
	expect.That(t, time.Since(began) < hostileCall+time.Second, "%.200q took %s", statement, time.Since(began))
}

// files lists the files of a folder with their sizes and times. The files that SQLite shares between readers of the mirror are left out.
func files(t *testing.T, folder string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	expect.NoError(t, err)
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && !strings.HasPrefix(entry.Name(), "mirror.db-") {
			all = append(all, info.Name()+" "+info.ModTime().String()+" "+info.Mode().String())
		}
	}
	return all
}

// A family makes statements: % of each form is each of its values.
type family struct{ forms, values []string }

// hostileStatements returns those of the file, and those of the families.
func hostileStatements(t *testing.T) (all []string) {
	t.Helper()
	text := string(expect.Read(t, "../tables/desk/testdata/hostile.txt"))
	for line := range strings.Lines(text) {
		all = append(all, strings.NewReplacer(`\0`, "\x00", `\n`, "\n").Replace(strings.TrimSuffix(line, "\n")))
	}
	for _, f := range families() {
		for _, form := range f.forms {
			for _, value := range f.values {
				all = append(all, strings.ReplaceAll(form, "%", value))
			}
		}
	}
	for _, nest := range [][3]string{{"(", "1", ")"}, {"NOT ", "TRUE", ""}, {"- ", "1", ""}, {"abs(", "1", ")"}, {"(SELECT ", "1", ")"},
		{"CASE WHEN TRUE THEN ", "1", " END"}, {"1 + (", "1", ")"}, {"", "1", "::text"}, {"", "1", " UNION ALL SELECT 1"},
		{"", "1", " + 1"}, {"", "1", ", 1"}, {"", "1 FROM studies", ", studies"}, {"", "1 FROM (SELECT 1", ") x, (SELECT 1"},
		{"", "'a'", " || 'a'"}, {"", "1", " IN (1)"}, {"/*", "1", "*/"}, {"x.", "x", ""}, {"", "1 FROM studies s", " JOIN studies " +
			"USING (nct_id)"}} {
		for _, n := range []int{60, 120, 400, 3000, 30_000} {
			all = append(all, fmt.Sprintf("SELECT %s%s%s", strings.Repeat(nest[0], n), nest[1], strings.Repeat(nest[2], n)))
		}
	}
	return all
}

func families() []family {
	return []family{
		{strings.Split("% x|SELECT 1; % x|WITH a AS (% x) SELECT 1|(% x)|/* SELECT */ % x|SELECT * FROM (% x) a|%\x00 x|"+
			"SELECT 1 UNION % x|--\n% x|"+
			"SELECT 1 WHERE EXISTS (% x)|\ufeff% x|EXPLAIN % x|SELECT (% x)|%|SELECT 1 INTERSECT % x|VALUES (1); % x", "|"),
			strings.Fields("INSERT UPDATE DELETE CREATE DROP ALTER ATTACH DETACH VACUUM PRAGMA REINDEX ANALYZE BEGIN COMMIT SET " +
				"EXPLAIN COPY REPLACE")},
		{strings.Split("SELECT * FROM %|SELECT * FROM main.%|SELECT * FROM \"%\"|SELECT * FROM temp.% x|SELECT 1 "+
			"FROM studies JOIN % ON TRUE|"+
			"SELECT (SELECT count(*) FROM %)|WITH a AS (SELECT * FROM %) SELECT * FROM a|SELECT 1 UNION ALL SELECT 1 FROM %|"+
			"SELECT 1 WHERE EXISTS (SELECT 1 FROM %)|SELECT * FROM studies, %|SELECT %.sql FROM %|"+
			"SELECT 1 FROM studies WHERE nct_id IN (SELECT name FROM %)", "|"),
			strings.Fields("sqlite_master sqlite_schema sqlite_temp_master sqlite_sequence sqlite_stat1 dbstat " +
				"bytecode tables_used sqlite_stmt " +
				"sqlite_dbpage sqlite_dbdata fts5vocab pragma_database_list pragma_compile_options pragma_table_info " +
				"pragma_function_list " +
				"pg_catalog.pg_user pg_shadow information_schema.tables _text _study _state _rows _studies json_tree " +
				"json_each generate_series " +
				"carray completion fsdir zipfile csv")},
		{strings.Split("SELECT %('/etc/passwd')|SELECT \"%\"('/etc/passwd')|SELECT 1 FROM studies WHERE %('x') IS NOT NULL|"+
			"SELECT 1 ORDER BY %('x')|SELECT CASE WHEN %('x') THEN 1 END|SELECT max(%('x', 'y')) FROM studies|SELECT * FROM %('x')|"+
			"SELECT %() OVER () FROM studies|SELECT count(*) FILTER (WHERE %(1, 2)) FROM studies|WITH a AS (SELECT "+
			"%('x')) SELECT * FROM a", "|"),
			strings.Fields("load_extension readfile writefile edit fts3_tokenizer zeroblob randomblob printf format sqlite_version " +
				"sqlite_source_id sqlite_log sqlite_offset sqlite_compileoption_get changes last_insert_rowid " +
				"total_changes unhex likelihood " +
				"pg_sleep pg_read_file pg_ls_dir lo_import lo_export dblink current_setting set_config query_to_xml " +
				"pg_terminate_backend _like " +
				"_regexp _several shell_add_schema fts5 rtreecheck")},
		{strings.Split("SELECT count(*) FROM % a, % b, % c, % d|SELECT a.id FROM % a, % b, % c ORDER BY a.id || b.id || c.id DESC|"+
			"SELECT string_agg(a.nct_id, ',') FROM % a, % b, % c|SELECT DISTINCT a.id || '-' || b.id || '-' || c.id FROM % a, % b, % c|"+
			"SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a.id) FROM % a, % b, % c|"+
			"SELECT max(x) FROM (SELECT sum(a.id) OVER (ORDER BY b.id, c.id) AS x FROM % a, % b, % c) y|"+
			"SELECT repeat(a.nct_id, 90000) FROM % a, % b ORDER BY 1", "|"),
			strings.Fields("facilities conditions keywords outcomes result_groups")},
		{strings.Split("SELECT repeat('x', %)|SELECT lpad('x', %, 'ab')|SELECT rpad('x', %)|SELECT length(repeat(repeat('x', 1000), %))|"+
			"SELECT replace(repeat('x', 1000), 'x', repeat('y', %))|SELECT regexp_replace(repeat('x', 1000), 'x', repeat('y', %), 'g')|"+
			"SELECT repeat(brief_title, %) FROM studies|SELECT 1 LIMIT %|SELECT 1 OFFSET %|SELECT 'x' ~ 'x{1,%}'|"+
			"SELECT x FROM (VALUES (%)) AS t(x)|"+
			"SELECT % * % * %|SELECT DATE '2020-01-01' + %|SELECT left('x', %), right('x', %), substr('x', %, %)|SELECT 2 ^ %|"+
			"SELECT round(1.5, %)|"+
			"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %) SELECT count(*) FROM n|SELECT chr(%)", "|"),
			strings.Fields("0 -1 999 99999 1000001 2147483648 9223372036854775807 18446744073709551616 1e30 NULL")},
		{strings.Split("SELECT brief_title ~ '%' FROM studies|SELECT repeat('a', 90000) ~ '%'|SELECT repeat('a', 90000) SIMILAR TO '%'|"+
			"SELECT repeat('a', 9000) ILIKE '%b'|SELECT regexp_replace(repeat('a', 90000), '%', 'b', 'g')", "|"),
			strings.Fields(`(a*)*b (a|a)*b (a+)+$ ((a*)*)*b (a{1,90}){1,90} (a{90}){90} .*.*.*.*.*b [a-z]+[a-z]+[a-z]+1 (?=a)b (a)\1 [ ( * \ %%%%%%%%%%`)},
		{strings.Split("SELECT '%'|SELECT 1 %|SELECT % 1|SELECT \"%\"|% SELECT 1|SELECT 1 AS %|SELECT * FROM %|SELECT 1 -- %|"+
			"SELECT 1 /* %", "|"),
			[]string{"'", `"`, "\x00", "\x01", "\x7f", "\xff", "\xc3\x28", "\u202e", "\u0430", "ß", "`", "$$", "$1", "?", ":x", "@x", `\`, ";", ";;",
				`E'\`, `U&'\`, "x'00'", "*/", "/*", "--", "''", "[", "{", "#", "~", "!", "\u00a0"}},
	}
}
