package articles

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/tool"
)

func countsOf(by string, compare ...string) tools.CountArticlesArgs {
	return tools.CountArticlesArgs{QueryTerm: "covid-19", By: by, Compare: compare,
		DateRange: tools.CountArticlesDateRange{DateType: "pdat"}}
}

// TestArticleCountsArePlanned: a call sends the number of requests that its progress announced, at most 20.
func TestArticleCountsArePlanned(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	p := embeddedPubMed(t)
	s := serveArticles(t, nil, eutilsManners(p), nil)
	for _, by := range []string{"", "year", "publicationType"} {
		for n := range 6 {
			name := fmt.Sprintf("by %q, %d others", by, n)
			done, planned := 0, 0
			ctx := tool.WithProgress(t.Context(), func(d, of int) { done, planned = d, of })
			answer, err := s.CountArticles(ctx,
				countsOf(by, []string{"remdesivir", "vaccine", "hydroxychloroquine", "asthma", "tp53"}[:n]...))
			expect.NoError(t, err)
			requests := p.since()
			expect.That(t, len(requests) <= envelope.MaxCounts && len(requests) == done && done == planned,
				"%s: %d requests, progress %d of %d",
				name,
				len(requests), done, planned)
			for _, a := range requests {
				expect.Is(t, a.form.Get("retmax"), "1", "%s: ids of a count", name)
			}
			got := answer.Value
			expect.That(t, len(got.Compare) == n && (got.AnyQuery != nil) == (n > 0) && (got.Overlap != nil) == (by != ""), "%s: %+v",
				name, got)
			if by == "" {
				continue
			}
			sum := 0
			for _, b := range got.Buckets {
				sum += b.Count
			}
			if got.OtherValues != nil {
				sum += *got.OtherValues
			}
			expect.Is(t, sum, got.TotalCount+*got.Overlap, "%s: buckets", name)
			expect.Is(t, strings.Contains(strings.Join(answer.Notices, ""), "Only these types were counted"), by == "publicationType",
				"%s: a notice on types", name)
			expect.Is(t, strings.Contains(strings.Join(answer.Notices, ""), "A call without compare also counts"),
				by == "publicationType" && n > 0, "%s: a notice on types that are left", name)
		}
	}
}

// TestArticleCountsAreThoseOfSearches: each number equals that of the same search.
func TestArticleCountsAreThoseOfSearches(t *testing.T) {
	t.Parallel()
	s := serveArticles(t, sourcetest.InMemory(), eutilsManners(embeddedPubMed(t)), nil)
	found := func(query string) int {
		answer, err := s.SearchPubMedArticles(t.Context(), searchFor(query, 0))
		expect.NoError(t, err)
		return answer.Value.TotalFound
	}
	answer, err := s.CountArticles(t.Context(), countsOf("year", "remdesivir OR vaccine", "asthma"))
	expect.NoError(t, err)
	got := answer.Value
	expect.Is(t, got.TotalCount, found("covid-19"), "articles")
	expect.Is(t, *got.AnyQuery, found("covid-19 OR (remdesivir OR vaccine) OR asthma"), "articles of any query")
	for _, one := range got.Compare {
		expect.Is(t, one.TotalCount, found(one.QueryTerm), "%s", one.QueryTerm)
		expect.Is(t, one.Both, found("covid-19 AND ("+one.QueryTerm+")"), "%s: both", one.QueryTerm)
		expect.Is(t, one.FirstOnlyComputed, found("covid-19 NOT ("+one.QueryTerm+")"), "%s: the first alone", one.QueryTerm)
		expect.Is(t, one.ThisOnlyComputed, found("("+one.QueryTerm+") NOT covid-19"), "%s: this alone", one.QueryTerm)
	}
	for _, b := range got.Buckets {
		expect.Is(t, b.Count, found("covid-19 AND "+b.Value+"[pdat]"), "%s", b.Value)
	}
	types, err := s.CountArticles(t.Context(), countsOf("publicationType"))
	expect.NoError(t, err)
	for _, b := range types.Value.Buckets {
		expect.Is(t, b.Count, found(`covid-19 AND "`+b.Value+`"[pt:noexp]`), "%s", b.Value)
	}
}

// TestYearBuckets: the ranges of years are disjoint, have no gap, and do not exceed the requested number.
func TestYearBuckets(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		from, to, kind string
		most           int
		want           string
	}{
		{"1000", "3000", "pdat", 4, "until 2024, 2025, 2026, since 2027"},
		{"", "", "", 3, "until 2025, 2026, since 2027"},
		{"2020/06", "2022", "pdat", 19, "2020, 2021, 2022"},
		{"2020", "2022", "pdat", 2, "until 2021, 2022"},
		{"2020", "2022", "pdat", 3, "2020, 2021, 2022"},
		{"2020", "2022", "edat", 3, "until 2025, 2026, since 2027"},
		{"2025", "3000", "pdat", 9, "2025, 2026, since 2027"},
		{"1000", "2001/03/02", "pdat", 3, "until 1999, 2000, 2001"},
		{"2030", "2031", "pdat", 3, "since 2027"},
	} {
		var dates *entity.ArticleDateRange
		if tt.kind != "" {
			dates = &entity.ArticleDateRange{MinDate: tt.from, MaxDate: tt.to, DateType: tt.kind}
		}
		var got []string
		for _, b := range yearBuckets(dates, tt.most, 2026) {
			got = append(got, b.value)
		}
		expect.Is(t, strings.Join(got, ", "), tt.want, "%s to %s", tt.from, tt.to)
	}
}

// TestArticleCountIsCancelled: a cancelled call sends no further request.
func TestArticleCountIsCancelled(t *testing.T) {
	t.Parallel()
	p := embeddedPubMed(t)
	s := serveArticles(t, nil, eutilsManners(p), nil)
	ctx, cancel := context.WithCancel(t.Context())
	ctx = tool.WithProgress(ctx, func(done, _ int) {
		if done == 3 {
			cancel()
		}
	})
	_, err := s.CountArticles(ctx, countsOf("year"))
	expect.That(t, err != nil, "no error")
	expect.Is(t, len(p.since()), 3, "requests")
}

// TestBucketNotices: the notice on a bucket of many years names the call that splits it.
func TestBucketNotices(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ from, to, kind, want string }{
		{"", "", "", `{"dateRange":{"maxDate":"2009","minDate":"1992"}}`},
		{"1000", "2020", "pdat", `{"dateRange":{"maxDate":"2002","minDate":"1985"}}`},
		{"2001/03", "2020", "pdat", `{"dateRange":{"maxDate":"2002","minDate":"2001/03"}}`},
		{"2001", "2020", "edat", "dateType pdat"},
		{"2010", "2020", "pdat", ""},
	} {
		var dates *entity.ArticleDateRange
		if tt.kind != "" {
			dates = &entity.ArticleDateRange{MinDate: tt.from, MaxDate: tt.to, DateType: tt.kind}
		}
		buckets := yearBuckets(dates, envelope.MaxCounts-1, 2026)
		counts := entity.ArticleCounts{TotalCount: 9}
		for _, b := range buckets {
			counts.Buckets = append(counts.Buckets, entity.ArticleBucket{Value: b.value, Count: 1})
		}
		got := strings.Join(bucketNotices("year", counts, buckets, dates), "")
		expect.That(t, (got == "") == (tt.want == "") && strings.Contains(got, tt.want), "%s to %s: %s", tt.from, tt.to, got)
	}
}

// TestCommonWordIsNamed: the error of a list names the item that is no query.
func TestCommonWordIsNamed(t *testing.T) {
	t.Parallel()
	s := serveArticles(t, nil, eutilsManners(embeddedPubMed(t)), nil)
	_, err := s.CountArticles(t.Context(), countsOf("", "remdesivir", "from the", "gene", "by"))
	expect.That(t, err != nil && strings.Contains(err.Error(), `compare: "from the" is in too many articles`) &&
		strings.Contains(err.Error(), `compare: "by" has no word`), "%v", err)
}
