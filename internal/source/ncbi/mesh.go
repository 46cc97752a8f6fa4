package ncbi

import (
	"github.com/biofact-mcp/biofact/gen/eutils"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/source"
)

// Mesh reads MeSH. It is safe for concurrent use.
type Mesh struct {
	searches *source.Cache[Search, entrez.Search]
	Terms    *source.Cache[string, entrez.MeshSummary] // by uid
}

const (
	meshFormat   = 2 // increase it when the cached terms change
	meshDatabase = "mesh"
)

// NewMesh returns a reader of MeSH. An invalid base URL is an error.
func NewMesh(access source.Access) (*Mesh, error) {
	c, err := newClient(access, meshFormat, meshDatabase)
	if err != nil {
		return nil, err
	}
	return &Mesh{
		searches: c.searches("mesh_search", eutils.ESearchParams{Db: meshDatabase}, false, nil),
		Terms:    byID(c, "mesh_term", maxSummaries, documentsOf(c, meshDatabase, entrez.ReadMeshSummary)),
	}, nil
}
