// Package ncbi reads NCBI Gene and PubMed through the E-utilities: from the store
// where what it keeps is young enough, else from NCBI, in as few requests as will
// do. Its client is private.
package ncbi

import (
	"fmt"
	"net/http"
	"time"

	"github.com/biofact-mcp/biofact/gen/eutils"
	"github.com/biofact-mcp/biofact/internal/source"
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

// client makes the requests to the E-utilities, and knows how answers about a
// database are kept.
type client struct {
	*eutils.Client
	*source.Keeper
}

// newClient returns a client for a database, whose answers are kept in a format.
func newClient(o Options, format int, database string) (*client, error) {
	api, err := eutils.NewClient(o.URL, eutils.WithHTTPClient(o.Requests()))
	if err != nil {
		return nil, err
	}
	keeper, err := o.Keeper(format, database)
	return &client{api, keeper}, err
}

// reply returns a reply without answers yet.
func reply[T any](made source.Exchange) source.Reply[T] {
	return source.Reply[T]{Answers: map[string]*T{}, Exchange: made}
}

// read returns the answer to a request whose failures have been classified. Where
// NCBI does not say when it answered, it was now.
func (c *client) read(resp *http.Response, err error) ([]byte, source.Exchange, error) {
	answer, err := c.Read(resp, err)
	if answer.Status != 0 && answer.Fetched.IsZero() {
		answer.Fetched = time.Now()
	}
	if err == nil && answer.Status != http.StatusOK {
		err = c.Unreadable(fmt.Errorf("status %d", answer.Status))
	}
	return answer.Body, answer.Exchange, err
}

// as reads the answer to a request by a reader of package entrez.
func decodeWith[T any](c *client, reader func([]byte) (T, error)) func(*http.Response, error) (T, source.Exchange, error) {
	return func(resp *http.Response, err error) (value T, made source.Exchange, _ error) {
		body, made, err := c.read(resp, err)
		if err != nil {
			return value, made, err
		}
		if value, err = reader(body); err != nil {
			return value, made, c.Unreadable(err)
		}
		return value, made, nil
	}
}

// unlessRefused returns nil for a refusal: no id of the request is one.
func ignoreRefusal(err error) error {
	if source.Refused(err) {
		return nil
	}
	return err
}

// id is the key of a question that is an id.
func id(text string) string { return text }
