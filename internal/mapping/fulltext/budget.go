package fulltext

import "github.com/biofact-mcp/biofact/internal/entity"

// Limits of the output for a document. A few bytes of a document can generate a large output: cells that span others, repeated headers,
// marks of nested paragraphs.
const (
	maxCells     = 200_000
	maxGenerated = 5 << 20 // bytes of marked paragraphs and of cells
	maxArticle   = 3 << 20 // bytes of the stored article
)

// checkCells sets an error if a table of so many cells, together with the previous tables, is too large.
func (r *reader) checkCells(more int) {
	if r.budget.cells+more > maxCells {
		r.err = entity.TooLarge("tables of more than %d cells", maxCells)
	}
}

func (r *reader) countGenerated(bytes int) {
	if r.budget.generated += bytes; r.budget.generated > maxGenerated {
		r.err = entity.TooLarge("more than %d bytes of cells and marked paragraphs", maxGenerated)
	}
}

// checkSize sets an error if an article is too large to be stored. It is called before the texts are joined.
func (r *reader) checkSize() {
	a := &r.article
	const around = 200 // bytes of names and ids per part
	r.budget.stored += around * (len(r.sections) + len(a.Tables) + len(a.Figures) + len(a.Supplements) + len(a.References))
	for _, s := range r.sections {
		r.countStored(s.Title, s.Title) // twice: also in the outline
		r.countStored(s.Kinds...)
		r.countStored(s.blocks...)
	}
	for i := range a.Tables {
		t := &a.Tables[i]
		r.countStored(t.Label, t.Caption, t.Image)
		r.countStored(t.Notes...)
		for _, rows := range [][][]string{t.HeaderRows, t.Rows} {
			for _, row := range rows {
				r.countStored(row...)
			}
		}
	}
	for _, f := range a.Figures {
		r.countStored(f.Label, f.Caption)
	}
	for _, s := range a.Supplements {
		r.countStored(s.Label, s.Caption, s.Href)
	}
	for i := range a.References {
		c := &a.References[i]
		r.countStored(c.Label, c.Text, c.DOI)
	}
	r.countStored(a.Title, a.ManuscriptID, a.DOI)
	if a.License != nil {
		r.countStored(a.License.URL, a.License.Statement)
	}
}

// countStored counts the bytes of stored texts, with their overhead.
func (r *reader) countStored(texts ...string) {
	for _, text := range texts {
		r.budget.stored += len(text) + 16
	}
	if r.budget.stored > maxArticle {
		r.err = entity.TooLarge("more than %d bytes of text", maxArticle)
	}
}
