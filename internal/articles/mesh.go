package articles

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/articles"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
	"github.com/biofact-mcp/biofact/internal/tool"
)

const meshNames = 50 // narrower terms to name

// meshQuery matches a term with a field tag of PubMed, such as "Asthma"[mh], which an answer has in query.
var meshQuery = lazyregexp.New(`(?i)^"?([^"\[\]]+)"?\s*\[\s*(?:mh|majr|mesh(?: terms?| major topic)?|nm|supplementary concept|sh|pt|publication type)(?::\s*noexp)?\s*\]$`)

// LookupMesh serves lookupMesh.
func (s *Articles) LookupMesh(ctx context.Context, args tools.LookupMeshArgs) (entity.Answer[entity.MeshHeadings], error) {
	answer := entity.Answer[entity.MeshHeadings]{Value: entity.MeshHeadings{Items: []entity.MeshHeading{}}}
	words := strings.Join(strings.Fields(entity.Clean(args.Query)), " ")
	if m := meshQuery.FindStringSubmatch(words); m != nil {
		words = strings.TrimSpace(m[1])
	}
	found, err := s.sources.Mesh.Find(ctx, words, &answer.Notes)
	if err != nil {
		return answer, err
	}
	if len(found) == 0 {
		return answer, s.noTerm(ctx, args.Query, words, &answer.Notes)
	}
	names, err := s.meshNames(ctx, found, &answer.Notes)
	if err != nil {
		return answer, err
	}
	for _, term := range found {
		answer.Value.Items = append(answer.Value.Items, mapping.MeshHeading(term, names))
	}
	return answer, s.countMesh(ctx, &answer.Value.Items[0], &answer.Notes)
}

// noTerm returns the error for words without a term. Its call has the spelling that NCBI suggests, if MeSH has a term for that,
// or searches the words themselves.
func (s *Articles) noTerm(ctx context.Context, query, words string, notes *entity.Notes) *entity.Error {
	e := envelope.Refuse("", query, "MeSH has no term for %s", entity.Cut(words, 100)).As(entity.EntityNotFound)
	if ids, _ := id.MeSH.Only(query); len(ids) > 1 {
		return e.Hint("%s", tool.OnceForEach(tools.LookupMesh+" again", "query", ids))
	}
	if spelling, err := s.sources.Articles.Spellings.Get(ctx, words, notes); err == nil && entity.Clean(spelling.Corrected) != "" {
		corrected := entity.Clean(spelling.Corrected)
		if found, err := s.sources.Mesh.Find(ctx, corrected, notes); err == nil && len(found) > 0 {
			return e.Again(tools.LookupMesh, "with %s", tool.Object("query", corrected))
		}
	}
	if utf8.RuneCountInString(words) < 3 {
		return e.Hint("Call %s again with a name in full.", tools.LookupMesh)
	}
	return e.Again(tools.LookupMesh, "with a more common name. To search the words themselves call searchPubMedArticles with %s",
		tool.Object("queryTerm", words))
}

// meshNames returns the broader and narrower terms of some terms, and the headings of supplementary terms, by uid.
func (s *Articles) meshNames(
	ctx context.Context, terms []*entrez.MeshSummary, notes *entity.Notes,
) (map[string]*entrez.MeshSummary, error) {
	var uids []string
	for _, t := range terms {
		uids = append(uids, slices.Concat(t.Parents, t.Children[:min(meshNames, len(t.Children))], t.MappedTo)...)
	}
	if len(uids) == 0 {
		return nil, nil
	}
	names, err := s.sources.Mesh.Terms.GetAll(ctx, entity.Once(uids), notes)
	_, err = source.LeaveOut(entity.Once(uids), err, notes)
	return names, err
}

// countMesh counts the articles of a term. If counting fails, it adds a notice, and the count is absent, not zero.
func (s *Articles) countMesh(ctx context.Context, h *entity.MeshHeading, notes *entity.Notes) error {
	if h.Query == "" {
		return nil
	}
	count := func(term string) (int, error) {
		hits, err := s.sources.Articles.Searches.Get(ctx, ncbi.ArticleSearch{Term: term, Sort: "relevance", Max: 1}, notes)
		if err != nil {
			return 0, err
		}
		return hits.Search.Count, nil
	}
	all, err := count(h.Query)
	if err == nil {
		h.ArticleCounts = &entity.MeshCounts{Exploded: all}
		if h.NarrowerCount > 0 && h.Kind == "descriptor" {
			var exact int
			if exact, err = count(strings.Replace(h.Query, "[mh]", "[mh:noexp]", 1)); err == nil {
				h.ArticleCounts.ThisHeading = &exact
			}
		}
	}
	if err != nil && ctx.Err() != nil {
		return err
	}
	if err != nil {
		notes.Add("Articles could not be counted: " + entity.AsError(err).Message)
	}
	return nil
}
