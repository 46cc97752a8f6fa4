package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/trials"
)

// A recordFile is the output of an export: standard output, or a file, which may already have some of the records.
type recordFile struct {
	out    io.Writer
	file   *os.File        // nil for standard output
	ids    map[string]bool // of the records that the file had at the start
	size   int64           // of the complete lines
	cutOff bool            // the last line was incomplete and is removed
	made   bool            // this export created the file
}

// openStream refuses a standard output that is a file with content, because it cannot read whether the last line of the file is
// complete.
func openStream(out io.Writer) (*recordFile, error) {
	if f, ok := out.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
			return nil, errors.New("export trials: standard output is a file that is not empty; to continue an export name the file in " +
				"--output, or append the records to the file with | cat >> FILE")
		}
	}
	return &recordFile{out: out}, nil
}

// openExport opens or creates a file of records. It removes only an incomplete record in the last line.
func openExport(ctx context.Context, path string, flat bool) (*recordFile, error) {
	_, missing := os.Stat(path)
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("--output: %w", withoutPath(path, err))
	}
	f := &recordFile{out: file, file: file, ids: map[string]bool{}, made: errors.Is(missing, os.ErrNotExist)}
	if err := f.readAll(ctx, path, flat); err != nil {
		file.Close()
		return nil, err
	}
	return f, nil
}

func withoutPath(path string, err error) error {
	if pathError, ok := errors.AsType[*os.PathError](err); ok {
		err = pathError.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// readAll reads the ids of the records in the file and seeks to the end of the last complete line.
func (f *recordFile) readAll(ctx context.Context, path string, flat bool) error {
	if info, err := f.file.Stat(); err != nil || !info.Mode().IsRegular() {
		return fmt.Errorf("--output: %s is not a regular file; for pipes and devices use standard output", path)
	}
	lines := bufio.NewReaderSize(f.file, 1<<16)
	for number := 1; ctx.Err() == nil; number++ {
		line, err := oneLine(lines)
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("--output: %s: %w", path, err)
		}
		if err != nil {
			return f.end(path, number, line, flat)
		}
		if err := f.add(line, flat); err != nil {
			return fmt.Errorf("--output: %s: line %d %w", path, number, err)
		}
		f.size += int64(len(line))
	}
	return exitInterrupted
}

// add adds the id of an existing line.
func (f *recordFile) add(line []byte, flat bool) error {
	nct, err := recordID(line, flat)
	switch {
	case err != nil:
		return err
	case f.ids[nct]:
		return fmt.Errorf("has %s for the second time; an export writes each record once, so it did not write this file", nct)
	}
	f.ids[nct] = true
	return nil
}

// end seeks to the end of the last complete line. The text after it is a record without its line feed, or the beginning of one.
func (f *recordFile) end(path string, number int, rest []byte, flat bool) error {
	_, err := recordID(rest, flat)
	switch {
	case len(rest) == 0:
	case err == nil:
		if err := f.add(rest, flat); err != nil {
			return fmt.Errorf("--output: %s: line %d %w", path, number, err)
		}
		if _, err := f.file.WriteAt([]byte("\n"), f.size+int64(len(rest))); err != nil {
			return err
		}
		f.size += int64(len(rest)) + 1
	case json.Valid(rest) || !beginsRecord(rest, flat):
		return fmt.Errorf("--output: %s: line %d %w", path, number, err)
	default:
		f.cutOff = true
		if err := f.file.Truncate(f.size); err != nil {
			return err
		}
	}
	_, err = f.file.Seek(f.size, io.SeekStart)
	return err
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

// write writes records, one per line. A file gets complete lines or nothing: an incomplete line is removed after a write error, such as a
// full disk.
func (f *recordFile) write(trials []trials.ExportedTrial) error {
	var lines []byte
	for _, t := range trials {
		lines = append(lines, t.Lines...)
	}
	if f.file == nil {
		_, err := f.out.Write(lines)
		return err
	}
	if info, err := f.file.Stat(); err == nil && info.Size() != f.size {
		return fmt.Errorf("%s: another program also writes to the file; the export was stopped", f.file.Name())
	}
	if _, err := f.file.Write(lines); err != nil {
		_ = f.file.Truncate(f.size) // otherwise the next export removes the rest
		return withoutPath(f.file.Name(), err)
	}
	f.size += int64(len(lines))
	return nil
}

// others returns how many records that the file had at the start are not in listed.
func (f *recordFile) others(listed []string) int {
	n := len(f.ids)
	for _, nct := range listed {
		if f.ids[nct] {
			n--
		}
	}
	return n
}

func (f *recordFile) terminal() bool { return screenWidth(f.out) > 0 }

// close closes the output. It removes a new file that is empty.
func (f *recordFile) close(complete bool) error {
	if f.file == nil {
		return nil
	}
	if err := f.file.Close(); err != nil {
		return withoutPath(f.file.Name(), err)
	}
	if f.made && f.size == 0 && !complete {
		return os.Remove(f.file.Name())
	}
	return nil
}
