// Package idconv converts ids with the PMC ID converter, through the cache. Its client is private.
package idconv

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	api "github.com/biofact-mcp/biofact/gen/idconv"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/source"
)

// noSuchID is the error of a record whose id is not in PMC. Other errors do not mean that.
const noSuchID = "Identifier not found in PMC"

var (
	digits    = lazyregexp.New(`^[1-9][0-9]*$`)
	pmcNumber = lazyregexp.New(`^PMC[1-9][0-9]*$`)
)

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

// Options are the settings of a converter.
type Options struct {
	source.Access
	// RecordAge is how long cached answers are current.
	RecordAge time.Duration
}

// Converter converts ids. It is safe for concurrent use.
type Converter struct {
	client *api.Client
	keeper *source.Keeper
	ids    map[string]*source.Cache[string, entity.ArticleIdentifier] // by type, then by id in lower case
}

// New returns a converter. An invalid base URL is an error.
func New(o Options) (*Converter, error) {
	client, err := api.NewClient(o.URL, api.WithHTTPClient(o.Requests()))
	if err != nil {
		return nil, err
	}
	keeper, err := o.Keeper(format, "")
	if err != nil {
		return nil, err
	}
	c := &Converter{client: client, keeper: keeper, ids: map[string]*source.Cache[string, entity.ArticleIdentifier]{}}
	for _, kind := range []string{PMID, PMCID, DOI, Manuscript} { // all ids of a request have one type
		c.ids[kind] = source.NewCache(keeper, source.Kind[string, entity.ArticleIdentifier]{
			Name: "ids_of_" + kind, Max: maxIDs, Key: strings.ToLower, Current: source.ByAge(o.RecordAge),
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

// A record is one record of a response. PMIDs are numbers, and were strings in the past.
type record struct {
	PMID      json.Number `json:"pmid"`
	PMCID     string      `json:"pmcid"`
	DOI       string      `json:"doi"`
	MID       string      `json:"mid"`
	Requested string      `json:"requested-id"`
	Status    string      `json:"status"`
	Message   string      `json:"errmsg"`
}

func (c *Converter) fetch(ctx context.Context, kind string, ids []string) (source.Reply[entity.ArticleIdentifier], error) {
	resp, err := c.keeper.Read(c.client.ConvertIds(ctx, &api.ConvertIdsParams{Ids: ids, Idtype: kind, Format: "json"}))
	reply := source.Reply[entity.ArticleIdentifier]{Answers: map[string]*entity.ArticleIdentifier{}, Retrieval: resp.Retrieval}
	if err != nil {
		return reply, err
	}
	var answer struct {
		Status  string   `json:"status"`
		Records []record `json:"records"`
	}
	if err := resp.Decode(&answer); err != nil {
		return reply, err
	}
	if resp.Status != http.StatusOK || answer.Status != "ok" {
		return reply, c.keeper.Unreadable(fmt.Errorf("status %d, %q", resp.Status, answer.Status))
	}
	answered := map[string]bool{}
	for _, r := range answer.Records {
		key := strings.ToLower(r.Requested)
		answered[key] = true
		if r.Status == "error" && strings.EqualFold(strings.TrimSpace(r.Message), noSuchID) {
			continue
		}
		item, err := r.item()
		if err == nil && !r.agrees(kind) {
			err = errors.New("a record of another id than its requested-id")
		}
		if err != nil {
			return reply, c.keeper.Unreadable(err)
		}
		reply.Answers[key] = item
	}
	for _, id := range ids {
		if key := strings.ToLower(id); !answered[key] {
			reply.Answers[key] = nil // not in the response
		}
	}
	return reply, nil
}

// item returns the ids of a record.
func (r *record) item() (*entity.ArticleIdentifier, error) {
	if r.Status == "error" {
		return nil, fmt.Errorf("a record with the error %q", entity.Cut(r.Message, 80))
	}
	pmcid := unversioned(r.PMCID)
	if !pmcNumber.MatchString(pmcid) {
		return nil, errors.New("a record without a PMCID")
	}
	item := &entity.ArticleIdentifier{PMCID: pmcid, DOI: entity.Clean(r.DOI), ManuscriptID: entity.Clean(r.MID)}
	if pmid := r.PMID.String(); pmid != "" && pmid != "0" {
		if !digits.MatchString(pmid) {
			return nil, errors.New("a record with an invalid PMID")
		}
		item.PMID = pmid
	}
	return item, nil
}

// agrees reports whether the record has the id that its requested-id names.
func (r *record) agrees(kind string) bool {
	own := map[string]string{PMID: r.PMID.String(), PMCID: r.PMCID, DOI: r.DOI, Manuscript: r.MID}[kind]
	if kind == PMCID {
		return strings.EqualFold(unversioned(own), unversioned(r.Requested))
	}
	return strings.EqualFold(strings.TrimSpace(own), strings.TrimSpace(r.Requested))
}

// unversioned returns a PMCID without its version: PMC12 for PMC12.1.
func unversioned(pmcid string) string {
	pmcid, _, _ = strings.Cut(pmcid, ".")
	return pmcid
}
