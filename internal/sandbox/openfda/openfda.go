// Package openfda is openFDA without a network: it evaluates the queries that Biofact writes over embedded records, and refuses others as
// openFDA does. The ids, names, dates and numbers of applications, products and trials are real; the texts of labels are our own. Reports,
// recalls and shortages are of invented drugs.
package openfda

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/reply"
	"github.com/biofact-mcp/biofact/internal/sandbox/records"
)

// Serves reports whether a path belongs to openFDA.
func Serves(path string) bool {
	return strings.HasSuffix(path, ".json") && (strings.HasPrefix(path, "/drug/") || strings.HasPrefix(path, "/other/"))
}

// OpenFDA answers as openFDA does. It is safe for concurrent use.
type OpenFDA struct{ records map[string][]record }

// A record is a record of any endpoint, with its JSON.
type record struct {
	fields map[string]any
	text   json.RawMessage
}

// endpoints maps the path of an endpoint to the day of its data. Each has a file of records.
var endpoints = map[string]string{
	"drug/label": "2026-08-11", "drug/drugsfda": "2026-08-11", "drug/ndc": "2026-08-12", "drug/event": "2026-07-30",
	"drug/enforcement": "2026-08-05", "drug/shortages": "2026-08-12", "other/substance": "2026-08-01",
}

// Read reads the records of a folder: a file for each endpoint in the folder openfda, such as label.jsonl, with a record a line.
func Read(ctx context.Context, f *records.Folder) (*OpenFDA, error) {
	o := &OpenFDA{records: map[string][]record{}}
	for _, file := range f.JSON("openfda") {
		name, _, _ := strings.Cut(path.Base(file.Name()), ".")
		for endpoint := range endpoints {
			if path.Base(endpoint) != name || !strings.HasSuffix(path.Dir(file.Name()), "openfda") {
				continue
			}
			list, err := readLines(ctx, file)
			if err := f.LeaveOut(file, err); err != nil {
				return nil, fmt.Errorf("%s: %w", file.Name(), err)
			}
			o.records[endpoint] = append(o.records[endpoint], list...)
		}
	}
	return o, nil
}

func readLines(ctx context.Context, file records.File) (list []record, err error) {
	text, err := file.Read(ctx)
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(text) {
		r := record{text: bytes.TrimSpace(line)}
		if err := json.Unmarshal(r.text, &r.fields); err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

// Count returns the number of records.
func (o *OpenFDA) Count() (n int) {
	for _, records := range o.records {
		n += len(records)
	}
	return n
}

// Answer answers a request.
func (o *OpenFDA) Answer(req *http.Request) (reply.Reply, error) {
	endpoint := strings.TrimPrefix(strings.TrimSuffix(req.URL.Path, ".json"), "/")
	updated, known := endpoints[endpoint]
	if !known {
		return failure(http.StatusNotFound, "NOT_FOUND", "API endpoint not found.", "")
	}
	q := req.URL.Query()
	for name := range q {
		if !slices.Contains([]string{"search", "count", "limit", "skip", "sort"}, name) {
			return failure(http.StatusBadRequest, "BAD_REQUEST", "Invalid parameter: "+name, "")
		}
	}
	if i := strings.IndexFunc(q.Get("search"), func(r rune) bool { return !isAccepted(r) }); i >= 0 {
		return failure(http.StatusBadRequest, "BAD_REQUEST", "Search not supported: "+q.Get("search"), "")
	}
	matches := func(*record) bool { return true }
	if q.Get("search") != "" {
		p := &parser{text: q.Get("search")}
		matches = p.expression()
		if p.failed || p.text != "" {
			return failure(http.StatusInternalServerError, "SERVER_ERROR", "Check your request and try again", "[parse_exception] "+p.text)
		}
	}
	var found []record
	for _, r := range o.records[endpoint] {
		if matches(&r) {
			found = append(found, r)
		}
	}
	switch {
	case len(found) == 0:
		return failure(http.StatusNotFound, "NOT_FOUND", "No matches found!", "")
	case q.Get("count") != "":
		return count(found, q, updated)
	}
	return page(found, q, updated)
}

func isAccepted(r rune) bool {
	return r < 128 && (r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune(` &@%/\',._:()"[]{}-+><=*`, r))
}

// page returns a page of records.
func page(found []record, q url.Values, updated string) (reply.Reply, error) {
	limit, skip := number(q, "limit", 1), number(q, "skip", 0)
	if limit < 0 || limit > 1000 || skip < 0 || skip > 25_000 {
		return failure(http.StatusBadRequest, "BAD_REQUEST", "Limit cannot exceed 1000 results, skip cannot exceed 25000.", "")
	}
	if field, direction, sorted := strings.Cut(q.Get("sort"), ":"); sorted {
		slices.SortStableFunc(found, func(a, b record) int {
			order := cmp.Compare(strings.Join(a.values(field), " "), strings.Join(b.values(field), " "))
			if direction == "desc" {
				return -order
			}
			return order
		})
	}
	total, results := len(found), []json.RawMessage{}
	for _, r := range found[min(skip, total):min(skip+limit, total)] {
		results = append(results, r.text)
	}
	return reply.JSON(map[string]any{"results": results, "meta": meta(updated,
		map[string]any{"results": map[string]int{"skip": skip, "limit": limit, "total": total}})})
}

func meta(updated string, more map[string]any) map[string]any {
	m := map[string]any{"disclaimer": "An example of the sandbox.", "license": "https://open.fda.gov/license/", "last_updated": updated}
	for key, value := range more {
		m[key] = value
	}
	return m
}

// count returns the values of a field with the number of records that have each: the most frequent first, dates in their order.
func count(found []record, q url.Values, updated string) (reply.Reply, error) {
	field := strings.TrimSuffix(q.Get("count"), ".exact")
	if keywords[field] && field != q.Get("count") {
		return failure(http.StatusNotFound, "NOT_FOUND", "Nothing to count", "")
	}
	numbers := map[string]int{}
	for _, r := range found {
		values := r.values(field)
		slices.Sort(values)
		for _, value := range slices.Compact(values) {
			if field == reactionTerm {
				value = strings.ToUpper(value)
			}
			numbers[value]++
		}
	}
	type group struct {
		Time  string `json:"time,omitempty"`
		Term  any    `json:"term,omitempty"`
		Count int    `json:"count"`
	}
	var groups []group
	for value, n := range numbers {
		groups = append(groups, group{Term: value, Count: n})
		if numeric, err := strconv.Atoi(value); err == nil && len(value) < 3 {
			groups[len(groups)-1].Term = numeric
		}
	}
	slices.SortFunc(groups, func(a, b group) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(fmt.Sprint(a.Term), fmt.Sprint(b.Term)))
	})
	if strings.HasSuffix(field, "date") {
		slices.SortFunc(groups, func(a, b group) int { return cmp.Compare(fmt.Sprint(a.Term), fmt.Sprint(b.Term)) })
		for i := range groups {
			groups[i].Time, groups[i].Term = fmt.Sprint(groups[i].Term), nil
		}
	}
	return reply.JSON(map[string]any{"meta": meta(updated, nil), "results": groups[:min(number(q, "limit", 100), len(groups))]})
}

func number(q url.Values, name string, otherwise int) int {
	if !q.Has(name) {
		return otherwise
	}
	n, err := strconv.Atoi(q.Get(name))
	if err != nil {
		return -1
	}
	return n
}

// failure returns a reply that is an error.
func failure(status int, code, message, details string) (reply.Reply, error) {
	e := map[string]string{"code": code, "message": message}
	if details != "" {
		e["details"] = details
	}
	r, err := reply.JSON(map[string]any{"error": e})
	r.Status = status
	return r, err
}
