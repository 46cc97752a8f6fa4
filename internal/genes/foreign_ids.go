package genes

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
	"github.com/biofact-mcp/biofact/internal/tool"
)

const (
	// maxMentions limits the genes that are looked up because their records contain an id.
	maxMentions = 20
	// maxVerified limits the records that are read to find the gene that states an id as its own.
	maxVerified = 5
)

// matchForeign finds the gene of an id of another database. NCBI searches for the id as text, and other records may contain it too. If NCBI
// finds several genes, only those count whose record states the id as its own.
func (s *Genes) matchForeign(ctx context.Context, list *geneList, n *geneName, notes *entity.Notes) (geneMatch, error) {
	term := `"` + n.foreign + `"`
	if n.kind == id.OMIM {
		term = strings.TrimPrefix(n.foreign, id.OMIM.CURIE("")) + "[mim]"
	}
	found, err := s.sources.Genes.Searches.Get(ctx, ncbi.Search{Term: term + list.within, Max: maxMentions}, notes)
	if err != nil {
		return geneMatch{}, err
	}
	summaries, err := s.sources.Genes.Summaries.GetAll(ctx, found.IDs, notes)
	ids, err := source.LeaveOut(found.IDs, err, notes)
	if err != nil {
		return geneMatch{}, err
	}
	maps.Copy(list.summaries, summaries)
	match := geneMatch{ids: ids}
	if len(match.ids) < 2 {
		return match, nil
	}
	if n.symbol == "" && n.kind == id.UniProt && slices.ContainsFunc(match.ids, func(gene string) bool {
		return summaries[gene] != nil && tierOf(summaries[gene], n.text) < 2 // P2RY10 is a symbol
	}) {
		return geneMatch{}, nil
	}
	own, err := s.ownGenes(ctx, n, match.ids, summaries, notes)
	if err != nil {
		return geneMatch{}, err
	}
	if own == nil {
		match.ambiguous = true
		return match, nil
	}
	return geneMatch{ids: own}, nil
}

// ownGenes returns the genes whose records state an id as their own.
func (s *Genes) ownGenes(ctx context.Context, n *geneName, ids []string, summaries map[string]*ncbi.GeneSummary,
	notes *entity.Notes) (own []string, err error) {
	var records map[string]*ncbi.GeneRecord
	if n.kind != id.OMIM { // the summaries have OMIM ids
		if records, err = s.sources.Genes.Records.GetAll(ctx, ids[:min(maxVerified, len(ids))], notes); err != nil {
			return nil, err
		}
	}
	for _, gene := range ids {
		if statesID(n, summaries[gene], records[gene]) {
			own = append(own, gene)
		}
	}
	return own, nil
}

// statesID reports whether a gene states an id as its own.
func statesID(n *geneName, summary *ncbi.GeneSummary, record *ncbi.GeneRecord) bool {
	if n.kind == id.OMIM {
		return summary != nil && slices.Contains(summary.OMIM, strings.TrimPrefix(n.foreign, id.OMIM.CURIE("")))
	}
	var gene entity.Gene
	if record == nil || json.Unmarshal(record.Gene, &gene) != nil {
		return false
	}
	refs := gene.CrossReferences
	return n.foreign == refs.EnsemblGene || n.foreign == refs.HGNC || slices.Contains(refs.UniProt, n.foreign)
}

// genesByID answers a query that consists of ids only. It also finds replaced and discontinued records.
func (s *Genes) genesByID(ctx context.Context, ids []string, args geneWords) (answer geneCandidates, err error) {
	if len(ids) > args.PageSize {
		return answer, envelope.Refuse("query", args.Query, "holds %d ids, more than page_size allows", len(ids)).
			Hint("Call search_genes with fewer ids or a larger page_size, up to 200.")
	}
	if _, err := envelope.PageAt(tools.SearchGenes, ids, args.SearchGenesArgs, args.Cursor); err != nil {
		return answer, err // a list of ids has one page only
	}
	found, err := s.sources.Genes.Summaries.GetAll(ctx, ids, &answer.Notes)
	if ids, err = source.LeaveOut(ids, err, &answer.Notes); err != nil {
		return answer, err
	}
	answer.Add("The query was read as NCBI Gene ids.")
	if args.Organism != "" {
		answer.Add("organism was ignored: the query is a gene id.")
	}
	answer.Value.Items = candidatesOf(ids, found, 0, 0, &answer.Notes)
	answer.Value.Pagination = entity.Pagination{PageSize: args.PageSize, TotalCount: new(len(answer.Value.Items))}
	return answer, nil
}

// genesOfArticle answers the genes that NCBI links to an article, in ascending order of id: genes of human and mouse have smaller ids than
// those of genomes that were sequenced later.
func (s *Genes) genesOfArticle(ctx context.Context, args geneWords) (answer geneCandidates, err error) {
	if args.Query != "" {
		return answer, envelope.Refuse("pmid", args.Pmid, "cannot be combined with query").
			Hint("For the genes of the article call search_genes with %s.", tool.Object("pmid", args.Pmid))
	}
	pmid, err := envelope.ReadPMID(tools.SearchGenes, args.Pmid)
	if err != nil {
		return answer, pmidArgumentError(err)
	}
	at, err := envelope.PageAt(tools.SearchGenes, "PMID:"+pmid, args.SearchGenesArgs, args.Cursor)
	if err != nil {
		return answer, err
	}
	genes, err := s.sources.Genes.Linked(ctx, ncbi.ArticleGenes, pmid, &answer.Notes)
	if err != nil {
		return answer, err
	}
	if len(genes) == 0 { // NCBI returns the same empty list for an unknown article
		known, err := s.sources.Articles.Briefs.GetAll(ctx, []string{pmid}, &answer.Notes)
		if err != nil {
			return answer, err
		}
		if known[pmid] == nil {
			return answer, pmidArgumentError(envelope.NoArticle(tools.SearchGenes, pmid))
		}
		answer.Add("NCBI links no gene to this article.")
	}
	slices.Reverse(genes)
	if args.Organism != "" {
		answer.Add("organism was ignored: all genes of the article are listed.")
	}
	list := envelope.Listing[string]{At: at, Rows: genes, Key: func(gene string) string { return gene },
		Past: func(gene, last string) bool { return entrez.CompareIDs(gene, last) > 0 }}
	ids := list.Page(args.PageSize, &answer.Notes)
	found, err := s.sources.Genes.Summaries.GetAll(ctx, ids, &answer.Notes)
	read, err := source.LeaveOut(ids, err, &answer.Notes)
	if err != nil {
		return answer, err
	}
	page := &answer.Value
	page.Items = candidatesOf(read, found, list.Start, 2, &answer.Notes)
	items, left := envelope.FitPage(page.Items, "candidates", s.maxAnswer, &answer.Notes)
	if page.Items = items; len(left) > 0 {
		ids = ids[:slices.Index(ids, strings.TrimPrefix(left[0].ID, id.Gene.CURIE("")))]
	}
	page.Pagination.PageSize = args.PageSize
	next, more := list.Next(len(ids))
	return answer, envelope.FinishPage(&page.Pagination, next, more)
}

// pmidArgumentError turns the error for an id into one for the argument pmid: the published contract of search_genes does not have the
// error codes of tools that take ids, such as UNRESOLVED_ENTITY.
func pmidArgumentError(err error) error {
	e := *entity.AsError(err)
	e.Code, e.Message = entity.InvalidInput, "pmid: "+e.Message
	return &e
}
