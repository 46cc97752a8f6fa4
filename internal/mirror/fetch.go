package mirror

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/internal/upstream"
)

// A Doer makes requests to the registry, at its pace.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

const (
	// largestPage is the largest page that the registry gives.
	largestPage = 1000
	// idsAtOnce bounds the ids of a request by the length of its URL.
	idsAtOnce = 100
	// maxVersion is the number of bytes that are read of the date of the data.
	maxVersion = 10_000
	// pageTime bounds the time of one request: a page of whole records is large.
	pageTime = 10 * time.Minute
)

// A registryClient makes requests to the registry and counts them.
type registryClient struct {
	do       Doer
	base     string
	size     int // of a page
	requests int
}

func newClient(do Doer, base string) *registryClient {
	return &registryClient{do: do, base: base, size: largestPage}
}

// A Refused is the error of a request that the registry refused, with the registry's message.
type Refused struct {
	Status   int
	Sentence string
}

func (r *Refused) Error() string {
	return fmt.Sprintf("the registry refused the request (status %d): %s", r.Status, r.Sentence)
}

// get makes a request. It calls read with the body of a success, once for each attempt.
func (c *registryClient) get(ctx context.Context, path string, query url.Values, read func(io.Reader) error) error {
	ctx, cancel := context.WithTimeout(ctx, pageTime)
	defer cancel()
	address := c.base + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	bodyRead := false
	ctx = upstream.Reading(ctx, func(body io.Reader) error {
		bodyRead = true
		return read(body)
	})
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	resp, err := c.do.Do(req)
	if err != nil {
		c.requests++
		return err
	}
	defer resp.Body.Close()
	c.requests += upstream.Attempts(resp)
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 500)) // the reason, as far as it can be read
		return &Refused{resp.StatusCode, strings.TrimSpace(string(text))}
	}
	if !bodyRead { // a plain http.Client does not read the body
		return read(resp.Body)
	}
	return nil
}

// version returns the time stamp of the registry's data.
func (c *registryClient) version(ctx context.Context) (string, error) {
	var v struct {
		Stamp string `json:"dataTimestamp"`
	}
	err := c.get(ctx, "/version", nil, func(body io.Reader) error {
		return json.NewDecoder(io.LimitReader(body, maxVersion)).Decode(&v)
	})
	if err != nil {
		return "", err
	}
	_, valid := dayOf(v.Stamp[:min(len(v.Stamp), len("yyyy-mm-dd"))])
	if !valid || strings.Trim(v.Stamp, "0123456789-:.TZ") != "" {
		err = errors.New("the registry sent no date of its data")
	}
	return v.Stamp, err
}

// updatedBetween returns the filter of the studies that were last updated between two days, both included. A day that is empty is an open
// end. The filter of the whole registry is "".
func updatedBetween(from, to string) string {
	if from == "" && to == "" {
		return ""
	}
	return "AREA[LastUpdatePostDate]RANGE[" + cmp.Or(from, "MIN") + "," + cmp.Or(to, "MAX") + "]"
}

// A pageQuery has the parameters of a page of studies.
type pageQuery struct {
	filter string
	ids    []string
	fields string
	sort   string
	size   int
	token  string
	total  bool
}

func (q pageQuery) values() url.Values {
	v := url.Values{"pageSize": {strconv.Itoa(q.size)}}
	set := func(name, value string) {
		if value != "" {
			v.Set(name, value)
		}
	}
	set("filter.advanced", q.filter)
	set("filter.ids", strings.Join(q.ids, ","))
	set("fields", q.fields)
	set("sort", q.sort)
	set("pageToken", q.token)
	if q.total {
		v.Set("countTotal", "true")
	}
	return v
}

// A page has the number of studies of a page, the total and the token of the next page.
type page struct {
	studies int
	total   int // -1: unknown
	next    string
}

// A handler gets the studies of a page one by one. Start is called before the first study of each attempt.
// An error of either ends the page and is returned unchanged.
type handler struct {
	start func() error
	study func(raw []byte) error
}

// page requests a page of studies.
func (c *registryClient) page(ctx context.Context, q pageQuery, h handler) (p page, err error) {
	var own error // of the handler, not of the registry
	err = c.get(ctx, "/studies", q.values(), func(body io.Reader) error {
		p, own = page{total: -1}, nil
		if h.start != nil {
			if own = h.start(); own != nil {
				return nil //nolint:nilerr // own is returned below
			}
		}
		err := p.read(body, func(raw []byte) error {
			if h.study != nil {
				own = h.study(raw)
			}
			return own
		})
		if own != nil {
			return nil //nolint:nilerr // own is returned below
		}
		return err
	})
	if own != nil {
		err = own
	}
	return p, err
}

// count returns the number of the studies of a filter.
func (c *registryClient) count(ctx context.Context, filter string) (int, error) {
	p, err := c.page(ctx, pageQuery{filter: filter, fields: "NCTId", size: 1, total: true}, handler{})
	if err == nil && p.total < 0 {
		err = errors.New("the registry sent no number of studies")
	}
	return p.total, err
}

// listed is a study of a list of ids.
type listed struct {
	id  int64
	day int64 // of its last update
}

// ids lists the studies of a filter.
func (c *registryClient) ids(ctx context.Context, filter string) (all []listed, err error) {
	q := pageQuery{filter: filter, fields: "NCTId|LastUpdatePostDate", sort: "LastUpdatePostDate:asc", size: c.size, total: true}
	var bound pageBound
	for {
		p, err := c.page(ctx, q, handler{study: func(raw []byte) error {
			body, err := decode(raw)
			if err != nil {
				return err
			}
			id, ok := numberOf(first(body, "NCTId"))
			if !ok {
				return errors.New("a study without an NCT id")
			}
			all = append(all, listed{id, lastUpdate(body)})
			return nil
		}})
		if err != nil || p.next == "" {
			return all, err
		}
		if err := bound.add(p, c.size); err != nil {
			return nil, err
		}
		q.token, q.total = p.next, false
	}
}
