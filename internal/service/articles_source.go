package service

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/gen/eutils"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/mapping"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// articleSource reads PubMed through the E-utilities.
type articleSource struct {
	shelf
	*ncbi
	records   *upstream.Batch[exchange]              // by PMID
	medline   *upstream.Batch[exchange]              // by PMID
	summaries *upstream.Batch[exchange]              // by PMID
	links     map[linkKind]*upstream.Batch[exchange] // by PMID
	searches  *upstream.Batch[exchange]              // by an articleQuery
	info      *upstream.Batch[exchange]              // of the database
}

// An articleText is the record of one article as PubMed writes it.
type articleText struct {
	Text string `json:"text"`
}

func (t *articleText) whole() bool { return t.Text != "" }

// An articleQuery is what one search asks for: ids, and the summaries of the
// first of them, which are read from the same result.
type articleQuery struct {
	Params    eutils.ESearchParams `json:"params"`
	Summaries int                  `json:"summaries"`
}

// articleHits is what is kept of a search.
type articleHits struct {
	Search    entrez.Search         `json:"search"`
	Summaries []entity.ArticleBrief `json:"summaries,omitempty"`
}

// articleLinks are the articles that one article is linked to, without itself.
type articleLinks struct {
	Total int           `json:"total"`
	Links []articleLink `json:"links"` // the first ones
}

type articleLink struct {
	PMID  string   `json:"pmid"`
	Score *float64 `json:"score,omitempty"` // from 0 to 1
}

// A linkKind is a kind of links from article to article.
type linkKind struct{ name, command string }

// The links from article to article.
var (
	similarScored = linkKind{"pubmed_pubmed", "neighbor_score"}
	similar       = linkKind{"pubmed_pubmed", "neighbor"}
	citedIn       = linkKind{"pubmed_pubmed_citedin", "neighbor"}
	references    = linkKind{"pubmed_pubmed_refs", "neighbor"}
)

const (
	articleFormat  = 1   // changes with what is kept of articles, which is not the mapping
	maxArticles    = 200 // NCBI wants a POST for more
	keptLinks      = 100 // an article may be cited by tens of thousands
	pubmedDatabase = "pubmed"
)

func newArticleSource(n *ncbi) *articleSource {
	s := &articleSource{shelf: n.shelf(pubmedDatabase, articleFormat), ncbi: n, links: map[linkKind]*upstream.Batch[exchange]{}}
	s.records = n.batch(&s.shelf, maxArticles, "record", s.fetchRecords)
	s.medline = n.batch(&s.shelf, maxArticles, "medline", s.fetchMEDLINE)
	s.summaries = n.batch(&s.shelf, maxSummaries, "summary", s.fetchSummaries)
	for _, kind := range []linkKind{similarScored, similar, citedIn, references} {
		s.links[kind] = n.batch(&s.shelf, maxLinked, kind.key(), func(ctx context.Context, pmids []string) (map[string]exchange, error) {
			return s.fetchLinks(ctx, kind, pmids)
		})
	}
	s.searches = n.batch(&s.shelf, 1, kindSearch, s.fetchSearch)
	s.info = n.batch(&s.shelf, 1, "info", s.fetchInfo)
	return s
}

func (k linkKind) key() string { return k.command + " " + k.name }

// texts reads the XML of some articles, each a whole element of a
// PubmedArticleSet. A PMID without a record is not among them.
func (s *articleSource) texts(ctx context.Context, pmids []string, p *entity.Provenance) (map[string]*articleText, []string, error) {
	return readAll[articleText](ctx, &s.shelf, s.records, "record", pmids, p)
}

// medlineTexts reads some articles in MEDLINE format.
func (s *articleSource) medlineTexts(ctx context.Context, pmids []string, p *entity.Provenance) (map[string]*articleText, []string, error) {
	return readAll[articleText](ctx, &s.shelf, s.medline, "medline", pmids, p)
}

// briefs reads the document summaries of some articles.
func (s *articleSource) briefs(ctx context.Context, pmids []string, p *entity.Provenance) (map[string]*entity.ArticleBrief, []string, error) {
	return readAll[entity.ArticleBrief](ctx, &s.shelf, s.summaries, "summary", pmids, p)
}

// linked reads the links of one kind. NCBI answers alike for an article without
// links and for no article.
func (s *articleSource) linked(ctx context.Context, kind linkKind, pmid string, p *entity.Provenance) (*articleLinks, []string, error) {
	links, notices, err := read[articleLinks](ctx, &s.shelf, s.links[kind], kind.key(), pmid, p)
	if err == nil && links == nil {
		links = &articleLinks{}
	}
	return links, notices, err
}

// search makes a search.
func (s *articleSource) search(ctx context.Context, q articleQuery, p *entity.Provenance) (*articleHits, []string, error) {
	question, err := json.Marshal(q)
	if err != nil {
		return nil, nil, err
	}
	return read[articleHits](ctx, &s.shelf, s.searches, kindSearch, string(question), p)
}

// about reads what EInfo tells of PubMed.
func (s *articleSource) about(ctx context.Context, p *entity.Provenance) (*entrez.Info, []string, error) {
	return read[entrez.Info](ctx, &s.shelf, s.info, "info", pubmedDatabase, p)
}

// fetchSearch makes a search and, where summaries are wanted, reads them from
// its result at the history server: they are those of this very result.
func (s *articleSource) fetchSearch(ctx context.Context, questions []string) (map[string]exchange, error) {
	var q articleQuery
	if err := json.Unmarshal([]byte(questions[0]), &q); err != nil {
		return nil, err
	}
	found, made, err := s.eSearch(ctx, &q.Params)
	if err != nil {
		return nil, err
	}
	if found.Count > 0 && len(found.IDs) == 0 { // at least one is asked for
		return nil, nonsense(ncbiName, errors.New("an ESearch with hits and without their ids"))
	}
	hits := articleHits{Search: found}
	if first := found.IDs[:min(q.Summaries, len(found.IDs))]; len(first) > 0 {
		briefs, requests, err := s.summariesOf(ctx, found, first)
		if err != nil {
			return nil, err
		}
		made.requests += requests
		for _, pmid := range first {
			if brief, ok := briefs[pmid]; ok {
				hits.Summaries = append(hits.Summaries, brief)
			}
		}
	}
	hits.Search.WebEnv, hits.Search.QueryKey = "", 0 // NCBI forgets them sooner than we do
	made.value, err = entity.JSON(hits)
	return map[string]exchange{questions[0]: made}, err
}

// summariesOf reads the summaries of the first articles of a search from its
// history or, where NCBI has none or has forgotten it, by PMID.
func (s *articleSource) summariesOf(ctx context.Context, found entrez.Search, first []string) (map[string]entity.ArticleBrief, int, error) {
	lost := 0
	if found.WebEnv != "" && found.QueryKey > 0 {
		briefs, _, made, err := s.eSummary(ctx, &eutils.ESummaryParams{
			Db: pubmedDatabase, Retmode: jsonMode, Version: new(eutils.Version("2.0")),
			WebEnv: &found.WebEnv, QueryKey: new(strconv.Itoa(found.QueryKey)), Retstart: new(0), Retmax: new(len(first)),
		})
		if !wasRefused(err) {
			return briefs, made.requests, err
		}
		lost = made.requests
	}
	briefs, _, made, err := s.eSummary(ctx, summaryParams(first))
	return briefs, lost + made.requests, err
}

// summaryParams ask for the document summaries of some articles.
func summaryParams(pmids []string) *eutils.ESummaryParams {
	return &eutils.ESummaryParams{Db: pubmedDatabase, Retmode: jsonMode, Version: new(eutils.Version("2.0")), Id: &pmids}
}

// eSummary reads document summaries, and the ids that have none. A document that
// cannot be read is among neither.
func (s *articleSource) eSummary(ctx context.Context, params *eutils.ESummaryParams) (map[string]entity.ArticleBrief, []string, exchange, error) {
	body, made, err := readEUtils(s.client.ESummary(ctx, params))
	if err != nil {
		return nil, nil, made, err
	}
	documents, missing, err := entrez.ReadSummaries(body)
	if err == nil && len(documents)+len(missing) == 0 {
		err = errors.New("an ESummary without documents")
	}
	if err != nil {
		return nil, nil, made, nonsense(ncbiName, err)
	}
	briefs := map[string]entity.ArticleBrief{}
	for pmid, document := range documents {
		if summary, err := entrez.ReadArticleSummary(document); err == nil {
			briefs[pmid] = mapping.ArticleBrief(summary)
		}
	}
	return briefs, missing, made, nil
}

func (s *articleSource) fetchSummaries(ctx context.Context, pmids []string) (map[string]exchange, error) {
	found := map[string]exchange{}
	briefs, missing, made, err := s.eSummary(ctx, summaryParams(pmids))
	if wasRefused(err) {
		return found, nil // no id is one
	}
	if err != nil {
		return nil, err
	}
	for _, pmid := range pmids {
		kept := exchange{requests: made.requests, fetched: made.fetched}
		if brief, ok := briefs[pmid]; ok {
			if kept.value, err = entity.JSON(brief); err != nil {
				return nil, err
			}
		} else if slices.Contains(missing, pmid) {
			continue
		} // else NCBI said nothing of it
		found[pmid] = kept
	}
	return found, nil
}

func (s *articleSource) fetchLinks(ctx context.Context, kind linkKind, pmids []string) (map[string]exchange, error) {
	body, made, err := readEUtils(s.client.ELink(ctx, linkParams(kind, pmids...)))
	if err != nil {
		return nil, err
	}
	neighbors, err := entrez.ReadNeighbors(body, kind.name)
	if err != nil {
		return nil, nonsense(ncbiName, err)
	}
	found := map[string]exchange{}
	for _, pmid := range pmids {
		list, answered := neighbors[pmid]
		kept := exchange{requests: made.requests, fetched: made.fetched}
		if answered { // else NCBI said nothing of it
			if kept.value, err = json.Marshal(keptLinksOf(pmid, list)); err != nil {
				return nil, err
			}
		}
		found[pmid] = kept
	}
	return found, nil
}

// linkParams ask for links of one kind.
func linkParams(kind linkKind, pmids ...string) *eutils.ELinkParams {
	return &eutils.ELinkParams{
		Dbfrom: pubmedDatabase, Db: pubmedDatabase, Retmode: jsonMode, Linkname: &kind.name, Cmd: &kind.command, Id: pmids,
	}
}

// keptLinksOf leaves the article itself out, whose score is what the others are
// measured by. Without it scores say nothing, and are left out.
func keptLinksOf(pmid string, list []entrez.Neighbor) articleLinks {
	var own int64
	if i := slices.IndexFunc(list, func(n entrez.Neighbor) bool { return n.PMID == pmid }); i >= 0 {
		own = list[i].Score
		list = slices.Delete(slices.Clone(list), i, i+1)
	}
	links := articleLinks{Total: len(list), Links: []articleLink{}}
	for _, n := range list[:min(keptLinks, len(list))] {
		link := articleLink{PMID: n.PMID}
		if own > 0 {
			score := math.Round(float64(n.Score)/float64(own)*1e4) / 1e4
			link.Score = new(min(max(0, score), 1))
		}
		links.Links = append(links.Links, link)
	}
	return links
}

// fetchRecords reads the XML of some articles in one request. What PubMed leaves
// out it does not have.
func (s *articleSource) fetchRecords(ctx context.Context, pmids []string) (map[string]exchange, error) {
	var records map[string][]byte
	read := func(body io.Reader) error {
		text, err := io.ReadAll(io.LimitReader(body, maxRecords+1))
		if err == nil && len(text) > maxRecords {
			err = errors.New("the articles of one answer are larger than all articles ever were")
		}
		if err == nil {
			records, err = entrez.SplitArticles(text)
		}
		return err
	}
	_, made, err := readEUtils(s.client.EFetch(upstream.Reading(ctx, read), fetchParams(xmlMode, "", pmids)))
	if wasRefused(err) {
		return map[string]exchange{}, nil // no id is one
	}
	if err != nil {
		return nil, err
	}
	return keptTexts(records, made)
}

// maxRecords bounds the bytes of the articles that are read at once. Most have
// some 15 kB, few over 1 MB.
const maxRecords = 64 << 20

func (s *articleSource) fetchMEDLINE(ctx context.Context, pmids []string) (map[string]exchange, error) {
	body, made, err := readEUtils(s.client.EFetch(ctx, fetchParams("text", "medline", pmids)))
	if wasRefused(err) {
		return map[string]exchange{}, nil // no id is one
	}
	if err != nil {
		return nil, err
	}
	records, err := entrez.SplitMEDLINE(string(body))
	if err == nil && len(records) > 0 && !wholeMEDLINE(string(body)) {
		err = errors.New("a MEDLINE record that is cut")
	}
	if err != nil {
		return nil, nonsense(ncbiName, err)
	}
	return keptTexts(records, made)
}

// lastMEDLINE matches the end of a record: its source, which ends in a full stop,
// or the id at the Bookshelf that a chapter has instead.
var lastMEDLINE = regexp.MustCompile(`\nSO  - [^\n]*(?:\n {6}[^\n]*)*\.\n*$|\nAID - [^\n]*\[bookaccession\]`)

// wholeMEDLINE tells whether the last record of a text has its end. Nothing else
// tells of a text that was cut.
func wholeMEDLINE(text string) bool {
	return lastMEDLINE.MatchString(text[strings.LastIndex("\n"+text, "\nPMID- "):])
}

// fetchParams ask for the records of some articles.
func fetchParams(mode, kind string, pmids []string) *eutils.EFetchParams {
	params := &eutils.EFetchParams{Db: pubmedDatabase, Retmode: mode, Id: &pmids}
	if kind != "" {
		params.Rettype = &kind
	}
	return params
}

// keptTexts keeps records as PubMed writes them.
func keptTexts[T string | []byte](records map[string]T, made exchange) (map[string]exchange, error) {
	found := map[string]exchange{}
	for pmid, text := range records {
		value, err := entity.JSON(articleText{Text: string(text)})
		if err != nil {
			return nil, err
		}
		found[pmid] = exchange{value: value, requests: made.requests, fetched: made.fetched}
	}
	return found, nil
}

func (s *articleSource) fetchInfo(ctx context.Context, questions []string) (map[string]exchange, error) {
	body, made, err := readEUtils(s.client.EInfo(ctx, infoParams()))
	if err != nil {
		return nil, err
	}
	info, err := entrez.ReadInfo(body)
	if err != nil {
		return nil, nonsense(ncbiName, err)
	}
	made.value, err = entity.JSON(info)
	return map[string]exchange{questions[0]: made}, err
}

func infoParams() *eutils.EInfoParams {
	return &eutils.EInfoParams{Db: pubmedDatabase, Retmode: jsonMode, Version: new(eutils.Version("2.0"))}
}
