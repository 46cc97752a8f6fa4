package genes

import (
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/gen/datasets"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

// GeneOrthologFields returns the fields of a report that GeneOrtholog reads.
func GeneOrthologFields() []string {
	return []string{
		"gene.gene_id", "gene.symbol", "gene.description", "gene.taxname", "gene.common_name", "gene.tax_id", "gene.type",
		"gene.chromosomes",
		"gene.annotations.assembly_name", "gene.annotations.genomic_locations.genomic_accession_version",
		"gene.annotations.genomic_locations.genomic_range.begin", "gene.annotations.genomic_locations.genomic_range.end",
		"gene.annotations.genomic_locations.genomic_range.orientation",
		"gene.nomenclature_authority.authority", "gene.nomenclature_authority.identifier",
		"gene.ensembl_gene_ids", "gene.omim_ids", "gene.swiss_prot_accessions",
	}
}

// GeneOrtholog maps the report of a gene in an ortholog set. The notices are sentences on ids that do not fit into the entity. The only
// error is ErrIncomplete.
func GeneOrtholog(report *datasets.V2reportsGeneReportMatch) (entity.GeneOrtholog, []string, error) {
	g := &report.Gene
	refs, notices := reportReferences(g)
	out := entity.GeneOrtholog{
		ID:              text.CURIE(id.Gene, g.GeneId),
		Symbol:          geneSymbol(g.GeneId, g.Symbol),
		Name:            text.Clean(g.Description),
		Organism:        text.Clean(g.Taxname),
		CommonName:      text.Clean(g.CommonName),
		TaxonID:         readCount(g.TaxId),
		GeneType:        knownValue(string(g.Type), "UNKNOWN"),
		Chromosome:      chromosomes(g.Chromosomes),
		CrossReferences: refs,
	}
	if out.ID == "" || out.Organism == "" {
		return entity.GeneOrtholog{}, nil, text.ErrIncomplete
	}
	for _, annotation := range g.Annotations {
		for _, at := range annotation.GenomicLocations {
			place := entity.OrthologLocation{Assembly: text.Clean(annotation.AssemblyName),
				Sequence: text.Clean(at.GenomicAccessionVersion), Strand: strand(at.GenomicRange)}
			if place.Sequence == "" {
				continue
			}
			if span, ok := sequenceRange(at.GenomicRange); ok {
				place.Start, place.End = span.Start, span.End
			}
			out.Locations = append(out.Locations, place)
		}
	}
	return out, notices, nil
}

// reportReferences returns the cross-references of a gene in a report: its lists of ids, and the id at the authority that named it.
func reportReferences(g *datasets.V2reportsGeneDescriptor) (entity.GeneCrossReferences, []string) {
	refs, notices := crossReferences(text.Clean(g.GeneId), func(db string) []string {
		by := g.NomenclatureAuthority
		switch {
		case db == "Ensembl":
			return g.EnsemblGeneIds
		case db == "MIM":
			return g.OmimIds
		case strings.EqualFold(text.Clean(by.Authority), db):
			return []string{by.Identifier}
		}
		return nil
	})
	refs.UniProt = matchingIDs("uniprot", g.SwissProtAccessions)
	return refs, notices
}

// knownValue returns the value of an enumeration, or "" for its value unknown.
func knownValue(value, unknown string) string {
	if value = text.Clean(value); value == unknown {
		return ""
	}
	return value
}

// strand returns plus or minus.
func strand(of datasets.V2reportsRange) string { return knownValue(string(of.Orientation), "none") }

// sequenceRange returns a range; false if an end is missing.
func sequenceRange(of datasets.V2reportsRange) (entity.SequenceRange, bool) {
	span := entity.SequenceRange{Start: readCount(of.Begin), End: readCount(of.End)}
	return span, span.Start > 0 && span.End > 0
}

// readCount returns the number in a text; 0 if the text is not a number of 0 or more.
func readCount(digits string) int {
	n, err := strconv.Atoi(text.Clean(digits))
	if err != nil || n < 0 {
		return 0
	}
	return n
}
