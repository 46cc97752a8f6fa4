package ncbi

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/gen/eutils"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping/articles"
	"github.com/biofact-mcp/biofact/internal/mapping/fulltext"
	"github.com/biofact-mcp/biofact/internal/source"
)

// FullTexts reads PubMed Central. It is safe for concurrent use.
type FullTexts struct {
	// Texts and IDs have the texts and the ids of articles by PMCID. An article that PubMed Central does not have has no entry.
	Texts *source.Cache[string, fulltext.Article]
	IDs   *source.Cache[string, entity.ArticleIdentifier]

	client *client
}

const (
	fullTextFormat = 2 // increase it when the cached data change, and so when mapping/fulltext changes
	pmcDatabase    = "pmc"
	maxFullTexts   = 5 // in a request: a text has 0.1 to 1 MB
)

// NewFullTexts returns a reader of PubMed Central. An invalid base URL is an error.
func NewFullTexts(access source.Access) (*FullTexts, error) {
	c, err := newClient(access, fullTextFormat, pmcDatabase)
	if err != nil {
		return nil, err
	}
	f := &FullTexts{client: c}
	f.Texts = byID(c, "full_text", maxFullTexts, f.fetch)
	f.IDs = byID(c, "full_text_ids", maxSummaries, f.fetchIDs)
	return f, nil
}

// numbers returns PMCIDs in the form of the E-utilities, without prefix.
func numbers(pmcids []string) (uids []string) {
	for _, pmcid := range pmcids {
		uids = append(uids, strings.TrimPrefix(pmcid, "PMC"))
	}
	return uids
}

func (f *FullTexts) fetch(ctx context.Context, pmcids []string) (source.Reply[fulltext.Article], error) {
	uids := numbers(pmcids)
	params := &eutils.EFetchParams{Db: pmcDatabase, Retmode: xmlMode, Id: &uids}
	set, retrieval, err := decodeWith(f.client, fulltext.Read)(f.client.EFetch(ctx, params))
	r := reply[fulltext.Article](retrieval)
	if len(pmcids) == 1 && errors.Is(err, entity.ErrTooLarge) { // stored, so that no request is made for it again
		large := &fulltext.Article{TooLarge: true}
		large.PMCID, large.Availability = pmcids[0], fulltext.AbstractOnly
		r.Answers[pmcids[0]] = large
		return r, nil
	}
	if err != nil {
		return r, ignoreRefusal(err)
	}
	for _, pmcid := range pmcids {
		missing := slices.ContainsFunc(set.Missing, func(uid string) bool { return canonicalPMCID(uid) == pmcid })
		i := slices.IndexFunc(set.Articles, func(a fulltext.Article) bool { return a.PMCID == pmcid })
		switch {
		case i >= 0:
			r.Answers[pmcid] = &set.Articles[i]
		case !missing:
			r.Answers[pmcid] = nil // not in the response
		}
	}
	return r, nil
}

// canonicalPMCID returns the PMCID for a number with or without prefix.
func canonicalPMCID(text string) string {
	n, err := strconv.Atoi(strings.TrimPrefix(strings.ToUpper(strings.TrimSpace(text)), "PMC"))
	if err != nil {
		return ""
	}
	return "PMC" + strconv.Itoa(n)
}

func (f *FullTexts) fetchIDs(ctx context.Context, pmcids []string) (source.Reply[entity.ArticleIdentifier], error) {
	r, err := documentsOf(f.client, pmcDatabase, articles.SummaryIdentifier)(ctx, numbers(pmcids))
	byPMCID := reply[entity.ArticleIdentifier](r.Retrieval)
	for uid, ids := range r.Answers {
		if ids != nil {
			ids.PMCID = "PMC" + uid
		}
		byPMCID.Answers["PMC"+uid] = ids
	}
	return byPMCID, err
}
