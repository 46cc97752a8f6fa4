// Package genes serves the tools for genes: searches, records, orthologs, transcripts, variants. It uses NCBI through its packages alone,
// and knows neither trials nor articles.
package genes

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
	"github.com/biofact-mcp/biofact/internal/sources"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// Genes serves the tools for genes. It is safe for concurrent use.
type Genes struct {
	sources   sources.Sources
	maxAnswer int
}

// New returns the tools for genes. maxAnswer limits an answer in bytes.
func New(from sources.Sources, maxAnswer int) *Genes { return &Genes{from, maxAnswer} }

// edited decodes the JSON of a gene, applies change, and encodes the gene again.
func edited(encoded []byte, change func(*entity.Gene)) ([]byte, error) {
	var gene entity.Gene
	if err := json.Unmarshal(encoded, &gene); err != nil {
		return nil, err
	}
	change(&gene)
	return entity.JSON(gene)
}

// maxReplaced limits a chain of replacements.
const maxReplaced = 5

// geneNotFound returns the error for an id without a current record.
func geneNotFound(toolName, gene string, replaces []string, discontinued bool) *entity.Error {
	given, curie := id.Gene.CURIE(append(replaces, gene)[0]), id.Gene.CURIE(gene)
	if discontinued {
		return envelope.Refuse("", given, "NCBI has discontinued the gene %s and names no other in its place", curie).
			As(entity.EntityNotFound).Hint("The record was withdrawn; do not try the id again. To look for a current gene call "+
			"search_genes with the symbol or name that you know, then %s with the id of a result.", toolName)
	}
	return envelope.Refuse("", given, "NCBI has no gene %s", curie).As(entity.EntityNotFound).
		Hint("Check the digits of the id at its source. To find the gene call search_genes with its symbol or name, then %s with the id "+
			"of a result.", toolName)
}

// GetPubMedLinks serves get_pubmed_links.
func (s *Genes) GetPubMedLinks(
	ctx context.Context, args tools.GetPubMedLinksArgs,
) (entity.Answer[entity.Page[entity.PubMedLink]], error) {
	var answer entity.Answer[entity.Page[entity.PubMedLink]]
	requested, err := readGeneID(tools.GetPubMedLinks, args.EntrezID)
	if err != nil {
		return answer, err
	}
	link := ncbi.GeneArticles
	if args.Generif {
		link = ncbi.GeneRIFs
	}
	at, err := envelope.PageAt(tools.GetPubMedLinks, []any{requested, link}, args, args.Cursor)
	if err != nil {
		return answer, err
	}
	var pmids []string
	current, err := s.followReplacements(ctx, tools.GetPubMedLinks, requested, &answer.Notes, func(gene string) (_ bool, err error) {
		pmids, err = s.sources.Genes.Linked(ctx, link, gene, &answer.Notes)
		return len(pmids) > 0, err // NCBI returns the same empty list for a gene without articles and for an unknown gene
	})
	if err != nil {
		return answer, err
	}
	noteReplaced(requested, current, "articles", &answer.Notes)
	list := envelope.Listing[string]{At: at, Rows: pmids, Key: func(pmid string) string { return pmid },
		Past: func(pmid, last string) bool { return entrez.CompareIDs(pmid, last) < 0 }}
	var links []entity.PubMedLink
	for _, pmid := range list.Page(args.Limit, &answer.Notes) {
		links = append(links, entity.PubMedLink{PMID: pmid})
	}
	links, _ = envelope.FitPage(links, "PMIDs", s.maxAnswer, &answer.Notes)
	answer.Value.Items = links
	answer.Value.Pagination.PageSize = args.Limit
	if len(pmids) == 0 {
		answer.Add(noLinksNotice(link, current))
	}
	next, more := list.Next(len(links))
	return answer, envelope.FinishPage(&answer.Value.Pagination, next, more)
}

// noLinksNotice returns the notice for a gene without articles of a kind.
func noLinksNotice(link ncbi.GeneLink, gene string) string {
	if link == ncbi.GeneRIFs {
		return "NCBI has no GeneRIF for this gene. For its other articles call get_pubmed_links with " +
			tool.Object("entrez_id", id.Gene.CURIE(gene)) + "."
	}
	return "NCBI links no article to this gene."
}

// followReplacements calls find for a gene. If find finds nothing, it looks up the gene, and if the gene was replaced, it calls find for
// its replacement. It returns the last gene. An unknown or discontinued gene is an error.
func (s *Genes) followReplacements(ctx context.Context, toolName, gene string, notes *entity.Notes,
	find func(gene string) (found bool, err error)) (string, error) {
	var replaces []string
	for {
		if found, err := find(gene); err != nil || found {
			return gene, err
		}
		summary, err := s.sources.Genes.Summaries.Get(ctx, gene, notes)
		if err != nil {
			return gene, err
		}
		if summary == nil || summary.Discontinued || len(replaces) > maxReplaced {
			return gene, geneNotFound(toolName, gene, replaces, summary != nil)
		}
		if summary.Current == "" || slices.Contains(replaces, summary.Current) {
			return gene, nil
		}
		replaces = append(replaces, gene)
		gene = summary.Current
	}
}

// noteReplaced adds a notice if an answer has the articles, or other facts, of the gene that replaced the requested one.
func noteReplaced(requested, current, what string, notes *entity.Notes) {
	if current != requested {
		notes.Add(id.Gene.CURIE(requested) + " was replaced by " + id.Gene.CURIE(current) + ", whose " + what + " these are.")
	}
}

// geneSections returns the sections of get_gene.
var geneSections = sync.OnceValue(envelope.SectionsOf[entity.Gene])
