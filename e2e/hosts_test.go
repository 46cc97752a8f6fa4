package e2e

import (
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source"
)

// TestHosts checks that docs/security.md lists exactly the hosts of the sources, for firewall rules.
func TestHosts(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/security.md")
	expect.NoError(t, err)
	_, listed, found := strings.Cut(string(page), "\n| host | source |\n|---|---|\n")
	listed, _, _ = strings.Cut(listed, "\n\n")
	expect.Must(t, found, "docs/security.md has no table of hosts")
	cfg, err := config.Read(nil)
	expect.NoError(t, err)
	sources := source.All()
	for i := range sources {
		base, err := url.Parse(sources[i].URL(cfg))
		expect.NoError(t, err)
		expect.That(t, strings.Contains(listed, "| `"+base.Host+"` | "+sources[i].Title), "docs/security.md does not list %s of %s",
			base.Host, sources[i].Title)
	}
	expect.Is(t, strings.Count(listed+"\n", "|\n"), len(sources), "hosts in docs/security.md")
}
