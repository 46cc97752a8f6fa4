package mapping

import (
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// GeneVariant maps the ESummary of a record of ClinVar. The only error is
// ErrIncomplete.
func GeneVariant(s *entrez.VariantSummary) (entity.GeneVariant, error) {
	v := entity.GeneVariant{
		VariationID: clean(s.UID), Name: clean(s.Title), Type: clean(s.Type), Consequences: cleanAll(s.Consequences),
		Significance: clean(s.Germline.Description), ReviewStatus: clean(s.Germline.ReviewStatus), Conditions: cleanAll(s.Germline.Traits),
		LastEvaluated:  evaluated(s.Germline.LastEvaluated),
		ClinicalImpact: clean(s.Impact.Description), Oncogenicity: clean(s.Oncogenicity.Description),
	}
	if accession, _, _ := strings.Cut(clean(s.Accession), "."); vcv.MatchString(accession) {
		v.Accession = accession
	}
	if !pmid.MatchString(v.VariationID) || v.Name == "" {
		return entity.GeneVariant{}, ErrIncomplete
	}
	return v, nil
}

var (
	vcv = lazyregexp.New(`^VCV[0-9]+$`)
	// evaluatedOn matches 2025/06/24 00:00. A record that was never evaluated has 1/01/01.
	evaluatedOn = lazyregexp.New(`^([1-9][0-9]{3})[/-]([0-9]{2})[/-]([0-9]{2})\b`)
)

// evaluated returns a date without the time, which is midnight in all records.
func evaluated(text string) string {
	m := evaluatedOn.FindStringSubmatch(clean(text))
	if m == nil {
		return ""
	}
	return strings.Join(m[1:], "-")
}
