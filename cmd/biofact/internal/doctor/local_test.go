package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source"
)

// TestProxy checks that an invalid proxy is reported, and that no user or password is shown.
func TestProxy(t *testing.T) {
	trials, genes := &examined{Source: source.Source{Title: "ClinicalTrials.gov"}, url: "https://clinicaltrials.gov"},
		&examined{Source: source.Source{Title: "NCBI"}}
	for value, want := range map[string]Verdict{"http://p:3128": OK, "p:3128": OK, "p": OK, "http://user:secret%zz@p x": Fail} {
		t.Setenv("HTTPS_PROXY", value)
		c := proxySettings(read(t), []*examined{trials, genes})
		expect.That(t, c.Status == want && !strings.Contains(c.Finding, "secret"), "%s: %+v", value, c)
	}
}

func TestCertificates(t *testing.T) {
	dir := t.TempDir()
	expect.NoError(t, os.WriteFile(filepath.Join(dir, "none.pem"), []byte("no certificate"), 0o600))
	for file, want := range map[string]string{"none.pem": "no certificate in ", "missing.pem": "SSL_CERT_FILE: open "} {
		t.Setenv("SSL_CERT_FILE", filepath.Join(dir, file))
		if c := tlsSettings(read(t, "BIOFACT_TLS_MAX=1.2")); c.Status == OK || !strings.Contains(c.Finding, want) &&
			!strings.Contains(c.Finding, "no effect") || !strings.Contains(c.Finding, "TLS 1.2") {
			t.Errorf("%s: %+v", file, c)
		}
	}
}

func read(t *testing.T, env ...string) *config.Config {
	t.Helper()
	cfg, err := config.Read(env)
	expect.NoError(t, err)
	return cfg
}
