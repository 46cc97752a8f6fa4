package source

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// Access is how a source is reached and where its answers are kept.
type Access struct {
	// Source describes it.
	Source Source
	// URL is its base URL.
	URL string
	// Client makes the requests with the source's manners.
	Client *upstream.Client
	// Doer makes them with who asks; nil: Client does.
	Doer Doer
	// Store keeps the answers; nil: none are kept.
	Store *store.Store
	// Observe is told how well requests are saved.
	Observe Observer
}

// Requests returns what makes the requests.
func (a *Access) Requests() Doer {
	if a.Doer != nil {
		return a.Doer
	}
	return a.Client
}

// Keeper returns how answers are kept whose format has a number, which changes
// with what is kept. Part names a part of the source; empty: it has one.
func (a *Access) Keeper(format int, part string) (*Keeper, error) {
	base, err := url.Parse(a.URL)
	if err != nil {
		return nil, err
	}
	prefix := fmt.Sprintf("%d %s", format, strings.TrimSuffix(a.URL, "/"))
	if part != "" {
		prefix += " " + part
	}
	return &Keeper{
		Name: a.Source.Name, Title: a.Source.Title, Prefix: prefix, Store: a.Store, Observe: a.Observe,
		client: a.Client, host: base.Host,
	}, nil
}
