package ncbi

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

const (
	storedOne  = `<PubmedArticle><MedlineCitation Status="Publisher" Owner="NLM"><PMID Version="1">11</PMID><Article PubModel="Print"><Journal><JournalIssue CitedMedium="Print"><PubDate><Year>2001</Year><Month>02</Month></PubDate></JournalIssue><Title>A journal</Title></Journal><ArticleTitle>One &#x3b1; <i>in vitro</i>.</ArticleTitle></Article><MedlineJournalInfo><MedlineTA>A J</MedlineTA></MedlineJournalInfo></MedlineCitation></PubmedArticle>`
	storedBook = `<PubmedBookArticle><BookDocument><PMID Version="1">12</PMID><Book><BookTitle book="b">A book</BookTitle></Book></BookDocument></PubmedBookArticle>`
)

// TestOpenArticles: files of genes and studies in the same folder are ignored.
func TestOpenArticles(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	gene := "<Entrezgene>\n<Entrezgene_track-info><Gene-track><Gene-track_geneid>5</Gene-track_geneid></Gene-track></Entrezgene_track-info><Entrezgene_gene-source></Entrezgene_gene-source><PubMedId>11</PubMedId></Entrezgene>\n"
	put(t, filepath.Join(folder, "a.xml"), articleSetOpen+storedOne+"\n"+storedBook+"\n"+articleSetClose)
	put(t, filepath.Join(folder, "b.xml"), articleSetOpen+strings.Replace(storedOne, "One", "Two", 1)+articleSetClose)
	put(t, filepath.Join(folder, "genes.xml"), geneSetOpen+gene+geneSetClose)
	put(t, filepath.Join(folder, "other.xml"), "<eInfoResult/>")
	s, err := openPath(t.Context(), folder)
	expect.NoError(t, err)
	if _, body := utility(t, s, "efetch?db=pubmed&retmode=xml&id=12,11,10"); body != articleSetOpen+storedBook+storedOne+"\n"+
		articleSetClose {
		t.Error(body)
	}
	if doc := summariesIn(t, s, "pubmed", "11")["11"]; doc["pubdate"] != "2001 Feb" || doc["source"] != "A J" {
		t.Errorf("%v", doc)
	}
	if _, body := utility(t, s, "elink?dbfrom=pubmed&db=gene&id=11&linkname=pubmed_gene&retmode=json"); !strings.Contains(body,
		`"links":["5"]`) {
		t.Error(body)
	}
	if got := esearchIn(t, s, "pubmed", `term="in vitro"[ti] AND 2001/02[dp]`).IDs; len(got) != 1 || got[0] != "11" {
		t.Errorf("%v", got)
	}
	for _, tt := range []struct{ text, want string }{
		{storedOne[:200], "bad.xml: the last record is cut off"},
		{strings.Replace(storedOne, ">11<", "><", 1), "bad.xml: "},
		{strings.Replace(storedBook, `<PMID Version="1">12</PMID>`, "", 1), "bad.xml: a record without a PMID"},
		{strings.Replace(storedBook, "</Book>", "</Box>", 1), "bad.xml: "},
	} {
		path := filepath.Join(t.TempDir(), "bad.xml")
		put(t, path, tt.text)
		if _, err := openPath(t.Context(), path); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.want, err)
		}
	}
}
