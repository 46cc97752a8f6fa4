package ncbi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/eutils"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/mapping/genes"
	"github.com/biofact-mcp/biofact/internal/source"
)

const (
	clinvarDatabase = "clinvar"
	maxVariants     = 100 // a document has about 5 kB
)

// A Variant is a cached record of ClinVar.
type Variant struct {
	Record  entity.GeneVariant `json:"record"` // without id if the document is incomplete
	GeneIDs []string           `json:"gene_ids,omitempty"`
}

// SearchVariants returns the result of a search of ClinVar.
func (g *Genes) SearchVariants(ctx context.Context, search VariantSearch, notes *entity.Notes) (*entrez.Search, error) {
	return g.variantSearches.Get(ctx, search, notes)
}

// Variants returns records of ClinVar by their ids. An unknown id has no entry.
func (g *Genes) Variants(ctx context.Context, ids []string, notes *entity.Notes) (map[string]*Variant, error) {
	return g.variants.GetAll(ctx, ids, notes)
}

// A VariantSearch requests the ids of ClinVar that match a term: at most Max of them, from row From on.
type VariantSearch struct {
	Term      string
	From, Max int
}

func (s VariantSearch) key() string { return fmt.Sprintf("%d %d %s", s.From, s.Max, s.Term) }

func (g *Genes) fetchVariantSearch(ctx context.Context, searches []VariantSearch) (source.Reply[entrez.Search], error) {
	s := searches[0]
	found, retrieval, err := decodeWith(g.client, entrez.ReadSearch)(g.client.ESearch(ctx, &eutils.ESearchParams{
		Db: clinvarDatabase, Retmode: jsonMode, Term: s.Term, Retstart: &s.From, Retmax: &s.Max,
	}))
	r := reply[entrez.Search](retrieval)
	if err == nil && found.Count == 0 && hasUnknownPhrase(&found) {
		err = g.client.Unreadable(errors.New("zero hits of a search with a phrase or field that was not found"))
	}
	r.Answers[s.key()] = &found
	return r, err
}

// hasUnknownPhrase reports whether ClinVar did not know a field or a property of a search, so that zero hits say nothing about the gene. An
// unknown symbol does not count.
func hasUnknownPhrase(found *entrez.Search) bool {
	phrases := slices.Concat(found.PhrasesNotFound, found.QuotedPhrasesNotFound, found.PhrasesIgnored)
	return len(found.FieldsNotFound) > 0 || slices.ContainsFunc(phrases, func(phrase string) bool {
		return !strings.Contains(strings.ToLower(phrase), "[gene")
	})
}

func (g *Genes) fetchVariants(ctx context.Context, ids []string) (source.Reply[Variant], error) {
	return fetchDocuments(ctx, g.client, clinvarDatabase, ids, variantOf)
}

// variantOf maps a document, or returns nil if it cannot be read.
func variantOf(document json.RawMessage) *Variant {
	summary, err := entrez.ReadVariantSummary(document)
	if err != nil {
		return nil
	}
	record, err := genes.GeneVariant(summary)
	if err != nil {
		return &Variant{}
	}
	return &Variant{Record: record, GeneIDs: summary.GeneIDs}
}
