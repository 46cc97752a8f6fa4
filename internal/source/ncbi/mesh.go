package ncbi

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/biofact-mcp/biofact/gen/eutils"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/source"
)

// Mesh reads MeSH. It is safe for concurrent use.
type Mesh struct {
	client   *client
	searches *source.Cache[meshSearch, entrez.Search]
	terms    *source.Cache[string, entrez.MeshSummary] // by uid
}

// A meshSearch requests the first Max matching terms.
type meshSearch struct {
	Term string
	Max  int
}

const (
	meshFormat   = 1 // increase it when the cached terms change
	meshDatabase = "mesh"
)

// NewMesh returns a reader of MeSH. An invalid base URL is an error.
func NewMesh(o Options) (*Mesh, error) {
	c, err := newClient(o, meshFormat, meshDatabase)
	if err != nil {
		return nil, err
	}
	m := &Mesh{client: c}
	m.searches = source.NewCache(c.Keeper, source.Kind[meshSearch, entrez.Search]{
		Name: "mesh_search", Max: 1, Key: meshSearch.key, Current: source.ByAge(o.SearchAge), Fetch: m.fetchSearch,
	})
	m.terms = source.NewCache(c.Keeper, source.Kind[string, entrez.MeshSummary]{
		Name: "mesh_term", Max: maxSummaries, Key: id, Current: source.ByAge(o.RecordAge), Fetch: m.fetchTerms,
	})
	return m, nil
}

func (s meshSearch) key() string { return fmt.Sprintf("%d %s", s.Max, s.Term) }

// search returns the uids of the matching terms.
func (m *Mesh) search(ctx context.Context, search meshSearch, notes *entity.Notes) ([]string, error) {
	found, err := m.searches.Get(ctx, search, notes)
	if err != nil {
		return nil, err
	}
	return found.IDs, nil
}

// Terms returns some terms by uid.
func (m *Mesh) Terms(ctx context.Context, uids []string, notes *entity.Notes) (map[string]*entrez.MeshSummary, error) {
	return m.terms.GetAll(ctx, uids, notes)
}

func (m *Mesh) fetchSearch(ctx context.Context, searches []meshSearch) (source.Reply[entrez.Search], error) {
	s := searches[0]
	params := &eutils.ESearchParams{Db: meshDatabase, Retmode: jsonMode, Term: s.Term, Retmax: &s.Max}
	found, retrieval, err := decodeWith(m.client, entrez.ReadSearch)(m.client.ESearch(ctx, params))
	r := reply[entrez.Search](retrieval)
	r.Answers[s.key()] = &found
	return r, err
}

func (m *Mesh) fetchTerms(ctx context.Context, uids []string) (source.Reply[entrez.MeshSummary], error) {
	return fetchDocuments(ctx, m.client, meshDatabase, uids, meshTermOf)
}

// meshTermOf reads a document, or returns nil if it cannot be read.
func meshTermOf(document json.RawMessage) *entrez.MeshSummary {
	term, err := entrez.ReadMeshSummary(document)
	if err != nil {
		return nil
	}
	return term
}
