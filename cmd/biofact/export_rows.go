package main

import (
	"errors"

	"github.com/spf13/pflag"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/trials/results"
)

// rowFlags are the flags of an export of rows.
type rowFlags struct {
	comparisons, arms, csv bool
	outcome                string
	event                  []string
}

func (f *rowFlags) add(to *pflag.FlagSet) {
	to.BoolVar(&f.comparisons, "comparisons", false, "write the posted effects of each trial as rows, instead of its record")
	to.BoolVar(&f.arms, "arms", false, "write posted cells as rows: deaths, serious and other events per group, or see --outcome, --event")
	to.BoolVar(&f.csv, "csv", false, "write the rows as CSV")
	to.StringVar(&f.outcome, "outcome", "", "rows of the outcomes with these words or numbers; all")
	to.StringSliceVar(&f.event, "event", nil, "with --arms: rows of the events with these words")
}

// check refuses flags that have no effect together.
func (f *rowFlags) check(flat bool) error {
	switch {
	case f.comparisons && f.arms:
		return errors.New("--comparisons and --arms: an export writes one of them")
	case f.section() != "" && flat:
		return errors.New("--flat writes records, and --" + f.section() + " rows: leave one out")
	case f.section() == "" && (f.csv || f.outcome != "" || f.event != nil):
		return errors.New("--csv, --outcome and --event are for rows: add --comparisons or --arms")
	case f.event != nil && (f.comparisons || f.outcome != ""):
		return errors.New("--event is for --arms without --outcome")
	}
	return nil
}

// section returns the section of rows, "" for an export of records.
func (f *rowFlags) section() string {
	switch {
	case f.comparisons:
		return "comparisons"
	case f.arms:
		return "arms"
	}
	return ""
}

// arguments returns the arguments of get_trial_results for the rows of a trial; nil for an export of records.
func (f *rowFlags) arguments() *tools.GetTrialResultsArgs {
	if f.section() == "" {
		return nil
	}
	args := &tools.GetTrialResultsArgs{Section: f.section(), Outcome: f.outcome, Event: f.event}
	if f.csv {
		args.Format = "csv"
	}
	return args
}

// columns returns the header of a file of rows; nil for lines of JSON.
func (f *rowFlags) columns() []string {
	if !f.csv {
		return nil
	}
	return results.Header(f.section())
}
