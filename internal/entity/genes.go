package entity

import (
	"reflect"
	"regexp"
	"strings"
	"sync"
)

// GeneSearchCandidate is one ranked result of a gene search, with enough fields
// to choose from and 100 to 200 tokens long.
type GeneSearchCandidate struct {
	// CURIE, for get_gene and get_pubmed_links. Source: ESummary uid.
	ID string `json:"id" jsonschema:"pattern=^NCBIGene:[1-9][0-9]*$"`
	// Current symbol. Source: ESummary name.
	Symbol string `json:"symbol" jsonschema:"minLength=1"`
	// Official full name, else the description. Source: ESummary nomenclaturename, description.
	Name string `json:"name" jsonschema:"minLength=1"`
	// Description of NCBI. Source: ESummary description.
	Description string `json:"description,omitempty" jsonschema:"minLength=1"`
	// Scientific name of the organism. Source: ESummary organism.scientificname.
	Organism string `json:"organism" jsonschema:"minLength=1"`
	// With a list in query: the symbol or id, as given, that this gene matches best.
	Matched string `json:"matched,omitempty" jsonschema:"minLength=1"`
	// Falls from 1 over all pages (with a list, items have the order of query). Above 0.9 the symbol matches, above 0.8 an alias.
	Score float64 `json:"score" jsonschema:"exclusiveMinimum=0,maximum=1"`
}

// Gene is the complete flat record of a gene. A field without a value is absent;
// no field is ever null, empty or guessed.
type Gene struct {
	// CURIE of the gene. Source: Gene-track_geneid.
	ID string `json:"id" jsonschema:"pattern=^NCBIGene:[1-9][0-9]*$" section:"always"`
	// Requested ids that this record replaced. Source: Gene-track_current-id of those ids.
	Replaces []string `json:"replaces,omitempty" jsonschema:"minItems=1,minLength=1" section:"always"`
	// Symbol, else the locus tag, else LOC and the id. Source: Gene-ref_locus, Official Symbol, Gene-ref_formal-name, Gene-ref_locus-tag.
	Symbol string `json:"symbol" jsonschema:"minLength=1" section:"always"`
	// Official full name, else NCBI's name. Source: Official Full Name, Gene-ref_formal-name, Gene-ref_desc, Prot-ref_name.
	Name string `json:"name" jsonschema:"minLength=1" section:"always"`
	// Description of NCBI. Source: Gene-ref_desc.
	Description string `json:"description,omitempty" jsonschema:"minLength=1" section:"summary"`
	// Function of the gene. Source: Entrezgene_summary.
	Summary string `json:"summary,omitempty" jsonschema:"minLength=1" section:"summary" cut:"8"`
	// Cytogenetic or genetic location. Source: Gene-ref_maploc.
	MapLocation string `json:"map_location,omitempty" jsonschema:"minLength=1" section:"summary"`
	// Chromosome. Source: BioSource SubSource chromosome.
	Chromosome string `json:"chromosome,omitempty" jsonschema:"minLength=1" section:"summary"`
	// Other symbols. Source: Gene-ref_syn.
	Aliases []string `json:"aliases,omitempty" jsonschema:"minItems=1,minLength=1" section:"summary" cut:"7"`
	// Scientific name of the organism. Source: Org-ref_taxname.
	Organism string `json:"organism" jsonschema:"minLength=1" section:"always"`
	// NCBI Taxonomy id. Source: Org-ref_db taxon.
	TaxonID int `json:"taxon_id,omitempty" jsonschema:"minimum=1" section:"summary"`
	// Such as protein-coding. Source: Entrezgene_type.
	GeneType string `json:"gene_type,omitempty" jsonschema:"minLength=1" section:"summary"`
	// Genomic locations, reference assembly first. Source: Entrezgene_locus.
	Locations []GeneLocation `json:"locations,omitempty" jsonschema:"minItems=1" section:"locations" cut:"4"`
	// Disorders, association studies and curators' statements. Source: section Phenotypes.
	Phenotypes []GenePhenotype `json:"phenotypes,omitempty" jsonschema:"minItems=1" section:"phenotypes" cut:"3"`
	// Gene Ontology annotations; a term has one per evidence. Source: Entrezgene_properties GeneOntology.
	GOTerms []GOTerm `json:"go_terms,omitempty" jsonschema:"minItems=1" section:"go_terms" details:"1 pmids of go_terms" cut:"2"`
	// Sentences about the function, the 20 newest, the newest first. Source: Gene-commentary generif.
	GeneRIFs []GeneRIF `json:"generifs,omitempty" jsonschema:"minItems=1" section:"generifs" on:"request" cut:"10"`
	// Drugs whose labels name the gene. Source: openFDA.
	Drugs *GeneDrugs `json:"drugs,omitempty" section:"drugs" on:"request"`
	// Ids of the gene in other databases. Always present.
	CrossReferences GeneCrossReferences `json:"cross_references" section:"always"`
}

// GeneRIF is a sentence about the function of a gene, which NCBI calls a reference into function.
type GeneRIF struct {
	// The sentence. Source: Gene-commentary_text.
	Text string `json:"text" jsonschema:"minLength=1"`
	// PMIDs of its articles. Source: PubMedId.
	PMIDs []string `json:"pmids,omitempty" jsonschema:"minItems=1,pattern=^[1-9][0-9]*$"`
	// Day of its creation. Source: Gene-commentary_create-date.
	Date string `json:"date,omitempty" jsonschema:"pattern=^[0-9]{4}-[0-9]{2}-[0-9]{2}$"`
}

// GeneDrugs are the drugs of the USA whose labels name a gene. That a drug is missing proves nothing.
type GeneDrugs struct {
	// Names of the gene that were searched.
	Searched []string `json:"searched" jsonschema:"minItems=1,minLength=1"`
	// Drugs: those whose indications name the gene first, single substances before others. Source: openfda.generic_name.
	Items []GeneDrug `json:"items,omitempty" jsonschema:"minItems=1" cut:"11 drugs"`
	// Day of the data. Source: meta.last_updated.
	DataDate string `json:"data_date,omitempty" jsonschema:"minLength=1"`
}

// GeneDrug is a drug whose labels name a gene.
type GeneDrug struct {
	// Active substances without salts. Source: openfda.generic_name.
	Name string `json:"name" jsonschema:"minLength=1"`
	// Number of labels whose indications name the gene. Source: indications_and_usage.
	Indications int `json:"indications,omitempty" jsonschema:"minimum=1"`
	// Number of labels whose section on pharmacogenomics names the gene. Source: pharmacogenomics.
	Pharmacogenomics int `json:"pharmacogenomics,omitempty" jsonschema:"minimum=1"`
	// A label that was read, for get_drug. Source: set_id.
	SetID string `json:"set_id,omitempty" jsonschema:"minLength=1"`
	// Its section. Source: indications_and_usage, pharmacogenomics.
	Section string `json:"section,omitempty" jsonschema:"minLength=1"`
	// The sentence that names the gene.
	Text string `json:"text,omitempty" jsonschema:"minLength=1"`
}

// GeneLocation is an interval of a gene on one sequence. A gene can have several
// intervals on a sequence.
type GeneLocation struct {
	// Assembly as NCBI writes it, or RefSeqGene. Source: Gene-commentary_heading, Gene-commentary_label.
	Assembly string `json:"assembly,omitempty" jsonschema:"minLength=1"`
	// Accession with version. Source: Gene-commentary_accession, Gene-commentary_version.
	Sequence string `json:"sequence" jsonschema:"minLength=1"`
	// First base, from 1. Source: Seq-interval_from.
	Start int `json:"start,omitempty" jsonschema:"minimum=1"`
	// Last base. Source: Seq-interval_to.
	End int `json:"end,omitempty" jsonschema:"minimum=1"`
	// plus or minus. Source: Na-strand.
	Strand string `json:"strand,omitempty" jsonschema:"minLength=1"`
	// NCBI's count over all transcripts together: a transcript can have fewer, see get_gene_transcripts. First location only.
	// Source: Exon count.
	Exons int `json:"exons,omitempty" jsonschema:"minimum=1"`
}

// GenePhenotype is an entry of NCBI's list of phenotypes: a disorder, the title
// of an association study, or a statement of curators. Its sources say which.
type GenePhenotype struct {
	// Disorder, or title of a study. Source: Gene-commentary_heading.
	Name string `json:"name" jsonschema:"minLength=1"`
	// OMIM entry of the disorder. Source: Dbtag MIM.
	OMIM string `json:"omim,omitempty" jsonschema:"pattern=^[1-9][0-9]{5}$"`
	// Concept of MedGen. Source: Dbtag MedGen.
	MedGen string `json:"medgen,omitempty" jsonschema:"minLength=1"`
	// Origin of the entry, such as OMIM or NHGRI GWA Catalog. Source: Gene-commentary_heading.
	Sources []string `json:"sources,omitempty" jsonschema:"minItems=1,minLength=1"`
	// Statements of curators. Source: Gene-commentary_text.
	Notes []string `json:"notes,omitempty" jsonschema:"minItems=1,minLength=1"`
	// PMIDs of articles. Source: PubMedId.
	PMIDs []string `json:"pmids,omitempty" jsonschema:"minItems=1,pattern=^[1-9][0-9]*$"`
}

// GOTerm is an annotation of a gene with a term of the Gene Ontology.
type GOTerm struct {
	// Id of the term. Source: Dbtag GO.
	ID string `json:"id" jsonschema:"pattern=^GO:[0-9]{7}$"`
	// Name of the term. Source: Other-source_anchor.
	Term string `json:"term,omitempty" jsonschema:"minLength=1"`
	// Function, Process or Component. Source: Gene-commentary_label.
	Aspect string `json:"aspect,omitempty" jsonschema:"minLength=1"`
	// Relation of the gene to the term; NOT negates it. Source: Other-source_pre-text.
	Qualifier string `json:"qualifier,omitempty" jsonschema:"minLength=1"`
	// Evidence code, such as IDA. Source: Other-source_post-text.
	Evidence string `json:"evidence,omitempty" jsonschema:"minLength=1"`
	// PMIDs of articles. Source: PubMedId.
	PMIDs []string `json:"pmids,omitempty" jsonschema:"minItems=1,pattern=^[1-9][0-9]*$" detail:""`
}

// GeneCrossReferences are the ids of a gene in other databases, in a closed set
// of keys. The field of a key states its pattern, its cardinality (one id or a
// list) and its description. An id that does not match its pattern is left out.
// Only ids that NCBI states in the gene record are set, up to its Related
// Sequences; keys without such ids are reserved. The keys of model organism
// databases, from mgi on, extend the set.
type GeneCrossReferences struct {
	// HGNC id. Source: Gene-ref_db HGNC.
	HGNC string `json:"hgnc,omitempty" jsonschema:"pattern=^HGNC:[0-9]+$"`
	// Ensembl gene, of any species. Source: Gene-ref_db Ensembl.
	EnsemblGene string `json:"ensembl_gene,omitempty" jsonschema:"pattern=^ENS[A-Z_]*G[0-9]{11}$"`
	// Transcripts that match RefSeq's. Source: RefSeq section, Related Ensembl.
	EnsemblTranscript []string `json:"ensembl_transcript,omitempty" jsonschema:"minItems=1,pattern=^ENS[A-Z_]*T[0-9]{11}$" cut:"6"`
	// Swiss-Prot; no secondary accessions. Source: Related Sequences, else the RefSeq section.
	UniProt []string `json:"uniprot,omitempty" jsonschema:"minItems=1,pattern=^([OPQ][0-9][A-Z0-9]{3}[0-9]|[A-NR-Z][0-9]([A-Z][A-Z0-9]{2}[0-9])([A-Z][A-Z0-9]{2}[0-9])?)$" cut:"9"`
	// RefSeq transcripts, without version. Source: RefSeq section, Gene-commentary_accession.
	RefSeq []string `json:"refseq,omitempty" jsonschema:"minItems=1,pattern=^[NX][MR]_[0-9]+$" cut:"5"`
	// NCBI Gene id, as digits. Source: Gene-track_geneid.
	Entrez string `json:"entrez,omitempty" jsonschema:"pattern=^[1-9][0-9]*$"`
	// OMIM entry of the gene. Source: Gene-ref_db MIM.
	OMIM string `json:"omim,omitempty" jsonschema:"pattern=^[1-9][0-9]{5}$"`
	// Reserved.
	UCSC string `json:"ucsc,omitempty" jsonschema:"pattern=^uc[0-9]{3}[a-z]{3}[.][0-9]+$"`
	// Reserved: get_pubmed_links pages them.
	PubMed []string `json:"pubmed,omitempty" jsonschema:"minItems=1,pattern=^[1-9][0-9]*$"`
	// Reserved.
	KEGG string `json:"kegg,omitempty" jsonschema:"pattern=^[a-z]{3}[a-z]?:[A-Za-z0-9_.-]+$"`
	// Reserved.
	KEGGPathway []string `json:"kegg_pathway,omitempty" jsonschema:"minItems=1,pattern=^[a-z]{3}[a-z]?[0-9]{5}$"`
	// Reserved.
	PDB []string `json:"pdb,omitempty" jsonschema:"minItems=1,pattern=^[0-9][A-Z0-9]{3}$"`
	// Reserved.
	ChEMBL string `json:"chembl,omitempty" jsonschema:"pattern=^CHEMBL[0-9]+$"`
	// Reserved.
	DrugBank string `json:"drugbank,omitempty" jsonschema:"pattern=^DB[0-9]{5}$"`
	// Reserved.
	PubChemCompound string `json:"pubchem_compound,omitempty" jsonschema:"pattern=^[0-9]+$"`
	// Reserved.
	PubChemSubstance string `json:"pubchem_substance,omitempty" jsonschema:"pattern=^[0-9]+$"`
	// Reserved.
	STRING string `json:"string,omitempty" jsonschema:"pattern=^[0-9]+[.][A-Za-z0-9_.-]+$"`
	// Reserved.
	BioGRID string `json:"biogrid,omitempty" jsonschema:"pattern=^[0-9]+$"`
	// Reserved.
	STITCH string `json:"stitch,omitempty" jsonschema:"pattern=^(CID[sm])?[0-9]+$"`
	// Reserved.
	IUPHAR string `json:"iuphar,omitempty" jsonschema:"pattern=^[0-9]+$"`
	// Reserved.
	Orphanet string `json:"orphanet,omitempty" jsonschema:"pattern=^ORPHA:[0-9]+$"`
	// Reserved.
	MONDO string `json:"mondo,omitempty" jsonschema:"pattern=^MONDO:[0-9]{7}$"`
	// Reserved.
	EFO string `json:"efo,omitempty" jsonschema:"pattern=^EFO:[0-9]{7}$"`

	// Mouse Genome Informatics. Source: Gene-ref_db MGI.
	MGI string `json:"mgi,omitempty" jsonschema:"pattern=^MGI:[0-9]+$"`
	// Rat Genome Database. Source: Gene-ref_db RGD.
	RGD string `json:"rgd,omitempty" jsonschema:"pattern=^RGD:[0-9]+$"`
	// Zebrafish Information Network. Source: Gene-ref_db ZFIN.
	ZFIN string `json:"zfin,omitempty" jsonschema:"pattern=^ZDB-[A-Z]*GENE[A-Z]*-[0-9]{6}-[0-9]+$"`
	// FlyBase. Source: Gene-ref_db FLYBASE.
	FlyBase string `json:"flybase,omitempty" jsonschema:"pattern=^FBgn[0-9]{7}$"`
	// WormBase. Source: Gene-ref_db WormBase.
	WormBase string `json:"wormbase,omitempty" jsonschema:"pattern=^WBGene[0-9]{8}$"`
	// Saccharomyces Genome Database. Source: Gene-ref_db SGD.
	SGD string `json:"sgd,omitempty" jsonschema:"pattern=^S[0-9]{9}$"`
	// Xenbase. Source: Gene-ref_db Xenbase.
	Xenbase string `json:"xenbase,omitempty" jsonschema:"pattern=^XB-GENE-[0-9]+$"`
}

// GeneCrossReferencePatterns returns the pattern of the ids of each key of
// GeneCrossReferences, as its tag states it. Do not change the map.
func GeneCrossReferencePatterns() map[string]*regexp.Regexp { return geneCrossReferencePatterns() }

var geneCrossReferencePatterns = sync.OnceValue(func() map[string]*regexp.Regexp {
	patterns := map[string]*regexp.Regexp{}
	for field := range reflect.TypeFor[GeneCrossReferences]().Fields() {
		key, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		for _, rule := range strings.Split(field.Tag.Get("jsonschema"), ",") {
			if pattern, ok := strings.CutPrefix(rule, "pattern="); ok {
				patterns[key] = regexp.MustCompile(pattern)
			}
		}
	}
	return patterns
})

// PubMedLink is an article that NCBI links to a gene.
type PubMedLink struct {
	// PMID, for fetchArticleDetails. Source: ELink gene_pubmed.
	PMID string `json:"pmid" jsonschema:"pattern=^[1-9][0-9]*$"`
}
