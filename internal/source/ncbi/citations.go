package ncbi

import (
	"context"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/gen/eutils"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/source"
)

// maxCitations is the maximum number of citations in a request, so that most requests fit into a URL.
const maxCitations = 20

func citationKey(q entrez.CitationQuery) string { return strings.ToLower(q.String()) }

// fetchCitations uses keys of its own, because ECitMatch mixes the rows of equal keys.
func (c *client) fetchCitations(ctx context.Context, queries []entrez.CitationQuery) (source.Reply[entrez.CitationMatch], error) {
	keys := make([]string, len(queries))
	for i := range queries {
		keys[i] = "c" + strconv.Itoa(i+1)
	}
	read := func(body []byte) (map[string]entrez.CitationMatch, error) { return entrez.ReadCitations(body, keys) }
	found, retrieval, err := decodeWith(c, read)(c.ECitMatch(ctx, &eutils.ECitMatchParams{
		Db: pubmedDatabase, Retmode: xmlMode, Bdata: entrez.CitationData(keys, queries),
	}))
	r := reply[entrez.CitationMatch](retrieval)
	for i, q := range queries {
		if match, ok := found[keys[i]]; ok {
			r.Answers[citationKey(q)] = &match
		}
	}
	return r, err
}
