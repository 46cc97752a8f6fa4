package results

import (
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/trials/many"
)

// An Asker finds other names of the events of a call.
type Asker func(*Call, *entity.TrialResults)

// Many answers a call for several trials with one item per trial, or with the rows of all of them.
func Many(args tools.GetTrialResultsArgs, trials many.Trials[entity.TrialResults], maxAnswer int, notes *entity.Notes, ask Asker) (
	any, error) {
	all := &Call{GetTrialResultsArgs: args, budget: maxAnswer, Notes: notes}
	if err := all.chooseSection(); err != nil {
		return nil, err
	}
	unpaged := args
	unpaged.PageSize, unpaged.Cursor = 0, ""
	all.setPage()
	var err error
	if all.at, err = envelope.PageAt(tools.GetTrialResults, unpaged, args, args.Cursor); err != nil {
		return nil, err
	}
	switch all.Section {
	case comparisons:
		return tableOf(all, trials, ask, (*Call).comparisonRows)
	case arms:
		return tableOf(all, trials, ask, (*Call).armRows)
	}
	list := many.NewList(trials.IDs, args.PageSize, maxAnswer)
	list.At = all.at
	page, err := list.Page(func(i int) (many.Item, error) {
		record, err := trials.Record(i)
		if err != nil || record == nil {
			return many.Item{Notices: []string{many.Gone}}, err
		}
		return all.item(record, ask)
	}, notes)
	trials.Count(&page.Pagination)
	return page, err
}

// single returns the call for one trial of a call for many.
func (c *Call) single(r *entity.TrialResults, ask Asker) (*Call, error) {
	args := c.GetTrialResultsArgs
	args.NCTIDs, args.Of, args.PageSize, args.Cursor = nil, "", 0, ""
	one, err := NewCall(args, strings.Replace(r.ID, ":", "", 1), c.budget, &entity.Notes{})
	if err == nil && r.Posted() {
		ask(one, r)
	}
	return one, err
}

// item returns the answer for one trial. A notice has the call for the rest of it, or says why the trial has no answer.
func (c *Call) item(r *entity.TrialResults, ask Asker) (many.Item, error) {
	one, err := c.single(r, ask)
	if err != nil {
		return many.Item{}, err
	}
	out, err := one.Answer(r)
	if err != nil {
		out = entity.TrialResults{ID: r.ID, BriefTitle: r.BriefTitle, HasResults: r.HasResults, ResultsFirstPosted: r.ResultsFirstPosted}
		one.Notes.Add(entity.AsError(err).Message)
	}
	if p := out.Pagination; p != nil && p.Cursor != "" {
		args := one.GetTrialResultsArgs
		args.PageSize, args.Cursor = 0, p.Cursor
		one.Notes.Add("Further parts: " + one.call(args) + ".")
	}
	out.Pagination = nil
	text, err := entity.JSON(out)
	return many.Item{JSON: text, Notices: one.Notes.Notices}, err
}

// maxReads limits how often a page of rows reads trials of a search, many.Max at a time. With the search itself these are four requests.
const maxReads = 3

// tableOf returns a page of the rows of all trials, of a search those of as many trials as fill a page. Notices name the trials without
// rows, with the reason.
func tableOf[T entity.FlatRow](c *Call, trials many.Trials[entity.TrialResults], ask Asker,
	read func(*Call, *entity.TrialResults) ([]T, error)) (out entity.TrialResultsRows, err error) {
	var all []T
	var about many.About
	c.block = min(c.at.Skip, len(trials.IDs))
	for i := c.block; i < len(trials.IDs); i++ {
		if trials.Found != nil && c.ends(i-c.block, len(all)) {
			c.nextBlock = i
			break
		}
		r, err := trials.Record(i)
		if err != nil {
			return out, err
		}
		if r == nil {
			about.Add(trials.IDs[i], many.Gone)
			continue
		}
		found, notices, err := rowsOf(c, r, ask, read)
		if err != nil {
			return out, err
		}
		all = append(all, found...)
		about.Add(r.ID, notices...)
	}
	about.Notice(c.Notes)
	var single entity.TrialResults
	shown, err := setRows(c, &single, all)
	if err != nil {
		return out, err
	}
	out = entity.TrialResultsRows{Section: c.Section, Rows: single.Rows, CSV: single.CSV, Pagination: *single.Pagination}
	var of []string
	for _, row := range shown {
		of = append(of, row.Trial())
	}
	out.NCTIDs = append([]string{}, entity.Once(of)...) // a list without rows, too
	return out, nil
}

// rowsOf returns the rows of one trial, and notices about it, such as the reason why it has no row.
func rowsOf[T entity.FlatRow](c *Call, r *entity.TrialResults, ask Asker, read func(*Call, *entity.TrialResults) ([]T, error)) (
	[]T, []string, error) {
	one, err := c.single(r, ask)
	if err != nil || !r.Posted() {
		return nil, []string{notPosted(r)}, err
	}
	found, err := read(one, r)
	switch {
	case err != nil:
		return nil, []string{entity.AsError(err).Message}, nil
	case one.unmatched:
		return found, []string{"No outcome has " + envelope.Quoted(c.Outcome) + "."}, nil
	case one.rowless != "":
		return found, []string{one.rowless + "."}, nil
	}
	return found, one.Notes.Notices, nil
}

// ends reports whether a page of rows ends before the next trials of a search are read: it has read as many as it may, or its rows fill
// half a page, in rows or, at the usual length of a row, in bytes.
func (c *Call) ends(read, found int) bool {
	const rowBytes = 200
	full := found >= c.PageSize/2 || found*rowBytes >= c.pageBytes/2
	return read > 0 && read%many.Max == 0 && (full || read == maxReads*many.Max)
}
