package genes

import (
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

func TestReadOrganism(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		code entity.Code
		hint string // a part
	}{
		{"hamsters", entity.AmbiguousQuery, `one of {"organism":"golden hamster"}, {"organism":"Chinese hamster"}.`},
		{"frog", entity.AmbiguousQuery, `{"organism":"African clawed frog"}, {"organism":"tropical clawed frog"}`},
		{"Xenopus", entity.AmbiguousQuery, `{"organism":"tropical clawed frog"}`},
		{"monkey", entity.AmbiguousQuery, `{"organism":"rhesus macaque"}`},
		{"mosquitoes", entity.AmbiguousQuery, `{"organism":"yellow fever mosquito"}`},
		{"M. domestica", entity.AmbiguousQuery, `{"organism":"house fly"}`},
		{"human and mouse", entity.InvalidInput, `{"organism":"human"}, {"organism":"mouse"}`},
		{"human, mice; rat", entity.InvalidInput, `{"organism":"rat"}`},
		{"", entity.InvalidInput, "taxid"},
		{"0", entity.InvalidInput, "taxid"},
		{"99999999999999999999", entity.InvalidInput, "taxid"},
		{"- -", entity.InvalidInput, "taxid"},
		{"12 34", entity.InvalidInput, "taxid"},
	} {
		o, err := readOrganism(tools.SearchGenes, tt.text)
		if err == nil {
			t.Errorf("readOrganism(%q) = %+v", tt.text, o)
			continue
		}
		if wrong := sourcetest.InvalidEnvelope(err); wrong != "" {
			t.Errorf("readOrganism(%q): %s", tt.text, wrong)
		}
		e := entity.AsError(err)
		if e.Code != tt.code || !strings.Contains(e.Hint, tt.hint) || !strings.Contains(e.Message, "organism") || e.Input != tt.text {
			t.Errorf("readOrganism(%q): %+v", tt.text, e)
		}
	}
}

func TestExcludedOrganism(t *testing.T) {
	t.Parallel()
	_, _, err := readGeneQuery(geneWords{tools.SearchGenesArgs{Organism: "−human"}, "TP53"})
	expect.Equal(t, "organism", `To exclude it call search_genes again with {"organism":null,"query":"(TP53) NOT txid9606[orgn]"}.`,
		entity.AsError(err).Hint)
	_, _, err = readGeneQuery(geneWords{tools.SearchGenesArgs{Organism: "all"}, "TP53"})
	expect.Equal(t, "all organisms", `Call search_genes again with {"organism":null}: without organism.`, entity.AsError(err).Hint)
}
