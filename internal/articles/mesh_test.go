package articles_test

import (
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

// TestLookupMesh: each form of a query leads to its term, with the ids of the terms above, below
// and beside it.
func TestLookupMesh(t *testing.T) {
	t.Parallel()
	ids := func(names []entity.MeshName) string {
		var list []string
		for _, n := range names {
			list = append(list, n.ID)
		}
		return strings.Join(list, " ")
	}
	const asthma, infarction, drug = "MESH:D001249", "MESH:D009203", "MESH:C500026"
	for query, want := range map[string]string{
		"asthma": asthma, " Asthma ": asthma, "bronchial  asthma": asthma, "D001249": asthma, "MESH:D001249": asthma,
		"mesh d001249": asthma,
		"C08.127.108":  asthma, "c08.127.108": asthma, `"Asthma"[mh]`: asthma, "asthma[MeSH Terms:noexp]": asthma, "Asthma[majr]": asthma,
		"heart attack": infarction, "Heart Attacks": infarction, "C14.280.647.500": infarction,
		"palbociclib": drug, "PD-0332991": drug, "C500026": drug, `"palbociclib"[nm]`: drug, "palbociclib[Supplementary Concept]": drug,
		`“asthma”`: asthma, "asthma[": asthma, "(asthma)": asthma,
	} {
		answer, err := over(t, sourcetest.Network{sourcetest.Sandboxed(t)}).LookupMesh(t.Context(), tools.LookupMeshArgs{Query: query})
		expect.NoErrorf(t, err, "%s", query)
		h := answer.Value.Items[0]
		expect.Is(t, h.ID, want, "%s", query)
		related := ids(h.Broader) + " / " + ids(h.Narrower) + " / " + ids(h.MappedTo)
		expect.Is(t, related, map[string]string{
			asthma:     "MESH:D001982 MESH:D008173 / MESH:D055963 MESH:D001250 MESH:D013224 / ",
			infarction: "MESH:D017202 / MESH:D012770 / ",
			drug:       " /  / MESH:D010879 MESH:D011725",
		}[want], "%s: broader, narrower, mapped to", query)
		expect.That(t, h.ArticleCounts != nil && h.ArticleCounts.Exploded > 0 == (want == asthma), "%s: counts %+v", query, h.ArticleCounts)
		expect.Is(t, h.Query, map[string]string{asthma: `"Asthma"[mh]`, infarction: `"Myocardial Infarction"[mh]`,
			drug: `"palbociclib"[nm]`}[want], "%s", query)
	}
	for _, query := range []string{"D999999", "C08.127.999", "zzzz", "[mh]", `"()"`, "* *", "NOT", "zzzz AND", "D00124", "asthma, copd"} {
		_, err := over(t, sourcetest.Network{sourcetest.Sandboxed(t)}).LookupMesh(t.Context(), tools.LookupMeshArgs{Query: query})
		expect.That(t, err != nil && entity.AsError(err).Code == entity.EntityNotFound, "%s: %v", query, err)
		expect.That(t, !strings.Contains(entity.AsError(err).Hint, `"asthma copd"`), "NCBI's spelling finds nothing: %v", err)
	}
}
