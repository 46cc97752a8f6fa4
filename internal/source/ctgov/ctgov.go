// Package ctgov reads ClinicalTrials.gov through its API v2: from the store if its entry is still exact, else from the registry, with few
// requests. Its client is private.
package ctgov

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	api "github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mirror"
	"github.com/biofact-mcp/biofact/internal/place"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

const (
	// format is the version of the cached values: increase it when Record, Results, Page or Spots changes, and so when the mapping changes.
	format = 6
	// MaxIDs limits the ids of one request, because a URL has a maximum length.
	MaxIDs = 100
	// MaxPage is the largest page that the registry returns.
	MaxPage = 1000
	// MaxQuery limits the query of a URL, in bytes. The registry's proxy answers 414 to a request line above 8 kB, and a page token must
	// fit as well.
	MaxQuery = 7500
)

// ErrTooLong is in the chain of the error of a request that is too long for the registry.
var ErrTooLong = upstream.ErrTooLong

// Registry reads ClinicalTrials.gov. It is safe for concurrent use.
type Registry struct {
	client  *client
	stamps  *stamps
	records *source.Cache[string, Record]  // by NCT id
	results *source.Cache[string, Results] // by NCT id
	pages   *source.Cache[Search, Page]
	places  *source.Cache[place.Place, Spots]
	tallies *source.Cache[Tally, TallyPage]
	mirror  *local
}

// Options configure a Registry.
type Options struct {
	source.Access
	// Mirror is a local copy of the registry; nil: none.
	Mirror *Mirror
}

// New returns a registry. An invalid base URL is an error.
func New(o Options) (*Registry, error) {
	access := o.Access
	if o.Mirror != nil && o.Mirror.Only {
		access.Store = nil // stored answers are not those of the mirror
	}
	requests, err := api.NewClient(access.URL, api.WithHTTPClient(access.Requests()))
	if err != nil {
		return nil, err
	}
	keeper, err := access.Keeper(format, "")
	if err != nil {
		return nil, err
	}
	r := &Registry{client: &client{requests, keeper, keeper.Title}}
	r.stamps = newStamps(r.client)
	if o.Mirror != nil {
		if r.mirror, err = newLocal(o.Mirror, r.stamps, keeper, access.URL); err != nil {
			return nil, err
		}
	}
	r.records = source.NewCache(keeper, source.Kind[string, Record]{
		Name: "trial", Max: MaxIDs, Key: func(id string) string { return id }, Current: r.stamps.exact,
		Fetch: live(r, fetchRecords), Local: fromMirror(r, nil, fetchRecords),
	})
	r.results = source.NewCache(keeper, source.Kind[string, Results]{
		Name: "trial results", Max: maxResults, Key: func(id string) string { return id }, Current: r.stamps.exact,
		Fetch: live(r, fetchResults), Local: fromMirror(r, nil, fetchResults),
	})
	r.pages = source.NewCache(keeper, source.Kind[Search, Page]{
		Name: "search", Max: 1, Key: searchKey, Current: r.stamps.exact,
		Fetch: live(r, fetchPage), Local: fromMirror(r, func(s Search) *Query { return s.Query }, fetchPage),
	})
	r.tallies = source.NewCache(keeper, source.Kind[Tally, TallyPage]{
		Name: "count", Max: 1, Key: tallyKey, Current: r.stamps.exact,
		Fetch: live(r, fetchTally), Local: fromMirror(r, func(t Tally) *Query { return t.Query }, fetchTally),
	})
	r.places = source.NewCache(keeper, source.Kind[place.Place, Spots]{
		Name: "place", Max: 1, Key: place.Place.String,
		Current: func(context.Context, store.Entry, *entity.Notes) (bool, error) { return true, nil },
		Fetch:   live(r, fetchPlace), Local: fromMirror(r, nil, fetchPlace),
	})
	return r, nil
}

// A client sends the requests to the registry.
type client struct {
	*api.Client
	*source.Keeper
	name string // of the registry or of its mirror
}

// A Refusal is the message of the registry, or of its mirror, that it could not read a request (status 400).
type Refusal struct {
	By, Sentence string
	// NoIndex reports that the mirror has no index for a part of the search.
	NoIndex bool
}

// Error returns the message.
func (r *Refusal) Error() string { return r.By + " refused the request: " + r.Sentence }

// Refused marks the error as a rejection of the request itself.
func (*Refusal) Refused() {}

// read returns the answer to a request. If the registry rejects the request, the error has a Refusal in its chain.
func (c *client) read(resp *http.Response, err error) (source.Response, error) {
	answer, err := c.Read(resp, err)
	if resp != nil {
		answer.Revision = resp.Header.Get(mirror.RevisionHeader)
	}
	if err != nil || answer.Status == http.StatusOK {
		return answer, err
	}
	sentence := strings.TrimSpace(string(answer.Body))
	refusal := &Refusal{By: c.name, Sentence: sentence}
	e := c.Unreadable(refusal)
	subject := strings.ToUpper(c.name[:1]) + c.name[1:]
	e.Message = fmt.Sprintf("%s did not understand the request of Biofact (status %d).", subject, answer.Status)
	e.Hint = "This is not an empty result, and the arguments are not the cause: the same call will fail again. " +
		"The operator of Biofact should update it; its log has the reply."
	if reason, noIndex := strings.CutPrefix(sentence, mirror.Name+" "); noIndex {
		refusal.NoIndex = true
		e.Message = subject + " cannot answer this search: it " + reason + "."
		e.Hint = "This is not an empty result, and the same call will fail again. The operator of Biofact can set BIOFACT_MIRROR to exact."
	}
	return answer, e
}

// listStudies sends the one request that all trial tools use.
func (c *client) listStudies(ctx context.Context, query *Query) (*api.PagedStudies, source.Retrieval, error) {
	var page api.PagedStudies
	answer, err := c.read(c.ListStudies(ctx, query))
	if err == nil {
		err = answer.Decode(&page)
	}
	if err == nil {
		if wrong := contradiction(query, &page); wrong != "" {
			err = c.Unreadable(errors.New(wrong))
		}
	}
	return &page, answer.Retrieval, err
}

// contradiction returns the reason why a page cannot be correct, or "".
func contradiction(query *Query, page *api.PagedStudies) string {
	total, studies := page.TotalCount, len(page.Studies)
	switch {
	case page.Studies == nil:
		return "an answer without a list of studies"
	case total != nil && (*total < 0 || int(*total) < studies):
		return "a total below the number of studies"
	case total != nil && *total > 0 && studies == 0 && page.NextPageToken == "" && query.PageToken == nil:
		return "a total without studies"
	case query.PageToken != nil && page.NextPageToken == *query.PageToken:
		return "a page whose token leads to itself"
	}
	return ""
}
