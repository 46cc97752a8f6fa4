// Package ncbi reads NCBI's databases with the E-utilities, through the cache and with as few requests as possible. Its client is private.
package ncbi

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/biofact-mcp/biofact/gen/eutils"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/source"
)

const (
	maxSummaries = 200 // NCBI allows 500
	maxLinked    = 10  // a record may have tens of thousands of links
	jsonMode     = "json"
	xmlMode      = "xml"
	version      = eutils.Version("2.0")
)

// client sends requests to the E-utilities, and has the cache settings of a database.
type client struct {
	*eutils.Client
	*source.Keeper
	access source.Access
}

// newClient returns a client for a database. format is the version of its cached data.
func newClient(access source.Access, format int, database string) (*client, error) {
	api, err := eutils.NewClient(access.URL, eutils.WithHTTPClient(access.Requests()))
	if err != nil {
		return nil, err
	}
	keeper, err := access.Keeper(format, database)
	return &client{api, keeper, access}, err
}

func byID[T any](
	c *client, name string, most int, fetch func(context.Context, []string) (source.Reply[T], error),
) *source.Cache[string, T] {
	return source.NewCache(c.Keeper, source.Kind[string, T]{
		Name: name, Max: most, Key: func(id string) string { return id }, Current: source.ByAge(c.access.RecordAge), Fetch: fetch,
	})
}

// A Search requests the ids that match a term, in NCBI's order: at most Max of them, from row From on.
type Search struct {
	Term      string
	From, Max int
}

func (s Search) key() string { return fmt.Sprintf("%d %d %s", s.From, s.Max, s.Term) }

// searches returns a cache of searches. All have params; from says whether they name their first row. wrong returns why an answer cannot be
// right; nil: every answer may be.
func (c *client) searches(
	name string, params eutils.ESearchParams, from bool, wrong func(*entrez.Search) error,
) *source.Cache[Search, entrez.Search] {
	fetch := func(ctx context.Context, searches []Search) (source.Reply[entrez.Search], error) {
		s, params := searches[0], params
		params.Retmode, params.Term, params.Retmax = jsonMode, s.Term, &s.Max
		if from {
			params.Retstart = &s.From
		}
		found, retrieval, err := decodeWith(c, entrez.ReadSearch)(c.ESearch(ctx, &params))
		if err == nil && wrong != nil {
			err = wrong(&found)
		}
		r := reply[entrez.Search](retrieval)
		r.Answers[s.key()] = &found
		return r, err
	}
	return source.NewCache(c.Keeper, source.Kind[Search, entrez.Search]{
		Name: name, Max: 1, Key: Search.key, Current: source.ByAge(c.access.SearchAge), Fetch: fetch,
	})
}

// reply returns an empty reply.
func reply[T any](retrieval source.Retrieval) source.Reply[T] {
	return source.Reply[T]{Answers: map[string]*T{}, Retrieval: retrieval}
}

// read returns the body of a response, and classifies failures. If the response has no date, it is dated now.
func (c *client) read(resp *http.Response, err error) ([]byte, source.Retrieval, error) {
	answer, err := c.Read(resp, err)
	if answer.Status != 0 && answer.Fetched.IsZero() {
		answer.Fetched = time.Now()
	}
	if err == nil && answer.Status != http.StatusOK {
		err = c.Unreadable(fmt.Errorf("status %d", answer.Status))
	}
	return answer.Body, answer.Retrieval, err
}

// decodeWith returns a function that decodes a response with a reader of package entrez.
func decodeWith[T any](c *client, reader func([]byte) (T, error)) func(*http.Response, error) (T, source.Retrieval, error) {
	return func(resp *http.Response, err error) (value T, retrieval source.Retrieval, _ error) {
		body, retrieval, err := c.read(resp, err)
		if err != nil {
			return value, retrieval, err
		}
		if value, err = reader(body); err != nil {
			return value, retrieval, c.Unreadable(err)
		}
		return value, retrieval, nil
	}
}

// ignoreRefusal returns nil for a refusal, which means that no id of the request exists.
func ignoreRefusal(err error) error {
	if source.Refused(err) {
		return nil
	}
	return err
}

// noteLost adds a notice about links that cannot be read.
func noteLost(links int, notes *entity.Notes) {
	if links > 0 {
		notes.Add(fmt.Sprintf("Links of NCBI without a readable id were left out: %d.", links))
	}
}
