package ncbi

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestArticlesFollowTheDTD: the elements of the embedded XML are valid by the DTDs, including their order.
func TestArticlesFollowTheDTD(t *testing.T) {
	t.Parallel()
	all := strings.Join(pmids(ownArticles(t).list), ",")
	_, body := utility(t, embedded(t), "efetch?db=pubmed&retmode=xml&id="+all)
	followsDTD(t, "pubmed_250101.dtd", body)
}

// TestCorpusArticlesUnchanged: EFetch returns the bytes of the files, and the other utilities return their data.
func TestCorpusArticlesUnchanged(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	files := expect.Articles("efetch")
	s, err := openPath(t.Context(), files.Folder(t))
	expect.NoError(t, err)
	seen := 0
	for _, path := range files.Paths {
		text := expect.Read(t, path)
		if !bytes.Contains(text, []byte("<PubmedArticleSet>")) {
			continue
		}
		want, err := entrez.SplitArticles(bytes.NewReader(text))
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if len(want) == 0 { // NCBI's response to an unknown PMID
			continue
		}
		_, body := utility(t, s, "efetch?db=pubmed&retmode=xml&id="+strings.Join(slices.Sorted(maps.Keys(want)), ","))
		got, err := entrez.SplitArticles(strings.NewReader(body))
		expect.That(t, err == nil, "%s: %v", path, err)
		for pmid, article := range want {
			seen++
			expect.That(t, bytes.Equal(got[pmid], article), "%s: %s is not served as it is", path, pmid)
		}
	}
	expect.That(t, seen >= 50, "%d articles", seen)
	all := esearchIn(t, s, "pubmed", "term=all[filter]&retmax=10000").IDs
	_, body := utility(t, s, "efetch?db=pubmed&retmode=xml&id="+strings.Join(all, ","))
	for pmid, article := range read(t, body) {
		doc := summariesIn(t, s, "pubmed", pmid)[pmid]
		expect.That(t, (article.Journal == nil || doc["source"] == article.Journal.MedlineTA) &&
			len(doc["authors"].([]any)) >= len(article.Authors) && doc["volume"] != nil,
			"%s: %v of %+v", pmid, doc, article.Journal)
		for _, heading := range article.MeshHeadings {
			if got := esearchIn(t, s, "pubmed", `retmax=10000&term="`+heading.Descriptor.Name+`"[mh]`).IDs; !slices.Contains(got, pmid) {
				t.Errorf("%s is not among %s", pmid, heading.Descriptor.Name)
			}
		}
	}
	for term, want := range map[string]string{ // of real articles
		"NCT02149199[si]":                        "29768149",
		"ASPIRE Investigators[cn]":               "23121403",
		"2012/04/30:2012/05/31[dp] AND aloe[ti]": "",
		"Season*[ti]":                            "",
		"10.1056/NEJMoa1715274[doi]":             "29768149",
		"CACNA1C":                                "20301577",
	} {
		if files.Real {
			expect.Is(t, strings.Join(esearchIn(t, s, "pubmed", "term="+term).IDs, " "), want, "%s", term)
		}
	}
}

// TestEmbeddedMatchesCorpus: embedded and real citations of the same article agree, except in the abstract, and every person of an embedded
// citation is in the real one.
func TestEmbeddedMatchesCorpus(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	real, err := openPath(t.Context(), expect.Corpus(t, "pubmed/efetch", "it compares embedded articles with the real ones"))
	expect.NoError(t, err)
	all := strings.Join(pmids(ownArticles(t).list), ",")
	_, body := utility(t, real, "efetch?db=pubmed&retmode=xml&id="+all)
	_, mine := utility(t, embedded(t), "efetch?db=pubmed&retmode=xml&id="+all)
	ours := read(t, mine)
	compared := 0
	for pmid, theirs := range read(t, body) {
		our := ours[pmid]
		if theirs.Journal == nil {
			continue
		}
		compared++
		type citation struct {
			Title, Volume, Issue, Short string
			Date                        entrez.Date
			Names, Types, Subjects      []string
		}
		of := func(a *entrez.Article) citation {
			if n, err := strconv.Atoi(a.Journal.PubDate.Month); err == nil { // some files have numbers
				a.Journal.PubDate.Month = time.Month(n).String()[:3]
			}
			c := citation{Title: a.Title, Volume: a.Journal.Volume, Issue: a.Journal.Issue, Short: a.Journal.MedlineTA,
				Date: a.Journal.PubDate, Types: a.PublicationTypes}
			for _, p := range a.Authors {
				c.Names = append(c.Names, p.LastName+p.Initials+p.Suffix+p.CollectiveName)
			}
			for _, h := range a.MeshHeadings {
				c.Subjects = append(c.Subjects, h.Descriptor.UI)
			}
			return c
		}
		expect.Is(t, cmp.Diff(of(theirs), of(our)), "", "%s (-real +ours)", pmid)
		// The abstract is written for the sandbox and must not repeat the real one.
		for _, part := range theirs.Abstract.Texts {
			for _, sentence := range strings.SplitAfter(part.Text, ". ") {
				expect.That(t, len(sentence) <= 40 ||
					!slices.ContainsFunc(our.Abstract.Texts,
						func(a entrez.AbstractText) bool { return strings.Contains(a.Text, sentence) }),
					"%s: copied: %s", pmid, sentence)
			}
		}
	}
	expect.That(t, compared >= 60, "%d articles compared", compared)
}
