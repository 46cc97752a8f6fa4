package entrez_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestCitationData: for any text in a field, a row has six fields and a request has as many rows as citations.
func TestCitationData(t *testing.T) {
	t.Parallel()
	hostile := entrez.CitationQuery{Journal: "Lancet|2019|394|121||c9|\rNature", Year: "20\t19", Volume: "3\n94", Page: "1\u20282\v1",
		Author: "Husain\x00 M|"}
	data := entrez.CitationData([]string{"c1", "c2"}, []entrez.CitationQuery{hostile, {Journal: strings.Repeat("ä", 5000)}})
	rows := strings.Split(data, "\r")
	expect.Must(t, len(rows) == 2, "%d rows: %q", len(rows), data)
	expect.Is(t, rows[0], "Lancet 2019 394 121 c9 Nature|20 19|3 94|1 2 1|Husain M|c1|", "row")
	for _, row := range rows {
		expect.That(t, strings.Count(row, "|") == 6 && !strings.ContainsAny(row, "\t\n\r\x00") && len(row) < 500, "%q", row)
	}
}

func FuzzCitationQuery(f *testing.F) {
	f.Add("a|b", "\r\n", "\u2028", "\x85")
	f.Fuzz(func(t *testing.T, journal, year, page, author string) {
		row := entrez.CitationQuery{Journal: journal, Year: year, Page: page, Author: author}.String()
		expect.That(t, strings.Count(row, "|") == 5 && !strings.ContainsAny(row, "\r\n\t"), "%q", row)
	})
}

func TestReadCitations(t *testing.T) {
	t.Parallel()
	keys := []string{"c1", "c2", "c3"}
	match := func(pmids ...string) entrez.CitationMatch { return entrez.CitationMatch{PMIDs: pmids} }
	for name, tt := range map[string]struct {
		body string
		want map[string]entrez.CitationMatch
	}{
		"found": {"lancet|2019|394|121|husain m|c1|31189511\n", map[string]entrez.CitationMatch{"c1": match("31189511")}},
		"any ends of rows": {"a|||||c1|1 \r\n\r\nb|||||c2|2\rc|||||c3|3",
			map[string]entrez.CitationMatch{"c1": match("1"), "c2": match("2"), "c3": match("3")}},
		"in other order": {"b|||||c2|2\na|||||c1|1\n", map[string]entrez.CitationMatch{"c1": match("1"), "c2": match("2")}},
		"not found": {"a|||||c1|NOT_FOUND\nb|||||c2|NOT_FOUND;INVALID_JOURNAL\n",
			map[string]entrez.CitationMatch{"c1": {}, "c2": {InvalidJournal: true}}},
		"ambiguous": {"a|||||c1|AMBIGUOUS 1,2,2, 3\nb|||||c2|AMBIGUOUS (783 citations)\nc|||||c3|AMBIGUOUS",
			map[string]entrez.CitationMatch{
				"c1": match("1", "2", "3"), "c2": {Many: true},
			}},
		"a row is missing":     {"a|||||c1|1\n", map[string]entrez.CitationMatch{"c1": match("1")}},
		"a key comes twice":    {"a|||||c1|1\nb|||||c2|2\na|||||c1|9\n", map[string]entrez.CitationMatch{"c2": match("2")}},
		"an unknown key":       {"a|||||c7|1\n", map[string]entrez.CitationMatch{}},
		"cut in a row":         {"a|||||c1|1\nb|||||c", map[string]entrez.CitationMatch{"c1": match("1")}},
		"cut before an answer": {"a|||||c1|1\nb|||||c2|", map[string]entrez.CitationMatch{"c1": match("1")}},
		"pipes in an echo":     {"a|b|||||||c1|1\n", map[string]entrez.CitationMatch{"c1": match("1")}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := entrez.ReadCitations([]byte(tt.body), keys)
			expect.NoError(t, err)
			expect.Equal(t, "", tt.want, got)
		})
	}
	for _, body := range []string{"", "\n", "something else"} {
		_, err := entrez.ReadCitations([]byte(body), keys)
		expect.That(t, err != nil, "%q is an answer", body)
	}
}

// TestCheckOfCitations: ECitMatch returns text for any retmode, and fails as the other utilities do.
func TestCheckOfCitations(t *testing.T) {
	t.Parallel()
	for body, good := range map[string]bool{
		"lancet|2019|394|121|husain m|c1|31189511\n": true,
		"": false,
		"<html><head><title>Batch Citation Matcher</title></head><body></body></html>": false,
		"<!DOCTYPE html><html>": false,
		`{"error":"API rate limit exceeded","api-key":"192.0.2.1","count":"4","limit":"3"}`: false,
		"Error occurred: cannot reach the matcher":                                          false,
	} {
		address, err := url.Parse("https://eutils.test/ecitmatch.cgi?db=pubmed&retmode=xml&bdata=a%7C")
		expect.NoError(t, err)
		err = entrez.Check(&http.Response{StatusCode: http.StatusOK, Request: &http.Request{URL: address}}, []byte(body))
		expect.That(t, (err == nil) == good, "%q: %v", body, err)
	}
}
