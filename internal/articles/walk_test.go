package articles

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

// entries are articles with ids and entry dates only, as ESearch finds them.
type entries struct {
	mu       sync.Mutex
	days     map[int]string // 2006/01/02, by PMID
	requests int
	ids      int // number of ids sent
}

var edatRange = lazyregexp.New(`([0-9/]+):([0-9/]+)\[edat\]`)

func (e *entries) RoundTrip(req *http.Request) (*http.Response, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.requests++
	query := req.URL.Query()
	from, to := "1000", "3000"
	if m := edatRange.FindStringSubmatch(query.Get("term")); m != nil {
		from, to = m[1], m[2]
	}
	var found []int
	for pmid, day := range e.days {
		if day >= from && day <= to+"/~" {
			found = append(found, pmid)
		}
	}
	slices.Sort(found)
	if query.Get("sort") == "relevance" { // any order, but always the same one
		slices.SortFunc(found, func(a, b int) int { return a*7919%10007 - b*7919%10007 })
	} else {
		slices.Reverse(found)
	}
	most, _ := strconv.Atoi(query.Get("retmax"))
	ids := []string{}
	for _, pmid := range found[:min(len(found), most, maxListed)] {
		ids = append(ids, strconv.Itoa(pmid))
	}
	e.ids += len(ids)
	body, err := json.Marshal(map[string]any{"esearchresult": map[string]any{"count": strconv.Itoa(len(found)), "idlist": ids,
		"querytranslation": "x"}})
	if err != nil {
		return nil, err
	}
	return sourcetest.FixedReply(string(body)).RoundTrip(req)
}

func (e *entries) add(day time.Time, n int) {
	for range n {
		e.days[10_000_000+len(e.days)*13] = day.Format(entrezDay)
	}
}

// unequal returns articles over days with unequal numbers: more on later days, none on some.
func unequal(total int) *entries {
	e := &entries{days: map[int]string{}}
	random := rand.New(rand.NewPCG(1, 2))
	for day := time.Date(1994, 3, 1, 0, 0, 0, 0, time.UTC); len(e.days) < total; day = day.AddDate(0, 0, 1+random.IntN(4)) {
		n := 1 + random.IntN(1+(day.Year()-1990)/3)
		if day.Day() == 1 && day.Month() == 1 { // a day on which many articles are loaded
			n = 400
		}
		e.add(day, min(n, total-len(e.days)))
	}
	return e
}

// walkAll follows a search by its cursors. It returns the PMIDs, the last page and the maximum number of requests for a page.
func walkAll(t *testing.T, s *Articles, e *entries, size int, between func(page int)) (seen map[string]int,
	answers []entity.Answer[entity.ArticleSearch], most int) {
	t.Helper()
	args := searchFor("asthma", 0)
	args.MaxResults = size
	seen = map[string]int{}
	for page := 0; ; page++ {
		before := e.requests
		answer, err := s.SearchPubMedArticles(t.Context(), args)
		expect.NoError(t, err)
		most = max(most, e.requests-before)
		for _, pmid := range answer.Value.PMIDs {
			seen[pmid]++
		}
		answers = append(answers, answer)
		if args.Cursor = answer.Value.Pagination.Cursor; args.Cursor == "" {
			return seen, answers, most
		}
		expect.Must(t, page < 100_000/size, "the walk does not end")
		if between != nil {
			between(page)
		}
	}
}

func serveEntries(t *testing.T, e *entries) *Articles {
	return serveArticles(t, sourcetest.InMemory(), eutilsManners(e), nil)
}

func lastNotices(answers []entity.Answer[entity.ArticleSearch]) string {
	return strings.Join(answers[len(answers)-1].Notices, " ")
}

// TestWalkPastTheLimit: the walk returns 25,000 articles over unequal days once each, in few requests.
func TestWalkPastTheLimit(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	const total = 25_000
	for _, size := range []int{1000, 777} {
		e := unequal(total)
		seen, answers, most := walkAll(t, serveEntries(t, e), e, size, nil)
		expect.Is(t, len(seen), total, "%d a page: articles", size)
		for pmid, n := range seen {
			expect.Must(t, n == 1, "%d a page: %s came %d times", size, pmid, n)
		}
		expect.That(t, strings.Contains(lastNotices(answers), "All pages together have 25000 articles; 25000 matched"), "%q",
			lastNotices(answers))
		t.Logf("%d a page: %d pages, %d requests, %d at most for a page, %d ids sent", size, len(answers), e.requests, most, e.ids)
		expect.That(t, e.requests <= 15 && most <= 6, "%d a page: %d requests, %d for one page", size, e.requests, most)
		var days []string // of the pages after the first, which is in order of relevance
		for _, answer := range answers[1:] {
			for _, pmid := range []string{answer.Value.PMIDs[0], answer.Value.PMIDs[len(answer.Value.PMIDs)-1]} {
				n, _ := strconv.Atoi(pmid)
				days = append(days, e.days[n])
			}
		}
		expect.That(t, days[0] > days[len(days)/2] && days[len(days)/2] > days[len(days)-1], "the days do not fall: %s … %s", days[0],
			days[len(days)-1])
	}
}

// TestWalkOverAFullDay: of a day with 12,000 articles the walk returns those that PubMed lists, names the number of the others and
// continues.
func TestWalkOverAFullDay(t *testing.T) {
	t.Parallel()
	e := unequal(8000)
	day := time.Date(2004, 5, 6, 0, 0, 0, 0, time.UTC)
	for pmid, entered := range e.days {
		if entered == day.Format(entrezDay) {
			delete(e.days, pmid)
		}
	}
	others := len(e.days)
	for i := range 12_000 {
		e.days[50_000_000+i] = day.Format(entrezDay)
	}
	seen, answers, most := walkAll(t, serveEntries(t, e), e, 1000, nil)
	full, again := 0, 0
	for pmid, n := range seen {
		if pmid >= "50000000" {
			full++
		}
		again += n - 1
	}
	// The first answer also has articles of the day, which PubMed may not list for the day.
	first := 0
	for _, pmid := range answers[0].Value.PMIDs {
		if pmid >= "50000000" && pmid < strconv.Itoa(50_000_000+12_000-maxListed) {
			first++
		}
	}
	t.Logf("%d pages, %d requests, %d at most for a page, %d ids sent; %d of the first answer", len(answers), e.requests, most, e.ids,
		first)
	expect.Is(t, full, maxListed+first, "articles of the day")
	expect.Is(t, len(seen)-full, others, "articles of other days")
	expect.Is(t, again, 0, "articles that came again")
	var notices []string
	for _, answer := range answers {
		for _, notice := range answer.Notices {
			if strings.Contains(notice, "2004-05-06") {
				notices = append(notices, notice)
			}
		}
	}
	expect.That(t, len(notices) == 1 &&
		strings.Contains(notices[0], "9999 of the 12000 articles that were entered on 2004-05-06: 2001 are missing"), "%q", notices)
	expect.That(t, most <= maxSlices+1, "%d requests for a page", most)
}

// TestWalkWhileArticlesCome: articles that arrive or leave during a walk never cause others to be repeated or skipped.
func TestWalkWhileArticlesCome(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	e := unequal(25_000)
	random := rand.New(rand.NewPCG(3, 4))
	stay := map[string]bool{}
	var leave []int
	for pmid := range e.days {
		if random.IntN(50) == 0 {
			leave = append(leave, pmid)
		} else {
			stay[strconv.Itoa(pmid)] = true
		}
	}
	slices.Sort(leave)
	s := serveArticles(t, nil, eutilsManners(e), nil) // without a cache, each page sends its own requests
	seen, answers, _ := walkAll(t, s, e, 1000, func(int) {
		for range 80 {
			e.days[60_000_000+len(e.days)+random.IntN(1_000_000)] = time.Date(1994+random.IntN(25), 1, 1+random.IntN(365), 0, 0, 0, 0,
				time.UTC).Format(entrezDay)
			if len(leave) > 0 {
				delete(e.days, leave[0])
				leave = leave[1:]
			}
		}
	})
	for pmid := range stay {
		expect.Must(t, seen[pmid] == 1 || seen[pmid] == 2 && slices.Contains(answers[0].Value.PMIDs, pmid), "%s came %d times", pmid,
			seen[pmid])
	}
	expect.That(t, strings.Contains(lastNotices(answers), "added or removed"), "%q", lastNotices(answers))
}

// TestSortedPages: a search that PubMed lists completely continues in its order, with one request for all pages after the first.
func TestSortedPages(t *testing.T) {
	t.Parallel()
	e := unequal(3000)
	seen, answers, _ := walkAll(t, serveEntries(t, e), e, 700, nil)
	expect.That(t, len(seen) == 3000 && len(answers) == 5 && e.requests == 2, "%d articles, %d pages, %d requests", len(seen), len(answers),
		e.requests)
	gone, err := strconv.Atoi(answers[0].Value.PMIDs[0])
	expect.NoError(t, err)
	s, args := serveArticles(t, nil, eutilsManners(e), nil), searchFor("asthma", 0)
	first, err := s.SearchPubMedArticles(t.Context(), args)
	expect.NoError(t, err)
	delete(e.days, gone)
	args.Cursor = first.Value.Pagination.Cursor
	second, err := s.SearchPubMedArticles(t.Context(), args)
	expect.NoError(t, err)
	expect.That(t, !slices.Contains(first.Value.PMIDs, second.Value.PMIDs[0]) && seen[second.Value.PMIDs[0]] == 1 &&
		strings.Contains(strings.Join(second.Notices, " "), "changed"),
		"%v after %v: %q", second.Value.PMIDs, first.Value.PMIDs, second.Notices)
}

// TestArticleCursors: a changed cursor, or one of another search, is refused, and so is sortBy with the cursor of a walk.
func TestArticleCursors(t *testing.T) {
	t.Parallel()
	e := unequal(12_000)
	s := serveEntries(t, e)
	args := searchFor("asthma", 0)
	args.SortBy = "pub_date"
	first, err := s.SearchPubMedArticles(t.Context(), args)
	expect.NoError(t, err)
	args.Cursor = first.Value.Pagination.Cursor
	_, err = s.SearchPubMedArticles(t.Context(), args)
	refused := entity.AsError(err)
	expect.That(t, refused.Code == entity.InvalidInput && strings.HasPrefix(refused.Message, "sortBy: ") &&
		strings.Contains(refused.Hint, `"sortBy":null`), "%+v", refused)
	args.SortBy = "relevance"
	_, err = s.SearchPubMedArticles(t.Context(), args)
	expect.NoError(t, err)
	other := args
	other.QueryTerm = "melanoma"
	c, err := envelope.PageAt(tools.SearchPubMedArticles, "asthma", args, args.Cursor)
	expect.NoError(t, err)
	forged := []tools.SearchPubMedArticlesArgs{other}
	for _, token := range []string{
		"", "walk", c.Token + " 1", "x" + c.Token, strings.Replace(c.Token, "pub_date", "newest", 1),
		strings.Replace(c.Token, "open open", "20200101 20190101", 1),
		strings.Replace(c.Token, "open open 0", "open open 99999999", 1), "sorted pub_date", "sorted relevance x", "sorted",
	} {
		changed := c
		changed.Token = token
		text, err := changed.Encode()
		expect.NoError(t, err)
		one := args
		one.Cursor = text
		forged = append(forged, one)
	}
	for i, one := range forged {
		_, err := s.SearchPubMedArticles(t.Context(), one)
		expect.That(t, err != nil && entity.AsError(err).Code == entity.InvalidInput, "%d: %v", i, fmt.Sprint(err))
	}
}
