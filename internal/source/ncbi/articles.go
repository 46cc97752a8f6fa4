package ncbi

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/gen/eutils"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/mapping/articles"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// Articles reads PubMed. It is safe for concurrent use.
type Articles struct {
	// Texts has the XML of articles by PMID, each a complete element of a PubmedArticleSet, MEDLINE their texts in that format, and Briefs
	// their document summaries. A PMID without a record has no entry.
	Texts, MEDLINE *source.Cache[string, ArticleText]
	Briefs         *source.Cache[string, entity.ArticleBrief]
	Searches       *source.Cache[ArticleSearch, ArticleHits]
	// Spellings has NCBI's correction of a text.
	Spellings *source.Cache[string, entrez.Spelling]

	client    *client
	links     map[LinkKind]*source.Cache[string, ArticleLinks] // by PMID
	info      *source.Cache[string, entrez.Info]               // by database
	citations *source.Cache[entrez.CitationQuery, entrez.CitationMatch]
}

// MaxArticles is the maximum number of articles in a request: NCBI requires POST for more.
const MaxArticles = 200

// NewArticles returns a reader of PubMed. An invalid base URL is an error.
func NewArticles(access source.Access) (*Articles, error) {
	c, err := newClient(access, articleFormat, pubmedDatabase)
	if err != nil {
		return nil, err
	}
	a := &Articles{client: c, links: map[LinkKind]*source.Cache[string, ArticleLinks]{}}
	a.Texts = byID(c, "article_record", MaxArticles, c.fetchRecords)
	a.MEDLINE = byID(c, "article_medline", MaxArticles, c.fetchMEDLINE)
	a.Briefs = byID(c, "article_summary", maxSummaries, c.fetchSummaries)
	for _, kind := range []LinkKind{SimilarScored, Similar, CitedIn, References} {
		a.links[kind] = byID(c, kind.name+"_"+kind.command, maxLinked,
			func(ctx context.Context, pmids []string) (source.Reply[ArticleLinks], error) {
				return c.fetchLinks(ctx, kind, pmids)
			})
	}
	a.Searches = source.NewCache(c.Keeper, source.Kind[ArticleSearch, ArticleHits]{
		Name: "article_search", Max: 1, Key: ArticleSearch.key, Current: source.ByAge(access.SearchAge), Fetch: c.fetchSearch,
	})
	a.citations = source.NewCache(c.Keeper, source.Kind[entrez.CitationQuery, entrez.CitationMatch]{
		Name: "article_citation", Max: maxCitations, Key: citationKey, Current: source.ByAge(access.SearchAge), Fetch: c.fetchCitations,
	})
	a.info = byID(c, "database_info", 1, a.fetchInfo)
	a.Spellings = byID(c, "spelling", 1, a.fetchSpelling)
	return a, nil
}

// State returns the last known state of NCBI, without a request.
func (a *Articles) State() upstream.State { return a.client.access.Client.State() }

// Interval returns the minimum time between the starts of two requests, or 0 for no minimum.
func (a *Articles) Interval() time.Duration { return a.client.access.Client.Interval() }

// Linked returns the links of one kind. NCBI gives the same answer for an article without links and for an unknown PMID.
func (a *Articles) Linked(ctx context.Context, kind LinkKind, pmid string, notes *entity.Notes) (*ArticleLinks, error) {
	links, err := a.links[kind].Get(ctx, pmid, notes)
	if err == nil && links == nil {
		links = &ArticleLinks{}
	}
	if err == nil {
		noteLost(links.Lost, notes)
	}
	return links, err
}

func (a *Articles) fetchSpelling(ctx context.Context, words []string) (source.Reply[entrez.Spelling], error) {
	params := &eutils.ESpellParams{Db: pubmedDatabase, Term: words[0]}
	spelling, retrieval, err := decodeWith(a.client, entrez.ReadSpelling)(a.client.ESpell(ctx, params))
	r := reply[entrez.Spelling](retrieval)
	r.Answers[words[0]] = &spelling
	return r, err
}

// Info returns the EInfo of PubMed.
func (a *Articles) Info(ctx context.Context, notes *entity.Notes) (*entrez.Info, error) {
	return a.info.Get(ctx, pubmedDatabase, notes)
}

func (a *Articles) fetchInfo(ctx context.Context, databases []string) (source.Reply[entrez.Info], error) {
	info, retrieval, err := decodeWith(a.client, entrez.ReadInfo)(a.client.EInfo(ctx, infoParams()))
	r := reply[entrez.Info](retrieval)
	r.Answers[databases[0]] = &info
	return r, err
}

func infoParams() *eutils.EInfoParams {
	return &eutils.EInfoParams{Db: pubmedDatabase, Retmode: jsonMode, Version: new(version)}
}

// canonicalURL is NCBI's address of the E-utilities. The URLs in answers use it even if Biofact uses another base URL. They have the ids of
// the call, but no key and no e-mail address.
const canonicalURL = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/"

// displayURL returns the URL of a request, to show to users.
func displayURL(req *http.Request, err error) string {
	if err != nil {
		return ""
	}
	return req.URL.String()
}

// SearchURL returns the URL of a search, to show to users.
func SearchURL(s ArticleSearch) string {
	return displayURL(eutils.NewESearchRequest(canonicalURL, s.params()))
}

// SummaryURL returns the URL of the summaries of some articles, to show to users.
func SummaryURL(pmids []string) string {
	return displayURL(eutils.NewESummaryRequest(canonicalURL, summaryParams(pmids)))
}

// LinkURL returns the URL of the links of an article, to show to users.
func LinkURL(kind LinkKind, pmid string) string {
	return displayURL(eutils.NewELinkRequest(canonicalURL, linkParams(kind, pmid)))
}

// InfoURL returns the URL of the EInfo of PubMed, to show to users.
func InfoURL() string { return displayURL(eutils.NewEInfoRequest(canonicalURL, infoParams())) }

// FetchRequest returns the URL and the method of the EFetch request for some articles, to show to users.
func (a *Articles) FetchRequest(format TextFormat, pmids []string) (url, method string) {
	request, err := eutils.NewEFetchRequest(canonicalURL, format.params(pmids))
	method = http.MethodGet
	if posts, ok := a.client.access.Requests().(interface{ Posted(*http.Request) bool }); ok && err == nil && posts.Posted(request) {
		method = http.MethodPost
	}
	return displayURL(request, err), method
}

// Cited returns the results of ECitMatch for some citations, in their order. A nil entry means that the response has no row for the
// citation, which says nothing about it.
func (a *Articles) Cited(ctx context.Context, queries []entrez.CitationQuery, notes *entity.Notes) ([]*entrez.CitationMatch, error) {
	found, err := a.citations.GetAll(ctx, queries, notes)
	if err != nil {
		return nil, err
	}
	list := make([]*entrez.CitationMatch, len(queries))
	for i, q := range queries {
		list[i] = found[citationKey(q)]
	}
	return list, nil
}

// Read maps the XML of one article.
func (a *Articles) Read(stored *ArticleText) (article entity.Article, err error) {
	err = entrez.ReadArticles(strings.NewReader(SetHead+stored.Text+SetTail), func(record *entrez.Article) error {
		article, err = articles.Article(record)
		return err
	})
	if err == nil && article.PMID == "" {
		err = text.ErrIncomplete
	}
	if err != nil {
		return article, a.client.Unreadable(err)
	}
	return article, nil
}
