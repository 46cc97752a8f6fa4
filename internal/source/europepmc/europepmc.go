// Package europepmc reads full texts from Europe PMC, and searches it. Its client is private.
package europepmc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"

	api "github.com/biofact-mcp/biofact/gen/europepmc"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping/fulltext"
	"github.com/biofact-mcp/biofact/internal/source"
)

const format = 3 // increase it when the cached data change, and so when mapping/fulltext changes

// EuropePMC reads full texts, and searches articles. It is safe for concurrent use.
type EuropePMC struct {
	client *api.Client
	keeper *source.Keeper
	texts  *source.Cache[string, fulltext.Article] // by PMCID

	searches *source.Cache[Search, Found]
}

// New returns a reader of Europe PMC. An invalid base URL is an error.
func New(access source.Access) (*EuropePMC, error) {
	client, err := api.NewClient(access.URL, api.WithHTTPClient(access.Requests()))
	if err != nil {
		return nil, err
	}
	keeper, err := access.Keeper(format, "")
	if err != nil {
		return nil, err
	}
	e := &EuropePMC{client: client, keeper: keeper}
	e.texts = source.NewCache(keeper, source.Kind[string, fulltext.Article]{
		Name: "full_text", Max: 1, Key: func(pmcid string) string { return pmcid }, Current: source.ByAge(access.RecordAge), Fetch: e.fetch,
	})
	e.searches = source.NewCache(keeper, source.Kind[Search, Found]{
		Name: "article_search", Max: 1, Key: Search.key, Current: source.ByAge(access.SearchAge), Fetch: e.search,
	})
	return e, nil
}

// FullText returns the text of an article by PMCID, or nil if Europe PMC has no text. Nil does not mean that the id is unknown.
func (e *EuropePMC) FullText(ctx context.Context, pmcid string, notes *entity.Notes) (*fulltext.Article, error) {
	return e.texts.Get(ctx, pmcid, notes)
}

// missing reports whether the body of a 404 is from the service itself: it is empty or has an error in XML. The 404 of a proxy says nothing
// about the article.
func missing(body []byte) bool {
	return len(bytes.TrimSpace(body)) == 0 || bytes.Contains(body, []byte("<errorBean>"))
}

func (e *EuropePMC) fetch(ctx context.Context, pmcids []string) (source.Reply[fulltext.Article], error) {
	resp, err := e.keeper.Read(e.client.GetFullText(ctx, pmcids[0]))
	reply := source.Reply[fulltext.Article]{Answers: map[string]*fulltext.Article{}, Retrieval: resp.Retrieval}
	if err != nil || resp.Status == http.StatusNotFound && missing(resp.Body) {
		return reply, err
	}
	if resp.Status != http.StatusOK {
		return reply, e.keeper.Unreadable(fmt.Errorf("status %d", resp.Status))
	}
	set, err := fulltext.Read(resp.Body)
	if err == nil && len(set.Articles) != 1 {
		err = errors.New("not one article")
	}
	if err != nil {
		return reply, e.keeper.Unreadable(err)
	}
	if article := &set.Articles[0]; article.Availability == fulltext.FullText {
		reply.Answers[pmcids[0]] = article
	}
	return reply, nil
}
