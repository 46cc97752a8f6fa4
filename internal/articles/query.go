package articles

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/ranges"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// sorts maps the orders of searchPubMedArticles to those of ESearch.
var sorts = map[string]string{"relevance": "relevance", "pub_date": "pub_date", "author": "Author", "journal_name": "JournalName"}

// An articleQuery is the search for a call.
type articleQuery struct {
	search  ncbi.ArticleSearch
	params  entity.ArticleSearchParameters
	words   articleTerm // without the filters
	day     string      // today, if the dates depend on it
	notices []string
}

// readArticleQuery builds the search for a call: the words, the dates and the filters in one term, as PubMed's web page does.
func readArticleQuery(args tools.SearchPubMedArticlesArgs) (q articleQuery, err error) {
	q.params = entity.ArticleSearchParameters{
		QueryTerm: args.QueryTerm, MaxResults: args.MaxResults, SortBy: args.SortBy,
		FilterByPublicationTypes: args.FilterByPublicationTypes, OpenAccess: args.OpenAccess, FetchBriefSummaries: args.FetchBriefSummaries,
		Preprints: args.Preprints,
	}
	if q.words, err = readArticleTerm(tools.SearchPubMedArticles, "queryTerm", args.QueryTerm); err != nil {
		return q, err
	}
	today := ranges.CalendarOf(envelope.CursorDay(args.Cursor))
	dates, completed, err := readDateRange(tools.SearchPubMedArticles, args.DateRange, today)
	if err != nil {
		return q, err
	}
	if err := excludedType(args); err != nil {
		return q, err
	}
	types, read, err := publicationTypes(splitTypes(args.FilterByPublicationTypes))
	if err != nil {
		return q, err
	}
	var filters []string
	if dates != nil {
		q.params.DateRange = dates
		filters = append(filters, within(*dates))
	}
	if types != "" {
		filters = append(filters, types)
	}
	if args.OpenAccess {
		filters = append(filters, `"pubmed pmc open access"[Filter]`)
	}
	q.search = ncbi.ArticleSearch{Term: q.words.and(filters...), Sort: sorts[args.SortBy], Max: args.MaxResults}
	if args.FetchBriefSummaries > 0 {
		q.search.Summaries = min(args.FetchBriefSummaries, args.MaxResults)
		if q.search.Summaries < args.FetchBriefSummaries {
			completed = append(completed, fmt.Sprintf("fetchBriefSummaries was cut to maxResults, %d.", q.search.Summaries))
		}
	}
	q.day = today.Day()
	q.notices = slices.Concat(q.words.notices, completed, read)
	return q, nil
}

func within(dates entity.ArticleDateRange) string {
	return dates.MinDate + ":" + dates.MaxDate + "[" + dates.DateType + "]"
}

// publicationTypes returns the expression for articles with one of some publication types. The notices name the types that were read
// differently.
func publicationTypes(types []string) (expression string, notices []string, err error) {
	var terms []string
	means := tool.WordsFor(tools.SearchPubMedArticles, "filterByPublicationTypes").Means
	for _, given := range types {
		name, _, _ := strings.Cut(given, "[") // a field tag
		name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(" \t\n\"]()*", r) }), " ")
		if !entrez.Distinguishes(name) {
			return "", nil, envelope.Refuse("filterByPublicationTypes", given, "%s is not a publication type", envelope.Quoted(given)).
				Again(tools.SearchPubMedArticles, "with types as PubMed names them, such as Review, Randomized Controlled Trial or "+
					"Meta-Analysis, or without filterByPublicationTypes")
		}
		if meant := means[entity.Fold(name)]; meant != nil {
			notices = append(notices, "filterByPublicationTypes: "+given+" was read as "+meant[0]+".")
			name = meant[0]
		}
		terms = append(terms, `"`+name+`"[Publication Type]`)
	}
	return strings.Join(terms, " OR "), notices, nil
}

// articleDate matches the dates that models write: 2023, 2023/04, 2023-04-05.
var articleDate = lazyregexp.New(`^[0-9]{4}(?:[/-][0-9]{1,2}(?:[/-][0-9]{1,2})?)?$`)

// readDateRange returns a range with both ends, which Entrez requires, or nil for no range.
func readDateRange(toolName string, given tools.SearchPubMedArticlesDateRange, today *ranges.Calendar) (dates *entity.ArticleDateRange,
	notices []string, err error) {
	if given.MinDate == "" && given.MaxDate == "" {
		return nil, nil, nil
	}
	dates = &entity.ArticleDateRange{MinDate: envelope.FirstDate, MaxDate: envelope.LastDate, DateType: given.DateType}
	from, to := entrezDate{}, entrezDate{last: time.Date(3000, 1, 1, 0, 0, 0, 0, time.UTC)}
	if given.MinDate != "" {
		if from, err = readDate(toolName, minDate, given.MinDate, today); err != nil {
			return nil, nil, err
		}
		dates.MinDate, notices = from.text, from.readAs(minDate, given.MinDate)
	} else {
		notices = append(notices, "dateRange had no minDate and was completed: it begins with "+envelope.FirstDate+".")
	}
	if given.MaxDate != "" {
		if to, err = readDate(toolName, maxDate, given.MaxDate, today); err != nil {
			return nil, nil, err
		}
		dates.MaxDate, notices = to.text, append(notices, to.readAs(maxDate, given.MaxDate)...)
	} else {
		notices = append(notices, "dateRange had no maxDate and was completed: it is open to the future, to "+envelope.LastDate+".")
	}
	if from.first.After(to.last) {
		return nil, nil, envelope.Refuse("dateRange", given.MinDate+" to "+given.MaxDate, "minDate is after maxDate").
			Again(toolName, `with {"dateRange":{"minDate":%q,"maxDate":%q}}`, dates.MaxDate, dates.MinDate)
	}
	return dates, notices, nil
}

// dateForms are the formats of dates by the number of their parts, with the length of time of each.
var dateForms = [...]struct {
	read, write         string
	years, months, days int
}{
	{"2006", "2006", 1, 0, 0},
	{"2006/1", "2006/01", 0, 1, 0},
	{"2006/1/2", "2006/01/02", 0, 0, 1},
}

// The ends of a range, as messages name them.
const (
	minDate = "dateRange.minDate"
	maxDate = "dateRange.maxDate"
)

// An entrezDate is a date in Entrez format, and its first and last day.
type entrezDate struct {
	text        string
	first, last time.Time
}

// readAs returns a notice about a date that was given in words.
func (d entrezDate) readAs(name, given string) []string {
	if articleDate.MatchString(strings.TrimSpace(given)) {
		return nil
	}
	return []string{name + ": " + envelope.Quoted(given) + " was read as " + d.text + "."}
}

// readDate returns a date. Of a period in words, such as last month, the date is the first day for minDate, else the last.
func readDate(toolName, name, text string, today *ranges.Calendar) (d entrezDate, err error) {
	if articleDate.MatchString(strings.TrimSpace(text)) {
		parts := strings.Split(strings.ReplaceAll(strings.TrimSpace(text), "-", "/"), "/")
		form := dateForms[len(parts)-1]
		if first, err := time.Parse(form.read, strings.Join(parts, "/")); err == nil && first.Year() >= 1000 {
			return entrezDate{first.Format(form.write), first, first.AddDate(form.years, form.months, form.days).AddDate(0, 0, -1)}, nil
		}
	}
	if period, err := today.Dates(text); err == nil && period.From != "" && period.To != "" {
		d.first, _ = time.Parse(time.DateOnly, period.From)
		d.last, _ = time.Parse(time.DateOnly, period.To)
		if d.text = d.last.Format(entrezDay); name == minDate {
			d.text = d.first.Format(entrezDay)
		}
		return d, nil
	}
	return d, envelope.Refuse(name, text, "%s is not a date of the form YYYY, YYYY/MM or YYYY/MM/DD", envelope.Quoted(text)).
		Again(toolName, "with dates such as 2020, 2020/06 or 2020/06/30 in dateRange")
}

const entrezDay = "2006/01/02"
