// Package ctgov is ClinicalTrials.gov API v2 without a network, over full study
// records and package registry.
package ctgov

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/registry"
	"github.com/biofact-mcp/biofact/internal/sandbox/records"
	"github.com/biofact-mcp/biofact/internal/sandbox/reply"
)

// Registry answers as ClinicalTrials.gov does. It is safe for concurrent use.
type Registry struct {
	studies *registry.Studies
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

// newRegistry serves the records.
func newRegistry(all []record) (*Registry, error) {
	// A data set without a date is older than any other.
	version := "1970-01-01"
	bodies := make([]map[string]any, 0, len(all))
	from := make(map[string]string, len(all))
	for _, s := range all {
		id := registry.First(s.body, "NCTId")
		if !canonicalID.MatchString(id) {
			return nil, fmt.Errorf("%s: no NCT id in protocolSection.identificationModule.nctId, but %q", s.from, id)
		}
		if before, twice := from[id]; twice {
			return nil, fmt.Errorf("%s: %s stands already in %s", s.from, id, before)
		}
		from[id] = s.from
		bodies = append(bodies, s.body)
		version = max(version, registry.First(s.body, "VersionHolder"))
	}
	return &Registry{studies: registry.NewStudies(bodies), version: version}, nil
}

// Answer answers a request. A request that it does not understand gets a 400.
func (r *Registry) Answer(req *http.Request) (reply.Reply, error) {
	out, err := r.answer(req)
	if bad, ok := errors.AsType[registry.BadRequest](err); ok {
		return reply.Text(http.StatusBadRequest, bad.Sentence("the sandbox")), nil
	}
	return out, err
}

// answer routes by the end of the path, so that any host and base serve.
func (r *Registry) answer(req *http.Request) (reply.Reply, error) {
	path := strings.TrimPrefix(req.URL.Path, "/api/v2")
	id, single := strings.CutPrefix(path, "/studies/")
	single = single && !strings.Contains(id, "/") && !otherStudiesPath[id]
	if path != "/studies" && path != "/version" && !single {
		return reply.Reply{Status: http.StatusNotFound}, nil
	}
	if req.Method != http.MethodGet && req.Method != "" {
		return reply.Reply{Status: http.StatusMethodNotAllowed}, nil
	}
	switch {
	case single:
		return r.fetch(req, id)
	case path == "/version":
		return r.serveVersion(req)
	}
	return r.list(req)
}

// otherStudiesPath are the documented paths below /studies that are no NCT id
// and that the sandbox does not serve.
var otherStudiesPath = map[string]bool{"": true, "metadata": true, "search-areas": true, "enums": true}

// fetch is /studies/{nctId}. An obsolete id is redirected as upstream does it:
// to the canonical path alone, which drops the caller's query string.
func (r *Registry) fetch(req *http.Request, text string) (reply.Reply, error) {
	id, ok := registry.ParseID(text)
	if !ok {
		return reply.Reply{}, registry.BadRequest{Reason: "Parameter `nctId` has incorrect format"}
	}
	wanted, err := registry.ReadFetch(req.URL.RawQuery)
	if err != nil {
		return reply.Reply{}, err
	}
	study, canonical, known := r.studies.Get(id)
	switch {
	case !known:
		return reply.Text(http.StatusNotFound, fmt.Sprintf("NCT number %s not found", id)), nil
	case canonical != id:
		location := strings.TrimSuffix(req.URL.Path, text) + canonical
		return reply.Reply{Status: http.StatusMovedPermanently, Header: http.Header{"Location": {location}}}, nil
	}
	return reply.JSON(wanted.Project(study))
}

func (r *Registry) serveVersion(req *http.Request) (reply.Reply, error) {
	if err := registry.ReadNothing(req.URL.RawQuery); err != nil {
		return reply.Reply{}, err
	}
	return reply.JSON(map[string]string{"apiVersion": "2.0.5", "dataTimestamp": r.version + "T09:00:05"})
}

// list is /studies.
func (r *Registry) list(req *http.Request) (reply.Reply, error) {
	search, err := registry.ReadSearch(req.URL.RawQuery)
	if err != nil {
		return reply.Reply{}, err
	}
	page, err := r.studies.Search(req.Context(), search)
	if err != nil {
		return reply.Reply{}, err
	}
	return reply.JSON(page)
}
