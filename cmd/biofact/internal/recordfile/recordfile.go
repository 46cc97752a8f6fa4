// Package recordfile has the file of an export, which a later run of the same export continues: no record is lost or repeated. It must
// never know how records are searched or read.
package recordfile

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// A File is the output of an export: standard output, or a file, which may already have some of the records.
type File struct {
	// Out is where lines are written.
	Out io.Writer
	// IDs are the NCT ids of the trials that the file had at the start.
	IDs map[string]bool
	// CutOff reports that the last line is incomplete: the first new line replaces it.
	CutOff bool

	file   *os.File // nil for standard output
	size   int64    // of the complete lines
	length int64    // of the file, which may end in an incomplete line
	first  string   // is written before the first new line
	made   bool     // this export created the file
	claim  *claim   // nil: the lines themselves say that an export wrote them
}

// Stream returns a File for a standard output. It refuses a file with content, because it cannot read whether its last line is complete.
func Stream(out io.Writer, file *os.File) (*File, error) {
	if file != nil {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
			return nil, errors.New("export trials: standard output is a file that is not empty; to continue an export name the file in " +
				"--output, or append the records to the file with | cat >> FILE")
		}
	}
	return &File{Out: out}, nil
}

// OpenRecords opens or creates a file with a record a line. flat says that the records are those of get_trial. The first new line replaces
// an incomplete record in the last line.
func OpenRecords(ctx context.Context, path string, flat bool) (*File, error) {
	return open(path, ":", func(f *File) error { return f.readRecords(ctx, flat) })
}

// OpenRows opens or creates a file of rows that a call writes: CSV with a header, or lines of JSON if the header is nil. It refuses a file
// that is no unfinished export of this call.
func OpenRows(path, call string, header []string) (*File, error) {
	return open(path, "", func(f *File) error {
		f.claim = &claim{Call: call}
		if header != nil {
			f.first = strings.Join(header, ",") + "\r\n"
		}
		if f.length == 0 {
			return nil
		}
		if err := f.readClaim(); err != nil {
			return err
		}
		return f.readRows(header)
	})
}

// open opens or creates a file, and calls read, which sets the size of the complete lines. It changes nothing in the file. An error of read
// follows the path and a sign.
func open(path, sign string, read func(*File) error) (f *File, err error) {
	_, missing := os.Stat(path)
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("--output: %w", WithoutPath(path, err))
	}
	defer func() {
		if err != nil {
			_ = file.Close() // the error before it counts
		}
	}()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("--output: %s is not a regular file; for pipes and devices use standard output", path)
	}
	f = &File{Out: file, file: file, length: info.Size(), IDs: map[string]bool{}, made: errors.Is(missing, os.ErrNotExist)}
	if err := read(f); err != nil {
		return nil, fmt.Errorf("--output: %s%s %w", path, sign, err)
	}
	return f, nil
}

// WithoutPath returns the error of a file with its path once, at the beginning.
func WithoutPath(path string, err error) error {
	if pathError, ok := errors.AsType[*os.PathError](err); ok {
		err = pathError.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// Write writes complete lines. A file gets them or nothing: an incomplete line is removed after a write error, such as a full disk.
func (f *File) Write(lines []byte) (int, error) {
	if f.file == nil {
		return f.Out.Write(lines)
	}
	if info, err := f.file.Stat(); err == nil && info.Size() != f.length {
		return 0, fmt.Errorf("%s: another program also writes to the file; the export was stopped", f.file.Name())
	}
	all := append([]byte(f.first), lines...)
	end := f.size + int64(len(all))
	err := f.writeClaim(end)
	if err == nil {
		_, err = f.file.WriteAt(all, f.size)
	}
	if err == nil {
		err = f.file.Truncate(end) // of a longer incomplete line
	}
	if err != nil {
		_ = f.file.Truncate(f.size) // otherwise the next export removes the rest
		return 0, WithoutPath(f.file.Name(), err)
	}
	f.size, f.length, f.first = end, end, ""
	return len(lines), nil
}

// Others returns how many trials that the file had at the start are not in listed.
func (f *File) Others(listed []string) int {
	n := len(f.IDs)
	for _, nct := range listed {
		if f.IDs[nct] {
			n--
		}
	}
	return n
}

// Close closes the output. It removes a new file that is empty, unless the export is complete.
func (f *File) Close(complete bool) (err error) {
	if f.file == nil {
		return nil
	}
	if complete && (f.first != "" || f.length > f.size) {
		_, err = f.Write(nil)
	}
	if closed := f.file.Close(); closed != nil && err == nil {
		err = WithoutPath(f.file.Name(), closed)
	}
	unused := f.made && f.size == 0 && !complete
	if f.claim != nil && err == nil && (complete || unused) {
		err = f.removeClaim()
	}
	if err == nil && unused {
		err = os.Remove(f.file.Name())
	}
	return err
}

// MaxLine is the maximum number of bytes of a line.
const MaxLine = 128 << 20

// ErrLongLine is the error for a line longer than MaxLine.
var ErrLongLine = errors.New("the line is too long")

// Line reads a line with its end. At the end of the input it returns the rest with io.EOF.
func Line(lines *bufio.Reader) (line []byte, err error) {
	for {
		piece, err := lines.ReadSlice('\n')
		if len(line)+len(piece) > MaxLine {
			return nil, ErrLongLine
		}
		line = append(line, piece...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}
