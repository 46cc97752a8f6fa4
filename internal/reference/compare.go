package reference

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// The names of the fields, as in a call, in the order in which differences are listed.
const (
	journalField = "journal"
	yearField    = "year"
	volumeField  = "volume"
	pageField    = "firstPage"
	authorField  = "author"
	titleField   = "title"
	doiField     = "doi"
	pmidField    = "pmid"
	pmcidField   = "pmcid"
)

// A Comparison is the result of comparing a reference with a record.
type Comparison struct {
	// Differs names the fields of the reference that have another value in the record.
	Differs []string
	// Score is the weighted number of fields that agree, minus those that differ.
	Score int
	// ExactTitle reports whether the title is long and has exactly the same words.
	ExactTitle bool
	// Identified reports whether the reference has an id of the record, or its title (see ExactTitle) and no author that the record lacks.
	Identified bool
}

// Matched is the minimum score of a match.
const Matched = 3

// weights are the points that a field adds if it agrees, and subtracts if it differs.
var weights = map[string]struct{ agrees, differs int }{
	journalField: {1, 1}, yearField: {1, 1}, volumeField: {1, 1}, pageField: {2, 1}, authorField: {2, 1},
	titleField: {4, 3}, doiField: {5, 2}, pmidField: {3, 0}, pmcidField: {3, 0},
}

// Compare compares a reference with a record. Fields that one of them lacks are ignored.
func Compare(f Fields, a *entity.Article) Comparison {
	info := cmp.Or(a.JournalInfo, &entity.JournalInfo{})
	var c Comparison
	c.add(journalField, f.Journal != "" && info.Title+info.ISOAbbreviation+info.MedlineAbbreviation != "",
		func() bool { return sameJournal(f.Journal, info) || hasJournal(f.Text, info) })
	years := yearsOf(a)
	c.add(yearField, yearPattern.MatchString(f.Year) && len(years) > 0,
		func() bool { return slices.Contains(years, yearPattern.FindString(f.Year)) })
	c.add(volumeField, f.Volume != "" && info.Volume != "", func() bool { return sameVolume(f.Volume, info.Volume) })
	c.add(pageField, f.FirstPage != "" && info.Pages+info.ELocation != "", func() bool { return samePage(f.FirstPage, info) })
	c.addAuthor(f.Author, a)
	c.addTitle(f, a)
	c.addID(doiField, CleanDOI(f.DOI), CleanDOI(a.DOI))
	c.addID(pmidField, f.PMID, a.PMID)
	c.addID(pmcidField, f.PMCID, a.PMCID)
	return c
}

func (c *Comparison) add(field string, both bool, agrees func() bool) {
	switch {
	case !both:
	case agrees():
		c.Score += weights[field].agrees
	default:
		c.Score -= weights[field].differs
		c.Differs = append(c.Differs, field)
	}
}

// addID counts an id if both have it. mine is that of the reference, theirs that of the record.
func (c *Comparison) addID(field, mine, theirs string) {
	same := strings.EqualFold(mine, theirs)
	c.add(field, mine != "" && theirs != "", func() bool { return same })
	c.Identified = c.Identified || same && mine != ""
}

// addAuthor compares the first author of a reference with all authors of the record. An unknown author is ignored if the record does not
// list all authors.
func (c *Comparison) addAuthor(author string, a *entity.Article) {
	if author == "" || len(a.Authors) == 0 {
		return
	}
	known := slices.ContainsFunc(a.Authors, ReadName(author).matches)
	if a.Book != nil {
		known = known || slices.ContainsFunc(slices.Concat(a.Book.Authors, a.Book.Editors), ReadName(author).matches)
	}
	c.add(authorField, known || !a.AuthorsIncomplete, func() bool { return known })
}

// addTitle compares titles. If no title was found in a text, the title of the record may be anywhere in the text.
func (c *Comparison) addTitle(f Fields, a *entity.Article) {
	titles := [][]string{recordTitle(a.Title), recordTitle(a.VernacularTitle)}
	mine, text := recordTitle(f.Title), words(f.Text)
	inText := slices.ContainsFunc(titles, func(title []string) bool { return len(title) >= inTextWords && overlap(title, text) >= 0.9 })
	same := slices.ContainsFunc(titles, func(title []string) bool { return sameTitle(mine, title) })
	c.add(titleField, a.Title != "" && (inText || len(mine) > 0 && (f.Text == "" || len(mine) >= inTextWords)),
		func() bool { return inText || same })
	exact := slices.ContainsFunc(titles,
		func(title []string) bool { return len(mine) <= len(title) && slices.Equal(mine, title[:len(mine)]) })
	c.ExactTitle = exact && len(Words(f.Title, minTitleWords)) == minTitleWords
	c.Identified = c.Identified || c.ExactTitle && !slices.Contains(c.Differs, authorField)
}

// minTitleWords is the minimum number of words, without those of nearly every title, of a title that identifies an article.
const minTitleWords = 5

// inTextWords is the minimum number of words of a title that is searched for in a text.
const inTextWords = 4

// recordTitle returns the words of a title without the remark that the article was retracted.
func recordTitle(title string) []string {
	list := words(title)
	if len(list) > 1 && list[0] == "retracted" {
		list = list[1:]
	}
	return list
}

// sameTitle reports whether titles have nearly the same words, or one of them begins with the other.
func sameTitle(mine, title []string) bool {
	if len(mine) == 0 || len(title) == 0 {
		return false
	}
	short := min(len(mine), len(title))
	if short >= 3 && slices.Equal(mine[:short], title[:short]) {
		return true
	}
	return slices.Equal(mine, title) || overlap(mine, title) >= 0.8 && overlap(title, mine) >= 0.8
}

// overlap returns the fraction of some words that are in others.
func overlap(some, others []string) float64 {
	left := map[string]int{}
	for _, word := range others {
		left[word]++
	}
	count := 0
	for _, word := range some {
		if left[word] > 0 {
			left[word]--
			count++
		}
	}
	return float64(count) / float64(len(some))
}

var yearPattern = lazyregexp.New(`\b(?:1[5-9]|20)[0-9]{2}\b`)

// yearsOf returns the years of the issue, or of the book and its chapter, and of the electronic publication.
func yearsOf(a *entity.Article) (years []string) {
	var dates []*entity.PublicationDate
	if a.JournalInfo != nil {
		dates = append(dates, a.JournalInfo.PublicationDate)
	}
	if a.Book != nil {
		dates = append(dates, a.Book.PublicationDate, a.Book.ContributionDate)
	}
	for _, d := range dates {
		if d != nil {
			years = append(years, yearPattern.FindAllString(strconv.Itoa(d.Year)+" "+d.MedlineDate, -1)...)
		}
	}
	return append(years, yearPattern.FindAllString(a.ElectronicDate, 1)...)
}

// samePage compares the first page, which may be an article number.
func samePage(page string, info *entity.JournalInfo) bool {
	first := FirstPage(page)
	return first != "" && (first == FirstPage(info.Pages) || first == FirstPage(info.ELocation))
}

// FirstPage returns the first page of a range, in lower case.
func FirstPage(pages string) string {
	first := pageSign.FindString(normalize(pageWord.ReplaceAllString(pages, "")))
	return cmp.Or(strings.TrimLeft(first, "0"), first)
}

// pageWord matches the word before a page. In P23 the letter may belong to the page.
var pageWord = lazyregexp.New(`^\s*(?:pp?|[Pp]p?\.|[Pp]ages?|[Aa]rticle)\s*(?:[Nn]o\.?\s*)?`)

var pageSign = lazyregexp.New(`[a-z]{0,5}[0-9]+(?:\.e?[0-9]+)?[a-z]{0,2}|[ivxlc]+`)

// Volume returns a volume without the word before it and without the issue: 373 for vol. 373(1).
func Volume(text string) string {
	text, _, _ = strings.Cut(volumeWord.ReplaceAllString(text, ""), "(")
	return strings.TrimSpace(text)
}

var volumeWord = lazyregexp.New(`(?i)^\s*vol(?:umes?)?\b\.?\s*`)

// sameVolume compares volumes. One of them may omit a supplement.
func sameVolume(volume, recorded string) bool {
	mine, theirs := words(Volume(volume)), words(Volume(recorded))
	if slices.Equal(mine, theirs) {
		return true
	}
	short := min(len(mine), len(theirs))
	return short > 0 && slices.Equal(mine[:short], theirs[:short]) &&
		slices.ContainsFunc(append(mine[short:], theirs[short:]...), func(word string) bool {
			return strings.HasPrefix(word, "sup") || word == "pt"
		})
}

// hasJournal reports whether a text contains the full title of the record's journal, which may contain a full stop.
func hasJournal(text string, info *entity.JournalInfo) bool {
	title := words(info.Title)
	return len(title) >= 3 && within(title, words(text))
}

// sameJournal compares a journal with the names of the record's journal: in full, abbreviated word by word, or as initials.
func sameJournal(journal string, info *entity.JournalInfo) bool {
	mine := journalWords(journal)
	for _, name := range []string{info.MedlineAbbreviation, info.ISOAbbreviation, info.Title} {
		theirs := journalWords(name)
		if len(mine) == 0 || len(theirs) == 0 {
			continue
		}
		if abbreviates(mine, theirs) || abbreviates(theirs, mine) || isInitials(mine, theirs) || isInitials(theirs, mine) {
			return true
		}
	}
	return info.ISSN != "" && strings.EqualFold(strings.TrimSpace(journal), info.ISSN)
}

// abbreviates reports whether each word of a name abbreviates the word of another: N Engl J Med. A word may also be contracted: Natl, Intl.
func abbreviates(short, long []string) bool {
	if len(short) != len(long) {
		return false
	}
	for i, word := range short {
		if !strings.HasPrefix(long[i], word) && !contracts(word, long[i]) {
			return false
		}
	}
	return true
}

// contracts reports whether the letters of a word occur in another in the same order, and both start with the same two letters.
func contracts(short, long string) bool {
	if len(short) < 3 || len(long) < 3 || short[:2] != long[:2] {
		return false
	}
	for _, letter := range short {
		i := strings.IndexRune(long, letter)
		if i < 0 {
			return false
		}
		long = long[i+len(string(letter)):]
	}
	return true
}

// isInitials reports whether a name is one word with the initials of another: NEJM, or PNAS for a name with more words.
func isInitials(short, long []string) bool {
	if len(short) != 1 || len(long) < 3 {
		return false
	}
	var letters strings.Builder
	for _, word := range long {
		letters.WriteString(string([]rune(word)[:1]))
	}
	return len(short[0]) >= 3 && strings.HasPrefix(letters.String(), short[0])
}

// Year returns the year in a text, or "".
func Year(text string) string { return yearPattern.FindString(text) }
