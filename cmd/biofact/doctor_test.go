package main

import (
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/cmd/biofact/internal/doctor"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

// readLog returns the content of a log file, or "" if the file does not exist.
func readLog(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	expect.Must(t, err == nil || errors.Is(err, os.ErrNotExist), "%v", err)
	return string(text)
}

// serving serves the sources with a handler, each at its own host, and returns their settings.
func serving(t *testing.T, handler http.HandlerFunc) []string {
	t.Helper()
	return sourcesAt(t, func() string {
		server := httptest.NewServer(handler)
		t.Cleanup(server.Close)
		return server.URL
	})
}

// sourcesAt returns the settings for the base URLs of all sources. Each uses the host that host returns.
func sourcesAt(t *testing.T, host func() string) []string {
	t.Helper()
	settings, err := config.Settings()
	expect.NoError(t, err)
	var environ []string
	for _, s := range settings {
		if base, err := url.Parse(s.Default); err == nil && s.Section != "" && base.Host != "" {
			environ = append(environ, s.Variable+"="+host()+base.Path)
		}
	}
	return environ
}

// asSources answers as the source whose path the request has.
func asSources(t *testing.T) http.HandlerFunc {
	t.Helper()
	records, err := sourcetest.Embedded()
	expect.NoError(t, err)
	defaults, err := config.Read(nil)
	expect.NoError(t, err)
	return func(w http.ResponseWriter, r *http.Request) {
		for _, s := range source.All() {
			if base, err := url.Parse(s.BaseURL(defaults)); err == nil && strings.HasPrefix(r.URL.Path, base.Path+"/") {
				forward(w, r, s.Sandbox(records))
				return
			}
		}
		http.NotFound(w, r)
	}
}

func page403(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	w.WriteHeader(http.StatusForbidden)
	_, _ = w.Write([]byte("<!DOCTYPE html><title>Access denied</title>"))
}

func TestDoctor(t *testing.T) {
	well := asSources(t)
	const email = "NCBI_ADMIN_EMAIL=someone@example.org"
	for name, tt := range map[string]struct {
		env  []string
		args []string
		code int
		want []string // beginnings of lines, in this order
	}{
		"all well": {append(serving(t, well), email), nil, 0, []string{
			"ok    version             biofact ",
			"ok    configuration       --cache-dir=off --contact=[hidden] --ctgov-url=http://127.0.0.1:",
			"ok    contact ", "ok    store ", "ok    tls ", "ok    proxy ",
			"ok    ctgov               answers in ", "ok    ncbi                answers in ", "ok    clock               agrees with ",
		}},
		"the sandbox": {nil, []string{"--sandbox"}, 0, []string{
			"ok    configuration       --cache-dir=off --log-level=error --sandbox\n", "ok    ctgov               answers in ",
			"ok    ncbi                answers in ", "ok    clock ",
		}},
		"a filter": {serving(t, page403), nil, 1, []string{
			"warn  contact             requests to NCBI have no e-mail address, which NCBI asks for: " +
				"set NCBI_ADMIN_EMAIL",
			"fail  ctgov               ClinicalTrials.gov, or a firewall before it, refuses this client or network; " +
				"this is not an outage (",
			"fail  ncbi                NCBI, or a firewall before it, refuses this client or network; " +
				"this is not an outage (",
		}},
		"a login page": {serving(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<html>Welcome to the hotel</html>"))
		}), nil, 1, []string{
			"fail  ctgov               ClinicalTrials.gov answered with a web page instead of data: a login page or a firewall of this " +
				"network may have answered instead: open http",
		}},
		"an outage": {serving(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "down", http.StatusServiceUnavailable) }),
			nil, 1, []string{
				"fail  ctgov               ClinicalTrials.gov answered with an error (status 503): the fault is at the source: try " +
					"again later; " +
					"its status page is https://",
				"fail  ncbi                NCBI answered with an error (status 503): the fault is at the source: ",
				"ok    clock ", // an error response also has a Date header
			}},
		"one source down": {serving(t, func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.Path, "/version") {
				http.Error(w, "down", http.StatusBadGateway)
				return
			}
			well(w, r)
		}), nil, 1, []string{"fail  ctgov               ", "ok    ncbi "}},
		"too many requests": {serving(t,
			func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "slow down", http.StatusTooManyRequests) }), nil, 1, []string{
			"fail  ctgov               ", "fail  ncbi                ",
		}},
		"nonsense": {serving(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"a":1}`)) }), nil, 1, []string{
			"fail  ctgov               no version in the answer: try again later", "fail  ncbi                ",
		}},
		"a silent source": {append(serving(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }),
			"BIOFACT_CALL_TIMEOUT=1s", "BIOFACT_TOOLSETS=trials"), nil, 1, []string{
			"fail  ctgov               ClinicalTrials.gov accepts the connection, but does not answer: the fault is at the source: ",
		}},
		"a source that hangs up": {serving(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }), nil, 1, []string{
			"fail  ctgov               ClinicalTrials.gov accepts the connection, but does not answer: the fault is at the source: ",
			"fail  ncbi ",
		}},
		"no such name": {sourcesAt(t, func() string { return "http://absent.invalid" }), nil, 3, []string{
			"fail  ctgov               ClinicalTrials.gov cannot be reached: the host name absent.invalid is not known: check the " +
				"network and the name server",
			"fail  ncbi                NCBI cannot be reached: the host name absent.invalid is not known: ",
			"warn  clock               not compared: no source sent the time",
			"No source can be reached from this machine: ",
		}},
		"one name is wrong": {append(serving(t, well), "BIOFACT_CTGOV_URL=http://absent.invalid"), nil, 1, []string{
			"fail  ctgov               ClinicalTrials.gov cannot be reached: the host name ", "ok    ncbi ", "ok    clock ",
		}},
		"nothing listens": {sourcesAt(t, func() string { return "http://user:secret@" + closedPort }), nil, 1, []string{
			"fail  ctgov               ClinicalTrials.gov: the connection is refused: check that http://127.0.0.1:",
			"fail  ncbi                NCBI: the connection is refused: ",
		}},
		"the clock is off": {serving(t, func(w http.ResponseWriter, r *http.Request) {
			well(&late{w}, r)
		}), nil, 0, []string{
			"ok    ctgov ", "warn  clock               ", ", so the age of cached answers is wrong: set the clock of this machine",
		}},
		"a bad key": {append(serving(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("api_key") != "" {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusBadRequest)
				_, _ = w.Write([]byte(`{"error":"API key invalid","api-key":"` + r.URL.Query().Get("api_key") +
					`","type":"api-key","status":"unknown"}`))
				return
			}
			well(w, r)
		}), "NCBI_API_KEY=0123456789secret"), nil, 1, []string{
			"NCBI_API_KEY=[hidden]", "ok    ctgov ",
			"fail  ncbi                NCBI refused the API key. It did not answer the question: correct NCBI_API_KEY or remove it",
		}},
		"a good key": {append(serving(t, well), "NCBI_API_KEY=0123456789secret"), nil, 0,
			[]string{"ok    ncbi                answers in ", "; the API key is good"}},
		"one toolset": {append(serving(t, well), "BIOFACT_TOOLSETS=trials"), nil, 0, []string{
			"ok    proxy ", "ok    ctgov ", "ok    clock ",
		}},
		"a broken store": {append(serving(t, well), "BIOFACT_CACHE_DIR="+brokenStore(t)), nil, 1, []string{
			"fail  store               ", "biofact.db cannot be used (",
			"each process caches answers in memory and uses a quarter of the request rate: biofact cache clear removes it, or set " +
				"BIOFACT_CACHE_DIR",
			"ok    ctgov ",
		}},
		"a broken store and no network": {append(sourcesAt(t, func() string { return "http://absent.invalid" }), "BIOFACT_CACHE_DIR="+
			brokenStore(t)), nil, 1, []string{"fail  store ", "fail  ncbi "}},
		"a store": {append(serving(t, well), "BIOFACT_CACHE_DIR="+t.TempDir()), nil, 0,
			[]string{"ok    store               ", "biofact.db can be written and locked; 0 answers, "}},
		"no Redis": {append(serving(t, well), "BIOFACT_REDIS_URL=redis://:secret@"+closedPort), nil, 1, []string{
			"fail  store               Redis cannot be used (", "start it, or correct BIOFACT_REDIS_URL",
		}},
		"a setting that is wrong": {[]string{"BIOFACT_TLS_MAX=7"}, nil, 1, []string{
			"fail  configuration       BIOFACT_TLS_MAX: must be 1.2 or 1.3, was 7: correct it; nothing else was checked",
		}},
		"a log that cannot be": {[]string{"LOGS_DIR=/dev/null/logs"}, nil, 1, []string{"fail  configuration       LOGS_DIR: "}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runBiofact(t.Context(), t, tt.env, "", append([]string{"doctor"}, tt.args...)...)
			rest := r.stdout
			for _, want := range tt.want {
				_, after, ok := strings.Cut(rest, want)
				expect.Must(t, ok, "no %q in\n%s", want, r.stdout)
				rest = after
			}
			if got := codeFor(r.err); got != tt.code {
				t.Errorf("exit code %d (%v), want %d\n%s", got, r.err, tt.code, r.stdout)
			}
			for _, secret := range []string{"secret", "someone@example.org"} {
				expect.That(t, !strings.Contains(r.stdout, secret), "shows %s:\n%s", secret, r.stdout)
			}
		})
	}
}

// TestDoctorAsksOnce checks that each source gets one request, also after an error.
func TestDoctorAsksOnce(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusServiceUnavailable, http.StatusTooManyRequests, http.StatusOK} {
		var versions, infos, others atomic.Int64
		env := serving(t, func(w http.ResponseWriter, r *http.Request) {
			switch {
			case strings.HasSuffix(r.URL.Path, "/version"):
				versions.Add(1)
			case strings.HasSuffix(r.URL.Path, "/einfo.fcgi") && r.URL.Query().Get("tool") != "" &&
				r.URL.Query().Get("email") == "a@example.org":
				infos.Add(1)
			default:
				others.Add(1)
			}
			w.WriteHeader(status)
		})
		runBiofact(t.Context(), t, append(env, "NCBI_ADMIN_EMAIL=a@example.org"), "", "doctor")
		expect.That(t, versions.Load() == 2 && infos.Load() == 1 && others.Load() == 3, // two sources have a path /version, three do not
			"status %d: %d, %d and %d requests", status, versions.Load(), infos.Load(), others.Load())
	}
}

// TestDoctorJSON checks that --json prints the same checks.
func TestDoctorJSON(t *testing.T) {
	t.Parallel()
	r := runBiofact(t.Context(), t, serving(t, page403), "", "doctor", "--json")
	var all doctor.Diagnosis
	if err := json.Unmarshal([]byte(r.stdout), &all); err != nil {
		t.Fatalf("%v\n%s", err, r.stdout)
	}
	expect.That(t, codeFor(r.err) == 1 && all.Status == doctor.Fail && !all.Offline && len(all.Checks) == 9+len(source.All()), "%v %+v",
		r.err, all)
	for _, c := range all.Checks {
		expect.That(t, slices.ContainsFunc(source.All(),
			func(s source.Source) bool { return s.Name == c.Name }) == (c.Problem == "blocked") && c.Finding != "",
			"%+v", c)
	}
	r = runBiofact(t.Context(), t, sourcesAt(t, func() string { return "http://absent.invalid" }), "", "doctor", "--json")
	if err := json.Unmarshal([]byte(r.stdout), &all); err != nil || !all.Offline || codeFor(r.err) != 3 {
		t.Errorf("%v %v %+v", err, r.err, all)
	}
}

// TestDoctorProxy checks that the proxy in use is printed without its user and password.
func TestDoctorProxy(t *testing.T) {
	t.Setenv("HTTPS_PROXY", "http://user:secret@proxy.example.org:3128")
	t.Setenv("https_proxy", "http://other.example.org")
	t.Setenv("NO_PROXY", "localhost")
	env := sourcesAt(t, func() string { return "http://absent.invalid" })
	if r := runBiofact(t.Context(), t, env, "", "doctor"); strings.Contains(r.stdout, "secret") ||
		!strings.Contains(r.stdout, "proxy               HTTPS_PROXY=http://[hidden]@proxy.example.org:3128 NO_PROXY=localhost; ") ||
		strings.Contains(r.stdout, "other.example.org") {
		t.Errorf("%s", r.stdout)
	}
}

// TestCertificateThatIsNotTrusted checks that an inspected connection is distinguished from a network failure.
func TestCertificateThatIsNotTrusted(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // the server would log the refused handshakes
	server.StartTLS()
	defer server.Close()
	r := runBiofact(t.Context(), t, sourcesAt(t, func() string { return server.URL }), "", "doctor")
	expect.That(t, codeFor(r.err) == 1 &&
		strings.Contains(r.stdout, "its certificate does not verify: a proxy may inspect the connection: name its authority in "+
			"SSL_CERT_FILE"),
		"%v\n%s", r.err, r.stdout)
}

// codeFor returns the exit code for an error.
func codeFor(err error) int {
	if err == nil {
		return 0
	}
	code, _ := codeOf(err)
	return int(code)
}

// A late writer sends a Date that is ten minutes ahead.
type late struct{ http.ResponseWriter }

func (l *late) WriteHeader(status int) {
	l.Header().Set("Date", time.Now().Add(10*time.Minute).UTC().Format(http.TimeFormat))
	l.ResponseWriter.WriteHeader(status)
}

// closedPort is an address on which nothing listens. It is no port that a server of
// another test could get.
const closedPort = "127.0.0.1:1"

// brokenStore returns a folder with a cache file that is not a database.
func brokenStore(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	expect.NoError(t, os.WriteFile(filepath.Join(dir, "biofact.db"), []byte(strings.Repeat("this is no database ", 100)), 0o600))
	return dir
}
