package ncbi

import (
	"context"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/gen/eutils"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/source"
)

// maxCitations bounds the citations of one request, so that most fit into a URL.
const maxCitations = 20

func citationKey(q entrez.CitationQuery) string { return strings.ToLower(q.String()) }

// Cited returns what ECitMatch says about some places in journals, in their order.
// Nil: it left the row out, which says nothing.
func (a *Articles) Cited(ctx context.Context, queries []entrez.CitationQuery, notes *entity.Notes) ([]*entrez.CitationMatch, error) {
	found, err := a.citations.GetAll(ctx, queries, notes)
	if err != nil {
		return nil, err
	}
	list := make([]*entrez.CitationMatch, len(queries))
	for i, q := range queries {
		list[i] = found[citationKey(q)]
	}
	return list, nil
}

// fetchCitations asks under keys of its own: a key that comes twice mixes answers.
func (a *Articles) fetchCitations(ctx context.Context, queries []entrez.CitationQuery) (source.Reply[entrez.CitationMatch], error) {
	keys := make([]string, len(queries))
	for i := range queries {
		keys[i] = "c" + strconv.Itoa(i+1)
	}
	read := func(body []byte) (map[string]entrez.CitationMatch, error) { return entrez.ReadCitations(body, keys) }
	found, made, err := decodeWith(a.client, read)(a.client.ECitMatch(ctx, &eutils.ECitMatchParams{
		Db: pubmedDatabase, Retmode: xmlMode, Bdata: entrez.CitationData(keys, queries),
	}))
	r := reply[entrez.CitationMatch](made)
	for i, q := range queries {
		if match, ok := found[keys[i]]; ok {
			r.Answers[citationKey(q)] = &match
		}
	}
	return r, err
}
