package articles

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/ranges"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// countedTypes are the publication types that are counted. If a call may make fewer requests, only the first ones are counted.
var countedTypes = []string{
	"Journal Article", "Review", "Systematic Review", "Meta-Analysis", "Randomized Controlled Trial", "Clinical Trial", "Case Reports",
	"Observational Study", "Practice Guideline", "Multicenter Study", "Comparative Study", "Editorial", "Letter", "Comment", "Preprint",
	"Retracted Publication", "Published Erratum",
}

// CountArticles serves countArticles.
func (s *Articles) CountArticles(ctx context.Context, args tools.CountArticlesArgs) (entity.Answer[entity.ArticleCounts], error) {
	var answer entity.Answer[entity.ArticleCounts]
	dates, completed, err := readDateRange(tools.CountArticles, tools.SearchPubMedArticlesDateRange(args.DateRange), ranges.CalendarOf(""))
	if err != nil {
		return answer, err
	}
	c := &articleCount{articles: s.sources.Articles, notes: &answer.Notes}
	if dates != nil {
		c.filters = []string{within(*dates)}
	}
	first, others, err := c.queries(args)
	if err != nil {
		return answer, err
	}
	answer.Add(completed...)
	c.planned = 1
	if len(others) > 0 {
		c.planned += 2*len(others) + 1
	}
	var buckets []articleBucket
	switch args.By {
	case "year":
		buckets = yearBuckets(dates, envelope.MaxCounts-c.planned, time.Now().Year())
	case "publicationType":
		buckets = typeBuckets(envelope.MaxCounts - c.planned - 1)
	}
	c.planned += len(buckets)
	answer.Value, err = c.run(ctx, first, others, buckets)
	if err != nil {
		return answer, err
	}
	answer.Add(bucketNotices(args.By, answer.Value, buckets, dates)...)
	if answer.Value.TotalCount == 0 {
		answer.Value.DidYouMean, err = s.spelling(ctx, tools.CountArticles, first, &answer.Notes)
	}
	answer.Value.QueryTerm = args.QueryTerm
	for i := range answer.Value.Compare {
		answer.Value.Compare[i].QueryTerm = args.Compare[i]
		if answer.Value.Compare[i].TotalCount == 0 {
			answer.Add("No article matches " + envelope.Quoted(args.Compare[i]) + " of compare: " + adviceToCompare(args.Compare, i))
		}
	}
	return answer, err
}

// adviceToCompare returns the end of the notice for a query of compare that no article matches.
func adviceToCompare(compare []string, i int) string {
	parts := strings.FieldsFunc(compare[i], func(r rune) bool { return strings.ContainsRune(",;", r) })
	if len(parts) < 2 {
		return "check its spelling."
	}
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return "it is one query. For each of its parts call countArticles again with " +
		tool.Object("compare", slices.Replace(slices.Clone(compare), i, i+1, parts...)) + "."
}

// An articleCount is a running call of countArticles.
type articleCount struct {
	articles *ncbi.Articles
	notes    *entity.Notes
	filters  []string // of all queries

	made, planned int // number of requests, including cached ones
}

// queries reads the queries of a call. Its error names all that are refused, and has the call that counts the others.
func (c *articleCount) queries(args tools.CountArticlesArgs) (first articleTerm, others []articleTerm, err error) {
	first, err = c.query("queryTerm", args.QueryTerm)
	var all entity.Error
	if err != nil {
		all = *entity.AsError(err)
	}
	var counted []string
	for _, text := range args.Compare {
		other, refused := c.query("compare", text)
		if refused == nil {
			others, counted = append(others, other), append(counted, text)
			continue
		}
		e := *entity.AsError(refused)
		if all.Message != "" {
			e.Message, e.Code, e.Hint = all.Message+" "+e.Message, all.Code, all.Hint
		}
		all = e
	}
	if err == nil && counted != nil {
		all.Hint = "To count the others call " + tools.CountArticles + " again with " + tool.Object("compare", counted) + "."
	}
	if all.Message != "" {
		return first, nil, &all
	}
	return first, others, nil
}

// query reads a query. It refuses DOIs, because NCBI searches an unknown DOI as words.
func (c *articleCount) query(argument, text string) (articleTerm, error) {
	t, err := readArticleTerm(tools.CountArticles, argument, text)
	if err == nil && t.dois != nil {
		dois := strings.Join(t.dois, ", ")
		err = envelope.Refuse(argument, text, "%s is the DOI of one article. Count articles by words", envelope.Quoted(dois)).
			Hint("To look it up call convertArticleIds with %s. To count articles give words or a query.", tool.Object("ids", dois))
	}
	c.notes.Add(t.notices...)
	return t, err
}

// An articleBucket is a bucket and the expression for its articles. The expression of the rest bucket matches the articles that are not in
// it.
type articleBucket struct {
	value, expression string
	rest              bool
}

// run sends the planned requests.
func (c *articleCount) run(ctx context.Context, first articleTerm, others []articleTerm,
	buckets []articleBucket) (counts entity.ArticleCounts, err error) {
	base := first.and(c.filters...)
	found, err := c.count(ctx, base)
	if err != nil {
		return counts, err
	}
	counts.EffectiveESearchTerm, counts.TranslatedQuery, counts.TotalCount = base, entity.Clean(found.QueryTranslation), found.Count
	c.notes.Add(found.Ignored()...)
	if found.Count == 0 {
		notice := "No article matches queryTerm."
		if isCitation(first.given) {
			notice += " It looks like a citation: " + matchCall(first.given) + "."
		}
		c.notes.Add(notice)
		buckets = nil
	}
	for _, other := range others {
		one, err := c.compare(ctx, first, other, counts.TotalCount)
		if err != nil {
			return counts, err
		}
		counts.Compare = append(counts.Compare, one)
	}
	if len(others) > 0 {
		found, err := c.count(ctx, unionOf(first, others).and(c.filters...))
		if err != nil {
			return counts, err
		}
		counts.AnyQuery = &found.Count
	}
	return counts, c.countBuckets(ctx, &counts, articleTerm{text: base}, buckets)
}

// count returns the number of articles that match an expression.
func (c *articleCount) count(ctx context.Context, term string) (*entrez.Search, error) {
	hits, err := c.articles.Searches.Get(ctx, ncbi.ArticleSearch{Term: term, Sort: defaultSort, Max: 1}, c.notes)
	if err != nil {
		return nil, err
	}
	c.made++
	tool.Progress(ctx, c.made, c.planned)
	return &hits.Search, nil
}

// compare counts another query, on its own and together with the first.
func (c *articleCount) compare(ctx context.Context, first, other articleTerm, total int) (one entity.ArticleComparison, err error) {
	term := other.and(c.filters...)
	found, err := c.count(ctx, term)
	if err != nil {
		return one, err
	}
	c.notes.Add(found.Ignored()...)
	both, err := c.count(ctx, first.and(append([]string{other.text}, c.filters...)...))
	if err != nil {
		return one, err
	}
	return entity.ArticleComparison{
		EffectiveESearchTerm: term, TranslatedQuery: entity.Clean(found.QueryTranslation), TotalCount: found.Count, Both: both.Count,
		FirstOnlyComputed: max(0, total-both.Count), ThisOnlyComputed: max(0, found.Count-both.Count),
	}, nil
}

// unionOf returns the query that matches the articles of first and of all others.
func unionOf(first articleTerm, others []articleTerm) articleTerm {
	text := "(" + first.text + ")"
	for _, other := range others {
		text += " OR (" + other.text + ")"
	}
	return articleTerm{text: text}
}

// countBuckets counts the articles of each bucket, and sets Buckets, OtherValues and Overlap of counts.
func (c *articleCount) countBuckets(ctx context.Context, counts *entity.ArticleCounts, base articleTerm, buckets []articleBucket) error {
	sum := 0
	for _, b := range buckets {
		term := base.and(b.expression)
		if b.rest {
			term = "(" + base.text + ") NOT (" + b.expression + ")"
		}
		found, err := c.count(ctx, term)
		if err != nil {
			return err
		}
		sum += found.Count
		switch {
		case b.rest:
			counts.OtherValues = &found.Count
		case found.Count > 0:
			counts.Buckets = append(counts.Buckets, entity.ArticleBucket{Value: b.value, Count: found.Count})
		}
	}
	if len(buckets) > 0 {
		counts.Overlap = new(sum - counts.TotalCount)
	}
	if counts.OtherValues != nil {
		slices.SortStableFunc(counts.Buckets, func(a, b entity.ArticleBucket) int { return b.Count - a.Count })
	}
	return nil
}

// typeBuckets returns a bucket for each of the first countedTypes, at most limit, and one for articles of other types only.
func typeBuckets(limit int) (buckets []articleBucket) {
	limit = min(limit, len(countedTypes))
	var all []string
	for _, name := range countedTypes[:limit] {
		expression := `"` + name + `"[pt:noexp]`
		buckets, all = append(buckets, articleBucket{value: name, expression: expression}), append(all, expression)
	}
	return append(buckets, articleBucket{expression: strings.Join(all, " OR "), rest: true})
}

// bucketNotices says which types were counted, and which years are in one bucket.
func bucketNotices(by string, counts entity.ArticleCounts, buckets []articleBucket, dates *entity.ArticleDateRange) []string {
	if by == "" || counts.TotalCount == 0 {
		return nil
	}
	if by == "publicationType" {
		most := len(buckets) - 1
		notice := "Only these types were counted: " + strings.Join(countedTypes[:most], "; ") +
			". otherValues is the articles of none of them."
		if left := countedTypes[most:]; len(left) > 0 {
			notice += " A call without compare also counts " + strings.Join(left, "; ") + "."
		}
		return []string{notice}
	}
	if len(counts.Buckets) == 0 {
		return nil
	}
	merged := counts.Buckets[0].Value
	until, err := strconv.Atoi(strings.TrimPrefix(merged, envelope.UntilYear))
	if err != nil || !strings.HasPrefix(merged, envelope.UntilYear) {
		return nil
	}
	notice := fmt.Sprintf("The years %s are one bucket: a call makes at most %d requests.", merged, envelope.MaxCounts)
	if dates != nil && dates.DateType != "pdat" {
		return []string{notice + " To count earlier years one by one give dateRange with dateType pdat."}
	}
	earlier := map[string]string{"minDate": strconv.Itoa(until - len(buckets) + 2), "maxDate": strconv.Itoa(until)}
	if dates != nil && envelope.YearOf(dates.MinDate, envelope.FirstDate) >= until-len(buckets)+2 {
		earlier["minDate"] = dates.MinDate
	}
	return []string{notice + " To count earlier years one by one call " + tools.CountArticles + " again with " +
		tool.Object("dateRange", earlier) + "."}
}

// yearBuckets returns at most limit buckets for the years of a range of publication dates, or for all years, in ascending order. Each of
// the latest years has a bucket; the first bucket may cover all earlier years.
func yearBuckets(dates *entity.ArticleDateRange, limit, now int) (buckets []articleBucket) {
	from, to := 0, 0 // 0 means open
	if dates != nil && dates.DateType == "pdat" {
		from, to = envelope.YearOf(dates.MinDate, envelope.FirstDate), envelope.YearOf(dates.MaxDate, envelope.LastDate)
	}
	add := func(value, first, last string) {
		buckets = append(buckets, articleBucket{value: value, expression: first + ":" + last + "[pdat]"})
	}
	last := to
	if to == 0 || to > now { // PubMed has few articles of the next year, and hardly any of later ones
		add(envelope.SinceYear+strconv.Itoa(now+1), strconv.Itoa(now+1), envelope.LastDate)
		last = now
	}
	for year := last; year >= max(from, 1); year-- {
		if len(buckets) == limit-1 && year > from {
			add(envelope.UntilYear+strconv.Itoa(year), envelope.FirstDate, strconv.Itoa(year))
			break
		}
		add(strconv.Itoa(year), strconv.Itoa(year), strconv.Itoa(year))
	}
	slices.Reverse(buckets)
	return buckets
}
