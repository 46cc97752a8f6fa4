package mapping

import (
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// briefAuthors is how many authors a brief names.
const briefAuthors = 3

// ArticleBrief maps the ESummary of a publication to what a list of hits shows
// of it.
func ArticleBrief(s *entrez.ArticleSummary) entity.ArticleBrief {
	return entity.ArticleBrief{
		PMID:             curie(id.PMID, s.UID),
		Title:            briefTitle(s),
		Authors:          authorLine(s.Authors, briefAuthors),
		Source:           briefSource(s),
		PubDate:          firstNonEmpty(writtenDate(s.PubDate), sortDate(s.SortPubDate)),
		EPubDate:         writtenDate(s.EPubDate),
		DOI:              plain(s.DOI),
		PMCID:            curie(id.PMCID, s.PMCID),
		PublicationTypes: plains(s.PubTypes),
	}
}

func briefTitle(s *entrez.ArticleSummary) string { return firstNonEmpty(s.Title, s.BookTitle) }

// authorLine names the first authors, up to most of them, and ends in a full
// stop. The editors of a book stand for authors only where it has none.
func authorLine(all []entrez.SummaryAuthor, most int) string {
	var authors, editors []string
	for _, a := range all {
		if strings.EqualFold(plain(a.Type), "Editor") {
			editors = append(editors, a.Name)
		} else {
			authors = append(authors, a.Name)
		}
	}
	names := plains(authors)
	if len(names) == 0 {
		names = plains(editors)
	}
	if len(names) > most {
		names = append(slices.Clone(names[:most]), "et al.")
	}
	return withFullStop(strings.Join(names, ", "))
}

// briefSource is the journal, or the book of a part of one, and the date as
// printed: J Example Sci. 2023 Mar.
func briefSource(s *entrez.ArticleSummary) string {
	where := firstNonEmpty(s.Source, s.FullJournalName)
	if where == "" && plain(s.Title) != "" {
		where = plain(s.BookTitle)
	}
	when := plain(s.PubDate)
	if where == "" || when == "" {
		return where
	}
	return withFullStop(where) + " " + when
}

// stopped ends a text with a full stop.
func withFullStop(text string) string {
	if text == "" || strings.HasSuffix(text, ".") {
		return text
	}
	return text + "."
}

var (
	// A date in PubMed's words: a year, a month or season in words, a day. Of a
	// span it is the beginning.
	wordedDate = lazyregexp.New(`\b([12][0-9]{3})\b(?:\s+([A-Za-z]{3,})\b\.?(?:\s+([0-9]{1,2})\b)?)?`)

	numberedDate = lazyregexp.New(`^([12][0-9]{3})/([0-9]{2})/([0-9]{2})\b`)
)

// writtenDate reads the free form of dates, 2025 Nov 27, 2025 Jan 1-15,
// 1998 Dec-1999 Jan or 2025 Spring, as YYYY-MM-DD or as much of it as is told;
// "" where no year is.
func writtenDate(text string) string {
	d := wordedDate.FindStringSubmatch(plain(text))
	if d == nil {
		return ""
	}
	return isoDate(entrez.Date{Year: d[1], Month: d[2], Day: d[3]})
}

// sortDate reads a date that is made for sorting. Its first of a month, and its
// January, may be filled in, so they are not taken for told.
func sortDate(text string) string {
	d := numberedDate.FindStringSubmatch(plain(text))
	if d == nil {
		return ""
	}
	date := entrez.Date{Year: d[1], Month: d[2], Day: d[3]}
	if date.Day == "01" {
		date.Day = ""
		if date.Month == "01" {
			date.Month = ""
		}
	}
	return isoDate(date)
}
