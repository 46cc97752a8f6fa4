package service

import (
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// geneID matches the ways in which people write an NCBI Gene id.
var geneID = lazyregexp.New(`^(?i:(?:NCBI ?Gene|Gene ?ID|Entrez(?: ?Gene)?|GENE)\s*[:=]?\s*|(?:https?://)?(?:www\.)?ncbi\.nlm\.nih\.gov/gene/)?0*([1-9][0-9]{0,9})/?$`)

// geneLabel matches what marks an id, before a symbol: NCBIGene:TP53.
var geneLabel = lazyregexp.New(`^(?i:(?:NCBI ?)?Gene(?: ?ID)?|Entrez(?: ?Gene)?)\s*[:=]\s*`)

// genePrefix matches what stands before an id, without one.
var genePrefix = lazyregexp.New(`^(?i:(?:NCBI ?)?Gene|Gene ?ID|Entrez(?: ?Gene)?)\s*[:=]?[^0-9A-Za-z]*0*$`)

// readGeneID returns the digits of an NCBI Gene id. Anything else is
// UNRESOLVED_ENTITY, with the search that resolves it.
func readGeneID(toolName, text string) (string, error) {
	if m := geneID.FindStringSubmatch(strings.TrimSpace(text)); m != nil {
		return m[1], nil
	}
	hint := "Call search_genes with a symbol or name, such as " + tool.Object("query", "TP53") + ", then " + toolName + " with the id of a result."
	words := strings.TrimSpace(geneLabel.ReplaceAllString(strings.TrimSpace(entity.Clean(text)), ""))
	trials, _ := onlyIDs(words)
	switch ids, pmids := geneIDs(words), onlyPMIDs(words); {
	case len(ids) > 1:
		hint = "It takes one at a time: call " + toolName + " again, once for each, first with " + tool.Object("entrez_id", geneCURIE(ids[0])) + "."
	case len(pmids) > 1:
		hint = "These are PMIDs of articles: call fetchArticleDetails with " + tool.Object("pmids", strings.Join(pmids, ",")) + ". For a gene: " + hint
	case len(trials) > 0:
		hint = "This is the id of a clinical trial: call get_trial with " + tool.Object("nct_id", curie(trials[0])) + ". For a gene: " + hint
	case strictPMID.MatchString(words):
		hint = "This is the PMID of an article: call fetchArticleDetails with " + tool.Object("pmids", pmidOf(strictPMID.FindStringSubmatch(words)[1])) +
			". For a gene: " + hint
	case entrez.Distinguishes(words) && !genePrefix.MatchString(words):
		hint = "Call search_genes with " + tool.Object("query", words) + ", then " + toolName + " with the id of a result."
	}
	return "", &entity.Error{
		Code:    entity.UnresolvedEntity,
		Message: toolName + " takes a resolved NCBI Gene id in the form NCBIGene:7157, not words or another kind of id.",
		Hint:    hint,
		Input:   text,
	}
}

// geneIDs returns the ids of a text that is nothing but marked NCBI Gene ids,
// or one bare number; nil where there is anything else.
func geneIDs(text string) []string {
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' || r == '\n' || r == ' ' || r == '\t' })
	var ids []string
	for _, part := range parts {
		m := geneID.FindStringSubmatch(part)
		if m == nil {
			return nil
		}
		if !slices.Contains(ids, m[1]) {
			ids = append(ids, m[1])
		}
	}
	return ids
}

func geneCURIE(id string) string { return "NCBIGene:" + id }
