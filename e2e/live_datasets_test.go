//go:build live

package e2e

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

type orthologs = entity.Page[entity.GeneOrtholog]

// geneOrthologs checks assumptions about NCBI Datasets that its document does not state.
func (l *live) geneOrthologs(t *testing.T) {
	isSandbox := os.Getenv("BIOFACT_LIVE_SANDBOX") != ""
	var mouse orthologs
	l.call(t, "get_gene_orthologs", map[string]any{"entrez_id": "NCBIGene:672", "organism": "mouse"}, &mouse)
	expect.Must(t, len(mouse.Items) == 1, "a taxid as taxon_filter leaves the members of that organism alone: %+v", mouse)
	brca1 := mouse.Items[0]
	expect.That(t, brca1.ID == "NCBIGene:12189" && brca1.Symbol == "Brca1" && brca1.Organism == "Mus musculus" && brca1.TaxonID == 10090,
		"not Brca1 of the mouse: %+v", brca1)
	expect.That(t, brca1.CrossReferences.MGI == "MGI:104537" && brca1.CrossReferences.EnsemblGene == "ENSMUSG00000017146" &&
		slices.Contains(brca1.CrossReferences.UniProt, "P48754"), "the authority and its id, Ensembl and Swiss-Prot: %+v",
		brca1.CrossReferences)
	expect.That(t, len(brca1.Locations) > 0 && strings.HasPrefix(brca1.Locations[0].Sequence, "NC_000077."), "locations: %+v",
		brca1.Locations)
	expect.That(t, mouse.Pagination.TotalCount != nil && *mouse.Pagination.TotalCount == 1, "the total is that of the filter: %v",
		mouse.Pagination.TotalCount)

	var two orthologs
	l.call(t, "get_gene_orthologs", map[string]any{"entrez_id": "7157", "organism": []string{"mouse", "rat"}}, &two)
	expect.Is(t, len(two.Items), 2, "several taxa are ORed")

	gene, size := "7157", 100
	if isSandbox {
		gene = "990000300"
	}
	arguments := map[string]any{"entrez_id": gene, "page_size": size}
	seen, self := map[string]bool{}, 0
	for range 10 {
		var page orthologs
		l.call(t, "get_gene_orthologs", arguments, &page)
		expect.Must(t, page.Pagination.TotalCount != nil && *page.Pagination.TotalCount > 300, "the first page has a total above 300: %v",
			page.Pagination.TotalCount)
		for _, item := range page.Items {
			expect.That(t, !seen[item.ID], "%s is on two pages", item.ID)
			seen[item.ID] = true
			if item.Requested {
				self++
			}
		}
		if page.Pagination.Cursor == "" {
			expect.Is(t, len(seen), *page.Pagination.TotalCount, "genes on all pages, the gene itself counted")
			break
		}
		arguments["cursor"] = page.Pagination.Cursor
	}
	t.Logf("the set of NCBIGene:%s has %d genes, itself %d times", gene, len(seen), self)

	for name, arguments := range map[string]map[string]any{
		"a gene without orthologs is an empty answer":        {"entrez_id": "105694156"},
		"an organism without an ortholog is an empty answer": {"entrez_id": "672", "organism": "4932"},
	} {
		var none orthologs
		l.call(t, "get_gene_orthologs", arguments, &none)
		expect.That(t, len(none.Items) == 0 && none.Pagination.Cursor == "", "%s: %+v", name, none)
	}
	unknown := l.app.Tool("get_gene_orthologs").Call(t.Context(), l.app.Log, []byte(`{"entrez_id":"672","organism":"Homo nonexistens"}`))
	t.Logf("an organism that NCBI does not know: %s", unknown.JSON)
	expect.That(t, strings.Contains(string(unknown.JSON), `"INVALID_INPUT"`) || strings.Contains(string(unknown.JSON), `"items":[]`),
		"an unknown organism is refused, or an empty answer: %s", unknown.JSON)
	var primates orthologs
	l.call(t, "get_gene_orthologs", map[string]any{"entrez_id": "7157", "organism": "9443"}, &primates)
	expect.That(t, isSandbox || len(primates.Items) > 5, "the taxid of a group finds what is below it: %d", len(primates.Items))
}

// geneTranscripts checks the same for product reports.
func (l *live) geneTranscripts(t *testing.T) {
	for _, gene := range []struct {
		id, transcript, ensembl string
		length, protein         int
	}{
		{"7157", "NM_000546.", "ENST00000269305.", 2512, 393},
		{"672", "NM_007294.", "ENST00000357654.", 7088, 1863},
		{"348", "NM_000041.", "ENST00000252486.", 1166, 317},
	} {
		var page entity.Page[entity.GeneTranscript]
		l.call(t, "get_gene_transcripts", map[string]any{"entrez_id": gene.id, "page_size": 200}, &page)
		expect.Must(t, len(page.Items) > 0, "%s has no transcript", gene.id)
		first := page.Items[0]
		expect.That(t, strings.HasPrefix(first.Accession, gene.transcript) && first.SelectCategory == "MANE_SELECT" &&
			strings.HasPrefix(first.EnsemblTranscript, gene.ensembl), "MANE Select of %s: %+v", gene.id, first)
		expect.Must(t, first.Protein != nil && first.Protein.Length != nil && first.Length != nil && len(first.CDS) == 1 &&
			len(first.Locations) > 0, "%+v", first)
		expect.That(t, *first.Protein.Length == gene.protein && *first.Length == gene.length, "lengths of %s: %d, %d", gene.id,
			*first.Length, *first.Protein.Length)
		bases := 0
		for _, exon := range first.Locations[0].Exons {
			bases += exon.End - exon.Start + 1
		}
		expect.Is(t, bases, *first.Length, "bases in the exons of %s, both ends counted", first.Accession)
		expect.Is(t, (first.CDS[0].End-first.CDS[0].Start+1)/3-1, gene.protein, "codons of the coding region of %s, which counts from one",
			first.Accession)
		strand, exons := first.Locations[0].Strand, first.Locations[0].Exons
		expect.That(t, (strand == "minus") == (exons[0].Start > exons[len(exons)-1].Start),
			"exons are in the order of the transcript: %s %+v", strand, exons)
		selected := 0
		for _, transcript := range page.Items {
			if transcript.SelectCategory == "MANE_SELECT" {
				selected++
			}
		}
		expect.Is(t, selected, 1, "transcripts that are MANE Select")
	}
}
