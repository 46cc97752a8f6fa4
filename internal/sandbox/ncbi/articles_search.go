package ncbi

import (
	"cmp"
	_ "embed" // for the table of fields
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

//go:embed pubmed_fields.tsv
var articleFields string

// articleValues returns the functions for the values of the fields of PubMed; dates have the form 2010/02/06. The sandbox has no MeSH tree:
// a heading does not match the headings below it.
func articleValues() map[string]func(*article) []string {
	return map[string]func(*article) []string{
		"ALL":  articleWords,
		"UID":  func(a *article) []string { return []string{decimal(a.PMID)} },
		"FILT": filters,
		"TITL": titles,
		"WORD": textWords,
		"TIAB": titleAndAbstract,
		"OTRM": func(a *article) []string {
			return mapSlice(a.Keywords, func(k keyword) string { return k.Text.text() })
		},
		"MESH": func(a *article) []string { return a.subjects(false) },
		"MAJR": func(a *article) []string { return a.subjects(true) },
		"PTYP": func(a *article) []string { return mapSlice(a.Types, headingName) },
		"AUTH": authorNames,
		"FULL": authorNames,
		"FAUT": func(a *article) []string { people := a.people(); return namesOf(people[:min(1, len(people))]) },
		"LAUT": func(a *article) []string { people := a.people(); return namesOf(people[max(0, len(people)-1):]) },
		"COLN": func(a *article) []string { return mapSlice(a.Authors, func(p author) string { return p.Collective }) },
		"AFFL": affiliations,
		"GRNT": grantWords,
		"LANG": languages,
		"JOUR": func(a *article) []string {
			return []string{a.Journal.Short, a.Journal.ISO, a.Journal.Title, a.Journal.Print, a.Journal.Online}
		},
		"BOOK": bookNames,
		"VOL":  func(a *article) []string { return []string{a.Volume} },
		"ISS":  func(a *article) []string { return []string{a.Issue} },
		"PAGE": func(a *article) []string { first, _, _ := strings.Cut(a.Pages, "-"); return []string{first, a.Pages} },
		"SI":   secondarySources,
		"LID":  func(a *article) []string { return []string{a.DOI, a.PII} },
		"AID":  func(a *article) []string { return []string{a.DOI, a.PII, a.PMC} },
		"PDAT": func(a *article) []string { return []string{sortDate(a.Date), slashDate(a.Online)} },
		"PPDT": func(a *article) []string { return []string{sortDate(a.Date)} },
		"EPDT": func(a *article) []string { return []string{slashDate(a.Online)} },
		"P1DAT": func(a *article) []string {
			return []string{slices.Min(slices.DeleteFunc([]string{sortDate(a.Date), slashDate(a.Online), "9999"},
				func(day string) bool { return day == "" }))}
		},
		"EDAT": func(a *article) []string { return []string{a.entered()} },
		"CRDT": func(a *article) []string { return []string{a.entered()} },
		"MDAT": func(a *article) []string { return []string{slashDate(a.Revised)} },
		"CDAT": func(a *article) []string { return []string{slashDate(a.Completed)} },
		"MHDA": func(a *article) []string { return []string{a.day("medline")} },
		"ECNO": func(a *article) []string { return mapSlice(a.Chemicals, func(c chemical) string { return c.Registry }) },
		"SUBS": substances,
		"SUBH": subheadings,
		"AUID": func(a *article) []string { return mapSlice(a.Authors, func(p author) string { return p.ORCID }) },
		"PID":  func(a *article) []string { return []string{a.PII} },
		"TT":   func(a *article) []string { return []string{a.Vernacular.text()} },
		"COIS": func(a *article) []string { return []string{a.Conflicts} },
		"JID":  func(a *article) []string { return []string{a.Journal.NLM} },
		"CNTY": func(a *article) []string { return []string{a.Journal.Country} },
		"PUBN": func(a *article) []string { return []string{a.Book.Publisher} },
		"ED":   func(a *article) []string { return namesOf(a.Book.Editors) },
	}
}

// field returns the field of a tag. Text after a colon is an option of the search: [mh:noexp], [ti:~3].
func (a *articles) field(tag string) (searchField, bool) {
	tag, how, _ := strings.Cut(tag, ":")
	return a.search(strings.TrimSpace(tag), func(at int, t term) (hits, string) { return a.find(at, how, t) })
}

// minStem is the number of letters that must precede a *.
const minStem = 4

func (a *articles) find(at int, how string, t term) (hits, string) {
	f := a.fields[at]
	if from, to, ranged := strings.Cut(t.text, ":"); f.is(isDate) || ranged && f.name == "UID" {
		if !ranged {
			from, to = t.text, t.text
		}
		if f.is(isDate) {
			return a.between(a.values[at], strings.TrimSpace(from), strings.TrimSpace(to)), ""
		}
		return a.uids(from, to), ""
	}
	if t.prefix && len([]rune(strings.Join(t.words, ""))) < minStem {
		t.prefix = false
	}
	found := a.matching(at, func(value []string) bool { return fits(f, t, how, value) })
	if f.name == "ALL" || f.name == "TIAB" || f.name == "WORD" {
		for pmid := range found {
			found[pmid] = a.byID[pmid].weigh(t)
		}
	}
	return found, a.subjectOf(f, t)
}

func fits(f field, t term, how string, value []string) bool {
	distance, near := strings.CutPrefix(how, "~")
	switch {
	case near:
		others, _ := strconv.Atoi(distance)
		return t.near(value, min(max(others, 0), maxBetween))
	case f.is(isWhole):
		return t.is(value)
	case f.name == "AUTH", f.name == "FAUT", f.name == "LAUT":
		// The first initials suffice: smith j finds Smith JA.
		t.prefix = t.prefix || !t.quoted && len(t.words) > 1
		return len(t.words) <= len(value) && t.begins(value)
	}
	return t.within(value)
}

// maxBetween is the maximum number of words between those of a proximity search.
const maxBetween = 1000

// near reports whether the words occur together, in any order and with at most so many other words between them.
func (t term) near(text []string, others int) bool {
	for from := range text {
		window := text[from:min(len(text), from+len(t.words)+others)]
		if !slices.ContainsFunc(t.words, func(word string) bool { return !slices.Contains(window, word) }) {
			return true
		}
	}
	return false
}

// weigh returns the relevance of a record for a term: a match in the title counts most, then one in the subjects.
func (a *article) weigh(t term) float64 {
	switch {
	case slices.ContainsFunc(titles(a), func(title string) bool { return t.within(queryWords(title)) }):
		return 3
	case slices.ContainsFunc(a.subjects(true), func(subject string) bool { return t.within(queryWords(subject)) }):
		return 2
	}
	return 1
}

// subjectOf returns the translation of a bare word that is a heading, or "".
func (a *articles) subjectOf(f field, t term) string {
	if f.name != "ALL" || t.tag != "" || t.prefix || t.quoted {
		return ""
	}
	for _, record := range a.list {
		for _, s := range record.MeSH {
			if t.is(queryWords(s.Descriptor.Name)) {
				name := strings.ToLower(s.Descriptor.Name)
				return `("` + name + `"[MeSH Terms] OR "` + t.text + `"[All Fields])`
			}
		}
	}
	return ""
}

var boundForm = lazyregexp.New(`^[0-9]{4}(/[0-9]{1,2}(/[0-9]{1,2})?)?$`)

// between returns the records in a range of days. A bound without a day or month covers the whole month or year.
func (a *articles) between(values func(*article) []string, from, to string) hits {
	found := hits{}
	if !boundForm.MatchString(from) || !boundForm.MatchString(to) {
		return found
	}
	from, to = padDate(from), padDate(to)+"/~" // sorts after every day of that month or year
	for _, record := range a.list {
		for _, date := range values(record) {
			if date != "" && date >= from && date <= to {
				found[record.PMID] = 1
			}
		}
	}
	return found
}

func padDate(date string) string {
	return strings.Join(mapSlice(strings.Split(date, "/"), leadingZero), "/")
}

func (a *articles) uids(from, to string) hits {
	found := hits{}
	bounds := numbers([]string{from, to})
	for _, record := range a.list {
		if len(bounds) == 2 && record.PMID >= bounds[0] && record.PMID <= bounds[1] {
			found[record.PMID] = 1
		}
	}
	return found
}

// order sorts hits. Without an order, and for an unknown one, it sorts by descending PMID.
func (a *articles) order(found hits, sort string) []uint64 {
	return slices.SortedFunc(maps.Keys(found), func(x, y uint64) int {
		one, other := a.byID[x], a.byID[y]
		first := 0
		switch strings.ToLower(sort) {
		case "relevance":
			first = cmp.Compare(found[y], found[x])
		case "pub_date", "pub date", "pub+date":
			first = cmp.Compare(sortDate(other.Date), sortDate(one.Date))
		case "author":
			first = cmp.Compare(one.firstAuthor(), other.firstAuthor())
		case "journalname", "journal":
			first = cmp.Compare(strings.ToLower(one.Journal.Short), strings.ToLower(other.Journal.Short))
		}
		return cmp.Or(first, newestFirst(x, y))
	})
}

// firstAuthor returns the name for sorting; articles without authors are last.
func (a *article) firstAuthor() string {
	if len(a.Authors) == 0 {
		return "~"
	}
	return strings.ToLower(a.Authors[0].name())
}

func (a *articles) info() databaseInfo {
	return databaseInfo{
		name: "pubmed", menuName: "PubMed", description: "PubMed bibliographic record",
		build: "Build-2026.08.05.06.33", updated: "2026/08/05 06:33",
		count: len(a.list), readable: 9_999, fields: a.fields,
		links: []linkInfo{ // without pubmed_pubmed_citedin, as at NCBI
			{"pubmed_gene", "Gene Links", "Gene records that cite the current articles", "gene"},
			{"pubmed_gene_rif", "Gene (GeneRIF) Links", "Gene records with a function that the current articles describe", "gene"},
			{"pubmed_pubmed", "Similar articles", "Articles like the current ones, by their words", "pubmed"},
			{"pubmed_pubmed_five", "", "The five most alike", "pubmed"},
			{"pubmed_pubmed_refs", "References for PMC Articles", "Articles that the current ones cite", "pubmed"},
			{"pubmed_pubmed_reviews", "", "Similar articles that are reviews", "pubmed"},
		},
	}
}

// vocabulary returns the words of the articles, the most frequent first.
func (a *articles) vocabulary() []string {
	at, _ := a.at("word")
	count := map[string]int{}
	for _, values := range a.index.words[at]() {
		for _, value := range values {
			for _, word := range value {
				count[word]++
			}
		}
	}
	return slices.SortedFunc(maps.Keys(count), func(x, y string) int { return cmp.Or(count[y]-count[x], cmp.Compare(x, y)) })
}
