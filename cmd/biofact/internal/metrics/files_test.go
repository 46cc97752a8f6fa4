package metrics_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/cmd/biofact/internal/metrics"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestFilesForOperators checks that every metric, label and value in the alerts, in the dashboard and in docs/deploy.md is in a scrape.
func TestFilesForOperators(t *testing.T) {
	t.Parallel()
	m := newMetrics(metrics.Options{Mirror: func() (time.Time, bool) { return time.Unix(1, 0), true }})
	m.Upstream(host)
	m.Queue(host, func() int { return 0 })
	m.Call("get_trial", "ok", 1, ms)
	m.Batch("ctgov", "trial", 1)
	for _, result := range []string{"hit", "miss", "stale"} {
		m.Cache("ctgov", "trial", result, 1)
	}
	m.Upstream(host).Turn(ms)
	scraped := scrape(t, m)
	const root = "../../../../"
	metric := regexp.MustCompile(`\b(biofact_[a-z_]+)(?:\{(\w+)(=~|!=|=)\\?"([\w|]+)\\?")?`)
	by := regexp.MustCompile(`by \(([\w, ]+)\) \((?:rate\()?(biofact_[a-z_]+)`)
	for file, least := range map[string]int{"packaging/deploy/alerts.yaml": 4, "packaging/deploy/dashboard.json": 12,
		"docs/deploy.md": 12} {
		text, err := os.ReadFile(root + file)
		expect.NoError(t, err)
		found := metric.FindAllStringSubmatch(string(text), -1)
		expect.That(t, len(found) >= least, "%s names %d metrics, want at least %d", file, len(found), least)
		for _, f := range found {
			lines := strings.Join(append(series(scraped, f[1]+"{"), series(scraped, f[1]+" ")...), "\n")
			if lines == "" {
				lines = strings.Join(series(scraped, f[1]+"_bucket{"), "\n") // the table names a histogram as a whole
			}
			expect.That(t, lines != "", "%s: no metric %s", file, f[1])
			for value := range strings.SplitSeq(f[4], "|") {
				expect.That(t, f[2] == "" || strings.Contains(lines, f[2]+`="`+value+`"`), "%s: %s never has %s=%s", file, f[1], f[2], value)
			}
		}
		for _, f := range by.FindAllStringSubmatch(string(text), -1) {
			for label := range strings.SplitSeq(f[1], ", ") {
				has := label == "instance" || strings.Contains(strings.Join(series(scraped, f[2]), "\n"), label+`="`) // Prometheus adds instance
				expect.That(t, has, "%s: %s has no label %s", file, f[2], label)
			}
		}
	}
}
