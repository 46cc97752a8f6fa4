package service

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
	"github.com/biofact-mcp/biofact/internal/tool"
)

const (
	meshHits  = 100 // hits to compare with the words
	meshItems = 5
	meshNames = 50 // narrower terms to name
)

var (
	meshID = lazyregexp.New(`^(?i:MESH)?[:\s]*([DCQdcq][0-9]{6,9})$`)
	// meshQuery matches a term with a field tag of PubMed, such as "Asthma"[mh], which an answer has in query.
	meshQuery  = lazyregexp.New(`(?i)^"?([^"\[\]]+)"?\s*\[\s*(?:mh|majr|mesh(?: terms?| major topic)?|nm|supplementary concept|sh|pt|publication type)(?::\s*noexp)?\s*\]$`)
	treeNumber = lazyregexp.New(`^[A-Z][0-9]{2}(\.[0-9]{3})*$`)
)

// meshSigns replaces the characters that have a meaning in a query of NCBI with spaces.
var meshSigns = strings.NewReplacer("[", " ", "]", " ", `"`, " ", "(", " ", ")", " ", "*", " ", "“", " ", "”", " ")

// LookupMesh serves lookupMesh.
func (s *Service) LookupMesh(ctx context.Context, args tools.LookupMeshArgs) (entity.Answer[entity.MeshHeadings], error) {
	answer := entity.Answer[entity.MeshHeadings]{Value: entity.MeshHeadings{Items: []entity.MeshHeading{}}}
	words := strings.Join(strings.Fields(entity.Clean(args.Query)), " ")
	if m := meshQuery.FindStringSubmatch(words); m != nil {
		words = strings.TrimSpace(m[1])
	}
	found, err := s.meshTerms(ctx, words, &answer.Notes)
	if err != nil {
		return answer, err
	}
	if len(found) == 0 {
		return answer, &entity.Error{
			Code:    entity.EntityNotFound,
			Message: "MeSH has no term for " + entity.Cut(words, 100) + ".",
			Hint: "Call " + tools.LookupMesh + " again with a more common name. To search the words themselves call " +
				"searchPubMedArticles with " + tool.Object("queryTerm", words) + ".",
			Input: args.Query,
		}
	}
	names, err := s.meshNames(ctx, found, &answer.Notes)
	if err != nil {
		return answer, err
	}
	for _, term := range found {
		answer.Value.Items = append(answer.Value.Items, meshHeading(term, names))
	}
	return answer, s.countMesh(ctx, &answer.Value.Items[0], &answer.Notes)
}

// meshTerms returns the terms for words, an id or a tree number, best first.
func (s *Service) meshTerms(ctx context.Context, words string, notes *entity.Notes) ([]*entrez.MeshSummary, error) {
	query := strings.Join(strings.Fields(meshSigns.Replace(words)), " ")
	if query == "" {
		return nil, nil
	}
	exact := func(t *entrez.MeshSummary) int { return meshRank(t, words, query) } // some names have signs: Benzo(a)pyrene
	if m := meshID.FindStringSubmatch(query); m != nil {
		id := strings.ToUpper(m[1])
		query = id + "[MeSH Unique ID]"
		exact = func(t *entrez.MeshSummary) int { return rankIf(t.ID == id) }
	} else if number := strings.ToUpper(query); treeNumber.MatchString(number) {
		exact = func(t *entrez.MeshSummary) int { return rankIf(slices.Contains(t.TreeNumbers, number)) }
	} else {
		query = strings.ToLower(query) // AND, OR and NOT are operators in capitals only
	}
	uids, err := s.sources.Mesh.Search(ctx, ncbi.MeshSearch{Term: query, Max: meshHits}, notes)
	if err != nil || len(uids) == 0 {
		return nil, err
	}
	terms, err := s.sources.Mesh.Terms(ctx, uids, notes)
	read, failure := source.LeaveOut(uids, err, notes)
	if failure != nil {
		return nil, failure
	}
	var list []*entrez.MeshSummary
	for _, uid := range uids {
		if t := terms[uid]; t != nil && exact(t) < noMatch {
			list = append(list, t)
		}
	}
	if list == nil && len(read) < len(uids) { // it may be the term that was left out
		return nil, err
	}
	slices.SortStableFunc(list, func(a, b *entrez.MeshSummary) int { return cmp.Compare(exact(a), exact(b)) })
	return list[:min(meshItems, len(list))], nil
}

// meshWords is the rank of a term that only has words of a text, not the text as a name.
const meshWords = 4

// noMatch is the rank of a term that does not have the id or tree number.
const noMatch = 9

func rankIf(meant bool) int {
	if meant {
		return 0
	}
	return noMatch
}

// meshRank returns how well a term matches one of some texts: by its name, one of its other names, or words of them. Headings come first
// among equal matches.
func meshRank(t *entrez.MeshSummary, texts ...string) int {
	i := slices.IndexFunc(t.Terms, func(name string) bool {
		return slices.ContainsFunc(texts, func(text string) bool { return strings.EqualFold(name, text) })
	})
	rank := meshWords
	if i == 0 {
		rank = 0
	} else if i > 0 {
		rank = 2
	}
	if t.Kind != "descriptor" {
		rank++
	}
	return rank
}

// meshNames returns the broader and narrower terms of some terms, and the headings of supplementary terms, by uid.
func (s *Service) meshNames(ctx context.Context, terms []*entrez.MeshSummary, notes *entity.Notes) (map[string]*entrez.MeshSummary, error) {
	var uids []string
	for _, t := range terms {
		uids = append(uids, slices.Concat(t.Parents, t.Children[:min(meshNames, len(t.Children))], t.MappedTo)...)
	}
	if len(uids) == 0 {
		return nil, nil
	}
	names, err := s.sources.Mesh.Terms(ctx, entity.Once(uids), notes)
	_, err = source.LeaveOut(entity.Once(uids), err, notes)
	return names, err
}

func meshHeading(t *entrez.MeshSummary, names map[string]*entrez.MeshSummary) entity.MeshHeading {
	named := func(uids []string) (list []entity.MeshName) {
		for _, uid := range uids {
			if n := names[uid]; n != nil {
				list = append(list, entity.MeshName{ID: "MESH:" + n.ID, Name: n.Terms[0]})
			}
		}
		return list
	}
	h := entity.MeshHeading{
		ID: "MESH:" + t.ID, Name: t.Terms[0], Kind: meshKind(t.Kind), TreeNumbers: t.TreeNumbers, ScopeNote: t.ScopeNote,
		EntryTerms: t.Terms[1:], Broader: named(t.Parents), Narrower: named(t.Children), NarrowerCount: len(t.Children),
		MappedTo: named(t.MappedTo), YearIntroduced: t.Year,
	}
	if tag := map[string]string{"descriptor": "mh", "supplementary": "nm", "qualifier": "sh", "publication_type": "pt"}[h.Kind]; tag != "" {
		h.Query = fmt.Sprintf("%q[%s]", h.Name, tag)
	}
	return h
}

func meshKind(kind string) string {
	switch kind = strings.ToLower(kind); kind {
	case "supplemental-record", "substance", "supplemental record":
		return "supplementary"
	case "publication type", "publication-type":
		return "publication_type"
	}
	return cmp.Or(kind, "descriptor")
}

// countMesh counts the articles of a term. If counting fails, it adds a notice, and the count is absent, not zero.
func (s *Service) countMesh(ctx context.Context, h *entity.MeshHeading, notes *entity.Notes) error {
	if h.Query == "" {
		return nil
	}
	count := func(term string) (int, error) {
		hits, err := s.sources.Articles.Search(ctx, ncbi.ArticleSearch{Term: term, Sort: "relevance", Max: 1}, notes)
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
