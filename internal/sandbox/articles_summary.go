package sandbox

import (
	"cmp"
	"html"
	"strconv"
	"strings"
)

// summary is a document summary of version 2.0. Absent is "".
func (a *articles) summary(uid uint64) (object, bool) {
	record := a.byID[uid]
	if record == nil {
		return nil, false
	}
	return record.docsum(len(a.net().citedBy[uid])), true
}

// docsumID is an identifier with its kind in words and as a number.
type docsumID struct {
	kind   string
	number int
	value  string
}

func (a *article) docsumIDs() []docsumID {
	all := []docsumID{{"pubmed", 1, decimal(a.PMID)}}
	if a.PMC != "" {
		all = append(all, docsumID{"pmc", 8, a.PMC}, docsumID{"pmcid", 5, "pmc-id: " + a.PMC + ";"})
	}
	if a.DOI != "" {
		all = append(all, docsumID{"doi", 3, a.DOI})
	}
	if a.PII != "" {
		all = append(all, docsumID{"pii", 4, a.PII})
	}
	if a.Book != nil && a.Book.Accession != "" {
		all = append(all, docsumID{"bookaccession", 12, a.Book.Accession})
	}
	return all
}

// docsumTitle is the title as summaries write it, with its markup as text. A book
// has its title elsewhere.
func (a *article) docsumTitle() string {
	if title := string(a.Title); strings.Contains(title, "<") {
		return html.EscapeString(html.UnescapeString(title))
	}
	return a.Title.plain()
}

// sortTitle is the title in lower case without an article before it and without
// signs.
func (a *article) sortTitle() string {
	words := queryWords(a.Title.plain())
	if len(words) > 1 && (words[0] == "a" || words[0] == "an" || words[0] == "the") {
		words = words[1:]
	}
	return strings.Join(words, " ")
}

func (a *article) elocation() string {
	switch {
	case a.DOI != "" && a.Book == nil:
		return "doi: " + a.DOI
	case a.PII != "":
		return "pii: " + a.PII
	}
	return ""
}

// recordStatus is what the site says of the status of a citation.
func (a *article) recordStatus() string {
	switch a.Status {
	case "MEDLINE":
		return "PubMed - indexed for MEDLINE"
	case "Publisher":
		return "PubMed - as supplied by publisher"
	case "In-Process":
		return "PubMed - in process"
	case "":
		return ""
	}
	return "PubMed"
}

var pubStatusNumbers = map[string]string{"ppublish": "4", "epublish": "3", "aheadofprint": "10"}

// remarkWords are kinds of remarks as summaries write them: "Retraction in".
func remarkWords(kind string) string {
	for _, way := range []string{"In", "On", "Of", "For", "From"} {
		if what, ok := strings.CutSuffix(kind, way); ok && what != "" {
			return spaced(what) + " " + strings.ToLower(way)
		}
	}
	return spaced(kind)
}

// spaced parts words that are written together: ExpressionOfConcern.
func spaced(together string) string {
	var out strings.Builder
	for i, r := range together {
		if i > 0 && r >= 'A' && r <= 'Z' {
			out.WriteByte(' ')
			r += 'a' - 'A'
		}
		out.WriteRune(r)
	}
	return out.String()
}

// epub is the day of a printed article's earlier publication in the net.
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

func (a *article) lastAuthor() string {
	if people := a.people(); len(people) > 0 {
		return people[len(people)-1].name()
	}
	return ""
}

func (a *article) sortFirst() string {
	if len(a.Authors) == 0 {
		return ""
	}
	return a.Authors[0].name()
}

func (a *article) attributes() []string {
	if len(a.Abstract) > 0 {
		return []string{"Has Abstract"}
	}
	return []string{}
}

func (a *article) docType() string {
	switch {
	case a.Book == nil:
		return "citation"
	case a.Title == "":
		return "book"
	}
	return "chapter"
}

func moment(date string) string {
	if date == "" {
		return ""
	}
	day, clock, _ := strings.Cut(date, " ")
	return strings.ReplaceAll(day, "-", "/") + " " + cmp.Or(clock, "00:00")
}

// contributors are the authors of a summary, persons and groups, with what they are.
func (a *article) contributors() [][2]string {
	var all [][2]string
	for _, p := range a.Authors {
		kind := "Author"
		if p.Collective != "" {
			kind = "CollectiveName"
		}
		all = append(all, [2]string{p.name(), kind})
	}
	if a.Book != nil {
		for _, p := range a.Book.Editors {
			all = append(all, [2]string{p.name(), "Editor"})
		}
	}
	return all
}

func (a *article) typeNames() []string {
	return eachOf(a.Types, func(h heading) string { return h.Name })
}

func (a *article) docsum(cited int) object {
	book := a.Book
	if book == nil {
		book = &bookArticle{}
	}
	var authors, ids, history, references []object
	for _, c := range a.contributors() {
		authors = append(authors, object{{"name", c[0]}, {"authtype", c[1]}, {"clusterid", ""}})
	}
	for _, id := range a.docsumIDs() {
		ids = append(ids, object{{"idtype", id.kind}, {"idtypen", id.number}, {"value", id.value}})
	}
	for _, e := range a.History {
		history = append(history, object{{"pubstatus", e.Kind}, {"date", moment(e.Date)}})
	}
	for _, r := range a.Remarks {
		var pmid any = ""
		if r.PMID != 0 {
			pmid = r.PMID
		}
		references = append(references, object{{"refsource", r.Source}, {"reftype", remarkWords(r.Kind)}, {"pmid", pmid}, {"note", ""}})
	}
	var count any = ""
	if cited > 0 {
		count = cited
	}
	empty := []string{}
	return object{
		{"uid", decimal(a.PMID)}, {"pubdate", a.Date}, {"epubdate", a.epub()}, {"source", a.Journal.Short}, {"authors", objects(authors)}, {"lastauthor", a.lastAuthor()},
		{"title", a.docsumTitle()}, {"sorttitle", a.sortTitle()}, {"volume", a.Volume}, {"issue", a.Issue}, {"pages", a.Pages}, {"lang", list0(a.Languages)},
		{"nlmuniqueid", a.Journal.NLM}, {"issn", a.Journal.Print}, {"essn", a.Journal.Online}, {"pubtype", a.typeNames()},
		{"recordstatus", a.recordStatus()}, {"pubstatus", pubStatusNumbers[a.Published]}, {"articleids", objects(ids)}, {"history", objects(history)}, {"references", objects(references)},
		{"attributes", a.attributes()}, {"pmcrefcount", count}, {"fulljournalname", a.Journal.Title}, {"elocationid", a.elocation()}, {"doctype", a.docType()},
		{"srccontriblist", empty}, {"booktitle", book.Title.plain()}, {"medium", book.Medium}, {"edition", ""}, {"publisherlocation", book.Place}, {"publishername", book.Publisher},
		{"srcdate", ""}, {"reportnumber", ""}, {"availablefromurl", ""}, {"locationlabel", ""}, {"doccontriblist", empty}, {"docdate", ""}, {"bookname", book.ID}, {"chapter", book.Part},
		{"sortpubdate", moment(sortable(a.Date))}, {"sortfirstauthor", a.sortFirst()},
	}
}

// objects is a list that is never null.
func objects(list []object) []object { return append([]object{}, list...) }
