package ctgov

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	api "github.com/biofact-mcp/biofact/gen/ctgov"

	"github.com/biofact-mcp/biofact/internal/mirror"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// A Query has the parameters of /studies for one page of a search.
type Query = api.ListStudiesParams

// ErrTooLong is in the chain of the error of a request that is too long for the registry.
var ErrTooLong = upstream.ErrTooLong

const (
	// format is the version of the cached values: increase it when Record, Results, Page or Spots changes, and so when the mapping changes.
	format = 8
	// MaxIDs limits the ids of one request, because a URL has a maximum length.
	MaxIDs = 100
	// MaxPage is the largest page that the registry returns.
	MaxPage = 1000
	// MaxQuery limits the query of a URL, in bytes. The registry's proxy answers 414 to a request line above 8 kB, and a page token must
	// fit as well.
	MaxQuery = 7500
)

// A client sends the requests to the registry.
type client struct {
	*api.Client
	*source.Keeper
	name string // of the registry or of its mirror
}

// A Refusal is the message of the registry, or of its mirror, that it could not read a request (status 400).
type Refusal struct {
	By, Sentence string
	// NoIndex reports that the mirror has no index for a part of the search.
	NoIndex bool
}

// Error returns the message.
func (r *Refusal) Error() string { return r.By + " refused the request: " + r.Sentence }

// Refused marks the error as a rejection of the request itself.
func (*Refusal) Refused() {}

// read returns the answer to a request. If the registry rejects the request, the error has a Refusal in its chain.
func (c *client) read(resp *http.Response, err error) (source.Response, error) {
	answer, err := c.Read(resp, err)
	if resp != nil {
		answer.Revision = resp.Header.Get(mirror.RevisionHeader)
	}
	if err != nil || answer.Status == http.StatusOK {
		return answer, err
	}
	sentence := strings.TrimSpace(string(answer.Body))
	refusal := &Refusal{By: c.name, Sentence: sentence}
	e := c.Unreadable(refusal)
	subject := strings.ToUpper(c.name[:1]) + c.name[1:]
	e.Message = fmt.Sprintf("%s did not understand the request of Biofact (status %d).", subject, answer.Status)
	e.Hint = "This is not an empty result, and the arguments are not the cause: the same call will fail again. " +
		"The operator of Biofact should update it; its log has the reply."
	if reason, noIndex := strings.CutPrefix(sentence, mirror.Name+" "); noIndex {
		refusal.NoIndex = true
		e.Message = subject + " cannot answer this search: it " + reason + "."
		e.Hint = "This is not an empty result, and the same call will fail again. The operator of Biofact can set BIOFACT_MIRROR to exact."
	}
	return answer, e
}

// listStudies sends the one request that all trial tools use.
func (c *client) listStudies(ctx context.Context, query *Query) (*api.PagedStudies, source.Retrieval, error) {
	var page api.PagedStudies
	answer, err := c.read(c.ListStudies(ctx, query))
	if err == nil {
		err = answer.Decode(&page)
	}
	if err == nil {
		if wrong := contradiction(query, &page); wrong != "" {
			err = c.Unreadable(errors.New(wrong))
		}
	}
	return &page, answer.Retrieval, err
}

// contradiction returns the reason why a page cannot be correct, or "".
func contradiction(query *Query, page *api.PagedStudies) string {
	total, studies := page.TotalCount, len(page.Studies)
	switch {
	case page.Studies == nil:
		return "an answer without a list of studies"
	case total != nil && (*total < 0 || int(*total) < studies):
		return "a total below the number of studies"
	case total != nil && *total > 0 && studies == 0 && page.NextPageToken == "" && query.PageToken == nil:
		return "a total without studies"
	case query.PageToken != nil && page.NextPageToken == *query.PageToken:
		return "a page whose token leads to itself"
	}
	return ""
}
