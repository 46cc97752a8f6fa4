package ncbi

import (
	"html"
	"strings"
	"time"
)

// docsum returns a document summary of version 2.0, with the members that Biofact reads. "" means absent.
func (a *article) docsum() object {
	pages, _ := a.pages()
	sortDay := sortDate(a.date())
	if sortDay != "" {
		sortDay += " 00:00"
	}
	return object{
		{"uid", decimal(a.PMID)}, {"pubdate", a.date()}, {"epubdate", a.epub()}, {"source", a.text(shortPath)},
		{"authors", a.contributors()}, {"title", a.docsumTitle()}, {"volume", a.text(volumePath)},
		{"issue", a.text(journalPath + "JournalIssue/Issue")}, {"pages", pages}, {"pubtype", a.texts(typesPath)},
		{"articleids", a.docsumIDs()}, {"fulljournalname", a.text(journalPath + "Title")}, {"elocationid", a.elocation()},
		{"booktitle", a.text(bookTitlePath)}, {"sortpubdate", sortDay},
	}
}

func (a *article) docsumIDs() []object {
	all := []object{{{"idtype", "pubmed"}, {"value", decimal(a.PMID)}}}
	for _, kind := range []string{"pmc", "doi", "pii"} {
		if id := a.id(kind); id != "" {
			all = append(all, object{{"idtype", kind}, {"value", id}})
		}
	}
	return all
}

// docsumTitle returns the title as in a summary, with its markup escaped. A book has its title in another member.
func (a *article) docsumTitle() string {
	title := a.first(titlePath)
	if strings.Contains(title.raw(), "<") {
		return html.EscapeString(html.UnescapeString(title.raw()))
	}
	return title.value()
}

func (a *article) elocation() string {
	doi, pii := a.id("doi"), a.id("pii")
	switch {
	case doi != "" && !a.isBook():
		return "doi: " + doi
	case pii != "":
		return "pii: " + pii
	}
	return ""
}

// epub returns the date of the electronic publication, 2010 Feb 6.
func (a *article) epub() string {
	if t, err := time.Parse("2006/01/02", a.online()); err == nil {
		return t.Format("2006 Jan 2")
	}
	return ""
}

// contributors returns the authors of a summary, persons and groups, and then the editors.
func (a *article) contributors() []object {
	all := []object{}
	for _, p := range a.authors() {
		kind := "Author"
		if p.text("CollectiveName") != "" {
			kind = "CollectiveName"
		}
		all = append(all, object{{"name", nameOf(p)}, {"authtype", kind}})
	}
	for _, p := range a.editors() {
		all = append(all, object{{"name", nameOf(p)}, {"authtype", "Editor"}})
	}
	return all
}
