package sandbox

import (
	"bufio"
	"bytes"
	"compress/gzip"
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

// readRecords reads the studies of a file or folder and finds its XML, the sets
// of Entrez.
func readRecords(path string) (studies []record, sets []string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if info.IsDir() {
		return readFolder(path)
	}
	if isSet(path) {
		return nil, []string{path}, nil
	}
	studies, err = readStudies(path)
	return studies, nil, err
}

func isSet(path string) bool {
	return strings.HasSuffix(path, ".xml") || strings.HasSuffix(path, ".xml.gz")
}

func readStudies(path string) ([]record, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	switch {
	case strings.HasSuffix(path, ".jsonl"):
		return readLines(file, path)
	case strings.HasSuffix(path, ".jsonl.gz"):
		unzipped, err := gzip.NewReader(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return readLines(unzipped, path)
	case strings.HasSuffix(path, ".json"):
		return readPage(file, path)
	}
	return nil, fmt.Errorf("%s: want a folder or a .json, .jsonl, .jsonl.gz, .xml or .xml.gz file", path)
}

// readFolder takes the files and folders in it by name, so that the order of the records does not
// depend on the file system.
func readFolder(folder string) (studies []record, sets []string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, nil, err
	}
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		switch {
		case entry.IsDir():
			within, inner, err := readFolder(path)
			if err != nil {
				return nil, nil, err
			}
			studies, sets = append(studies, within...), append(sets, inner...)
		case isSet(path):
			sets = append(sets, path)
		case strings.HasSuffix(path, ".json"), strings.HasSuffix(path, ".jsonl"), strings.HasSuffix(path, ".jsonl.gz"):
			records, err := readStudies(path)
			if err != nil {
				return nil, nil, err
			}
			// Collections hold other JSON of E-utilities besides, which begins
			// with a header and is no study.
			studies = append(studies, slices.DeleteFunc(records, func(r record) bool { return r.body["header"] != nil })...)
		}
	}
	return studies, sets, nil
}

// readLines reads whole lines of any length: the largest real record is
// 3.6 MB, far beyond what a bufio.Scanner takes.
func readLines(r io.Reader, name string) ([]record, error) {
	var records []record
	lines := bufio.NewReaderSize(r, 1<<16)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		last := errors.Is(err, io.EOF)
		if err != nil && !last {
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		}
		if len(bytes.TrimSpace(line)) > 0 {
			from := fmt.Sprintf("%s:%d", name, number)
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
