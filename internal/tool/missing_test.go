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
		{"findStudies", "There is no tool findStudies. Use search_trials (Search trials)." + both, served("trials", "genes")},
		{"get_gene", "There is no tool get_gene. Use getGene (Read a gene)." + both, served("trials", "genes")},
		{"search_trails", "There is no tool search_trails. Use search_trials (Search trials)." + both, served("trials", "genes")},
		{"count_studies", "There is no tool count_studies, and none does what it says. The nearest is search_trials (Search trials)." +
			both, served("trials", "genes")},
		{"search_proteins", "There is no tool search_proteins, and no tool is known by this name." + both, served("trials", "genes")},
		{"getGene", "There is no tool getGene here: " + off + " The tools are search_trials.", served("trials")},
		{"read_gene", "There is no tool read_gene. getGene would do it, but " + off + " The tools are search_trials.", served("trials")},
		{"draw_gene", "There is no tool draw_gene, and none does what it says. The nearest would be getGene, but " + off +
			" The tools are search_trials.", served("trials")},
		{"getGenes", "There is no tool getGenes, and no tool is known by this name. The tools are search_trials.", served("trials")},
		{"biofact__search_trials", "There is no tool biofact__search_trials. Use search_trials (Search trials)." + both,
			served("trials", "genes")},
		{"mcp.biofact.find_studies", "There is no tool mcp.biofact.find_studies. Use search_trials (Search trials)." + both,
			served("trials", "genes")},
		{"x\u202e", "There is no tool x, and no tool is known by this name.", served()},
		{"", "The call names no tool: its name is empty." + both, served("trials", "genes")},
	} {
		expect.Equal(t, tt.name, tt.want, tool.Missing(tt.name, all, tt.reason))
	}
}
