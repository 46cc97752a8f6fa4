package articles_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/articles"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

func over(t *testing.T, n sourcetest.Network) *articles.Articles {
	t.Helper()
	return articles.New(sourcetest.All(t, n), 400_000, articles.Facts{})
}

const (
	textFront = `<article xmlns:xlink="x"><processing-meta><restricted-by>pmc</restricted-by></processing-meta><front><article-meta>` +
		`<article-id pub-id-type="pmcid">PMC7556338</article-id><article-id pub-id-type="pmid">33031652</article-id><abstract><p>Short.</p></abstract></article-meta></front>`
	openText = textFront + `<body><sec><title>Results</title><p>Long.</p></sec></body></article>`
)

// TestFullTextFailures: each reason for a missing text has its own answer.
func TestFullTextFailures(t *testing.T) {
	t.Parallel()
	const (
		xml  = "text/xml"
		head = "<pmc-articleset>"
		tail = "</pmc-articleset>"
	)
	withheld := head + strings.Replace(textFront, "<front>", "<!--does not allow downloading of the full text in XML form--><front>", 1) +
		"</article>" + tail
	for _, tt := range []struct {
		name           string
		pmc, europe    *http.Response
		want, outcomes string
	}{
		{"withheld", sourcetest.Reply(200, xml, withheld), sourcetest.Reply(404, "", ""), "abstract_only", "withheld not_found"},
		{"withheld, 404 of another type", sourcetest.Reply(200, xml, withheld), sourcetest.Reply(404, "text/html", ""), "abstract_only",
			"withheld not_found"},
		{"open, with the same note", sourcetest.Reply(200, xml, head+openText+tail), nil, "full_text", "full_text"},
		{"unknown id", sourcetest.Reply(200, xml, head+`<error id="7556338">The following PMCID is not available: 7556338</error>`+tail), nil,
			"ENTITY_NOT_FOUND", ""},
		{"service error", sourcetest.Reply(200, xml, head+"<ERROR>cannot be served</ERROR>"+tail), sourcetest.Reply(404, "", ""), "UPSTREAM_ERROR", ""},
		{"service error, and a second source", sourcetest.Reply(503, xml, ""),
			sourcetest.Reply(200, "application/xml", openText), "full_text",
			"failed full_text"},
		{"cut XML", sourcetest.Reply(200, xml, head+openText[:len(openText)/2]), sourcetest.Reply(404, "", ""), "UPSTREAM_ERROR", ""},
		{"a web page", sourcetest.Reply(200, "text/html", "<html><body>Maintenance</body></html>"), sourcetest.Reply(404, "", ""), "UPSTREAM_ERROR",
			""},
		{"another article", sourcetest.Reply(200, xml, head+strings.ReplaceAll(openText, "7556338", "1")+tail), sourcetest.Reply(404, "", ""),
			"UPSTREAM_ERROR", ""},
		{"withheld, and at Europe PMC 500", sourcetest.Reply(200, xml, withheld), sourcetest.Reply(500, "text/plain", "Something went wrong"),
			"abstract_only",
			"withheld failed"},
		{"withheld, and a 404 of a proxy", sourcetest.Reply(200, xml, withheld), sourcetest.Reply(404, "text/plain", "no route"), "abstract_only",
			"withheld failed"},
		{"withheld, and a 404 with the error of Europe PMC", sourcetest.Reply(200, xml, withheld),
			sourcetest.Reply(404, "application/xml", "<errorBean><errCode>0</errCode></errorBean>"), "abstract_only", "withheld not_found"},
		{"withheld, and at Europe PMC cut XML", sourcetest.Reply(200, xml, withheld),
			sourcetest.Reply(200, "application/xml", openText[:300]),
			"abstract_only",
			"withheld failed"},
		{"withheld, and at Europe PMC without a body", sourcetest.Reply(200, xml, withheld),
			sourcetest.Reply(200, "application/xml", textFront+"</article>"),
			"abstract_only", "withheld not_found"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := over(t, sourcetest.Network{func(req *http.Request) *http.Response {
				if strings.Contains(req.URL.Path, "/europepmc/") {
					return tt.europe
				}
				if strings.HasSuffix(req.URL.Path, "/esearch.fcgi") {
					return sourcetest.Reply(200, "application/json", `{"esearchresult":{"count":"0","idlist":[]}}`)
				}
				if req.URL.Query().Get("db") == "pubmed" {
					return sourcetest.Reply(200, xml, "<PubmedArticleSet></PubmedArticleSet>")
				}
				return tt.pmc
			}})
			answer, err := s.GetArticleFullText(t.Context(), tools.GetArticleFullTextArgs{Id: "PMC7556338", MaxBytes: 60_000})
			if err != nil {
				expect.Is(t, string(entity.AsError(err).Code), tt.want, "code of %v", err)
				return
			}
			var outcomes []string
			for _, source := range answer.Value.Tried {
				outcomes = append(outcomes, source.Outcome)
			}
			expect.Is(t, answer.Value.Availability, tt.want, "availability")
			expect.Is(t, strings.Join(outcomes, " "), tt.outcomes, "outcomes")
			notices := strings.Join(answer.Notices, " ")
			expect.Is(t, strings.Contains(notices, "does not allow"), tt.want == "abstract_only", "notices %q", notices)
			expect.Is(t, strings.Contains(notices, "could not be queried"), strings.HasSuffix(tt.outcomes, "failed"), "notices %q", notices)
		})
	}
}

// TestFullTextSelection: sections by id, kind and title, with their subsections and floats; parts; and a small limit, whose answers
// continue with cursors.
func TestFullTextSelection(t *testing.T) {
	t.Parallel()
	s := over(t, sourcetest.Network{sourcetest.Sandboxed(t)})
	read := func(args tools.GetArticleFullTextArgs) entity.ArticleFullText {
		args.Id = "PMC7383595"
		if args.MaxBytes == 0 {
			args.MaxBytes = 60_000
		}
		answer, err := s.GetArticleFullText(t.Context(), args)
		expect.NoError(t, err)
		return answer.Value
	}
	for _, tt := range []struct {
		args tools.GetArticleFullTextArgs
		want string
	}{
		{tools.GetArticleFullTextArgs{Sections: []string{"methods"}}, "s2 s2.1 s2.2 / / 0"},
		{tools.GetArticleFullTextArgs{Sections: []string{"s2.2", "DISCUSSION"}}, "s2.2 s4 / / 0"},
		{tools.GetArticleFullTextArgs{Sections: []string{"Trial design"}}, "s2.1 / / 0"},
		{tools.GetArticleFullTextArgs{Sections: []string{"results"}}, "s3 / t1 / 0"},
		{tools.GetArticleFullTextArgs{Include: []string{"tables", "references"}}, " / t1 / 2"},
		{tools.GetArticleFullTextArgs{OutlineOnly: true}, " / / 0"},
	} {
		text := read(tt.args)
		var sections, tables []string
		for _, section := range text.Sections {
			sections = append(sections, section.ID)
		}
		for _, table := range text.Tables {
			tables = append(tables, table.ID)
		}
		got := fmt.Sprintf("%s / %s / %d", strings.Join(sections, " "), strings.Join(tables, " "), len(text.References))
		expect.Is(t, strings.ReplaceAll(got, "  ", " "), strings.ReplaceAll(tt.want, "  ", " "), "%+v", tt.args)
		expect.Is(t, len(text.Outline), 8, "entries of the outline")
	}
	retracted, err := s.GetArticleFullText(t.Context(), tools.GetArticleFullTextArgs{Id: "PMC7255293", MaxBytes: 60_000})
	expect.NoError(t, err)
	expect.That(t, strings.Contains(strings.Join(retracted.Notices, " "), "was retracted"), "notices %v", retracted.Notices)
	full, calls := read(tools.GetArticleFullTextArgs{}), 0
	var joined strings.Builder
	for args := (tools.GetArticleFullTextArgs{MaxBytes: 4000}); calls == 0 || args.Cursor != ""; calls++ {
		page := read(args)
		for _, section := range page.Sections {
			joined.WriteString(section.Text)
		}
		args.Cursor = ""
		if page.Pagination != nil {
			args.Cursor = page.Pagination.Cursor
		}
		expect.That(t, (page.Omitted == nil) == (args.Cursor == ""), "omitted %v, cursor %q", page.Omitted, args.Cursor)
	}
	all := ""
	for _, section := range full.Sections {
		all += section.Text
	}
	expect.That(t, calls > 1 && joined.String() == all, "%d calls give %d bytes of %d", calls, joined.Len(), len(all))
}

// TestConvertMany: 200 mixed ids are returned in order, in few requests, also if the converter has moved or refuses.
func TestConvertMany(t *testing.T) {
	t.Parallel()
	args := tools.ConvertArticleIdsArgs{Ids: []string{
		"PMC7383595", "32678530", "https://doi.org/10.1056/NEJMoa2022926", "26027431", "10.1056/NEJMoa1504030", "10.5555/unknown", "PMC1",
		"hello9", "doi:10.1056/nejmoa2021436",
	}}
	want := "found found found not_in_pmc not_in_pmc unknown unknown malformed found"
	for i := len(args.Ids); i < 200; i++ {
		args.Ids = append(args.Ids, []string{fmt.Sprint(900_000_000 + i), fmt.Sprintf("PMC%d", 90_000_000+i),
			fmt.Sprintf("10.5555/unknown.%d", i)}[i%3])
		want += " unknown"
	}
	for name, refuses := range map[string]func(*http.Request) *http.Response{
		"answers": func(*http.Request) *http.Response { return nil },
		"moved": func(req *http.Request) *http.Response {
			if strings.Contains(req.URL.Path, "/v2/") {
				return nil
			}
			resp := sourcetest.Reply(301, "text/html", "<html>Moved</html>")
			resp.Header.Set("Location", strings.Replace(req.URL.String(), "/v1/", "/v2/", 1))
			return resp
		},
		"moved to another host": func(*http.Request) *http.Response {
			resp := sourcetest.Reply(301, "text/html", "<html>Moved</html>")
			resp.Header.Set("Location", "https://example.org/")
			return resp
		},
		"too many": func(*http.Request) *http.Response { return sourcetest.Reply(429, "text/html", "<html>Too many</html>") },
		"refuses": func(*http.Request) *http.Response {
			return sourcetest.Reply(400, "application/json", `{"status":"error","http_status":"400","errors":[]}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			converter, utilities := 0, 0
			s := over(t, sourcetest.Network{func(req *http.Request) *http.Response {
				if !strings.Contains(req.URL.Path, "/idconv/") {
					utilities++
					return nil
				}
				resp := refuses(req)
				if resp == nil || resp.StatusCode != http.StatusMovedPermanently {
					converter++
				}
				return resp
			}, sourcetest.Sandboxed(t)})
			answer, err := s.ConvertArticleIds(t.Context(), args)
			expect.NoError(t, err)
			var got []string
			for i, item := range answer.Value.Items {
				expect.Is(t, item.Input, args.Ids[i], "input %d", i)
				got = append(got, item.Status)
			}
			expect.Is(t, strings.Join(got, " "), want, "status")
			expect.That(t, converter <= 4 && utilities <= 5, "%d requests to the converter and %d to the E-utilities", converter, utilities)
			answers := name == "answers" || name == "moved"
			expect.That(t, answers == (len(answer.Notices) == 0), "notices %v", answer.Notices)
		})
	}
}

// TestConvertLists: a text with ids of several kinds is split, and words are not.
func TestConvertLists(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"PMID: 26027431 PMCID: PMC7383595":              "PMID: 26027431|PMCID: PMC7383595",
		"26027431 PMC7383595 10.1056/NEJMoa2021436":     "26027431|PMC7383595|10.1056/NEJMoa2021436",
		"doi:10.1056/NEJMoa2021436 26027431;NIHMS90001": "doi:10.1056/NEJMoa2021436|26027431|NIHMS90001",
		"NIHMS90001 26551272":                           "NIHMS90001|26551272",
		"26027431 and others":                           "26027431 and others",
		"10.5555/a,b":                                   "10.5555/a,b",
	} {
		answer, err := over(t, sourcetest.Network{sourcetest.Sandboxed(t)}).ConvertArticleIds(t.Context(),
			tools.ConvertArticleIdsArgs{Ids: []string{text}})
		expect.NoError(t, err)
		var got []string
		for _, item := range answer.Value.Items {
			got = append(got, item.Input)
		}
		expect.Is(t, strings.Join(got, "|"), want, "%s", text)
	}
}

// TestConvertManuscript: only the converter knows ids of manuscripts; if it fails, the call fails.
func TestConvertManuscript(t *testing.T) {
	t.Parallel()
	args := tools.ConvertArticleIdsArgs{Ids: []string{"nihms90001", "26551272"}}
	answer, err := over(t, sourcetest.Network{sourcetest.Sandboxed(t)}).ConvertArticleIds(t.Context(), args)
	expect.NoError(t, err)
	expect.Is(t, answer.Value.Items[0].PMCID, "PMC4689591", "PMCID")
	_, err = over(t, sourcetest.Network{func(req *http.Request) *http.Response {
		if strings.Contains(req.URL.Path, "/idconv/") {
			return sourcetest.Reply(503, "text/plain", "")
		}
		return nil
	}, sourcetest.Sandboxed(t)}).ConvertArticleIds(t.Context(), args)
	expect.Is(t, entity.AsError(err).Code, entity.UpstreamError, "code")
}

// TestFullTextTooLarge: a text beyond the limits of the reader costs one request, and the answer says so.
func TestFullTextTooLarge(t *testing.T) {
	t.Parallel()
	huge := strings.Replace(openText, "<p>Long.</p>", `<table-wrap><table><tr><td rowspan="500" colspan="999">a</td><td>b</td></tr>`+
		strings.Repeat(`<tr><td>a</td></tr>`, 499)+`</table></table-wrap>`, 1)
	requests := 0
	s := over(t, sourcetest.Network{func(req *http.Request) *http.Response {
		if req.URL.Query().Get("db") == "pubmed" {
			return sourcetest.Reply(200, "text/xml", "<PubmedArticleSet></PubmedArticleSet>")
		}
		requests++
		return sourcetest.Reply(200, "text/xml", "<pmc-articleset>"+huge+"</pmc-articleset>")
	}})
	answer, err := s.GetArticleFullText(t.Context(), tools.GetArticleFullTextArgs{Id: "PMC7556338", MaxBytes: 60_000})
	expect.NoError(t, err)
	expect.Is(t, requests, 1, "requests")
	expect.That(t, answer.Value.Tried[0].Outcome == "too_large" && strings.Contains(answer.Notices[0], "larger than this server reads") &&
		answer.Value.Sections[0].Text == "Short.", "%+v", answer)
}

// TestEmptyCells: a table may have empty cells in its head and its body, and the answer follows its schema.
func TestEmptyCells(t *testing.T) {
	t.Parallel()
	made := strings.NewReplacer("7556338", "1234567", "<p>Long.</p>", `<table-wrap><table><thead><tr><th/><th>n</th></tr></thead>`+
		`<tbody><tr><td>a</td><td/></tr><tr><td/><td> </td></tr></tbody></table></table-wrap>`).Replace(openText)
	s := over(t, sourcetest.Network{func(req *http.Request) *http.Response {
		if req.URL.Query().Get("db") == "pubmed" {
			return sourcetest.Reply(200, "text/xml", "<PubmedArticleSet></PubmedArticleSet>")
		}
		return sourcetest.Reply(200, "text/xml", "<pmc-articleset>"+made+"</pmc-articleset>")
	}})
	text := readPage(t, s, tools.GetArticleFullTextArgs{MaxBytes: 60_000})
	expect.Equal(t, "tables", []entity.TextTable{
		{ID: "t1", Section: "s1", HeaderRows: [][]string{{"", "n"}}, Rows: [][]string{{"a", ""}, {"", ""}}},
	}, text.Tables)
}
