package entrez_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// xmlReaders are the readers of NCBI's XML, each with the head of a document up to a text that it reads, and the name of the element of
// that text.
var xmlReaders = map[string]struct {
	head, element string
	read          func(io.Reader) error
}{
	"genes": {"<Entrezgene-Set>" + oneGene + "<Entrezgene_prot>", "Prot-ref_name_E", func(r io.Reader) error {
		return entrez.ReadGenes(r, 1, func(*entrez.Gene) error { return nil })
	}},
	"articles": {"<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article>", "ArticleTitle", func(r io.Reader) error {
		return entrez.ReadArticles(r, func(*entrez.Article) error { return nil })
	}},
	"texts of articles": {"<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article>", "ArticleTitle",
		func(r io.Reader) error {
			_, err := entrez.SplitArticles(r)
			return err
		}},
}

// An endlessReader repeats a text without end, and counts its bytes.
type endlessReader struct {
	piece string
	rest  []byte
	given int
}

func (e *endlessReader) Read(p []byte) (int, error) {
	if len(e.rest) == 0 {
		e.rest = bytes.Repeat([]byte(e.piece), 1+4096/len(e.piece))
	}
	if e.given > 24<<20 { // a reader that skips elements has no limit of its own
		return 0, io.EOF
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	e.given += n
	return n, nil
}

// TestEndlessXML: every reader returns ErrTooLarge for an endless response.
func TestEndlessXML(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	for name, x := range xmlReaders {
		for kind, body := range map[string][2]string{
			"text":            {">", "text "},
			"text in pieces":  {">", "text<!-- -->"},
			"comment":         {"><!--", " < > "},
			"attribute":       {` a="`, "> "},
			"attributes":      {"", ` a="b"`},
			"name":            {"", "a"},
			"name of the end": {"></", "a"},
			"instruction":     {"><?a ", "< > "},
			"CDATA":           {"><![CDATA[", "]] > "},
			"directive":       {"><!DOCTYPE a [ ", "<a> </a>"},
			"entities":        {">", "&lt;"},
			"nested elements": {">", "<a>"},
		} {
			t.Run(name+", "+kind, func(t *testing.T) {
				t.Parallel()
				rest := &endlessReader{piece: body[1]}
				err := x.read(io.MultiReader(strings.NewReader(x.head+"<"+x.element+body[0]), rest))
				expect.That(t, err != nil && (kind == "nested elements" || errors.Is(err, entity.ErrTooLarge)),
					"%v, want ErrTooLarge", err)
			})
		}
	}
}

// TestManyRecords: a response with more records than a request can have is too large, and so is a record with more elements than any real
// one.
func TestManyRecords(t *testing.T) {
	t.Parallel()
	number := 0
	var many, medline strings.Builder
	for number < 1100 {
		number++
		id := strings.Repeat("1", 1+number%9) + strings.Repeat("2", number/9)
		many.WriteString(article(id, ""))
		medline.WriteString("PMID- " + id + "\n\n")
	}
	if _, err := entrez.SplitArticles(strings.NewReader(set(many.String()))); !errors.Is(err, entity.ErrTooLarge) {
		t.Error(err)
	}
	if _, err := entrez.SplitMEDLINE(medline.String()); !errors.Is(err, entity.ErrTooLarge) {
		t.Error(err)
	}
	one := set(article("1", "<Article><AuthorList>"+strings.Repeat("<Author/>", 200_001)+"</AuthorList></Article>"))
	if _, err := entrez.SplitArticles(strings.NewReader(one)); !errors.Is(err, entity.ErrTooLarge) {
		t.Error(err)
	}
}
