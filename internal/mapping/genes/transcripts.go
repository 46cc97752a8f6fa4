package genes

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/biofact-mcp/biofact/gen/datasets"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

// GeneTranscriptFields returns the fields of a report that GeneTranscripts reads.
func GeneTranscriptFields() []string {
	const in = "product.transcripts."
	return []string{
		"product.gene_id", "product.transcript_count",
		in + "accession_version", in + "name", in + "type", in + "select_category", in + "length", in + "ensembl_transcript",
		in + "protein.accession_version", in + "protein.name", in + "protein.isoform_name", in + "protein.length", in +
			"protein.ensembl_protein",
		in + "cds.accession_version", in + "cds.range.begin", in + "cds.range.end",
		in + "genomic_locations.genomic_accession_version", in + "genomic_locations.genomic_range.begin",
		in + "genomic_locations.genomic_range.end", in + "genomic_locations.genomic_range.orientation",
		in + "genomic_locations.exons.begin", in + "genomic_locations.exons.end", in + "genomic_locations.exons.order",
	}
}

// selected are the categories of representative transcripts, in their order. Other transcripts come after them.
var selected = []string{"MANE_SELECT", "MANE_PLUS_CLINICAL", "REFSEQ_SELECT"}

// GeneTranscripts maps the transcripts in the report of a gene's products, the representative ones first. The notices say which parts could
// not be mapped. The only error is ErrIncomplete, for a report without a gene.
func GeneTranscripts(report *datasets.V2reportsGeneReportMatch) (transcripts []entity.GeneTranscript, notices []string, err error) {
	product := &report.Product
	gene := text.CURIE(id.Gene, product.GeneId)
	if gene == "" {
		return nil, nil, text.ErrIncomplete
	}
	for i := range product.Transcripts {
		transcript, ok := geneTranscript(&product.Transcripts[i])
		if ok {
			transcripts = append(transcripts, transcript)
		}
		if on := text.Clean(product.Transcripts[i].Cds.AccessionVersion); ok && on != "" && on != transcript.Accession {
			notices = append(notices, fmt.Sprintf("The coding region of %s was left out: NCBI states it on %s.", transcript.Accession, on))
		}
	}
	if lost := len(product.Transcripts) - len(transcripts); lost > 0 {
		notices = append(notices, fmt.Sprintf("Transcripts of %s without an accession were left out: %d.", gene, lost))
	}
	if stated := product.TranscriptCount; stated != nil && *stated != len(product.Transcripts) {
		notices = append(notices, fmt.Sprintf("NCBI counts %d transcripts of %s and lists %d.", *stated, gene, len(product.Transcripts)))
	}
	rank := func(t entity.GeneTranscript) int {
		if i := slices.Index(selected, t.SelectCategory); i >= 0 {
			return i
		}
		return len(selected)
	}
	slices.SortStableFunc(transcripts, func(a, b entity.GeneTranscript) int { return cmp.Compare(rank(a), rank(b)) })
	return transcripts, notices, nil
}

func geneTranscript(t *datasets.V2reportsTranscript) (entity.GeneTranscript, bool) {
	out := entity.GeneTranscript{
		Accession:         text.Clean(t.AccessionVersion),
		Name:              text.Clean(t.Name),
		Type:              knownValue(string(t.Type), "UNKNOWN"),
		SelectCategory:    knownValue(string(t.SelectCategory), "SELECT_UNKNOWN"),
		Length:            notNegative(t.Length),
		EnsemblTranscript: text.Clean(t.EnsemblTranscript),
	}
	protein := entity.TranscriptProtein{
		Accession:      text.Clean(t.Protein.AccessionVersion),
		Name:           text.Clean(t.Protein.Name),
		Isoform:        text.Clean(t.Protein.IsoformName),
		Length:         notNegative(t.Protein.Length),
		EnsemblProtein: text.Clean(t.Protein.EnsemblProtein),
	}
	if protein != (entity.TranscriptProtein{}) {
		out.Protein = &protein
	}
	if on := text.Clean(t.Cds.AccessionVersion); on == "" || on == out.Accession {
		out.CDS = sequenceRanges(t.Cds.Range)
	}
	for _, at := range t.GenomicLocations {
		place := entity.TranscriptLocation{Sequence: text.Clean(at.GenomicAccessionVersion), Strand: strand(at.GenomicRange),
			Exons: sequenceRanges(at.Exons)}
		if place.Sequence == "" {
			continue
		}
		if span, ok := sequenceRange(at.GenomicRange); ok {
			place.Start, place.End = span.Start, span.End
		}
		out.Locations = append(out.Locations, place)
	}
	return out, out.Accession != ""
}

// sequenceRanges returns the ranges that have both ends, by their number if all have one.
func sequenceRanges(given []datasets.V2reportsRange) (out []entity.SequenceRange) {
	if !slices.ContainsFunc(given, func(r datasets.V2reportsRange) bool { return r.Order == nil }) {
		given = slices.Clone(given)
		slices.SortStableFunc(given, func(a, b datasets.V2reportsRange) int { return cmp.Compare(*a.Order, *b.Order) })
	}
	for _, r := range given {
		if span, ok := sequenceRange(r); ok {
			out = append(out, span)
		}
	}
	return out
}

func notNegative(n *int) *int {
	if n == nil || *n < 0 {
		return nil
	}
	return n
}
