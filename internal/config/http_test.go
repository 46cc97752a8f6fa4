package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/expect"
)

const secret = "0123456789abcdef0123456789abcdef"

func TestHTTPSettings(t *testing.T) {
	t.Parallel()
	c, err := read([]string{
		"MCP_TRANSPORT_TYPE=http", "MCP_HTTP_HOST=0.0.0.0", "MCP_HTTP_PORT=0",
		"MCP_ALLOWED_ORIGINS=https://a.example.org,https://b.example.org",
		"MCP_ALLOWED_HOSTS=mcp.example.org", "MCP_PUBLIC_URL=https://mcp.example.org/mcp", "MCP_AUTH_ISSUER=https://login.example.org",
		"MCP_AUTH_AUDIENCE=biofact",
		"MCP_METRICS_ADDR=127.0.0.1:9090", "MCP_CLIENT_RATE=0", "MCP_DRAIN_TIME=5s", "BIOFACT_REDIS_URL=redis://:pa55word@localhost:6379/1",
		"BIOFACT_REPLICAS=3",
	}, nil)
	expect.NoError(t, err)
	want := defaults()
	want.Transport, want.HTTPHost, want.HTTPPort = "http", "0.0.0.0", 0
	want.AllowedOrigins, want.AllowedHosts, want.PublicURL = []string{"https://a.example.org", "https://b.example.org"},
		[]string{"mcp.example.org"}, "https://mcp.example.org/mcp"
	want.AuthIssuer, want.AuthAudience, want.MetricsAddr = "https://login.example.org", "biofact", "127.0.0.1:9090"
	want.ClientRate, want.DrainTime, want.RedisURL, want.Replicas = 0, 5*time.Second, "redis://:pa55word@localhost:6379/1", 3
	expect.Equal(t, "", &want, c)
	if c.ListenAddr() != "0.0.0.0:0" || !c.HTTP() || c.NoAuth() {
		t.Error(c.ListenAddr(), c.HTTP(), c.NoAuth())
	}
}

// TestHTTPNeedsAuthentication: a server without authentication must be set
// explicitly.
func TestHTTPNeedsAuthentication(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "secret")
	expect.NoError(t, os.WriteFile(file, []byte(secret+"\n"), 0o600))
	key, none, audience := "MCP_AUTH_SECRET_KEY="+secret, "MCP_AUTH_MODE=none", "MCP_AUTH_AUDIENCE=a"
	for _, tt := range []struct {
		environ []string
		want    string // beginning of the error; empty: none
	}{
		{nil, "MCP_AUTH_SECRET_KEY: HTTP needs a secret of at least 32 bytes"},
		{[]string{key}, ""},
		{[]string{"MCP_AUTH_SECRET_KEY_FILE=" + file}, ""},
		{[]string{"MCP_AUTH_SECRET_KEY_FILE=" + file + "x"}, "MCP_AUTH_SECRET_KEY_FILE: open"},
		{[]string{"MCP_AUTH_SECRET_KEY=" + secret[1:]}, "MCP_AUTH_SECRET_KEY: must have at least 32 bytes"},
		{[]string{"MCP_AUTH_ISSUER=https://login.example.org"}, "MCP_AUTH_AUDIENCE: must be set with MCP_AUTH_ISSUER"},
		{[]string{key, "MCP_AUTH_ISSUER=https://login.example.org", "MCP_AUTH_AUDIENCE=a"},
			"MCP_AUTH_SECRET_KEY, MCP_AUTH_ISSUER and --auth none: only one"},
		{[]string{key, none}, "MCP_AUTH_SECRET_KEY, MCP_AUTH_ISSUER and --auth none: only one"},
		{[]string{none}, ""},
		{[]string{none, "MCP_HTTP_HOST=localhost"}, ""},
		{[]string{none, "MCP_HTTP_HOST=::1"}, ""},
		{[]string{none, "MCP_HTTP_HOST=127.0.0.9"}, ""},
		{[]string{none, "BIOFACT_TOOLSETS=trials,sql"}, "BIOFACT_SQL_OPEN: must be true to serve the toolset sql with --auth none"},
		{[]string{none, "BIOFACT_TOOLS=query_registry"}, "BIOFACT_SQL_OPEN: must be true to serve the toolset sql with --auth none"},
		{[]string{none, "MCP_HTTP_HOST=0.0.0.0"}, "MCP_HTTP_HOST: must be a loopback address with --auth none"},
		{[]string{none, "MCP_HTTP_HOST=::"}, "MCP_HTTP_HOST: must be a loopback address with --auth none"},
		{[]string{none, "MCP_HTTP_HOST=mcp.example.org"}, "MCP_HTTP_HOST: must be a loopback address with --auth none"},
		{[]string{"MCP_AUTH_MODE=off"}, "MCP_AUTH_MODE: must be none, or not set, was off"},
		{[]string{key, "MCP_HTTP_PORT=70000"}, "MCP_HTTP_PORT: must be from 0 to 65535"},
		{[]string{key, "MCP_HTTP_HOST=http://a"}, "MCP_HTTP_HOST: must be a host name or an IP address"},
		{[]string{key, "MCP_PUBLIC_URL=mcp.example.org"}, "MCP_PUBLIC_URL: must be an http or https URL"},
		{[]string{key, "MCP_PUBLIC_URL=https://mcp.example.org/mcp?a=b"}, "MCP_PUBLIC_URL: must be an http or https URL, without"},
		{[]string{"MCP_AUTH_ISSUER=http://login.example.org", audience}, "MCP_AUTH_ISSUER: must be an https URL, or http on loopback"},
		{[]string{"MCP_AUTH_ISSUER=https://u:p@login.example.org", audience}, "MCP_AUTH_ISSUER: must be an https URL"},
		{[]string{"MCP_AUTH_ISSUER=https://login.example.org?a=b", audience}, "MCP_AUTH_ISSUER: must be an https URL"},
		{[]string{"MCP_AUTH_ISSUER=login.example.org", audience}, "MCP_AUTH_ISSUER: must be an https URL"},
		{[]string{"MCP_AUTH_ISSUER=http://localhost:8080/realm", audience}, ""},
		{[]string{"MCP_AUTH_ISSUER=http://[::1]:8080", audience}, ""},
		{[]string{key, "MCP_METRICS_ADDR=9090"}, "MCP_METRICS_ADDR: must be an address with a port"},
		{[]string{key, "MCP_CLIENT_RATE=-1"}, "MCP_CLIENT_RATE: must be from 0 to 100000"},
		{[]string{key, "MCP_DRAIN_TIME=1h"}, "MCP_DRAIN_TIME: must be from 0s to 10m"},
	} {
		_, err := read(append([]string{"MCP_TRANSPORT_TYPE=http"}, tt.environ...), nil)
		if got := errorText(err); (tt.want == "") != (got == "") || !strings.HasPrefix(got, tt.want) || strings.Contains(got, secret[1:]) {
			t.Errorf("%q\n got %s\nwant %s", tt.environ, got, tt.want)
		}
		if _, err := read(tt.environ, nil); err != nil && strings.HasPrefix(tt.want, "MCP_HTTP") {
			t.Errorf("%q concern HTTP alone: %v", tt.environ, err)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestLogRotates: the size of a log file is limited.
func TestLogRotates(t *testing.T) {
	t.Parallel()
	c := config.Config{LogLevel: "info", LogsDir: t.TempDir()}
	log, closeLog, err := c.Logger()
	expect.NoError(t, err)
	long := strings.Repeat("x", 1<<20)
	for range 25 {
		log.Info(long)
	}
	expect.NoError(t, closeLog())
	files, err := filepath.Glob(filepath.Join(c.LogsDir, "*.log"))
	expect.Must(t, err == nil && len(files) == 2, "%v %v", files, err)
	for _, path := range files {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 || info.Size() > 21<<20 {
			t.Errorf("%s: %v %d %v", path, info.Mode(), info.Size(), err)
		}
	}
}
