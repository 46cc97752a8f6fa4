package citation_test

import (
	"encoding/json"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/internal/citation"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/articles"
)

var (
	risLine  = regexp.MustCompile(`^[A-Z][A-Z0-9]  - `)
	bibField = regexp.MustCompile(`^  [a-z]+ = (\{.+\}|[a-z]{3}( # "--" # [a-z]{3})?),?$`)
	bibHead  = regexp.MustCompile(`^@(article|incollection|book|misc)\{([a-z0-9]+(?:_[a-z0-9]+)?),$`)
	empty    = regexp.MustCompile(`\(\)|\[\]|""|, ,| [,;]|\(, `)
)

// checkReferences checks the properties of the references of any article. Its errors do not show the text of the article. It returns the
// key.
func checkReferences(t *testing.T, a entity.Article) string {
	t.Helper()
	ris, bib := strings.Split(citation.RIS(a), "\n"), strings.Split(citation.BibTeX(a), "\n")
	for i, l := range ris {
		expect.That(t, risLine.MatchString(l) && (len(l) != 6 || i+1 >= len(ris)) && isCleanLine(l[min(6, len(l)):]),
			"%q: line %d of RIS is broken", a.PMID, i+1)
	}
	expect.That(t, strings.HasPrefix(ris[0], "TY  - ") && ris[len(ris)-1] == "ER  - ", "%q: RIS does not go from TY to ER", a.PMID)
	head := bibHead.FindStringSubmatch(bib[0])
	expect.Must(t, head != nil && bib[len(bib)-1] == "}", "%q: BibTeX has no frame", a.PMID)
	for i, l := range bib[1 : len(bib)-1] {
		expect.That(t, bibField.MatchString(l) && strings.HasSuffix(l, ",") == (i < len(bib)-3) && isCleanLine(strings.TrimSpace(l)) &&
			balanced(l),
			"%q: line %d of BibTeX is broken", a.PMID, i+2)
	}
	for style, text := range textReferences(a) {
		expect.That(t, isCleanLine(text), "%q: %s is not one line of single spaces", a.PMID, style)
	}
	var item struct {
		ID     string `json:"id"`
		Type   string `json:"type"`
		Title  string `json:"title"`
		Issued *struct {
			Parts [][]int `json:"date-parts"`
		} `json:"issued"`
	}
	expect.NoError(t, json.Unmarshal([]byte(citation.CSL(a)), &item))
	expect.That(t, item.ID == head[2] && item.Type != "", "%q: CSL-JSON has another key than BibTeX, or no type", a.PMID)
	if item.Issued != nil {
		expect.That(t, len(item.Issued.Parts) == 1 || len(item.Issued.Parts) == 2, "%q: CSL-JSON has %d dates", a.PMID,
			len(item.Issued.Parts))
	}
	return head[2]
}

// textReferences returns the styles that are one line of text.
func textReferences(a entity.Article) map[string]string {
	return map[string]string{"APA": citation.APA(a), "MLA": citation.MLA(a), "Vancouver": citation.Vancouver(a), "AMA": citation.AMA(a)}
}

// isCleanLine reports whether a text is valid UTF-8 without control characters, and has single spaces only between words.
func isCleanLine(text string) bool {
	return utf8.ValidString(text) && text == strings.Join(strings.Fields(text), " ") && text == entity.Clean(text)
}

// balanced counts braces as BibTeX does.
func balanced(text string) bool {
	depth := 0
	for _, r := range text {
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth < 0 {
			return false
		}
	}
	return depth == 0
}

func TestCorpus(t *testing.T) {
	expect.Long(t)
	keys := map[string]string{} // PMID by key
	for _, p := range expect.Articles("efetch").Paths {
		text := expect.Read(t, p)
		for _, a := range articlesIn(t, p, string(text)) {
			key := checkReferences(t, a)
			if other, ok := keys[key]; ok && other != a.PMID {
				t.Errorf("%s and %s have one key", other, a.PMID)
			}
			keys[key] = a.PMID
			for style, text := range textReferences(a) {
				expect.That(t, !strings.Contains(text, "..") && !empty.MatchString(text), "%s: %s has something empty", a.PMID, style)
			}
		}
	}
	t.Logf("%d references", len(keys))
	expect.That(t, len(keys) >= 50, "only %d references", len(keys))
}

// articlesIn reads a set of articles, and sets of books under their own root elements.
func articlesIn(t *testing.T, path, text string) []entity.Article {
	t.Helper()
	if begin := strings.Index(text, "<PubmedBookArticleSet"); begin >= 0 {
		text = strings.ReplaceAll(text[begin:], "PubmedBookArticleSet", "PubmedArticleSet")
	} else if begin := strings.Index(text, "<PubmedBookArticle>"); begin >= 0 && !strings.Contains(text, "<PubmedArticleSet") {
		text = "<PubmedArticleSet>" + text[begin:] + "</PubmedArticleSet>"
	}
	var out []entity.Article
	err := entrez.ReadArticles(io.Reader(strings.NewReader(text)), func(r *entrez.Article) error {
		a, err := articles.Article(r)
		out = append(out, a)
		return err
	})
	if err != nil {
		t.Errorf("%s: %v", filepath.Base(path), err)
	}
	return out
}

func FuzzCitation(f *testing.F) {
	f.Add("1", "A {b} & \\c.", "[d]", "Doe", "Jane-K Ü", "Jr", "Group, the", "113-25; quiz 4", "e1", "12", "1998 Dec-1999 Jan", "10.1/<a>{",
		"J Moss. 2022;1(2):3-4", 2020, true, false)
	f.Add("2", "", "", "", "", "", "", "", "", "", "", "", "", 0, false, true)
	f.Fuzz(func(t *testing.T, pmid, title, vernacular, last, given, suffix, group, pages, location, volume, when, doi, notice string,
		year int, retracted, isBook bool) {
		names := []entity.Author{{LastName: last, FirstName: given, Suffix: suffix, Initials: volume}, {CollectiveName: group},
			{LastName: suffix, Initials: given}}
		day := &entity.PublicationDate{Year: year, Month: "Mar", Day: year % 32, MedlineDate: when, Season: suffix}
		a := entity.Article{PMID: pmid, Title: title, VernacularTitle: vernacular, Authors: names, AuthorsIncomplete: isBook && retracted,
			DOI: doi, Retracted: retracted, ElectronicDate: when, Keywords: []string{title, ""}, AbstractText: vernacular,
			Languages:   []string{group},
			Corrections: []entity.Correction{{Type: "RetractionIn", Source: notice}}}
		if isBook {
			a.Book = &entity.Book{Title: vernacular, Edition: volume, Editors: names, Pages: pages, Section: location, Publisher: group,
				PublicationDate: day, Volume: volume, ISBN: []string{doi}, Accession: location}
		} else {
			a.JournalInfo = &entity.JournalInfo{Title: group, Pages: pages, ELocation: location, Volume: volume, Issue: location,
				PublicationDate: day}
		}
		checkReferences(t, a)
	})
}
