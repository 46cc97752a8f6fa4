package trials

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/ranges"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
)

const (
	// exactPages is how many pages of trials are read at most to count all trials. Of a longer list only samplePages are read.
	exactPages, samplePages = 18, 10
)

// CountTrials serves count_trials.
func (s *Trials) CountTrials(ctx context.Context, args tools.CountTrialsArgs) (entity.Answer[entity.TrialCounts], error) {
	var answer entity.Answer[entity.TrialCounts]
	if err := checkGroups(args); err != nil {
		return answer, err
	}
	w, err := filters.Read(tools.CountTrials, args.TrialFilters, ranges.CalendarOf(""))
	if err != nil {
		return answer, err
	}
	search, notices, err := s.search(ctx, w, &answer.Notes)
	if err != nil {
		return answer, err
	}
	_, more, err := s.finish(ctx, w, search)
	if err != nil {
		return answer, err
	}
	answer.Add(append(notices, more...)...)
	if notice, none := noTrial(w, search); none {
		answer.Value.Exact = true
		answer.Add(notice)
		return answer, nil
	}
	c := &count{trials: s.sources.Trials, wishes: w, query: *search.Query, filter: search.Filter, notes: &answer.Notes, top: args.Top,
		dimensions: slices.DeleteFunc([]string{args.By, args.ThenBy}, func(name string) bool { return name == "" })}
	answer.Value, err = c.run(ctx)
	if err == nil {
		addEmptyYears(&answer.Value, c.dimensions)
		if sample := answer.Value.Counted; sample != nil {
			answer.Add(fmt.Sprintf("The groups were counted in %d of %d trials: those that were first posted from %s to %s. "+
				"total_count is exact.", sample.Trials, answer.Value.TotalCount, sample.FirstPostedFrom, sample.FirstPostedTo))
		}
		answer.Add(w.CountNotices(answer.Value.TotalCount)...)
		answer.Add(sponsorNotices(args, answer.Value)...)
		answer.Add(groupNotices(args, answer.Value)...)
		if answer.Value.TotalCount == 0 && w.Args.Words != anyWord && severalWords(w) {
			answer.Add(someWords(tools.CountTrials))
		}
	}
	return answer, err
}

// checkGroups checks the combination of by and then_by.
func checkGroups(args tools.CountTrialsArgs) error {
	switch {
	case args.ThenBy != "" && args.By == "":
		return envelope.Refuse("then_by", args.ThenBy, "was given without by").
			Again(tools.CountTrials, `with {"by":"%s","then_by":null}`, args.ThenBy)
	case args.ThenBy != "" && args.ThenBy == args.By:
		return envelope.Refuse("then_by", args.ThenBy, "is the same as by").Again(tools.CountTrials, `with {"then_by":null}`)
	}
	return nil
}

// A count holds the state of one call of count_trials.
type count struct {
	trials     *ctgov.Registry
	wishes     *filters.Wishes
	top        int         // groups
	query      ctgov.Query // without the filter
	filter     query.Node
	dimensions []string
	notes      *entity.Notes
	made       int       // requests, including those answered from the cache
	data       revisions // of the answers
}

// run counts the trials. If the data change meanwhile, it counts them again.
func (c *count) run(ctx context.Context) (counts entity.TrialCounts, err error) {
	const maxRuns = 2
	for range maxRuns {
		c.made, c.data = 0, revisions{}
		if counts, err = c.runOnce(ctx); !c.data.changed {
			return counts, err
		}
	}
	counts.Exact = false
	c.notes.Add("ClinicalTrials.gov published new data while the trials were counted: the numbers may not add up. " +
		"For exact ones make the same call again in ten minutes.")
	return counts, err
}

// runOnce reads the first page, which has the total, and then counts each value with one request, or reads the other pages.
func (c *count) runOnce(ctx context.Context) (entity.TrialCounts, error) {
	if len(c.dimensions) == 0 {
		total, err := c.countAll(ctx, nil)
		return entity.TrialCounts{TotalCount: total, Exact: true}, err
	}
	if counts, ok, err := c.byMirror(ctx); ok || err != nil {
		return counts, err
	}
	first, err := c.page(ctx, "")
	if err != nil {
		return entity.TrialCounts{}, err
	}
	if first.Total == nil {
		return entity.TrialCounts{}, filters.MissingTotal()
	}
	total := *first.Total
	pages := (total + ctgov.MaxPage - 1) / ctgov.MaxPage
	outer, inner, closed := c.closedGroups()
	if needed := len(outer) * (1 + len(inner)); closed && needed < envelope.MaxCounts && needed < pages-1 {
		return c.byCounts(ctx, total, outer, inner)
	}
	return c.byPages(ctx, first, total, pages)
}

// closedGroups returns the values of the dimensions, if all of them have few values.
func (c *count) closedGroups() (outer, inner []value, closed bool) {
	outer, closed = closedValues(c.dimensions[0], c.lastYear(c.dimensions[0]))
	if len(c.dimensions) == 1 || !closed {
		return outer, nil, closed
	}
	name := c.dimensions[1]
	if inner, closed = closedValues(name, c.lastYear(name)); mapping.TrialDimensions[name].List {
		inner = append(inner, value{"", query.Lacks(mapping.TrialDimensions[name].Piece)})
	}
	return outer, inner, closed
}

// byMirror counts in the local mirror, which is exact. It returns false if no mirror is in use, or the mirror cannot answer the query.
func (c *count) byMirror(ctx context.Context) (entity.TrialCounts, bool, error) {
	found, ok, err := c.trials.Groups(ctx, ctgov.Tally{Query: &c.query, Filter: c.filter, Dimensions: c.dimensions}, c.notes)
	if err != nil || !ok {
		return entity.TrialCounts{}, false, err
	}
	t := newTally(c.dimensions, c.wishes)
	for _, g := range found.Groups {
		t.addRow(g.Values, g.Count)
	}
	counts := t.counts(c.top, found.Total)
	counts.Exact, counts.WithoutValue = true, new(t.without)
	return counts, true, nil
}

// page reads a page of trials to count, the newest registrations first.
func (c *count) page(ctx context.Context, token string) (*ctgov.TallyPage, error) {
	params := c.query
	params.PageSize, params.Sort, params.PageToken = new(int32(ctgov.MaxPage)), &[]string{"StudyFirstPostDate:desc"}, tool.Value(token)
	if token == "" {
		params.CountTotal = new(true)
	}
	return c.request(ctx, ctgov.Tally{Query: &params, Filter: c.filter, Dimensions: c.dimensions})
}

// countAll returns the number of trials that match the query and one more node; nil: no other.
func (c *count) countAll(ctx context.Context, more query.Node) (int, error) {
	params := c.query
	params.PageSize, params.CountTotal = new(int32(1)), new(true)
	page, err := c.request(ctx, ctgov.Tally{Query: &params, Filter: query.AllOf(c.filter, more)})
	if err != nil {
		return 0, err
	}
	if page.Total == nil {
		return 0, filters.MissingTotal()
	}
	return *page.Total, nil
}

// request makes one request. If the registry refuses it because of a filter, the error names the filter.
func (c *count) request(ctx context.Context, tally ctgov.Tally) (*ctgov.TallyPage, error) {
	c.made++
	page, err := c.trials.Tally(ctx, tally, c.notes)
	if page != nil {
		c.data.add(page.Revision)
	}
	if refused := refusedToken(tally.Query, err); refused != nil {
		c.data.changed = true
		return nil, &entity.Error{
			Code: entity.UpstreamError, Message: "While the trials were counted, " + refused.By + " refused its own page token.",
			Hint: "This is not a count of zero. Make the same call again in a minute; the arguments need no change.", Cause: refused,
		}
	}
	if refused := c.wishes.Refused(err); refused != nil {
		return nil, refused
	}
	return page, err
}

// byCounts requests the number of trials with each value. The numbers are exact.
func (c *count) byCounts(ctx context.Context, total int, outer, inner []value) (entity.TrialCounts, error) {
	t := newTally(c.dimensions, c.wishes)
	rest := total
	for _, o := range outer {
		for _, i := range append([]value{{}}, inner...) {
			n, err := c.countAll(ctx, query.AllOf(o.node, i.node))
			if err != nil {
				return entity.TrialCounts{}, err
			}
			if i.node == nil {
				t.groups[o.name], rest = n, rest-n
			} else {
				t.addWithin(o.name, i.name, n)
			}
			tool.Progress(ctx, c.made, 1+len(outer)*(1+len(inner)))
		}
		if len(inner) > 0 && !mapping.TrialDimensions[c.dimensions[1]].List {
			t.addWithin(o.name, "", max(0, t.groups[o.name]-sum(t.within[o.name])))
		}
	}
	counts := t.counts(c.top, total)
	counts.Exact = true
	d := mapping.TrialDimensions[c.dimensions[0]]
	switch {
	case !d.List:
		counts.WithoutValue = new(max(0, rest))
	case c.made < envelope.MaxCounts:
		without, err := c.countAll(ctx, query.Lacks(d.Piece))
		if err != nil {
			return entity.TrialCounts{}, err
		}
		counts.WithoutValue = &without
	}
	return counts, nil
}

// byPages reads the trials and counts their values: all of them, or the newest ones of many.
func (c *count) byPages(ctx context.Context, page *ctgov.TallyPage, total, pages int) (entity.TrialCounts, error) {
	limit := pages
	if pages > exactPages {
		limit = samplePages
	}
	t := newTally(c.dimensions, c.wishes)
	for t.addRows(page.Rows); page.Token != "" && t.trials < total && c.made < limit; t.addRows(page.Rows) {
		tool.Progress(ctx, c.made, limit)
		var err error
		if page, err = c.page(ctx, page.Token); err != nil {
			return entity.TrialCounts{}, err
		}
	}
	counts := t.counts(c.top, total)
	counts.Exact = t.trials >= total
	counts.WithoutValue = new(t.without)
	if !counts.Exact {
		counts.Counted = &entity.CountedTrials{Trials: t.trials, FirstPostedFrom: t.oldest, FirstPostedTo: t.newest}
	}
	return counts, nil
}

// A value is one value of a closed list, with the node that finds it.
type value struct {
	name string
	node query.Node
}

// closedValues returns the values of a dimension with few values, each with its node; false for other dimensions. last is the last
// year that is counted one by one.
func closedValues(dimension string, last int) (values []value, closed bool) {
	d := mapping.TrialDimensions[dimension]
	known := query.ValuesOf(d.Piece)
	switch {
	case dimension == "phase":
		for _, set := range []filters.PhaseSet{
			{"EARLY_PHASE1"}, {"PHASE1"}, {"PHASE1", "PHASE2"}, {"PHASE2"}, {"PHASE2", "PHASE3"}, {"PHASE3"}, {"PHASE4"}, {"NA"}} {
			values = append(values, value{strings.Join(set, "/"), set.Node()})
		}
		return values, true
	case dimension == "has_results":
		known = []string{"true", "false"}
	case d.Year:
		return yearValues(d.Piece, last), true
	}
	for _, k := range known {
		values = append(values, value{k, query.Has(d.Piece, k)})
	}
	return values, values != nil
}

// yearValues returns the years until last, one value for all years before them and one for all years after.
func yearValues(piece string, last int) []value {
	before, after := strconv.Itoa(last-singleYears), strconv.Itoa(last+1)
	values := []value{
		{envelope.UntilYear + before, query.InRange(piece, ranges.Range{To: before + "-12-31"})},
		{envelope.SinceYear + after, query.InRange(piece, ranges.Range{From: after + "-01-01"})},
	}
	for y := last; y > last-singleYears; y-- {
		year := strconv.Itoa(y)
		values = append(values, value{year, query.InRange(piece, ranges.Range{From: year + "-01-01", To: year + "-12-31"})})
	}
	return values
}

// lastYear returns the last year to count with a request of its own: the next year, if the filter of the dates allows it.
func (c *count) lastYear(dimension string) int {
	last := time.Now().Year() + 1
	if filter := dateFilter(&c.wishes.Args, dimension); filter != nil && *filter != "" {
		dates, _ := ranges.ReadDates(*filter, time.Now()) // it was checked with the other filters
		if to := envelope.YearOf(cmp.Or(dates.To, envelope.LastDate), envelope.LastDate); to > 0 && to < last {
			return to
		}
		if from := envelope.YearOf(cmp.Or(dates.From, envelope.FirstDate), envelope.FirstDate); from > last {
			return from + singleYears - 1
		}
	}
	return last
}
