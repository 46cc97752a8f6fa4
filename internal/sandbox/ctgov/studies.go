package ctgov

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/sandbox/records"
)

// record is one JSON object of a data set, with its position for errors.
type record struct {
	body map[string]any
	from string
}

// read reads the studies of all files. It leaves out other JSON in the folder: answers of E-utilities, which have a header.
func read(ctx context.Context, f *records.Folder) ([]record, error) {
	var all []record
	seen := map[string]bool{}
	for _, file := range f.JSON("ctgov") {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		studies, err := readFile(ctx, file, f.Limits.Line)
		studies = slices.DeleteFunc(studies, func(r record) bool { return r.body["header"] != nil })
		if err == nil && f.Mixed() {
			studies, err = firstOnes(studies, seen)
		}
		if err := f.LeaveOut(file, err); err != nil {
			return nil, err
		}
		all = append(all, studies...)
	}
	return all, nil
}

// firstOnes returns the studies whose ids were not seen before. JSON that is no study is an error.
func firstOnes(studies []record, seen map[string]bool) (first []record, err error) {
	for _, s := range studies {
		id := query.First(s.body, "NCTId")
		if !canonicalID.MatchString(id) {
			return nil, fmt.Errorf("%s: no study", s.from)
		}
		if !seen[id] {
			seen[id], first = true, append(first, s)
		}
	}
	return first, nil
}

func readFile(ctx context.Context, f records.File, longest int) ([]record, error) {
	if strings.HasSuffix(f.Name(), ".json") {
		text, err := f.Read(ctx)
		if err != nil {
			return nil, err
		}
		return readPage(text, f.Name())
	}
	file, err := f.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readLines(file, f.Name(), longest)
}

// readLines reads a study from each line. The largest real record has 3.6 MB, more than a bufio.Scanner takes.
func readLines(r io.Reader, name string, longest int) ([]record, error) {
	var studies []record
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
			studies = append(studies, record{body, from})
		}
		if last {
			return studies, nil
		}
	}
}

// readLine reads a line. At the end of the file it returns the last line with io.EOF.
func readLine(lines *bufio.Reader, longest int) (line []byte, err error) {
	for {
		piece, err := lines.ReadSlice('\n')
		if len(line)+len(piece) > longest {
			return nil, records.LimitError("a line", int64(longest))
		}
		line = append(line, piece...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// readPage reads one study, or the studies of one page of a search.
func readPage(data []byte, name string) ([]record, error) {
	body, err := decode(data)
	if err != nil {
		line := 1 + bytes.Count(data[:errorOffset(data, err)], []byte("\n"))
		return nil, fmt.Errorf("%s:%d: %w", name, line, err)
	}
	page, ok := body["studies"].([]any)
	if !ok {
		return []record{{body, name}}, nil
	}
	studies := make([]record, 0, len(page))
	for i, item := range page {
		from := fmt.Sprintf("%s: study %d", name, i+1)
		study, ok := item.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("%s: not a JSON object", from)
		}
		studies = append(studies, record{study, from})
	}
	return studies, nil
}

// errTrailing is the error for text after the JSON value.
var errTrailing = errors.New("more than one JSON value")

// decode reads exactly one JSON object and keeps the text of its numbers.
func decode(data []byte) (map[string]any, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var body map[string]any
	if err := decoder.Decode(&body); err != nil {
		return nil, fmt.Errorf("not a JSON object: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errTrailing
	}
	if body == nil {
		return nil, errors.New("not a JSON object: null")
	}
	return body, nil
}

// errorOffset returns the offset of an error of decode: the position of the syntax error, the end of truncated JSON, or else 0.
func errorOffset(data []byte, err error) int {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return int(min(syntax.Offset, int64(len(data))))
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, errTrailing) {
		return len(bytes.TrimSpace(data))
	}
	return 0
}
