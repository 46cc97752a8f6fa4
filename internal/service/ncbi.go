package service

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/gen/eutils"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// ncbi is what the sources at NCBI have in common: the E-utilities, one budget
// of requests, and answers that are kept for a time.
type ncbi struct {
	Options
	client     *eutils.Client
	identified *entrez.Identified
	host       string
}

const (
	ncbiName     = "NCBI"
	maxSummaries = 200 // NCBI allows 500
	jsonMode     = "json"
	xmlMode      = "xml"
	kindSearch   = "search"
)

func newNCBI(o Options) (*ncbi, error) {
	base, err := url.Parse(o.EUtilsURL)
	if err != nil {
		return nil, err
	}
	identified := &entrez.Identified{Next: o.EUtils, Tool: o.NCBITool, Email: o.NCBIEmail, APIKey: o.NCBIAPIKey}
	client, err := eutils.NewClient(o.EUtilsURL, eutils.WithHTTPClient(identified))
	if err != nil {
		return nil, err
	}
	return &ncbi{Options: o, client: client, identified: identified, host: base.Host}, nil
}

// shelf keeps the answers about one database. They count as current by their age.
func (n *ncbi) shelf(database string, format int) shelf {
	return shelf{
		source: ncbiName, store: n.Store,
		prefix:  fmt.Sprintf("%d %s %s", format, strings.TrimSuffix(n.EUtilsURL, "/"), database),
		observe: n.Observe, name: database,
		exact: func(_ context.Context, kind string, kept store.Entry, _ *entity.Provenance) (bool, error) {
			age := n.RecordAge
			switch {
			case string(kept.Value) == string(absent):
				age = knownFor
			case kind == kindSearch:
				age = n.SearchAge
			}
			return within(kept.Stored, age), nil
		},
	}
}

// batch joins lookups of one kind that wait for their turn at NCBI.
func (n *ncbi) batch(s *shelf, most int, kind string, ask fetch) *upstream.Batch[exchange] {
	turn := func(ctx context.Context) (context.Context, error) { return n.EUtils.Turn(ctx, n.host) }
	return s.batch(most, kind, turn, ask)
}

// eSearch makes one search.
func (n *ncbi) eSearch(ctx context.Context, params *eutils.ESearchParams) (entrez.Search, exchange, error) {
	body, made, err := readEUtils(n.client.ESearch(ctx, params))
	if err != nil {
		return entrez.Search{}, made, err
	}
	found, err := entrez.ReadSearch(body)
	if err != nil {
		return found, made, nonsense(ncbiName, err)
	}
	return found, made, nil
}

// readEUtils reads the answer of a request whose failures are told already.
func readEUtils(resp *http.Response, err error) ([]byte, exchange, error) {
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
		return nil, made, nonsense(ncbiName, err)
	}
	return body, made, nil
}
