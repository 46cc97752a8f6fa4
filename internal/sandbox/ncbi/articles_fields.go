package ncbi

import (
	"cmp"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

func titles(a *article) []string {
	return []string{a.Title.text(), a.Book.Title.text()}
}

func titleAndAbstract(a *article) []string {
	all := titles(a)
	for _, s := range a.Abstract {
		all = append(all, s.Label+" "+s.Text.text())
	}
	return append(all, mapSlice(a.Keywords, func(k keyword) string { return k.Text.text() })...)
}

func textWords(a *article) []string {
	return slices.Concat(
		titleAndAbstract(a), a.subjects(false), substances(a), mapSlice(a.Types, headingName), secondarySources(a),
		[]string{a.Vernacular.text()})
}

func articleWords(a *article) []string {
	all := slices.Concat(textWords(a), authorNames(a), affiliations(a), languages(a), grantWords(a), bookNames(a), []string{
		decimal(a.PMID), a.DOI, a.PII, a.PMC, a.Journal.Short, a.Journal.ISO, a.Journal.Title, a.Journal.Country, a.Date,
	})
	if len(a.Abstract) > 0 {
		all = append(all, "hasabstract")
	}
	return all
}

// subjects returns the headings of an article, with and without their qualifiers, or only the major ones.
func (a *article) subjects(major bool) []string {
	var all []string
	for _, s := range a.MeSH {
		is := func(h heading) bool { return !major || h.Major == "Y" }
		if is(s.Descriptor) || slices.ContainsFunc(s.Qualifiers, is) {
			all = append(all, s.Descriptor.Name)
		}
		for _, q := range s.Qualifiers {
			if is(q) {
				all = append(all, s.Descriptor.Name+"/"+q.Name)
			}
		}
	}
	return all
}

func subheadings(a *article) []string {
	var all []string
	for _, s := range a.MeSH {
		all = append(all, mapSlice(s.Qualifiers, headingName)...)
	}
	return all
}

func headingName(h heading) string { return h.Name }

func authorNames(a *article) []string { return namesOf(a.Authors) }

// namesOf returns the forms of the names of people: short, full, and full with the given name first.
func namesOf(people []author) []string {
	var all []string
	for _, p := range people {
		all = append(all, p.name())
		if p.Fore != "" {
			all = append(all, p.Last+" "+p.Fore, p.Fore+" "+p.Last)
		}
	}
	return all
}

func affiliations(a *article) []string {
	var all []string
	for _, p := range a.Authors {
		all = append(all, p.Affiliations...)
	}
	return all
}

func substances(a *article) []string {
	return mapSlice(a.Chemicals, func(c chemical) string { return c.Name.Name })
}

func grantWords(a *article) []string {
	return mapSlice(a.Grants, func(g grant) string { return g.ID + " " + g.Acronym + " " + g.Agency })
}

func bookNames(a *article) []string { return []string{a.Book.Accession, a.Book.Title.text()} }

// secondarySources returns accession numbers in other databases, with and without the name of the database.
func secondarySources(a *article) []string {
	var all []string
	for _, bank := range a.Databanks {
		for _, id := range bank.IDs {
			all = append(all, id, bank.Name+"/"+id)
		}
		all = append(all, bank.Name)
	}
	return all
}

var languageNames = map[string]string{
	"eng": "English", "fre": "French", "ger": "German", "spa": "Spanish", "por": "Portuguese", "ita": "Italian", "rus": "Russian",
	"chi": "Chinese", "jpn": "Japanese",
}

func languages(a *article) []string {
	var all []string
	for _, code := range a.Languages {
		all = append(all, code, languageNames[code])
	}
	return all
}

// filters returns the subsets that an article belongs to.
func filters(a *article) []string {
	all := []string{"all"}
	for name, in := range map[string]bool{
		"hasabstract": len(a.Abstract) > 0, "medline": a.Status == "MEDLINE", "publisher": a.Status == "Publisher",
		"pubmed not medline": a.Status == "PubMed-not-MEDLINE", "pubmed pmc": a.PMC != "", "pubmed pmc open access": a.Open,
		"pubmed books":   a.IsBook,
		"free full text": a.PMC != "" || a.IsBook, "full text": a.DOI != "" || a.PMC != "",
	} {
		if in {
			all = append(all, name)
		}
	}
	return append(all, languages(a)...)
}

var dayNumbers = lazyregexp.New(`[0-9]+`)

// sortDate returns the first day of the date of a citation, in the form that searches compare.
func sortDate(date string) string {
	year, rest, _ := strings.Cut(date, " ")
	if len(year) < 4 {
		return ""
	}
	month, day := "01", "01"
	if len(rest) >= 3 {
		if number := monthNumber(rest[:3]); number != "" {
			month = number
			if at := dayNumbers.FindString(rest[3:]); len(at) == 1 || len(at) == 2 {
				day = leadingZero(at)
			}
		}
	}
	return year[:4] + "/" + month + "/" + day
}

func slashDate(date string) string {
	day, _, _ := strings.Cut(date, " ")
	return strings.ReplaceAll(day, "-", "/")
}

// day returns the day of an event of the record, or "".
func (a *article) day(kind string) string {
	for _, e := range a.History {
		if e.Kind == kind {
			return slashDate(e.Date)
		}
	}
	return ""
}

func (a *article) entered() string { return cmp.Or(a.day("entrez"), a.day("pubmed")) }
