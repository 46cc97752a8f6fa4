package results

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/csvtable"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

// eachPosted calls a function with each record that has posted results, of real ones in short tests with a sample.
func eachPosted(t *testing.T, do func(r *entity.TrialResults)) {
	t.Helper()
	n := 0
	files := expect.Trials("results", "studies")
	for _, path := range files.Paths {
		for _, line := range expect.Lines(t, path) {
			if !strings.Contains(string(line), `"resultsSection"`) {
				continue
			}
			if n++; files.Real && !expect.All() && n%16 > 0 {
				continue
			}
			var study ctgov.Study
			expect.NoError(t, json.Unmarshal(line, &study))
			r, err := trials.TrialResults(&study)
			expect.NoError(t, err)
			do(&r)
		}
	}
	expect.That(t, n == 277 || !files.Real && n > 0, "%d records with results", n)
}

// walk reads a section page by page.
func walk(t *testing.T, r *entity.TrialResults, args tools.GetTrialResultsArgs, page func(entity.TrialResults)) {
	t.Helper()
	args.NCTID = r.ID
	for {
		call := Call{GetTrialResultsArgs: args, budget: 400_000, Notes: &entity.Notes{}}
		at, err := envelope.PageAt(tools.GetTrialResults, "", args, args.Cursor)
		expect.NoError(t, err)
		call.at = at
		expect.NoError(t, call.chooseSection())
		answer, err := call.Answer(r)
		expect.NoError(t, err)
		sourcetest.Valid(t, "get_trial_results.output", answer)
		page(answer)
		if answer.Pagination == nil || answer.Pagination.Cursor == "" {
			return
		}
		args.Cursor = answer.Pagination.Cursor
	}
}

// TestResultsPages: the pages of all sections together have each fact of a record once and verbatim, and the tables have the same cells.
func TestResultsPages(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	eachPosted(t, func(r *entity.TrialResults) {
		all := entity.TrialResults{Limitations: r.Limitations, Agreement: r.Agreement, PointOfContact: r.PointOfContact}
		size := 1 + len(r.OutcomeMeasures)/3
		walk(t, r, tools.GetTrialResultsArgs{Section: outcomes, PageSize: size}, func(p entity.TrialResults) {
			all.OutcomeMeasures = append(all.OutcomeMeasures, p.OutcomeMeasures...)
		})
		walk(t, r, tools.GetTrialResultsArgs{Section: baseline, PageSize: 2}, func(p entity.TrialResults) {
			join(&all.Baseline, p.Baseline, func(to, from *entity.BaselineResults) { to.Measures = append(to.Measures, from.Measures...) })
		})
		walk(t, r, tools.GetTrialResultsArgs{Section: participantFlow, PageSize: 1}, func(p entity.TrialResults) {
			join(&all.ParticipantFlow, p.ParticipantFlow,
				func(to, from *entity.ParticipantFlow) { to.Periods = append(to.Periods, from.Periods...) })
		})
		walk(t, r, tools.GetTrialResultsArgs{Section: adverseEvents, PageSize: 100}, func(p entity.TrialResults) {
			join(&all.AdverseEvents, p.AdverseEvents,
				func(to, from *entity.AdverseEventResults) { to.Events = append(to.Events, from.Events...) })
		})
		expect.Equal(t, r.ID+": the pages together", []any{r.OutcomeMeasures, r.Baseline, r.ParticipantFlow, r.AdverseEvents},
			[]any{all.OutcomeMeasures, all.Baseline, all.ParticipantFlow, all.AdverseEvents})
		for _, section := range []string{outcomes, baseline, participantFlow, adverseEvents} {
			cells := cellsOf(&all, section)
			var got []string
			walk(t, r, tools.GetTrialResultsArgs{Section: section, Format: "csv", PageSize: 50}, func(p entity.TrialResults) {
				got = append(got, readCSV(t, p.CSV, section)...)
			})
			slices.Sort(cells)
			slices.Sort(got)
			expect.Equal(t, r.ID+": cells of the table of "+section, true, slices.Equal(cells, got))
		}
	})
}

// join adds a page to a section.
func join[T any](all **T, page *T, items func(to, from *T)) {
	if *all == nil {
		*all = page
	} else {
		items(*all, page)
	}
}

// cellsOf lists the cells of a section with the titles of their groups.
func cellsOf(r *entity.TrialResults, section string) (cells []string) {
	add := func(parts ...any) { cells = append(cells, fmt.Sprintf("%q", parts)) }
	measures := func(all []entity.ResultMeasure, shared []entity.ResultGroup) {
		for _, m := range all {
			groups := m.Groups
			if shared != nil {
				groups = shared
			}
			for _, row := range m.Rows {
				for _, c := range row.Cells {
					if c.Value != "" || c.Comment != "" {
						add(strconv.Itoa(m.Number), row.Class, row.Category, groups[c.Group-1].Title, c.Value, c.Spread, c.Lower, c.Upper,
							c.Comment)
					}
				}
			}
		}
	}
	switch {
	case section == outcomes:
		measures(r.OutcomeMeasures, nil)
	case section == baseline && r.Baseline != nil:
		measures(r.Baseline.Measures, r.Baseline.Groups)
	case section == participantFlow && r.ParticipantFlow != nil:
		for _, p := range r.ParticipantFlow.Periods {
			for _, row := range slices.Concat(p.Milestones, p.Withdrawals) {
				for _, c := range row.Cells {
					add(p.Title, row.Type, r.ParticipantFlow.Groups[c.Group-1].Title, c.Participants, c.Comment)
				}
			}
		}
	case section == adverseEvents && r.AdverseEvents != nil:
		for _, e := range r.AdverseEvents.Events {
			for _, c := range e.Cells {
				add(strconv.FormatBool(e.Serious), e.Term, e.OrganSystem, r.AdverseEvents.Groups[c.Group-1].Title, figure(c.Affected),
					figure(c.AtRisk), figure(c.Events))
			}
		}
	}
	return cells
}

// readCSV lists the cells of a table in the same form.
func readCSV(t *testing.T, text, section string) (cells []string) {
	t.Helper()
	if text == "" {
		return nil
	}
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	expect.NoError(t, err)
	columns := map[string][]string{
		outcomes:        {"measure", "class", "category", "group_title", "value", "spread", "lower", "upper", "comment"},
		participantFlow: {"period", "type", "group_title", "participants", "comment"},
		adverseEvents:   {"serious", "term", "organ_system", "group_title", "affected", "at_risk", "events"},
	}
	columns[baseline] = columns[outcomes]
	for _, row := range rows[1:] {
		var parts []any
		for _, column := range columns[section] {
			cell := row[slices.Index(rows[0], column)]
			if text, changed := strings.CutPrefix(cell, "'"); changed && csvtable.IsFormula(text) {
				cell = text
			}
			parts = append(parts, cell)
		}
		value := slices.Index(rows[0], "value")
		if value >= 0 && row[value] == "" && row[slices.Index(rows[0], "comment")] == "" {
			continue // of a measure without values
		}
		cells = append(cells, fmt.Sprintf("%q", parts))
	}
	return cells
}

// twins returns the first two entries that are equal though their outcomes differ in title or time frame.
func twins(index []entity.OutcomeIndexEntry, all []entity.ResultMeasure) string {
	seen := map[[2]string]*entity.ResultMeasure{}
	for _, e := range index {
		m := &all[e.Number-1]
		other := seen[[2]string{e.Title, e.TimeFrame}]
		if other != nil && (other.Title != m.Title || other.TimeFrame != m.TimeFrame) {
			return fmt.Sprintf("%d and %d: %s", other.Number, m.Number, e.Title)
		}
		seen[[2]string{e.Title, e.TimeFrame}] = m
	}
	return ""
}

// TestResultsOverviews checks the sizes of the overviews of all real records.
func TestResultsOverviews(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	var sizes []int
	eachPosted(t, func(r *entity.TrialResults) {
		call := Call{GetTrialResultsArgs: tools.GetTrialResultsArgs{NCTID: r.ID, Section: overview}, budget: 400_000,
			Notes: &entity.Notes{}}
		answer, err := call.Answer(r)
		expect.NoError(t, err)
		text := sourcetest.Valid(t, "get_trial_results.output", entity.Answer[entity.TrialResults]{Value: answer, Notes: *call.Notes})
		sizes = append(sizes, len(text))
		expect.Equal(t, r.ID+": equal entries of the index", "", twins(answer.OutcomeIndex, r.OutcomeMeasures))
		if len(text) >= 16_000 {
			t.Errorf("%s: an overview of %d bytes", r.ID, len(text))
		}
		small := call
		small.budget, small.Notes = 10_000, &entity.Notes{}
		answer, _ = small.Answer(r)
		expect.That(t, entity.Size(answer) <= small.budget, "%s: an overview of %d bytes, not %d", r.ID, entity.Size(answer), small.budget)
		expect.Equal(t, r.ID+": equal entries of a short index", "", twins(answer.OutcomeIndex, r.OutcomeMeasures))
	})
	slices.Sort(sizes)
	median := sizes[len(sizes)/2]
	t.Logf("%d overviews: median %d bytes, largest %d", len(sizes), median, sizes[len(sizes)-1])
	if median >= 7_000 && expect.All() {
		t.Errorf("the median overview has %d bytes", median)
	}
}
