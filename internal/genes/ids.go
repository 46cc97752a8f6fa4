package genes

import (
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// readGeneID returns the digits of an NCBI Gene id. Any other text is UNRESOLVED_ENTITY, with the search that resolves it.
func readGeneID(toolName, text string) (string, error) {
	if gene, ok := id.Gene.Read(text); ok {
		return gene, nil
	}
	hint := "Call search_genes with a symbol or name, then " + toolName + " with the id of a result."
	words := strings.TrimSpace(id.Gene.Unlabel(entity.Clean(text)))
	genes, _ := id.Gene.Only(words)
	_, bad := id.NCT.Find(words)
	foreign, _, _ := id.OfGene(words)
	switch kind, ids := id.Recognise(words); {
	case len(entity.Once(genes)) > 1:
		hint = tool.OnceForEach(toolName+" again", "entrez_id", entity.Once(genes))
	case kind == id.PMID && len(ids) > 1:
		hint = "These are PMIDs of articles: " + envelope.CallWith(kind, ids) + ". For a gene: " + hint
	case kind != nil:
		hint = "This is the " + kind.Name + ": " + envelope.CallWith(kind, ids) + ". For a gene: " + hint
	case len(bad) > 0:
		hint = "This looks like an NCT id, but " + envelope.WrongDigits(bad) + ". For a gene: " + hint
	case distinguishesGenes(words) && (envelope.MayFind(words) || foreign != nil || genomeRange.MatchString(words)):
		hint = "Call search_genes with " + tool.Object("query", words) + ", then " + toolName + " with the id of a result."
	}
	return "", envelope.Refuse("", text, "%s takes a resolved NCBI Gene id in the form NCBIGene:7157, not words or another kind of id",
		toolName).As(entity.UnresolvedEntity).Hint("%s", hint)
}
