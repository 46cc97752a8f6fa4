// Package ncbi reads NCBI Gene and PubMed through the E-utilities: from the store
// where what it keeps is young enough, else from NCBI, in as few requests as will
// do. Its client is private.
package ncbi

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/biofact-mcp/biofact/gen/eutils"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// Options say what NCBI is asked with.
type Options struct {
	source.Access
	// RecordAge and SearchAge are how long kept answers count as current.
	RecordAge, SearchAge time.Duration
}

const (
	maxSummaries = 200 // NCBI allows 500
	maxLinked    = 10  // a record may have tens of thousands of links
	jsonMode     = "json"
	xmlMode      = "xml"
	version      = eutils.Version("2.0")
)

// client makes the requests to the E-utilities.
type client struct {
	*eutils.Client
	title string
}

func newClient(o Options) (*client, error) {
	api, err := eutils.NewClient(o.URL, eutils.WithHTTPClient(o.Requests()))
	return &client{Client: api, title: o.Source.Title}, err
}

// An exchange is how an answer was obtained.
type exchange struct {
	requests int
	fetched  time.Time // by NCBI's clock, or ours where it does not say
}

// reply returns a reply without answers yet.
func reply[T any](made exchange) source.Reply[T] {
	return source.Reply[T]{Answers: map[string]*T{}, Requests: made.requests, Fetched: made.fetched}
}

// read reads the answer of a request whose failures have been classified.
func (c *client) read(resp *http.Response, err error) ([]byte, exchange, error) {
	if err != nil {
		return nil, exchange{requests: 1}, err
	}
	defer resp.Body.Close()
	made := exchange{requests: upstream.Attempts(resp), fetched: upstream.Date(resp)}
	if made.fetched.IsZero() {
		made.fetched = time.Now()
	}
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("status %d", resp.StatusCode)
	}
	if err != nil {
		return nil, made, c.unreadable(err)
	}
	return body, made, nil
}

// unreadable is the error of an answer that makes no sense.
func (c *client) unreadable(cause error) error { return source.Unreadable(c.title, cause) }

// search makes one search.
func (c *client) search(ctx context.Context, params *eutils.ESearchParams) (entrez.Search, exchange, error) {
	body, made, err := c.read(c.ESearch(ctx, params))
	if err != nil {
		return entrez.Search{}, made, err
	}
	found, err := entrez.ReadSearch(body)
	if err != nil {
		return found, made, c.unreadable(err)
	}
	return found, made, nil
}

// id is the key of a question that is an id.
func id(text string) string { return text }
