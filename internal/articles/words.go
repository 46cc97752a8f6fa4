package articles

import (
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// excludedType returns the error for publication types that the caller excludes, with the query that excludes them; nil if no type is
// excluded.
func excludedType(args tools.SearchPubMedArticlesArgs) error {
	var excluded, others, terms []string
	types := tool.WordsFor(tools.SearchPubMedArticles, "filterByPublicationTypes").Means
	for _, given := range args.FilterByPublicationTypes {
		name, negated := entity.Negated(given)
		if !negated {
			others = append(others, given)
			continue
		}
		if meant := types[entity.Fold(name)]; meant != nil {
			name = meant[0]
		}
		name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(" \t\n\"[]()*", r) }), " ")
		excluded, terms = append(excluded, given), append(terms, `NOT "`+name+`"[pt]`)
	}
	if excluded == nil {
		return nil
	}
	call := map[string]any{"queryTerm": "(" + args.QueryTerm + ") " + strings.Join(terms, " "), "filterByPublicationTypes": nil}
	if others != nil {
		call["filterByPublicationTypes"] = others
	}
	all := strings.Join(excluded, ", ")
	return envelope.Refuse("filterByPublicationTypes", all, "%s excludes a type, which this argument cannot do", envelope.Quoted(all)).
		Hint("To exclude it call searchPubMedArticles again with %s.", tool.Show(call))
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
