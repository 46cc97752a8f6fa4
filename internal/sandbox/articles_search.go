package sandbox

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// articleField is a search field of PubMed.
type articleField struct {
	fieldInfo
	tags []string // in lower case, besides the two names
	// whole wants the term to be all of a value, not words of it.
	whole  bool
	values func(*article) []string // of a date: 2010/02/06
}

// articleFields are those of the upstream that people use. MeSH has no tree here:
// a heading finds its own articles, not those of the headings below it.
var articleFields = []articleField{
	{fieldInfo: fieldInfo{name: "ALL", fullName: "All Fields", description: "All terms from all searchable fields"}, tags: []string{"all"}, values: articleWords},
	{fieldInfo: fieldInfo{name: "UID", fullName: "UID", description: "Unique number assigned to publication", numerical: true, token: true, unshown: true}, tags: []string{"pmid"}, whole: true,
		values: func(a *article) []string { return []string{decimal(a.PMID)} }},
	{fieldInfo: fieldInfo{name: "FILT", fullName: "Filter", description: "Limits the records", token: true}, tags: []string{"filt", "sb", "subset"}, whole: true, values: filters},
	{fieldInfo: fieldInfo{name: "TITL", fullName: "Title", description: "Words in title of publication"}, tags: []string{"ti"}, values: titles},
	{fieldInfo: fieldInfo{name: "WORD", fullName: "Text Word", description: "Free text associated with publication"}, tags: []string{"tw", "text words"}, values: textWords},
	{fieldInfo: fieldInfo{name: "MESH", fullName: "MeSH Terms", description: "Medical Subject Headings assigned to publication", token: true, hierarchy: true}, tags: []string{"mh"}, whole: true,
		values: func(a *article) []string { return a.subjects(false) }},
	{fieldInfo: fieldInfo{name: "MAJR", fullName: "MeSH Major Topic", description: "MeSH terms of major importance to publication", token: true, hierarchy: true}, whole: true,
		values: func(a *article) []string { return a.subjects(true) }},
	{fieldInfo: fieldInfo{name: "AUTH", fullName: "Author", description: "Author(s) of publication", token: true}, tags: []string{"au"}, values: authorNames},
	{fieldInfo: fieldInfo{name: "JOUR", fullName: "Journal", description: "Journal abbreviation of publication", token: true}, tags: []string{"ta", "journal title"}, whole: true,
		values: func(a *article) []string {
			return []string{a.Journal.Short, a.Journal.ISO, a.Journal.Title, a.Journal.Print, a.Journal.Online}
		}},
	{fieldInfo: fieldInfo{name: "AFFL", fullName: "Affiliation", description: "Author's institutional affiliation and address"}, tags: []string{"ad"}, values: affiliations},
	{fieldInfo: fieldInfo{name: "ECNO", fullName: "EC/RN Number", description: "EC number for enzyme or CAS registry number", token: true}, tags: []string{"rn"}, whole: true,
		values: func(a *article) []string { return eachOf(a.Chemicals, func(c chemical) string { return c.Registry }) }},
	{fieldInfo: fieldInfo{name: "SUBS", fullName: "Supplementary Concept", description: "CAS chemical name or MEDLINE Substance Name", token: true}, tags: []string{"nm", "substance name"}, whole: true, values: substances},
	{fieldInfo: fieldInfo{name: "PDAT", fullName: "Date - Publication", description: "Date of publication", date: true, token: true}, tags: []string{"dp", "publication date"},
		values: func(a *article) []string { return []string{sortable(a.Date), slashed(a.Online)} }},
	{fieldInfo: fieldInfo{name: "EDAT", fullName: "Date - Entry", description: "Date publication first accessible through Entrez", date: true, token: true}, tags: []string{"date - entrez", "entry date", "entrez date"},
		values: func(a *article) []string { return []string{a.entered()} }},
	{fieldInfo: fieldInfo{name: "VOL", fullName: "Volume", description: "Volume number of publication", token: true}, tags: []string{"vi"}, whole: true,
		values: func(a *article) []string { return []string{a.Volume} }},
	{fieldInfo: fieldInfo{name: "PAGE", fullName: "Pagination", description: "Page number(s) of publication", token: true}, tags: []string{"pg"}, whole: true,
		values: func(a *article) []string { first, _, _ := strings.Cut(a.Pages, "-"); return []string{first, a.Pages} }},
	{fieldInfo: fieldInfo{name: "PTYP", fullName: "Publication Type", description: "Type of publication (e.g., review)", token: true, hierarchy: true}, tags: []string{"pt"}, whole: true,
		values: func(a *article) []string { return eachOf(a.Types, func(h heading) string { return h.Name }) }},
	{fieldInfo: fieldInfo{name: "LANG", fullName: "Language", description: "Language of publication", token: true}, tags: []string{"la"}, whole: true, values: languages},
	{fieldInfo: fieldInfo{name: "ISS", fullName: "Issue", description: "Issue number of publication", token: true}, tags: []string{"ip"}, whole: true,
		values: func(a *article) []string { return []string{a.Issue} }},
	{fieldInfo: fieldInfo{name: "SUBH", fullName: "MeSH Subheading", description: "Additional specificity for MeSH term", token: true, hierarchy: true}, tags: []string{"sh", "mesh subheadings"}, whole: true, values: subheadings},
	{fieldInfo: fieldInfo{name: "SI", fullName: "Secondary Source ID", description: "Cross-reference from publication to other databases", token: true}, whole: true, values: secondarySources},
	{fieldInfo: fieldInfo{name: "MHDA", fullName: "Date - MeSH", description: "Date publication was indexed with MeSH terms", date: true, token: true}, tags: []string{"mesh date"},
		values: func(a *article) []string { return []string{a.day("medline")} }},
	{fieldInfo: fieldInfo{name: "TIAB", fullName: "Title/Abstract", description: "Free text associated with Abstract/Title"}, values: titleAndAbstract},
	{fieldInfo: fieldInfo{name: "OTRM", fullName: "Other Term", description: "Other terms associated with publication", unshown: true}, tags: []string{"ot"},
		values: func(a *article) []string { return eachOf(a.Keywords, func(k keyword) string { return k.Text.plain() }) }},
	{fieldInfo: fieldInfo{name: "COLN", fullName: "Author - Corporate", description: "Corporate author of publication"}, tags: []string{"cn", "corporate author"},
		values: func(a *article) []string { return eachOf(a.Authors, func(p author) string { return p.Collective }) }},
	{fieldInfo: fieldInfo{name: "CNTY", fullName: "Place of Publication", description: "Country of publication", unshown: true}, tags: []string{"pl"},
		values: func(a *article) []string { return []string{a.Journal.Country} }},
	{fieldInfo: fieldInfo{name: "GRNT", fullName: "Grants and Funding", description: "Numbers and agencies of grants", token: true}, tags: []string{"gr", "grant number"}, values: grantWords},
	{fieldInfo: fieldInfo{name: "MDAT", fullName: "Date - Modification", description: "Date of last modification", date: true, token: true}, tags: []string{"modification date"},
		values: func(a *article) []string { return []string{slashed(a.Revised)} }},
	{fieldInfo: fieldInfo{name: "CDAT", fullName: "Date - Completion", description: "Date of completion", date: true, token: true}, tags: []string{"dcom", "completion date"},
		values: func(a *article) []string { return []string{slashed(a.Completed)} }},
	{fieldInfo: fieldInfo{name: "PID", fullName: "Publisher ID", description: "Publisher ID", token: true}, whole: true, values: func(a *article) []string { return []string{a.PII} }},
	{fieldInfo: fieldInfo{name: "FAUT", fullName: "Author - First", description: "First author of publication", token: true}, tags: []string{"1au", "first author", "first author name"},
		values: func(a *article) []string { people := a.people(); return namesOf(people[:min(1, len(people))]) }},
	{fieldInfo: fieldInfo{name: "FULL", fullName: "Author - Full", description: "Full author name(s) of publication", token: true}, tags: []string{"fau", "full author name"}, values: authorNames},
	{fieldInfo: fieldInfo{name: "TT", fullName: "Transliterated Title", description: "Words in title of publication, in its language"},
		values: func(a *article) []string { return []string{a.Vernacular.plain()} }},
	{fieldInfo: fieldInfo{name: "LAUT", fullName: "Author - Last", description: "Last author of publication", token: true}, tags: []string{"lastau", "last author", "last author name"},
		values: func(a *article) []string {
			people := a.people()
			return namesOf(people[max(0, len(people)-1):])
		}},
	{fieldInfo: fieldInfo{name: "PPDT", fullName: "Print Publication Date", description: "Date of print publication", date: true, token: true}, values: func(a *article) []string { return []string{sortable(a.Date)} }},
	{fieldInfo: fieldInfo{name: "EPDT", fullName: "Electronic Publication Date", description: "Date of electronic publication", date: true, token: true}, values: func(a *article) []string { return []string{slashed(a.Online)} }},
	{fieldInfo: fieldInfo{name: "LID", fullName: "Location ID", description: "ELocation ID", token: true}, tags: []string{"doi"}, whole: true, values: func(a *article) []string { return []string{a.DOI, a.PII} }},
	{fieldInfo: fieldInfo{name: "CRDT", fullName: "Date - Create", description: "Date publication first accessible through PubMed", date: true, token: true}, tags: []string{"create date"},
		values: func(a *article) []string { return []string{a.entered()} }},
	{fieldInfo: fieldInfo{name: "AUID", fullName: "Author - Identifier", description: "Author identifier", token: true}, tags: []string{"author identifier"}, whole: true,
		values: func(a *article) []string { return eachOf(a.Authors, func(p author) string { return p.ORCID }) }},
	{fieldInfo: fieldInfo{name: "AID", fullName: "Article Identifier", description: "Identifiers of the article", token: true}, whole: true,
		values: func(a *article) []string { return []string{a.DOI, a.PII, a.PMC} }},
	{fieldInfo: fieldInfo{name: "COIS", fullName: "Conflict of Interest Statements", description: "Conflict of interest statements"}, values: func(a *article) []string { return []string{a.Conflicts} }},
	{fieldInfo: fieldInfo{name: "JID", fullName: "NLM Unique ID", description: "Number of the journal in the catalogue of NLM", token: true}, whole: true, values: func(a *article) []string { return []string{a.Journal.NLM} }},
	{fieldInfo: fieldInfo{name: "BOOK", fullName: "Book", description: "Id or title of the book", token: true}, whole: true, values: bookNames},
	{fieldInfo: fieldInfo{name: "PUBN", fullName: "Publisher", description: "Publisher of the book", token: true}, values: func(a *article) []string {
		if a.Book == nil {
			return nil
		}
		return []string{a.Book.Publisher}
	}},
	{fieldInfo: fieldInfo{name: "P1DAT", fullName: "Date - First Publication", description: "The earlier of the dates of publication", date: true, token: true, unshown: true},
		values: func(a *article) []string { return []string{a.firstDay()} }},
	{fieldInfo: fieldInfo{name: "ED", fullName: "Editor", description: "Editor of the book", token: true}, values: func(a *article) []string {
		if a.Book == nil {
			return nil
		}
		return namesOf(a.Book.Editors)
	}},
	{fieldInfo: fieldInfo{name: "AUCL", fullName: "Author Cluster ID", description: "Group of names that are one author", token: true}, values: unknown},
	{fieldInfo: fieldInfo{name: "INVR", fullName: "Investigator", description: "Investigator", token: true}, tags: []string{"ir"}, values: unknown},
	{fieldInfo: fieldInfo{name: "FINV", fullName: "Investigator - Full", description: "Full name of investigator", token: true}, tags: []string{"fir", "full investigator name"}, values: unknown},
	{fieldInfo: fieldInfo{name: "PAPX", fullName: "Pharmacological Action", description: "MeSH pharmacological action pre-explosions", token: true}, tags: []string{"pa"}, values: unknown},
	{fieldInfo: fieldInfo{name: "PS", fullName: "Subject - Personal Name", description: "Person that the article is about", token: true}, tags: []string{"personal name as subject"}, values: unknown},
	{fieldInfo: fieldInfo{name: "ISBN", fullName: "ISBN", description: "ISBN of the book", token: true}, values: unknown},
	{fieldInfo: fieldInfo{name: "EID", fullName: "Extended PMID", description: "PMID with its version", token: true, unshown: true}, values: unknown},
	{fieldInfo: fieldInfo{name: "DSO", fullName: "DSO", description: "Additional text from the summary", unshown: true}, values: unknown},
}

// indexLazily prepares the words of each field, which are read when it is first
// searched.
func (a *articles) indexLazily() {
	for _, field := range articleFields {
		a.words = append(a.words, sync.OnceValue(func() [][][]string {
			return eachOf(a.list, func(record *article) [][]string { return eachOf(field.values(record), queryWords) })
		}))
	}
	a.net = sync.OnceValue(a.citations)
}

// field finds a field by its names or tags; no tag is all fields. What follows a
// colon is how to look: [mh:noexp], [ti:~3].
func (a *articles) field(tag string) (searchField, bool) {
	tag, how, _ := strings.Cut(tag, ":")
	tag = strings.TrimSpace(tag)
	at := slices.IndexFunc(articleFields, func(f articleField) bool {
		return tag == strings.ToLower(f.name) || tag == strings.ToLower(f.fullName) || slices.Contains(f.tags, tag) || tag == "" && f.name == "ALL"
	})
	if at < 0 {
		return searchField{}, false
	}
	return searchField{name: articleFields[at].fullName, find: func(t term) (hits, string) { return a.find(at, how, t) }}, true
}

// shortestStem is how many letters must stand before a *.
const shortestStem = 4

func (a *articles) find(field int, how string, t term) (hits, string) {
	f := articleFields[field]
	if from, to, ranged := strings.Cut(t.text, ":"); f.date || ranged && f.name == "UID" {
		if !ranged {
			from, to = t.text, t.text
		}
		if f.date {
			return a.between(f, strings.TrimSpace(from), strings.TrimSpace(to)), ""
		}
		return a.uids(from, to), ""
	}
	if t.prefix && len([]rune(strings.Join(t.words, ""))) < shortestStem {
		t.prefix = false
	}
	found := hits{}
	for i, values := range a.words[field]() {
		for _, value := range values {
			if f.fits(t, how, value) {
				found[a.list[i].PMID] = 1
				if f.name == "ALL" || f.name == "TIAB" || f.name == "WORD" {
					found[a.list[i].PMID] = a.list[i].weigh(t)
				}
				break
			}
		}
	}
	return found, a.subjectOf(f, t)
}

func (f articleField) fits(t term, how string, value []string) bool {
	distance, near := strings.CutPrefix(how, "~")
	switch {
	case near:
		return t.near(value, number(distance))
	case f.whole:
		return t.is(value)
	case f.name == "AUTH", f.name == "FAUT", f.name == "LAUT":
		// Initials may be fewer than there are: smith j finds Smith JA.
		t.prefix = t.prefix || !t.quoted && len(t.words) > 1
		return len(t.words) <= len(value) && t.begins(value)
	}
	return t.within(value)
}

// near tells whether the words stand together in any order with at most so many
// others between them.
func (t term) near(text []string, others int) bool {
	for from := range text {
		window := text[from:min(len(text), from+len(t.words)+others)]
		if !slices.ContainsFunc(t.words, func(word string) bool { return !slices.Contains(window, word) }) {
			return true
		}
	}
	return false
}

func number(digits string) int {
	n := 0
	for _, d := range digits {
		if d < '0' || d > '9' || n > 1000 {
			return 0
		}
		n = n*10 + int(d-'0')
	}
	return n
}

// weigh tells how well the record answers a term: its title before its subjects
// before the rest.
func (a *article) weigh(t term) float64 {
	switch {
	case slices.ContainsFunc(titles(a), func(title string) bool { return t.within(queryWords(title)) }):
		return 3
	case slices.ContainsFunc(a.subjects(true), func(subject string) bool { return t.within(queryWords(subject)) }):
		return 2
	}
	return 1
}

// subjectOf is what a bare word is translated into that is a heading.
func (a *articles) subjectOf(f articleField, t term) string {
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

// between finds the records of a span of days, which a bound without day or month
// is taken to begin or to end.
func (a *articles) between(f articleField, from, to string) hits {
	found := hits{}
	if !boundForm.MatchString(from) || !boundForm.MatchString(to) {
		return found
	}
	from, to = padded(from), padded(to)+"/~" // after every day of it
	for _, record := range a.list {
		for _, date := range f.values(record) {
			if date != "" && date >= from && date <= to {
				found[record.PMID] = 1
			}
		}
	}
	return found
}

func padded(date string) string {
	return strings.Join(eachOf(strings.Split(date, "/"), leadingZero), "/")
}

func (a *articles) uids(from, to string) hits {
	found := hits{}
	bounds := fetched([]string{from, to})
	for _, record := range a.list {
		if len(bounds) == 2 && record.PMID >= bounds[0] && record.PMID <= bounds[1] {
			found[record.PMID] = 1
		}
	}
	return found
}

func (a *articles) all() hits {
	found := hits{}
	for _, record := range a.list {
		found[record.PMID] = 1
	}
	return found
}

func newestFirst(a, b uint64) int { return cmp.Compare(b, a) }

// order sorts as asked; an unknown order, like none, is by falling PMID.
func (a *articles) order(found hits, sort string) []uint64 {
	uids := make([]uint64, 0, len(found))
	for uid := range found {
		uids = append(uids, uid)
	}
	slices.SortFunc(uids, func(x, y uint64) int {
		one, other := a.byID[x], a.byID[y]
		first := 0
		switch strings.ToLower(sort) {
		case "relevance":
			first = cmp.Compare(found[y], found[x])
		case "pub_date", "pub date", "pub+date":
			first = cmp.Compare(sortable(other.Date), sortable(one.Date))
		case "author":
			first = cmp.Compare(one.firstAuthor(), other.firstAuthor())
		case "journalname", "journal":
			first = cmp.Compare(strings.ToLower(one.Journal.Short), strings.ToLower(other.Journal.Short))
		}
		return cmp.Or(first, newestFirst(x, y))
	})
	return uids
}

// firstAuthor is in lower case; who has none comes last.
func (a *article) firstAuthor() string {
	if len(a.Authors) == 0 {
		return "~"
	}
	return strings.ToLower(a.Authors[0].name())
}

func (a *articles) info() databaseInfo {
	info := databaseInfo{
		name: "pubmed", menuName: "PubMed", description: "PubMed bibliographic record", build: "Build-2026.08.05.06.33", updated: "2026/08/05 06:33",
		count: len(a.list), readable: 9_999, noStack: true,
		links: []linkInfo{ // without pubmed_pubmed_citedin, as upstream
			{"pubmed_gene", "Gene Links", "Gene records that cite the current articles", "gene"},
			{"pubmed_gene_rif", "Gene (GeneRIF) Links", "Gene records with a function told in the current articles", "gene"},
			{"pubmed_pubmed", "Similar articles", "Articles like the current ones, by their words", "pubmed"},
			{"pubmed_pubmed_five", "", "The five most alike", "pubmed"},
			{"pubmed_pubmed_refs", "References for PMC Articles", "Articles that the current ones cite", "pubmed"},
			{"pubmed_pubmed_reviews", "", "Similar articles that are reviews", "pubmed"},
		},
	}
	for _, field := range articleFields {
		info.fields = append(info.fields, field.fieldInfo)
	}
	return info
}
