// Package api answers requests to ClinicalTrials.gov API v2 over any engine that can
// search studies: the sandbox and the local mirror answer with the same code.
package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/reply"
)

// An Engine finds studies.
type Engine interface {
	// Get returns the selected part of the study of a canonical or obsolete NCT id; known is false if the engine has no such study.
	Get(ctx context.Context, id string, fields query.Projection) (study Study, known bool, err error)
	// Search returns the page that a search asks for. A BadRequest is the error of a search that the engine
	// does not understand.
	Search(ctx context.Context, s *query.Search) (*query.Page, error)
	// Stamp returns the time stamp of the data, as the registry writes it.
	Stamp(ctx context.Context) (string, error)
}

// A Study is the selected part of a study.
type Study struct {
	ID   string // canonical
	JSON []byte
}

// Answer answers a request over an engine. A request that it does not understand gets a 400, whose
// sentence calls the engine by name. The error is the engine's.
func Answer(req *http.Request, e Engine, name string) (reply.Reply, error) {
	out, err := answer(req, e)
	if bad, ok := errors.AsType[query.BadRequest](err); ok {
		return reply.Text(http.StatusBadRequest, bad.Sentence(name)), nil
	}
	return out, err
}

// answer routes by the end of the path, so that any host and base serve.
func answer(req *http.Request, e Engine) (reply.Reply, error) {
	path := req.URL.Path
	if _, after, found := strings.Cut(path, "/api/v2/"); found {
		path = "/" + after
	}
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
		return fetch(req, e, id)
	case path == "/version":
		return version(req, e)
	}
	return list(req, e)
}

// otherStudiesPath are the documented paths below /studies that are no NCT id
// and that no engine serves.
var otherStudiesPath = map[string]bool{"": true, "metadata": true, "search-areas": true, "enums": true}

// fetch is /studies/{nctId}. An obsolete id is redirected as upstream does it:
// to the canonical path alone, which drops the caller's query string.
func fetch(req *http.Request, e Engine, text string) (reply.Reply, error) {
	id, ok := query.ParseID(text)
	if !ok {
		return reply.Reply{}, query.BadRequest{Reason: "Parameter `nctId` has incorrect format"}
	}
	fields, err := query.ReadFetch(req.URL.RawQuery)
	if err != nil {
		return reply.Reply{}, err
	}
	study, known, err := e.Get(req.Context(), id, fields)
	switch {
	case err != nil:
		return reply.Reply{}, err
	case !known:
		return reply.Text(http.StatusNotFound, fmt.Sprintf("NCT number %s not found", id)), nil
	case study.ID != id:
		location := strings.TrimSuffix(req.URL.Path, text) + study.ID
		return reply.Reply{Status: http.StatusMovedPermanently, Header: http.Header{"Location": {location}}}, nil
	}
	return reply.RawJSON(study.JSON), nil
}

func version(req *http.Request, e Engine) (reply.Reply, error) {
	if err := query.ReadNothing(req.URL.RawQuery); err != nil {
		return reply.Reply{}, err
	}
	stamp, err := e.Stamp(req.Context())
	if err != nil {
		return reply.Reply{}, err
	}
	return reply.JSON(map[string]string{"apiVersion": "2.0.5", "dataTimestamp": stamp})
}

// list is /studies.
func list(req *http.Request, e Engine) (reply.Reply, error) {
	search, err := query.ReadSearch(req.URL.RawQuery)
	if err != nil {
		return reply.Reply{}, err
	}
	page, err := e.Search(req.Context(), search)
	if err != nil {
		return reply.Reply{}, err
	}
	return reply.RawJSON(page.JSON()), nil
}
