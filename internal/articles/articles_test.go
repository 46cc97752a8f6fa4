package articles

import (
	"context"
	"fmt"

	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/sandbox"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// A pubmed is an NCBI that records its requests.
type pubmed struct {
	next  http.RoundTripper
	takes time.Duration // time from request to response
	hangs func(ncbiRequest) bool

	mu       sync.Mutex
	requests []ncbiRequest
}

// An ncbiRequest is one request to a pubmed.
type ncbiRequest struct {
	utility, method string
	form            url.Values
}

func (a ncbiRequest) ids() (ids []string) {
	for _, list := range a.form["id"] {
		ids = append(ids, strings.Split(list, ",")...)
	}
	return ids
}

func (p *pubmed) RoundTrip(req *http.Request) (*http.Response, error) {
	a := ncbiRequest{strings.TrimSuffix(req.URL.Path[strings.LastIndex(req.URL.Path, "/")+1:], ".fcgi"), req.Method, req.URL.Query()}
	if req.Body != nil {
		copied := req.Clone(req.Context())
		var err error
		if copied.Body, err = req.GetBody(); err != nil {
			return nil, err
		}
		if err := copied.ParseForm(); err != nil {
			return nil, err
		}
		a.form = copied.Form
	}
	p.mu.Lock()
	p.requests = append(p.requests, a)
	p.mu.Unlock()
	wait := time.After(p.takes)
	if p.hangs != nil && p.hangs(a) {
		wait = nil
	}
	if p.takes > 0 || wait == nil {
		select {
		case <-wait:
		case <-req.Context().Done():
			return nil, req.Context().Err()
		}
	}
	return p.next.RoundTrip(req)
}

// since returns the requests since its last call.
func (p *pubmed) since() []ncbiRequest {
	p.mu.Lock()
	defer p.mu.Unlock()
	requests := p.requests
	p.requests = nil
	return requests
}

// utilities returns the utilities of some requests, in order.
func utilities(requests []ncbiRequest) (names []string) {
	for _, a := range requests {
		names = append(names, a.utility)
	}
	return names
}

// wantAsked checks the requests since the last check.
func (p *pubmed) wantAsked(t testing.TB, when string, want ...string) {
	t.Helper()
	if got := utilities(p.since()); !slices.Equal(got, want) {
		t.Errorf("%s: requests %q, want %q", when, got, want)
	}
}

// embeddedPubMed returns the embedded sandbox as a pubmed.
func embeddedPubMed(t testing.TB) *pubmed {
	t.Helper()
	next, err := sourcetest.Embedded()
	expect.NoError(t, err)
	return &pubmed{next: next}
}

// holding returns a pubmed with some articles.
func holding(t testing.TB, samples ...sourcetest.Sample) *pubmed {
	t.Helper()
	folder := t.TempDir()
	expect.NoError(t, os.WriteFile(filepath.Join(folder, "articles.xml"), sourcetest.ArticleSet(samples), 0o600))
	expect.NoError(t, os.WriteFile(filepath.Join(folder, "articles.nbib"), sourcetest.MEDLINE(samples), 0o600))
	next, err := sandbox.Open(t.Context(), folder)
	expect.NoError(t, err)
	return &pubmed{next: next}
}

// alike returns articles that each cite the previous one, ten with the same subject.
func alike(n int, abstract string) (samples []sourcetest.Sample, pmids []string) {
	for pmid := 30_000_000; pmid < 30_000_000+n; pmid++ {
		s := sourcetest.Sample{PMID: pmid, Abstract: abstract}
		if pmid > 30_000_000 {
			s.Cites = []int{pmid - 1}
		}
		samples, pmids = append(samples, s), append(pmids, strconv.Itoa(pmid))
	}
	return samples, pmids
}

// eutilsManners returns the options of the command for NCBI, without rate limit.
func eutilsManners(base http.RoundTripper) upstream.Options {
	o := sourcetest.Policy(base)
	o.Source, o.Check, o.MaxBody = "NCBI", entrez.Check, 64<<20 // statusPage plays NCBI
	return o
}

// An articlesSetup has the parts of the tools for a test.
type articlesSetup struct {
	sourcetest.Setup
	maxAnswer int // 0: 400 kB
	facts     Facts
}

func (s articlesSetup) open(t testing.TB) *Articles {
	t.Helper()
	if s.maxAnswer == 0 {
		s.maxAnswer = 400_000
	}
	s.facts.NCBITool, s.facts.NCBIEmail, s.facts.NCBIKey = s.Tool, s.Email, s.APIKey != ""
	return New(s.Sources(t), s.maxAnswer, s.facts)
}

// serveArticles returns a service over an NCBI; set may change its options.
func serveArticles(t testing.TB, cache *store.Store, o upstream.Options, set func(*articlesSetup)) *Articles {
	t.Helper()
	options := articlesSetup{Setup: sourcetest.Setup{
		EUtilsURL: "https://eutils.test/entrez/eutils", EUtils: upstream.NewClient(o), Store: cache,
		RecordAge: 24 * time.Hour, SearchAge: time.Hour, Tool: "biofact/test",
	}}
	if set != nil {
		set(&options)
	}
	return options.open(t)
}

// Calls of the tests, with the defaults of the tools.

func detailsOf(level string, pmids ...string) tools.FetchArticleDetailsArgs {
	return tools.FetchArticleDetailsArgs{Pmids: pmids, DetailLevel: level, IncludeMeshTerms: true}
}

func relationsOf(kind, pmid string) tools.GetArticleRelationshipsArgs {
	return tools.GetArticleRelationshipsArgs{SourcePmid: pmid, RelationshipType: kind, MaxRelatedResults: 5,
		CitationStyles: []string{defaultStyle}}
}

func searchFor(term string, summaries int) tools.SearchPubMedArticlesArgs {
	return tools.SearchPubMedArticlesArgs{
		QueryTerm: term, MaxResults: 20, SortBy: "relevance", FetchBriefSummaries: summaries,
		DateRange: tools.SearchPubMedArticlesDateRange{DateType: "pdat"},
	}
}

var detailLevels = []string{abstractPlus, abstractOnly, fullXML, medlineText, citationData}

var relationshipTypes = []string{"pubmed_similar_articles", "pubmed_citedin", "pubmed_references", "citation_formats"}

// TestArticleRequests: 50 callers that request 200 articles at once, a few each, cause at most three requests at NCBI's rate, and none when
// they repeat their calls.
func TestArticleRequests(t *testing.T) {
	t.Parallel()
	samples, pmids := alike(200, "One sentence.")
	for _, test := range []struct {
		level   string
		utility string
	}{{abstractPlus, "efetch"}, {fullXML, "efetch"}, {medlineText, "efetch"}, {citationData, "efetch"}} {
		t.Run(test.level, func(t *testing.T) {
			t.Parallel()
			p := holding(t, samples...)
			p.takes = 300 * time.Millisecond
			synctest.Test(t, func(t *testing.T) {
				o := eutilsManners(p)
				o.Interval = 400 * time.Millisecond
				s := serveArticles(t, sourcetest.InMemory(), o, nil)
				round := func() {
					var callers sync.WaitGroup
					for n := range 50 {
						callers.Go(func() {
							ctx, cancel := context.WithTimeout(t.Context(), sourcetest.CallTimeout)
							defer cancel()
							var mine []string // four of its own, and four that the next callers also request
							for i := range 8 {
								mine = append(mine, pmids[(4*n+i)%len(pmids)])
							}
							answer, err := s.FetchArticleDetails(ctx, detailsOf(test.level, mine...))
							if err != nil {
								t.Errorf("caller %d: %v", n, err)
								return
							}
							if got := heldBy(t, answer.Value); !slices.Equal(got, mine) {
								t.Errorf("caller %d has %q, want %q", n, got, mine)
							}
						})
					}
					callers.Wait()
				}
				round()
				requests := p.since()
				seen := map[string]int{}
				for _, a := range requests {
					for _, id := range a.ids() {
						seen[id]++
					}
				}
				if len(requests) == 0 || len(requests) > 3 || len(seen) != len(pmids) {
					t.Errorf("%d requests, %q, for %d articles; want at most 3 for 200", len(requests), utilities(requests), len(seen))
				}
				for id, times := range seen {
					expect.That(t, times <= 1, "%s was requested %d times", id, times)
				}
				t.Logf("%s: %d requests for 200 articles of 50 callers", test.level, len(requests))
				round()
				p.wantAsked(t, "again")
			})
		})
	}
}

// heldBy returns the PMIDs of the records of an answer, in order.
func heldBy(t testing.TB, d entity.ArticleDetails) (pmids []string) {
	t.Helper()
	if d.Content == nil {
		for _, a := range d.Articles {
			pmids = append(pmids, a.PMID)
		}
		return pmids
	}
	if d.MediaType == "text/plain" {
		for line := range strings.Lines(*d.Content) {
			if pmid, ok := strings.CutPrefix(line, "PMID- "); ok {
				pmids = append(pmids, strings.TrimSpace(pmid))
			}
		}
		return pmids
	}
	return pmidsOfXML(t, *d.Content)
}

// TestLinkRequests: the links of ten articles are one request, and so are the titles of the linked articles.
func TestLinkRequests(t *testing.T) {
	t.Parallel()
	samples, pmids := alike(100, "One sentence.")
	for _, kind := range relationshipTypes[:3] {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			p := holding(t, samples...)
			single := serveArticles(t, nil, eutilsManners(p.next), nil)
			p.takes = 300 * time.Millisecond
			synctest.Test(t, func(t *testing.T) {
				o := eutilsManners(p)
				o.Interval = 400 * time.Millisecond
				s := serveArticles(t, sourcetest.InMemory(), o, nil)
				round := func() {
					var callers sync.WaitGroup
					for _, pmid := range pmids[20:70] {
						callers.Go(func() {
							ctx, cancel := context.WithTimeout(t.Context(), sourcetest.CallTimeout)
							defer cancel()
							got, err := s.GetArticleRelationships(ctx, relationsOf(kind, pmid))
							want, wrong := single.GetArticleRelationships(ctx, relationsOf(kind, pmid))
							expect.That(t, err == nil && wrong == nil && len(got.Value.RelatedArticles) != 0,
								"%s: %v, %v, %d articles", pmid, err, wrong, len(got.Value.RelatedArticles))
							expect.Equal(t, pmid, want.Value, got.Value)
						})
					}
					callers.Wait()
				}
				round()
				links, summaries := 0, 0
				for _, a := range p.since() {
					switch a.utility {
					case "elink":
						links++
					case "esummary":
						summaries++
					}
				}
				// The first is sent alone, or with those that arrived at the same time.
				expect.That(t, links >= 5 && links <= 6 && summaries != 0 && summaries <= links,
					"%d requests for links and %d for summaries; want 5 or 6, and no more", links, summaries)
				t.Logf("%s: %d requests for links of 50 articles, %d for titles", kind, links, summaries)
				round()
				p.wantAsked(t, "again")
			})
		})
	}
}

// TestArticleAges: a search is cached for an hour, a record for a day.
func TestArticleAges(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := embeddedPubMed(t)
		s := serveArticles(t, sourcetest.InMemory(), eutilsManners(p), nil)
		ask := func(when string, call func() sourcetest.Outcome, want ...string) {
			t.Helper()
			got := call()
			expect.Must(t, got.Err == nil, "%s: %v", when, got.Err)
			cache := entity.CacheHit
			if len(want) > 0 {
				cache = entity.CacheMiss
			}
			expect.That(t, got.Provenance.Cache == cache && got.Provenance.UpstreamRequests == len(want) &&
				!got.Provenance.RetrievedAt.IsZero(),
				"%s: %+v, want %s of %d requests", when, got.Provenance, cache, len(want))
			p.wantAsked(t, when, want...)
		}
		ctx := context.WithoutCancel(t.Context())
		calls := map[string]func() sourcetest.Outcome{}
		for _, summaries := range []int{0, 5} {
			calls[fmt.Sprint("search with ", summaries)] = func() sourcetest.Outcome {
				return sourcetest.NewOutcome(s.SearchPubMedArticles(ctx, searchFor("remdesivir[tw]", summaries)))
			}
		}
		for _, level := range detailLevels {
			calls[level] = func() sourcetest.Outcome {
				return sourcetest.NewOutcome(s.FetchArticleDetails(ctx, detailsOf(level, "32445440", "99999999")))
			}
		}
		calls[medlineText] = func() sourcetest.Outcome {
			return sourcetest.NewOutcome(s.FetchArticleDetails(ctx, detailsOf(medlineText, "32445440")))
		}
		for _, kind := range relationshipTypes {
			calls[kind] = func() sourcetest.Outcome {
				return sourcetest.NewOutcome(s.GetArticleRelationships(ctx, relationsOf(kind, "32445440")))
			}
		}
		search := []string{"esearch"}
		with := []string{"esearch", "esummary"}
		ask("search", calls["search with 0"], search...)
		ask("search with summaries", calls["search with 5"], with...)
		ask("record", calls[abstractPlus], "efetch")
		ask("MEDLINE", calls[medlineText], "efetch")
		ask("the same record as XML", calls[fullXML])
		ask("the same record for a citation", calls[citationData])
		ask("similar", calls["pubmed_similar_articles"], "elink", "esummary")
		for name, call := range calls {
			if name != "pubmed_citedin" && name != "pubmed_references" {
				ask(name+" again", call)
			}
		}
		time.Sleep(11 * time.Minute) // a missing record is cached for ten minutes
		ask("an unknown PMID", calls[abstractPlus], "efetch")
		time.Sleep(51 * time.Minute)
		ask("search after an hour", calls["search with 0"], search...)
		ask("search with summaries after an hour", calls["search with 5"], with...)
		ask("similar after an hour", calls["pubmed_similar_articles"])
		ask("record after an hour, for a citation", calls["citation_formats"])
		time.Sleep(23 * time.Hour)
		ask("similar after a day", calls["pubmed_similar_articles"], "elink", "esummary")
		ask("record after a day", calls["citation_formats"], "efetch")
	})
}

// TestScoredLinksThatHang: half of the call's time is left for the links without scores.
func TestScoredLinksThatHang(t *testing.T) {
	t.Parallel()
	const source = "32445440"
	scored := func(a ncbiRequest) bool { return a.form.Get("cmd") == "neighbor_score" }
	for name, hangs := range map[string]func(ncbiRequest) bool{
		"not":  nil,
		"half": scored,
		"all":  func(a ncbiRequest) bool { return a.utility == "elink" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := embeddedPubMed(t)
				p.hangs = hangs
				cache := sourcetest.InMemory()
				s := serveArticles(t, cache, eutilsManners(p), nil)
				ctx, cancel := context.WithTimeout(t.Context(), sourcetest.CallTimeout)
				defer cancel()
				start := time.Now()
				got, err := s.GetArticleRelationships(ctx, relationsOf("pubmed_similar_articles", source))
				took := time.Since(start)
				for _, r := range got.Value.RelatedArticles {
					expect.That(t, r.PMID != source, "the source is similar to itself")
				}
				noScores := strings.Contains(strings.Join(got.Notices, " "), "no scores in time")
				switch name {
				case "not":
					last := 1.0
					for i, r := range got.Value.RelatedArticles {
						if r.Score == nil || *r.Score > last || *r.Score < 0 || i == 0 && *r.Score == 0 {
							t.Errorf("article %d has the score %v after %v", i, r.Score, last)
							continue
						}
						last = *r.Score
					}
					expect.That(t, err == nil && len(got.Value.RelatedArticles) != 0 && !noScores && took == 0,
						"%d articles, notices %q after %v, %v", len(got.Value.RelatedArticles), got.Notices, took, err)
				case "half":
					for _, r := range got.Value.RelatedArticles {
						expect.That(t, r.Score == nil && r.Title != "", "%+v, want a title and no score", r)
					}
					expect.That(t, err == nil && len(got.Value.RelatedArticles) != 0 && noScores && took == sourcetest.CallTimeout/2 &&
						strings.Contains(got.Value.ELinkURL, "cmd=neighbor&"),
						"%d articles, notices %q, URL %s after %v, %v", len(got.Value.RelatedArticles), got.Notices, got.Value.ELinkURL,
						took, err)
					p.wantAsked(t, "half", "elink", "elink", "esummary")
				case "all":
					expect.That(t, err != nil && entity.AsError(err).Code == entity.UpstreamError && took == sourcetest.CallTimeout,
						"%v after %v", err, took)
					sourcetest.WantEmptyStore(t, cache)
				}
			})
		})
	}
}

// TestScores: scores are from 0 to 1, in NCBI's order, without the source article at any position; without its own score, no article has
// one.
func TestScores(t *testing.T) {
	t.Parallel()
	link := func(pmid string, score int) string { return fmt.Sprintf(`{"id":%q,"score":%d}`, pmid, score) }
	for name, test := range map[string]struct {
		links []string
		want  string
	}{
		"source first":           {[]string{link("7", 800), link("8", 600), link("9", 200)}, "8 0.75, 9 0.25"},
		"source in between":      {[]string{link("8", 800), link("7", 800), link("9", 1)}, "8 1, 9 0.0013"},
		"source twice":           {[]string{link("7", 800), link("8", 600), link("7", 800)}, "8 0.75"},
		"more than the source":   {[]string{link("8", 900), link("7", 800)}, "8 1"},
		"no score of the source": {[]string{link("7", 0), link("8", 600)}, "8"},
		"no source":              {[]string{link("8", 600), link("9", 200)}, "8, 9"},
		"another written alike":  {[]string{link("7", 800), link("008", 400), link("8", 300), link("77", 0)}, "8 0.5, 77 0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &pubmed{next: saysByUtility(map[string]string{
				"elink":    `{"linksets":[{"dbfrom":"pubmed","ids":["7"],"linksetdbs":[{"dbto":"pubmed","linkname":"pubmed_pubmed","links":[` + strings.Join(test.links, ",") + `]}]}]}`,
				"esummary": `{"result":{"uids":["8"],"8":{"uid":"8","title":"A title"}}}`,
			})}
			s := serveArticles(t, nil, eutilsManners(p), nil)
			got, err := s.GetArticleRelationships(t.Context(), relationsOf("pubmed_similar_articles", "7"))
			expect.NoError(t, err)
			var list []string
			for _, r := range got.Value.RelatedArticles {
				text := r.PMID
				if r.Score != nil {
					text += " " + strconv.FormatFloat(*r.Score, 'f', -1, 64)
				}
				list = append(list, text)
			}
			expect.Equal(t, "", test.want, strings.Join(list, ", "))
		})
	}
}

// saysByUtility returns a transport that answers each utility with one body.
func saysByUtility(bodies map[string]string) http.RoundTripper {
	return byUtility(func(utility string, req *http.Request) (*http.Response, error) {
		return sourcetest.FixedReply(bodies[utility]).RoundTrip(req)
	})
}

type byUtility func(utility string, req *http.Request) (*http.Response, error)

func (f byUtility) RoundTrip(req *http.Request) (*http.Response, error) {
	return f(strings.TrimSuffix(req.URL.Path[strings.LastIndex(req.URL.Path, "/")+1:], ".fcgi"), req)
}
