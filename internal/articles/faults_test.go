package articles

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/sandbox"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

// eachArticleCall returns calls of each PubMed tool in each of its variants.
func eachArticleCall() map[string]func(context.Context, *Articles) sourcetest.Outcome {
	calls := map[string]func(context.Context, *Articles) sourcetest.Outcome{
		"stats": func(ctx context.Context, s *Articles) sourcetest.Outcome {
			text, err := s.Resources()[1].Read(ctx)
			return sourcetest.Outcome{Value: string(text), Err: err}
		},
	}
	for _, summaries := range []int{0, 5} {
		calls[fmt.Sprintf("search with %d summaries", summaries)] = func(ctx context.Context, s *Articles) sourcetest.Outcome {
			return sourcetest.NewOutcome(s.SearchPubMedArticles(ctx, searchFor("covid", summaries)))
		}
	}
	for _, level := range detailLevels {
		calls[level] = func(ctx context.Context, s *Articles) sourcetest.Outcome {
			return sourcetest.NewOutcome(s.FetchArticleDetails(ctx, detailsOf(level, "32445440", "33301246", "29768149")))
		}
	}
	for _, kind := range relationshipTypes {
		calls[kind] = func(ctx context.Context, s *Articles) sourcetest.Outcome {
			return sourcetest.NewOutcome(s.GetArticleRelationships(ctx, relationsOf(kind, "33301246")))
		}
	}
	// Without links: another request must distinguish it from an unknown article.
	calls["none that cite"] = func(ctx context.Context, s *Articles) sourcetest.Outcome {
		return sourcetest.NewOutcome(s.GetArticleRelationships(ctx, relationsOf("pubmed_citedin", "9997")))
	}
	calls["citation"] = func(ctx context.Context, s *Articles) sourcetest.Outcome {
		return sourcetest.NewOutcome(s.MatchCitations(ctx, tools.MatchCitationsArgs{Citations: []tools.MatchCitationsCitations{rewind}}))
	}
	return calls
}

// articleBubbles runs a test for each fault and call, in a synctest bubble.
func articleBubbles(
	t *testing.T, run func(t *testing.T, fault sandbox.Fault, name string, call func(context.Context, *Articles) sourcetest.Outcome),
) {
	for _, fault := range slices.Concat(sandbox.AllFaults(), sandbox.EutilsFaults()) {
		for name, call := range eachArticleCall() {
			t.Run(string(fault)+", "+name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { run(t, fault, name, call) })
			})
		}
	}
}

// wantArticleFault checks the error of a fault.
func wantArticleFault(t testing.TB, fault sandbox.Fault, got sourcetest.Outcome) {
	t.Helper()
	expect.Must(t, got.Err != nil, "%s is answered with %.500v", fault, got.Value)
	want := entity.UpstreamError
	switch fault {
	case sandbox.TooMany, sandbox.TooManyWait, sandbox.EutilsLimit, sandbox.EutilsLimitInside:
		want = entity.RateLimited
	}
	e := entity.AsError(got.Err)
	expect.That(t, e.Code == want && (strings.Contains(e.Message, "NCBI") || strings.Contains(e.Message, "NCBI's")),
		"%s %q, want %s", e.Code, e.Message, want)
	expect.That(t, want != entity.UpstreamError || fault == sandbox.Untrusted || strings.Contains(e.Hint, "This is not an empty result"),
		"the hint does not say that nothing was found out: %s", e.Hint)
	shown := strings.ToLower(strings.ReplaceAll(e.Message+" "+e.Hint, sourcetest.StatusPage, ""))
	for _, leak := range []string{"http", "eutils", "fcgi", "elsewhere", "eof", "json", "xml", "unexpected", "x509", "lookup", "dial",
		"context", "deadline", "txclient", "<"} {
		expect.That(t, !strings.Contains(shown, leak), "message and hint show %q: %s", leak, shown)
	}
	if wrong := sourcetest.InvalidEnvelope(got.Err); wrong != "" {
		t.Error(wrong)
	}
}

// faultyPubMed returns the embedded NCBI behind a network on which every request fails while a fault is set.
func faultyPubMed(t testing.TB) (*sandbox.Faults, *atomic.Value) {
	fault := &atomic.Value{}
	fault.Store(sandbox.NoFault)
	return &sandbox.Faults{Next: embeddedPubMed(t).next,
		Plan: func(int, *http.Request) sandbox.Fault { return fault.Load().(sandbox.Fault) }}, fault
}

// patiently makes a call with the usual time limit of calls.
func patiently(t testing.TB, s *Articles, call func(context.Context, *Articles) sourcetest.Outcome) sourcetest.Outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), sourcetest.CallTimeout)
	defer cancel()
	return call(ctx, s)
}

// TestArticleFaults: with every fault of NCBI, a call never returns an empty or partial answer, and failures are not cached.
func TestArticleFaults(t *testing.T) {
	t.Parallel()
	articleBubbles(t, func(t *testing.T, fault sandbox.Fault, _ string, call func(context.Context, *Articles) sourcetest.Outcome) {
		faults, now := faultyPubMed(t)
		cache := sourcetest.InMemory()
		o := eutilsManners(faults)
		o.Tries, o.MaxBody = 3, 1<<20
		s := serveArticles(t, cache, o, nil)
		right := patiently(t, serveArticles(t, nil, eutilsManners(faults), nil), call)
		expect.Must(t, right.Err == nil, "%v", right.Err)
		now.Store(fault)
		for range 2 { // the second call would get what the first had cached
			wantArticleFault(t, fault, patiently(t, s, call))
			sourcetest.WantEmptyStore(t, cache)
		}
		now.Store(sandbox.NoFault)
		got := patiently(t, s, call)
		if diff := cmp.Diff(right.Value, got.Value); got.Err != nil || diff != "" || !slices.Equal(right.Notices, got.Notices) {
			t.Errorf("after the fault: %v, notices %q (-right +got):\n%s", got.Err, got.Notices, diff)
		}
	})
}

// TestArticleFaultBeforeAKeptAnswer: while NCBI fails, calls return cached answers with a notice on their age.
func TestArticleFaultBeforeAKeptAnswer(t *testing.T) {
	t.Parallel()
	articleBubbles(t, func(t *testing.T, fault sandbox.Fault, name string, call func(context.Context, *Articles) sourcetest.Outcome) {
		faults, now := faultyPubMed(t)
		o := eutilsManners(faults)
		o.Tries, o.MaxBody = 1, 1<<20
		s := serveArticles(t, sourcetest.InMemory(), o, nil)
		first := patiently(t, s, call)
		expect.Must(t, first.Err == nil, "%v", first.Err)
		time.Sleep(26 * time.Hour)
		now.Store(fault)
		const notice = "NCBI cannot be queried at the moment. This answer was stored 26 hours ago and may be out of date."
		for i := range 2 {
			got := patiently(t, s, call)
			expect.Must(t, got.Err == nil, "call %d: %v", i, got.Err)
			if name == "stats" { // its document has the date
				text := got.Value.(string)
				if !strings.Contains(text, `"notices":["`+notice+`"]`) ||
					strings.Replace(text, `,"notices":["`+notice+`"]`, "", 1) != first.Value {
					t.Errorf("call %d: %.100s … %.300s", i, text, text[max(0, len(text)-300):])
				}
				continue
			}
			expect.Equal(t, fmt.Sprintf("call %d: the kept answer differs", i), first.Value, got.Value)
			others := slices.DeleteFunc(slices.Clone(got.Notices), func(n string) bool { return n != notice })
			expect.That(t, len(others) == 1 && len(got.Notices) == len(first.Notices)+1, "call %d: notices %q", i, got.Notices)
			if p := got.Provenance; p.Cache != entity.CacheStale || !p.RetrievedAt.Equal(first.Provenance.RetrievedAt) {
				t.Errorf("call %d: %+v, retrieved first at %v", i, p, first.Provenance.RetrievedAt)
			}
		}
		now.Store(sandbox.NoFault)
		got := patiently(t, s, call)
		if diff := cmp.Diff(first.Value, got.Value); got.Err != nil || diff != "" || !slices.Equal(first.Notices, got.Notices) {
			t.Errorf("after the fault: %v, notices %q (-first +got):\n%s", got.Err, got.Notices, diff)
		}
	})
}

// TestArticleFaultBeforeHalfAnAnswer: a cached record does not hide the failure for another one.
func TestArticleFaultBeforeHalfAnAnswer(t *testing.T) {
	t.Parallel()
	for _, level := range detailLevels {
		for _, after := range []time.Duration{0, 26 * time.Hour} {
			synctest.Test(t, func(t *testing.T) {
				faults, now := faultyPubMed(t)
				s := serveArticles(t, sourcetest.InMemory(), eutilsManners(faults), nil)
				if _, err := s.FetchArticleDetails(t.Context(), detailsOf(level, "32445440")); err != nil {
					t.Fatal(err)
				}
				time.Sleep(after)
				now.Store(sandbox.Unavailable)
				wantArticleFault(t, sandbox.Unavailable,
					sourcetest.NewOutcome(s.FetchArticleDetails(t.Context(), detailsOf(level, "32445440", "33301246"))))
			})
		}
	}
}

// TestSummariesThatFail: related articles are returned without titles and with a notice; a search whose summaries were requested fails.
func TestSummariesThatFail(t *testing.T) {
	t.Parallel()
	for _, fault := range slices.Concat(sandbox.AllFaults(), sandbox.EutilsFaults()) {
		t.Run(string(fault), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var well atomic.Bool
				faults := &sandbox.Faults{Next: embeddedPubMed(t).next, Plan: func(_ int, req *http.Request) sandbox.Fault {
					if !well.Load() && strings.HasSuffix(req.URL.Path, "esummary.fcgi") {
						return fault
					}
					return sandbox.NoFault
				}}
				o := eutilsManners(faults)
				o.MaxBody = 1 << 20
				s := serveArticles(t, sourcetest.InMemory(), o, nil)
				related := eachArticleCall()["pubmed_similar_articles"]
				got := patiently(t, s, related)
				list := got.Value.(entity.ArticleRelationships).RelatedArticles
				if got.Err != nil || len(list) != 5 || list[0].Title != "" || list[0].Score == nil ||
					!strings.Contains(strings.Join(got.Notices, " "), "Titles and authors could not be read") {
					t.Errorf("%d related articles, notices %q, %v", len(list), got.Notices, got.Err)
				}
				sourcetest.Valid(t, "getArticleRelationships.output",
					entity.Answer[entity.ArticleRelationships]{Value: got.Value.(entity.ArticleRelationships),
						Notes: entity.Notes{Notices: got.Notices}})
				for _, name := range []string{"search with 5 summaries", "none that cite"} {
					wantArticleFault(t, fault, patiently(t, s, eachArticleCall()[name]))
				}
				well.Store(true)
				if list := patiently(t, s, related).Value.(entity.ArticleRelationships).RelatedArticles; len(list) != 5 ||
					list[0].Title == "" {
					t.Errorf("afterwards: %+v", list)
				}
			})
		})
	}
}

// TestAnswersThatAreCut: truncated records are an error, never fewer records or a partial one.
func TestAnswersThatAreCut(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	full := embeddedPubMed(t).next
	for _, level := range []string{abstractPlus, medlineText} {
		t.Run(level, func(t *testing.T) {
			t.Parallel()
			pmids := []string{"32445440", "29768149", "33301246"}
			var keep atomic.Int64
			length := 0
			cut := byUtility(func(_ string, req *http.Request) (*http.Response, error) {
				resp, err := full.RoundTrip(req)
				if err != nil {
					return nil, err
				}
				body, err := io.ReadAll(resp.Body)
				length = len(body)
				body = body[:min(int(keep.Load()), len(body))]
				resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
				return resp, err
			})
			s := serveArticles(t, nil, eutilsManners(cut), nil)
			keep.Store(1 << 30)
			right, err := s.FetchArticleDetails(t.Context(), detailsOf(level, pmids...))
			expect.Must(t, err == nil && len(right.Value.NotFoundPMIDs) == 0, "%v", err)
			errors, places := 0, 0
			for n := int64(length) - 1; n >= 0; n -= 1 + n/200 { // in smaller steps at the start
				places++
				keep.Store(n)
				got, err := s.FetchArticleDetails(t.Context(), detailsOf(level, pmids...))
				if err != nil {
					errors++
					expect.Must(t, entity.AsError(err).Code == entity.UpstreamError, "after %d of %d bytes: %v", n, length, err)
					continue
				}
				if diff := cmp.Diff(right.Value, got.Value); diff != "" && level != medlineText {
					t.Fatalf("after %d of %d bytes (-whole +cut):\n%s", n, length, diff)
				}
				if level != medlineText {
					continue
				}
				// A truncated text does not show that other records followed, or that its last line continued.
				rest, begins := strings.CutPrefix(*right.Value.Content, strings.TrimSpace(*got.Value.Content))
				expect.Must(t, begins && (strings.HasPrefix(strings.TrimLeft(rest, "\n"), "PMID- ") ||
					strings.HasPrefix(rest, "\n      ") || strings.TrimSpace(rest) == ""),
					"after %d of %d bytes: half a record, without %.200q", n, length, rest)
			}
			t.Logf("%s: of %d places to cut %d are errors", level, places, errors)
			expect.That(t, errors >= places*9/10, "%d of %d places to cut are errors", errors, places)
		})
	}
}

// TestNoLinks: an article has no links only if its own link set is empty and the article exists.
func TestNoLinks(t *testing.T) {
	t.Parallel()
	const (
		known   = `{"result":{"uids":["7"],"7":{"uid":"7","title":"A title"}}}`
		unknown = `{"result":{"uids":["7"],"7":{"uid":"7","error":"cannot get document summary"}}}`
		none    = `{"linksets":[{"dbfrom":"pubmed","ids":["7"]}]}`
	)
	for name, test := range map[string]struct {
		link, summary string
		want          entity.Code // "": no links, no error
	}{
		"none":              {none, known, ""},
		"none of this name": {`{"linksets":[{"dbfrom":"pubmed","ids":["7"],"linksetdbs":[{"linkname":"pubmed_pubmed_reviews","links":["8"]}]}]}`, known, ""},
		"itself": {`{"linksets":[{"dbfrom":"pubmed","ids":["7"],"linksetdbs":[{"linkname":"NAME","links":["7"]}]}]}`,
			known, ""},
		"no article":                  {none, unknown, entity.EntityNotFound},
		"nothing said of the article": {none, `{"result":{"uids":["8"],"8":{"uid":"8","title":"Another"}}}`, entity.UpstreamError},
		"an article of no kind":       {none, `{"result":{"uids":["7"],"7":{"uid":"7","title":{"a":1}}}}`, entity.UpstreamError},
		"no link sets":                {`{"linksets":[]}`, known, entity.UpstreamError},
		"no list of link sets":        {`{"header":{"type":"elink"}}`, known, entity.UpstreamError},
		"of another article":          {`{"linksets":[{"dbfrom":"pubmed","ids":["8"]}]}`, known, entity.UpstreamError},
		"of two, pooled":              {`{"linksets":[{"dbfrom":"pubmed","ids":["7","8"]}]}`, known, entity.UpstreamError},
		"an error inside": {`{"linksets":[{"dbfrom":"pubmed","ids":["7"]}],"ERROR":"Read failed: EOF"}`, known,
			entity.UpstreamError},
		"an error in the set": {`{"linksets":[{"dbfrom":"pubmed","ids":["7"],"ERROR":"Read failed: EOF"}]}`, known, entity.UpstreamError},
		"invalid links": {`{"linksets":[{"dbfrom":"pubmed","ids":["7"],"linksetdbs":[{"linkname":"NAME","links":["x"]}]}]}`, known,
			entity.UpstreamError},
	} {
		for _, kind := range relationshipTypes[:3] {
			t.Run(name+", "+kind, func(t *testing.T) {
				t.Parallel()
				p := &pubmed{next: saysByUtility(map[string]string{
					"elink": strings.ReplaceAll(test.link, "NAME", relations[kind].links.Name()), "esummary": test.summary,
				})}
				cache := sourcetest.InMemory()
				s := serveArticles(t, cache, eutilsManners(p), nil)
				for range 2 {
					got, err := s.GetArticleRelationships(t.Context(), relationsOf(kind, "7"))
					if test.want != "" {
						expect.That(t, err != nil && entity.AsError(err).Code == test.want,
							"%+v, %v; want %s", got.Value, err, test.want)
						continue
					}
					expect.That(t, err == nil && len(got.Value.RelatedArticles) == 0 && got.Value.RetrievedCount == 0 &&
						slices.Contains(got.Notices, relations[kind].none),
						"%+v, notices %q, %v", got.Value, got.Notices, err)
				}
			})
		}
	}
}

// TestSearchWithoutList: a response with a count but no ids is an error.
func TestSearchWithoutList(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"hits without ids": `{"esearchresult":{"count":"5","retmax":"0","idlist":[]}}`,
		"no list":          `{"esearchresult":{"count":"5"}}`,
		"no count":         `{"esearchresult":{"idlist":["7"]}}`,
		"no result":        `{"header":{"type":"esearch"}}`,
		"backend":          `{"esearchresult":{"ERROR":"Search Backend failed: x"}}`,
	} {
		s := serveArticles(t, nil, eutilsManners(saysByUtility(map[string]string{"esearch": body})), nil)
		if got, err := s.SearchPubMedArticles(t.Context(), searchFor("asthma", 0)); err == nil ||
			entity.AsError(err).Code != entity.UpstreamError {
			t.Errorf("%s: %+v, %v", name, got.Value, err)
		}
	}
}

// TestSummariesOfASearch: summaries come from the history or, if it has expired, by PMID; a notice names missing ones.
func TestSummariesOfASearch(t *testing.T) {
	t.Parallel()
	const search = `{"esearchresult":{"count":"2","idlist":["8","7"],"webenv":"MCID_x","querykey":"1"}}`
	both := `{"result":{"uids":["7","8"],"7":{"uid":"7","title":"Seven"},"8":{"uid":"8","title":"Eight"}}}`
	for name, test := range map[string]struct {
		history, byID string
		want          string
		notice        bool
	}{
		"from the history":    {both, "", "8 Eight, 7 Seven", false},
		"the history is gone": {`{"esummaryresult":["Unable to obtain query #1"]}`, both, "8 Eight, 7 Seven", false},
		"one is missing":      {`{"result":{"uids":["8"],"8":{"uid":"8","title":"Eight"}}}`, "", "8 Eight", true},
		"one cannot be had":   {`{"result":{"uids":["8","7"],"8":{"uid":"8","title":"Eight"},"7":{"uid":"7","error":"cannot get document summary"}}}`, "", "8 Eight", true},
		"one too many":        {`{"result":{"uids":["8","7","6"],"6":{"uid":"6","title":"Six"},"8":{"uid":"8","title":"Eight"},"7":{"uid":"7","title":"Seven"}}}`, "", "8 Eight, 7 Seven", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &pubmed{next: byUtility(func(utility string, req *http.Request) (*http.Response, error) {
				switch {
				case utility == "esearch":
					return sourcetest.FixedReply(search).RoundTrip(req)
				case req.URL.Query().Has("WebEnv"):
					return sourcetest.FixedReply(test.history).RoundTrip(req)
				}
				return sourcetest.FixedReply(test.byID).RoundTrip(req)
			})}
			s := serveArticles(t, nil, eutilsManners(p), nil)
			got, err := s.SearchPubMedArticles(t.Context(), searchFor("asthma[tw]", 2))
			expect.NoError(t, err)
			var list []string
			for _, b := range got.Value.BriefSummaries {
				list = append(list, b.PMID+" "+b.Title)
			}
			if text := strings.Join(list, ", "); text != test.want || len(got.Value.PMIDs) != 2 ||
				strings.Contains(strings.Join(got.Notices, " "), "no summary of 1") != test.notice {
				t.Errorf("%s, PMIDs %q, notices %q", text, got.Value.PMIDs, got.Notices)
			}
			if n := len(p.since()); n != got.Provenance.UpstreamRequests {
				t.Errorf("%d requests, provenance has %d", n, got.Provenance.UpstreamRequests)
			}
		})
	}
}
