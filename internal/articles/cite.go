package articles

import (
	"context"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/citation"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// A style is a citation style, and the text around the citations in a file.
type style struct {
	write                func(entity.Article) string // nil: the unchanged MEDLINE text
	open, between, close string
}

// styles are the citation styles of getArticleRelationships.
var styles = map[string]style{
	"ris":        {write: citation.RIS, between: "\n"},
	"bibtex":     {write: citation.BibTeX, between: "\n\n"},
	"nbib":       {between: "\n\n"},
	"csl_json":   {write: citation.CSL, open: "[", between: ",", close: "]"},
	"apa_string": {write: citation.APA, between: "\n"},
	"mla_string": {write: citation.MLA, between: "\n"},
	"vancouver":  {write: citation.Vancouver, between: "\n"},
	"ama":        {write: citation.AMA, between: "\n"},
}

const (
	defaultStyle    = "ris"
	medlineStyle    = "nbib"
	citationFormats = "citation_formats"
	maxCited        = 50
)

// readSourcePMIDs returns the PMIDs of a call of getArticleRelationships without duplicates: one for related articles, several for
// citations.
func readSourcePMIDs(args tools.GetArticleRelationshipsArgs, notes *entity.Notes) (pmids []string, err error) {
	const toolName = tools.GetArticleRelationships
	given := args.SourcePmids
	if args.SourcePmid != "" {
		given = append([]string{args.SourcePmid}, given...)
	}
	if len(given) == 0 {
		return nil, envelope.Refuse("sourcePmid", "", "is required and was not given").
			Again(toolName, `with sourcePmid, such as {"sourcePmid":"26027431"}; to cite several articles with sourcePmids`)
	}
	parts := 0
	for _, text := range given {
		parts += len(idParts(text))
	}
	if parts == 1 && len(given) == 1 {
		pmid, err := readPMID(toolName, given[0])
		return []string{pmid}, err
	}
	pmids, err = readPMIDs(toolName, given, notes)
	switch {
	case err != nil:
		return nil, err
	case args.RelationshipType != citationFormats && len(pmids) > 1:
		return nil, envelope.Refuse("sourcePmid", strings.Join(given, ", "),
			"%s takes one PMID, got a list of %d; only citation_formats takes several", args.RelationshipType, len(pmids)).
			Hint("%s", tool.OnceForEach(toolName+" again", "sourcePmid", pmids, "sourcePmids"))
	case len(pmids) > maxCited:
		return nil, envelope.Refuse("sourcePmids", strings.Join(given, ", "), "takes at most %d PMIDs, got %d", maxCited, len(pmids)).
			Again(toolName, "with at most %d of sourcePmids at a time", maxCited)
	}
	return pmids, nil
}

// cited has the citations of one article by style.
type cited struct {
	pmid      string
	texts     map[string]string
	retracted bool
}

// cite adds the citations of some articles to an answer.
func (s *Articles) cite(ctx context.Context, answer *entity.Answer[entity.ArticleRelationships], pmids []string,
	args tools.GetArticleRelationshipsArgs) error {
	if args.Cursor != "" {
		first, err := envelope.FirstPage(tools.GetArticleRelationships, args)
		if err != nil {
			return err
		}
		return (&envelope.Cursor{FirstPage: first}).Refused("citation_formats has no pages", args.Cursor)
	}
	single := len(pmids) == 1
	texts, err := s.sources.Articles.Texts.GetAll(ctx, pmids, &answer.Notes)
	if pmids, err = source.LeaveOut(pmids, err, &answer.Notes); err != nil {
		return err
	}
	var medline map[string]*ncbi.ArticleText
	if slices.Contains(args.CitationStyles, medlineStyle) {
		medline, err = s.sources.Articles.MEDLINE.GetAll(ctx, pmids, &answer.Notes)
		if pmids, err = source.LeaveOut(pmids, err, &answer.Notes); err != nil {
			return err
		}
	}
	var found []cited
	var missing []string
	for _, pmid := range pmids {
		if texts[pmid] == nil {
			missing = append(missing, pmid)
			continue
		}
		article, err := s.sources.Articles.Read(texts[pmid])
		if err != nil {
			return err
		}
		found = append(found, citationsOf(article, medline[pmid], args.CitationStyles))
	}
	if len(found) == 0 {
		return envelope.NoArticle(tools.GetArticleRelationships, pmids[0])
	}
	s.putCitations(answer, found, args)
	if single {
		answer.Value.SourcePMIDs = nil
		return nil
	}
	answer.Value.NotFoundPMIDs = missing
	if len(missing) > 0 {
		answer.Add("PubMed has no article with these PMIDs: " + strings.Join(missing, ", ") + ". Check the digits at their source.")
	}
	return nil
}

func citationsOf(article entity.Article, medline *ncbi.ArticleText, styleNames []string) cited {
	out := cited{pmid: article.PMID, texts: map[string]string{}, retracted: article.Retracted}
	for _, name := range styleNames {
		if write := styles[name].write; write != nil {
			out.texts[name] = write(article)
		} else if medline != nil {
			out.texts[name] = strings.TrimSpace(medline.Text)
		}
	}
	return out
}

// putCitations adds as many citations to an answer as fit, at least those of one article, and names the call for the others.
func (s *Articles) putCitations(answer *entity.Answer[entity.ArticleRelationships], found []cited, args tools.GetArticleRelationshipsArgs) {
	room := s.maxAnswer - entity.Size(answer) - envelope.ReservedBytes - len(found)*len(`"12345678",`)
	shown := 0
	for _, c := range found {
		if room -= entity.Size(c.texts); room < 0 && shown > 0 {
			break
		}
		shown++
	}
	var retracted []string
	for _, c := range found[:shown] {
		answer.Value.SourcePMIDs = append(answer.Value.SourcePMIDs, c.pmid)
		if c.retracted {
			retracted = append(retracted, c.pmid)
		}
	}
	for _, name := range args.CitationStyles {
		if text := oneFile(name, found[:shown]); text != "" {
			answer.Value.Citations[name] = text
		}
		for _, c := range found[:shown] {
			if c.texts[name] == "" {
				answer.Add("The record of " + c.pmid + " is too incomplete for a citation in " + name + ".")
			}
		}
	}
	switch {
	case len(retracted) > 0 && len(found) == 1:
		answer.Add("This article was retracted.")
	case len(retracted) > 0:
		answer.Add("Retracted: " + strings.Join(retracted, ", ") + ".")
	}
	if left := found[shown:]; len(left) > 0 {
		answer.Add("These did not fit into one answer; to cite them call " + tools.GetArticleRelationships + " with " +
			citeObject(left, args.CitationStyles) + ".")
	}
}

// oneFile joins citations of one style into one text.
func oneFile(name string, list []cited) string {
	var texts []string
	for _, c := range list {
		if text := c.texts[name]; text != "" {
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		return ""
	}
	format := styles[name]
	return format.open + strings.Join(texts, format.between) + format.close
}

// citeObject returns the arguments of a call that cites some articles.
func citeObject(list []cited, styleNames []string) string {
	object := struct {
		PMIDs  []string `json:"sourcePmids"`
		Type   string   `json:"relationshipType"`
		Styles []string `json:"citationStyles"`
	}{Type: citationFormats, Styles: styleNames}
	for _, c := range list {
		object.PMIDs = append(object.PMIDs, c.pmid)
	}
	return tool.Show(object)
}
