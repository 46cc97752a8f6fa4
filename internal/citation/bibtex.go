package citation

import (
	"strings"
	"time"
	"unicode"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// BibTeX returns an article as one entry, without a newline at the end. Text is escaped for LaTeX and stays UTF-8. doi and url are not
// escaped, because LaTeX packages typeset them verbatim.
func BibTeX(a entity.Article) string {
	w := newWork(a)
	b := bibtex{"@" + bibtexTypes[w.kind] + "{" + w.key}
	b.add("author", w.bibtexNames(w.authors, w.authorsCut))
	b.add("editor", w.bibtexNames(w.editors, false))
	b.add("title", keepCapitals(w.fullTitle()))
	b.add(w.bibtexContainer(), escape(w.container))
	b.add("series", escape(w.series))
	b.add("year", w.date.span("--"))
	b.addMonth(w.date)
	b.add("volume", escape(w.volume))
	b.add("number", escape(w.issue))
	b.add("edition", escape(w.edition))
	if w.kind == chapter {
		b.add("chapter", escape(strings.TrimPrefix(w.section, "Chapter ")))
	}
	b.add("pages", escape(w.pages.write(func(s span) string { return s.join("--") })))
	b.add("publisher", escape(w.publisher))
	b.add("address", escape(w.place))
	b.add(w.bibtexSerial(), escape(strings.Join(w.serials, ", ")))
	b.add("doi", verbatim(w.doi))
	b.add("url", verbatim(w.recordURL()))
	b.add("pmid", escape(w.pmid))
	b.add("pmcid", escape(w.pmcid))
	b.add("language", escape(strings.Join(w.languages, ", ")))
	b.add("keywords", escape(strings.Join(w.keywords, ", ")))
	b.add("note", escape(w.remark()))
	b.add("abstract", escape(w.abstract))
	return strings.Join(b, ",\n") + "\n}"
}

// bibtex has the first line of an entry and its fields.
type bibtex []string

func (b *bibtex) add(name, value string) {
	if value != "" {
		*b = append(*b, "  "+name+" = {"+value+"}")
	}
}

// addMonth writes months as macros of BibTeX, which styles translate and sort by.
func (b *bibtex) addMonth(d date) {
	if len(d.months) == 0 {
		b.add("month", d.season)
		return
	}
	macros := d.monthSpan(` # "--" # `, func(m time.Month) string { return strings.ToLower(m.String()[:3]) })
	*b = append(*b, "  month = "+macros)
}

// bibtexTypes are the entry types by kind of work.
var bibtexTypes = [...]string{other: "misc", journal: "article", chapter: "incollection", book: "book"}

func (w *work) bibtexContainer() string {
	if w.kind == chapter {
		return "booktitle"
	}
	return "journal"
}

func (w *work) bibtexSerial() string {
	if w.kind == journal {
		return "issn"
	}
	return "isbn"
}

func (w *work) bibtexNames(all []person, cut bool) string {
	out := convert(all, person.bibtex)
	if cut && len(out) > 0 {
		out = append(out, "others")
	}
	return strings.Join(out, " and ")
}

// bibtex returns the name as Last, Jr., First.
func (p person) bibtex() string {
	if p.group != "" {
		return "{" + escape(p.group) + "}"
	}
	return joinNonEmpty(", ", namePart(p.last), namePart(p.suffix), namePart(p.given))
}

// namePart puts a part of a name in braces if BibTeX would split it.
func namePart(text string) string {
	if strings.Contains(text, ",") || strings.Contains(" "+strings.ToLower(text)+" ", " and ") || strings.EqualFold(text, "others") {
		return "{" + escape(text) + "}"
	}
	return escape(text)
}

// keepCapitals escapes a title and puts braces around each word with capitals, because styles change the title to lower case, except its
// first letter.
func keepCapitals(title string) string {
	words := strings.Fields(title)
	for i, word := range words {
		core := strings.TrimFunc(word, unicode.IsPunct)
		proper := core
		if i == 0 && strings.HasPrefix(word, core) {
			proper = strings.TrimPrefix(core, string([]rune(core + " ")[:1]))
		}
		if !strings.ContainsFunc(proper, unicode.IsUpper) {
			words[i] = escape(word)
			continue
		}
		front, behind, _ := strings.Cut(word, core)
		words[i] = escape(front) + "{" + escape(core) + "}" + escape(behind)
	}
	return strings.Join(words, " ")
}

// escape escapes text for LaTeX. BibTeX also counts braces after a backslash, so braces become commands; <, > and
// are other characters in LaTeX's default encoding.
func escape(text string) string { return latex.Replace(text) }

var latex = strings.NewReplacer("&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`,
	"{", `\textbraceleft{}`, "}", `\textbraceright{}`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`,
	`\`, `\textbackslash{}`, "<", `\textless{}`, ">", `\textgreater{}`, "|", `\textbar{}`)

// verbatim percent-encodes the braces and backslashes, which would end a field.
func verbatim(text string) string {
	return strings.NewReplacer("{", "%7B", "}", "%7D", `\`, "%5C").Replace(text)
}
