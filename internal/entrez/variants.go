package entrez

import (
	"encoding/json"
	"fmt"
	"strings"
)

// VariantSummary is the ESummary document of a record of ClinVar.
type VariantSummary struct {
	UID                  string // the variation id
	Accession, Title     string
	Type                 string // obj_type
	Consequences         []string
	ProteinChange        string // protein_change: R175H, R43H, in the transcripts
	GeneIDs              []string
	Germline             VariantClass
	Impact, Oncogenicity VariantClass // of somatic variants
}

// VariantClass is ClinVar's classification of a variant, aggregated from all submissions of a kind. Texts are "" if absent.
type VariantClass struct {
	Description, ReviewStatus, LastEvaluated string
	Traits                                   []string
}

// ReadVariantSummary reads a document of ReadSummaries for db clinvar.
func ReadVariantSummary(doc json.RawMessage) (*VariantSummary, error) {
	type class struct {
		Description   scalar `json:"description"`
		ReviewStatus  scalar `json:"review_status"`
		LastEvaluated scalar `json:"last_evaluated"`
		Traits        []struct {
			Name scalar `json:"trait_name"`
		} `json:"trait_set"`
	}
	var d struct {
		UID          scalar                    `json:"uid"`
		Accession    scalar                    `json:"accession"`
		Title        scalar                    `json:"title"`
		Type         scalar                    `json:"obj_type"`
		Consequences scalars                   `json:"molecular_consequence_list"`
		Protein      scalar                    `json:"protein_change"`
		Genes        []struct{ GeneID scalar } `json:"genes"`
		Germline     class                     `json:"germline_classification"`
		Impact       class                     `json:"clinical_impact_classification"`
		Oncogenicity class                     `json:"oncogenicity_classification"`
	}
	if err := json.Unmarshal(doc, &d); err != nil {
		return nil, fmt.Errorf("the ESummary of a variant: %w", err)
	}
	read := func(c class) VariantClass {
		out := VariantClass{Description: c.Description.text(), ReviewStatus: c.ReviewStatus.text(), LastEvaluated: c.LastEvaluated.text()}
		for _, trait := range c.Traits {
			if name := trait.Name.text(); name != "" {
				out.Traits = append(out.Traits, name)
			}
		}
		return out
	}
	v := &VariantSummary{
		UID: d.UID.text(), Accession: d.Accession.text(), Title: d.Title.text(), Type: d.Type.text(), Consequences: d.Consequences,
		ProteinChange: d.Protein.text(), Germline: read(d.Germline), Impact: read(d.Impact), Oncogenicity: read(d.Oncogenicity),
	}
	for _, gene := range d.Genes {
		if id := strings.TrimLeft(gene.GeneID.text(), "0"); isNumber(id) {
			v.GeneIDs = append(v.GeneIDs, id)
		}
	}
	return v, nil
}
