package articles

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"slices"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/sandbox"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

// TestArticleCorpus reads every real article with the tool, in every detail level, and validates the answers.
func TestArticleCorpus(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	real, err := sandbox.Open(t.Context(), expect.Articles("efetch").Folder(t))
	expect.NoError(t, err)
	pmids := corpusPMIDs(t)
	expect.Must(t, len(pmids) >= 50, "only %d real articles", len(pmids))
	if !expect.All() {
		pmids = pmids[:20]
	}
	p := &pubmed{next: real}
	s := serveArticles(t, sourcetest.InMemory(), eutilsManners(p), nil)
	cited, authors, sections, mesh, grants := 0, 0, 0, 0, 0
	for _, level := range detailLevels {
		if level == medlineText { // the sandbox has recorded texts of its own articles only
			continue
		}
		var read []string
		answers := 0
		for first := range slices.Chunk(pmids, ncbi.MaxArticles) {
			call := detailsOf(level, first...)
			call.IncludeGrantInfo = true
			for calls := []tools.FetchArticleDetailsArgs{call}; len(calls) > 0; {
				answer, err := s.FetchArticleDetails(t.Context(), calls[0])
				expect.NoError(t, err)
				if size := len(sourcetest.Valid(t, "fetchArticleDetails.output", answer)); size > 400_000 {
					t.Errorf("%d bytes", size)
				}
				expect.That(t, len(answer.Value.NotFoundPMIDs) == 0, "%s: not found: %q", level, answer.Value.NotFoundPMIDs)
				for _, a := range answer.Value.Articles {
					sourcetest.Valid(t, "article", a)
					if level != abstractPlus {
						continue
					}
					authors, sections, mesh, grants = authors+len(a.Authors), sections+len(a.AbstractSections), mesh+len(a.MeshTerms),
						grants+len(a.GrantList)
				}
				answers++
				read = append(read, heldBy(t, answer.Value)...)
				calls = slices.Concat(nextCalls(t, answer.Notices), calls[1:])
			}
		}
		slices.Sort(read)
		expect.That(t, slices.Equal(read, pmids), "%s: %d read, want each of %d once", level, len(read), len(pmids))
		t.Logf("%s: %d articles in %d answers", level, len(read), answers)
	}
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(styles)), func(name string) bool { return name == medlineStyle })
	for _, pmid := range pmids {
		call := relationsOf("citation_formats", pmid)
		call.CitationStyles = names
		answer, err := s.GetArticleRelationships(t.Context(), call)
		if err != nil {
			t.Errorf("%s: %v", pmid, err)
			continue
		}
		sourcetest.Valid(t, "getArticleRelationships.output", answer)
		if cited += len(answer.Value.Citations); len(answer.Value.Citations) != len(names) {
			t.Errorf("%s: citations %q, notices %q", pmid, answer.Value.Citations, answer.Notices)
		}
	}
	t.Logf("%d authors, %d abstract sections, %d MeSH rows, %d grants, %d citations, %d requests", authors, sections, mesh, grants, cited,
		len(p.since()))
}

// corpusPMIDs returns the PMIDs of the records, read independently of package entrez.
func corpusPMIDs(t testing.TB) (pmids []string) {
	t.Helper()
	for _, name := range expect.Articles("efetch").Paths {
		decoder := xml.NewDecoder(bytes.NewReader(expect.Read(t, name)))
		decoder.Strict = false
		for {
			token, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			expect.Must(t, err == nil, "%s: %v", name, err)
			start, ok := token.(xml.StartElement)
			if !ok || start.Name.Local != "MedlineCitation" && start.Name.Local != "BookDocument" {
				continue
			}
			var record struct {
				PMID string `xml:"PMID"`
			}
			expect.NoErrorf(t, decoder.DecodeElement(&record, &start), "%s", name)
			pmids = append(pmids, record.PMID)
		}
	}
	slices.Sort(pmids)
	return slices.Compact(pmids)
}

// TestAbstractLevel: the level abstract keeps the fields for judging relevance, in few bytes.
func TestAbstractLevel(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	real, err := sandbox.Open(t.Context(), expect.Articles("efetch").Folder(t))
	expect.NoError(t, err)
	s := serveArticles(t, sourcetest.InMemory(), eutilsManners(real), nil)
	var sizes []int
	for first := range slices.Chunk(corpusPMIDs(t), 20) {
		full, err := s.FetchArticleDetails(t.Context(), detailsOf(abstractPlus, first...))
		expect.NoError(t, err)
		lean, err := s.FetchArticleDetails(t.Context(), detailsOf(abstractOnly, first...))
		expect.NoError(t, err)
		expect.Must(t, len(lean.Value.Articles) >= len(full.Value.Articles), "%d articles, %d as abstract_plus", len(lean.Value.Articles),
			len(full.Value.Articles))
		for i := range full.Value.Articles {
			all, a := &full.Value.Articles[i], &lean.Value.Articles[i]
			sizes = append(sizes, entity.Size(a))
			expect.That(t, a.PMID == all.PMID && a.Title == all.Title && a.AbstractText == all.AbstractText &&
				a.Retracted == all.Retracted && a.DOI == all.DOI,
				"%s: abstract is another article than abstract_plus", all.PMID)
			expect.That(t, len(all.Authors) <= 3 && a.AuthorCount == 0 || a.AuthorCount == len(all.Authors) && len(a.Authors) == 3,
				"%s: %d authors of %d, %d in all",
				a.PMID, len(a.Authors), len(all.Authors), a.AuthorCount)
			expect.That(t, (a.JournalInfo == nil) == (all.JournalInfo == nil) && a.MeshTerms == nil && a.Chemicals == nil, "%s: %+v",
				a.PMID, a)
		}
	}
	slices.Sort(sizes)
	expect.That(t, len(sizes) >= 50 && sizes[len(sizes)/2] < 2500, "the median of %d articles is %d bytes", len(sizes), sizes[len(sizes)/2])
	t.Logf("abstract: %d articles, median %d bytes, largest %d", len(sizes), sizes[len(sizes)/2], sizes[len(sizes)-1])
}
