package articles

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/articles"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// The detail levels of fetchArticleDetails.
const (
	abstractPlus = "abstract_plus"
	abstractOnly = "abstract"
	fullXML      = "full_xml"
	medlineText  = "medline_text"
	citationData = "citation_data"
)

// FetchArticleDetails serves fetchArticleDetails.
func (s *Articles) FetchArticleDetails(
	ctx context.Context, args tools.FetchArticleDetailsArgs,
) (entity.Answer[entity.ArticleDetails], error) {
	var answer entity.Answer[entity.ArticleDetails]
	pmids, err := readPMIDs(tools.FetchArticleDetails, args.Pmids, &answer.Notes)
	if err != nil {
		return answer, err
	}
	requested := pmids
	format, from := ncbi.XML, s.sources.Articles.Texts
	if args.DetailLevel == medlineText {
		format, from = ncbi.MEDLINE, s.sources.Articles.MEDLINE
	}
	texts, err := from.GetAll(ctx, pmids, &answer.Notes)
	if pmids, err = source.LeaveOut(pmids, err, &answer.Notes); err != nil {
		return answer, err
	}
	url, method := s.sources.Articles.FetchRequest(format, requested)
	answer.Value = entity.ArticleDetails{RequestedPMIDs: requested, NotFoundPMIDs: []string{},
		EFetchDetails: entity.EFetchDetails{URLs: []string{url}, RequestMethod: method}}
	var found []string
	for _, pmid := range pmids {
		if texts[pmid] == nil {
			answer.Value.NotFoundPMIDs = append(answer.Value.NotFoundPMIDs, pmid)
			continue
		}
		found = append(found, pmid)
	}
	if len(found) == 0 {
		answer.Add(
			"PubMed has no article with these ids. Check the digits, or search with searchPubMedArticles.")
	}
	var shown int
	switch args.DetailLevel {
	case fullXML:
		answer.Value.MediaType = "application/xml"
		shown = s.content(&answer, args, found, texts, inXML)
	case medlineText:
		answer.Value.MediaType = "text/plain"
		shown = s.content(&answer, args, found, texts, inMEDLINE)
	default:
		from := detailed{found: found, texts: texts}
		if from.cited, err = s.citedBy(ctx, found, args, &answer.Notes); err != nil {
			return answer, err
		}
		if shown, err = s.readArticles(&answer, from, args); err != nil {
			return answer, err
		}
	}
	if left := found[shown:]; len(left) > 0 {
		answer.Add(
			fmt.Sprintf("These did not fit into one answer; to read them call fetchArticleDetails with %s.", detailsObject(args, left...)))
	}
	return answer, nil
}

// A frame is the text before, between and after records.
type frame struct{ head, between, tail string }

var (
	inXML     = frame{head: ncbi.SetHead, tail: ncbi.SetTail}
	inMEDLINE = frame{between: "\n\n", tail: "\n"}
)

// room returns the number of bytes that an answer has left for records, after a notice with all of the found PMIDs.
func (s *Articles) room(answer *entity.Answer[entity.ArticleDetails], args tools.FetchArticleDetailsArgs, found []string) int {
	const noticeBytes = 1024 // of that notice, and of those on shortened and retracted articles
	return s.maxAnswer - entity.Size(answer) - entity.Size(detailsObject(args, found...)) - noticeBytes
}

// oversized returns the notice for a record that leaves no room for others.
func oversized(args tools.FetchArticleDetailsArgs, pmid string) string {
	return fmt.Sprintf("The record of %s leaves no room for others; to read it call fetchArticleDetails with %s.", pmid,
		detailsObject(args, pmid))
}

// content adds unchanged records to an answer, and returns how many of the found ones are done. A record cannot be shortened: one that is
// too large on its own is named in a notice.
func (s *Articles) content(answer *entity.Answer[entity.ArticleDetails], args tools.FetchArticleDetailsArgs, found []string,
	texts map[string]*ncbi.ArticleText, around frame,
) (shown int) {
	content := strings.Builder{}
	content.WriteString(around.head)
	left := s.room(answer, args, found) - entity.Size(around.head) - entity.Size(around.tail)
	for i, pmid := range found {
		text, notice := texts[pmid].Text, ""
		size := entity.Size(text) + entity.Size(around.between)
		if size > left && content.Len() == len(around.head) {
			notice = oversized(args, pmid)
			if size+envelope.ReservedBytes > s.maxAnswer {
				notice = fmt.Sprintf("The record of %s is larger than the limit of an answer: read it as abstract_plus, or at %s.",
					pmid, id.PMID.URL(pmid))
			}
			size = entity.Size(notice) + 1
		}
		if size > left {
			break
		}
		left, shown = left-size, i+1
		if notice != "" {
			answer.Add(notice)
			continue
		}
		if content.Len() > len(around.head) {
			content.WriteString(around.between)
		}
		content.WriteString(text)
	}
	if content.Len() > len(around.head) || around.head != "" {
		content.WriteString(around.tail)
	}
	answer.Value.Content = new(entity.Clean(content.String()))
	return shown
}

// detailed are the found articles of a call, in its order, and the records.
type detailed struct {
	found []string
	texts map[string]*ncbi.ArticleText
	cited map[string]*int // numbers of citations
}

// readArticles adds articles to an answer, and returns how many of the found ones are done. An article that is too large is shortened if it
// is the only requested one.
func (s *Articles) readArticles(answer *entity.Answer[entity.ArticleDetails], from detailed,
	args tools.FetchArticleDetailsArgs) (shown int, err error) {
	found := from.found
	answer.Value.Articles = []entity.Article{}
	left := s.room(answer, args, found)
	var about remarks
	for i, pmid := range found {
		article, err := s.sources.Articles.Read(from.texts[pmid])
		if err != nil {
			return 0, err
		}
		fromMesh := mapping.KeywordsFromMesh(&article)
		omitFields(&article, args)
		article.CitedBy = from.cited[pmid]
		notice := ""
		size := entity.Size(article) + len(", 12345678, 12345678, 12345678")
		switch {
		case size <= left:
		case len(answer.Value.RequestedPMIDs) == 1:
			answer.Add(fitArticle(&article, left)...)
			size = 0
		case len(answer.Value.Articles) == 0:
			notice = oversized(args, pmid)
			size = entity.Size(notice) + 1
		}
		if size > left {
			break
		}
		left, shown = left-size, i+1
		if notice != "" {
			answer.Add(notice)
			continue
		}
		answer.Value.Articles = append(answer.Value.Articles, article)
		about.add(&article, fromMesh)
	}
	answer.Add(about.notices()...)
	return shown, nil
}

// remarks are the PMIDs of articles that a reader should know more of.
type remarks struct{ retracted, doubted, published, meshed []string }

func (r *remarks) add(a *entity.Article, fromMesh bool) {
	if a.Retracted {
		r.retracted = append(r.retracted, a.PMID)
	}
	if a.ExpressionOfConcern {
		r.doubted = append(r.doubted, a.PMID)
	}
	if as := a.Published(); as != "" {
		r.published = append(r.published, a.PMID+" as "+as)
	}
	if fromMesh && len(a.Keywords) > 0 {
		r.meshed = append(r.meshed, a.PMID)
	}
}

func (r *remarks) notices() (notices []string) {
	if len(r.retracted) > 0 {
		notices = append(notices, "Retracted: "+strings.Join(r.retracted, ", ")+". Do not rely on it; corrections names the notice.")
	}
	if len(r.doubted) > 0 {
		notices = append(notices, "The journal expressed concern about "+strings.Join(r.doubted, ", ")+"; corrections names the notice.")
	}
	if len(r.published) > 0 {
		notices = append(notices, "Preprints that were published since: "+strings.Join(r.published, ", ")+".")
	}
	if len(r.meshed) > 0 {
		notices = append(notices, "The keywords of "+strings.Join(r.meshed, ", ")+
			" are MeSH headings: PubMed has no keywords of the authors.")
	}
	return notices
}

// fitArticle shortens an article to a number of bytes, the least important parts first.
func fitArticle(a *entity.Article, room int) []string {
	all := len(a.Authors)
	cut := envelope.Fit(a, room+envelope.ReservedBytes, func() { a.AuthorsIncomplete = a.AuthorsIncomplete || len(a.Authors) < all })
	return envelope.CutRecord(cut, id.PMID.URL(a.PMID))
}

// omitFields removes the fields that were not requested.
func omitFields(a *entity.Article, args tools.FetchArticleDetailsArgs) {
	if !args.IncludeMeshTerms {
		a.MeshTerms = nil
	}
	switch args.DetailLevel {
	case abstractOnly:
		*a = leanArticle(a)
	case citationData:
		*a = entity.Article{
			PMID: a.PMID, Title: a.Title, VernacularTitle: a.VernacularTitle, Authors: withoutAffiliations(a.Authors),
			AuthorsIncomplete: a.AuthorsIncomplete,
			JournalInfo:       a.JournalInfo, Book: a.Book, ElectronicDate: a.ElectronicDate, PublicationStatus: a.PublicationStatus,
			Languages: a.Languages, PublicationTypes: a.PublicationTypes, Retracted: a.Retracted,
			ExpressionOfConcern: a.ExpressionOfConcern,
			Corrections:         a.Corrections, MeshTerms: a.MeshTerms, DOI: a.DOI, PMCID: a.PMCID, PII: a.PII, NCTIDs: a.NCTIDs,
			TrialNumbers: a.TrialNumbers,
		}
	default:
		if !args.IncludeGrantInfo {
			a.GrantList = nil
		}
	}
}

// leanArticle returns the fields that a reader needs to judge the relevance of an article.
func leanArticle(a *entity.Article) entity.Article {
	const first = 3
	out := entity.Article{
		PMID: a.PMID, Title: a.Title, AbstractText: a.AbstractText, AbstractCopyright: a.AbstractCopyright,
		Authors: withoutAffiliations(a.Authors), AuthorsIncomplete: a.AuthorsIncomplete, ElectronicDate: a.ElectronicDate,
		PublicationTypes: a.PublicationTypes, Retracted: a.Retracted, ExpressionOfConcern: a.ExpressionOfConcern,
		DOI: a.DOI, PMCID: a.PMCID, NCTIDs: a.NCTIDs,
		TrialNumbers: a.TrialNumbers,
	}
	if len(out.Authors) > first {
		out.Authors, out.AuthorCount = out.Authors[:first], len(out.Authors)
	}
	for i := range out.Authors {
		out.Authors[i].FirstName, out.Authors[i].ORCID = "", ""
		if out.Authors[i].Initials == "" {
			out.Authors[i].FirstName = a.Authors[i].FirstName
		}
	}
	if j := a.JournalInfo; j != nil {
		out.JournalInfo = &entity.JournalInfo{ISOAbbreviation: j.ISOAbbreviation, PublicationDate: j.PublicationDate}
		if j.ISOAbbreviation == "" {
			out.JournalInfo.Title = j.Title
		}
	}
	if b := a.Book; b != nil {
		out.Book = &entity.Book{Title: b.Title, PublicationDate: b.PublicationDate, ContributionDate: b.ContributionDate}
	}
	for _, c := range a.Corrections {
		if c.Retracts() || c.Type == "ExpressionOfConcernIn" {
			out.Corrections = append(out.Corrections, c)
		}
	}
	return out
}

func withoutAffiliations(authors []entity.Author) []entity.Author {
	out := slices.Clone(authors)
	for i := range out {
		out[i].Affiliation, out[i].Affiliations = "", nil
	}
	return out
}

// detailsObject returns the arguments of a call for some articles, with the other arguments of args.
func detailsObject(args tools.FetchArticleDetailsArgs, pmids ...string) string {
	object := struct {
		PMIDs            []string `json:"pmids"`
		DetailLevel      string   `json:"detailLevel,omitempty"`
		IncludeMeshTerms *bool    `json:"includeMeshTerms,omitempty"`
		IncludeGrantInfo bool     `json:"includeGrantInfo,omitempty"`
		CitedBy          bool     `json:"citedBy,omitempty"`
	}{PMIDs: pmids, IncludeGrantInfo: args.IncludeGrantInfo, CitedBy: args.CitedBy}
	if args.DetailLevel != abstractPlus {
		object.DetailLevel = args.DetailLevel
	}
	if !args.IncludeMeshTerms {
		object.IncludeMeshTerms = new(false)
	}
	return tool.Show(object)
}
