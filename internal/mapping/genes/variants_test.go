package genes_test

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/genes"
)

func variant(text string) (entity.GeneVariant, error) {
	summary, err := entrez.ReadVariantSummary(json.RawMessage(text))
	if err != nil {
		return entity.GeneVariant{}, err
	}
	return genes.GeneVariant(summary)
}

func TestGeneVariant(t *testing.T) {
	t.Parallel()
	got, err := variant(`{"uid":"12","obj_type":"Deletion","accession":"VCV000000012.3","title":" NM_1:c.1del ","genes":[{"symbol":"A","GeneID":7157}],
		"germline_classification":{"description":"Pathogenic","last_evaluated":"2025/06/24 00:00","review_status":"practice guideline","trait_set":[{"trait_name":"A syndrome"},{}]},
		"clinical_impact_classification":{"description":"Tier I - Strong"},"oncogenicity_classification":{"description":"","last_evaluated":"1/01/01 00:00"},
		"molecular_consequence_list":["frameshift variant"]}`)
	expect.NoError(t, err)
	expect.Equal(t, "variant", entity.GeneVariant{
		VariationID: "12", Accession: "VCV000000012", Name: "NM_1:c.1del", Type: "Deletion", Consequences: []string{"frameshift variant"},
		Significance: "Pathogenic", ReviewStatus: "practice guideline", Conditions: []string{"A syndrome"}, LastEvaluated: "2025-06-24",
		ClinicalImpact: "Tier I - Strong",
	}, got)
	got, err = variant(`{"uid":13,"title":"x","accession":"RCV1","germline_classification":{"description":null,"last_evaluated":"1/01/01 00:00","trait_set":[]}}`)
	expect.NoError(t, err)
	expect.Equal(t, "little", entity.GeneVariant{VariationID: "13", Name: "x"}, got)
	for _, text := range []string{`{"uid":"12"}`, `{"title":"x"}`, `"record removed"`,
		`{"uid":"12","title":"x","germline_classification":"none"}`} {
		if _, err := variant(text); err == nil {
			t.Errorf("%s is a variant", text)
		}
	}
}

// FuzzGeneVariant: any document that decodes is incomplete or a valid record.
func FuzzGeneVariant(f *testing.F) {
	f.Add(`{"uid":"12","title":"x","accession":"VCV1","germline_classification":{"last_evaluated":"2025/06/24 00:00","trait_set":[{"trait_name":"a"}]}}`)
	f.Add(`{"uid":"12","genes":[{"geneid":"0012"}],"molecular_consequence_list":["a",null]}`)
	date, id := regexp.MustCompile(`^([0-9]{4}-[0-9]{2}-[0-9]{2})?$`), regexp.MustCompile(`^[1-9][0-9]*$`)
	f.Fuzz(func(t *testing.T, text string) {
		if v, err := variant(text); err == nil && (!id.MatchString(v.VariationID) || v.Name == "" || !date.MatchString(v.LastEvaluated)) {
			t.Errorf("%+v", v)
		}
	})
}

// TestReadChange: the forms of a change have the spellings of ClinVar, and other text is no change.
func TestReadChange(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]genes.Change{
		"R175H": {"p.Arg175His", "R175H"}, "p.(arg175his)": {"p.Arg175His", "R175H"}, "R213X": {"p.Arg213Ter", "R213*"},
		"NP_000537.3:p.Arg213Ter": {"p.Arg213Ter", "R213*"}, "Thr125=": {"p.Thr125=", "T125="}, "E23fs*17": {"p.Glu23fs", "E23fs"},
		"NM_000546.6(TP53):c.524G>A (p.Arg175His)": {"c.524G>A"}, "TP53 R175H": {"p.Arg175His", "R175H"},
		"NM_000546.6:c.524g>a": {"c.524G>A"}, "c.5266dupC": {"c.5266dup"}, "C.68_69delAG": {"c.68_69del"}, "c.76-2A>T": {"c.76-2A>T"},
		"c.112_117delinstg": {"c.112_117delinsTG"}, "p.Glu746_Ala750del": {"p.Glu746_Ala750del"},
	} {
		got, ok := genes.ReadChange(given)
		expect.That(t, ok, "%s is no change", given)
		expect.Equal(t, given, want, got)
	}
	for _, given := range []string{"", "R175", "175", "TP53", "rs28934578", "c.524", `R175H" OR "a`, "Abc175Xyz", "p.", "R175H R248Q"} {
		got, ok := genes.ReadChange(given)
		expect.That(t, !ok, "%q is the change %v", given, got)
	}
}
