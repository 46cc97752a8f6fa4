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
	// Records and Summaries have genes by id; an unknown gene has no entry.
	Records   *source.Cache[string, GeneRecord]
	Summaries *source.Cache[string, GeneSummary]
	Searches  *source.Cache[Search, entrez.Search]
	// Variants has records of ClinVar by variation id, VariantSearches are its searches.
	Variants        *source.Cache[string, Variant]
	VariantSearches *source.Cache[Search, entrez.Search]

	client *client
	links  map[GeneLink]*source.Cache[string, []string]
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
	g.Records = byID(c, "gene_record", maxGenes, c.fetchGenes)
	g.Summaries = byID(c, "gene_summary", maxSummaries, documentsOf(c, geneDatabase, readGeneSummary))
	for link, kind := range linkKinds {
		g.links[link] = byID(c, kind.kind, maxLinked, func(ctx context.Context, ids []string) (source.Reply[[]string], error) {
			return g.fetchLinks(ctx, link, ids)
		})
	}
	g.Searches = c.searches("gene_search", eutils.ESearchParams{Db: geneDatabase, Sort: new("relevance")}, true, nil)
	g.Variants = byID(c, "variant_summary", maxVariants, documentsOf(c, clinvarDatabase, readVariant))
	g.VariantSearches = c.searches("variant_search", eutils.ESearchParams{Db: clinvarDatabase}, true, c.unknownPhrase)
	return g, nil
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
