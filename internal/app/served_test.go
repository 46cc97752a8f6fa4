package app_test

import (
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestTools: BIOFACT_TOOLS serves single tools, and the prompts and sources that they need.
func TestTools(t *testing.T) {
	for _, test := range []struct{ tools, toolsets, served, prompts, err string }{
		{tools: "get_trial,search_trials", served: "search_trials get_trial"},
		{tools: "search_trials,match_trials,get_trial_locations", toolsets: "genes,trials",
			served: "search_trials match_trials get_trial_locations", prompts: "trials_for_a_person"},
		{tools: "get_gene", toolsets: "trials", err: "get_gene is a tool of the toolset genes, which BIOFACT_TOOLSETS leaves out"},
		{tools: "search_trails", err: "Use search_trials (Search clinical trials)."},
		{tools: "weather", err: "no tool is known by this name. The tools are search_trials,"},
	} {
		environment := []string{"BIOFACT_CACHE_DIR=off", "BIOFACT_TOOLS=" + test.tools, "BIOFACT_TOOLSETS=" + test.toolsets}
		cfg, err := config.Read(environment)
		expect.NoError(t, err)
		cfg.Sandbox = config.SandboxEmbedded
		err = app.Validate(cfg)
		if test.err != "" {
			expect.That(t, err != nil && strings.HasPrefix(err.Error(), "BIOFACT_TOOLS: ") && strings.Contains(err.Error(), test.err),
				"%s: %v, want %s", test.tools, err, test.err)
			continue
		}
		expect.NoError(t, err)
		a, err := app.New(t.Context(), cfg, "1.2.3", nil)
		expect.NoError(t, err)
		defer a.Close()
		var served, prompts []string
		for _, one := range a.Tools {
			served = append(served, one.Name)
		}
		for _, p := range a.Prompts {
			prompts = append(prompts, p.Name)
		}
		expect.Equal(t, test.tools, test.served+"|"+test.prompts, strings.Join(served, " ")+"|"+strings.Join(prompts, " "))
		expect.Equal(t, "toolsets", "trials", strings.Join(cfg.Toolsets, " "))
	}
}
