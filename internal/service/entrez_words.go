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

// lowercaseOrNotice says that an "or" in small letters joins nothing, with the query
// that finds either side.
func lowercaseOrNotice(toolName, argument, text string) []string {
	if strings.ContainsAny(text, `"[]()`) || !lowercaseOr.MatchString(text) {
		return nil
	}
	return []string{argument + `: "or" in small letters is only a word, so that both sides had to match. To find either of them call ` +
		toolName +
		" with " + tool.Object(argument, lowercaseOr.ReplaceAllString(text, " OR ")) + " and the other arguments unchanged."}
}

// lowercaseOperator matches an "or" or "not" that Entrez reads as a word.
var lowercaseOperator = lazyregexp.New(`\s+(?:or|Or|not|Not)\s+`)

// lowercaseOperatorNotice says that an "or" or "not" in small letters joins nothing, with the query in which
// it does. An argument that is a list gets no call: the others of the list would be lost.
func lowercaseOperatorNotice(toolName, argument, text string) []string {
	if strings.ContainsAny(text, `"[]()`) || !lowercaseOperator.MatchString(text) {
		return nil
	}
	meant := lowercaseOperator.ReplaceAllStringFunc(text, strings.ToUpper)
	notice := argument + `: "or" and "not" in small letters are only words to PubMed. `
	if argument == "compare" {
		return []string{notice + "To use them as operators write in compare " + entity.Cut(meant, 200) + "."}
	}
	return []string{notice + "To use them as operators call " + toolName + " with " + tool.Object(argument, meant) +
		" and the other arguments unchanged."}
}

// excludedOrganism refuses an organism that is to be left out, with the query
// that leaves it out.
func excludedOrganism(args geneWords, name string) *entity.Error {
	e := &entity.Error{
		Code:    entity.InvalidInput,
		Message: "organism: cannot exclude an organism, was " + entity.Cut(args.Organism, 80) + ".",
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

// excludedType refuses a publication type that is to be left out, with the query
// that leaves it out; nil where none is.
func excludedType(args tools.SearchPubMedArticlesArgs) error {
	for _, given := range args.FilterByPublicationTypes {
		name, negated := entity.Negated(given)
		if !negated {
			continue
		}
		if meant, ok := usualTypes[entity.Fold(name)]; ok {
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
			Message: "filterByPublicationTypes: cannot exclude a type, was " + entity.Cut(given, 80) + ".",
			Hint:    "To exclude it call searchPubMedArticles again with " + string(query) + ".",
			Input:   given,
		}
	}
	return nil
}

var typeSeparator = lazyregexp.New(`(?i)\s*[,;|]\s*|\s+or\s+`)

// splitTypes parts texts that list several publication types. Some names hold a
// comma themselves: Clinical Trial, Phase III.
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

// englishAdvice advises to search in English, for a text in another script.
func englishAdvice(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsLetter(r) && !unicode.In(r, unicode.Latin, unicode.Greek, unicode.Common)
	}) {
		return " NCBI is searched in English: translate the words."
	}
	return ""
}
