package ncbi

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/biofact-mcp/biofact/gen/eutils"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// Articles reads PubMed. It is safe for concurrent use.
type Articles struct {
	client    *client
	records   *source.Cache[string, ArticleText]               // by PMID
	medline   *source.Cache[string, ArticleText]               // by PMID
	summaries *source.Cache[string, entity.ArticleBrief]       // by PMID
	links     map[LinkKind]*source.Cache[string, ArticleLinks] // by PMID
	searches  *source.Cache[ArticleSearch, ArticleHits]
	info      *source.Cache[string, entrez.Info]     // by database
	spellings *source.Cache[string, entrez.Spelling] // by text
	citations *source.Cache[entrez.CitationQuery, entrez.CitationMatch]
}

// MaxArticles is the maximum number of articles in a request: NCBI requires POST for more.
const MaxArticles = 200

const (
	articleFormat  = 2 // increase it when the cached records change; the mapping is not cached
	pubmedDatabase = "pubmed"
)

// An ArticleText is the record of one article, as text in PubMed's format.
type ArticleText struct {
	Text string `json:"text"`
}

// Valid reports whether the record has a text.
func (t *ArticleText) Valid() bool { return t.Text != "" }

// NewArticles returns a reader of PubMed. An invalid base URL is an error.
func NewArticles(access source.Access) (*Articles, error) {
	c, err := newClient(access, articleFormat, pubmedDatabase)
	if err != nil {
		return nil, err
	}
	a := &Articles{client: c, links: map[LinkKind]*source.Cache[string, ArticleLinks]{}}
	a.records = byID(c, "article_record", MaxArticles, a.fetchRecords)
	a.medline = byID(c, "article_medline", MaxArticles, a.fetchMEDLINE)
	a.summaries = byID(c, "article_summary", maxSummaries, a.fetchSummaries)
	for _, kind := range []LinkKind{SimilarScored, Similar, CitedIn, References} {
		a.links[kind] = byID(c, kind.name+"_"+kind.command, maxLinked,
			func(ctx context.Context, pmids []string) (source.Reply[ArticleLinks], error) {
				return a.fetchLinks(ctx, kind, pmids)
			})
	}
	a.searches = source.NewCache(c.Keeper, source.Kind[ArticleSearch, ArticleHits]{
		Name: "article_search", Max: 1, Key: ArticleSearch.key, Current: source.ByAge(access.SearchAge), Fetch: a.fetchSearch,
	})
	a.citations = source.NewCache(c.Keeper, source.Kind[entrez.CitationQuery, entrez.CitationMatch]{
		Name: "article_citation", Max: maxCitations, Key: citationKey, Current: source.ByAge(access.SearchAge), Fetch: a.fetchCitations,
	})
	a.info = byID(c, "database_info", 1, a.fetchInfo)
	a.spellings = byID(c, "spelling", 1, a.fetchSpelling)
	return a, nil
}

// State returns the last known state of NCBI, without a request.
func (a *Articles) State() upstream.State { return a.client.access.Client.State() }

// Interval returns the minimum time between the starts of two requests, or 0 for no minimum.
func (a *Articles) Interval() time.Duration { return a.client.access.Client.Interval() }

// Texts returns the XML of some articles by PMID, each a complete element of a PubmedArticleSet. A PMID without a record has no entry.
func (a *Articles) Texts(ctx context.Context, pmids []string, notes *entity.Notes) (map[string]*ArticleText, error) {
	return a.records.GetAll(ctx, pmids, notes)
}

// MEDLINE returns some articles in MEDLINE format by PMID.
func (a *Articles) MEDLINE(ctx context.Context, pmids []string, notes *entity.Notes) (map[string]*ArticleText, error) {
	return a.medline.GetAll(ctx, pmids, notes)
}

// Briefs returns the document summaries of some articles by PMID.
func (a *Articles) Briefs(ctx context.Context, pmids []string, notes *entity.Notes) (map[string]*entity.ArticleBrief, error) {
	return a.summaries.GetAll(ctx, pmids, notes)
}

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

// Search returns the result of a search.
func (a *Articles) Search(ctx context.Context, search ArticleSearch, notes *entity.Notes) (*ArticleHits, error) {
	return a.searches.Get(ctx, search, notes)
}

// Spelling returns NCBI's correction of a text.
func (a *Articles) Spelling(ctx context.Context, words string, notes *entity.Notes) (*entrez.Spelling, error) {
	return a.spellings.Get(ctx, words, notes)
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

// A TextFormat is a format of PubMed records.
type TextFormat struct{ mode, kind string }

// The formats of records.
var (
	XML     = TextFormat{mode: xmlMode}
	MEDLINE = TextFormat{mode: "text", kind: "medline"}
)

// params returns the parameters for the records of some articles.
func (f TextFormat) params(pmids []string) *eutils.EFetchParams {
	params := &eutils.EFetchParams{Db: pubmedDatabase, Retmode: f.mode, Id: &pmids}
	if f.kind != "" {
		params.Rettype = &f.kind
	}
	return params
}

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

// An ArticleSearch requests the first Max articles that match a term, and the summaries of the first Summaries of them.
type ArticleSearch struct {
	Term, Sort     string
	Max, Summaries int
}

func (s ArticleSearch) key() string {
	return fmt.Sprintf("%d %d %s %s", s.Max, s.Summaries, s.Sort, s.Term)
}

func (s ArticleSearch) params() *eutils.ESearchParams {
	params := &eutils.ESearchParams{Db: pubmedDatabase, Retmode: jsonMode, Term: s.Term, Sort: &s.Sort, Retmax: &s.Max}
	if s.Summaries > 0 {
		params.Usehistory = new("y")
	}
	return params
}
