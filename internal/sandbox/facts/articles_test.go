package facts

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

const (
	articleFactsFile   = "articles.yaml"
	articleRecordsFile = "../data/articles.jsonl"
)

func TestArticleRecordsAreFresh(t *testing.T) {
	for range 2 {
		rendered, err := Articles(readFile(t, articleFactsFile))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(rendered, readFile(t, articleRecordsFile)) {
			t.Fatalf("%s is not what %s says; run: go run ./internal/sandbox/facts/generate", articleRecordsFile, articleFactsFile)
		}
	}
}

func TestArticleMistakesAreRefusedWithTheirLine(t *testing.T) {
	const good = `journals:
- Nature | Nature | Nature | 0410462
articles:
- pmid: 7
  status: MEDLINE
  model: Print
  journal: Nature
  date: 2001 Feb 6
  pages: 1-2
  types: [D016428 Journal Article]
`
	if _, err := Articles([]byte(good)); err != nil {
		t.Fatal(err)
	}
	const book = "  book:\n    title: B\n    id: b\n    accession: NBK1\n    publisher: P\n"
	for _, tt := range []struct{ name, source, want string }{
		{"unknown key", good + "  titel: B\n", `article 7: line 11: unknown key "titel"`},
		{"no date", strings.Replace(good, "  date: 2001 Feb 6\n", "", 1), "line 4: article 7: pmid and date are needed"},
		{"bad date", strings.Replace(good, "2001 Feb", "Feb 2001", 1), "is not a date like 2020 Feb 6"},
		{"no type", strings.Replace(good, "  types: [D016428 Journal Article]\n", "", 1), "line 4: article 7: journal, status, model and types are needed"},
		{"no place", strings.Replace(good, "  pages: 1-2\n", "", 1), "line 4: article 7: pages, doi or pii are needed"},
		{"no such journal", strings.Replace(good, "journal: Nature", "journal: Science", 1), "line 4: article 7: Science is not among the journals"},
		{"a book in a journal", good + book, "line 4: article 7: a book is in no journal"},
		{"half a book", strings.Replace(good+book, "    publisher: P\n", "", 1), "line 12: a book needs a title"},
		{"bad markup", good + "  title: <i>A</b>\n", `title: line 11: "<i>A</b>" is not well-formed markup`},
		{"bad abstract", good + "  abstract: [a < b]\n", `abstract: line 11: "a < b" is not well-formed markup`},
		{"bad category", good + "  abstract: [AIMS | AIM | text]\n", `abstract: line 11: "AIM" is not one of`},
		{"bad DOI", good + "  doi: doi:10.1\n", `is not a DOI`},
		{"bad PMC id", good + "  pmc: 12\n", `line 11: "12" is not a PMC id`},
		{"bad day", good + "  online: 2001-02-31\n", `"2001-02-31" is not on the calendar`},
		{"bad subject", good + "  mesh: [Asthma]\n", `mesh: line 11: "Asthma" has no UI`},
		{"bad qualifier", good + "  mesh: [D001249 Asthma | genetics]\n", `mesh: line 11: "genetics" has no UI`},
		{"bad remark", good + "  remarks: [RetractedBy | Nature | 1]\n", `remarks: line 11: "RetractedBy" is not one of`},
		{"bad PMID of a remark", good + "  remarks: [RetractionIn | Nature | x]\n", `remarks: line 11: "x" is not a PMID`},
		{"bad reference", good + "  references: [A paper | x]\n", `references: line 11: "x" is not a PMID`},
		{"bad event", good + "  history: [entrez yesterday]\n", `history: line 11: "entrez yesterday" is not an event`},
		{"no agency", good + "  grants: [R01 | HL]\n", "grants: line 11: a grant needs an agency"},
		{"twice", good + good[strings.Index(good, "- pmid"):], "line 11: article 7 stands twice"},
		{"empty", "", "the file is empty"},
		{"no articles", good[:strings.Index(good, "articles:")], "the file must have the keys"},
	} {
		if _, err := Articles([]byte(tt.source)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// TestArticleFacts: ids are well formed, each stands for one thing, and abstracts
// are short.
func TestArticleFacts(t *testing.T) {
	nct := regexp.MustCompile(`^NCT\d{8}$`)
	names, dois := map[string]string{}, map[string]uint64{}
	same := func(ui, name string) {
		if known, there := names[ui]; there && known != name && ui != "" {
			t.Errorf("%s is %s and %s", ui, known, name)
		}
		names[ui] = name
	}
	decoder := json.NewDecoder(bytes.NewReader(readFile(t, articleRecordsFile)))
	decoder.DisallowUnknownFields()
	for decoder.More() {
		var a paper
		if err := decoder.Decode(&a); err != nil {
			t.Fatal(err)
		}
		if other, taken := dois[a.DOI]; taken && a.DOI != "" {
			t.Errorf("%s belongs to %d and %d", a.DOI, a.PMID, other)
		}
		dois[a.DOI] = a.PMID
		for _, subject := range a.MeSH {
			same(subject.Descriptor.UI, subject.Descriptor.Name)
			for _, q := range subject.Qualifiers {
				same(q.UI, q.Name)
			}
		}
		for _, kind := range a.Types {
			same(kind.UI, kind.Name)
		}
		for _, bank := range a.Databanks {
			for _, id := range bank.IDs {
				if bank.Name == "ClinicalTrials.gov" && !nct.MatchString(id) {
					t.Errorf("article %d: %s", a.PMID, id)
				}
			}
		}
		words := 0
		for _, p := range a.Abstract {
			words += len(strings.Fields(p.Text))
		}
		if words > 120 {
			t.Errorf("article %d: an abstract of %d words", a.PMID, words)
		}
		for _, p := range a.Authors {
			if p.ORCID != "" && !strings.HasPrefix(p.ORCID, "0000-0000-0000-") {
				t.Errorf("article %d: the ORCID iD of somebody, %s", a.PMID, p.ORCID)
			}
		}
	}
}
