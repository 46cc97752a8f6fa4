package trials

import (
	"context"
	"slices"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
	"github.com/biofact-mcp/biofact/internal/trials/many"
)

// A chosen reads the records of the trials that a call names, or of those of its search.
type chosen[T any] struct {
	tool   string
	read   func(context.Context, []string, *entity.Notes) (map[string]*T, error)
	id     func(*T) string // CURIE
	single string          // the id that the call gives beside them
	ids    []string
	search string
	first  bool // of its pages
}

// readAll returns the trials of a call.
func (c chosen[T]) readAll(ctx context.Context, s *Trials, notes *entity.Notes) (all many.Trials[T], err error) {
	switch {
	case c.single != "":
		return all, envelope.Refuse("nct_id", c.single, "was given together with other trials").
			Again(c.tool, "with %s", tool.Object("nct_id", nil))
	case c.search != "" && c.ids != nil:
		return all, envelope.Refuse("of", c.search, "was given together with nct_ids").Again(c.tool, "with %s", tool.Object("of", nil))
	case c.search != "":
		first := &entity.Notes{} // notices about the search belong to the first page
		if c.first {
			first = notes
		}
		ids, found, err := s.searched(ctx, c.tool, c.search, first)
		notes.Provenance = first.Provenance
		return many.Searched(ids, found, func(ids []string) (map[string]*T, error) {
			records, failure := c.read(ctx, ids, notes)
			_, failure = source.LeaveOut(ids, failure, notes)
			return records, failure
		}), err
	}
	request, err := many.Read(c.tool, c.ids)
	if err != nil {
		return all, err
	}
	known := slices.DeleteFunc(slices.Clone(request.IDs), func(nct string) bool { return nct == filters.PlaceholderNCT })
	records, failure := c.read(ctx, known, notes)
	if request.IDs, err = source.LeaveOut(request.IDs, failure, notes); err != nil {
		return all, err
	}
	found, err := many.Found(request, records, c.id, notes)
	return many.Named(found, c.id), err
}
