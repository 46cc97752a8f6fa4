package app

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// TestAbout: every file that describes the server to a person or a program has the sentence of a server of all tools.
func TestAbout(t *testing.T) {
	t.Parallel()
	all := About(described())
	expect.That(t, len(all) <= 100, "the registry of MCP servers takes 100 characters of %q", all)
	for _, name := range []string{"packaging/server.json", "packaging/mcpb/manifest.json", "packaging/Dockerfile", "packaging/managers.go",
		"cmd/biofact/plugin/.claude-plugin/plugin.json", ".claude-plugin/marketplace.json"} {
		text, err := os.ReadFile("../../" + name)
		expect.NoError(t, err)
		expect.That(t, strings.Contains(string(text), `"`+all+`"`), "%s has no description %q", name, all)
	}
	var manifest struct {
		LongDescription string `json:"long_description"`
	}
	text, err := os.ReadFile("../../packaging/mcpb/manifest.json")
	expect.NoError(t, err)
	expect.NoError(t, json.Unmarshal(text, &manifest))
	for _, source := range []string{"ClinicalTrials.gov", "NCBI", "Europe PMC", "openFDA"} {
		expect.That(t, strings.Contains(manifest.LongDescription, source), "the bundle does not name %s", source)
	}
}

// TestInstructions: the instructions of each choice of toolsets name each source of it, and no tool and no source that is not served.
func TestInstructions(t *testing.T) {
	t.Parallel()
	sources := map[string]string{"ClinicalTrials.gov": "trials", "NCBI": "genes articles", "openFDA": "drugs", "Europe PMC": "articles"}
	for _, toolsets := range []string{"trials", "genes", "drugs", "articles", "trials genes", "trials drugs articles", "trials genes drugs articles sql"} {
		var served []*tool.Tool
		names := map[string]bool{}
		for _, d := range described() {
			if strings.Contains(toolsets, d.Toolset) {
				served = append(served, d)
				names[d.Name] = true
			}
		}
		text := Instructions(served)
		for source, of := range sources {
			want := false
			for _, name := range strings.Fields(of) {
				want = want || strings.Contains(toolsets, name)
			}
			expect.That(t, strings.Contains(text, source) == want, "%s: %s is named: %v\n%s", toolsets, source, !want, text)
		}
		for _, name := range regexp.MustCompile(`\b[a-z]+(?:_[a-z]+)+\b|\b(?:get|fetch)[A-Z]\w+`).FindAllString(text, -1) {
			known := names[name] || name == "recovery_hint" || name == "cross_references" || name == "total_count"
			expect.That(t, known, "%s: %s is not served\n%s", toolsets, name, text)
		}
	}
}

// described returns all tools.
func described() []*tool.Tool { return tools.Table(struct{ tools.Handlers }{}) }
