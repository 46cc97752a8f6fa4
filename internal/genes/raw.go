package genes

import (
	"context"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// Raw returns the record of a gene, also of a replaced or discontinued one.
func (s *Genes) Raw(ctx context.Context, toolName string, ids []string, _ *entity.Notes) ([]byte, error) {
	gene, err := readGeneID(toolName, ids[0])
	if err != nil {
		return nil, err
	}
	record, err := s.sources.Genes.XML(ctx, gene)
	if err == nil && record == nil {
		return nil, geneNotFound(toolName, gene, nil, false)
	}
	return record, err
}
