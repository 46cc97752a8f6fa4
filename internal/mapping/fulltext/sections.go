package fulltext

import (
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// sectionNames are the elements that are sections if their parent is the body, the back matter or a section.
var sectionNames = []string{"sec", "boxed-text", "ack", "app", "glossary", "notes", "bio", "fn-group"}

// parts reads the body, the back matter or a section as sections of a level. Content outside of its sections is added to the current
// section or, after a section, to one without a title.
func (r *reader) parts(n *node, level int) {
	own := level == 2 && n.name != "back" // whether the current section gets the content
	for _, k := range n.kids {
		switch {
		case blank(k), is(k, "title", "label", "sec-meta"):
		case is(k, "app-group"):
			r.parts(k, level)
			own = false
		case is(k, "ref-list"): // references are read first
			r.referenceNotes(k)
		case is(k, sectionNames...):
			r.section(k, level)
			own = false
		case n.name == "floats-group" && is(k, floatNames...):
			r.unplaced(k)
		default:
			if !own && !is(k, floatNames...) {
				r.open(level, "", nil)
				own = true
			}
			r.add(k)
		}
	}
	r.flush()
}

// section reads a section of level 1 or 2.
func (r *reader) section(n *node, level int) {
	title := r.heading(n)
	r.open(level, title, kindsOf(n, title))
	switch {
	case n.name == "boxed-text" || n.name == "fn-group":
		for _, k := range n.kids {
			if k.name == "caption" {
				r.addExcept(k, "title")
			} else if !is(k, "title", "label") {
				r.add(k)
			}
		}
		r.flush()
	case level == 1:
		r.parts(n, 2)
	default:
		r.addExcept(n, "title", "label", "sec-meta")
		r.flush()
	}
}

// open begins a section. Following content is added to it.
func (r *reader) open(level int, title string, kinds []string) {
	r.flush()
	if parent := r.last(); level == 1 || parent == nil || parent.ID != fmt.Sprintf("s%d", r.counts[0]) {
		r.dropEmpty(level == 1) // but not the section of this subsection
	}
	var id string
	if level == 1 || r.counts[0] == 0 {
		r.before = r.counts
		r.counts = [2]int{r.counts[0] + 1}
		id = fmt.Sprintf("s%d", r.counts[0])
	} else {
		r.counts[1]++
		id = fmt.Sprintf("s%d.%d", r.counts[0], r.counts[1])
	}
	r.openAs(id, title, kinds)
}

// openAs begins a section with a given id.
func (r *reader) openAs(id, title string, kinds []string) {
	r.flush()
	r.sections = append(r.sections, &section{TextSection: entity.TextSection{ID: id, Title: title, Kinds: kinds}})
}

// dropEmpty removes the current section if it has no content, and an empty parent too if no other subsection can follow.
func (r *reader) dropEmpty(parentDone bool) {
	r.flush()
	s := r.last()
	if s == nil || len(s.blocks) > 0 || r.used[s.ID] {
		return
	}
	r.sections = r.sections[:len(r.sections)-1]
	if !strings.Contains(s.ID, ".") {
		r.counts = r.before
		return
	}
	if r.counts[1]--; parentDone && r.counts[1] == 0 {
		r.dropEmpty(false)
	}
}

// unplaced reads a float that belongs to no section.
func (r *reader) unplaced(n *node) {
	sections := r.sections
	r.sections = nil
	r.add(n)
	r.sections = sections
}

// referenceNotes reads the content of a list of references, except the references.
func (r *reader) referenceNotes(n *node) {
	for _, k := range n.kids {
		switch {
		case blank(k), is(k, "ref", "title", "label"):
		case k.name == "ref-list":
			r.referenceNotes(k)
		default:
			r.add(k)
		}
	}
	r.flush()
}

// kinds are the words in titles and in sec-type that identify kinds of sections. A title may have at most maxWords, because longer titles
// have other subjects.
var kinds = []struct {
	kind     string
	maxWords int
	words    []string
}{
	{"intro", 4, []string{"intro", "introduction", "background"}},
	{"methods", 7, []string{
		"method", "methods", "methodology", "material", "materials", "subjects", "patients and methods", "experimental procedures",
		"experimental section", "study design",
	}},
	{"results", 6, []string{"result", "results", "findings"}},
	{"discussion", 6, []string{"discussion", "discussions"}},
	{"conclusion", 6, []string{"conclusion", "conclusions", "concluding"}},
	{"case", 5, []string{"case report", "case presentation", "case description", "case", "cases", "case reports"}},
	{"supplement", 8, []string{
		"supplementary", "supplemental", "supplement", "supporting information", "additional file", "additional files",
	}},
	{"funding", 8, []string{"funding", "financial support", "financial disclosure", "grant support", "grants"}},
	{"interests", 10, []string{
		"coi", "conflict", "conflicts of interest", "conflict of interest", "competing interest", "competing interests",
		"competing financial interests", "declaration of interest", "disclosure", "disclosures",
	}},
	{"data", 8, []string{"data availability", "availability of data", "data sharing", "accession numbers", "accession codes"}},
	{"contributions", 6, []string{"contributions", "contribution", "contributors"}},
	{"ethics", 10, []string{"ethics", "ethical", "informed consent"}},
	{"acknowledgements", 5, []string{"acknowledgements", "acknowledgments", "acknowledgement", "acknowledgment"}},
	{"abbreviations", 6, []string{"abbreviations", "abbreviation", "glossary", "nomenclature"}},
}

// kindsOf returns the kinds of a section, by its element, its type and its title.
func kindsOf(n *node, title string) (list []string) {
	switch n.name {
	case "boxed-text":
		return []string{"box"}
	case "ack":
		list = []string{"acknowledgements"}
	case "app":
		list = []string{"appendix"}
	case "glossary":
		list = []string{"abbreviations"}
	}
	spaced := func(text string) (string, int) {
		words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return (r < 'a' || r > 'z') && r != '\'' && r < 0x80 })
		return " " + strings.Join(words, " ") + " ", len(words)
	}
	byType, _ := spaced(n.attr("sec-type") + " " + n.attr("fn-type") + " " + n.attr("notes-type"))
	byTitle, length := spaced(title)
	for _, k := range kinds {
		for _, word := range k.words {
			word = " " + word + " "
			if strings.Contains(byType, word) || length <= k.maxWords && strings.Contains(byTitle, word) {
				list = append(list, k.kind)
				break
			}
		}
	}
	if slices.Contains(list, "supplement") { // supplementary material is not a methods section
		list = slices.DeleteFunc(list, func(kind string) bool { return kind == "methods" })
	}
	return slices.Compact(list)
}
