package jats

// Limits of what is made of an answer, for a few bytes of it can stand for many:
// cells that span others, headers that are repeated, marks of nested paragraphs.
const (
	maxCells     = 200_000
	maxGenerated = 5 << 20 // bytes of paragraphs that are marked, and of cells
	maxArticle   = 3 << 20 // bytes of all that is kept
)

// A budget is what the articles of an answer were spent so far.
type budget struct{ cells, generated, stored int }

// checkCells refuses a table of so many cells, with those of the tables before.
func (r *reader) checkCells(more int) {
	if r.budget.cells+more > maxCells {
		r.err = tooLarge("tables of more than %d cells", maxCells)
	}
}

// spendText counts text that is made of other text.
func (r *reader) countGenerated(bytes int) {
	if r.budget.generated += bytes; r.budget.generated > maxGenerated {
		r.err = tooLarge("more than %d bytes of cells and marked paragraphs", maxGenerated)
	}
}

// measure refuses an article that is too large to be kept. It is called before the
// texts are joined.
func (r *reader) checkSize() {
	a := &r.article
	const around = 200 // bytes of names and ids around the texts of each part
	r.budget.stored += around * (len(r.sections) + len(a.Tables) + len(a.Figures) + len(a.Supplements) + len(a.References))
	for _, s := range r.sections {
		r.countStored(s.Title, s.Title) // in the outline too
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

// keep counts texts that are kept, each with what memory it takes besides.
func (r *reader) countStored(texts ...string) {
	for _, text := range texts {
		r.budget.stored += len(text) + 16
	}
	if r.budget.stored > maxArticle {
		r.err = tooLarge("more than %d bytes of text", maxArticle)
	}
}
