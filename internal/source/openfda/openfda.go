// Package openfda asks openFDA. Its client is private. A query is built from the field names of the generated structure and from quoted
// texts alone: openFDA answers a misspelt field as it answers a search without hits, and a text that is not quoted may change the query.
package openfda

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	api "github.com/biofact-mcp/biofact/gen/openfda"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/store"
)

const (
	format = 1 // of the cached pages
	// fewLeft is the number of requests of a day below which answers say how many are left.
	fewLeft = 100
	// kindUpdated is the kind of the stored days of the endpoints.
	kindUpdated = "updated"
)

// An Endpoint is one of the data sets of openFDA.
type Endpoint string

// The endpoints.
const (
	Labels       Endpoint = "drug/label"
	Applications Endpoint = "drug/drugsfda"
	Products     Endpoint = "drug/ndc"
	Reports      Endpoint = "drug/event"
	Recalls      Endpoint = "drug/enforcement"
	Shortages    Endpoint = "drug/shortages"
	Substances   Endpoint = "other/substance"
)

// A Query is one request.
type Query struct {
	Endpoint Endpoint
	Search   Expression
	// Count is the field whose values are counted; empty: records are returned.
	Count string
	// Sort is a field with its direction, as Descending returns it; empty: the order of openFDA.
	Sort  string
	Limit int
	Skip  int
}

// A Page is the answer to a query.
type Page struct {
	Endpoint Endpoint `json:"endpoint"`
	// Updated is the day of the data of the endpoint; a search without hits does not say it.
	Updated string `json:"updated,omitempty"`
	// Total is the number of records that match; for a count it is zero.
	Total int `json:"total"`
	// Results are records, or groups for a count. A search without hits has no results.
	Results []json.RawMessage `json:"results,omitempty"`
}

// Valid reports whether a stored page can be used.
func (p *Page) Valid() bool { return p.Total >= 0 }

// OpenFDA asks openFDA. It is safe for concurrent use.
type OpenFDA struct {
	client *api.Client
	keeper *source.Keeper
	access source.Access
	pages  *source.Cache[Query, Page]
}

// New returns an OpenFDA. It returns an error for an invalid base URL.
func New(access source.Access) (*OpenFDA, error) {
	client, err := api.NewClient(access.URL, api.WithHTTPClient(access.Requests()))
	if err != nil {
		return nil, err
	}
	keeper, err := access.Keeper(format, "")
	if err != nil {
		return nil, err
	}
	o := &OpenFDA{client: client, keeper: keeper, access: access}
	o.pages = source.NewCache(keeper, source.Kind[Query, Page]{
		Name: "drug_query", Max: 1, Key: Query.key, Current: o.current, Fetch: o.fetch,
	})
	return o, nil
}

// key returns the text that identifies a query.
func (q Query) key() string {
	return strings.Join([]string{string(q.Endpoint), string(q.Search), q.Count, q.Sort, strconv.Itoa(q.Limit), strconv.Itoa(q.Skip)}, "\n")
}

// Ask returns the answer to a query. A search without hits has a page without results.
func (o *OpenFDA) Ask(ctx context.Context, q Query, notes *entity.Notes) (*Page, error) {
	page, err := o.pages.Get(ctx, q, notes)
	if err != nil {
		return nil, err
	}
	if left, limited := o.access.Client.LeftToday(); limited && notes.Provenance.UpstreamRequests > 0 && left < fewLeft {
		notes.Add(fmt.Sprintf("openFDA answers %d more requests of this machine today (UTC); a key, which is free of charge, raises the "+
			"limit (%s).", left, o.access.Source.KeyVariable))
	}
	return page, nil
}

// current reports whether a stored page is that of the newest data: openFDA names the day of the data of an endpoint in every answer.
func (o *OpenFDA) current(ctx context.Context, entry store.Entry, _ *entity.Notes) (bool, error) {
	if source.Within(entry.Stored, source.FreshFor) {
		return true, nil
	}
	var page Page
	if err := json.Unmarshal(entry.Value, &page); err != nil || page.Updated == "" {
		return false, err
	}
	newest, known := o.keeper.Get(ctx, kindUpdated, string(page.Endpoint))
	return known && source.Within(newest.Stored, source.FreshFor) && string(newest.Value) == page.Updated, nil
}

// fetch sends one query.
func (o *OpenFDA) fetch(ctx context.Context, queries []Query) (source.Reply[Page], error) {
	q := queries[0]
	resp, err := o.keeper.Read(o.send(ctx, q))
	reply := source.Reply[Page]{Answers: map[string]*Page{}, Retrieval: resp.Retrieval}
	if err != nil {
		return reply, err
	}
	var body api.Reply
	if err := resp.Decode(&body); err != nil {
		return reply, err
	}
	page := &Page{Endpoint: q.Endpoint, Updated: body.Meta.LastUpdated, Results: body.Results}
	if total := body.Meta.Results.Total; total != nil {
		page.Total = *total
	}
	if resp.Status == http.StatusOK {
		o.keeper.Put(ctx, kindUpdated, string(q.Endpoint), []byte(page.Updated), resp.Fetched)
	}
	reply.Answers[q.key()] = page
	return reply, nil
}

// send sends a query to its endpoint. All endpoints take the same parameters.
func (o *OpenFDA) send(ctx context.Context, q Query) (*http.Response, error) {
	p := api.DrugLabelParams{Limit: &q.Limit}
	for _, text := range []struct {
		from string
		to   **string
	}{{string(q.Search), &p.Search}, {q.Count, &p.Count}, {q.Sort, &p.Sort}} {
		if text.from != "" {
			*text.to = &text.from
		}
	}
	if q.Skip > 0 {
		p.Skip = &q.Skip
	}
	switch q.Endpoint {
	case Applications:
		return o.client.DrugsFDA(ctx, (*api.DrugsFDAParams)(&p))
	case Products:
		return o.client.DrugNDC(ctx, (*api.DrugNDCParams)(&p))
	case Reports:
		return o.client.DrugEvent(ctx, (*api.DrugEventParams)(&p))
	case Recalls:
		return o.client.DrugEnforcement(ctx, (*api.DrugEnforcementParams)(&p))
	case Shortages:
		return o.client.DrugShortages(ctx, (*api.DrugShortagesParams)(&p))
	case Substances:
		return o.client.Substance(ctx, (*api.SubstanceParams)(&p))
	}
	return o.client.DrugLabel(ctx, &p)
}
