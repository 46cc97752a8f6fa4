package ncbi

import (
	"html"
	"strconv"
	"strings"
)

// docsum returns a document summary of version 2.0, with the members that Biofact reads. "" means absent.
func (a *article) docsum() object {
	return object{
		{"uid", decimal(a.PMID)}, {"pubdate", a.Date}, {"epubdate", a.epub()}, {"source", a.Journal.Short}, {"authors", a.contributors()},
		{"title", a.docsumTitle()}, {"volume", a.Volume}, {"issue", a.Issue}, {"pages", a.Pages},
		{"pubtype", mapSlice(a.Types, headingName)},
		{"articleids", a.docsumIDs()}, {"fulljournalname", a.Journal.Title}, {"elocationid", a.elocation()},
		{"booktitle", a.Book.Title.text()},
		{"sortpubdate", withSuffix(sortDate(a.Date), " 00:00")},
	}
}

func (a *article) docsumIDs() []object {
	all := []object{{{"idtype", "pubmed"}, {"value", decimal(a.PMID)}}}
	for _, id := range [][2]string{{"pmc", a.PMC}, {"doi", a.DOI}, {"pii", a.PII}} {
		if id[1] != "" {
			all = append(all, object{{"idtype", id[0]}, {"value", id[1]}})
		}
	}
	return all
}

// docsumTitle returns the title as in a summary, with its markup escaped. A book has its title in another member.
func (a *article) docsumTitle() string {
	if title := string(a.Title); strings.Contains(title, "<") {
		return html.EscapeString(html.UnescapeString(title))
	}
	return a.Title.text()
}

func (a *article) elocation() string {
	switch {
	case a.DOI != "" && !a.IsBook:
		return "doi: " + a.DOI
	case a.PII != "":
		return "pii: " + a.PII
	}
	return ""
}

// epub returns the date of the electronic publication, if it was before the print publication.
func (a *article) epub() string {
	part := strings.Split(a.Online, "-")
	if len(part) != 3 {
		return ""
	}
	month, err := strconv.Atoi(part[1])
	if err != nil || month < 1 || month > len(months) {
		return ""
	}
	return part[0] + " " + months[month-1] + " " + strings.TrimPrefix(part[2], "0")
}

// contributors returns the authors of a summary, persons and groups, and then the editors.
func (a *article) contributors() []object {
	all := []object{}
	for _, p := range a.Authors {
		kind := "Author"
		if p.Collective != "" {
			kind = "CollectiveName"
		}
		all = append(all, object{{"name", p.name()}, {"authtype", kind}})
	}
	for _, p := range a.Book.Editors {
		all = append(all, object{{"name", p.name()}, {"authtype", "Editor"}})
	}
	return all
}

func withSuffix(text, suffix string) string {
	if text == "" {
		return ""
	}
	return text + suffix
}
