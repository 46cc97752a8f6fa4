// Package feed requests whole records from the registry, page by page, as a stream. It knows no file: a sync writes the records.
package feed

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

	"github.com/biofact-mcp/biofact/internal/mirror/stored"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// A Doer makes requests to the registry, at its pace.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

const (
	// LargestPage is the largest page that the registry gives.
	LargestPage = 1000
	// IDsAtOnce bounds the ids of a request by the length of its URL.
	IDsAtOnce = 100
	// maxVersion is the number of bytes that are read of the date of the data.
	maxVersion = 10_000
	// pageTime bounds the time of one request: a page of whole records is large.
	pageTime = 10 * time.Minute
)

// A Client makes requests to the registry and counts them.
type Client struct {
	do       Doer
	base     string
	Size     int // of a page
	Requests int
}

// New returns a client for the registry with a base URL.
func New(do Doer, base string) *Client {
	return &Client{do: do, base: base, Size: LargestPage}
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
func (c *Client) get(ctx context.Context, path string, query url.Values, read func(io.Reader) error) error {
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
		c.Requests++
		return err
	}
	defer resp.Body.Close()
	c.Requests += upstream.Attempts(resp)
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 500)) // the reason, as far as it can be read
		return &Refused{resp.StatusCode, strings.TrimSpace(string(text))}
	}
	if !bodyRead { // a plain http.Client does not read the body
		return read(resp.Body)
	}
	return nil
}

// Version returns the time stamp of the registry's data.
func (c *Client) Version(ctx context.Context) (string, error) {
	var v struct {
		Stamp string `json:"dataTimestamp"`
	}
	err := c.get(ctx, "/version", nil, func(body io.Reader) error {
		return json.NewDecoder(io.LimitReader(body, maxVersion)).Decode(&v)
	})
	if err != nil {
		return "", err
	}
	_, valid := stored.Day(v.Stamp[:min(len(v.Stamp), len("yyyy-mm-dd"))])
	if !valid || strings.Trim(v.Stamp, "0123456789-:.TZ") != "" {
		err = errors.New("the registry sent no date of its data")
	}
	return v.Stamp, err
}

// UpdatedBetween returns the filter of the studies that were last updated between two days, both included. A day that is empty is an open
// end. The filter of the whole registry is "".
func UpdatedBetween(from, to string) string {
	if from == "" && to == "" {
		return ""
	}
	return "AREA[LastUpdatePostDate]RANGE[" + cmp.Or(from, "MIN") + "," + cmp.Or(to, "MAX") + "]"
}

// A Query has the parameters of a page of studies.
type Query struct {
	Filter string
	Ids    []string
	fields string
	Sort   string
	Size   int
	Token  string
	Total  bool
}

func (q Query) values() url.Values {
	v := url.Values{"pageSize": {strconv.Itoa(q.Size)}}
	set := func(name, value string) {
		if value != "" {
			v.Set(name, value)
		}
	}
	set("filter.advanced", q.Filter)
	set("filter.ids", strings.Join(q.Ids, ","))
	set("fields", q.fields)
	set("sort", q.Sort)
	set("pageToken", q.Token)
	if q.Total {
		v.Set("countTotal", "true")
	}
	return v
}

// A Page has the number of studies of a page, the total and the token of the next page.
type Page struct {
	Studies int
	Total   int // -1: unknown
	Next    string
}

// A Handler gets the studies of a page one by one. Start is called before the first study of each attempt.
// An error of either ends the page and is returned unchanged.
type Handler struct {
	Start func() error
	Study func(raw []byte) error
}

// Page requests a page of studies.
func (c *Client) Page(ctx context.Context, q Query, h Handler) (p Page, err error) {
	var own error // of the handler, not of the registry
	err = c.get(ctx, "/studies", q.values(), func(body io.Reader) error {
		p, own = Page{Total: -1}, nil
		if h.Start != nil {
			if own = h.Start(); own != nil {
				return nil //nolint:nilerr // own is returned below
			}
		}
		err := p.read(body, func(raw []byte) error {
			if h.Study != nil {
				own = h.Study(raw)
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

// Count returns the number of the studies of a filter.
func (c *Client) Count(ctx context.Context, filter string) (int, error) {
	p, err := c.Page(ctx, Query{Filter: filter, fields: "NCTId", Size: 1, Total: true}, Handler{})
	if err == nil && p.Total < 0 {
		err = errors.New("the registry sent no number of studies")
	}
	return p.Total, err
}

// A Listed is a study of a list of ids.
type Listed struct {
	ID  int64
	Day int64 // of its last update
}

// IDs lists the studies of a filter.
func (c *Client) IDs(ctx context.Context, filter string) (all []Listed, err error) {
	q := Query{Filter: filter, fields: "NCTId|LastUpdatePostDate", Sort: "LastUpdatePostDate:asc", Size: c.Size, Total: true}
	var bound PageBound
	for {
		p, err := c.Page(ctx, q, Handler{Study: func(raw []byte) error {
			body, err := stored.Decode(raw)
			if err != nil {
				return err
			}
			id, ok := stored.Number(query.First(body, "NCTId"))
			if !ok {
				return errors.New("a study without an NCT id")
			}
			all = append(all, Listed{id, stored.LastUpdate(body)})
			return nil
		}})
		if err != nil || p.Next == "" {
			return all, err
		}
		if err := bound.Add(p); err != nil {
			return nil, err
		}
		q.Token, q.Total = p.Next, false
	}
}
