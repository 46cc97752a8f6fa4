package database_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/aact/engine"
	"github.com/biofact-mcp/biofact/internal/aact/store"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/database"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestMaking: a first call while the tables are made answers with the seconds to wait, and the making continues.
func TestMaking(t *testing.T) {
	t.Parallel()
	path := synced(t, config.SandboxEmbedded)
	folder := store.Path(path)
	expect.NoError(t, os.Mkdir(folder, 0o700))
	other := flock.New(filepath.Join(folder, "lock"))
	locked, err := other.TryLock()
	expect.Must(t, err == nil && locked, "%v", err)
	d, err := database.Serve(path, "")
	expect.NoError(t, err)
	defer d.Close()
	database.NoWait(d)
	served := database.NewTools(d, 100_000, 5*time.Second)
	_, queryErr := served.QueryRegistry(t.Context(), tools.QueryRegistryArgs{Sql: "SELECT 1", Limit: 5})
	_, describeErr := served.DescribeRegistry(t.Context(), tools.DescribeRegistryArgs{})
	for _, err := range []error{queryErr, describeErr} {
		problem := entity.AsError(err)
		seconds := 0
		_, scanErr := fmt.Sscanf(problem.Hint, "Make the same call again in %d s.", &seconds)
		expect.That(t, problem.Code == entity.RateLimited && scanErr == nil && seconds >= 5 && problem.Next != nil, "%+v", problem)
	}
	expect.NoError(t, other.Unlock())
	waiting, err := database.Serve(path, "")
	expect.NoError(t, err)
	defer waiting.Close()
	facts, err := waiting.Facts(t.Context())
	expect.That(t, err == nil && facts.Trials == 150, "%+v, %v", facts, err)
}

// TestClosed: a query reaches no other file, no network, no setting, no extension and no key of the environment.
func TestClosed(t *testing.T) {
	path := synced(t, config.SandboxEmbedded)
	t.Setenv("NCBI_API_KEY", "secret-of-the-operator")
	d := opened(t, path)
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests++ }))
	defer server.Close()
	secret := filepath.Join(t.TempDir(), "secret.csv")
	expect.NoError(t, os.WriteFile(secret, []byte("secret\n"), 0o600))
	for setting, want := range map[string]string{
		"enable_external_access": "false", "lock_configuration": "true", "autoinstall_known_extensions": "false",
		"autoload_known_extensions": "false", "allow_community_extensions": "false", "temp_directory": "",
	} {
		expect.Is(t, answer(t, d, "SELECT value FROM duckdb_settings() WHERE name = '"+setting+"'"), `[["`+want+`"]]`, "%s", setting)
	}
	for _, statement := range []string{
		"SELECT * FROM read_text('" + secret + "')", "SELECT * FROM '" + secret + "'", "SELECT * FROM read_text('/proc/self/environ')",
		"SELECT * FROM glob('/*')", "SELECT * FROM read_csv('" + server.URL + "/a.csv')", "SELECT getenv('NCBI_API_KEY')",
		"SET threads = 8", "LOAD httpfs", "INSTALL httpfs", "ATTACH '" + secret + "' AS x", "COPY (SELECT 1) TO '" + secret + "'",
		"SELECT * FROM read_text('../mirror.db')", "SELECT * FROM duckdb_extensions()",
	} {
		_, err := d.Query(t.Context(), query(statement))
		_, refused := errors.AsType[*engine.Problem](err)
		expect.That(t, refused && !strings.Contains(err.Error(), "secret-of"), "%s: %v", statement, err)
	}
	expect.That(t, requests == 0 && string(expect.Read(t, secret)) == "secret\n", "%d requests", requests)
}

// TestAlone: the program runs nothing for a person, and nothing without the bounds of the protocol.
func TestAlone(t *testing.T) {
	t.Parallel()
	needsDuckDB(t)
	program, err := engine.Find()
	expect.NoError(t, err)
	for _, test := range []struct{ args, input, want string }{
		{"-c", "", "use biofact mirror sql"}, {"", "SELECT 1", "want a request of version 1"},
		{"", `{"v":2,"sql":"SELECT 1"}`, "want a request of version 1"}, {"", `{"v":1,"sql":"SELECT 1"}`, "a bound is missing"},
		{"", "", "want a request of version 1"},
	} {
		cmd := exec.CommandContext(t.Context(), program, strings.Fields(test.args)...)
		cmd.Stdin, cmd.Dir = strings.NewReader(test.input), t.TempDir()
		out, _ := cmd.CombinedOutput() // the text says what happened
		expect.That(t, strings.Contains(string(out), test.want) && !strings.Contains(string(out), `"done"`), "%+v: %s", test, out)
	}
}

// TestKilledQueries: a program that is killed at any moment of a query is an error in words, and the next query is answered.
func TestKilledQueries(t *testing.T) {
	d := opened(t, synced(t, config.SandboxEmbedded))
	expect.Is(t, answer(t, d, "SELECT count(*) FROM studies"), "[[150]]", "before")
	killed := 0
	for i := range 50 {
		timer := time.AfterFunc(time.Duration(i*8)*time.Millisecond, func() { killed += killChildren(t) })
		_, err := d.Query(t.Context(), query("SELECT count(*) FROM studies a, studies b, studies c WHERE a.nct_id || b.nct_id < c.nct_id"))
		timer.Stop()
		_, known := errors.AsType[*engine.Problem](err)
		expect.That(t, err == nil || known, "%v", err)
		if i%10 == 0 {
			expect.Is(t, answer(t, d, "SELECT count(*) FROM studies"), "[[150]]", "after a kill")
		}
	}
	expect.Is(t, answer(t, d, "SELECT count(*) FROM studies"), "[[150]]", "after all kills")
	t.Logf("%d programs killed", killed)
}

// killChildren kills the programs that this process has started.
func killChildren(t *testing.T) (killed int) {
	t.Helper()
	lists, err := filepath.Glob("/proc/self/task/*/children")
	expect.NoError(t, err)
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if err != nil { // the thread has ended
			continue
		}
		for _, field := range strings.Fields(string(text)) {
			pid, err := strconv.Atoi(field)
			expect.NoError(t, err)
			if child, err := os.FindProcess(pid); err == nil && child.Kill() == nil {
				killed++
			}
		}
	}
	return killed
}
