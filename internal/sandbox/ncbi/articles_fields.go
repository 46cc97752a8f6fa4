package ncbi

import (
	_ "embed" // for the table of fields
	"slices"
	"strings"
)

// articleFields is the table of the fields of PubMed. A field with a path has the texts at this path.
//
//go:embed pubmed_fields.tsv
var articleFields string

// articleValues returns the functions for the values of the fields of PubMed; dates have the form 2010/02/06. The sandbox has no MeSH tree:
// a heading does not match the headings below it.
func articleValues() map[string]func(*article) []string {
	one := func(value func(*article) string) func(*article) []string {
		return func(a *article) []string { return []string{value(a)} }
	}
	values := map[string]func(*article) []string{
		"UID":   one(func(a *article) string { return decimal(a.PMID) }),
		"FILT":  filters,
		"WORD":  textWords,
		"TIAB":  titleAndAbstract,
		"MESH":  func(a *article) []string { return a.subjects(false) },
		"MAJR":  func(a *article) []string { return a.subjects(true) },
		"AUTH":  authorNames,
		"FULL":  authorNames,
		"FAUT":  func(a *article) []string { people := a.people(); return namesOf(people[:min(1, len(people))]) },
		"LAUT":  func(a *article) []string { people := a.people(); return namesOf(people[max(0, len(people)-1):]) },
		"AFFL":  func(a *article) []string { return ofAuthors(a, "AffiliationInfo/Affiliation") },
		"COLN":  func(a *article) []string { return ofAuthors(a, "CollectiveName") },
		"AUID":  func(a *article) []string { return ofAuthors(a, "Identifier") },
		"GRNT":  grantWords,
		"LANG":  languages,
		"PAGE":  func(a *article) []string { pages, first := a.pages(); return []string{first, pages} },
		"SI":    secondarySources,
		"LID":   func(a *article) []string { return []string{a.id("doi"), a.id("pii")} },
		"AID":   func(a *article) []string { return []string{a.id("doi"), a.id("pii"), a.id("pmc")} },
		"PID":   one(func(a *article) string { return a.id("pii") }),
		"PDAT":  func(a *article) []string { return []string{sortDate(a.date()), a.online()} },
		"PPDT":  one(func(a *article) string { return sortDate(a.date()) }),
		"EPDT":  one((*article).online),
		"P1DAT": one(firstPublished),
		"EDAT":  one((*article).entered),
		"CRDT":  one((*article).entered),
		"MDAT":  func(a *article) []string { return mapSlice(a.all("*/DateRevised"), day) },
		"CDAT":  func(a *article) []string { return mapSlice(a.all("*/DateCompleted"), day) },
		"MHDA":  one(func(a *article) string { return a.event("medline") }),
		"ED":    func(a *article) []string { return namesOf(a.editors()) },
	}
	values = withPaths(articleFields, values)
	values["ALL"] = func(a *article) []string {
		all := []string{a.date()}
		for _, name := range []string{"WORD", "AUTH", "AFFL", "LANG", "GRNT", "BOOK", "UID", "AID", "JOUR", "CNTY"} {
			all = append(all, values[name](a)...)
		}
		if a.first(abstractPath) != nil {
			all = append(all, "hasabstract")
		}
		return all
	}
	return values
}

func day(date *element) string { return dayOf([]*element{date}) }

func titleAndAbstract(a *article) []string {
	all := a.texts(titlePath + "|" + bookTitlePath)
	for _, s := range a.all(abstractPath) {
		all = append(all, s.attribute("Label")+" "+s.value())
	}
	return append(all, a.texts("*/KeywordList/Keyword")...)
}

func textWords(a *article) []string {
	return slices.Concat(titleAndAbstract(a), a.subjects(false), secondarySources(a),
		a.texts("*/ChemicalList/Chemical/NameOfSubstance|*/Article/VernacularTitle|"+typesPath))
}

// subjects returns the headings of an article, with and without their qualifiers, or only the major ones.
func (a *article) subjects(major bool) []string {
	var all []string
	is := func(h *element) bool { return !major || h.attribute("MajorTopicYN") == "Y" }
	for _, heading := range a.all("*/MeshHeadingList/MeshHeading") {
		descriptor := heading.text("DescriptorName")
		if slices.ContainsFunc(heading.children, is) {
			all = append(all, descriptor)
		}
		for _, q := range heading.all("QualifierName") {
			if is(q) {
				all = append(all, descriptor+"/"+q.value())
			}
		}
	}
	return all
}

func authorNames(a *article) []string { return namesOf(a.authors()) }

// namesOf returns the forms of the names of people: short, full, and full with the given name first.
func namesOf(people []*element) []string {
	var all []string
	for _, p := range people {
		all = append(all, nameOf(p))
		if last, fore := p.text("LastName"), p.text("ForeName"); fore != "" {
			all = append(all, last+" "+fore, fore+" "+last)
		}
	}
	return all
}

// ofAuthors returns the texts at a path in the authors.
func ofAuthors(a *article, path string) (all []string) {
	for _, p := range a.authors() {
		all = append(all, p.texts(path)...)
	}
	return all
}

func grantWords(a *article) []string {
	return mapSlice(a.all("*/Article/GrantList/Grant|*/GrantList/Grant"), func(g *element) string {
		return g.text("GrantID") + " " + g.text("Acronym") + " " + g.text("Agency")
	})
}

// secondarySources returns accession numbers in other databases, with and without the name of the database.
func secondarySources(a *article) []string {
	var all []string
	for _, bank := range a.all("*/Article/DataBankList/DataBank") {
		name := bank.text("DataBankName")
		for _, id := range bank.texts("AccessionNumberList/AccessionNumber") {
			all = append(all, id, name+"/"+id)
		}
		all = append(all, name)
	}
	return all
}

var languageNames = map[string]string{
	"eng": "English", "fre": "French", "ger": "German", "spa": "Spanish", "por": "Portuguese", "ita": "Italian", "rus": "Russian",
	"chi": "Chinese", "jpn": "Japanese",
}

func languages(a *article) []string {
	var all []string
	for _, code := range a.texts("*/Article/Language|*/Language") {
		all = append(all, code, languageNames[code])
	}
	return all
}

// filters returns the subsets that an article belongs to.
func filters(a *article) []string {
	all := []string{"all"}
	status, inPMC := a.first("MedlineCitation").attribute("Status"), a.id("pmc") != ""
	for name, in := range map[string]bool{
		"hasabstract": a.first(abstractPath) != nil, "medline": status == "MEDLINE", "publisher": status == "Publisher",
		"pubmed not medline": status == "PubMed-not-MEDLINE", "pubmed pmc": inPMC, "pubmed pmc open access": a.open,
		"pubmed books": a.isBook(), "free full text": inPMC || a.isBook(), "full text": inPMC || a.id("doi") != "",
	} {
		if in {
			all = append(all, name)
		}
	}
	return append(all, languages(a)...)
}

// firstPublished returns the earlier of the dates of publication.
func firstPublished(a *article) string {
	return slices.Min(slices.DeleteFunc([]string{sortDate(a.date()), a.online(), "9999"}, func(day string) bool {
		return strings.TrimSpace(day) == ""
	}))
}
