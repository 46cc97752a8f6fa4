package entity

// GeneVariants has the fields that get_gene_variants adds to its page: the gene
// and numbers of ClinVar records. Only records on this gene alone count.
type GeneVariants struct {
	// CURIE of the gene.
	GeneID string `json:"gene_id" jsonschema:"pattern=^NCBIGene:[1-9][0-9]*$"`
	// Symbol with which ClinVar was searched.
	Symbol string `json:"symbol" jsonschema:"minLength=1"`
	// Numbers of records; first page only.
	Counts *VariantCounts `json:"counts,omitempty"`
}

// VariantCounts are numbers of records as ClinVar counts them. A record may count
// in several classes, such as one that is Pathogenic/Likely pathogenic.
type VariantCounts struct {
	// All records of the gene, by germline classification.
	Significance []VariantCount `json:"significance,omitempty" jsonschema:"minItems=1"`
	// Records that match significance, by review status.
	ReviewStatus []VariantCount `json:"review_status,omitempty" jsonschema:"minItems=1"`
}

// VariantCount is the number of records of one class.
type VariantCount struct {
	// Class or status, in ClinVar's words.
	Value string `json:"value" jsonschema:"minLength=1"`
	// Number of records.
	Count int `json:"count" jsonschema:"minimum=0"`
}

// GeneVariant is a record of ClinVar.
type GeneVariant struct {
	// Id of the variation. Source: uid.
	VariationID string `json:"variation_id" jsonschema:"pattern=^[1-9][0-9]*$"`
	// Accession of the record. Source: accession.
	Accession string `json:"accession,omitempty" jsonschema:"pattern=^VCV[0-9]+$"`
	// Name, mostly in HGVS notation. Source: title.
	Name string `json:"name" jsonschema:"minLength=1"`
	// Such as Deletion. Source: obj_type.
	Type string `json:"type,omitempty" jsonschema:"minLength=1"`
	// Such as missense variant. Source: molecular_consequence_list.
	Consequences []string `json:"consequences,omitempty" jsonschema:"minItems=1,minLength=1"`
	// Germline classification. Absent where only somatic variants are classified. Source: germline_classification.description.
	Significance string `json:"significance,omitempty" jsonschema:"minLength=1"`
	// Review status of the germline classification. Source: germline_classification.review_status.
	ReviewStatus string `json:"review_status,omitempty" jsonschema:"minLength=1"`
	// Conditions of the germline classification. Source: germline_classification.trait_set.
	Conditions []string `json:"conditions,omitempty" jsonschema:"minItems=1,minLength=1"`
	// YYYY-MM-DD. Source: germline_classification.last_evaluated.
	LastEvaluated string `json:"last_evaluated,omitempty" jsonschema:"pattern=^[0-9]{4}-[0-9]{2}-[0-9]{2}$"`
	// Clinical impact as a somatic variant. Source: clinical_impact_classification.description.
	ClinicalImpact string `json:"clinical_impact,omitempty" jsonschema:"minLength=1"`
	// Oncogenicity as a somatic variant. Source: oncogenicity_classification.description.
	Oncogenicity string `json:"oncogenicity,omitempty" jsonschema:"minLength=1"`
}
