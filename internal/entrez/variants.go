package entrez

import (
	"encoding/json"
	"fmt"
	"strings"
)

// VariantSummary is the ESummary document of a record of ClinVar.
type VariantSummary struct {
	UID, Accession, Title string       // the UID is the variation id
	Type                  string       `json:"obj_type"`
	Consequences          []string     `json:"molecular_consequence_list"`
	ProteinChange         string       `json:"protein_change"` // R175H, R43H, in the transcripts
	Genes                 []VariantOf  `json:"genes"`
	Germline              VariantClass `json:"germline_classification"`
	Impact                VariantClass `json:"clinical_impact_classification"` // of a somatic variant
	Oncogenicity          VariantClass `json:"oncogenicity_classification"`    // of a somatic variant
}

// VariantOf is a gene that a variant is in.
type VariantOf struct{ GeneID string }

// VariantClass is ClinVar's classification of a variant, aggregated from all submissions of a kind. Texts are "" if absent.
type VariantClass struct {
	Description   string
	ReviewStatus  string         `json:"review_status"`
	LastEvaluated string         `json:"last_evaluated"`
	Traits        []VariantTrait `json:"trait_set"`
}

// VariantTrait is a condition that a variant was classified for.
type VariantTrait struct {
	Name string `json:"trait_name"`
}

// Names returns the names of the conditions.
func (c *VariantClass) Names() (names []string) {
	for _, trait := range c.Traits {
		if trait.Name != "" {
			names = append(names, trait.Name)
		}
	}
	return names
}

// GeneIDs returns the ids of the genes.
func (v *VariantSummary) GeneIDs() (ids []string) {
	for _, gene := range v.Genes {
		if id := strings.TrimLeft(gene.GeneID, "0"); isNumber(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// ReadVariantSummary reads a document of ReadSummaries for db clinvar.
func ReadVariantSummary(doc json.RawMessage) (*VariantSummary, error) {
	v := &VariantSummary{}
	if err := readJSON(doc, v); err != nil {
		return nil, fmt.Errorf("the ESummary of a variant: %w", err)
	}
	return v, nil
}
