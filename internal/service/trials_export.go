package service

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
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// ExportTrialsName is what messages call an export.
const ExportTrialsName = "export trials"

// An ExportPlan says how trials are exported.
type ExportPlan struct {
	// Flat writes a trial as get_trial answers it, not as the registry does.
	Flat bool
	// Timeout bounds one request, queues included.
	Timeout time.Duration
	// Has reports whether a trial, NCT00461032, was written before.
	Has func(nct string) bool
	// Write takes records, each one line of JSON.
	Write func([]ExportedTrial) error
	// Progress is told how many of the trials to write are written, and how many
	// are written already.
	Progress func(done, total int)
}

// An ExportedTrial is the record of a trial in one line of JSON.
type ExportedTrial struct {
	ID   string // NCT00461032
	Line []byte
}

// ExportedTrials is what an export came to.
type ExportedTrials struct {
	// Total is how many trials match, as the registry counts them.
	Total int `json:"total"`
	// Listed are the ids of the trials that match, each once.
	Listed []string `json:"listed"`
	// LeftOut are trials that the registry finds and the filters do not let pass.
	LeftOut int `json:"leftOut"`
	// Written is how many records were written.
	Written int `json:"written"`
	// Missing are the listed trials whose record did not come.
	Missing []string `json:"missing"`
}

// ExportTrials reads the whole records of all trials that match some filters. It
// first lists their ids, so that every record comes once whatever is published
// meanwhile, and then reads those that were not written before.
func (s *Service) ExportTrials(ctx context.Context, filters tools.TrialFilters, plan ExportPlan) (answer entity.Answer[ExportedTrials],
	err error) {
	if len(filters.Given()) == 0 {
		return answer, withoutCriterion(ExportTrialsName, filters)
	}
	e := &export{trials: s.sources.Trials, filters: filters, plan: plan, done: &answer.Value}
	within, cancel := context.WithTimeout(ctx, plan.Timeout)
	search, notices, err := s.trialSearch(within, ExportTrialsName, filters, &answer.Notes)
	cancel()
	if err != nil {
		return answer, err
	}
	answer.Add(notices...)
	if search.FilterIds != nil && !dropPlaceholder(search.Query) {
		answer.Add("No trial has any of these ids.")
		return answer, nil
	}
	if err := e.list(ctx, search); err != nil {
		return answer, err
	}
	return answer, e.read(ctx)
}

// An export is one call of ExportTrials under way.
type export struct {
	trials  *ctgov.Registry
	filters tools.TrialFilters
	plan    ExportPlan
	done    *ExportedTrials
}

// list reads the ids of the trials that match, those that were updated first at
// the beginning: what is updated meanwhile moves towards the end, and is seen.
func (e *export) list(ctx context.Context, search *ctgov.Search) error {
	const maxEmpty = 3
	search.Sort, search.CountTotal = &[]string{"LastUpdatePostDate:asc"}, new(true)
	known := map[string]bool{}
	for seen, empty := 0, 0; ; {
		page, err := e.idPage(ctx, search)
		if err != nil {
			return err
		}
		if page.Total != nil {
			e.done.Total = *page.Total
		} else if search.PageToken == nil {
			return missingTotal()
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
			return nil
		}
		search.PageToken, search.CountTotal = &page.Token, nil
	}
}

func (e *export) idPage(ctx context.Context, search *ctgov.Search) (*ctgov.IDPage, error) {
	ctx, cancel := context.WithTimeout(ctx, e.plan.Timeout)
	defer cancel()
	page, err := e.trials.IDs(ctx, search)
	if refused := refusedSearch(ExportTrialsName, err, tools.SearchTrialsArgs{TrialFilters: e.filters}); refused != nil {
		return nil, refused
	}
	return page, err
}

// read reads the records that were not written before, as many at once as the
// registry takes ids. Where they are too large together it reads fewer at once.
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

// records reads some records, in the order of their ids.
func (e *export) records(ctx context.Context, ids []string) (lines []ExportedTrial, err error) {
	ctx, cancel := context.WithTimeout(ctx, e.plan.Timeout)
	defer cancel()
	trials, err := e.trials.Whole(ctx, ids, e.plan.Flat)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		i := slices.IndexFunc(trials, func(t ctgov.WholeTrial) bool { return t.ID == id })
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

// line writes a record in one line.
func (e *export) line(trial *ctgov.WholeTrial) ([]byte, error) {
	if !e.plan.Flat {
		return compactLine(trial.Record)
	}
	flat, err := trial.Trial()
	if err != nil {
		return nil, err
	}
	return entity.JSON(flat)
}

// compactLine returns a record of JSON in one line.
func compactLine(record json.RawMessage) ([]byte, error) {
	var line bytes.Buffer
	err := json.Compact(&line, record)
	return line.Bytes(), err
}

// ExportTool returns the tool that reads filters as search_trials does, for an
// export by do.
func ExportTool(search tool.Definition, do func(context.Context, tools.TrialFilters) (entity.Answer[ExportedTrials], error)) *tool.Tool {
	names := new(tools.TrialFilters).Names()
	search.Name = ExportTrialsName
	search.Arguments = slices.DeleteFunc(slices.Clone(search.Arguments),
		func(a tool.Argument) bool { return !slices.Contains(names, a.Name) })
	return tool.New(search, func() tools.TrialFilters { return tools.TrialFilters{} }, do)
}
