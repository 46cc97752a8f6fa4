package service

import (
	"strings"
	"unicode"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// lowercaseOr matches an "or" that Entrez reads as a word.
var lowercaseOr = lazyregexp.New(`\s+(?:or|Or)\s+`)

// lowercaseOrNotice returns a notice that an "or" in small letters is not an operator, with the query that finds either side. It returns
// nil for a text without such an "or".
func lowercaseOrNotice(toolName, argument, text string) []string {
	if strings.ContainsAny(text, `"[]()`) || !lowercaseOr.MatchString(text) {
		return nil
	}
	return []string{argument + `: "or" in small letters is only a word, so that both sides had to match. To find either of them call ` +
		toolName + " again with " + tool.Object(argument, lowercaseOr.ReplaceAllString(text, " OR ")) + "."}
}

// lowercaseOperator matches an "or" or "not" that Entrez reads as a word.
var lowercaseOperator = lazyregexp.New(`\s+(?:or|Or|not|Not)\s+`)

// lowercaseOperatorNotice returns a notice that "or" or "not" in small letters is not an operator, with the query in which it is one. For
// the argument compare, which is a list, it shows the text alone: a call would lose the other texts of the list.
func lowercaseOperatorNotice(toolName, argument, text string) []string {
	if strings.ContainsAny(text, `"[]()`) || !lowercaseOperator.MatchString(text) {
		return nil
	}
	meant := lowercaseOperator.ReplaceAllStringFunc(text, strings.ToUpper)
	notice := argument + `: "or" and "not" in small letters are only words to PubMed. `
	if argument == "compare" {
		return []string{notice + "To use them as operators write in compare " + entity.Cut(meant, 200) + "."}
	}
	return []string{notice + "To use them as operators call " + toolName + " again with " + tool.Object(argument, meant) + "."}
}

// excludedOrganism returns the error for an organism that the caller excludes, with the query that excludes it.
func excludedOrganism(args geneWords, name string) *entity.Error {
	e := &entity.Error{
		Code:    entity.InvalidInput,
		Message: "organism: " + quoted(args.Organism) + " excludes an organism, which this argument cannot do.",
		Hint:    "Give organism a name, or leave it out and exclude the organism in query with NOT and the tag [orgn].",
		Input:   args.Organism,
	}
	taxon, err := entrez.Organism(name)
	if err != nil {
		return e
	}
	query, err := entity.JSON(map[string]any{"query": "(" + args.Query + ") NOT " + taxon.Term(), "organism": nil})
	if err == nil {
		e.Hint = "To exclude it call search_genes again with " + string(query) + "."
	}
	return e
}

// excludedType returns the error for a publication type that the caller excludes, with the query that excludes it; nil if no type is
// excluded.
func excludedType(args tools.SearchPubMedArticlesArgs) error {
	for _, given := range args.FilterByPublicationTypes {
		name, negated := entity.Negated(given)
		if !negated {
			continue
		}
		if meant, ok := typeSynonyms[entity.Fold(name)]; ok {
			name = meant
		}
		name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(" \t\n\"[]()*", r) }), " ")
		query, err := entity.JSON(map[string]any{"queryTerm": "(" + args.QueryTerm + `) NOT "` + name + `"[pt]`,
			"filterByPublicationTypes": nil})
		if err != nil {
			return err
		}
		return &entity.Error{
			Code:    entity.InvalidInput,
			Message: "filterByPublicationTypes: " + quoted(given) + " excludes a type, which this argument cannot do.",
			Hint:    "To exclude it call searchPubMedArticles again with " + string(query) + ".",
			Input:   given,
		}
	}
	return nil
}

var typeSeparator = lazyregexp.New(`(?i)\s*[,;|]\s*|\s+or\s+`)

// splitTypes splits texts that list several publication types. Some names contain a comma: Clinical Trial, Phase III.
func splitTypes(texts []string) (types []string) {
	for _, text := range texts {
		if strings.HasPrefix(entity.Fold(text), "researchsupport") {
			types = append(types, text)
			continue
		}
		before := ""
		for _, part := range typeSeparator.Split(text, -1) {
			folded := entity.Fold(part)
			if before == "clinicaltrial" && (strings.HasPrefix(folded, "phase") || folded == "veterinary") {
				types[len(types)-1] += ", " + part
			} else if part != "" {
				types = append(types, part)
			}
			before = folded
		}
	}
	return types
}

// englishAdvice returns the advice to search in English for a text in another script, and "" for other texts.
func englishAdvice(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsLetter(r) && !unicode.In(r, unicode.Latin, unicode.Greek, unicode.Common)
	}) {
		return " NCBI is searched in English: translate the words."
	}
	return ""
}
