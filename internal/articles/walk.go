package articles

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
	"github.com/biofact-mcp/biofact/internal/tool"
)

const (
	// maxSlices limits the requests for slices in one call.
	maxSlices = 20
	// sliceRows is the planned number of articles in a slice. It is below PubMed's limit because days differ.
	sliceRows = 7000
	// yearlyShare is the approximate share of PubMed's articles in a recent year, in percent.
	yearlyShare = 4
)

// A dateSlice is a range of entry dates, inclusive. A zero date is an open end.
type dateSlice struct{ from, to time.Time }

// oldestEntry is before PubMed's oldest entry dates, which are in the eighteenth century.
var oldestEntry = time.Date(1700, 1, 1, 0, 0, 0, 0, time.UTC)

const dayLength = 24 * time.Hour

// maxListed is the maximum number of articles that PubMed lists for a search.
const maxListed = 9999

// end returns the last possible day of a slice: in a time zone ahead of UTC it may be tomorrow.
func (d dateSlice) end() time.Time {
	if d.to.IsZero() {
		return time.Now().UTC().Truncate(dayLength).Add(dayLength)
	}
	return d.to
}

func (d dateSlice) length() int {
	from := d.from
	if from.IsZero() {
		from = oldestEntry
	}
	return int(d.end().Sub(from)/dayLength) + 1
}

func (d dateSlice) latest(days int) dateSlice {
	from := d.end().AddDate(0, 0, 1-days)
	if from.Before(oldestEntry.AddDate(0, 0, 1)) {
		from = time.Time{}
	}
	return dateSlice{from, d.to}
}

func (d dateSlice) before() dateSlice { return dateSlice{to: d.from.AddDate(0, 0, -1)} }

// filter returns the expression for articles that were entered in a slice.
func (d dateSlice) filter() string {
	dates := entity.ArticleDateRange{MinDate: envelope.FirstDate, MaxDate: envelope.LastDate, DateType: "edat"}
	if !d.from.IsZero() {
		dates.MinDate = d.from.Format(entrezDay)
	}
	if !d.to.IsZero() {
		dates.MaxDate = d.to.Format(entrezDay)
	}
	return within(dates)
}

// A walkPoint is a position in a walk.
type walkPoint struct {
	slice   dateSlice
	last    int // last returned PMID of the slice; 0: only the end of the slice is known
	width   int // planned days of the next slice
	missing int // articles that PubMed does not list
	head    walkHead
}

// A walkHead identifies the first answer of a search. The walk skips its articles.
type walkHead struct {
	sort string
	rows int
	sum  uint32 // checksum of the PMIDs
}

func newWalkHead(sort string, ids []string) walkHead {
	return walkHead{sort, len(ids), crc32.ChecksumIEEE([]byte(strings.Join(ids, " ")))}
}

const (
	walkToken = "walk"
	tokenDay  = "20060102"
	openDay   = "open"
)

func (p walkPoint) token() string {
	day := func(t time.Time) string {
		if t.IsZero() {
			return openDay
		}
		return t.Format(tokenDay)
	}
	return fmt.Sprintf("%s %s %s %d %d %d %s %d %08x", walkToken, day(p.slice.from), day(p.slice.to), p.last, p.width, p.missing,
		p.head.sort, p.head.rows, p.head.sum)
}

// readWalkPoint reads a token. It returns false for an invalid one.
func readWalkPoint(token string) (p walkPoint, ok bool) {
	var name, from, to string
	if _, err := fmt.Sscanf(token, "%s %s %s %d %d %d %s %d %x", &name, &from, &to, &p.last, &p.width, &p.missing, &p.head.sort,
		&p.head.rows, &p.head.sum); err != nil {
		return p, false
	}
	for _, d := range []struct {
		text string
		into *time.Time
	}{{from, &p.slice.from}, {to, &p.slice.to}} {
		if d.text == openDay {
			continue
		}
		var err error
		if *d.into, err = time.Parse(tokenDay, d.text); err != nil {
			return p, false
		}
	}
	rows := func(n int) bool { return n >= 0 && n <= envelope.MaxRows }
	_, known := sorts[p.head.sort]
	return p, known && rows(p.missing) && rows(p.width) && p.width > 0 && p.last >= 0 && p.head.rows > 0 && p.head.rows <= maxListed &&
		p.slice.length() > 0 && p.token() == token
}

// An articleWalk lists all articles that match a term, more than PubMed lists for one search. It requests slices of entry dates, the latest
// first, and sorts each slice by descending PMID. Each article has one entry date, so it is in one slice, and each page starts after a
// PMID. Articles that arrive or leave in the meantime therefore never cause other articles to be repeated or skipped.
type articleWalk struct {
	articles *ncbi.Articles
	query    articleTerm
	point    walkPoint
	total    int // number of articles at the start of the walk
	seen     int // number of articles already returned, including the first answer
	notes    *entity.Notes

	requests int
	left     []int     // remaining PMIDs of the slice at point
	done     bool      // the walk has ended
	over     dateSlice // a slice with more articles than PubMed lists; the next slice may be a part of it
	overRows int       // remaining articles of over
	shown    dateSlice // the last slice that was read
}

// A walkRow is an article, and the position after it.
type walkRow struct {
	pmid int
	next walkPoint
}

func beginWalk(head walkHead, total int) walkPoint {
	days := 365 * 100 / yearlyShare * sliceRows / total
	return walkPoint{head: head, width: max(1, days)}
}

// rows returns the next articles, except those in without. They are fewer than size at the end of the walk, or when the call has used its
// requests.
func (w *articleWalk) rows(ctx context.Context, size int, without map[int]bool) (rows []walkRow, err error) {
	// After the last article it also reads the remaining slices, which may be empty, so that no cursor leads to an empty page.
	for !w.done && (len(rows) < size || w.left == nil && w.seen+w.point.missing >= w.total) {
		if w.left == nil {
			if w.requests >= maxSlices {
				return rows, nil
			}
			if planned, err := w.load(ctx); err != nil || !planned {
				return rows, err
			}
			w.left = slices.DeleteFunc(w.left, func(pmid int) bool { return without[pmid] })
		}
		for len(w.left) > 0 && len(rows) < size {
			w.point.last, w.left = w.left[0], w.left[1:]
			rows = append(rows, walkRow{w.point.last, w.point})
			w.seen++
		}
		if len(w.left) > 0 {
			break
		}
		w.left, w.point.last = nil, 0
		w.done = w.point.slice.from.IsZero()
		w.point.slice = w.point.slice.before()
	}
	return rows, nil
}

// load reads the rest of the slice at point. If only the end of the slice is known, it plans the slice. It returns false if that needs too
// many requests for one call.
func (w *articleWalk) load(ctx context.Context) (planned bool, err error) {
	if w.point.last == 0 {
		return w.plan(ctx)
	}
	ids, err := w.readSlice(ctx, w.point.slice, 2)
	if err != nil {
		return false, err
	}
	at, _ := slices.BinarySearchFunc(ids, w.point.last, func(id, last int) int { return last - id })
	for at < len(ids) && ids[at] >= w.point.last {
		at++
	}
	w.left = ids[at:]
	return true, nil
}

// errForged is returned for a cursor with a position that no walk can have.
var errForged = errors.New("no walk has this slice")

// readSlice returns the articles of a slice that was within the limit before. If it has grown, it is split.
func (w *articleWalk) readSlice(ctx context.Context, slice dateSlice, depth int) ([]int, error) {
	ids, count, err := w.readDays(ctx, slice)
	if err != nil || count <= maxListed || slice.length() == 1 {
		return ids, err
	}
	if depth == 0 {
		return nil, errForged
	}
	later := slice.latest(slice.length() / 2)
	ids, err = w.readSlice(ctx, later, depth-1)
	if err != nil {
		return nil, err
	}
	older, err := w.readSlice(ctx, dateSlice{slice.from, later.before().to}, depth-1)
	ids = append(ids, older...)
	sortDescending(ids)
	return ids, err
}

// plan finds the longest slice that ends at point and that PubMed lists completely. If one day has more articles, it reads those that
// PubMed lists and counts the missing ones.
func (w *articleWalk) plan(ctx context.Context) (bool, error) {
	rest := dateSlice{to: w.point.slice.to}
	width := w.point.width
	if w.total-w.seen-w.point.missing <= sliceRows {
		width = rest.length()
	}
	for {
		slice := rest.latest(width)
		ids, count, err := w.readDays(ctx, slice)
		if err != nil {
			return false, err
		}
		days := slice.length()
		if count > maxListed && days > 1 {
			w.over, w.overRows = slice, count
			width = max(1, min(days/2, days*sliceRows/count))
			if w.point.width = width; w.requests >= maxSlices {
				return false, nil
			}
			continue
		}
		if lost := count - len(ids); lost > 0 {
			w.point.missing += lost
			w.notes.Add(missingNotice(slice, count, lost))
		}
		w.point.slice, w.left = slice, ids
		w.point.width = w.nextWidth(slice, count)
		return true, nil
	}
}

// nextWidth returns the number of days of the next slice, after a slice with count articles.
func (w *articleWalk) nextWidth(slice dateSlice, count int) int {
	days := slice.length()
	if w.overRows -= count; w.overRows > maxListed && !slice.from.IsZero() {
		return max(1, dateSlice{w.over.from, slice.before().to}.length()/2)
	}
	w.overRows = 0
	return min(max(1, days/4, days*sliceRows/max(1, count)), days*4)
}

// readDays returns the listed articles of a slice, by descending PMID, and the number of all.
func (w *articleWalk) readDays(ctx context.Context, slice dateSlice) (ids []int, count int, err error) {
	w.requests++
	w.shown = slice
	hits, err := w.articles.Searches.Get(ctx, w.searchFor(slice), w.notes)
	if err != nil {
		return nil, 0, err
	}
	tool.Progress(ctx, w.requests, maxSlices)
	ids = make([]int, len(hits.Search.IDs))
	for i, text := range hits.Search.IDs {
		if ids[i], err = strconv.Atoi(text); err != nil {
			return nil, 0, source.Unreadable("NCBI", err)
		}
	}
	sortDescending(ids)
	return slices.Compact(ids), hits.Search.Count, nil
}

func (w *articleWalk) searchFor(slice dateSlice) ncbi.ArticleSearch {
	return ncbi.ArticleSearch{Term: w.query.and(slice.filter()), Sort: "pub_date", Max: maxListed}
}

func sortDescending(ids []int) { slices.SortFunc(ids, func(a, b int) int { return b - a }) }

// missingNotice says that PubMed does not list all articles of a day.
func missingNotice(slice dateSlice, count, lost int) string {
	if slice.length() > 1 {
		return fmt.Sprintf("PubMed listed %d of the %d articles that were entered until %s: %d are missing here.", count-lost, count,
			slice.end().Format(time.DateOnly), lost)
	}
	day := slice.end().Format(entrezDay)
	return fmt.Sprintf("PubMed lists only %d of the %d articles that were entered on %s: %d are missing here. To reach them search this "+
		"day in parts, "+
		`such as by one filterByPublicationTypes after the other, with {"dateRange":{"minDate":%q,"maxDate":%q,"dateType":"edat"}}.`,
		count-lost, count, slice.end().Format(time.DateOnly), lost, day, day)
}

// walkSorted returns the error for sortBy together with the cursor of a walk.
func walkSorted(args tools.SearchPubMedArticlesArgs) error {
	return envelope.Refuse("sortBy", args.SortBy,
		"cannot be %s with this cursor, which goes through more than %d articles by their entry dates", args.SortBy, maxListed).
		Again(tools.SearchPubMedArticles, "with %s",
			tool.Show(map[string]any{"queryTerm": args.QueryTerm, "cursor": args.Cursor, "sortBy": nil}))
}
