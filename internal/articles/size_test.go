package articles

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

// pmidsOfXML returns the PMIDs of XML content, read independently of package entrez.
func pmidsOfXML(t testing.TB, content string) (pmids []string) {
	t.Helper()
	var set struct {
		XMLName xml.Name `xml:"PubmedArticleSet"`
		Records []struct {
			XMLName xml.Name
			Article string `xml:"MedlineCitation>PMID"`
			Book    string `xml:"BookDocument>PMID"`
		} `xml:",any"`
	}
	if err := xml.Unmarshal([]byte(content), &set); err != nil {
		t.Fatalf("the content is no XML: %v\n%.300s", err, content)
	}
	for _, r := range set.Records {
		pmids = append(pmids, r.Article+r.Book)
	}
	return pmids
}

// nextCalls returns the arguments of the calls in notices.
func nextCalls(t testing.TB, notices []string) (calls []tools.FetchArticleDetailsArgs) {
	t.Helper()
	for _, notice := range notices {
		begin, end := strings.Index(notice, "{"), strings.LastIndex(notice, "}")
		if begin < 0 {
			continue
		}
		args := detailsOf(abstractPlus) // the defaults
		if err := json.Unmarshal([]byte(notice[begin:end+1]), &args); err != nil || len(args.Pmids) == 0 {
			t.Fatalf("the notice has no arguments: %v %s", err, notice)
		}
		calls = append(calls, args)
	}
	return calls
}

// TestManyLargeArticles: an answer stays within its limit for articles of any size, and the calls in its notices read each article once.
func TestManyLargeArticles(t *testing.T) {
	t.Parallel()
	budgets := []int{10_000, 60_000, 400_000}
	if !expect.All() {
		budgets = budgets[1:2]
	}
	for _, budget := range budgets {
		var samples []sourcetest.Sample
		var pmids, known []string
		for n := range 100 {
			pmid := 30_000_000 + n
			pmids = append(pmids, fmt.Sprint(pmid))
			if n%9 == 4 {
				continue // unknown
			}
			known = append(known, fmt.Sprint(pmid))
			size := n * n * 7 % (budget / 4)
			if n%31 == 7 {
				size = budget - 7000 // fits only alone
			}
			samples = append(samples, sourcetest.Sample{PMID: pmid, Abstract: strings.Repeat(`"Aged" people <b>walk</b> &lt; 5 km. `, size/45)})
		}
		for _, level := range []string{abstractPlus, fullXML, medlineText} {
			t.Run(fmt.Sprint(level, " in ", budget), func(t *testing.T) {
				t.Parallel()
				p := holding(t, samples...)
				s := serveArticles(t, sourcetest.InMemory(), eutilsManners(p), func(o *articlesSetup) { o.maxAnswer = budget })
				var read []string
				answers := 0
				for calls := []tools.FetchArticleDetailsArgs{detailsOf(level, pmids...)}; len(calls) > 0; {
					given := calls[0].Pmids
					answer, err := s.FetchArticleDetails(t.Context(), calls[0])
					expect.NoError(t, err)
					if size := len(sourcetest.Valid(t, "fetchArticleDetails.output", answer)); size > budget {
						t.Fatalf("answer %d to %d PMIDs has %d bytes, %d more than it may", answers, len(given), size, size-budget)
					}
					if answers++; answers > len(pmids) {
						t.Fatalf("%d answers, and still to call with %+v", answers, calls)
					}
					held := heldBy(t, answer.Value)
					next := nextCalls(t, answer.Notices)
					again := 0
					for _, more := range next {
						again += len(more.Pmids)
						expect.Must(t, len(more.Pmids) < len(given), "the same call again: %+v", more)
					}
					expect.That(t, !strings.Contains(strings.Join(answer.Notices, " "), "larger than an answer") &&
						!strings.Contains(strings.Join(answer.Notices, " "), "cut were"),
						"notice that something cannot be read: %q", answer.Notices)
					missing := len(answer.Value.NotFoundPMIDs)
					accounted := len(held) + missing + again
					expect.That(t, accounted == len(given),
						"%d read, %d not found, %d to be requested again; want %d in all", len(held), missing, again, len(given))
					read = append(read, held...)
					calls = slices.Concat(next, calls[1:])
				}
				slices.Sort(read)
				expect.That(t, slices.Equal(read, known), "%d read, want each of %d once", len(read), len(known))
				requests := len(p.since())
				t.Logf("%d articles in %d answers of at most %d bytes, %d requests", len(known), answers, budget, requests)
				expect.Equal(t, "requests", 1, requests)
			})
		}
	}
}

// TestTooLargeArticle: an article that is larger than an answer is shortened if possible, else named in a notice.
func TestTooLargeArticle(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	const budget = 20_000
	for name, large := range map[string]string{
		"abstract": strings.Repeat("Many a little makes a mickle. ", 1000),
		"one word": strings.Repeat("x", 30_000),
		"escapes":  strings.Repeat(`"\" &lt; `, 5000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var samples []sourcetest.Sample
			var pmids []string
			for n := range 30 {
				text := "One sentence."
				if n%3 != 1 {
					text = large
				}
				samples = append(samples, sourcetest.Sample{PMID: 30_000_000 + n, Abstract: text})
				pmids = append(pmids, fmt.Sprint(30_000_000+n))
			}
			s := serveArticles(t, sourcetest.InMemory(), eutilsManners(holding(t, samples...)),
				func(o *articlesSetup) { o.maxAnswer = budget })
			for _, level := range detailLevels {
				var read []string
				for calls := []tools.FetchArticleDetailsArgs{detailsOf(level, pmids...)}; len(calls) > 0; {
					given := calls[0].Pmids
					answer, err := s.FetchArticleDetails(t.Context(), calls[0])
					expect.NoError(t, err)
					if size := len(sourcetest.Valid(t, "fetchArticleDetails.output", answer)); size > budget {
						t.Fatalf("%s: an answer to %d PMIDs has %d bytes", level, len(given), size)
					}
					held := heldBy(t, answer.Value)
					all := strings.Join(answer.Notices, "\n")
					for i, a := range answer.Value.Articles {
						if level != abstractPlus {
							break
						}
						want := "One sentence."
						if slices.Index(pmids, a.PMID)%3 != 1 {
							want = ""
							if !strings.Contains(all, "abstractText") || !strings.Contains(all, id.PMID.URL(a.PMID)) ||
								a.AbstractText != "" && !strings.HasSuffix(a.AbstractText, "…") {
								t.Errorf("%s was cut to %q: notices %q", a.PMID, entity.Cut(a.AbstractText, 60), answer.Notices)
							}
						}
						if want != "" && a.AbstractText != want {
							t.Errorf("article %d, %s: abstract %q", i, a.PMID, entity.Cut(a.AbstractText, 60))
						}
					}
					next := nextCalls(t, answer.Notices)
					for _, pmid := range given {
						if named := strings.Contains(all, pmid); !named && !slices.Contains(held, pmid) {
							t.Errorf("%s: %s is neither read nor named", level, pmid)
						}
					}
					read = append(read, held...)
					calls = slices.Concat(next, calls[1:])
				}
				want := 30
				if level == fullXML || level == medlineText {
					want = 10
				}
				slices.Sort(read)
				if got := len(slices.Compact(slices.Clone(read))); got != want || len(read) != want {
					t.Errorf("%s: %d read, %d different; want %d", level, len(read), got, want)
				}
			}
		})
	}
}

// TestSearchSize: the answer of a search stays within its limit.
func TestSearchSize(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	samples, pmids := alike(1000, "One sentence.")
	p := holding(t, samples...)
	for _, budget := range []int{10_000, 30_000, 400_000} {
		s := serveArticles(t, sourcetest.InMemory(), eutilsManners(p), func(o *articlesSetup) { o.maxAnswer = budget })
		answer, err := s.SearchPubMedArticles(t.Context(),
			tools.SearchPubMedArticlesArgs{QueryTerm: "finding", MaxResults: 1000, SortBy: "pub_date", FetchBriefSummaries: 100})
		expect.NoError(t, err)
		size := len(sourcetest.Valid(t, "searchPubMedArticles.output", answer))
		v := answer.Value
		expect.That(t, size <= budget && v.TotalFound == len(pmids) && v.RetrievedPMIDCount == len(v.PMIDs) && len(v.PMIDs) != 0,
			"%d bytes of %d: %d of %d PMIDs, counted %d", size, budget, len(v.PMIDs), v.TotalFound, v.RetrievedPMIDCount)
		all := strings.Join(answer.Notices, " ")
		if complete := len(v.PMIDs) == 1000; complete == strings.Contains(all, "was cut to") {
			t.Errorf("%d PMIDs, notices %q", len(v.PMIDs), answer.Notices)
		}
		if complete := len(v.BriefSummaries) == 100; complete == strings.Contains(all, "briefSummaries") {
			t.Errorf("%d summaries, notices %q", len(v.BriefSummaries), answer.Notices)
		}
		expect.That(t, budget != 400_000 || len(v.PMIDs) == 1000 && len(v.BriefSummaries) == 100,
			"%d PMIDs and %d summaries in %d bytes", len(v.PMIDs), len(v.BriefSummaries), size)
		t.Logf("%d PMIDs and %d summaries in %d of %d bytes", len(v.PMIDs), len(v.BriefSummaries), size, budget)
	}
}
