package ncbi

import (
	"context"
	"math"
	"slices"

	"github.com/biofact-mcp/biofact/gen/eutils"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/source"
)

// A LinkKind is a kind of links from article to article.
type LinkKind struct{ name, command string }

// The links from article to article.
var (
	SimilarScored = LinkKind{"pubmed_pubmed", "neighbor_score"}
	Similar       = LinkKind{"pubmed_pubmed", "neighbor"}
	CitedIn       = LinkKind{"pubmed_pubmed_citedin", "neighbor"}
	References    = LinkKind{"pubmed_pubmed_refs", "neighbor"}
)

// Ranked reports whether the links are sorted by similarity, and not by descending PMID.
func (k LinkKind) Ranked() bool { return k.name == Similar.name }

// Name returns ELink's name of the links.
func (k LinkKind) Name() string { return k.name }

// ArticleLinks are the links of one article, without the article itself.
type ArticleLinks struct {
	Links []ArticleLink `json:"links"`
	Lost  int           `json:"lost,omitempty"` // links that cannot be read
}

// An ArticleLink is a link to one article.
type ArticleLink struct {
	PMID  string   `json:"pmid"`
	Score *float64 `json:"score,omitempty"` // from 0 to 1
}

func (c *client) fetchLinks(ctx context.Context, kind LinkKind, pmids []string) (source.Reply[ArticleLinks], error) {
	neighbors, retrieval, err := decodeWith(c, func(body []byte) (map[string][]entrez.Neighbor, error) {
		return entrez.ReadNeighbors(body, kind.name)
	})(c.ELink(ctx, linkParams(kind, pmids...)))
	r := reply[ArticleLinks](retrieval)
	if err != nil {
		return r, err
	}
	for _, pmid := range pmids {
		r.Answers[pmid] = nil // not in the response
		list, answered := neighbors[pmid]
		if links := linksOf(kind, pmid, list); answered && (len(list) == 0 || links.Lost < len(list)) {
			r.Answers[pmid] = links
		}
	}
	return r, nil
}

func linkParams(kind LinkKind, pmids ...string) *eutils.ELinkParams {
	return &eutils.ELinkParams{
		Dbfrom: pubmedDatabase, Db: pubmedDatabase, Retmode: jsonMode, Linkname: &kind.name, Cmd: &kind.command, Id: pmids,
	}
}

// linksOf returns the links without the article itself. The article's own score is the unit of the other scores; without it the scores are
// dropped. Unranked links are sorted by descending PMID, so that paging continues at the same place after the list has grown.
func linksOf(kind LinkKind, pmid string, list []entrez.Neighbor) *ArticleLinks {
	var own int64
	if i := slices.IndexFunc(list, func(n entrez.Neighbor) bool { return n.PMID == pmid }); i >= 0 {
		own = list[i].Score
		list = slices.Delete(slices.Clone(list), i, i+1)
	}
	links := &ArticleLinks{Links: make([]ArticleLink, 0, len(list))}
	for _, n := range list {
		if n.PMID == "" {
			links.Lost++
			continue
		}
		link := ArticleLink{PMID: n.PMID}
		if own > 0 {
			score := math.Round(float64(n.Score)/float64(own)*1e4) / 1e4
			link.Score = new(min(max(0, score), 1))
		}
		links.Links = append(links.Links, link)
	}
	if !kind.Ranked() {
		slices.SortFunc(links.Links, func(a, b ArticleLink) int { return entrez.CompareIDs(b.PMID, a.PMID) })
	}
	return links
}
