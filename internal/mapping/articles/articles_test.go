package articles_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/articles"
	"github.com/biofact-mcp/biofact/internal/mapping/mappingtest"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

func mapArticles(set []byte) (all []entity.Article, err error) {
	err = entrez.ReadArticles(bytes.NewReader(set), func(r *entrez.Article) error {
		a, err := articles.Article(r)
		all = append(all, a)
		return err
	})
	return all, err
}

func articleFixtures(t testing.TB) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.xml")
	expect.Must(t, err == nil && len(paths) != 0, "no fixtures: %v", err)
	sets := map[string][]byte{}
	for _, p := range paths {
		text, err := os.ReadFile(p)
		expect.NoError(t, err)
		sets[strings.TrimSuffix(p, ".xml")] = text
	}
	return sets
}

func TestArticleGoldens(t *testing.T) {
	t.Parallel()
	for path, set := range articleFixtures(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			articles, err := mapArticles(set)
			expect.NoError(t, err)
			mappingtest.Golden(t, path+".golden.json", articles)
			for i := range articles {
				for _, p := range articleProblems(t, &articles[i]) {
					t.Errorf("%s: %s", articles[i].PMID, p)
				}
			}
		})
	}
}

// articleProblems lists the values that break the schema, are empty or were not cleaned. It names fields, never their values.
func articleProblems(t testing.TB, a *entity.Article) []string {
	t.Helper()
	return mappingtest.Check(t, "article", a)
}

func TestArticleIncomplete(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"", " ", "\u0000\u202e", "12a", "1\n2", "PMID 1"} {
		a, err := articles.Article(&entrez.Article{PMID: id, Title: "t"})
		expect.That(t, errors.Is(err, text.ErrIncomplete) && reflect.ValueOf(a).IsZero(), "%q: %+v, %v", id, a, err)
	}
}

// TestNotices: a retraction that was republished counts, the notice itself does not; a preprint names what it became.
func TestNotices(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind, link string
		retracted  bool
		published  string
	}{
		{"Journal Article", "RetractionIn", true, ""},
		{"Journal Article", "RetractedandRepublishedIn", true, ""},
		{"Retraction Notice", "RetractionOf", false, ""},
		{"Retracted Publication", "", true, ""},
		{"Preprint", "UpdateIn", false, "7"},
		{"Journal Article", "UpdateIn", false, ""},
	} {
		a, err := articles.Article(&entrez.Article{PMID: "1", PublicationTypes: []string{tt.kind},
			Corrections: []entrez.Correction{{RefType: tt.link, PMID: "7"}}})
		expect.NoError(t, err)
		expect.That(t, a.Retracted == tt.retracted && a.Published() == tt.published, "%+v: %v %q", tt, a.Retracted, a.Published())
	}
}

// TestORCID: an ORCID iD has one form, with an address before it or without.
func TestORCID(t *testing.T) {
	t.Parallel()
	for _, given := range []string{"0000-0002-1825-0097", "0000000218250097", "https://orcid.org/0000-0002-1825-0097",
		"http://www.orcid.org/0000-0002-1825-0097/", "orcid.org/0000-0002-1825-0097", "www.orcid.org/0000000218250097"} {
		a, err := articles.Article(&entrez.Article{PMID: "1", Authors: []entrez.Author{{LastName: "Doe",
			Identifiers: []entrez.Identifier{{Source: "ORCID", Value: given}}}}})
		expect.NoError(t, err)
		expect.Is(t, a.Authors[0].ORCID, "0000-0002-1825-0097", "%s", given)
	}
}

// TestArticleNastyText fills every text of a record with characters that must be removed.
func TestArticleNastyText(t *testing.T) {
	t.Parallel()
	for _, nasty := range []string{"\u0000a\u202e\u0007", "\u0000\u202e \u0007", "\u202a\u2066\u009f b", " ", "0", "a\xff\u0000\xfe"} {
		var r entrez.Article
		if n := mappingtest.Fill(reflect.ValueOf(&r).Elem(), nasty); n < 80 {
			t.Fatalf("only %d texts filled", n)
		}
		r.PMID = "\u202e9\u00001 "
		r.Authors[0].Identifiers[0].Source = "ORCID"
		a, err := articles.Article(&r)
		expect.Must(t, err == nil && a.PMID == "91", "%q: %q, %v", nasty, a.PMID, err)
		for _, p := range articleProblems(t, &a) {
			t.Errorf("%q: %s", nasty, p)
		}
	}
}

func FuzzArticles(f *testing.F) {
	for _, set := range articleFixtures(f) {
		f.Add(set)
	}
	f.Fuzz(func(t *testing.T, set []byte) {
		var read, incomplete int
		err := entrez.ReadArticles(bytes.NewReader(set), func(r *entrez.Article) error {
			read++
			a, err := articles.Article(r)
			if errors.Is(err, text.ErrIncomplete) {
				incomplete++
				return nil
			}
			if err != nil {
				return fmt.Errorf("mapping: %w", err)
			}
			for _, p := range articleProblems(t, &a) {
				t.Error(p)
			}
			return nil
		})
		parts, splitErr := entrez.SplitArticles(bytes.NewReader(set))
		expect.That(t, err != nil || incomplete != 0 || splitErr == nil && len(parts) <= read,
			"%d articles read, %d split: %v", read, len(parts), splitErr)
		expect.That(t, err == nil || splitErr != nil, "split what cannot be read: %v", err)
	})
}
