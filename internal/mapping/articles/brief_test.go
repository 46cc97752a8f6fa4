package articles_test

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/articles"
	"github.com/biofact-mcp/biofact/internal/mapping/mappingtest"
)

func named(names ...string) (out []entrez.SummaryAuthor) {
	for _, n := range names {
		out = append(out, entrez.SummaryAuthor{Name: n, Type: "Author"})
	}
	return out
}

func editor(name string) entrez.SummaryAuthor {
	return entrez.SummaryAuthor{Name: name, Type: "Editor"}
}

// checkBrief checks a brief against the schema of the answer that contains it.
func checkBrief(t testing.TB, b entity.ArticleBrief) []string {
	t.Helper()
	return mappingtest.Check(t, "article-search", entity.ArticleSearch{
		SearchParameters:     entity.ArticleSearchParameters{QueryTerm: "moss", MaxResults: 1, SortBy: "relevance"},
		EffectiveESearchTerm: "moss", TotalFound: 1, RetrievedPMIDCount: 1, PMIDs: []string{"1"},
		BriefSummaries: []entity.ArticleBrief{b}, ESearchURL: "https://example.com", Pagination: entity.Pagination{PageSize: 1},
	})
}

func TestArticleBrief(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		summary entrez.ArticleSummary
		want    entity.ArticleBrief
	}{
		{"all", entrez.ArticleSummary{UID: "1", Title: "On moss.", Authors: named("Doe J", "Smith A"), Source: "J Example Sci",
			PubDate: "2023 Mar 15", EPubDate: "2023 Feb 1",
			SortPubDate: "2023/03/15 00:00", FullJournalName: "Journal", DOI: "10.9999/m", PMCID: "PMC7",
			PubTypes: []string{"Journal Article", "Review"}},
			entity.ArticleBrief{PMID: "1", Title: "On moss.", Authors: "Doe J, Smith A.", Source: "J Example Sci. 2023 Mar 15",
				PubDate: "2023-03-15", EPubDate: "2023-02-01",
				DOI: "10.9999/m", PMCID: "PMC7", PublicationTypes: []string{"Journal Article", "Review"}}},
		{"one author", entrez.ArticleSummary{UID: "1", Authors: named("Doe J")}, entity.ArticleBrief{PMID: "1", Authors: "Doe J."}},
		{"three authors", entrez.ArticleSummary{UID: "1", Authors: named("A", "B", "C")},
			entity.ArticleBrief{PMID: "1", Authors: "A, B, C."}},
		{"four authors", entrez.ArticleSummary{UID: "1", Authors: named("A", "B", "C", "D")},
			entity.ArticleBrief{PMID: "1", Authors: "A, B, C, et al."}},
		{"a group that ends in a full stop", entrez.ArticleSummary{UID: "1", Authors: named("Moss Inc.")},
			entity.ArticleBrief{PMID: "1", Authors: "Moss Inc."}},
		{"chapter", entrez.ArticleSummary{UID: "1", Title: "Walls", BookTitle: "Guide to Moss", PubDate: "1993",
			Authors: append(named("Doe J"), editor("Poe A"))},
			entity.ArticleBrief{PMID: "1", Title: "Walls", Source: "Guide to Moss. 1993", Authors: "Doe J.", PubDate: "1993"}},
		{"book of editors", entrez.ArticleSummary{UID: "1", BookTitle: "Guide to Moss", PubDate: "1993",
			Authors: []entrez.SummaryAuthor{editor("Poe A"), editor("Roe B")}},
			entity.ArticleBrief{PMID: "1", Title: "Guide to Moss", Authors: "Poe A, Roe B.", PubDate: "1993"}},
		{"no abbreviation, no date", entrez.ArticleSummary{UID: "1", FullJournalName: "Journal of moss"},
			entity.ArticleBrief{PMID: "1", Source: "Journal of moss"}},
		{"a journal that ends in a full stop", entrez.ArticleSummary{UID: "1", Source: "J. Moss.", PubDate: "2020"},
			entity.ArticleBrief{PMID: "1", Source: "J. Moss. 2020", PubDate: "2020"}},
		{"the PMID alone", entrez.ArticleSummary{UID: "1"}, entity.ArticleBrief{PMID: "1"}},
	} {
		got := articles.ArticleBrief(&tt.summary)
		expect.Equal(t, tt.name, tt.want, got)
		for _, p := range checkBrief(t, got) {
			t.Errorf("%s: %s", tt.name, p)
		}
	}
}

func TestArticleBriefDates(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ written, sort, want string }{
		{"2025 Nov 27", "2025/11/27 00:00", "2025-11-27"},
		{"2025 Nov 7", "", "2025-11-07"},
		{"2025 Nov", "2025/11/01 00:00", "2025-11"},
		{"2025", "2025/01/01 00:00", "2025"},
		{"2025 Nov-Dec", "2025/11/01 00:00", "2025-11"},
		{"2025 Jan/Feb", "", "2025-01"},
		{"2025 Spring", "2025/03/01 00:00", "2025"},
		{"2025 Jan 1-15", "", "2025-01-01"},
		{"2025 Jan 28-Feb 3", "", "2025-01-28"},
		{"1998 Dec-1999 Jan", "", "1998-12"},
		{"1998 Dec 25-1999 Jan 3", "", "1998-12-25"},
		{"1998-1999", "", "1998"},
		{"2001-02", "", "2001"},
		{"2025 Sept 3", "", "2025-09-03"},
		{"2025 november 3", "", "2025-11-03"},
		{"2025 Feb 31", "", "2025-02"},
		{"2024 Feb 29", "", "2024-02-29"},
		{"2025 Nov 2026", "", "2025-11"},
		{"2025 Nov 127", "", "2025-11"},
		{"2025 2nd Quarter", "", "2025"},
		{"Summer 2020", "", "2020"},
		{" 2025  Nov \t27 ", "", "2025-11-27"},
		{"", "2025/11/27 00:00", "2025-11-27"},
		{"", "2025/11/01 00:00", "2025-11"}, // PubMed may have filled in the day
		{"", "2025/01/01 00:00", "2025"},
		{"", "2025/01/15 00:00", "2025-01-15"},
		{"in press", "2025/11/27", "2025-11-27"},
		{"", "1/01/01 00:00", ""},
		{"", "0001/01/01 00:00", ""},
		{"", "2025/13/40 00:00", "2025"},
		{"0", "soon", ""},
		{"", "", ""},
	} {
		b := articles.ArticleBrief(&entrez.ArticleSummary{UID: "1", PubDate: tt.written, SortPubDate: tt.sort, EPubDate: tt.written})
		epub := tt.want
		if tt.sort != "" && !strings.ContainsAny(tt.written, "12") {
			epub = "" // an unknown date is empty
		}
		expect.That(t, b.PubDate == tt.want && b.EPubDate == epub,
			"%q, %q: %q and %q, want %q and %q", tt.written, tt.sort, b.PubDate, b.EPubDate, tt.want, epub)
	}
}

func TestArticleBriefNastyText(t *testing.T) {
	t.Parallel()
	for _, nasty := range []string{"\u0000a\u202e\u0007", "\u0000\u202e \u0007", "\u202a\u2066\u009f b", " ", "0", "a\xff\u0000\xfe"} {
		var s entrez.ArticleSummary
		if n := mappingtest.Fill(reflect.ValueOf(&s).Elem(), nasty); n < 15 {
			t.Fatalf("only %d texts filled", n)
		}
		s.UID = "91"
		for _, p := range checkBrief(t, articles.ArticleBrief(&s)) {
			t.Errorf("%q: %s", nasty, p)
		}
	}
}

func TestArticleBriefCorpus(t *testing.T) {
	t.Parallel()
	path := expect.Corpus(t, "pubmed/samples/esummary.pubmed.json", "the sandbox writes summaries itself, and embeds none")
	docs, _, err := entrez.ReadSummaries(expect.Read(t, path))
	expect.Must(t, err == nil && len(docs) == 2, "%d documents: %v", len(docs), err)
	for id, want := range map[string][3]string{
		"5683731":  {"Paraplegia. 1968 Aug", "1968-08", ""},
		"22144687": {"Nucleic Acids Res. 2012 Jan", "2012-01", "2011-12-05"},
	} {
		s, err := entrez.ReadArticleSummary(docs[id])
		expect.NoError(t, err)
		b := articles.ArticleBrief(s)
		if got := [3]string{b.Source, b.PubDate, b.EPubDate}; got != want || b.PMID != id || b.DOI == "" ||
			!strings.HasSuffix(b.Authors, ".") {
			t.Errorf("%s: %q", id, got)
		}
		for _, p := range checkBrief(t, b) {
			t.Errorf("%s: %s", id, p)
		}
	}
}

var isoDay = regexp.MustCompile(`^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$`)

func FuzzArticleBrief(f *testing.F) {
	f.Add([]byte(`{"uid":"1","pubdate":"2025 Feb 31","epubdate":"1998 Dec-1999 Jan","sortpubdate":"2025/13/40","title":"a <i>b","authors":[{"name":"Doe J"},{"name":"E","authtype":"Editor"}]}`))
	f.Add([]byte(`{"uid":"1","booktitle":"b.","source":".","pubdate":"x","articleids":[{"idtype":"pmc","value":"PMC1"},{"idtype":"doi","value":"\u0007"}],"pubtype":["\u202e"]}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		s, err := entrez.ReadArticleSummary(json.RawMessage(doc))
		if err != nil {
			return
		}
		b := articles.ArticleBrief(s)
		for _, p := range checkBrief(t, b) {
			t.Error(p)
		}
		for _, d := range []string{b.PubDate, b.EPubDate} {
			if d == "" {
				continue
			}
			_, err := time.Parse("2006-01-02"[:min(len(d), 10)], d)
			expect.That(t, isoDay.MatchString(d) && err == nil, "the date %q: %v", d, err)
		}
	})
}
