package ncbi

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

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
	links     *source.Cache[string, []string]    // PMIDs by gene id
	searches  *source.Cache[GeneSearch, entrez.Search]
}

const (
	geneFormat   = 1  // changes with what is kept of genes, and so with the mapping
	maxGenes     = 20 // a record may have 16 MB
	geneDatabase = "gene"
	pubmedLinks  = "gene_pubmed"
)

// A GeneRecord is a gene as it is kept: mapped, or where it leads to.
type GeneRecord struct {
	Gene         json.RawMessage `json:"gene,omitempty"` // an entity.Gene, as it is answered
	Notices      []string        `json:"notices,omitempty"`
	Current      string          `json:"current,omitempty"`      // id of the record that replaces this one
	Discontinued bool            `json:"discontinued,omitempty"` // and nothing replaces it
}

// Valid reports whether it holds a gene or what became of it.
func (r *GeneRecord) Valid() bool {
	return r.Discontinued || r.Current != "" || strings.HasPrefix(string(r.Gene), "{")
}

// A GeneSummary is what is kept of the document summary of a gene.
type GeneSummary struct {
	Candidate    entity.GeneSearchCandidate `json:"candidate"` // without id: the document says too little for one
	Aliases      []string                   `json:"aliases,omitempty"`
	TaxonID      int                        `json:"taxon_id,omitempty"`
	Current      string                     `json:"current,omitempty"`
	Discontinued bool                       `json:"discontinued,omitempty"`
}

// A GeneSearch asks for the ids that match a term, in NCBI's order of relevance:
// at most Max of them from row From on.
type GeneSearch struct {
	Term      string
	From, Max int
}

// NewGenes returns a reader of NCBI Gene. A base URL that cannot be one is an
// error.
func NewGenes(o Options) (*Genes, error) {
	c, err := newClient(o)
	if err != nil {
		return nil, err
	}
	keeper, err := o.Keeper(geneFormat, geneDatabase)
	if err != nil {
		return nil, err
	}
	g := &Genes{client: c}
	byAge := source.ByAge(o.RecordAge)
	g.records = source.NewCache(keeper, source.Kind[string, GeneRecord]{Name: "gene_record", Max: maxGenes, Key: id, Current: byAge, Fetch: g.fetchRecords})
	g.summaries = source.NewCache(keeper, source.Kind[string, GeneSummary]{Name: "gene_summary", Max: maxSummaries, Key: id, Current: byAge, Fetch: g.fetchSummaries})
	g.links = source.NewCache(keeper, source.Kind[string, []string]{Name: "gene_links", Max: maxLinked, Key: id, Current: byAge, Fetch: g.fetchLinks})
	g.searches = source.NewCache(keeper, source.Kind[GeneSearch, entrez.Search]{
		Name: "gene_search", Max: 1, Key: GeneSearch.key, Current: source.ByAge(o.SearchAge), Fetch: g.fetchSearch,
	})
	return g, nil
}

// Record returns the record of a gene by its id; nil: there is none.
func (g *Genes) Record(ctx context.Context, id string, notes *entity.Notes) (*GeneRecord, error) {
	return g.records.Get(ctx, id, notes)
}

// Summary returns the document summary of a gene by its id; nil: there is none.
func (g *Genes) Summary(ctx context.Context, id string, notes *entity.Notes) (*GeneSummary, error) {
	return g.summaries.Get(ctx, id, notes)
}

// Summaries returns the document summaries of several genes by id. A gene
// without one has no entry.
func (g *Genes) Summaries(ctx context.Context, ids []string, notes *entity.Notes) (map[string]*GeneSummary, error) {
	return g.summaries.GetAll(ctx, ids, notes)
}

// PMIDs returns the articles that are linked to a gene, by falling number. NCBI
// answers alike for a gene without links and for no gene.
func (g *Genes) PMIDs(ctx context.Context, id string, notes *entity.Notes) ([]string, error) {
	links, err := g.links.Get(ctx, id, notes)
	if err != nil || links == nil {
		return nil, err
	}
	return *links, nil
}

// Search returns the result of a search.
func (g *Genes) Search(ctx context.Context, search GeneSearch, notes *entity.Notes) (*entrez.Search, error) {
	return g.searches.Get(ctx, search, notes)
}

func (s GeneSearch) key() string { return fmt.Sprintf("%d %d %s", s.From, s.Max, s.Term) }

func (g *Genes) fetchSearch(ctx context.Context, searches []GeneSearch) (source.Reply[entrez.Search], error) {
	s := searches[0]
	found, made, err := g.client.search(ctx, &eutils.ESearchParams{
		Db: geneDatabase, Retmode: jsonMode, Term: s.Term, Sort: new("relevance"), Retstart: &s.From, Retmax: &s.Max,
	})
	r := reply[entrez.Search](made)
	r.Answers[s.key()] = &found
	return r, err
}

func (g *Genes) fetchLinks(ctx context.Context, ids []string) (source.Reply[[]string], error) {
	body, made, err := g.client.read(g.client.ELink(ctx, &eutils.ELinkParams{
		Dbfrom: geneDatabase, Db: "pubmed", Retmode: jsonMode, Linkname: new(pubmedLinks), Cmd: new("neighbor"), Id: ids,
	}))
	r := reply[[]string](made)
	if err != nil {
		return r, err
	}
	links, err := entrez.ReadLinks(body, pubmedLinks)
	if err != nil {
		return r, g.client.unreadable(err)
	}
	for _, id := range ids {
		r.Answers[id] = nil // unless NCBI says something of it
		if list, answered := links[id]; answered {
			list = append([]string{}, list...) // a gene without links has none, which is an answer
			r.Answers[id] = &list
		}
	}
	return r, nil
}
