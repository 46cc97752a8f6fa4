package config_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// read reads an environment, then flags, as the program does.
func read(environ, flags []string) (*config.Config, error) {
	c, err := config.Read(environ)
	if err != nil {
		return nil, err
	}
	fs := pflag.NewFlagSet("biofact", pflag.ContinueOnError)
	fs.SetOutput(io.Discard)
	c.Flags(fs)
	if err := fs.Parse(flags); err != nil {
		return nil, err
	}
	return c, c.Validate()
}

// defaults returns the default settings. The generated docs/configuration.md
// has them all.
func defaults() config.Config {
	c, err := config.Read(nil)
	if err != nil {
		panic(err)
	}
	return *c
}

// TestDefaults pins the settings that the operators of the sources ask for and
// those that a client would notice.
func TestDefaults(t *testing.T) {
	t.Parallel()
	got := reflect.ValueOf(defaults())
	want := reflect.ValueOf(config.Config{
		Transport: "stdio", CTGovURL: "https://clinicaltrials.gov/api/v2", CTGovRPS: 1, CacheBytes: 500_000_000,
		CallTimeout: 30 * time.Second, MaxAnswerBytes: 400_000, Toolsets: []string{"trials", "genes", "articles", "drugs"},
		HTTPHost: "127.0.0.1", HTTPPort: 3010, ClientRate: 20, DrainTime: 20 * time.Second, Replicas: 1,
		NCBIRetries: 3, EUtilsURL: "https://eutils.ncbi.nlm.nih.gov/entrez/eutils", RecordAge: 24 * time.Hour, SearchAge: time.Hour,
		DatasetsURL: "https://api.ncbi.nlm.nih.gov/datasets/v2",
	})
	for i := range want.NumField() {
		if field := want.Type().Field(i).Name; !want.Field(i).IsZero() &&
			!reflect.DeepEqual(want.Field(i).Interface(), got.Field(i).Interface()) {
			t.Errorf("%s is %v, want %v", field, got.Field(i), want.Field(i))
		}
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		environ, flags []string
		change         func(*config.Config)
	}{
		"nothing": {nil, nil, func(*config.Config) {}},
		"empty and unfilled values are absent": {
			[]string{"BIOFACT_CTGOV_RPS=", "BIOFACT_CALL_TIMEOUT=  ", "BIOFACT_CTGOV_URL=${user_config.url}",
				"NCBI_ADMIN_EMAIL=${user_config.email}", "BIOFACT_TOOLSETS= ${x} ", "MCP_LOG_LEVEL="},
			nil, func(*config.Config) {},
		},
		"other settings are ignored": {[]string{"PATH=/bin", "HOME", "=C:=C:\\", "BIOFACT=1"}, nil, func(*config.Config) {}},
		"environment": {
			[]string{
				"MCP_LOG_LEVEL=DEBUG", "LOGS_DIR=/tmp/x", "NCBI_ADMIN_EMAIL=ida@example.org", "BIOFACT_CTGOV_URL=http://localhost:8080/v2",
				"BIOFACT_CTGOV_RPS=0.5",
				"BIOFACT_CALL_TIMEOUT=1m30s", "BIOFACT_MAX_ANSWER_BYTES=10000", "BIOFACT_TLS_MAX=1.2", "BIOFACT_TOOLSETS=trials",
				"MCP_TRANSPORT_TYPE=stdio",
				"NCBI_API_KEY=k3y", "NCBI_TOOL_IDENTIFIER=lab/1", "NCBI_REQUEST_DELAY_MS=500", "NCBI_MAX_RETRIES=0",
				"BIOFACT_EUTILS_URL=http://localhost/e",
				"BIOFACT_RECORD_AGE=1h", "BIOFACT_SEARCH_AGE=0s", "BIOFACT_DATASETS_URL=http://localhost/d",
				"BIOFACT_SOURCES=ncbi,datasets",
			}, nil,
			func(c *config.Config) {
				c.LogLevel, c.LogsDir, c.Contact, c.CTGovURL, c.CTGovRPS = "DEBUG", "/tmp/x", "ida@example.org",
					"http://localhost:8080/v2", 0.5
				c.CallTimeout, c.MaxAnswerBytes, c.TLSMax = 90*time.Second, 10_000, "1.2"
				c.NCBIAPIKey, c.NCBITool, c.NCBIDelay, c.NCBIRetries, c.EUtilsURL = "k3y", "lab/1", 500, 0, "http://localhost/e"
				c.Toolsets, c.RecordAge, c.SearchAge = []string{"trials"}, time.Hour, 0
				c.DatasetsURL, c.Sources = "http://localhost/d", []string{"ncbi", "datasets"}
			},
		},
		"flags": {
			nil, []string{
				"--transport=stdio", "--log-level=info", "--logs-dir=/tmp/y", "--contact=ida@example.org",
				"--ctgov-url=https://example.org", "--ctgov-rps=2",
				"--call-timeout=10m", "--max-answer-bytes=100000000", "--tls-max=1.3", "--toolsets=genes", "--sandbox",
				"--ncbi-tool=lab/2", "--ncbi-request-delay=150", "--ncbi-max-retries=5", "--eutils-url=https://example.org/e",
				"--record-age=2h", "--search-age=3h",
				"--datasets-url=https://example.org/d", "--sources=ncbi",
			},
			func(c *config.Config) {
				c.LogLevel, c.LogsDir, c.Contact, c.CTGovURL, c.CTGovRPS = "info", "/tmp/y", "ida@example.org", "https://example.org", 2
				c.CallTimeout, c.MaxAnswerBytes, c.TLSMax, c.Sandbox = 10*time.Minute, 100_000_000, "1.3", config.SandboxEmbedded
				c.NCBITool, c.NCBIDelay, c.NCBIRetries, c.EUtilsURL = "lab/2", 150, 5, "https://example.org/e"
				c.Toolsets, c.RecordAge, c.SearchAge = []string{"genes"}, 2*time.Hour, 3*time.Hour
				c.DatasetsURL, c.Sources = "https://example.org/d", []string{"ncbi"}
			},
		},
		"flags over environment": {
			[]string{"BIOFACT_CTGOV_RPS=0.5", "MCP_LOG_LEVEL=info", "BIOFACT_CTGOV_URL=http://localhost"},
			[]string{"--ctgov-rps", "3", "--log-level=error"},
			func(c *config.Config) { c.CTGovRPS, c.LogLevel, c.CTGovURL = 3, "error", "http://localhost" },
		},
		"a flag mends a bad value of the environment": {[]string{"BIOFACT_TLS_MAX=1.1"}, []string{"--tls-max=1.2"},
			func(c *config.Config) { c.TLSMax = "1.2" }},
		"sandbox at a path": {nil, []string{"--sandbox=records.jsonl.gz"},
			func(c *config.Config) { c.Sandbox = "records.jsonl.gz" }},
		"the sandbox is no matter of the environment": {[]string{"SANDBOX=embedded", "BIOFACT_SANDBOX=embedded"}, nil,
			func(*config.Config) {}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := read(tt.environ, tt.flags)
			expect.NoError(t, err)
			want := defaults()
			tt.change(&want)
			expect.Equal(t, "", &want, got)
		})
	}
}

func TestBadSettings(t *testing.T) {
	t.Parallel()
	const email = "NCBI_ADMIN_EMAIL: must be an e-mail address"
	for _, tt := range []struct{ environ, want string }{
		{"MCP_TRANSPORT_TYPE=carrier-pigeon", "MCP_TRANSPORT_TYPE: must be stdio or http, was carrier-pigeon"},
		{"MCP_LOG_LEVEL=loud", "MCP_LOG_LEVEL: must be debug, info, notice, warning, error, critical, alert or emergency, was loud"},
		{"BIOFACT_CTGOV_URL=clinicaltrials.gov", "BIOFACT_CTGOV_URL: must be an http or https URL, was clinicaltrials.gov"},
		{"BIOFACT_CTGOV_URL=ftp://example.org", "BIOFACT_CTGOV_URL: must be an http or https URL, was ftp://example.org"},
		{"BIOFACT_CTGOV_URL=https://", "BIOFACT_CTGOV_URL: must be an http or https URL, was https://"},
		{"BIOFACT_CTGOV_URL=http://a b", "BIOFACT_CTGOV_URL: must be an http or https URL, was http://a b"},
		{"BIOFACT_CTGOV_RPS=fast", "BIOFACT_CTGOV_RPS: must be a number, was fast"},
		{"BIOFACT_CTGOV_RPS=0", "BIOFACT_CTGOV_RPS: must be from 0.001 to 1000, was 0"},
		{"BIOFACT_CTGOV_RPS=-1", "BIOFACT_CTGOV_RPS: must be from 0.001 to 1000, was -1"},
		{"BIOFACT_CTGOV_RPS=1e-300", "BIOFACT_CTGOV_RPS: must be from 0.001 to 1000, was 1e-300"},
		{"BIOFACT_CTGOV_RPS=1001", "BIOFACT_CTGOV_RPS: must be from 0.001 to 1000, was 1001"},
		{"BIOFACT_CTGOV_RPS=NaN", "BIOFACT_CTGOV_RPS: must be from 0.001 to 1000, was NaN"},
		{"BIOFACT_CALL_TIMEOUT=30", "BIOFACT_CALL_TIMEOUT: must be a duration such as 30s, was 30"},
		{"BIOFACT_CALL_TIMEOUT=999ms", "BIOFACT_CALL_TIMEOUT: must be from 1s to 10m, was 999ms"},
		{"BIOFACT_CALL_TIMEOUT=11m", "BIOFACT_CALL_TIMEOUT: must be from 1s to 10m, was 11m0s"},
		{"BIOFACT_MAX_ANSWER_BYTES=400kB", "BIOFACT_MAX_ANSWER_BYTES: must be a whole number, was 400kB"},
		{"BIOFACT_MAX_CALLS=0", "BIOFACT_MAX_CALLS: must be from 1 to 10000, was 0"},
		{"BIOFACT_MAX_ANSWER_BYTES=9999", "BIOFACT_MAX_ANSWER_BYTES: must be from 10000 to 100000000, was 9999"},
		{"BIOFACT_TLS_MAX=1.1", "BIOFACT_TLS_MAX: must be 1.2 or 1.3, was 1.1"},
		{"BIOFACT_TOOLSETS=trials,toys", "BIOFACT_TOOLSETS: must be one or several of trials, genes, articles, drugs, research, sql, was trials,toys"},
		{"BIOFACT_SOURCES=ncbi,pubmed", "BIOFACT_SOURCES: must be one or several of " + strings.Join(defaults().Sources, ", ") +
			", was ncbi,pubmed"},
		{"BIOFACT_EUTILS_URL=eutils", "BIOFACT_EUTILS_URL: must be an http or https URL, was eutils"},
		{"NCBI_TOOL_IDENTIFIER=my tool", "NCBI_TOOL_IDENTIFIER: must be one word, as NCBI requires, was my tool"},
		{"NCBI_REQUEST_DELAY_MS=-1", "NCBI_REQUEST_DELAY_MS: must be from 0 to 60000, was -1"},
		{"NCBI_REQUEST_DELAY_MS=0.4", "NCBI_REQUEST_DELAY_MS: must be a whole number, was 0.4"},
		{"NCBI_MAX_RETRIES=21", "NCBI_MAX_RETRIES: must be from 0 to 20, was 21"},
		{"BIOFACT_RECORD_AGE=-1h", "BIOFACT_RECORD_AGE: must be from 0s to 8760h, was -1h0m0s"},
		{"BIOFACT_SEARCH_AGE=never", "BIOFACT_SEARCH_AGE: must be a duration such as 30s, was never"},
		{"BIOFACT_REPLICAS=0", "BIOFACT_REPLICAS: must be from 1 to 1000, was 0"},
		{"NCBI_API_KEY=two words", "NCBI_API_KEY: must be one word"},
		{"NCBI_ADMIN_EMAIL=nobody", email},
		{"NCBI_ADMIN_EMAIL=a@example.org (b)", email},
		{"NCBI_ADMIN_EMAIL=a@example.org\r\nX-Header: 1", email},
	} {
		if _, err := read([]string{tt.environ}, nil); err == nil || err.Error() != tt.want {
			t.Errorf("%s\n got %v\nwant %s", tt.environ, err, tt.want)
		}
	}
	// Of several errors the first in the order of the settings is returned, in
	// one line.
	_, err := read([]string{"BIOFACT_MAX_ANSWER_BYTES=x", "BIOFACT_CALL_TIMEOUT=x", "BIOFACT_CTGOV_RPS=x"}, nil)
	if want := "BIOFACT_CTGOV_RPS: must be a number, was x"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	for _, flag := range []string{"--ctgov-rps=x", "--call-timeout=5", "--max-answer-bytes=1.5", "--nonsense"} {
		if _, err := read(nil, []string{flag}); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", flag, err)
		}
	}
}

func TestFlagsNameTheirVariables(t *testing.T) {
	t.Parallel()
	c, err := config.Read(nil)
	expect.NoError(t, err)
	fs := pflag.NewFlagSet("biofact", pflag.ContinueOnError)
	c.Flags(fs)
	seen := map[string]bool{}
	fs.VisitAll(func(f *pflag.Flag) {
		expect.That(t, f.Usage != "" && (strings.HasPrefix(f.Name, "sandbox") || strings.HasSuffix(f.Usage, ")")),
			"--%s: usage %q names no variable", f.Name, f.Usage)
		expect.That(t, !seen[f.Usage], "--%s: usage %q is another flag's, too", f.Name, f.Usage)
		seen[f.Usage] = true
	})
	expect.That(t, len(seen) >= 11, "%d flags", len(seen))
}

func TestLevel(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]slog.Level{
		"debug": slog.LevelDebug, "Info": slog.LevelInfo, "WARN": slog.LevelWarn, "warning": slog.LevelWarn, "error": slog.LevelError,
	} {
		if got, err := (&config.Config{LogLevel: text}).Level(); err != nil || got != want {
			t.Errorf("%s: %v %v", text, got, err)
		}
	}
	// Each level of MCP logs less than the one before.
	last := slog.LevelDebug - 1
	for _, text := range []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"} {
		got, err := (&config.Config{LogLevel: text}).Level()
		expect.That(t, err == nil && got > last, "%s: %v %v", text, got, err)
		last = got
	}
	for short, long := range map[string]string{"err": "error", "crit": "critical", "emerg": "emergency"} {
		got, err := (&config.Config{LogLevel: short}).Level()
		if want, _ := (&config.Config{LogLevel: long}).Level(); err != nil || got != want {
			t.Errorf("%s: %v %v, want %v", short, got, err, want)
		}
	}
}

func TestLogger(t *testing.T) {
	t.Parallel()
	c := defaults()
	c.LogsDir = filepath.Join(t.TempDir(), "deep", "logs")
	log, closeLog, err := c.Logger()
	expect.NoError(t, err)
	log.Info("quiet")
	log.Warn("loud")
	expect.NoError(t, closeLog())
	path := filepath.Join(c.LogsDir, "biofact.log")
	text, err := os.ReadFile(path)
	expect.NoError(t, err)
	expect.That(t, strings.Contains(string(text), `"msg":"loud"`) && !strings.Contains(string(text), "quiet"), "log %s", text)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	c.LogsDir = path // a file
	if _, _, err := c.Logger(); err == nil || !strings.HasPrefix(err.Error(), "LOGS_DIR: ") {
		t.Errorf("%v", err)
	}
	c = defaults()
	log, closeLog, err = c.Logger()
	expect.NoError(t, err)
	expect.That(t, !log.Enabled(context.Background(), slog.LevelInfo) && log.Enabled(context.Background(), slog.LevelWarn),
		"not the level that was set")
	expect.Succeeds(t, closeLog(), "error")
}

func TestClientSettings(t *testing.T) {
	t.Parallel()
	c := defaults()
	if got := c.UserAgent("1.2.3"); got != "biofact/1.2.3" {
		t.Error(got)
	}
	c.Contact = "ida@example.org"
	if got := c.UserAgent("1.2.3"); got != "biofact/1.2.3 (+mailto:ida@example.org)" {
		t.Error(got)
	}
	if network := c.Network(); network.TLSClientConfig != nil && network.TLSClientConfig.MaxVersion != 0 || network.Proxy == nil {
		t.Error("TLS is bounded, or the proxy of the environment is not asked")
	}
	c.TLSMax = "1.2"
	if network := c.Network(); network.TLSClientConfig == nil || network.TLSClientConfig.MaxVersion != 0x0303 ||
		network.TLSClientConfig.MinVersion != 0x0303 {
		t.Error("TLS is not bounded")
	}
}

// TestNetworkBoundsHeaders: an endless header fails the request.
func TestNetworkBoundsHeaders(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		size, _ := strconv.Atoi(r.URL.Query().Get("size"))
		w.Header().Set("A", strings.Repeat("a", size))
	}))
	defer server.Close()
	network := (&config.Config{CallTimeout: time.Minute}).Network()
	defer network.CloseIdleConnections()
	for size, good := range map[int]bool{100_000: true, 500_000: false} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"?size="+strconv.Itoa(size), nil)
		expect.NoError(t, err)
		resp, err := network.RoundTrip(req)
		expect.That(t, good == (err == nil), "a header of %d bytes: %v", size, err)
		if err == nil {
			resp.Body.Close()
		}
	}
}

func TestAPIKey(t *testing.T) {
	t.Parallel()
	const key = "0123456789abcdef"
	file := filepath.Join(t.TempDir(), "key")
	expect.NoError(t, os.WriteFile(file, []byte(key+"\n"), 0o600))
	for _, environ := range []string{"NCBI_API_KEY=" + key, "NCBI_API_KEY_FILE=" + file} {
		c, err := read([]string{environ}, nil)
		expect.NoError(t, err)
		expect.That(t, string(c.NCBIAPIKey) == key, "%s: another key was read", environ)
		var log strings.Builder
		slog.New(slog.NewJSONHandler(&log, nil)).Info("start", "key", c.NCBIAPIKey)
		for _, text := range []string{fmt.Sprintf("%v %+v %#v", *c, *c, *c), log.String()} {
			expect.That(t, !strings.Contains(text, key), "%s: the key is shown: %s", environ, text)
		}
	}
	if _, err := read([]string{"NCBI_API_KEY_FILE=" + file + "x"}, nil); err == nil || !strings.Contains(err.Error(), "NCBI_API_KEY_FILE") {
		t.Errorf("a file that is missing: %v", err)
	}
}

func TestNCBIInterval(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		environ []string
		want    time.Duration
		raised  bool
	}{
		{nil, 400 * time.Millisecond, false},
		{[]string{"NCBI_API_KEY=k"}, 110 * time.Millisecond, false},
		{[]string{"NCBI_API_KEY=k", "NCBI_REQUEST_DELAY_MS=100"}, 110 * time.Millisecond, true},
		{[]string{"NCBI_REQUEST_DELAY_MS=1000"}, time.Second, false},
		{[]string{"NCBI_REQUEST_DELAY_MS=1"}, 400 * time.Millisecond, true},
		{[]string{"NCBI_REQUEST_DELAY_MS=1", "BIOFACT_EUTILS_URL=http://localhost/e"}, time.Millisecond, false},
	} {
		c, err := read(tt.environ, nil)
		expect.NoError(t, err)
		if interval, raised := c.NCBIInterval(c.EUtilsURL); interval != tt.want || raised != tt.raised {
			t.Errorf("%v: %v, raised %t; want %v, %t", tt.environ, interval, raised, tt.want, tt.raised)
		}
	}
}

// TestNCBIBudget: the hosts of NCBI share one limit, any other host has its
// own.
func TestNCBIBudget(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{
		"https://eutils.ncbi.nlm.nih.gov/entrez/eutils": "eutils.ncbi.nlm.nih.gov",
		"https://api.ncbi.nlm.nih.gov/datasets/v2":      "eutils.ncbi.nlm.nih.gov",
		"http://localhost:8080/datasets/v2":             "localhost:8080",
		"https://ncbi.nlm.nih.gov.example.org":          "ncbi.nlm.nih.gov.example.org",
	} {
		expect.Equal(t, base, want, config.NCBIBudget(base))
	}
}
