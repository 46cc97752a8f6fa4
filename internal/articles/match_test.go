package articles

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// A citationMatcher is a pubmed whose ECitMatch gives the answers of a test.
type citationMatcher struct {
	*pubmed
	answer func(rows []string) string
}

func (m *citationMatcher) RoundTrip(req *http.Request) (*http.Response, error) {
	if !strings.HasSuffix(req.URL.Path, "ecitmatch.cgi") || m.answer == nil {
		return m.pubmed.RoundTrip(req)
	}
	query := req.URL.Query()
	if req.Body != nil {
		form, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		if query, err = url.ParseQuery(string(form)); err != nil {
			return nil, err
		}
	}
	m.mu.Lock()
	m.requests = append(m.requests, ncbiRequest{"ecitmatch.cgi", req.Method, query})
	m.mu.Unlock()
	body := m.answer(strings.Split(query.Get("bdata"), "\r"))
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/plain"}}, Request: req,
		Body: io.NopCloser(strings.NewReader(body)),
	}, nil
}

type asCited = tools.MatchCitationsCitations

func matchAll(t *testing.T, m *citationMatcher, list ...asCited) (entity.Answer[entity.CitationMatches], error) {
	t.Helper()
	return serveArticles(t, nil, eutilsManners(m), nil).MatchCitations(t.Context(), tools.MatchCitationsArgs{Citations: list})
}

// rewind is the position of an article with a wrong author.
var rewind = asCited{Journal: "Lancet", Year: "2019", Volume: "394", FirstPage: "121", Author: "Husain M"}

// summary returns an item as one line.
func summary(item *entity.CitationMatch) string {
	text := item.Status
	if item.PMID != "" {
		text += " " + item.PMID
	}
	for _, field := range item.Differs {
		text += " -" + field
	}
	for _, c := range item.Candidates {
		text += " ?" + c.PMID
	}
	if item.Retracted {
		text += " retracted"
	}
	return text
}

// TestMatchCitations: each citation matches the record that it refers to, and the answer names the fields that differ. The sandbox's
// ECitMatch uses journal, volume and page, as NCBI's does.
func TestMatchCitations(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		given    asCited
		want     string
		requests string // names of utilities
	}{
		{"the acceptance", asCited{Text: "Husain, Lancet 394:121 (2019)"}, "matched 31189511 -author", "ecitmatch.cgi efetch"},
		{"by fields", rewind, "matched 31189511 -author", "ecitmatch.cgi efetch"},
		{"year and author", asCited{Journal: "Lancet", Year: "2001", Volume: "394", FirstPage: "121", Author: "Husain M"},
			"ambiguous ?31189511", "ecitmatch.cgi efetch"},
		{"a later author", asCited{Journal: "The Lancet", Volume: "394", FirstPage: "121-130", Author: "Diaz, R."}, "matched 31189511",
			"ecitmatch.cgi efetch"},
		{"DOI", asCited{Doi: "https://doi.org/10.1016/s0140-6736(19)31149-3"}, "matched 31189511", "esearch esummary efetch"},
		{"DOI of another title", asCited{Doi: "10.1016/S0140-6736(19)31149-3",
			Title: "Combined Nivolumab and Ipilimumab or Monotherapy in Untreated Melanoma"},
			"ambiguous ?31189511 ?26027431", "esearch esummary efetch esearch efetch"},
		{"retracted", asCited{Doi: "10.1016/S0140-6736(20)31180-6"}, "matched 32450107 retracted", "esearch esummary efetch"},
		{"title", asCited{Title: "Combined nivolumab and ipilimumab or monotherapy in untreated melanoma"}, "matched 26027431",
			"esearch efetch"},
		{"title before a misspelled journal",
			asCited{Journal: "New Engl Jurnal", Volume: "373", FirstPage: "23",
				Title: "Combined Nivolumab and Ipilimumab or Monotherapy in Untreated Melanoma"},
			"matched 26027431 -journal", "ecitmatch.cgi esearch efetch"},
		{"misspelled journal", asCited{Journal: "Lancett", Volume: "394", FirstPage: "121", Author: "Gerstein"}, "matched 31189511",
			"ecitmatch.cgi esearch efetch"},
		{"wrong page", asCited{Journal: "Lancet", Volume: "394", FirstPage: "999",
			Title: "Dulaglutide and cardiovascular outcomes in type 2 diabetes (REWIND)"},
			"matched 31189511 -firstPage", "ecitmatch.cgi esearch efetch"},
		{"all but the title is wrong", asCited{Journal: "Blood", Year: "2003", Volume: "7", FirstPage: "9",
			Title: "Combined Nivolumab and Ipilimumab or Monotherapy in Untreated Melanoma"},
			"matched 26027431 -journal -year -volume -firstPage", "ecitmatch.cgi esearch efetch"},
		{"all but title and author", asCited{Journal: "Blood", Year: "2003", Volume: "7", FirstPage: "9", Author: "Larkin J",
			Title: "Combined Nivolumab and Ipilimumab or Monotherapy in Untreated Melanoma"},
			"matched 26027431 -journal -year -volume -firstPage", "ecitmatch.cgi esearch efetch"},
		{"all but the title, the author too", asCited{Journal: "Blood", Year: "2003", Volume: "7", FirstPage: "9", Author: "Moss A",
			Title: "Combined Nivolumab and Ipilimumab or Monotherapy in Untreated Melanoma"}, "ambiguous ?26027431",
			"ecitmatch.cgi esearch efetch"},
		{"a title of another place", asCited{Journal: "Lancet", Year: "2019", Volume: "394", FirstPage: "121",
			Title: "Combined Nivolumab and Ipilimumab or Monotherapy in Untreated Melanoma"},
			"ambiguous ?31189511 ?26027431", "ecitmatch.cgi efetch esearch efetch"},
		{"no such place", asCited{Journal: "Lancet", Volume: "1", FirstPage: "1"}, "not_found", "ecitmatch.cgi"},
		{"several", asCited{Journal: "N Engl J Med", Year: "2015", Volume: "373"}, "ambiguous ?26551272 ?26378978 ?26027431",
			"ecitmatch.cgi efetch"},
		{"one of several", asCited{Journal: "N Engl J Med", Year: "2015", Volume: "373", Author: "Zinman B"}, "matched 26378978",
			"ecitmatch.cgi efetch"},
		{"PMID", asCited{Text: "PMID: 31189511"}, "matched 31189511", "efetch"},
		{"PMID of another work", asCited{Text: "Larkin J, et al. Combined Nivolumab and Ipilimumab or Monotherapy in Untreated " +
			"Melanoma. PMID: 31189511"},
			"matched 26027431 -pmid", "efetch esearch efetch"},
		{"PMID of another place", asCited{Text: "Larkin J et al. N Engl J Med 2015;373:23. PMID: 31189511"}, "matched 26027431 -pmid",
			"ecitmatch.cgi efetch"},
		{"DOI with much that is otherwise",
			asCited{Doi: "10.1016/S0140-6736(19)31149-3", Text: "Moss A. A title that is invented, on nothing. Moss. 2001;1:2."},
			"matched 31189511 -journal -year -volume -firstPage -author -title", "esearch esummary ecitmatch.cgi efetch esearch"},
		{"PMID with much that is otherwise", asCited{Text: "Moss A. A title that is invented, on nothing. Moss. 2001;1:2. PMID: 31189511"},
			"matched 31189511 -journal -year -volume -firstPage -author -title", "ecitmatch.cgi efetch esearch"},
		{"volume with its issue", asCited{Journal: "Lancet", Year: "2019", Volume: "vol. 394(10193)", FirstPage: "p121"},
			"matched 31189511", "ecitmatch.cgi efetch"},
		{"one author", asCited{Text: "Larkin J. N Engl J Med. 2015;373:23-34."}, "matched 26027431", "ecitmatch.cgi efetch"},
		{"hostile", asCited{Journal: "Lancet|2019|394|121|x|c1|", Volume: "394\r\nLancet", FirstPage: "121", Author: "Gerstein\t|"},
			"ambiguous ?31189511", "ecitmatch.cgi esearch efetch"},
		{"a text alone", asCited{Text: "a work that is invented, on nothing"}, "not_found", "esearch"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := &citationMatcher{pubmed: embeddedPubMed(t)}
			answer, err := matchAll(t, m, tt.given)
			expect.NoError(t, err)
			expect.Is(t, summary(&answer.Value.Items[0]), tt.want, "item")
			expect.Is(t, strings.Join(utilities(m.since()), " "), tt.requests, "requests")
		})
	}
}

// TestCitationsWithPlaces: 50 citations with journal, volume and page cost at most 4 requests, even with duplicates.
func TestCitationsWithPlaces(t *testing.T) {
	t.Parallel()
	m := &citationMatcher{pubmed: embeddedPubMed(t), answer: func(rows []string) string {
		slices.Reverse(rows) // the order has no meaning
		keys := map[string]bool{}
		for i, row := range rows {
			key := strings.Split(row, "|")[5]
			expect.That(t, !keys[key], "the key %s comes twice", key)
			keys[key] = true
			rows[i] = row + "31189511"
		}
		return strings.Join(rows, "\n") + "\n"
	}}
	var list []asCited
	for i := range 50 {
		c := rewind
		if i%10 != 0 { // some are duplicates
			c.Author = fmt.Sprintf("Author%c A", 'a'+i%26)
		}
		list = append(list, c)
	}
	answer, err := matchAll(t, m, list...)
	expect.NoError(t, err)
	expect.Is(t, len(answer.Value.Items), 50, "items")
	for i := range answer.Value.Items {
		expect.Is(t, summary(&answer.Value.Items[i]), "matched 31189511 -author", "item %d", i)
	}
	requests := m.since()
	expect.That(t, len(requests) <= 4 && answer.Provenance.UpstreamRequests <= 4, "%d requests, %d said", len(requests),
		answer.Provenance.UpstreamRequests)
}

// TestFaultyECitMatch: citations that ECitMatch omits are searched for, and its wrong matches are rejected. A failure is an error, never
// not_found.
func TestFaultyECitMatch(t *testing.T) {
	t.Parallel()
	place, other := rewind, asCited{Journal: "N Engl J Med", Year: "2015", Volume: "373", FirstPage: "23", Author: "Larkin J"}
	place.Author = "Gerstein HC"
	rowsWith := func(results ...string) func([]string) string {
		return func(rows []string) string {
			var out strings.Builder
			for i, row := range rows {
				if i < len(results) && results[i] != "" {
					out.WriteString(row + results[i] + "\n")
				}
			}
			return out.String()
		}
	}
	both := []string{"matched 31189511", "matched 26027431"}
	for name, tt := range map[string]struct {
		answer func([]string) string
		want   []string // nil: an error
	}{
		"both":             {rowsWith("31189511", "26027431"), both},
		"mixed up":         {rowsWith("26027431", "31189511"), []string{"not_found", "not_found"}},
		"a row is missing": {rowsWith("31189511"), both},
		"all rows":         {rowsWith(), nil},
		"cut":              {func(rows []string) string { return rows[0] + "31189511\n" + rows[1][:20] }, both},
		"cut in a PMID":    {rowsWith("31189511", "260274"), []string{"matched 31189511", "not_found"}},
		"a key that repeats": {func(rows []string) string {
			return rows[0] + "31189511\n" + rows[0] + "26027431\n" + rows[1] + "26027431\n"
		}, both},
		"ambiguous": {rowsWith("AMBIGUOUS 26027431,31189511", "AMBIGUOUS (783 citations)"),
			[]string{"matched 31189511", "ambiguous"}},
		"an unknown record": {rowsWith("31189511", "999999999"), []string{"matched 31189511", "not_found"}},
		"not found":         {rowsWith("NOT_FOUND", "26027431"), []string{"not_found", "matched 26027431"}},
		"an unknown word":   {rowsWith("31189511", "BUSY"), both},
		"a page with 200": {func([]string) string {
			return "<html><head><title>Batch Citation Matcher</title></head><body>Sorry</body></html>"
		}, nil},
		"a sentence with 200": {func([]string) string { return "Error occurred: the matcher is not available" }, nil},
		"prose with 200":      {func([]string) string { return "please come back later" }, nil},
		"no answer":           {func([]string) string { return `{"error":"error forwarding request","api-key":"192.0.2.1"}` }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answer, err := matchAll(t, &citationMatcher{pubmed: embeddedPubMed(t), answer: tt.answer}, place, other)
			if tt.want == nil {
				expect.That(t, err != nil && entity.AsError(err).Code == entity.UpstreamError, "%v, %+v", err, answer.Value)
				return
			}
			expect.NoError(t, err)
			for i, want := range tt.want {
				expect.Is(t, summary(&answer.Value.Items[i]), want, "item %d", i)
			}
		})
	}
}

// TestLostRow: a citation without a row is searched for by its position only, so that a wrong author is reported.
func TestLostRow(t *testing.T) {
	t.Parallel()
	m := &citationMatcher{pubmed: embeddedPubMed(t), answer: func(rows []string) string { return rows[1] + "NOT_FOUND\n" }}
	answer, err := matchAll(t, m, rewind, asCited{Journal: "Lancet", Volume: "1", FirstPage: "1"})
	expect.NoError(t, err)
	expect.Is(t, summary(&answer.Value.Items[0])+", "+summary(&answer.Value.Items[1]), "matched 31189511 -author, not_found", "items")
}

// TestManySearches: a call sends 20 searches and names the remaining citations.
func TestManySearches(t *testing.T) {
	t.Parallel()
	m := &citationMatcher{pubmed: embeddedPubMed(t)}
	var list []asCited
	for i := range 23 {
		list = append(list, asCited{Title: fmt.Sprintf("Title that is invented number %d", 1000+i)})
	}
	list[4] = rewind
	answer, err := matchAll(t, m, list...)
	expect.NoError(t, err)
	searches := 0
	for _, name := range utilities(m.since()) {
		if name == "esearch" {
			searches++
		}
	}
	expect.Is(t, searches, 20, "searches")
	expect.Is(t, answer.Value.Items[20].Status+" "+answer.Value.Items[21].Status, "not_found not_tried", "states")
	expect.That(t, slices.ContainsFunc(answer.Notices,
		func(n string) bool { return strings.HasPrefix(n, "Not tried: citations[21], citations[22]. ") }), "%q", answer.Notices)
}

// TestCitationMistakes: a text with several citations, or without one, is an error whose hint works.
func TestCitationMistakes(t *testing.T) {
	t.Parallel()
	const larkin, gerstein = "Larkin J. N Engl J Med. 2015;373:23-34.", "Husain, Lancet 394:121 (2019)"
	both := `Call matchCitations again with {"citations":[{"text":"` + larkin + `"},{"text":"` + gerstein + `"}]}.`
	for _, tt := range []struct {
		given asCited
		hint  string
	}{
		{asCited{Text: larkin + "\n" + gerstein}, both},
		{asCited{Text: "PMID: 31189511; PMID: 26027431"},
			`Call matchCitations again with {"citations":[{"text":"PMID: 31189511"},{"text":"PMID: 26027431"}]}.`},
		{asCited{Text: larkin + "\n" + gerstein + strings.Repeat(" and more", 120)},
			"Give an object for each of them, and call matchCitations again."},
		{asCited{Journal: "Lancet"}, "Add one of these to citations[0], such as the title, and call matchCitations again."},
		{asCited{Text: "PMC7616710"}, `Call convertArticleIds with {"ids":["PMC7616710"]}.`},
	} {
		_, err := matchAll(t, &citationMatcher{pubmed: embeddedPubMed(t)}, tt.given)
		expect.Must(t, err != nil, "%+v is no mistake", tt.given)
		expect.Is(t, entity.AsError(err).Hint, tt.hint, "%+v", tt.given)
	}
}

// TestRecordsOfReferenceManagers: a citation that getArticleRelationships writes as RIS, NBIB or BibTeX is
// matched to its article without a difference.
func TestRecordsOfReferenceManagers(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	m := embeddedPubMed(t)
	s := serveArticles(t, nil, eutilsManners(m), nil)
	search := searchFor("1900:2100[dp]", 0)
	search.MaxResults = 1000
	found, err := s.SearchPubMedArticles(t.Context(), search)
	expect.NoError(t, err)
	expect.Must(t, len(found.Value.PMIDs) > 30, "%d articles", len(found.Value.PMIDs))
	for _, style := range []string{"ris", "nbib", "bibtex"} {
		for list := range slices.Chunk(found.Value.PMIDs, 50) {
			var given []asCited
			for _, pmid := range list {
				args := relationsOf(citationFormats, pmid)
				args.CitationStyles = []string{style}
				cited, err := s.GetArticleRelationships(t.Context(), args)
				expect.NoError(t, err)
				given = append(given, asCited{Text: cited.Value.Citations[style]})
			}
			answer, err := s.MatchCitations(t.Context(), tools.MatchCitationsArgs{Citations: given})
			expect.NoError(t, err)
			for i := range answer.Value.Items {
				item := answer.Value.Items[i]
				item.Retracted = false
				expect.Is(t, summary(&item), "matched "+list[i], "%s: %s", style, given[i].Text)
			}
		}
	}
}
