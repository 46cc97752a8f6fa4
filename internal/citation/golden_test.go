package citation_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/citation"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

var update = flag.Bool("update", false, "write the goldens anew")

// golden is a file of testdata. Its name says what is special about the record.
type golden struct{ name, file, pmid string }

const efetched = "../../../shared/corpus/pubmed/efetch/"

// invented has articles of kinds that the corpus lacks.
const invented = "testdata/invented.xml"

var goldens = []golden{
	{"journal_article", efetched + "32306807.xml", "32306807"},
	{"two_authors", efetched + "39302109.xml", "39302109"},
	{"one_author", efetched + "26415349.xml", "26415349"},
	{"over_twenty_authors", efetched + "39236155.xml", "39236155"},
	{"group_as_author", efetched + "34843274.xml", "34843274"},
	{"group_beside_authors", efetched + "38534005.xml", "38534005"},
	{"group_last", efetched + "efetch.pubmed.23121403.test_eutils_xmlfacades_pubmedarticle_23121403.0.xml", "23121403"},
	{"no_author", efetched + "38962805.xml", "38962805"},
	{"suffix", efetched + "36598232.xml", "36598232"},
	{"suffix_number", efetched + "38799617.xml", "38799617"},
	{"initials_alone", efetched + "219391.xml", "219391"},
	{"no_pages", efetched + "32934823.xml", "32934823"},
	{"article_number", efetched + "38700094.xml", "38700094"},
	{"chapter", efetched + "sample_article_20301577.xml", "20301577"},
	{"erratum", efetched + "35649368.xml", "35649368"},
	{"notice_of_an_erratum", efetched + "38833988.xml", "38833988"},
	{"season_no_doi", efetched + "biopython_pubmed1.xml", "12091962"},
	{"two_months", efetched + "32437181.xml", "32437181"},
	{"day_of_an_issue", efetched + "biopython_pubmed1.xml", "9997"},
	{"markup", efetched + "38914053.xml", "38914053"},
	{"quotation", efetched + "biopython_pubmed6.xml", "30108519"},
	{"capitals", efetched + "32294727.xml", "32294727"},
	{"names_with_accents", efetched + "23657305.xml", "23657305"},
	{"book_of_a_group", efetched + "MedlineImporterTestPubmedBook.xml", "21413195"},
	{"ahead_of_print", invented, "1"},
	{"book", invented, "2"},
	{"book_of_editors", invented, "3"},
	{"formula", invented, "4"},
	{"medline_date", invented, "5"},
	{"retracted", invented, "6"},
	{"translated", invented, "7"},
}

func TestGoldens(t *testing.T) {
	t.Parallel()
	for _, g := range goldens {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			got := references(goldenArticle(t, g))
			path := filepath.Join("testdata", g.name+".golden")
			if *update {
				expect.NoError(t, os.WriteFile(path, got, 0o644))
			}
			want, err := os.ReadFile(path)
			expect.NoError(t, err)
			expect.Equal(t, fmt.Sprintf("not as in %s; -update writes it anew", path), string(want), string(got))
		})
	}
}

// references returns an article in all styles.
func references(a entity.Article) []byte {
	var out bytes.Buffer
	for _, text := range []string{citation.APA(a), citation.MLA(a), citation.RIS(a), citation.BibTeX(a), citation.Vancouver(a),
		citation.AMA(a)} {
		fmt.Fprintln(&out, text+"\n")
	}
	_ = json.Indent(&out, []byte(citation.CSL(a)), "", "  ") // checkReferences checks that it is JSON
	out.WriteByte('\n')
	return out.Bytes()
}

// goldenArticle returns a record without its abstract, which must not be copied into a golden, and without fields that are the same in all
// records.
func goldenArticle(t *testing.T, g golden) entity.Article {
	t.Helper()
	set, err := os.ReadFile(g.file)
	if os.IsNotExist(err) && g.file != invented {
		t.Skip("no corpus of real records beside the repository: the golden is of a real article")
	}
	expect.NoError(t, err)
	all := articlesIn(t, g.file, string(set))
	i := slices.IndexFunc(all, func(a entity.Article) bool { return a.PMID == g.pmid })
	expect.Must(t, i >= 0, "%s is not in %s", g.pmid, g.file)
	a := all[i]
	a.AbstractText, a.MeshTerms, a.Keywords = "", nil, nil
	checkReferences(t, a)
	return a
}

// TestGoldensAreUsed finds goldens that no test reads.
func TestGoldensAreUsed(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/*.golden")
	expect.NoError(t, err)
	for _, p := range paths {
		name := strings.TrimSuffix(filepath.Base(p), ".golden")
		expect.That(t, slices.ContainsFunc(goldens, func(g golden) bool { return g.name == name }), "%s belongs to no article", p)
	}
}
