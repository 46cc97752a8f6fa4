package filters

import (
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/tool"
)

var (
	quotedName      = lazyregexp.New(`["“”]([^"“”]*[\pL\pN][^"“”]*)["“”]`)
	onlyQuotedNames = lazyregexp.New(`^\s*["“”][^"“”]+["“”](?:(?:\s*[,;|]\s*|\s+(?i:or)\s+)["“”][^"“”]+["“”])*\s*$`)
)

// IsExactName reports whether a text consists of exact names of lead sponsors: one name or several, each in quotation marks.
func IsExactName(argument, text string) bool {
	return argument == "lead_sponsor" && onlyQuotedNames.MatchString(text) && quotedName.MatchString(text)
}

// exactName returns the node for the names in such a text.
func exactName(text string) query.Node {
	var names []query.Node
	for _, m := range quotedName.FindAllStringSubmatchIndex(text, -1) {
		names = append(names, query.ExactName("LeadSponsorName", strings.TrimSpace(text[m[2]:m[3]])))
	}
	return query.AnyOf(names...)
}

// Ranks reports whether a search has words, so that trials differ in relevance.
func Ranks(args tools.TrialFilters) bool {
	return slices.ContainsFunc(args.Texts(), func(a tool.Text) bool { return *a.Value != "" && !IsExactName(a.Name, *a.Value) })
}
