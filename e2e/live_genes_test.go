//go:build live

package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// genesInDepth checks assumptions about NCBI Gene and ClinVar that no stored answer shows.
func (l *live) genesInDepth(t *testing.T) {
	var gene entity.Gene
	l.call(t, "get_gene", map[string]any{"entrez_id": "NCBIGene:7157"}, &gene)
	inTerms := slices.IndexFunc(gene.GOTerms,
		func(g entity.GOTerm) bool { return g.ID == "GO:0003677" && g.Evidence != "" && g.Aspect == "Function" })
	expect.That(t, inTerms >= 0, "no DNA binding among %d terms", len(gene.GOTerms))
	inPhenotypes := slices.IndexFunc(gene.Phenotypes, func(p entity.GenePhenotype) bool { return p.OMIM == "151623" && p.MedGen != "" })
	expect.That(t, inPhenotypes >= 0, "no Li-Fraumeni syndrome among %d phenotypes", len(gene.Phenotypes))
	expect.That(t, len(gene.Locations) > 0 && strings.HasPrefix(gene.Locations[0].Sequence, "NC_000017.") &&
		gene.Locations[0].Strand == "minus" &&
		gene.Locations[0].Start < gene.Locations[0].End && gene.Locations[0].Exons > 5, "locations %+v", gene.Locations)

	var rifs entity.Page[entity.PubMedLink]
	l.call(t, "get_pubmed_links", map[string]any{"entrez_id": "NCBIGene:7157", "generif": true, "limit": 1}, &rifs)
	expect.That(t, rifs.Pagination.TotalCount != nil && *rifs.Pagination.TotalCount > 100, "GeneRIFs %+v", rifs.Pagination)
}

// geneLists looks up lists of symbols, ids of other systems, and the genes of an article.
func (l *live) geneLists(t *testing.T) {
	matched := func(arguments map[string]any) (out []string) {
		var page entity.Page[entity.GeneSearchCandidate]
		l.call(t, "search_genes", arguments, &page)
		for _, gene := range page.Items {
			out = append(out, gene.Matched+" "+gene.ID)
		}
		return out
	}
	// [gene] finds aliases, too; ESummary lists the aliases of each gene.
	expect.Equal(t, "list", []string{"TP53 NCBIGene:7157", "BRCA1 NCBIGene:672", "HER2 NCBIGene:2064", "MLL NCBIGene:4297"},
		matched(map[string]any{"query": "TP53, BRCA1, HER2, MLL"}))
	// Ids of Ensembl, HGNC and UniProt are found as text, those of OMIM by [mim].
	for _, text := range []string{"ENSG00000141510", "HGNC:11998", "P04637", "OMIM:191170"} {
		expect.Equal(t, text, []string{text + " NCBIGene:7157"}, matched(map[string]any{"query": text}))
	}
	genes := matched(map[string]any{"pmid": "25842826"})
	expect.That(t, slices.Contains(genes, " NCBIGene:7157"), "genes of the article: %q", genes)
}

// geneVariants checks assumptions about ClinVar: it knows single_gene[prop], the clinsig properties and [RVST], [gene] accepts a symbol
// in quotation marks, and documents have the shape of 2024.
func (l *live) geneVariants(t *testing.T) {
	type page struct {
		entity.Page[entity.GeneVariant]
		entity.GeneVariants
	}
	var all, pathogenic page
	l.call(t, "get_gene_variants", map[string]any{"entrez_id": "NCBIGene:7157", "page_size": 5}, &all)
	expect.Must(t, all.Counts != nil && all.Pagination.TotalCount != nil && len(all.Items) == 5, "%+v", all)
	expect.That(t, len(all.Counts.Significance) == 6 && len(all.Counts.ReviewStatus) == 6, "a class that ClinVar does not know: %+v",
		all.Counts)
	for _, count := range all.Counts.Significance {
		expect.That(t, count.Count > 0 && count.Count < *all.Pagination.TotalCount, "%+v of %d", count, *all.Pagination.TotalCount)
	}
	l.call(t, "get_gene_variants", map[string]any{"entrez_id": "NCBIGene:7157", "significance": "pathogenic", "page_size": 20}, &pathogenic)
	expect.That(t, *pathogenic.Pagination.TotalCount == all.Counts.Significance[0].Count, "%d, not %+v", *pathogenic.Pagination.TotalCount,
		all.Counts.Significance[0])
	for _, v := range pathogenic.Items {
		expect.That(t, strings.Contains(v.Significance, "athogenic") && v.ReviewStatus != "" && v.Accession != "" &&
			strings.Contains(v.Name, "TP53"), "%+v", v)
	}
}
