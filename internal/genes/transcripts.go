package genes

import (
	"cmp"
	"context"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/source/datasets"
)

// GetGeneTranscripts serves get_gene_transcripts.
func (s *Genes) GetGeneTranscripts(ctx context.Context,
	args tools.GetGeneTranscriptsArgs) (entity.Answer[entity.Page[entity.GeneTranscript]], error) {
	var answer entity.Answer[entity.Page[entity.GeneTranscript]]
	gene, err := readGeneID(tools.GetGeneTranscripts, args.EntrezID)
	if err != nil {
		return answer, err
	}
	at, err := envelope.PageAt(tools.GetGeneTranscripts, gene, args, args.Cursor)
	if err != nil {
		return answer, err
	}
	products, err := s.geneProducts(ctx, gene, &answer.Notes)
	if err != nil {
		return answer, err
	}
	noteReplaced(gene, products.Gene, "transcripts", &answer.Notes)
	answer.Add(products.Notices...)
	if len(products.Transcripts) == 0 {
		answer.Add("NCBI Datasets lists no transcript of " + id.Gene.CURIE(products.Gene) + ".")
	}
	list := envelope.Listing[entity.GeneTranscript]{At: at, Rows: products.Transcripts,
		Key: func(t entity.GeneTranscript) string { return t.Accession }}
	page := list.Page(args.PageSize, &answer.Notes)
	answer.Value.Items, _ = envelope.FitPage(page, "transcripts", s.maxAnswer, &answer.Notes)
	answer.Value.Pagination.PageSize = args.PageSize
	next, more := list.Next(len(answer.Value.Items))
	return answer, envelope.FinishPage(&answer.Value.Pagination, next, more)
}

// geneProducts returns the transcripts of a gene, or of the gene that replaced it. The list is empty for a gene that NCBI knows and NCBI
// Datasets does not.
func (s *Genes) geneProducts(ctx context.Context, gene string, notes *entity.Notes) (products *datasets.Products, err error) {
	current, err := s.followReplacements(ctx, tools.GetGeneTranscripts, gene, notes, func(gene string) (bool, error) {
		products, err = s.sources.Datasets.Products(ctx, gene, notes)
		return products != nil, err
	})
	return cmp.Or(products, &datasets.Products{Gene: current}), err
}
