package genes

import (
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

// GeneVariant maps the ESummary of a record of ClinVar. The only error is
// ErrIncomplete.
func GeneVariant(s *entrez.VariantSummary) (entity.GeneVariant, error) {
	v := entity.GeneVariant{
		VariationID: text.Clean(s.UID), Name: text.Clean(s.Title), Type: text.Clean(s.Type), Consequences: text.CleanAll(s.Consequences),
		Significance: text.Clean(s.Germline.Description), ReviewStatus: text.Clean(s.Germline.ReviewStatus),
		Conditions: text.CleanAll(s.Germline.Names()), LastEvaluated: evaluated(s.Germline.LastEvaluated),
		ClinicalImpact: text.Clean(s.Impact.Description), Oncogenicity: text.Clean(s.Oncogenicity.Description),
	}
	if accession, _, _ := strings.Cut(text.Clean(s.Accession), "."); vcv.MatchString(accession) {
		v.Accession = accession
	}
	if !pmid.MatchString(v.VariationID) || v.Name == "" {
		return entity.GeneVariant{}, text.ErrIncomplete
	}
	return v, nil
}

var (
	vcv = lazyregexp.New(`^VCV[0-9]+$`)
	// evaluatedOn matches 2025/06/24 00:00. A record that was never evaluated has 1/01/01.
	evaluatedOn = lazyregexp.New(`^([1-9][0-9]{3})[/-]([0-9]{2})[/-]([0-9]{2})\b`)
)

// evaluated returns a date without the time, which is midnight in all records.
func evaluated(when string) string {
	m := evaluatedOn.FindStringSubmatch(text.Clean(when))
	if m == nil {
		return ""
	}
	return strings.Join(m[1:], "-")
}
