// Package idconv converts ids with the PMC ID converter, through the cache. Its client is private.
package idconv

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	api "github.com/biofact-mcp/biofact/gen/idconv"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping/articles"
	"github.com/biofact-mcp/biofact/internal/source"
)

// noSuchID is the error of a record whose id is not in PMC. Other errors do not mean that.
const noSuchID = "Identifier not found in PMC"

const (
	format = 2 // increase it when the cached data change
	maxIDs = 200
)

// The types of ids, by the converter's names.
const (
	PMID       = "pmid"
	PMCID      = "pmcid"
	DOI        = "doi"
	Manuscript = "mid"
)

// Converter converts ids. It is safe for concurrent use.
type Converter struct {
	client *api.Client
	keeper *source.Keeper
	ids    map[string]*source.Cache[string, entity.ArticleIdentifier] // by type, then by id in lower case
}

// New returns a converter. An invalid base URL is an error.
func New(access source.Access) (*Converter, error) {
	client, err := api.NewClient(access.URL, api.WithHTTPClient(access.Requests()))
	if err != nil {
		return nil, err
	}
	keeper, err := access.Keeper(format, "")
	if err != nil {
		return nil, err
	}
	c := &Converter{client: client, keeper: keeper, ids: map[string]*source.Cache[string, entity.ArticleIdentifier]{}}
	for _, kind := range []string{PMID, PMCID, DOI, Manuscript} { // all ids of a request have one type
		c.ids[kind] = source.NewCache(keeper, source.Kind[string, entity.ArticleIdentifier]{
			Name: "ids_of_" + kind, Max: maxIDs, Key: strings.ToLower, Current: source.ByAge(access.RecordAge),
			Fetch: func(ctx context.Context, ids []string) (source.Reply[entity.ArticleIdentifier], error) {
				return c.fetch(ctx, kind, ids)
			},
		})
	}
	return c, nil
}

// Convert returns the ids of articles in PMC, by the requested id in lower case. An id without an entry may still be in PubMed.
func (c *Converter) Convert(
	ctx context.Context, kind string, ids []string, notes *entity.Notes,
) (map[string]*entity.ArticleIdentifier, error) {
	return c.ids[kind].GetAll(ctx, ids, notes)
}

func (c *Converter) fetch(ctx context.Context, kind string, ids []string) (source.Reply[entity.ArticleIdentifier], error) {
	resp, err := c.keeper.Read(c.client.ConvertIds(ctx, &api.ConvertIdsParams{Ids: ids, Idtype: kind, Format: "json"}))
	reply := source.Reply[entity.ArticleIdentifier]{Answers: map[string]*entity.ArticleIdentifier{}, Retrieval: resp.Retrieval}
	if err != nil {
		return reply, err
	}
	var answer struct {
		Status  string            `json:"status"`
		Records []json.RawMessage `json:"records"`
	}
	if err := resp.Decode(&answer); err != nil {
		return reply, err
	}
	if resp.Status != http.StatusOK || answer.Status != "ok" {
		return reply, c.keeper.Unreadable(fmt.Errorf("status %d, %q", resp.Status, answer.Status))
	}
	for _, id := range ids {
		reply.Answers[strings.ToLower(id)] = nil // until its record is read
	}
	for _, text := range answer.Records {
		var r articles.ConvertedIDs
		if json.Unmarshal(text, &r) != nil {
			continue
		}
		key := strings.ToLower(strings.TrimSpace(r.Requested))
		if r.Status == "error" && strings.EqualFold(strings.TrimSpace(r.Message), noSuchID) {
			delete(reply.Answers, key)
		} else if item := articles.Identifier(&r, kind); item != nil {
			reply.Answers[key] = item
		}
	}
	return reply, nil
}
