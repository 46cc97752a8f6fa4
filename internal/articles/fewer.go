package articles

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/wording"
)

// maxFewer is the largest number of requests that look for fewer words with articles.
const maxFewer = 2

// fewerWords returns the call for fewer words of a search without or with few articles, which finds more of them. It returns "" if the
// text is more than plain words, or no such call is found. corrected is the text in the spelling that NCBI suggests; it may be empty.
func (s *Articles) fewerWords(ctx context.Context, args tools.SearchPubMedArticlesArgs, found entrez.Search, corrected string,
	notes *entity.Notes) (string, error) {
	if corrected != "" {
		args.QueryTerm = corrected
	}
	content := contentWords(args.QueryTerm, found.PhrasesNotFound)
	fewer := namedWords(content, found.QueryTranslation)
	if len(fewer) == 0 || len(fewer) == len(content) {
		fewer = content[:len(content)/2]
	}
	for _, words := range [maxFewer][]string{content, fewer} {
		if len(words) == 0 {
			continue
		}
		args.QueryTerm = strings.Join(words, " ")
		q, err := readArticleQuery(args)
		if err != nil { // the words that are left distinguish no articles
			return "", nil //nolint:nilerr // there is no such call
		}
		hits, err := s.sources.Articles.Searches.Get(ctx, ncbi.ArticleSearch{Term: q.search.Term, Sort: q.search.Sort}, notes)
		if err != nil && ctx.Err() == nil {
			notes.Add("Fewer words could not be tried: " + entity.AsError(err).Message)
			return "", nil
		}
		if err != nil {
			return "", err
		}
		if n := hits.Search.Count; n > found.Count {
			call, err := envelope.FirstPage(tools.SearchPubMedArticles, args)
			return fmt.Sprintf("%s fewer of the words: %s.", counted(n), call), err
		}
	}
	return "", nil
}

// counted returns a number of articles with its verb.
func counted(n int) string {
	if n == 1 {
		return "1 article has"
	}
	return fmt.Sprintf("%d articles have", n)
}

// contentWords returns the words of a text that say something about a subject, and that NCBI knows.
func contentWords(text string, unknown []string) (content []string) {
	for _, word := range strings.Fields(text) {
		word = strings.Trim(wording.Bare(word), "-/&")
		same := func(other string) bool { return strings.EqualFold(other, word) }
		if len(word) < 2 || wording.Generic(strings.ToLower(word)) || slices.ContainsFunc(unknown, same) || slices.ContainsFunc(content,
			same) {
			continue
		}
		content = append(content, word)
	}
	return content
}

// namedWords returns the words that NCBI has translated into a heading of MeSH or the name of a substance.
func namedWords(words []string, translation string) (named []string) {
	names := ""
	for _, part := range topLevel(strings.ToLower(translation)) {
		if strings.Contains(part, "[mesh terms]") || strings.Contains(part, "[supplementary concept]") {
			names += part
		}
	}
	for _, word := range words {
		if at := strings.Index(names, strings.ToLower(word)); at > 0 && strings.ContainsRune("\" ", rune(names[at-1])) {
			named = append(named, word)
		}
	}
	return named
}

// topLevel returns the parts of a translated query that all have to match.
func topLevel(translation string) (parts []string) {
	depth, start, closed := 0, 0, 0
	for i, c := range translation {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 && closed == 0 {
				closed = i
			}
		case 'a':
			if depth == 0 && strings.HasPrefix(translation[i:], "and ") {
				parts, start = append(parts, translation[start:i]), i
			}
		}
	}
	if len(translation) > 1 && translation[0] == '(' && closed == len(translation)-1 { // around all parts
		return topLevel(translation[1:closed])
	}
	return append(parts, translation[start:])
}

// isPlain reports whether a text consists of several words alone, without signs or operators of the Entrez language.
func isPlain(text string) bool {
	words := strings.Fields(text)
	return len(words) > 1 && !strings.ContainsAny(text, `"“”[](){}*:|`) && !slices.ContainsFunc(words, func(w string) bool {
		return w == "AND" || w == "OR" || w == "NOT"
	})
}

// otherNames returns the advice to look up the names of a subject, for words that no article has.
func otherNames(text string, unknown []string) string {
	words := contentWords(text, unknown)
	if len(words) == 0 || len(words) > 3 || strings.ContainsAny(text, "[]:") {
		return ""
	}
	return " For other names call " + tools.LookupMesh + " with " + tool.Object("query", strings.Join(words, " ")) + "."
}
