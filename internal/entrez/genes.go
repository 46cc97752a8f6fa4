package entrez

import (
	"encoding/xml"
	"io"
	"strings"
)

// GeneStatus is the value of Gene-track_status.
type GeneStatus string

// The states of a gene record.
const (
	GeneLive         GeneStatus = "live"
	GeneSecondary    GeneStatus = "secondary"    // replaced by the record CurrentID
	GeneDiscontinued GeneStatus = "discontinued" // withdrawn
)

// SwissProt is the Dbtag database of reviewed UniProt entries.
const SwissProt = "UniProtKB/Swiss-Prot"

// Dbtag is an id in a database, both as NCBI writes them.
type Dbtag struct{ DB, Value string }

// Gene holds the facts of one gene record as EFetch of Gene tells them, in the
// record's own terms: an Entrezgene of the DTD NCBI_Entrezgene. Texts are as
// they stand there but for the space around; "" is absent. Lists are in the
// record's order, without duplicates.
type Gene struct {
	ID        string     // Gene-track_geneid
	Status    GeneStatus // Gene-track_status
	CurrentID string     // Gene-track_current-id: what a secondary record is replaced by
	Type      string     // Entrezgene_type, its value

	TaxName, CommonName string   // Org-ref_taxname, Org-ref_common
	TaxID               int      // Org-ref_db taxon; 0: absent
	Chromosomes         []string // SubSource chromosome

	Locus, LocusTag              string   // Gene-ref_locus, Gene-ref_locus-tag
	Description, MapLocation     string   // Gene-ref_desc, Gene-ref_maploc
	Synonyms                     []string // Gene-ref_syn
	Dbtags                       []Dbtag  // Gene-ref_db, and nothing from elsewhere in the record
	FormalSymbol, FormalName     string   // Gene-ref_formal-name
	OfficialSymbol, OfficialName string   // Entrezgene_properties Official Symbol, Official Full Name
	ProteinNames                 []string // Prot-ref_name
	Summary                      string   // Entrezgene_summary

	Locations  []GeneLocation  // Entrezgene_locus
	ExonCount  int             // Entrezgene_properties Exon count; 0: absent
	GOTerms    []GOTerm        // Entrezgene_properties GeneOntology
	Phenotypes []GenePhenotype // of the section Phenotypes

	// Of the section NCBI Reference Sequences (RefSeq), suppressed ones left
	// out; ids without their versions.
	Transcripts        []string // Gene-commentary_accession of NM_, NR_, XM_, XR_
	EnsemblTranscripts []string // Related Ensembl of these
	RefSeqUniProt      []Dbtag  // UniProtKB/Swiss-Prot, UniProtKB/TrEMBL of the proteins, secondary accessions among them

	// Of the section Related Sequences; without their versions.
	SwissProt []string // UniProtKB/Swiss-Prot
}

// GeneLocation is an interval of a sequence that a gene takes, counted from zero
// as the record does. A gene of several intervals on one sequence has several.
type GeneLocation struct {
	Heading, Label     string // Reference GRCh38.p14 Primary Assembly; RefSeqGene
	Accession, Version string
	From, To           int    // both of the interval, in either order
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
	Sources []string // headings of what is under it: GTR, OMIM, NHGRI GWA Catalog
	Notes   []string // texts under these, each after its heading
	Dbtags  []Dbtag
	PMIDs   []string
}

// ReadGenes reads an Entrezgene-Set and gives each gene to each, in the order
// of the set. It returns as soon as the facts of the want-th record are known
// and leaves the rest of r unread, which can be nine tenths of it; with want 0
// it reads the set to its end. No more than 64 KiB of the answer and one token are
// in memory at a time. What exceeds a limit is an entity.ErrTooLarge.
//
// An empty set is no gene and no error. Anything else but a set is an error of
// Check. A record that ends before its facts do is an error, never half a gene.
// An error of each ends the reading and is returned as it is.
func ReadGenes(r io.Reader, want int, yield func(*Gene) error) error {
	in := newGeneSource(r)
	if err := expectRoot(in.Reader, geneSet); err != nil {
		return err
	}
	x := &geneReader{in: in, xml: xml.NewDecoder(in), want: want, yield: yield}
	x.xml.CharsetReader = in.charset
	return x.document()
}

// isTranscript tells a RefSeq transcript, curated or a model.
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

// isNumber tells text of digits only.
func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// withoutVersion returns P04637 for P04637.4.
func withoutVersion(id string) string {
	if i := strings.LastIndexByte(id, '.'); i > 0 && isNumber(id[i+1:]) {
		return id[:i]
	}
	return id
}

// geneStatus reads the value of a status, else its number.
func geneStatus(value, number string) GeneStatus {
	if value != "" {
		return GeneStatus(value)
	}
	switch number {
	case "0":
		return GeneLive
	case "1":
		return GeneSecondary
	case "2":
		return GeneDiscontinued
	}
	return GeneStatus(number)
}
