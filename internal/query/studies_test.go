package query

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// few returns the handful of studies that the tables speak of.
func few(t testing.TB) *Studies {
	t.Helper()
	file, err := os.Open("testdata/studies.jsonl")
	expect.NoError(t, err)
	defer file.Close()
	studies, err := readStudies(file)
	expect.NoError(t, err)
	return studies
}

// realRecords returns real studies, or the embedded ones.
func realRecords(t testing.TB) *Studies {
	t.Helper()
	var text []byte
	for _, path := range expect.Trials("studies").Paths {
		text = append(text, expect.Read(t, path)...)
	}
	studies, err := readStudies(bytes.NewReader(text))
	expect.NoError(t, err)
	return studies
}

func readStudies(r io.Reader) (*Studies, error) {
	var records []map[string]any
	decoder := json.NewDecoder(bufio.NewReader(r))
	decoder.UseNumber()
	for {
		var record map[string]any
		if err := decoder.Decode(&record); errors.Is(err, io.EOF) {
			return NewStudies(records), nil
		} else if err != nil {
			return nil, err
		}
		records = append(records, record)
	}
}

// rawQuery writes a query string of names and values.
func rawQuery(pairs ...string) string {
	values := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		values.Set(pairs[i], pairs[i+1])
	}
	return values.Encode()
}

// search returns the page that a request of names and values asks for.
func search(t testing.TB, studies *Studies, pairs ...string) *Page {
	t.Helper()
	s, err := ReadSearch(rawQuery(pairs...))
	expect.Must(t, err == nil, "%v: %v", pairs, err)
	page, err := studies.Search(t.Context(), s)
	expect.Must(t, err == nil, "%v: %v", pairs, err)
	return page
}

// decoded returns a study of a page.
func decoded(study json.RawMessage) (body map[string]any) {
	d := json.NewDecoder(bytes.NewReader(study))
	d.UseNumber()
	if err := d.Decode(&body); err != nil {
		panic(err)
	}
	return body
}

// ids returns the ids of the studies.
func ids(studies []json.RawMessage) []string {
	out := make([]string, 0, len(studies))
	for _, study := range studies {
		out = append(out, First(decoded(study), "NCTId"))
	}
	return out
}

// short leaves out what all ids of testdata have in common.
func short(studies []json.RawMessage) string {
	return strings.ReplaceAll(strings.Join(ids(studies), " "), "NCT9000000", "")
}
