package source

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// Access has the connection to a source and the store for its answers.
type Access struct {
	// Source describes the source.
	Source Source
	// URL is its base URL.
	URL string
	// Client sends the requests by the policy of the source.
	Client *upstream.Client
	// Doer sends the requests with the identity of the caller; nil: Client does.
	Doer Doer
	// Store stores the answers; nil: no answer is stored.
	Store *store.Store
	// RecordAge and SearchAge are how long cached records and searches are current, unless the source says when its data change.
	RecordAge, SearchAge time.Duration
	// Observe receives metrics about the cache and the batches.
	Observe Observer
}

// Requests returns the Doer for requests.
func (a *Access) Requests() Doer {
	if a.Doer != nil {
		return a.Doer
	}
	return a.Client
}

// Keeper returns the settings for the caches of the source. format is the version of the stored values: increase it when their encoding
// changes. part names a part of the source, such as a database; empty: the source has one part.
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
