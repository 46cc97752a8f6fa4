package jats

// Limits of what is made of an answer, for a few bytes of it can stand for many:
// cells that span others, headers that are repeated, marks of nested paragraphs.
const (
	maxCells   = 200_000
	maxMade    = 5 << 20 // bytes of paragraphs that are marked, and of cells
	maxArticle = 3 << 20 // bytes of all that is kept
)

// A budget is what the articles of an answer were spent so far.
type budget struct{ cells, made, kept int }

// checkCells refuses a table of so many cells, with those of the tables before.
func (r *reader) checkCells(more int) {
	if r.spent.cells+more > maxCells {
		r.err = tooLarge("tables of more than %d cells", maxCells)
	}
}

// spendText counts text that is made of other text.
func (r *reader) spendText(bytes int) {
	if r.spent.made += bytes; r.spent.made > maxMade {
		r.err = tooLarge("more than %d bytes of cells and marked paragraphs", maxMade)
	}
}

// measure refuses an article that is too large to be kept. It is called before the
// texts are joined.
func (r *reader) measure() {
	a := &r.article
	const around = 200 // bytes of names and ids around the texts of each part
	r.spent.kept += around * (len(r.sections) + len(a.Tables) + len(a.Figures) + len(a.Supplements) + len(a.References))
	for _, s := range r.sections {
		r.keep(s.Title, s.Title) // in the outline too
		r.keep(s.Kinds...)
		r.keep(s.blocks...)
	}
	for i := range a.Tables {
		t := &a.Tables[i]
		r.keep(t.Label, t.Caption, t.Image)
		r.keep(t.Notes...)
		for _, rows := range [][][]string{t.HeaderRows, t.Rows} {
			for _, row := range rows {
				r.keep(row...)
			}
		}
	}
	for _, f := range a.Figures {
		r.keep(f.Label, f.Caption)
	}
	for _, s := range a.Supplements {
		r.keep(s.Label, s.Caption, s.Href)
	}
	for i := range a.References {
		c := &a.References[i]
		r.keep(c.Label, c.Text, c.DOI)
	}
	r.keep(a.Title, a.ManuscriptID, a.DOI)
	if a.License != nil {
		r.keep(a.License.URL, a.License.Statement)
	}
}

// keep counts texts that are kept, each with what memory it takes besides.
func (r *reader) keep(texts ...string) {
	for _, text := range texts {
		r.spent.kept += len(text) + 16
	}
	if r.spent.kept > maxArticle {
		r.err = tooLarge("more than %d bytes of text", maxArticle)
	}
}
