package entity

// GeneOrtholog is a gene in the ortholog set of another gene.
type GeneOrtholog struct {
	// CURIE, for get_gene. Source: gene.gene_id.
	ID string `json:"id" jsonschema:"pattern=^NCBIGene:[1-9][0-9]*$"`
	// Symbol, else LOC and the id. Source: gene.symbol.
	Symbol string `json:"symbol" jsonschema:"minLength=1"`
	// Name. Source: gene.description.
	Name string `json:"name,omitempty" jsonschema:"minLength=1"`
	// Scientific name of the organism. Source: gene.taxname.
	Organism string `json:"organism" jsonschema:"minLength=1"`
	// Common name of the organism. Source: gene.common_name.
	CommonName string `json:"common_name,omitempty" jsonschema:"minLength=1"`
	// NCBI Taxonomy id. Source: gene.tax_id.
	TaxonID int `json:"taxon_id,omitempty" jsonschema:"minimum=1"`
	// True for the gene of the call, which NCBI includes in the set.
	Requested bool `json:"asked_for,omitempty"`
	// Such as PROTEIN_CODING. Source: gene.type.
	GeneType string `json:"gene_type,omitempty" jsonschema:"minLength=1"`
	// Chromosome. Source: gene.chromosomes.
	Chromosome string `json:"chromosome,omitempty" jsonschema:"minLength=1"`
	// Genomic locations. Source: gene.annotations.
	Locations []OrthologLocation `json:"locations,omitempty" jsonschema:"minItems=1"`
	// Ids of the gene in other databases.
	CrossReferences GeneCrossReferences `json:"cross_references"`
}

// OrthologLocation is the location of a gene on an annotated assembly.
type OrthologLocation struct {
	// Assembly. Source: gene.annotations.assembly_name.
	Assembly string `json:"assembly,omitempty" jsonschema:"minLength=1"`
	// Accession with version. Source: genomic_locations.genomic_accession_version.
	Sequence string `json:"sequence" jsonschema:"minLength=1"`
	// First base, from 1. Source: genomic_range.begin.
	Start int `json:"start,omitempty" jsonschema:"minimum=1"`
	// Last base. Source: genomic_range.end.
	End int `json:"end,omitempty" jsonschema:"minimum=1"`
	// plus or minus. Source: genomic_range.orientation.
	Strand string `json:"strand,omitempty" jsonschema:"minLength=1"`
}

// GeneTranscript is a RefSeq transcript of a gene, with its Ensembl transcript
// and its protein.
type GeneTranscript struct {
	// RefSeq accession with version. Source: transcripts.accession_version.
	Accession string `json:"accession" jsonschema:"minLength=1"`
	// Such as transcript variant 1. Source: transcripts.name.
	Name string `json:"name,omitempty" jsonschema:"minLength=1"`
	// Such as PROTEIN_CODING; MODEL: predicted. Source: transcripts.type.
	Type string `json:"type,omitempty" jsonschema:"minLength=1"`
	// MANE_SELECT, MANE_PLUS_CLINICAL or REFSEQ_SELECT. Source: transcripts.select_category.
	SelectCategory string `json:"select_category,omitempty" jsonschema:"minLength=1"`
	// Nucleotides. Source: transcripts.length.
	Length *int `json:"length,omitempty" jsonschema:"minimum=0"`
	// Ensembl accession with version. Source: transcripts.ensembl_transcript.
	EnsemblTranscript string `json:"ensembl_transcript,omitempty" jsonschema:"minLength=1"`
	// Protein that it encodes. Source: transcripts.protein.
	Protein *TranscriptProtein `json:"protein,omitempty"`
	// Coding region, in bases of the transcript. Source: transcripts.cds.range.
	CDS []SequenceRange `json:"cds,omitempty" jsonschema:"minItems=1"`
	// Genomic locations. Source: transcripts.genomic_locations.
	Locations []TranscriptLocation `json:"locations,omitempty" jsonschema:"minItems=1"`
}

// TranscriptProtein is the protein of a transcript.
type TranscriptProtein struct {
	// RefSeq accession with version. Source: protein.accession_version.
	Accession string `json:"accession,omitempty" jsonschema:"minLength=1"`
	// Name. Source: protein.name.
	Name string `json:"name,omitempty" jsonschema:"minLength=1"`
	// Such as isoform a. Source: protein.isoform_name.
	Isoform string `json:"isoform,omitempty" jsonschema:"minLength=1"`
	// Amino acids. Source: protein.length.
	Length *int `json:"length,omitempty" jsonschema:"minimum=0"`
	// Ensembl accession with version. Source: protein.ensembl_protein.
	EnsemblProtein string `json:"ensembl_protein,omitempty" jsonschema:"minLength=1"`
}

// TranscriptLocation is the location of a transcript on a genomic sequence.
type TranscriptLocation struct {
	// Accession with version. Source: genomic_locations.genomic_accession_version.
	Sequence string `json:"sequence" jsonschema:"minLength=1"`
	// First base, from 1. Source: genomic_range.begin.
	Start int `json:"start,omitempty" jsonschema:"minimum=1"`
	// Last base. Source: genomic_range.end.
	End int `json:"end,omitempty" jsonschema:"minimum=1"`
	// plus or minus. Source: genomic_range.orientation.
	Strand string `json:"strand,omitempty" jsonschema:"minLength=1"`
	// Exons, in the order of the transcript. Source: genomic_locations.exons.
	Exons []SequenceRange `json:"exons,omitempty" jsonschema:"minItems=1"`
}

// SequenceRange is a range of a sequence.
type SequenceRange struct {
	// First base, from 1. Source: range.begin.
	Start int `json:"start" jsonschema:"minimum=1"`
	// Last base. Source: range.end.
	End int `json:"end" jsonschema:"minimum=1"`
}
