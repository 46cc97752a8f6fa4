package articles

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/europepmc"
)

const (
	maxPreprints = 25  // in an answer
	maxCounted   = 100 // articles in a request: their ids are in its address
)

// withoutEuropePMC returns the notice that Europe PMC gave no answer, with the part that is missing for it.
func withoutEuropePMC(err error, missing string) string {
	if errors.Is(err, source.ErrOff) {
		return europePMC + " is switched off here: " + missing
	}
	return europePMC + " did not answer: " + missing
}

// citedBy returns the numbers of articles that cite some articles, by PMID, if the call asks for them. Without an answer of Europe PMC they
// are absent, and a notice says so.
func (s *Articles) citedBy(ctx context.Context, pmids []string, args tools.FetchArticleDetailsArgs,
	notes *entity.Notes) (map[string]*int, error) {
	counts := map[string]*int{}
	if !args.CitedBy {
		return counts, nil
	}
	for some := range slices.Chunk(pmids, maxCounted) {
		terms := orTerms(some, func(pmid string) string { return "EXT_ID:" + pmid })
		search := europepmc.Search{Query: "SRC:MED AND (" + terms + ")", Size: len(some)}
		found, err := s.sources.EuropePMC.Search(ctx, search, notes)
		if errors.Is(ctx.Err(), context.Canceled) {
			return nil, err
		}
		if err != nil {
			notes.Add(withoutEuropePMC(err, "the numbers of citations are missing here."))
			return counts, nil
		}
		for _, a := range found.Articles {
			counts[a.PMID] = a.CitedBy
		}
	}
	unknown := slices.DeleteFunc(slices.Clone(pmids), func(pmid string) bool { return counts[pmid] != nil })
	if len(unknown) > 0 {
		notes.Add(europePMC + " gives no number of citations of " + strings.Join(unknown, ", ") + ".")
	}
	return counts, nil
}

// preprintWord matches a part of a query that Europe PMC reads as PubMed does: a phrase, a word, AND, OR, NOT or a parenthesis.
var preprintWord = lazyregexp.New(`"[^"]+"|[()]|[\p{L}\p{N}][\p{L}\p{N}'._-]*`)

// preprintQuery returns the query of Europe PMC for a query of PubMed; "" if it has fields of PubMed, or ids.
func preprintQuery(q articleQuery) string {
	if q.words.ids || strings.Contains(q.words.given, "[") {
		return ""
	}
	parts := preprintWord.FindAllString(strings.NewReplacer("“", `"`, "”", `"`).Replace(q.words.given), -1)
	if strings.Count(strings.Join(parts, ""), "(") != strings.Count(strings.Join(parts, ""), ")") {
		parts = slices.DeleteFunc(parts, func(part string) bool { return part == "(" || part == ")" })
	}
	query := "SRC:PPR AND (" + strings.Join(parts, " ") + ")"
	if dates := q.params.DateRange; dates != nil && dates.DateType == "pdat" {
		from, _ := days(dates.MinDate)
		_, until := days(dates.MaxDate)
		query += " AND FIRST_PDATE:[" + from + " TO " + until + "]"
	}
	if q.params.OpenAccess {
		query += " AND OPEN_ACCESS:y"
	}
	return query
}

// days returns the first and the last day of a date of Entrez.
func days(date string) (first, last string) {
	form := dateForms[strings.Count(date, "/")]
	day, _ := time.Parse(form.write, date) // it was read
	return day.Format(time.DateOnly), day.AddDate(form.years, form.months, form.days).AddDate(0, 0, -1).Format(time.DateOnly)
}

// addPreprints adds the first preprints that match a search.
func (s *Articles) addPreprints(ctx context.Context, answer *entity.Answer[entity.ArticleSearch], q articleQuery) error {
	query := preprintQuery(q)
	if query == "" {
		answer.Add("Preprints were not searched: " + europePMC + " does not know the fields of PubMed. Call " + tools.SearchPubMedArticles +
			" with words alone.")
		return nil
	}
	search := europepmc.Search{Query: query, Size: min(maxPreprints, q.params.MaxResults), Links: true}
	found, err := s.sources.EuropePMC.Search(ctx, search, &answer.Notes)
	if errors.Is(ctx.Err(), context.Canceled) {
		return err
	}
	if err != nil {
		answer.Add(withoutEuropePMC(err, "preprints are missing here."))
		return nil
	}
	for _, a := range found.Articles {
		answer.Value.Preprints = append(answer.Value.Preprints, entity.Preprint{
			DOI: a.DOI, PMID: a.PMID, Title: a.Title, Authors: a.Authors, Server: a.Journal, Date: a.Date, PublishedPMID: a.Published,
		})
	}
	if len(found.Articles) == 0 {
		answer.Add(europePMC + " finds no preprint with these words.")
		return nil
	}
	answer.Add(fmt.Sprintf("%s finds %d preprints; %d are shown. Preprints are not reviewed: where publishedPmid names the "+
		"version that a journal published, read that one.", europePMC, found.Total, len(found.Articles)))
	if len(q.params.FilterByPublicationTypes) > 0 || q.params.DateRange != nil && q.params.DateRange.DateType != "pdat" {
		answer.Add("filterByPublicationTypes, and dates that are not pdat, do not narrow preprints.")
	}
	return nil
}
