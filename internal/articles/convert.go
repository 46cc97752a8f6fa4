package articles

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/idconv"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// The types of ids of articles, in the order in which the converter is called.
const (
	pmidType       = idconv.PMID
	pmcidType      = idconv.PMCID
	doiType        = idconv.DOI
	manuscriptType = idconv.Manuscript
)

var idTypes = []string{pmidType, pmcidType, doiType, manuscriptType}

// The states of an id.
const (
	idFound     = "found"
	idNotInPMC  = "not_in_pmc"
	idUnknown   = "unknown"
	idMalformed = "malformed"
)

// An articleID is one id of a list.
type articleID struct {
	input string
	kind  string // empty: not an id
	value string // in the form of the sources
}

// ConvertArticleIds serves convertArticleIds.
func (s *Articles) ConvertArticleIds(
	ctx context.Context, args tools.ConvertArticleIdsArgs,
) (entity.Answer[entity.ArticleIdentifiers], error) {
	answer := entity.Answer[entity.ArticleIdentifiers]{Value: entity.ArticleIdentifiers{Items: []entity.ArticleIdentifier{}}}
	list := readArticleIdentifiers(args.Ids)
	if len(list) > idconvMax {
		return answer, envelope.Refuse("ids", strings.Join(args.Ids, ","), "takes at most %d ids, got %d", idconvMax, len(list)).
			Again(tools.ConvertArticleIds, "with at most %d of ids at a time", idconvMax)
	}
	found, err := s.convert(ctx, list, &answer.Notes)
	if err != nil {
		return answer, err
	}
	var unread []string
	for _, one := range list {
		item := entity.ArticleIdentifier{Status: idUnknown}
		switch known, answered := found[one.kind][strings.ToLower(one.value)]; {
		case one.kind == "":
			item.Status = idMalformed
		case answered && known == nil:
			unread = append(unread, one.input)
			continue
		case known != nil:
			item = *known
			item.Status = idFound
			if item.PMCID == "" {
				item.Status = idNotInPMC
			}
		}
		item.Input = one.input
		answer.Value.Items = append(answer.Value.Items, item)
	}
	if len(unread) > 0 {
		answer.Add("No source sent a readable record of " + entity.Cut(strings.Join(unread, ", "), 400) +
			": left out, and not unknown. Make the same call again in a minute.")
	}
	answer.Add(wordsNotice(list)...)
	return answer, nil
}

// wordsNotice names the tool for searching words or the articles of a trial, if the call has these instead of an id.
func wordsNotice(list []articleID) []string {
	for _, one := range list {
		if trial, ok := id.NCT.Read(one.input); ok {
			return []string{one.input + " is the id of a clinical trial. For its articles call " + tools.SearchPubMedArticles + " with " +
				tool.Object("queryTerm", trial+"[si]") + "."}
		}
		if one.kind == "" && isCitation(one.input) {
			return []string{"This is a citation: " + matchCall(one.input) + "."}
		}
		if words := strings.Fields(one.input); len(slices.DeleteFunc(slices.Clone(words), isNoID)) > 1 {
			return []string{envelope.Quoted(one.input) + " was read as one id. For each of its words call " + tools.ConvertArticleIds +
				" with " + tool.Object("ids", words) + "."}
		}
		if one.kind == "" && !strings.ContainsAny(one.input, "0123456789") && strings.ContainsFunc(one.input, unicode.IsLetter) {
			return []string{envelope.Quoted(one.input) + " is not an id of an article. To search by words call " +
				tools.SearchPubMedArticles +
				" with " +
				tool.Object("queryTerm", one.input) + "."}
		}
	}
	return nil
}

func isNoID(word string) bool { return readArticleID(word).kind == "" }

// readArticleIdentifiers splits texts that may list several ids.
func readArticleIdentifiers(texts []string) (list []articleID) {
	for _, text := range texts {
		for _, part := range idParts(entity.Clean(text)) {
			list = append(list, readArticleID(strings.TrimSpace(part)))
		}
	}
	return list
}

func readArticleID(text string) articleID {
	one := articleID{input: entity.Cut(text, 200)}
	kind, ids := id.Recognise(plainIDs(text))
	switch {
	case manuscript.MatchString(text):
		one.kind, one.value = manuscriptType, strings.ToUpper(text)
	case len(ids) != 1:
	case kind == id.PMID:
		one.kind, one.value = pmidType, ids[0]
	case kind == id.PMCID:
		one.kind, one.value = pmcidType, ids[0]
	case kind == id.DOI && !strings.Contains(ids[0], ","): // the converter would split it at the comma
		one.kind, one.value = doiType, ids[0]
	}
	return one
}

// foundIDs are the ids of articles, by type and key of the given id. An id about which nothing is known has nil.
type foundIDs map[string]map[string]*entity.ArticleIdentifier

// leaveOut records ids about which no source sent a readable record.
func (f foundIDs) leaveOut(kind string, ids []string) {
	for _, value := range ids {
		f[kind][strings.ToLower(value)] = nil
	}
}

// convert sends ids to the PMC ID Converter, and those that the converter does not know to the E-utilities, because the converter only
// knows articles in PMC. If the converter fails, it sends all ids to the E-utilities.
func (s *Articles) convert(ctx context.Context, list []articleID, notes *entity.Notes) (foundIDs, error) {
	byType := map[string][]string{}
	for _, one := range list {
		byType[one.kind] = append(byType[one.kind], one.value)
	}
	found := foundIDs{}
	failed := false
	for _, kind := range idTypes {
		ids := entity.Once(byType[kind])
		if len(ids) == 0 {
			continue
		}
		items, err := s.sources.IDConv.Convert(ctx, kind, ids, notes)
		unread, failure := source.Unread(ids, err)
		if failure != nil {
			unread = ids
		}
		if ctx.Err() != nil || kind == manuscriptType && len(byType) == 1 && len(unread) == len(ids) { // no other source has these
			return nil, err
		}
		if failure != nil && !failed {
			failed = true
			notes.Add(withoutConverter(err))
		}
		found[kind] = map[string]*entity.ArticleIdentifier{}
		maps.Copy(found[kind], items)
		if kind == manuscriptType {
			found.leaveOut(kind, unread)
		} else if kind == pmcidType && len(unread) > 0 {
			if err := s.fromPMC(ctx, unread, found, notes); err != nil {
				return nil, err
			}
		}
	}
	return found, s.fromPubMed(ctx, byType, found, notes)
}

// withoutConverter returns the notice that the PMC ID Converter did not answer.
func withoutConverter(err error) string {
	reason := "could not be queried"
	if errors.Is(err, source.ErrOff) {
		reason = "is switched off"
	}
	return "The PMC ID Converter " + reason + "; the ids are those of PubMed and PubMed Central, which may lack ids of manuscripts."
}

func (s *Articles) fromPMC(ctx context.Context, pmcids []string, found foundIDs, notes *entity.Notes) error {
	items, err := s.sources.FullTexts.IDs.GetAll(ctx, pmcids, notes)
	unread, err := source.Unread(pmcids, err)
	for pmcid, item := range items {
		found[pmcidType][strings.ToLower(pmcid)] = item
	}
	found.leaveOut(pmcidType, unread)
	return err
}

// fromPubMed adds the ids of articles that are not in PMC.
func (s *Articles) fromPubMed(ctx context.Context, byType map[string][]string, found foundIDs, notes *entity.Notes) error {
	missing := func(kind string) (left []string) {
		for _, value := range entity.Once(byType[kind]) {
			if found[kind][strings.ToLower(value)] == nil {
				left = append(left, value)
			}
		}
		return left
	}
	if dois := missing(doiType); len(dois) > 0 {
		briefs, err := s.findDOIs(ctx, orTerms(dois, doiTerm), dois, notes)
		if err != nil {
			return err
		}
		for doi, brief := range briefs {
			found[doiType][doi] = idsOf(brief)
		}
	}
	if pmcids := missing(pmcidType); len(pmcids) > 0 {
		briefs, err := s.findPMCIDs(ctx, pmcids, notes)
		if err != nil {
			return err
		}
		for pmcid, brief := range briefs {
			found[pmcidType][strings.ToLower(pmcid)] = idsOf(brief)
		}
	}
	if pmids := missing(pmidType); len(pmids) > 0 {
		briefs, err := s.sources.Articles.Briefs.GetAll(ctx, pmids, notes)
		unread, err := source.Unread(pmids, err)
		if err != nil {
			return err
		}
		found.leaveOut(pmidType, unread)
		for pmid, brief := range briefs {
			found[pmidType][pmid] = idsOf(brief)
		}
	}
	return nil
}

// findPMCIDs returns the articles that PubMed lists under some PMCIDs, by PMCID. PubMed Central does not give out all of them.
func (s *Articles) findPMCIDs(ctx context.Context, pmcids []string, notes *entity.Notes) (map[string]*entity.ArticleBrief, error) {
	_, briefs, err := s.briefsOf(ctx, orTerms(pmcids, id.PMCID.Value), notes)
	found := map[string]*entity.ArticleBrief{}
	for _, brief := range briefs {
		if slices.Contains(pmcids, brief.PMCID) {
			found[brief.PMCID] = brief
		}
	}
	return found, err
}

// briefsOf returns the summaries of the articles that a term finds, by PMID, and the search.
func (s *Articles) briefsOf(ctx context.Context, term string, notes *entity.Notes) (found entrez.Search,
	briefs map[string]*entity.ArticleBrief, err error) {
	hits, err := s.sources.Articles.Searches.Get(ctx, ncbi.ArticleSearch{Term: term, Sort: "relevance", Max: maxHits}, notes)
	if err != nil || len(hits.Search.IDs) == 0 {
		return found, nil, err
	}
	briefs, err = s.sources.Articles.Briefs.GetAll(ctx, hits.Search.IDs, notes)
	_, err = source.LeaveOut(hits.Search.IDs, err, notes)
	return hits.Search, briefs, err
}

func idsOf(brief *entity.ArticleBrief) *entity.ArticleIdentifier {
	return &entity.ArticleIdentifier{PMID: brief.PMID, PMCID: brief.PMCID, DOI: brief.DOI}
}

// maxHits limits the hits that are compared with DOIs: PubMed searches an unknown DOI as words, which may match many articles.
const maxHits = 400

func doiTerm(doi string) string { return id.DOI.Value(strings.ReplaceAll(doi, `"`, "")) }

// findDOIs returns the articles that match a term and have one of some DOIs, by DOI in lower case.
func (s *Articles) findDOIs(ctx context.Context, term string, dois []string, notes *entity.Notes) (map[string]*entity.ArticleBrief, error) {
	targets := map[string]bool{}
	for _, doi := range dois {
		targets[strings.ToLower(doi)] = true
	}
	search, briefs, err := s.briefsOf(ctx, term, notes)
	if err != nil {
		return nil, err
	}
	found := map[string]*entity.ArticleBrief{}
	for _, pmid := range search.IDs {
		if brief := briefs[pmid]; brief != nil && targets[strings.ToLower(brief.DOI)] {
			key := strings.ToLower(brief.DOI)
			found[key] = cmp.Or(found[key], brief)
		}
	}
	if search.Count > len(search.IDs) && len(found) < len(targets) {
		notes.Add(fmt.Sprintf("PubMed searched unknown DOIs as words and found %d articles; the first %d were compared.",
			search.Count, len(search.IDs)))
	}
	return found, nil
}
