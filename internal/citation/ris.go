package citation

import (
	"cmp"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// RIS returns an article in the format of Research Information Systems, from TY to ER, without a newline at the end. AN is the PMID, C2 the
// PMCID and ID the key of BibTeX.
func RIS(a entity.Article) string {
	w := newWork(a)
	var r ris
	r.add("TY", risTypes[w.kind])
	r.add("ID", w.key)
	for _, p := range w.authors {
		r.add("AU", p.inverted())
	}
	for _, p := range w.editors {
		r.add(w.risEditor(), p.inverted())
	}
	r.add("TI", w.title)
	r.add("TT", w.translated)
	r.addPlace(&w)
	r.addDate(w.date)
	r.addPages(w.pages)
	r.add("SN", w.serials...)
	r.add("DO", w.doi)
	r.add("UR", w.recordURL())
	r.add("AN", w.pmid)
	r.add("C2", w.pmcid)
	r.add("DB", "PubMed")
	r.add("LA", w.languages...)
	r.add("KW", w.keywords...)
	r.add("N1", w.remark())
	r.add("AB", w.abstract)
	return strings.Join(append(r, "ER  - "), "\n")
}

// ris has the lines of a record.
type ris []string

func (r *ris) add(tag string, values ...string) {
	for _, v := range values {
		if v != "" {
			*r = append(*r, tag+"  - "+v)
		}
	}
}

func (r *ris) addPlace(w *work) {
	series := "T3"
	if w.kind == book {
		series = "T2" // for a book, the next higher title
	}
	r.add("T2", w.container)
	if w.kind == journal {
		r.add("JO", w.container)
		r.add("JA", w.short)
	}
	r.add(series, w.series)
	r.add("VL", w.volume)
	r.add("IS", w.issue)
	r.add("ET", w.edition)
	r.add("SE", w.section)
	r.add("PB", w.publisher)
	r.add("CY", w.place)
}

func (r *ris) addDate(d date) {
	if len(d.years) > 0 {
		r.add("PY", d.span("")[:4])
	}
	r.add("DA", d.ris())
}

// addPages writes the first range only: RIS has room for one.
func (r *ris) addPages(p pages) {
	if len(p.spans) == 0 {
		r.add("SP", cmp.Or(p.number, p.text))
		return
	}
	r.add("SP", p.spans[0].from)
	r.add("EP", p.spans[0].to)
}

var risTypes = [...]string{other: "GEN", journal: "JOUR", chapter: "CHAP", book: "BOOK"}

// risEditor returns the tag of an editor. A2 of a book would be the editor of its series.
func (w *work) risEditor() string {
	if w.kind == book {
		return "ED"
	}
	return "A2"
}
