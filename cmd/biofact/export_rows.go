package main

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

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

// header returns the first line of a file of rows; it is empty for lines of JSON.
func (f *rowFlags) header() string {
	if !f.csv {
		return ""
	}
	return strings.Join(results.Header(f.section()), ",") + "\r\n"
}

// openRows opens or creates a file of rows. It removes the rows of the last trial, which may not be complete, and has the ids of the
// others.
func openRows(path string, rows rowFlags) (*recordFile, error) {
	_, missing := os.Stat(path)
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("--output: %w", withoutPath(path, err))
	}
	f := &recordFile{out: file, file: file, ids: map[string]bool{}, made: errors.Is(missing, os.ErrNotExist)}
	if err := f.readRows(rows); err != nil {
		file.Close()
		return nil, fmt.Errorf("--output: %s %w", path, err)
	}
	if err := errors.Join(file.Truncate(f.size), seekEnd(file)); err != nil {
		file.Close()
		return nil, withoutPath(path, err)
	}
	if f.size == 0 {
		n, err := io.WriteString(file, rows.header())
		f.size = int64(n)
		return f, err
	}
	return f, nil
}

func seekEnd(file *os.File) error {
	_, err := file.Seek(0, io.SeekEnd)
	return err
}

// errNotRows is the error for a file that an export of these rows would not have written.
var errNotRows = errors.New("does not have the rows of this export; name another file")

// readRows reads the ids of the trials in a file of rows, and sets the size to the beginning of the last trial.
func (f *recordFile) readRows(rows rowFlags) error {
	if info, err := f.file.Stat(); err != nil || !info.Mode().IsRegular() {
		return errors.New("is not a regular file; for pipes and devices use standard output")
	}
	next := jsonRows(f.file)
	if rows.csv {
		next = csvRows(f.file)
		header, _, err := next()
		switch {
		case errors.Is(err, io.EOF) && header == nil:
			return nil
		case err != nil || !slices.Equal(header, results.Header(rows.section())):
			return errNotRows
		}
		f.size = int64(len(rows.header()))
	}
	last, at := "", f.size
	for {
		row, end, err := next()
		if err != nil {
			delete(f.ids, last)
			return nil //nolint:nilerr // the end of the file, or of its complete rows
		}
		switch nct := row[0]; {
		case !strings.HasPrefix(nct, "NCT"):
			return errNotRows
		case nct == last:
		case f.ids[nct]:
			return fmt.Errorf("has %s in two places; an export writes the rows of a trial together, so it did not write this file", nct)
		default:
			f.ids[nct], last, f.size = true, nct, at
		}
		at = end
	}
}

// csvRows returns a function that reads a row of CSV and the offset of its end.
func csvRows(file io.Reader) func() (cells []string, end int64, err error) {
	r := csv.NewReader(file)
	return func() ([]string, int64, error) {
		cells, err := r.Read()
		return cells, r.InputOffset(), err
	}
}

// jsonRows returns a function that reads the id of a row in JSON and the offset of its end.
func jsonRows(file io.Reader) func() (id []string, end int64, err error) {
	lines, at := bufio.NewReaderSize(file, 1<<16), int64(0)
	return func() ([]string, int64, error) {
		line, err := oneLine(lines)
		if err != nil {
			return nil, at, err
		}
		var row struct {
			ID string `json:"nct_id"`
		}
		if err := json.Unmarshal(line, &row); err != nil {
			return []string{""}, at, nil //nolint:nilerr // a complete line that is no row
		}
		at += int64(len(line))
		return []string{row.ID}, at, nil
	}
}
