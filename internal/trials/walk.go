package trials

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/ranges"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
)

// A candidatePage has the candidates from the position of a cursor.
type candidatePage struct {
	candidates []entity.TrialSearchCandidate
	starts     []candidateStart // of each candidate
	bad        int              // rows that are not valid candidates
	next       envelope.Cursor  // of the next page
	more       bool             // a next page exists
	complete   bool             // it is a part of the whole list, which was read: the total is exact
}

// A candidateStart is the cursor of a page that begins with a candidate, and the number of rows before it that are not valid candidates.
type candidateStart struct {
	at  envelope.Cursor
	bad int
}

// A trialWalk reads the pages of a search from a cursor.
type trialWalk struct {
	trials *ctgov.Registry
	wishes *filters.Wishes
	search *ctgov.Search
	filter query.Node // of the search
	notes  *entity.Notes
	at     envelope.Cursor
	again  bool // the search was started again
}

// searchPage reads the page of the cursor, with at most count candidates. Upstream may return an empty page before the last one: an
// ordinary search reads until a page has rows. A search that leaves out trials reads larger pages until the page is full. Both stop after
// maxRead pages. If the data changed since the previous page, the search starts again after the last trial of that page.
func searchPage(ctx context.Context, w *trialWalk, count int) (page candidatePage, err error) {
	const maxRead, largest = 4, 200
	selects := w.search.Number != nil || w.search.RecruitsNear || w.search.OnlyIncluded
	for n, size := 1, count; ; n++ {
		read, err := w.read(ctx, size)
		if err != nil {
			return candidatePage{}, err
		}
		page.add(read, w.at)
		enough := read.Count > w.at.Skip
		if selects || w.at.From != "" {
			enough, size = len(page.candidates) >= count, min(2*size, largest)
		}
		if enough || !page.more || n == maxRead {
			page.cut(count)
			return page, nil
		}
		w.at = page.next
	}
}

// read reads the upstream page at the cursor. It sets the version of the data in the cursor.
func (w *trialWalk) read(ctx context.Context, size int) (*ctgov.Page, error) {
	resolved, params := *w.search, ctgov.Written(w.search.Query, w.filter)
	resolved.Query, resolved.Columns, params.Fields = &params, nil, nil
	params.PageToken, params.CountTotal, params.PageSize = nil, nil, nil
	for {
		page, err := w.send(ctx, size)
		refused := refusedToken(w.search.Query, err)
		data := w.at.Data
		if err == nil && page.Revision != "" { // places and days of a query may be others than at the previous page
			data, err = envelope.Fingerprint(page.Revision, resolved)
		}
		if next, ok := afterLast(w.at); ok && !w.again && (refused != nil || err == nil && outdated(w.at, data, page)) {
			w.notes.Add(w.at.Changed())
			w.at, w.again = next, true
			continue
		}
		if refused != nil {
			return nil, w.at.Refused(refused.By+" no longer accepts it", w.at.Given)
		}
		if e := w.wishes.Refused(err); e != nil {
			return nil, e
		}
		if err != nil {
			return nil, err
		}
		if outdated(w.at, data, page) {
			w.at.Total = nil
			w.notes.Add(w.at.Changed())
		}
		w.at.Data = data
		return page, nil
	}
}

// send sends the search for the upstream page at the cursor.
func (w *trialWalk) send(ctx context.Context, size int) (*ctgov.Page, error) {
	filter, ok := filterFrom(w.filter, w.search, w.at.From)
	if !ok {
		return nil, w.at.Refused("is not a cursor of "+tools.SearchTrials, w.at.Given)
	}
	w.search.Filter = filter
	w.search.PageToken, w.search.CountTotal = tool.Value(w.at.Token), tool.Value(w.at.Token == "" && w.at.Total == nil)
	w.search.PageSize = new(int32(min(size+w.at.Skip, ctgov.MaxPage)))
	return w.trials.Page(ctx, w.search, w.notes)
}

// add adds the candidates of an upstream page from the position of its cursor, without those that earlier pages showed.
func (p *candidatePage) add(read *ctgov.Page, at envelope.Cursor) {
	skip := min(at.Skip, read.Count)
	start, done := at, skip
	p.next = at
	p.next.Token, p.next.Skip, p.next.Seen = read.Token, 0, at.Seen+read.Count-skip
	if read.Total != nil {
		p.next.Total = new(at.Seen + *read.Total)
	}
	// Upstream also returns a token after the last row.
	p.more = p.next.Token != "" && (p.next.Total == nil || p.next.Seen < *p.next.Total)
	first, _ := slices.BinarySearch(read.Rows, skip)
	left, _ := slices.BinarySearch(read.LeftOut, skip)
	left = skip - left // rows up to this one that were not left out
	for i, row := range read.Rows[first:] {
		start.Last, done = lastTrials(start.Last, read.Keys[done:row]), row
		start.Skip, start.Seen = row, at.Seen+row-skip
		if at.From != "" && showed(at.Last, read.Keys[row]) {
			continue
		}
		before, _ := slices.BinarySearch(read.LeftOut, row)
		p.starts = append(p.starts, candidateStart{start, p.bad + row - before - left - i})
		p.candidates = append(p.candidates, read.Candidates[first+i])
	}
	p.next.Last = lastTrials(start.Last, read.Keys[done:])
	p.bad += read.Count - len(read.LeftOut) - left - len(read.Rows[first:])
}

// cut shortens a page to n candidates.
func (p *candidatePage) cut(n int) {
	if n >= len(p.candidates) {
		return
	}
	total := p.next.Total
	p.candidates, p.bad, p.next, p.more = p.candidates[:n], p.starts[n].bad, p.starts[n].at, true
	p.next.Total = total
}

// outdated reports whether a page is of other data than the pages before. A page without trials has no version; it is outdated if trials
// are missing after it.
func outdated(c envelope.Cursor, data string, page *ctgov.Page) bool {
	return c.Data != "" && (data != c.Data || page.Count == 0 && page.Token == "" && c.Total != nil && c.Seen < *c.Total)
}

// revisions are those of the data of several pages that one call reads. An empty one is unknown. If the first one is, no other can be
// compared: a page of one trial has a version even if the trials are of several.
type revisions struct {
	first   *string
	changed bool // the pages have different data
}

func (r *revisions) add(revision string) {
	if r.first == nil {
		r.first = &revision
	}
	r.changed = r.changed || *r.first != "" && revision != "" && revision != *r.first
}

// refusedToken returns the refusal of a query with a page token that the registry, or its mirror, no longer accepts; else nil.
func refusedToken(query *ctgov.Query, err error) *ctgov.Refusal {
	refusal, _ := errors.AsType[*ctgov.Refusal](err)
	if query.PageToken == nil {
		return nil
	}
	return refusal
}

// maxTies limits the ids in a cursor.
const maxTies = 100

// lastTrials returns the position after some rows of a sorted search: the value that the last row is sorted by, and the numbers of the
// shown trials with the same value. It has no numbers if they are too many, and is empty if the order is that of relevance.
func lastTrials(before string, rows []ctgov.RowKey) string {
	if len(rows) == 0 {
		return before
	}
	value := rows[len(rows)-1].Value
	if value == "" {
		return ""
	}
	first := len(rows)
	for first > 0 && rows[first-1].Value == value {
		first--
	}
	ties, count := []string{value}, len(rows)-first
	if shown, n := tiesOf(before); first == 0 && len(shown) > 0 && shown[0] == value {
		ties, count = shown, count+n
	}
	if count > maxTies {
		return value + " " + manyTies + strconv.Itoa(count)
	}
	for _, row := range rows[first:] {
		ties = append(ties, trialNumber(row.ID))
	}
	return strings.Join(ties, " ")
}

// manyTies precedes the number of shown trials that are too many to be listed.
const manyTies = "*"

// tiesOf returns the parts of a position, and the number of its trials.
func tiesOf(last string) (parts []string, count int) {
	if parts = strings.Fields(last); len(parts) == 0 {
		return nil, 0
	}
	if many, ok := strings.CutPrefix(parts[len(parts)-1], manyTies); ok {
		count, _ = strconv.Atoi(many)
		return parts, count
	}
	return parts, len(parts) - 1
}

// trialNumber returns the number of an NCT id in a short form.
func trialNumber(nct string) string {
	n, err := strconv.ParseInt(strings.TrimPrefix(nct, "NCT"), 10, 64)
	if err != nil {
		return "-"
	}
	return strconv.FormatInt(n, 36)
}

// showed reports whether a position has a row.
func showed(last string, row ctgov.RowKey) bool {
	parts, _ := tiesOf(last)
	return len(parts) > 0 && parts[0] == row.Value && slices.Contains(parts[1:], trialNumber(row.ID))
}

// afterLast returns the start of a search for the trials after the last one, in the order of the search. The trials with the same value as
// the last one are found again. It returns false if the order does not allow that.
func afterLast(c envelope.Cursor) (envelope.Cursor, bool) {
	parts, count := tiesOf(c.Last)
	if len(parts) == 0 {
		return envelope.Cursor{}, false
	}
	return envelope.Cursor{Query: c.Query, Seen: max(0, c.Seen-count), Last: c.Last, Day: c.Day, From: parts[0],
		FirstPage: c.FirstPage, Given: c.Given}, true
}

// filterFrom returns the filter of a search for the trials from a value of its order on; "": for all trials. A trial without the value
// comes after all others. It returns false for a text that is no value.
func filterFrom(filter query.Node, search *ctgov.Search, value string) (query.Node, bool) {
	if value == "" {
		return filter, true
	}
	piece, descending := search.Order()
	before := -1 // the distance to the next value that the search excludes
	if descending {
		before = 1
	}
	var edge string
	if day, err := time.Parse(time.DateOnly, value); err == nil {
		edge = day.AddDate(0, 0, before).Format(time.DateOnly)
	} else if n, err := strconv.Atoi(value); err == nil {
		edge = strconv.Itoa(n + before)
	} else {
		return nil, false
	}
	excluded := ranges.Range{To: edge}
	if descending {
		excluded = ranges.Range{From: edge}
	}
	return query.AllOf(filter, query.Not{Node: query.InRange(piece, excluded)}), true
}
