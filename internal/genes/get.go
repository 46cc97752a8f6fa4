package genes

import (
	"context"
	"slices"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
)

// GetGene serves get_gene.
func (s *Genes) GetGene(ctx context.Context, args tools.GetGeneArgs) (entity.Answer[entity.Gene], error) {
	var answer entity.Answer[entity.Gene]
	current, err := readGeneID(tools.GetGene, args.EntrezID)
	if err != nil {
		return answer, err
	}
	var replaces, sections []string
	for {
		record, err := s.sources.Genes.Records.Get(ctx, current, &answer.Notes)
		if err != nil {
			return answer, err
		}
		if record == nil || record.Discontinued || len(replaces) > maxReplaced {
			return answer, geneNotFound(tools.GetGene, current, replaces, record != nil)
		}
		if record.Current == "" || slices.Contains(replaces, record.Current) {
			answer.Add(record.Notices...)
			if answer.Encoded, sections, err = s.onRequest(ctx, record, args.Sections, &answer.Notes); err != nil {
				return answer, err
			}
			break
		}
		replaces = append(replaces, current)
		current = record.Current
	}
	if len(replaces) > 0 {
		answer.Encoded, err = edited(answer.Encoded, func(gene *entity.Gene) {
			for _, old := range replaces {
				gene.Replaces = append(gene.Replaces, id.Gene.CURIE(old))
			}
		})
		answer.Add(id.Gene.CURIE(replaces[0]) + " was replaced by this record, " + id.Gene.CURIE(current) + ".")
	}
	answer.Encoded = envelope.Pick(geneSections(), answer.Encoded, sections, &answer.Notes)
	if err != nil || len(answer.Encoded)+envelope.ReservedBytes <= s.maxAnswer {
		return answer, err
	}
	answer.Encoded, err = edited(answer.Encoded, func(gene *entity.Gene) {
		answer.Add(envelope.CutRecord(envelope.Fit(gene, s.maxAnswer), id.Gene.URL(gene.CrossReferences.Entrez))...)
	})
	return answer, err
}
