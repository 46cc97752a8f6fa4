// Package ncbi reads NCBI's databases with the E-utilities, through the cache and with as few requests as possible. Its client is private.
package ncbi

import (
	"fmt"
	"net/http"
	"time"

	"github.com/biofact-mcp/biofact/gen/eutils"
	"github.com/biofact-mcp/biofact/internal/source"
)

// Options are the settings of the readers.
type Options struct {
	source.Access
	// RecordAge and SearchAge are how long cached answers are current.
	RecordAge, SearchAge time.Duration
}

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
}

// newClient returns a client for a database. format is the version of its cached data.
func newClient(o Options, format int, database string) (*client, error) {
	api, err := eutils.NewClient(o.URL, eutils.WithHTTPClient(o.Requests()))
	if err != nil {
		return nil, err
	}
	keeper, err := o.Keeper(format, database)
	return &client{api, keeper}, err
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

// id is the cache key for an id.
func id(text string) string { return text }
