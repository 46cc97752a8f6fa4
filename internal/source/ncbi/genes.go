package ncbi

import (
	"context"
	"slices"

	"github.com/biofact-mcp/biofact/gen/eutils"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/source"
)

// Genes reads NCBI Gene. It is safe for concurrent use.
type Genes struct {
	client    *client
	records   *source.Cache[string, GeneRecord]  // by gene id
	summaries *source.Cache[string, GeneSummary] // by gene id
	links     map[GeneLink]*source.Cache[string, []string]
	searches  *source.Cache[Search, entrez.Search]

	variants        *source.Cache[string, Variant] // by variation id
	variantSearches *source.Cache[Search, entrez.Search]
}

// A GeneLink is a kind of links between genes and articles, by NCBI's name.
type GeneLink string

// The kinds of links.
const (
	GeneArticles GeneLink = "gene_pubmed"
	GeneRIFs     GeneLink = "gene_pubmed_rif" // articles of GeneRIFs
	ArticleGenes GeneLink = "pubmed_gene"
)

// linkKinds has the cache names of the links, and their databases.
var linkKinds = map[GeneLink]struct{ kind, from, to string }{
	GeneArticles: {"gene_links", geneDatabase, pubmedDatabase},
	GeneRIFs:     {"gene_rifs", geneDatabase, pubmedDatabase},
	ArticleGenes: {"article_genes", pubmedDatabase, geneDatabase},
}

// NewGenes returns a reader of NCBI Gene. An invalid base URL is an error.
func NewGenes(access source.Access) (*Genes, error) {
	c, err := newClient(access, geneFormat, geneDatabase)
	if err != nil {
		return nil, err
	}
	g := &Genes{client: c, links: map[GeneLink]*source.Cache[string, []string]{}}
	g.records = byID(c, "gene_record", maxGenes, c.fetchGenes)
	g.summaries = byID(c, "gene_summary", maxSummaries, documentsOf(c, geneDatabase, readGeneSummary))
	for link, kind := range linkKinds {
		g.links[link] = byID(c, kind.kind, maxLinked, func(ctx context.Context, ids []string) (source.Reply[[]string], error) {
			return g.fetchLinks(ctx, link, ids)
		})
	}
	g.searches = c.searches("gene_search", eutils.ESearchParams{Db: geneDatabase, Sort: new("relevance")}, true, nil)
	g.variants = byID(c, "variant_summary", maxVariants, documentsOf(c, clinvarDatabase, readVariant))
	g.variantSearches = c.searches("variant_search", eutils.ESearchParams{Db: clinvarDatabase}, true, c.unknownPhrase)
	return g, nil
}

// Record returns the record of a gene by its id, or nil if the gene does not exist.
func (g *Genes) Record(ctx context.Context, id string, notes *entity.Notes) (*GeneRecord, error) {
	return g.records.Get(ctx, id, notes)
}

// Records returns the records of several genes by id. An unknown gene has no entry.
func (g *Genes) Records(ctx context.Context, ids []string, notes *entity.Notes) (map[string]*GeneRecord, error) {
	return g.records.GetAll(ctx, ids, notes)
}

// Summary returns the document summary of a gene by its id, or nil if the gene does not exist.
func (g *Genes) Summary(ctx context.Context, id string, notes *entity.Notes) (*GeneSummary, error) {
	return g.summaries.Get(ctx, id, notes)
}

// Summaries returns the document summaries of several genes by id. An unknown gene has no entry.
func (g *Genes) Summaries(ctx context.Context, ids []string, notes *entity.Notes) (map[string]*GeneSummary, error) {
	return g.summaries.GetAll(ctx, ids, notes)
}

// Linked returns the ids that a gene or an article is linked to, in descending order. NCBI gives the same answer for a record without links
// and for an unknown id.
func (g *Genes) Linked(ctx context.Context, link GeneLink, id string, notes *entity.Notes) ([]string, error) {
	links, err := g.links[link].Get(ctx, id, notes)
	if err != nil || links == nil {
		return nil, err
	}
	ids := slices.DeleteFunc(*links, func(id string) bool { return id == "" })
	noteLost(len(*links)-len(ids), notes)
	return ids, nil
}

// Search returns the result of a search.
func (g *Genes) Search(ctx context.Context, search Search, notes *entity.Notes) (*entrez.Search, error) {
	return g.searches.Get(ctx, search, notes)
}

func (g *Genes) fetchLinks(ctx context.Context, link GeneLink, ids []string) (source.Reply[[]string], error) {
	kind := linkKinds[link]
	read := func(body []byte) (map[string][]string, error) { return entrez.ReadLinks(body, string(link)) }
	links, retrieval, err := decodeWith(g.client, read)(g.client.ELink(ctx, &eutils.ELinkParams{
		Dbfrom: kind.from, Db: kind.to, Retmode: jsonMode, Linkname: new(string(link)), Cmd: new("neighbor"), Id: ids,
	}))
	r := reply[[]string](retrieval)
	if err != nil {
		return r, err
	}
	for _, id := range ids {
		r.Answers[id] = nil                                                             // not in the response
		if list, answered := links[id]; answered && (len(list) == 0 || list[0] != "") { // sorted: the first is empty if all are
			list = append([]string{}, list...) // a record without links has an empty list
			r.Answers[id] = &list
		}
	}
	return r, nil
}

// SearchVariants returns the result of a search of ClinVar.
func (g *Genes) SearchVariants(ctx context.Context, search Search, notes *entity.Notes) (*entrez.Search, error) {
	return g.variantSearches.Get(ctx, search, notes)
}

// Variants returns records of ClinVar by their ids. An unknown id has no entry.
func (g *Genes) Variants(ctx context.Context, ids []string, notes *entity.Notes) (map[string]*Variant, error) {
	return g.variants.GetAll(ctx, ids, notes)
}
