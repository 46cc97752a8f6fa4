package articles

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/csvtable"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/articles"
	"github.com/biofact-mcp/biofact/internal/mapping/fulltext"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/tool"
)

const (
	notInPMC = "not_in_pmc" // the availability of an article that is not in PubMed Central
	tooLarge = "too_large"  // the outcome of a source whose text exceeds the limits of mapping/fulltext
)

// textAnswer is an answer of getArticleFullText.
type textAnswer = entity.Answer[entity.ArticleFullText]

// GetArticleFullText serves getArticleFullText.
func (s *Articles) GetArticleFullText(
	ctx context.Context, args tools.GetArticleFullTextArgs,
) (entity.Answer[entity.ArticleFullText], error) {
	var answer textAnswer
	kind, value, err := readTextID(args.Id)
	if err != nil {
		return answer, err
	}
	record, err := s.textRecord(ctx, kind, value, &answer.Notes)
	if err != nil {
		return answer, err
	}
	text, given, err := s.textOf(ctx, record, &answer.Notes)
	if err != nil {
		return answer, err
	}
	if !given {
		if record, err = s.listedInPubMed(ctx, value, &answer.Notes); err != nil {
			return answer, err
		}
		if text, _, err = s.textOf(ctx, record, &answer.Notes); err != nil {
			return answer, err
		}
		answer.Add("PubMed lists " + value + " for this article, and PubMed Central does not give it out.")
	}
	if slices.ContainsFunc(text.Tried, func(t entity.FullTextSource) bool { return t.Outcome == tooLarge }) {
		answer.Add("The full text is larger than this server reads. People can read it at https://pmc.ncbi.nlm.nih.gov/articles/" +
			text.PMCID + "/.")
	} else {
		answer.Add(availabilityNotice(text)...)
	}
	s.addRetraction(ctx, record, text.PMID, &answer.Notes)
	return answer, s.pageText(&answer, text, args)
}

func readTextID(text string) (kind *id.Kind, value string, err error) {
	words := entity.Clean(text)
	kind, ids := id.Recognise(words)
	known := kind == id.PMID || kind == id.PMCID || kind == id.DOI
	if known && len(ids) == 1 {
		return kind, ids[0], nil
	}
	e := envelope.Refuse("", text, "%s takes one PMID, PMCID or DOI, such as 26027431 or PMC7383595, not words or another kind of id",
		tools.GetArticleFullText).As(entity.UnresolvedEntity)
	if several := spacedIDs(words); len(several) > 1 && !known {
		known, ids = true, several
	}
	search := "words of its title"
	switch {
	case isCitation(words):
		return nil, "", e.Hint("This is a citation: %s, then %s with the PMID of the match.", matchCall(words), tools.GetArticleFullText)
	case known:
		return nil, "", envelope.Refuse("id", text, "takes one id, got a list of %d", len(ids)).
			Hint("%s", tool.OnceForEach(tools.GetArticleFullText+" again", "id", ids))
	case kind == id.NCT:
		search = tool.Object("queryTerm", ids[0]+"[si]")
	case kind == nil && entrez.Distinguishes(words) && envelope.MayFind(words):
		search = tool.Object("queryTerm", strings.Join(strings.Fields(words), " "))
	}
	return nil, "", e.Hint("Call searchPubMedArticles with %s, then %s with the PMID of a result.", search, tools.GetArticleFullText)
}

// textRecord returns PubMed's record of an article. For a PMCID, which needs no record, it returns only the id.
func (s *Articles) textRecord(ctx context.Context, kind *id.Kind, value string, notes *entity.Notes) (*entity.Article, error) {
	switch kind {
	case id.PMCID:
		return &entity.Article{PMCID: value}, nil
	case id.DOI:
		return s.recordOfDOI(ctx, value, notes)
	}
	record, found, err := s.article(ctx, value, notes)
	if err == nil && !found {
		err = envelope.NoArticle(tools.GetArticleFullText, value)
	}
	return record, err
}

// addRetraction adds a notice if the article was retracted. For a text requested by PMCID it reads the record.
func (s *Articles) addRetraction(ctx context.Context, record *entity.Article, pmid string, notes *entity.Notes) {
	if record.PMID == "" && pmid != "" {
		read, found, err := s.article(ctx, pmid, notes)
		if err != nil {
			notes.Add("PubMed could not be queried, so it is unknown whether the article was retracted.")
		}
		if found {
			record = read
		}
	}
	if record.Retracted {
		notes.Add("This article was retracted. Do not rely on it; corrections of fetchArticleDetails names the notice.")
	}
}

// article returns the record of an article. found is false if PubMed does not have it.
func (s *Articles) article(ctx context.Context, pmid string, notes *entity.Notes) (record *entity.Article, found bool, err error) {
	texts, err := s.sources.Articles.Texts.GetAll(ctx, []string{pmid}, notes)
	if err != nil || texts[pmid] == nil {
		return nil, false, err
	}
	read, err := s.sources.Articles.Read(texts[pmid])
	return &read, err == nil, err
}

// recordOfDOI returns the article with a DOI. PubMed searches an unknown DOI as words, so the DOI of each hit is compared. An article that
// is not in PubMed may be in PMC.
func (s *Articles) recordOfDOI(ctx context.Context, doi string, notes *entity.Notes) (*entity.Article, error) {
	found, err := s.findDOIs(ctx, doiTerm(doi), []string{doi}, notes)
	if err != nil {
		return nil, err
	}
	if brief := found[strings.ToLower(doi)]; brief != nil {
		record, found, err := s.article(ctx, brief.PMID, notes)
		if err == nil && !found { // the search and the summary have it
			record = &entity.Article{PMID: brief.PMID, PMCID: brief.PMCID, DOI: brief.DOI, Title: brief.Title}
			notes.Add("PubMed lists this article and sent no record of it, so it is unknown whether it was retracted.")
		}
		return record, err
	}
	ids, err := s.sources.IDConv.Convert(ctx, doiType, []string{doi}, notes)
	if err != nil && !errors.Is(err, source.ErrOff) {
		return nil, err
	}
	if item := ids[strings.ToLower(doi)]; item != nil {
		return &entity.Article{PMID: item.PMID, PMCID: item.PMCID, DOI: item.DOI}, nil
	}
	return nil, noText(id.DOI, doi)
}

// listedInPubMed returns PubMed's record of an article that PubMed Central does not have under its PMCID. It returns ENTITY_NOT_FOUND if
// PubMed does not list the PMCID either.
func (s *Articles) listedInPubMed(ctx context.Context, pmcid string, notes *entity.Notes) (*entity.Article, error) {
	briefs, err := s.findPMCIDs(ctx, []string{pmcid}, notes)
	if err != nil {
		return nil, err
	}
	if brief := briefs[pmcid]; brief != nil {
		if record, found, err := s.article(ctx, brief.PMID, notes); err != nil || found {
			return record, err
		}
	}
	return nil, noText(id.PMCID, pmcid)
}

// textOf returns the text of an article, or its abstract. It returns false if PMC has no article with the requested PMCID.
func (s *Articles) textOf(
	ctx context.Context, record *entity.Article, notes *entity.Notes,
) (text *entity.ArticleFullText, given bool, err error) {
	tried := []entity.FullTextSource{}
	var found *fulltext.Article
	if record.PMCID != "" {
		if found, tried, err = s.fullText(ctx, record.PMCID, notes); err != nil {
			return nil, false, err
		}
		if found == nil && record.PMID == "" {
			return nil, false, nil
		}
	}
	text = &entity.ArticleFullText{Availability: notInPMC, Title: record.Title}
	if found != nil {
		text = &found.ArticleFullText
		text.PMCID = cmp.Or(text.PMCID, record.PMCID)
	}
	text.Tried = tried
	text.PMID, text.DOI = cmp.Or(text.PMID, record.PMID), cmp.Or(text.DOI, record.DOI)
	if len(text.Sections) == 0 && record.AbstractText != "" {
		abstract := entity.TextSection{ID: "abstract", Title: "Abstract", Kinds: []string{"abstract"}, Text: record.AbstractText}
		text.Sections = []entity.TextSection{abstract}
		text.Outline = []entity.OutlineEntry{{ID: abstract.ID, Title: abstract.Title, Kinds: abstract.Kinds, Bytes: len(abstract.Text)}}
	}
	var numbers mapping.TrialNumbers
	for _, section := range text.Sections {
		numbers.Add(section.ID, section.Text)
	}
	for _, reference := range text.References {
		numbers.Add("references", reference.Text)
	}
	text.TrialNumbers = numbers.All
	return text, true, nil
}

// The sources of full texts, as named in answers.
const (
	pubMedCentral = "PubMed Central"
	europePMC     = "Europe PMC"
)

// fullText asks the sources of full texts in turn. It returns nil if PMC does not have the article. A source that fails is
// not treated as a source without the text.
func (s *Articles) fullText(ctx context.Context, pmcid string, notes *entity.Notes) (*fulltext.Article, []entity.FullTextSource, error) {
	first, err := s.sources.FullTexts.Texts.Get(ctx, pmcid, notes)
	tried := []entity.FullTextSource{{Source: pubMedCentral, Outcome: textOutcome(first, err)}}
	if err != nil && ctx.Err() != nil || err == nil && (first == nil || first.TooLarge || first.Availability == fulltext.FullText) {
		return first, tried, err
	}
	second, failure := s.sources.EuropePMC.FullText(ctx, pmcid, notes)
	tried = append(tried, entity.FullTextSource{Source: europePMC, Outcome: textOutcome(second, failure)})
	switch {
	case second != nil:
		return second, tried, nil
	case err != nil:
		return nil, tried, err
	case failure != nil && !errors.Is(failure, source.ErrOff):
		notes.Add("Europe PMC, which may have the full text, could not be queried: " + entity.AsError(failure).Message +
			" Make the same call again later.")
	}
	return first, tried, nil
}

// textOutcome returns the outcome of asking a source.
func textOutcome(text *fulltext.Article, err error) string {
	switch {
	case errors.Is(err, source.ErrOff):
		return "off"
	case err != nil:
		return "failed"
	case text == nil:
		return "not_found"
	case text.TooLarge:
		return tooLarge
	case text.Availability == fulltext.FullText:
		return "full_text"
	}
	return "withheld"
}

// noText returns the error for an id without an article.
func noText(kind *id.Kind, value string) *entity.Error {
	reason := "PubMed Central has no article %s"
	if kind == id.DOI {
		reason = "Neither PubMed nor PubMed Central has an article with the DOI %s"
	}
	return envelope.Refuse("", value, reason, value).As(entity.EntityNotFound).
		Hint("Check the id at its source. To find the article call searchPubMedArticles with words of its title, then %s with the "+
			"PMID of a result.", tools.GetArticleFullText)
}

// availabilityNotice says where to read a text that is not in the answer.
func availabilityNotice(text *entity.ArticleFullText) []string {
	where := ""
	if text.DOI != "" {
		where = " The publisher's page: https://doi.org/" + text.DOI
	}
	switch text.Availability {
	case fulltext.FullText:
		return nil
	case fulltext.AbstractOnly:
		return []string{"The publisher does not allow the full text to be read in this way; people can read it at " +
			"https://pmc.ncbi.nlm.nih.gov/articles/" + text.PMCID + "/." + where}
	}
	return []string{"PubMed Central does not have this article: the answer holds at most its abstract." + where}
}

func (s *Articles) pageText(answer *textAnswer, text *entity.ArticleFullText, args tools.GetArticleFullTextArgs) error {
	pager, err := pickText(answer, text, args)
	if err != nil {
		return err
	}
	query := []any{text.PMCID, text.PMID, args.Sections, args.Include, args.OutlineOnly}
	at, err := envelope.PageAt(tools.GetArticleFullText, query, args, args.Cursor)
	if err != nil {
		return err
	}
	same := *text
	same.Tried = nil // a source that failed may answer now, with the same text
	content, err := entity.JSON(same)
	if err != nil {
		return err
	}
	data := envelope.Checksum(string(content))
	if args.Cursor != "" && (at.Data != data || at.Seen >= pager.Units()) {
		answer.Add("The text has changed since the previous answer: this answer starts from the beginning.")
		at.Seen = 0
	}
	const cursorBytes = 250
	budget := min(args.MaxBytes, s.maxAnswer)
	page, next := pager.Page(at.Seen, budget, entity.Size(answer.Notices)+cursorBytes)
	if next < pager.Units() {
		token, err := envelope.Cursor{Query: at.Query, Seen: next, Data: data}.Encode()
		if err != nil {
			return err
		}
		page.Pagination = &entity.TextPagination{Cursor: token}
	}
	if answer.Value = page; args.TableFormat == "csv" {
		writeCSV(answer.Value.Tables, &answer.Notes)
	}
	return nil
}

// writeCSV writes the rows of tables as CSV.
func writeCSV(tables []entity.TextTable, notes *entity.Notes) {
	changed := 0
	for i := range tables {
		t := &tables[i]
		var out csvtable.Table
		for _, row := range slices.Concat(t.HeaderRows, t.Rows) {
			out.Row(row...)
		}
		t.CSV, t.HeaderRows, t.Rows = out.String(), nil, nil
		changed += out.Changed
	}
	if changed > 0 {
		notes.Add(fmt.Sprintf("Cells of csv that got an apostrophe before them, so that no spreadsheet runs them as formulas: %d.",
			changed))
	}
}

// pickText returns a pager for the requested part of a text.
func pickText(answer *textAnswer, text *entity.ArticleFullText, args tools.GetArticleFullTextArgs) (*fulltext.Pager, error) {
	parts := args.Include
	if len(parts) == 0 {
		parts = []string{textPart, fulltext.Tables, fulltext.Figures, fulltext.Supplements}
		if len(args.Sections) == 0 {
			parts = append(parts, fulltext.References)
		}
	}
	if args.OutlineOnly {
		parts = nil
	}
	within := func(string) bool { return true }
	if len(args.Sections) > 0 {
		picked, unknown := pickSections(text.Outline, args.Sections)
		unknown = slices.DeleteFunc(unknown, func(want string) bool {
			holds := headedWithin(text.Sections, want)
			if holds == nil {
				return false
			}
			picked[holds.ID] = true
			answer.Add(envelope.Quoted(want) + " is a heading within " + strings.TrimSpace(holds.ID+" "+holds.Title) +
				", which is the section here.")
			return true
		})
		switch {
		case len(picked) > 0:
			within = func(section string) bool { return picked[section] }
			if len(unknown) > 0 {
				answer.Add("The text has no section " + strings.Join(unknown, ", ") + ". The outline lists all sections." +
					partsHint(args, unknown))
			}
		case text.Availability != fulltext.FullText:
			answer.Add("sections was ignored: the full text of this article is not available.")
		default:
			return nil, noSection(text, args)
		}
	}
	if slices.Contains(parts, textPart) {
		return fulltext.NewPager(text, within, within, parts...), nil
	}
	return fulltext.NewPager(text, func(string) bool { return false }, within, parts...), nil
}
