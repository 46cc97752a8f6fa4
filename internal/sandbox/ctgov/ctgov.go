// Package ctgov is ClinicalTrials.gov API v2 without a network, over full study
// records and package query.
package ctgov

import (
	"context"
	"fmt"
	"net/http"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/query/api"
	"github.com/biofact-mcp/biofact/internal/reply"
	"github.com/biofact-mcp/biofact/internal/sandbox/records"
)

// Registry answers as ClinicalTrials.gov does. It is safe for concurrent use.
type Registry struct {
	studies *query.Studies
	version string // date of the data set
}

var canonicalID = lazyregexp.New(`^NCT[0-9]{8}$`)

// Read returns the registry over the studies of a folder.
func Read(ctx context.Context, f *records.Folder) (*Registry, error) {
	studies, err := read(ctx, f)
	if err != nil {
		return nil, err
	}
	return newRegistry(studies)
}

// Count returns the number of studies.
func (r *Registry) Count() int { return len(r.studies.Records()) }

func newRegistry(all []record) (*Registry, error) {
	// A data set without a date is older than any other.
	version := "1970-01-01"
	bodies := make([]map[string]any, 0, len(all))
	from := make(map[string]string, len(all))
	for _, s := range all {
		id := query.First(s.body, "NCTId")
		if !canonicalID.MatchString(id) {
			return nil, fmt.Errorf("%s: no NCT id in protocolSection.identificationModule.nctId, but %q", s.from, id)
		}
		if before, twice := from[id]; twice {
			return nil, fmt.Errorf("%s: %s stands already in %s", s.from, id, before)
		}
		from[id] = s.from
		bodies = append(bodies, s.body)
		version = max(version, query.First(s.body, "VersionHolder"))
	}
	return &Registry{studies: query.NewStudies(bodies), version: version}, nil
}

// Answer answers a request. A request that it cannot read gets a 400.
func (r *Registry) Answer(req *http.Request) (reply.Reply, error) {
	return api.Answer(req, r, "the sandbox")
}

// Get implements api.Engine.
func (r *Registry) Get(_ context.Context, id string, fields query.Projection) (study api.Study, known bool, err error) {
	record, canonical, known := r.studies.Get(id)
	if known {
		study.ID = canonical
		study.JSON, err = fields.JSON(record)
	}
	return study, known, err
}

// Search implements api.Engine.
func (r *Registry) Search(ctx context.Context, s *query.Search) (*query.Page, error) {
	return r.studies.Search(ctx, s)
}

// Stamp implements api.Engine.
func (r *Registry) Stamp(context.Context) (string, error) { return r.version + "T09:00:05", nil }
