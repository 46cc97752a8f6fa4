package trials

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/ranges"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
	"github.com/biofact-mcp/biofact/internal/trials/results"
)

// An ExportPlan says how trials are exported.
type ExportPlan struct {
	// Flat writes a trial as get_trial returns it, instead of the registry's record.
	Flat bool
	// Rows are the arguments of get_trial_results for the rows of each trial that are written instead of its record. The trials are
	// those with
	// posted results.
	Rows *tools.GetTrialResultsArgs
	// Timeout limits one request, including the time in queues.
	Timeout time.Duration
	// Has reports whether a trial, such as NCT00461032, was written before.
	Has func(nct string) bool
	// Write receives records, each as one line of JSON.
	Write func([]ExportedTrial) error
	// Progress receives the number of trials that are written, including those that were written before, and the number of listed trials.
	Progress func(done, total int)
}

// An ExportedTrial is the record of a trial in one line of JSON, or its rows in several lines.
type ExportedTrial struct {
	ID    string // NCT00461032
	Lines []byte // each with its line feed
}

// ExportedTrials has the result of an export.
type ExportedTrials struct {
	// Total is the number of matching trials that the registry reports.
	Total int `json:"total"`
	// Listed has the ids of the matching trials, each once.
	Listed []string `json:"listed"`
	// LeftOut counts the trials that the registry finds and the filters exclude.
	LeftOut int `json:"leftOut"`
	// Written counts the records that were written.
	Written int `json:"written"`
	// Missing has the listed trials whose record the registry did not return.
	Missing []string `json:"missing"`
	// Changed reports that the data changed while the trials were listed, each time that they were.
	Changed bool `json:"changed"`
}

// ExportTrials reads the complete records of all trials that match some filters. It first lists their ids, so that each record is read once
// even if the registry publishes new data meanwhile. It then reads the records that were not written before.
func (s *Trials) ExportTrials(ctx context.Context, args tools.TrialFilters, plan ExportPlan) (answer entity.Answer[ExportedTrials],
	err error) {
	if err := filters.CheckGiven(args.Given(), ""); err != nil {
		return answer, filters.ForTool(ExportTrialsName, err)
	}
	if plan.Rows != nil && args.HasResults == nil {
		args.HasResults = new(true)
	}
	w, err := filters.Read(ExportTrialsName, args, ranges.CalendarOf(""))
	if err != nil {
		return answer, err
	}
	e := &export{trials: s.sources.Trials, wishes: w, plan: plan, done: &answer.Value}
	within, cancel := context.WithTimeout(ctx, plan.Timeout)
	search, notices, err := s.search(within, w, &answer.Notes)
	if err == nil {
		var more []string
		_, more, err = s.finish(within, w, search)
		notices = append(notices, more...)
	}
	cancel()
	if err != nil {
		return answer, err
	}
	answer.Add(notices...)
	if notice, none := noTrial(w, search); none {
		answer.Add(notice)
		return answer, nil
	}
	if err := e.list(ctx, search); err != nil {
		return answer, err
	}
	if e.done.Total == 0 && args.Words != anyWord && severalWords(w) {
		answer.Add("No trial has all words. For those that have some of them: " + callWith(ExportTrialsName, args, anyWord) + ".")
	}
	return answer, e.read(ctx)
}

// An export holds the state of one call of ExportTrials.
type export struct {
	trials *ctgov.Registry
	wishes *filters.Wishes
	plan   ExportPlan
	done   *ExportedTrials
}

// list reads the ids of the matching trials. If the data change meanwhile, or the ids are not as many as the registry counts, it reads them
// again.
func (e *export) list(ctx context.Context, search *ctgov.Search) (err error) {
	const maxListings = 3
	for range maxListings {
		e.done.Listed, e.done.LeftOut = nil, 0
		e.done.Changed, err = e.listOnce(ctx, search)
		if err != nil || !e.done.Changed && len(e.done.Listed)+e.done.LeftOut == e.done.Total {
			break
		}
	}
	return err
}

// listOnce reads the ids of the matching trials, in ascending order of their last update: a trial that is updated meanwhile moves towards
// the end and is still found. It reports whether the data changed meanwhile.
func (e *export) listOnce(ctx context.Context, search *ctgov.Search) (changed bool, err error) {
	const maxEmpty = 3
	search.Sort, search.CountTotal, search.PageToken = &[]string{"LastUpdatePostDate:asc"}, new(true), nil
	known, data := map[string]bool{}, revisions{}
	for seen, empty := 0, 0; ; {
		page, err := e.idPage(ctx, search)
		if refusedToken(search.Query, err) != nil {
			return true, nil //nolint:nilerr // the trials are listed again
		}
		if err != nil {
			return false, err
		}
		data.add(page.Revision)
		if page.Total != nil {
			e.done.Total = *page.Total
			if err := CheckListed(callWith(ExportTrialsName, e.wishes.Args, ""), e.wishes.Args.Words, e.done.Total); err != nil {
				return false, err
			}
		} else if search.PageToken == nil {
			return false, filters.MissingTotal()
		}
		for _, id := range page.IDs {
			if !known[id] {
				known[id] = true
				e.done.Listed = append(e.done.Listed, id)
			}
		}
		e.done.LeftOut += page.LeftOut
		rows := len(page.IDs) + page.LeftOut
		if seen += rows; rows == 0 {
			empty++
		}
		if page.Token == "" || seen >= e.done.Total || empty > maxEmpty {
			return data.changed, nil
		}
		search.PageToken, search.CountTotal = &page.Token, nil
	}
}

func (e *export) idPage(ctx context.Context, search *ctgov.Search) (*ctgov.IDPage, error) {
	ctx, cancel := context.WithTimeout(ctx, e.plan.Timeout)
	defer cancel()
	page, err := e.trials.IDs(ctx, search)
	if refused := e.wishes.Refused(err); refused != nil && search.PageToken == nil {
		return nil, refused
	}
	return page, err
}

// read reads the records that were not written before, as many in one request as the registry takes ids. If they are too large together, it
// requests fewer.
func (e *export) read(ctx context.Context) error {
	left := slices.DeleteFunc(slices.Clone(e.done.Listed), e.plan.Has)
	before := len(e.done.Listed) - len(left)
	e.plan.Progress(before, len(e.done.Listed))
	for size := ctgov.MaxIDs; len(left) > 0; size = min(2*size, ctgov.MaxIDs) {
		ids := left[:min(size, len(left))]
		lines, err := e.records(ctx, ids)
		for errors.Is(err, entity.ErrTooLarge) && len(ids) > 1 {
			size = len(ids) / 2
			ids = ids[:size]
			lines, err = e.records(ctx, ids)
		}
		if err != nil {
			return err
		}
		if err := e.plan.Write(lines); err != nil {
			return err
		}
		e.done.Written += len(lines)
		left = left[len(ids):]
		e.plan.Progress(len(e.done.Listed)-len(left), len(e.done.Listed))
	}
	return nil
}

// records returns some records, in the order of their ids.
func (e *export) records(ctx context.Context, ids []string) (lines []ExportedTrial, err error) {
	ctx, cancel := context.WithTimeout(ctx, e.plan.Timeout)
	defer cancel()
	trials, err := e.trials.RawTrials(ctx, ids, e.plan.Flat)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		i := slices.IndexFunc(trials, func(t ctgov.RawTrial) bool { return t.ID == id })
		if i < 0 { // removed since it was listed, or merged into another one
			e.done.Missing = append(e.done.Missing, id)
			continue
		}
		line, err := e.line(&trials[i])
		if err != nil {
			return nil, source.Unreadable("ClinicalTrials.gov", fmt.Errorf("%s: %w", id, err))
		}
		lines = append(lines, ExportedTrial{id, line})
	}
	return lines, nil
}

// line returns a record as one line of JSON, or its rows.
func (e *export) line(trial *ctgov.RawTrial) (line []byte, err error) {
	switch {
	case e.plan.Rows != nil:
		posted, err := trial.Results()
		if err != nil {
			return nil, err
		}
		return results.Lines(*e.plan.Rows, posted)
	case e.plan.Flat:
		flat, err := trial.Trial()
		if err != nil {
			return nil, err
		}
		line, err = entity.JSON(flat)
		return append(line, '\n'), err
	}
	line, err = compactLine(trial.Record)
	return append(line, '\n'), err
}

// compactLine returns JSON as one line.
func compactLine(record json.RawMessage) ([]byte, error) {
	var line bytes.Buffer
	err := json.Compact(&line, record)
	return line.Bytes(), err
}

// ExportTool returns a tool that has the filters of search_trials as arguments and calls do.
func ExportTool(search tool.Definition, do func(context.Context, tools.TrialFilters) (entity.Answer[ExportedTrials], error)) *tool.Tool {
	names := new(tools.TrialFilters).Names()
	search.Name = ExportTrialsName
	search.Arguments = slices.DeleteFunc(slices.Clone(search.Arguments),
		func(a tool.Argument) bool { return !slices.Contains(names, a.Name) })
	return tool.New(search, func() tools.TrialFilters { return tools.TrialFilters{} }, do)
}
