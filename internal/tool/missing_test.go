package tool_test

import (
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/tool"
)

func TestMissing(t *testing.T) {
	t.Parallel()
	all := []*tool.Tool{
		{Definition: tool.Definition{Name: "search_trials", Title: "Search trials", Toolset: "trials", Also: []string{"find_studies"},
			InsteadOf: []string{"count_studies"}}},
		{Definition: tool.Definition{Name: "getGene", Title: "Read a gene", Toolset: "genes", Also: []string{"read_gene"},
			InsteadOf: []string{"draw_gene"}}},
	}
	served := func(toolsets ...string) func(*tool.Tool) string {
		return func(t *tool.Tool) string {
			for _, s := range toolsets {
				if s == t.Toolset {
					return ""
				}
			}
			return tool.NotServed(t)
		}
	}
	const both = " The tools are search_trials, getGene."
	const off = "its toolset genes is not served (BIOFACT_TOOLSETS)."
	for _, tt := range []struct {
		name, want string
		reason     func(*tool.Tool) string
	}{
		{"findStudies", "The tool findStudies does not exist. Use search_trials (Search trials)." + both, served("trials", "genes")},
		{"get_gene", "The tool get_gene does not exist. Use getGene (Read a gene)." + both, served("trials", "genes")},
		{"search_trails", "The tool search_trails does not exist. Use search_trials (Search trials)." + both, served("trials", "genes")},
		{"count_studies", "The tool count_studies does not exist, and no tool does the same. The nearest is search_trials (Search trials)." +
			both, served("trials", "genes")},
		{"search_proteins", "The tool search_proteins does not exist, and no tool is known by this name." + both,
			served("trials", "genes")},
		{"getGene", "The tool getGene cannot be used here: " + off + " The tools are search_trials.", served("trials")},
		{"read_gene", "The tool read_gene does not exist. getGene would do it, but " + off + " The tools are search_trials.",
			served("trials")},
		{"draw_gene", "The tool draw_gene does not exist, and no tool does the same. The nearest would be getGene, but " + off +
			" The tools are search_trials.", served("trials")},
		{"getGenes", "The tool getGenes does not exist, and no tool is known by this name. The tools are search_trials.", served("trials")},
		{"biofact__search_trials", "The tool biofact__search_trials does not exist. Use search_trials (Search trials)." + both,
			served("trials", "genes")},
		{"mcp.biofact.find_studies", "The tool mcp.biofact.find_studies does not exist. Use search_trials (Search trials)." + both,
			served("trials", "genes")},
		{"x\u202e", "The tool x does not exist, and no tool is known by this name.", served()},
		{"", "The call names no tool: its name is empty." + both, served("trials", "genes")},
	} {
		expect.Equal(t, tt.name, tt.want, tool.Missing(tt.name, nil, all, tt.reason))
	}
}
