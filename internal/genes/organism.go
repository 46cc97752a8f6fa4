package genes

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/tool"
)

func readOrganism(toolName, text string) (entrez.Taxon, error) {
	taxon, err := entrez.Organism(text)
	wrong, ok := errors.AsType[*entrez.NoOrganism](err)
	if !ok {
		return taxon, err
	}
	refuse := func(reason string) envelope.Refusal {
		return envelope.Refuse("organism", text, "%s %s", envelope.Quoted(entity.Clean(wrong.Name)), reason)
	}
	switch {
	case wrong.All:
		return taxon, refuse("means all organisms: leave organism out for all").Again(toolName, `with {"organism":null}: without organism`)
	case wrong.Candidates == nil:
		return taxon, refuse("is not a taxid, a scientific name or a common name of an organism").Hint("%s", nearOrganisms(toolName, ""))
	case wrong.Parts:
		return taxon, refuse("names several organisms; organism takes one").
			Hint("Call %s again, once for each of %s.", toolName, organismObjects(wrong.Candidates))
	}
	return taxon, refuse("may mean several organisms").As(entity.AmbiguousQuery).
		Again(toolName, "with one of %s", organismObjects(wrong.Candidates))
}

// eachOrganism returns organisms with those of a text that names several.
func eachOrganism(texts []string) (all []string) {
	for _, text := range texts {
		_, err := entrez.Organism(text)
		if several, ok := errors.AsType[*entrez.NoOrganism](err); ok && several.Parts {
			all = append(all, several.Candidates...)
		} else {
			all = append(all, text)
		}
	}
	return all
}

// unknownOrganism returns the error for a name that NCBI does not know.
func unknownOrganism(toolName, organism string) *entity.Error {
	return envelope.Refuse("organism", organism, "NCBI knows no organism of this name").Hint("%s", nearOrganisms(toolName, organism))
}

// nearOrganisms returns the hint that lists organisms with similar names.
func nearOrganisms(toolName, name string) string {
	call := ""
	if near := entrez.Near(name); near != nil {
		call = "Call " + toolName + " again with " + organismObjects(near) + ". "
	}
	return call + "organism takes a common name, a scientific name or an NCBI taxid such as 9606, also of a group such as mammals."
}

// nearList returns the hint with the list of organisms in which a similar name stands for each of those that NCBI does not know. If one of
// these resembles no other name, the hint has no call.
func nearList(toolName string, organisms, unknown []string) string {
	names := slices.Clone(organisms)
	for i, name := range names {
		near := entrez.Near(name)
		switch {
		case !slices.Contains(unknown, name):
		case near == nil:
			return nearOrganisms(toolName, "")
		default:
			names[i] = near[0]
		}
	}
	return "Call " + toolName + " again with " + tool.Object("organism", names) + "."
}

// organismObjects returns names as ready arguments.
func organismObjects(names []string) string {
	var objects []string
	for _, name := range names {
		objects = append(objects, tool.Object("organism", name))
	}
	return strings.Join(objects, ", ")
}

// unknownTaxon reports whether Entrez does not know an organism.
func unknownTaxon(taxon entrez.Taxon, search *entrez.Search) bool {
	if taxon == (entrez.Taxon{}) {
		return false
	}
	return slices.ContainsFunc(slices.Concat(search.PhrasesNotFound, search.QuotedPhrasesNotFound), func(phrase string) bool {
		return taxon.Name != "" && strings.Contains(entity.Fold(phrase), entity.Fold(taxon.Name)) ||
			taxon.ID != 0 && strings.Contains(phrase, "txid"+strconv.Itoa(taxon.ID)+"[")
	})
}

// excludedOrganism returns the error for an organism that the caller excludes, with the query that excludes it.
func excludedOrganism(args geneWords, name string) *entity.Error {
	e := envelope.Refuse("organism", args.Organism, "%s excludes an organism, which this argument cannot do",
		envelope.Quoted(args.Organism))
	taxon, err := entrez.Organism(name)
	if err != nil {
		return e.Hint("Give organism a name, or leave it out and exclude the organism in query with NOT and the tag [orgn].")
	}
	return e.Hint("To exclude it call search_genes again with %s.",
		tool.Show(map[string]any{"query": "(" + args.Query + ") NOT " + taxon.Term(), "organism": nil}))
}
