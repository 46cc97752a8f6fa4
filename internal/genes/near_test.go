package genes

import (
	"slices"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// TestNearForms: a slip, a hyphen and the name of a family lead to the symbol.
func TestNearForms(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{"TP35": "TP53", "BRAC1": "BRCA1", "KRASS": "KRAS", "brca-1": "brca1", "PD1": "PD-1"} {
		forms, _ := nearForms(given)
		expect.That(t, slices.Contains(forms, want), "%s: %q", given, forms)
	}
	_, family := nearForms("BRCA")
	expect.Is(t, family, "BRCA*[sym]", "the term for a family")
	gene := func(symbol string) *ncbi.GeneSummary {
		return &ncbi.GeneSummary{Candidate: entity.GeneSearchCandidate{Symbol: symbol}}
	}
	forms, _ := nearForms("BRCA")
	got := nearest("BRCA", forms, []string{"1", "2", "3"}, map[string]*ncbi.GeneSummary{"1": gene("BRCA2"), "2": gene("BRAC"), "3": gene("XYZ")})
	expect.Equal(t, "near symbols", []string{"BRAC", "BRCA2"}, got)
}
