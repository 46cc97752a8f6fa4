package sandbox

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// record is one JSON object of a data set and the place it was read from, for
// the errors that speak of it.
type record struct {
	body map[string]any
	from string
}

// A loader reads a file or a folder of files: their studies, and the paths of
// their XML, the sets of Entrez.
type loader struct {
	limits  limits
	entries int // of all folders so far
	studies []record
	sets    []string
}

// read reads what is at a path.
func (l *loader) read(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return l.readFolder(ctx, path, 1)
	case isSet(path):
		l.sets = []string{path}
		return nil
	}
	l.studies, err = l.readStudies(ctx, path)
	return err
}

func isSet(path string) bool {
	return strings.HasSuffix(path, ".xml") || strings.HasSuffix(path, ".xml.gz")
}

func (l *loader) readStudies(ctx context.Context, path string) ([]record, error) {
	isPage := strings.HasSuffix(path, ".json")
	if !isPage && !strings.HasSuffix(path, ".jsonl") && !strings.HasSuffix(path, ".jsonl.gz") {
		return nil, fmt.Errorf("%s: want a folder or a .json, .jsonl, .jsonl.gz, .xml or .xml.gz file", path)
	}
	if isPage {
		file, err := openWithin(ctx, path, l.limits.held)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		return readPage(file, path)
	}
	file, err := openWithin(ctx, path, l.limits.file)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readLines(file, path, l.limits.line)
}

// readFolder takes the files and folders in it by name, so that the order of the
// records does not depend on the file system. A link to a folder is not followed.
func (l *loader) readFolder(ctx context.Context, folder string, depth int) error {
	if depth > l.limits.depth {
		return fmt.Errorf("%s: folders within each other deeper than %d, which is the limit", folder, l.limits.depth)
	}
	entries, err := l.list(folder)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case entry.IsDir():
			if err := l.readFolder(ctx, path, depth+1); err != nil {
				return err
			}
		case isSet(path):
			l.sets = append(l.sets, path)
		case strings.HasSuffix(path, ".json"), strings.HasSuffix(path, ".jsonl"), strings.HasSuffix(path, ".jsonl.gz"):
			records, err := l.readStudies(ctx, path)
			if err != nil {
				return err
			}
			// Collections hold other JSON of E-utilities besides, which begins
			// with a header and is no study.
			l.studies = append(l.studies, slices.DeleteFunc(records, func(r record) bool { return r.body["header"] != nil })...)
		}
	}
	return nil
}

// list returns what is in a folder, by name.
func (l *loader) list(folder string) ([]os.DirEntry, error) {
	file, err := os.Open(folder)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	entries, err := file.ReadDir(l.limits.entries - l.entries + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if l.entries += len(entries); l.entries > l.limits.entries {
		return nil, fmt.Errorf("%s: more than %d files and folders, which is the limit", folder, l.limits.entries)
	}
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// readLines reads whole lines: the largest real record is 3.6 MB, far beyond what
// a bufio.Scanner takes.
func readLines(r io.Reader, name string, longest int) ([]record, error) {
	var records []record
	lines := bufio.NewReaderSize(r, 1<<16)
	for number := 1; ; number++ {
		from := fmt.Sprintf("%s:%d", name, number)
		line, err := readLine(lines, longest)
		last := errors.Is(err, io.EOF)
		if err != nil && !last {
			return nil, fmt.Errorf("%s: %w", from, err)
		}
		if len(bytes.TrimSpace(line)) > 0 {
			body, bad := decode(line)
			if bad != nil {
				return nil, fmt.Errorf("%s: %w", from, bad)
			}
			records = append(records, record{body, from})
		}
		if last {
			return records, nil
		}
	}
}

// readLine reads a line. At the end of the file the error is io.EOF, the last
// line with it.
func readLine(lines *bufio.Reader, longest int) (line []byte, err error) {
	for {
		piece, err := lines.ReadSlice('\n')
		if len(line)+len(piece) > longest {
			return nil, beyond("a line", int64(longest))
		}
		line = append(line, piece...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// readPage reads one study, or the studies of one page.
func readPage(r io.Reader, name string) ([]record, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	body, err := decode(data)
	if err != nil {
		line := 1 + bytes.Count(data[:errorOffset(data, err)], []byte("\n"))
		return nil, fmt.Errorf("%s:%d: %w", name, line, err)
	}
	page, ok := body["studies"].([]any)
	if !ok {
		return []record{{body, name}}, nil
	}
	records := make([]record, 0, len(page))
	for i, item := range page {
		from := fmt.Sprintf("%s: study %d", name, i+1)
		study, ok := item.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("%s: not a JSON object", from)
		}
		records = append(records, record{study, from})
	}
	return records, nil
}

// errRest is something after the one JSON value that was wanted.
var errRest = errors.New("more than one JSON value")

// decode reads exactly one JSON object and keeps its numbers as they are
// written.
func decode(data []byte) (map[string]any, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var body map[string]any
	if err := decoder.Decode(&body); err != nil {
		return nil, fmt.Errorf("not a JSON object: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errRest
	}
	if body == nil {
		return nil, errors.New("not a JSON object: null")
	}
	return body, nil
}

// errorOffset is how far into data an error of decode stands: where the JSON
// is wrong, at the end if it is cut off, else at the beginning.
func errorOffset(data []byte, err error) int {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return int(min(syntax.Offset, int64(len(data))))
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, errRest) {
		return len(bytes.TrimSpace(data))
	}
	return 0
}
