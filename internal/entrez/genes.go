package entrez

import (
	"bufio"
	"io"
	"strings"
)

// GeneStatus is the value of Gene-track_status.
type GeneStatus string

// The values of GeneStatus.
const (
	GeneLive         GeneStatus = "live"
	GeneSecondary    GeneStatus = "secondary"    // replaced by the record CurrentID
	GeneDiscontinued GeneStatus = "discontinued" // withdrawn
)

// SwissProt is the Dbtag database of reviewed UniProt entries.
const SwissProt = "UniProtKB/Swiss-Prot"

// Dbtag is a database and an id in it, both as NCBI writes them.
type Dbtag struct{ DB, Value string }

// Gene holds the data of one gene record of EFetch, in the record's own terms: an Entrezgene of the DTD NCBI_Entrezgene. Texts are
// unchanged except that surrounding space is removed; "" means absent. Lists are in the record's order, without duplicates.
type Gene struct {
	ID        string     // Gene-track_geneid
	Status    GeneStatus // Gene-track_status
	CurrentID string     // Gene-track_current-id: the record that replaces a secondary record
	Type      string     // the value attribute of Entrezgene_type

	TaxName     string   // Org-ref_taxname
	TaxID       int      // Org-ref_db taxon; 0: absent
	Chromosomes []string // SubSource chromosome

	Locus, LocusTag              string   // Gene-ref_locus, Gene-ref_locus-tag
	Description, MapLocation     string   // Gene-ref_desc, Gene-ref_maploc
	Synonyms                     []string // Gene-ref_syn
	Dbtags                       []Dbtag  // Gene-ref_db only
	FormalSymbol, FormalName     string   // Gene-ref_formal-name
	OfficialSymbol, OfficialName string   // Entrezgene_properties Official Symbol, Official Full Name
	ProteinNames                 []string // Prot-ref_name
	Summary                      string   // Entrezgene_summary

	Locations  []GeneLocation  // Entrezgene_locus
	ExonCount  int             // Entrezgene_properties Exon count; 0: absent
	GOTerms    []GOTerm        // Entrezgene_properties GeneOntology
	Phenotypes []GenePhenotype // of the section Phenotypes
	RIFs       []GeneRIF       // the first MaxRIFs, which are the newest

	// Of the section NCBI Reference Sequences (RefSeq), without suppressed sequences and without the versions of ids.
	Transcripts        []string // Gene-commentary_accession with NM_, NR_, XM_, XR_
	EnsemblTranscripts []string // Related Ensembl of these transcripts
	RefSeqUniProt      []Dbtag  // UniProtKB/Swiss-Prot and UniProtKB/TrEMBL of the proteins, including secondary accessions

	// Of the section Related Sequences, without the versions of ids.
	SwissProt []string // UniProtKB/Swiss-Prot
}

// GeneLocation is one interval of a gene on a sequence, counted from zero as in the record. A gene with several intervals on one sequence
// has several locations.
type GeneLocation struct {
	Heading, Label     string // Reference GRCh38.p14 Primary Assembly; RefSeqGene
	Accession, Version string
	From, To           int    // both inclusive, in either order
	Strand             string // plus or minus; "": absent
	Placed             bool   // From and To are known
}

// GOTerm is one annotation of a gene with a term of the Gene Ontology.
type GOTerm struct {
	ID, Term  string // the digits of the id, without leading zeros
	Aspect    string // Function, Process or Component
	Qualifier string // Other-source_pre-text, such as NOT
	Evidence  string // Other-source_post-text, such as evidence: IDA
	PMIDs     []string
}

// GenePhenotype is one entry of the section Phenotypes: a disorder, the article
// of an association study, or a statement of curators.
type GenePhenotype struct {
	Name    string
	Sources []string // headings of its parts: GTR, OMIM, NHGRI GWA Catalog
	Notes   []string // texts of these parts, each after its heading
	Dbtags  []Dbtag
	PMIDs   []string
}

// GeneRIF is a sentence about the function of a gene, with the articles that it is from.
type GeneRIF struct {
	Text    string
	PMIDs   []string
	Created Date // Gene-commentary_create-date
}

// MaxRIFs limits the GeneRIFs of a record. TP53 has 6,000.
const MaxRIFs = 20

// ReadGenes reads an Entrezgene-Set and calls yield for each gene, in the order of the set. It returns as soon as the needed data of
// maxGenes records are read, without the rest of r, which can be nine tenths. If maxGenes is 0, it reads the whole set. The needed elements
// of one section are in memory at a time. A response that exceeds a limit is an entity.ErrTooLarge.
//
// An empty set yields no gene and no error. A response that is not a set is an error of Check. A record that is truncated is an error and
// is never returned in part. An error of yield ends the reading and is returned unchanged.
func ReadGenes(r io.Reader, maxGenes int, yield func(*Gene) error) error {
	answer := bufio.NewReaderSize(r, headBytes)
	if err := expectRoot(answer, geneSet); err != nil {
		return err
	}
	return newGeneReader(answer).set(maxGenes, yield)
}

// isTranscript reports whether an accession is that of a RefSeq transcript, curated or predicted.
func isTranscript(accession string) bool {
	if len(accession) < 4 {
		return false
	}
	switch accession[:3] {
	case "NM_", "NR_", "XM_", "XR_":
		return isNumber(accession[3:])
	}
	return false
}

// isNumber reports whether text consists of digits only.
func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// withoutVersion returns P04637 for P04637.4.
func withoutVersion(id string) string {
	if i := strings.LastIndexByte(id, '.'); i > 0 && isNumber(id[i+1:]) {
		return id[:i]
	}
	return id
}

// geneStatus returns the status for the word of a record or, without one, for its number.
func geneStatus(status string) GeneStatus {
	switch status {
	case "0":
		return GeneLive
	case "1":
		return GeneSecondary
	case "2":
		return GeneDiscontinued
	}
	return GeneStatus(status)
}
