package articles

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/tool"
)

const (
	maxCitationsListed = 50   // citations of a call
	maxHintCall        = 1000 // bytes of a call in a hint
)

// severalCited returns the error for a text with several citations. Its hint has a call with the citations split.
func severalCited(given []tools.MatchCitationsCitations, at int, parts []string) error {
	var split, all []any
	for _, part := range parts {
		split = append(split, map[string]any{"text": part})
	}
	for i := range given {
		if i == at {
			all = append(all, split...)
		} else {
			all = append(all, citedObject(&given[i]))
		}
	}
	name := fmt.Sprintf("citations[%d].text", at)
	e := envelope.Refuse(name, given[at].Text, "must be one citation, has %d, was %s", len(parts), envelope.Quoted(given[at].Text))
	call := tool.Object("citations", all)
	isWhole := strings.HasPrefix(call, `{"citations":[`) // a call that is too long loses its list
	if len(all) <= maxCitationsListed && len(call) <= maxHintCall && isWhole {
		return e.Again(tools.MatchCitations, "with %s", call)
	}
	return e.Hint("Give an object for each of them, and call %s again.", tools.MatchCitations)
}

func citedObject(g *tools.MatchCitationsCitations) map[string]any {
	object := map[string]any{}
	for name, text := range map[string]string{
		"text": g.Text, "journal": g.Journal, "year": g.Year, "volume": g.Volume, "firstPage": g.FirstPage, "author": g.Author,
		"title": g.Title, "doi": g.Doi,
	} {
		if text != "" {
			object[name] = text
		}
	}
	return object
}

// noCitation returns the error for a citation that does not identify an article, or is only a PMCID.
func noCitation(c *citedWork, g *tools.MatchCitationsCitations) error {
	given := []string{g.Text, g.Journal, g.Year, g.Volume, g.FirstPage, g.Author, g.Title, g.Doi}
	input := cmp.Or(g.Text, strings.Join(slices.DeleteFunc(given, func(s string) bool { return s == "" }), ", "))
	if c.onlyPMCID() {
		return envelope.Refuse(c.name, input, "%s is a PMCID, not a citation", envelope.Quoted(input)).
			Hint("Call %s with %s.", tools.ConvertArticleIds, tool.Object("ids", []any{c.PMCID}))
	}
	return envelope.Refuse(c.name, input, "identifies no article: it needs text, doi, title, journal with volume or firstPage, or author "+
		"with year or journal").Hint("Add one of these to %s, such as the title, and call %s again.", c.name, tools.MatchCitations)
}
