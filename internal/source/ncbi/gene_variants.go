package ncbi

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/mapping/genes"
)

const (
	clinvarDatabase = "clinvar"
	maxVariants     = 100 // a document has about 5 kB
)

// A Variant is a cached record of ClinVar.
type Variant struct {
	Record  entity.GeneVariant `json:"record"` // without id if the document is incomplete
	GeneIDs []string           `json:"gene_ids,omitempty"`
	Changes []string           `json:"changes,omitempty"` // of the sequence, see genes.Changes
}

// unknownPhrase returns an error for zero hits of a search of ClinVar with a phrase that was not found.
func (c *client) unknownPhrase(found *entrez.Search) error {
	if found.Count == 0 && hasUnknownPhrase(found) {
		return c.Unreadable(errors.New("zero hits of a search with a phrase or field that was not found"))
	}
	return nil
}

// hasUnknownPhrase reports whether ClinVar did not know a field or a property of a search, so that zero hits say nothing about the gene. An
// unknown symbol or change does not count.
func hasUnknownPhrase(found *entrez.Search) bool {
	phrases := slices.Concat(found.PhrasesNotFound, found.QuotedPhrasesNotFound, found.PhrasesIgnored)
	return len(found.FieldsNotFound) > 0 || slices.ContainsFunc(phrases, func(phrase string) bool {
		_, change := genes.ReadChange(strings.Trim(phrase, `"`))
		return !change && !strings.Contains(strings.ToLower(phrase), "[gene")
	})
}

// readVariant maps a document. A document that is too incomplete for a variant still shows that the variant exists.
func readVariant(document json.RawMessage) (*Variant, error) {
	summary, err := entrez.ReadVariantSummary(document)
	if err != nil {
		return nil, err
	}
	record, err := genes.GeneVariant(summary)
	if err != nil {
		return &Variant{}, nil //nolint:nilerr // an incomplete variant is one
	}
	return &Variant{Record: record, GeneIDs: summary.GeneIDs(), Changes: genes.Changes(summary)}, nil
}
