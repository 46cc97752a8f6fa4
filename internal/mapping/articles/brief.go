package articles

import (
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

// briefAuthors is the number of authors in a brief.
const briefAuthors = 3

// ArticleBrief maps the ESummary of a publication to an entry of a list.
func ArticleBrief(s *entrez.ArticleSummary) entity.ArticleBrief {
	return entity.ArticleBrief{
		PMID:             text.CURIE(id.PMID, s.UID),
		Title:            text.FirstNonEmpty(s.Title, s.BookTitle),
		Authors:          authorLine(s.Authors, briefAuthors),
		Source:           briefSource(s),
		PubDate:          text.FirstNonEmpty(writtenDate(s.PubDate), sortDate(s.SortPubDate)),
		EPubDate:         writtenDate(s.EPubDate),
		DOI:              text.Clean(s.DOI),
		PMCID:            text.CURIE(id.PMCID, s.PMCID),
		PublicationTypes: text.CleanAll(s.PubTypes),
	}
}

// authorLine returns the names of at most most authors, with a full stop at the end. For a book without authors it names the editors.
func authorLine(all []entrez.SummaryAuthor, most int) string {
	var authors, editors []string
	for _, a := range all {
		if strings.EqualFold(text.Clean(a.Type), "Editor") {
			editors = append(editors, a.Name)
		} else {
			authors = append(authors, a.Name)
		}
	}
	names := text.CleanAll(authors)
	if len(names) == 0 {
		names = text.CleanAll(editors)
	}
	if len(names) > most {
		names = append(slices.Clone(names[:most]), "et al.")
	}
	return withFullStop(strings.Join(names, ", "))
}

// briefSource returns the journal, or the book of a chapter, and the date as printed: J Example Sci. 2023 Mar.
func briefSource(s *entrez.ArticleSummary) string {
	where := text.FirstNonEmpty(s.Source, s.FullJournalName)
	if where == "" && text.Clean(s.Title) != "" {
		where = text.Clean(s.BookTitle)
	}
	when := text.Clean(s.PubDate)
	if where == "" || when == "" {
		return where
	}
	return withFullStop(where) + " " + when
}

func withFullStop(text string) string {
	if text == "" || strings.HasSuffix(text, ".") {
		return text
	}
	return text + "."
}

var (
	// wordedDate matches a date in PubMed's form: a year, a month or season in words, a day. Of a range it matches the start.
	wordedDate = lazyregexp.New(`\b([12][0-9]{3})\b(?:\s+([A-Za-z]{3,})\b\.?(?:\s+([0-9]{1,2})\b)?)?`)

	numberedDate = lazyregexp.New(`^([12][0-9]{3})/([0-9]{2})/([0-9]{2})\b`)
)

// writtenDate converts a date in free form, such as 2025 Nov 27, 2025 Jan 1-15, 1998 Dec-1999 Jan or 2025 Spring, to YYYY-MM-DD or as much
// of it as is known. It returns "" if the text has no year.
func writtenDate(written string) string {
	d := wordedDate.FindStringSubmatch(text.Clean(written))
	if d == nil {
		return ""
	}
	return isoDate(entrez.Date{Year: d[1], Month: d[2], Day: d[3]})
}

// sortDate converts a date that PubMed writes for sorting. PubMed may have filled in the first day of a month, and January, so these are
// dropped.
func sortDate(written string) string {
	d := numberedDate.FindStringSubmatch(text.Clean(written))
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
