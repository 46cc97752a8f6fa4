package recordfile

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// readRecords reads the ids of the records. The text after the last line is a record without its line feed, or the beginning of one.
func (f *File) readRecords(ctx context.Context, flat bool) error {
	lines := bufio.NewReaderSize(f.file, 1<<16)
	for number := 1; ctx.Err() == nil; number++ {
		line, err := Line(lines)
		ended := errors.Is(err, io.EOF)
		if err != nil && !ended {
			return err
		}
		if ended && len(line) == 0 {
			return nil
		}
		nct, err := recordID(line, flat)
		switch {
		case err == nil && f.IDs[nct]:
			err = fmt.Errorf("has %s for the second time; an export writes each record once, so it did not write this file", nct)
		case err != nil && ended && !json.Valid(line) && beginsRecord(line, flat):
			f.CutOff = true
			return nil
		}
		if err != nil {
			return fmt.Errorf("line %d %w", number, err)
		}
		f.IDs[nct] = true
		f.size += int64(len(line))
		if ended {
			f.first = "\n"
			return nil
		}
	}
	return ctx.Err()
}

// errNoRecord is the error for a line that an export would not have written.
var errNoRecord = errors.New("is not a trial in the format of this export; name another file")

// recordID returns the NCT id of the trial in a line, such as NCT00461032.
func recordID(line []byte, flat bool) (string, error) {
	var record struct {
		ID              string `json:"id"`
		ProtocolSection struct {
			IdentificationModule struct {
				NctID string `json:"nctId"`
			} `json:"identificationModule"`
		} `json:"protocolSection"`
	}
	if err := json.Unmarshal(line, &record); err != nil {
		return "", errNoRecord
	}
	nct, other := record.ProtocolSection.IdentificationModule.NctID, record.ID
	if flat {
		nct, other = strings.ReplaceAll(record.ID, ":", ""), nct
	}
	switch {
	case nct == "" && other != "" && flat:
		return "", errors.New("is a record of the registry, but --flat writes records as get_trial returns them; name another file or " +
			"leave out --flat")
	case nct == "" && other != "":
		return "", errors.New("is a record as get_trial returns it; add --flat to continue the file, or name another file")
	case !strings.HasPrefix(nct, "NCT"):
		return "", errNoRecord
	}
	return nct, nil
}

// beginsRecord reports whether a text can be the beginning of a record.
func beginsRecord(text []byte, flat bool) bool {
	members := []string{"protocolSection", "resultsSection", "annotationSection", "documentSection", "derivedSection", "hasResults"}
	if flat {
		members = []string{"id"}
	}
	return slices.ContainsFunc(members, func(member string) bool {
		first := `{"` + member + `":`
		n := min(len(text), len(first))
		return string(text[:n]) == first[:n]
	})
}

// readRows reads the ids of the trials of the complete trials in a file of rows.
func (f *File) readRows(header []string) error {
	complete := io.LimitReader(f.file, f.size)
	next := jsonRows(complete)
	if header != nil {
		next = csv.NewReader(complete).Read
		if first, err := next(); err != nil && f.size > 0 || err == nil && !slices.Equal(first, header) {
			return errNotRows
		}
	}
	for {
		row, err := next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil || !strings.HasPrefix(row[0], "NCT"):
			return errNotRows
		}
		f.IDs[row[0]] = true
	}
}

// jsonRows returns a function that reads the id of a row in JSON.
func jsonRows(file io.Reader) func() (id []string, err error) {
	lines := bufio.NewReaderSize(file, 1<<16)
	return func() ([]string, error) {
		line, err := Line(lines)
		if err != nil {
			return nil, err
		}
		var row struct {
			ID string `json:"nct_id"`
		}
		err = json.Unmarshal(line, &row)
		return []string{row.ID}, err
	}
}
