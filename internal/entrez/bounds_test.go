package entrez_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestDepth: every reader stops at elements that are nested deeper than those of any record, long before the end of the response.
func TestDepth(t *testing.T) {
	t.Parallel()
	for name, x := range xmlReaders {
		nested := &endlessReader{piece: "<a>"}
		parent := "Entrezgene_properties" // which is read at any depth
		if name != "genes" {
			parent = x.element
		}
		err := x.read(io.MultiReader(strings.NewReader(x.head+"<"+parent+">"), nested))
		expect.That(t, err != nil && nested.given <= 16<<10, "%s: %v after %d bytes", name, err, nested.given)
	}
}

// TestManyTexts: many short texts in a set of genes exceed the limit together.
func TestManyTexts(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	names := &endlessReader{piece: "<Gene-ref_syn_E>a name that no gene has</Gene-ref_syn_E>"}
	head := "<Entrezgene-Set>" + oneGene + "<Entrezgene_gene><Gene-ref><Gene-ref_syn>"
	err := entrez.ReadGenes(io.MultiReader(strings.NewReader(head), names), 1, func(*entrez.Gene) error { return nil })
	expect.That(t, errors.Is(err, entity.ErrTooLarge), "%v after %d bytes, want ErrTooLarge", err, names.given)
}

// TestManyLargeArticles: articles that are within the limit individually exceed it together.
func TestManyLargeArticles(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	large := "<Article><AuthorList>" + strings.Repeat("<Author>"+strings.Repeat("a", 1000)+"</Author>", 7000) + "</AuthorList></Article>"
	for count, tooLarge := range map[int]bool{1: false, 4: true} {
		var articles []string
		for _, id := range strings.Split("1 2 3 4", " ")[:count] {
			articles = append(articles, article(id, large))
		}
		if _, err := entrez.SplitArticles(strings.NewReader(set(articles...))); errors.Is(err, entity.ErrTooLarge) != tooLarge ||
			!tooLarge && err != nil {
			t.Errorf("%d articles: %v", count, err)
		}
	}
}
