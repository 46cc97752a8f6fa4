package ncbi

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

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
	case slices.ContainsFunc(a.texts(titlePath+"|"+bookTitlePath), func(title string) bool { return t.within(queryWords(title)) }):
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
		for _, name := range record.texts("*/MeshHeadingList/MeshHeading/DescriptorName") {
			if t.is(queryWords(name)) {
				return `("` + strings.ToLower(name) + `"[MeSH Terms] OR "` + t.text + `"[All Fields])`
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
			first = cmp.Compare(sortDate(other.date()), sortDate(one.date()))
		case "author":
			first = cmp.Compare(one.firstAuthor(), other.firstAuthor())
		case "journalname", "journal":
			first = cmp.Compare(strings.ToLower(one.text(shortPath)), strings.ToLower(other.text(shortPath)))
		}
		return cmp.Or(first, newestFirst(x, y))
	})
}

// firstAuthor returns the name for sorting; articles without authors are last.
func (a *article) firstAuthor() string {
	authors := a.authors()
	if len(authors) == 0 {
		return "~"
	}
	return strings.ToLower(nameOf(authors[0]))
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
