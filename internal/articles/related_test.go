package articles

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

func TestSourcePMIDs(t *testing.T) {
	t.Parallel()
	list := func(kind, one string, several ...string) tools.GetArticleRelationshipsArgs {
		return tools.GetArticleRelationshipsArgs{SourcePmid: one, SourcePmids: several, RelationshipType: kind}
	}
	var many []string
	for n := range 51 {
		many = append(many, strconv.Itoa(n+1))
	}
	for name, test := range map[string]struct {
		args tools.GetArticleRelationshipsArgs
		want string // PMIDs, or the hint of an error
		code entity.Code
	}{
		"one":                 {list("pubmed_citedin", "PMID: 27718847"), "27718847", ""},
		"one in the list":     {list("pubmed_citedin", "", "27718847"), "27718847", ""},
		"one, twice":          {list("pubmed_citedin", "27718847, 27718847"), "27718847", ""},
		"beside a word":       {list("pubmed_citedin", "27718847, asthma"), "27718847", ""},
		"several":             {list("citation_formats", "", "2", "1", "2"), "2 1", ""},
		"several in one text": {list("citation_formats", "3; PMID 4"), "3 4", ""},
		"both arguments":      {list("citation_formats", "3", "4", "3", "1"), "3 4 1", ""},
		"most":                {list("citation_formats", "", many[:50]...), strings.Join(many[:50], " "), ""},
		"none":                {list("citation_formats", ""), `{"sourcePmid":"26027431"}`, entity.InvalidInput},
		"too many":            {list("citation_formats", "51", many[:50]...), "at most 50 of sourcePmids", entity.InvalidInput},
		"several, to relate": {list("pubmed_references", "", "2", "1"),
			`again, once for each value of sourcePmid: {"sourcePmid":"2","sourcePmids":null}, {"sourcePmid":"1","sourcePmids":null}.`,
			entity.InvalidInput},
		"words": {list("citation_formats", "", "KEYNOTE-024"), `searchPubMedArticles with {"queryTerm":"KEYNOTE-024"}`,
			entity.UnresolvedEntity},
	} {
		pmids, err := readSourcePMIDs(test.args, &entity.Notes{})
		got := strings.Join(pmids, " ")
		code := entity.Code("")
		if err != nil {
			e := entity.AsError(err)
			got, code = e.Hint, e.Code
		}
		expect.That(t, code == test.code && (got == test.want || err != nil && strings.Contains(got, test.want)), "%s: %s %q, want %s %q",
			name, code, got, test.code, test.want)
	}
}

// TestWalkOfCitingArticles: the pages of a long list have every article once.
func TestWalkOfCitingArticles(t *testing.T) {
	t.Parallel()
	samples := []sourcetest.Sample{{PMID: 30_000_000}}
	for n := range 260 {
		samples = append(samples, sourcetest.Sample{PMID: 40_000_000 + n, Cites: []int{30_000_000}})
	}
	p := holding(t, samples...)
	s := serveArticles(t, sourcetest.InMemory(), eutilsManners(p), nil)
	for _, kind := range []string{"pubmed_citedin", "pubmed_similar_articles"} {
		args := relationsOf(kind, "30000000")
		args.MaxRelatedResults = 4
		if kind == "pubmed_similar_articles" {
			args.SourcePmid = "40000000"
		}
		seen, want := map[string]int{}, map[string]int{"pubmed_citedin": 260, "pubmed_similar_articles": 9}[kind]
		var links, pages, total int
		for {
			answer, err := s.GetArticleRelationships(t.Context(), args)
			expect.NoError(t, err)
			sourcetest.Valid(t, "getArticleRelationships.output", answer)
			for _, r := range answer.Value.RelatedArticles {
				seen[r.PMID]++
				links++
				expect.That(t, r.Title != "", "%s has no title", r.PMID)
			}
			pages, total = pages+1, answer.Value.Pagination.TotalCount
			if args.Cursor = answer.Value.Pagination.Cursor; args.Cursor == "" || pages > 40 {
				break
			}
			args.MaxRelatedResults = 1 + 49*(pages%2) // pages may have different sizes
		}
		expect.That(t, len(seen) == total && links == total && total == want, "%s: %d articles, %d rows in %d pages, want %d", kind,
			len(seen), links, pages, want)
	}
	count := 0
	for _, request := range p.since() {
		if request.utility == "elink" {
			count++
		}
	}
	expect.Equal(t, "the links are read once for each list", 2, count)
}

func TestCursorOfAnotherArticle(t *testing.T) {
	t.Parallel()
	p := embeddedPubMed(t)
	s := serveArticles(t, sourcetest.InMemory(), eutilsManners(p), nil)
	args := relationsOf("pubmed_similar_articles", "32445440")
	args.MaxRelatedResults = 1
	first, err := s.GetArticleRelationships(t.Context(), args)
	expect.NoError(t, err)
	p.since()
	args.Cursor = first.Value.Pagination.Cursor
	for name, change := range map[string]func(*tools.GetArticleRelationshipsArgs){
		"article":  func(a *tools.GetArticleRelationshipsArgs) { a.SourcePmid = "31535829" },
		"relation": func(a *tools.GetArticleRelationshipsArgs) { a.RelationshipType = "pubmed_citedin" },
		"citation": func(a *tools.GetArticleRelationshipsArgs) { a.RelationshipType = "citation_formats" },
		"none":     func(a *tools.GetArticleRelationshipsArgs) { a.Cursor = "2" },
	} {
		call := args
		change(&call)
		_, err := s.GetArticleRelationships(t.Context(), call)
		expect.That(t, err != nil && entity.AsError(err).Code == entity.InvalidInput, "%s: %v", name, err)
	}
	p.wantAsked(t, "refused cursors")
}

// TestCitationsOfSeveral: one request, the order of the call, and one file for each style.
func TestCitationsOfSeveral(t *testing.T) {
	t.Parallel()
	samples, pmids := alike(50, "Words.")
	p := holding(t, samples...)
	s := serveArticles(t, sourcetest.InMemory(), eutilsManners(p), nil)
	slices.Reverse(pmids)
	args := relationsOf("citation_formats", "")
	args.SourcePmids, args.CitationStyles = append(pmids[:49:49], "999999"), slices.Sorted(maps.Keys(styles))
	answer, err := s.GetArticleRelationships(t.Context(), args)
	expect.NoError(t, err)
	sourcetest.Valid(t, "getArticleRelationships.output", answer)
	p.wantAsked(t, "50 articles", "efetch", "efetch") // XML and MEDLINE
	v := answer.Value
	expect.That(t, slices.Equal(v.SourcePMIDs, pmids[:49]) && slices.Equal(v.NotFoundPMIDs, []string{"999999"}), "cited %q, missing %q",
		v.SourcePMIDs, v.NotFoundPMIDs)
	expect.That(t, slices.ContainsFunc(answer.Notices, func(n string) bool { return strings.Contains(n, "999999") }), "notices %q",
		answer.Notices)
	var items []struct{ ID, PMID string }
	expect.NoError(t, json.Unmarshal([]byte(v.Citations["csl_json"]), &items))
	for name, n := range map[string]int{
		"ris": strings.Count(v.Citations["ris"]+"\n", "\nER  - \n"), "bibtex": strings.Count(v.Citations["bibtex"], "@article{"),
		"nbib": strings.Count("\n"+v.Citations["nbib"], "\nPMID- "), "csl_json": len(items),
		"vancouver": strings.Count(v.Citations["vancouver"], "\n") + 1, "ama": strings.Count(v.Citations["ama"], "\n") + 1,
		"apa_string": strings.Count(v.Citations["apa_string"], "\n") + 1, "mla_string": strings.Count(v.Citations["mla_string"], "\n") + 1,
	} {
		expect.Equal(t, name, 49, n)
	}
	for i, pmid := range pmids[:49] {
		line := strings.Split(v.Citations["vancouver"], "\n")[i]
		expect.That(t, items[i].PMID == pmid && strings.HasSuffix(line, "PMID: "+pmid+"."), "row %d is not of %s: %s, %s", i, pmid,
			items[i].PMID, line)
	}
}

// TestCitationsBeyondAnAnswer: a notice has the call for the remaining citations, and all calls together cite every article once.
func TestCitationsBeyondAnAnswer(t *testing.T) {
	t.Parallel()
	samples, pmids := alike(50, strings.Repeat("Long words. ", 400))
	s := serveArticles(t, sourcetest.InMemory(), eutilsManners(holding(t, samples...)), func(o *articlesSetup) { o.maxAnswer = 64 << 10 })
	args := relationsOf("citation_formats", "")
	args.SourcePmids, args.CitationStyles = pmids, []string{"ris", "vancouver"}
	var read []string
	for range 20 {
		answer, err := s.GetArticleRelationships(t.Context(), args)
		expect.NoError(t, err)
		expect.That(t, entity.Size(answer) <= 64<<10, "an answer of %d bytes", entity.Size(answer))
		cited := answer.Value.SourcePMIDs
		if len(cited) == 0 {
			cited = []string{answer.Value.SourcePMID}
		}
		read = append(read, cited...)
		notice := strings.Join(answer.Notices, " ")
		_, object, more := strings.Cut(notice, "call getArticleRelationships with ")
		if !more {
			break
		}
		args = tools.GetArticleRelationshipsArgs{}
		expect.NoError(t, json.NewDecoder(strings.NewReader(object)).Decode(&args))
	}
	expect.That(t, slices.Equal(read, pmids), "cited %d articles, want each of %d once", len(read), len(pmids))
}
