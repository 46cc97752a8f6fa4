package reference

import (
	"cmp"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// The results of a comparison.
const (
	Same      = "same"
	Different = "different"
	NotFound  = "not_found"
	Unknown   = "unknown"
)

// A Statement is the claim of a reference about one part of a record, beside the words of the record.
type Statement struct{ What, Claim, Source, Result string }

// Statements compares all that a reference says with a record, in the order of a reference. A part that it does not name has no entry.
// The record helps to divide a text into its parts, so that no style of reference has to be known.
func Statements(text string, a *entity.Article) []Statement {
	f, parts := beside(text, a)
	info := cmp.Or(a.JournalInfo, &entity.JournalInfo{})
	var list []Statement
	add := func(what, claim, source string, same bool) {
		claim = strings.TrimSpace(claim)
		switch {
		case claim == "":
		case same:
			list = append(list, Statement{what, claim, source, Same})
		case source == "":
			list = append(list, Statement{what, claim, "", NotFound})
		default:
			list = append(list, Statement{what, claim, source, Different})
		}
	}
	if authors := parts.authors; len(nameTokens(authors)) > 0 && len(a.Authors) > 0 {
		read, _, ok := walkAuthors(authors, a)
		list = append(list, Statement{"author", strings.Trim(authors, " ,;:&"), authorLine(a, read+2), Same})
		if last := &list[len(list)-1]; !ok && a.AuthorsIncomplete {
			last.Result = NotFound
		} else if !ok {
			last.Result = Different
		}
	}
	add("title", f.Title, a.Title, parts.exactTitle || likeTitle(f.Title, a))
	add("journal", f.Journal, journalLine(info), sameJournal(f.Journal, info))
	years := yearsOf(a)
	add("year", f.Year, strings.Join(entity.Once(years), ", "), slices.Contains(years, f.Year))
	add("volume", f.Volume, info.Volume, sameVolume(f.Volume, info.Volume))
	add("issue", f.Issue, info.Issue, sameIssue(f.Issue, info.Issue))
	add("pages", cmp.Or(f.Pages, f.FirstPage), cmp.Or(info.Pages, info.ELocation), samePages(cmp.Or(f.Pages, f.FirstPage), info))
	add("doi", f.DOI, a.DOI, strings.EqualFold(CleanDOI(f.DOI), a.DOI))
	add("pmid", f.PMID, a.PMID, f.PMID == a.PMID)
	add("pmcid", f.PMCID, a.PMCID, f.PMCID == a.PMCID)
	return list
}

// parts are the parts of a reference that its record found.
type parts struct {
	authors    string
	exactTitle bool
}

// beside reads a reference with the help of its record.
func beside(text string, a *entity.Article) (f Fields, p parts) {
	f = Parse(text)
	if f.Text == "" { // a record of a reference manager
		return f, parts{authors: cmp.Or(f.Authors, f.Author), exactTitle: titleSpan(f.Title, a) == [2]int{0, len(f.Title)}}
	}
	g := Fields{Text: f.Text}
	rest := typography.Replace(plainMarkup(f.Text))
	rest = g.takeIDs(numbering.ReplaceAllString(rest, ""))
	rest = strings.TrimSpace(tails.ReplaceAllString(retractedRemark.ReplaceAllString(rest, ""), " "))
	at := titleSpan(rest, a)
	p.exactTitle = at[1] > at[0]
	if !p.exactTitle {
		read, end, ok := walkAuthors(rest, a)
		if read == 0 || !ok && !endsAuthors(rest[end:]) {
			return f, parts{authors: f.Author}
		}
		end += len(afterAuthors.FindString(rest[end:]))
		at = [2]int{end, end}
	}
	p.authors = apaYear.ReplaceAllString(rest[:at[0]], " ")
	if year := apaYear.FindStringSubmatch(rest[:at[0]]); year != nil {
		g.Year = year[1]
	}
	inner := Fields{}
	head := inner.takePosition(" " + rest[at[1]:])
	g.Volume, g.Issue, g.FirstPage, g.Pages, g.Year = inner.Volume, inner.Issue, inner.FirstPage, inner.Pages, cmp.Or(g.Year, inner.Year)
	head = withoutMarks(dateEnd.ReplaceAllString(head, ""))
	if p.exactTitle {
		g.Title, g.Journal = rest[at[0]:at[1]], strings.TrimPrefix(head, "In: ")
		if inner.Volume == "" {
			g.Journal = sentences(g.Journal)[0]
		}
		return g, p
	}
	g.Title, g.Journal = cutJournal(head, cmp.Or(a.JournalInfo, &entity.JournalInfo{}))
	return g, p
}

// withoutMarks returns a text without the punctuation around it. A parenthesis stays if both of its ends do.
func withoutMarks(text string) string {
	text = strings.Trim(text, " .,;:\"'")
	if strings.Count(text, "(") != strings.Count(text, ")") {
		text = strings.Trim(text, " .,;:\"'()")
	}
	return text
}

// afterAuthors matches the end of a list of authors: et al., a year, and punctuation.
var afterAuthors = lazyregexp.New(`^(?i)[\s,;&.]*(?:et al\b\.?|and (?:others|colleagues)\b)?[\s.,;:]*(?:\((?:1[89]|20)[0-9]{2}[^)]{0,20}\))?[\s.,;:"]*`)

// endsAuthors reports whether a list of authors may end before a text.
func endsAuthors(text string) bool {
	return strings.HasPrefix(text, ".") || strings.HasPrefix(strings.TrimLeft(text, " .,"), "(") || strings.HasPrefix(text, ",") ||
		strings.TrimSpace(afterAuthors.FindString(text)) != ""
}

// cutJournal divides a text into a title and a journal: at the name of the journal of the record, else at the last end of a sentence.
func cutJournal(text string, info *entity.JournalInfo) (title, journal string) {
	for _, name := range []string{info.MedlineAbbreviation, info.ISOAbbreviation, info.Title} {
		folded, offsets := fold(text)
		suffix, _ := fold(name)
		if suffix != "" && strings.HasSuffix(folded, suffix) && len(folded) > len(suffix) {
			from := offsets[len(folded)-len(suffix)]
			return strings.Trim(text[:from], " .,;:\""), text[from:]
		}
	}
	list := sentences(text)
	last := len(list) - 1
	return strings.Trim(strings.Join(list[:max(last, 1)], ". "), " .,;:\""), strings.Join(list[max(last, 1):], "")
}

// journalLine returns the names of a journal.
func journalLine(info *entity.JournalInfo) string {
	names := entity.Once([]string{info.ISOAbbreviation, info.Title})
	if len(names) == 2 {
		return names[0] + " (" + names[1] + ")"
	}
	return strings.Join(names, "")
}

// sameIssue compares issues by their letters and digits. One of them may name a supplement or a part in other words.
func sameIssue(issue, recorded string) bool {
	mine, _ := fold(issueWord.ReplaceAllString(issue, ""))
	theirs, _ := fold(issueWord.ReplaceAllString(recorded, ""))
	return mine != "" && mine == theirs || strings.Contains(strings.ToLower(issue+recorded), "sup")
}

var issueWord = lazyregexp.New(`(?i)\b(?:no|nos|issue|iss|nr|number|pt)\b\.?\s*`)

// samePages compares the first page, and the last one where both give it.
func samePages(pages string, info *entity.JournalInfo) bool {
	first, last := span(pages)
	for _, recorded := range append(strings.FieldsFunc(info.Pages, func(r rune) bool { return r == ',' || r == ';' }), info.ELocation) {
		from, until := span(recorded)
		if from != "" && first == from && (last == "" || until == "" || last == until) {
			return true
		}
	}
	return false
}

// span returns the first and the last page of a range, both complete: 957-61 is 957 to 961, H1270-80 is H1270 to H1280.
func span(pages string) (first, last string) {
	pages = pageWord.ReplaceAllString(typography.Replace(pages), "")
	from, until, several := strings.Cut(strings.ReplaceAll(pages, "--", "-"), "-")
	first, _ = fold(from)
	first = strings.TrimLeft(first, "0")
	if !several {
		return first, ""
	}
	last, _ = fold(until)
	letters := strings.TrimRight(first, "0123456789")
	digits := strings.TrimPrefix(first, letters)
	last = strings.TrimPrefix(strings.TrimLeft(last, "0"), letters)
	if len(last) < len(digits) && strings.Trim(last, "0123456789") == "" {
		last = digits[:len(digits)-len(last)] + last
	}
	return first, letters + last
}

// Fits reports how well a reference says what a record has: whether the title is the same, and how many of first author and year are.
func Fits(list []Statement) (title bool, others int) {
	for _, s := range list {
		switch {
		case s.Result != Same:
		case s.What == "title":
			title = true
		case s.What == "author" || s.What == "year":
			others++
		}
	}
	return title, others
}
