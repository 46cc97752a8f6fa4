package entrez

import (
	"cmp"
	"encoding/xml"
	"errors"
	"strconv"
	"strings"
)

// geneReader reads a set of genes, element by element. A function for an element is called after its start tag was read, and returns after
// its end tag was read.
type geneReader struct {
	in        *geneSource
	xml       *xml.Decoder
	maxGenes  int
	yield     func(*Gene) error
	depth     int
	textBytes int // bytes of memory that the texts of the set take

	gene *Gene
	seen map[[2]string]bool // entries of the lists of gene
	// Parts of the record that were read: after the Gene-ref, both sections of sequences and the newest GeneRIFs, which NCBI writes last,
	// the rest of the record is not needed.
	ref, refSeq, related, rifs bool
}

var (
	// errRecordRead ends the reading of a record when all needed data are read.
	errRecordRead = errors.New("the facts are known")
	// errSetRead ends the reading of a set when the requested records are read.
	errSetRead = errors.New("the records are read")
)

// maxGeneDepth limits the depth of elements, to protect the stack from malicious documents. Real records have a depth of about forty.
const maxGeneDepth = 500

// document reads up to the end of the set.
func (x *geneReader) document() error {
	for {
		t, err := x.token()
		if err != nil {
			return err
		}
		if start, ok := t.(xml.StartElement); ok && start.Name.Local == geneSet {
			if err := x.set(); !errors.Is(err, errSetRead) {
				return err
			}
			return nil
		}
	}
}

func (x *geneReader) set() error {
	given := 0
	return x.children(geneSet, func(e xml.StartElement) error {
		switch e.Name.Local {
		case "Entrezgene":
			ended, err := x.record()
			if err != nil {
				return err
			}
			if err := x.yield(x.gene); err != nil {
				return err
			}
			if given++; given == x.maxGenes {
				return errSetRead
			}
			if ended {
				return nil
			}
			return x.skipRest("Entrezgene")
		case "ERROR":
			var sentence string
			if err := x.setText(&sentence)(e); err != nil || sentence == "" {
				return err
			}
			return failureError(sentence)
		}
		return x.skip(e)
	})
}

// record reads the data of a record. ended reports whether it read up to the end of the record, or the caller must skip the rest.
func (x *geneReader) record() (ended bool, err error) {
	x.gene, x.seen = &Gene{}, map[[2]string]bool{}
	x.ref, x.refSeq, x.related, x.rifs = false, false, false, false
	depth := x.depth
	if err = x.children("Entrezgene", x.part); errors.Is(err, errRecordRead) {
		x.depth = depth
	} else if err != nil {
		return false, err
	}
	if !isNumber(x.gene.ID) {
		return false, errors.New("a gene record has no id")
	}
	return err == nil, nil
}

// part reads one part of a record. The parts are in the order of the DTD, but the reader only relies on the order in a commentary, where
// the heading is first.
func (x *geneReader) part(e xml.StartElement) error {
	g := x.gene
	switch e.Name.Local {
	case "Entrezgene_track-info":
		return x.descend(e, handlers{
			"Gene-track_geneid":     x.setText(&g.ID),
			"Gene-track_status":     x.status,
			"Gene-track_current-id": x.currentID,
		})
	case "Entrezgene_type":
		g.Type = attributeValue(e)
		return x.skip(e)
	case "Entrezgene_source":
		return x.descend(e, handlers{
			"Org-ref_taxname": x.setText(&g.TaxName),
			"Org-ref_common":  x.setText(&g.CommonName),
			"Org-ref_db":      x.taxon,
			"Org-ref_orgname": x.skip,
			"SubSource":       x.subSource,
		})
	case "Entrezgene_gene":
		x.ref = true
		return x.descend(e, handlers{
			"Gene-ref_locus":           x.setText(&g.Locus),
			"Gene-ref_locus-tag":       x.setText(&g.LocusTag),
			"Gene-ref_desc":            x.setText(&g.Description),
			"Gene-ref_maploc":          x.setText(&g.MapLocation),
			"Gene-ref_syn_E":           x.appendText(&g.Synonyms, "synonym"),
			"Gene-ref_db":              x.geneIDs,
			"Gene-nomenclature_symbol": x.setText(&g.FormalSymbol),
			"Gene-nomenclature_name":   x.setText(&g.FormalName),
		})
	case "Entrezgene_prot":
		return x.descend(e, handlers{"Prot-ref_name_E": x.appendText(&g.ProteinNames, "protein")})
	case "Entrezgene_summary":
		return x.setText(&g.Summary)(e)
	case "Entrezgene_locus":
		return x.descend(e, handlers{"Gene-commentary": x.location})
	case "Entrezgene_properties":
		return x.descend(e, handlers{"Gene-commentary": x.property})
	case "Entrezgene_comments":
		err := x.descend(e, handlers{"Gene-commentary": x.section})
		x.rifs = true
		return cmp.Or(err, x.ended())
	}
	return x.skip(e)
}

func (x *geneReader) status(e xml.StartElement) error {
	var number string
	err := x.setText(&number)(e)
	x.gene.Status = geneStatus(attributeValue(e), number)
	return err
}

// currentID reads the id of the record that replaces this one. Old records have it under LocusID as well as under GeneID.
func (x *geneReader) currentID(e xml.StartElement) error {
	return x.dbtags(e, func(t Dbtag) {
		if t.DB == "GeneID" || t.DB == "LocusID" && x.gene.CurrentID == "" {
			x.gene.CurrentID = t.Value
		}
	})
}

func (x *geneReader) taxon(e xml.StartElement) error {
	return x.dbtags(e, func(t Dbtag) {
		if id, err := strconv.Atoi(t.Value); t.DB == "taxon" && err == nil && id > 0 {
			x.gene.TaxID = id
		}
	})
}

func (x *geneReader) subSource(e xml.StartElement) error {
	var kind, number, name string
	err := x.descend(e, handlers{
		"SubSource_subtype": func(e xml.StartElement) error {
			kind = attributeValue(e)
			return x.setText(&number)(e)
		},
		"SubSource_name": x.setText(&name),
	})
	if kind == "chromosome" || kind == "" && number == "1" {
		x.add(&x.gene.Chromosomes, "chromosome", name)
	}
	return err
}

func (x *geneReader) geneIDs(e xml.StartElement) error {
	return x.dbtags(e, func(t Dbtag) { x.addTag(&x.gene.Dbtags, "gene", t) })
}

// Headings of the sections that are read.
const (
	refSeqHeading     = "NCBI Reference Sequences (RefSeq)"
	relatedHeading    = "Related Sequences"
	phenotypesHeading = "Phenotypes"
	ontologyHeading   = "GeneOntology"
)

// section reads a section, or a GeneRIF, which has no heading. Sections of interactions have the type of GeneRIFs too.
func (x *geneReader) section(e xml.StartElement) error {
	var kind, heading string
	var rif GeneRIF
	err := x.children(e.Name.Local, func(e xml.StartElement) error {
		switch name := e.Name.Local; {
		case name == "Gene-commentary_type":
			kind = attributeValue(e)
			return x.skip(e)
		case name == "Gene-commentary_heading":
			err := x.setText(&heading)(e)
			x.rifs = x.rifs || kind == generif && heading != ""
			return cmp.Or(err, x.ended())
		case kind == generif && heading == "" && !x.rifs:
			return x.rif(e, &rif)
		case name != "Gene-commentary_products" && name != "Gene-commentary_comment":
			return x.skip(e)
		case heading == phenotypesHeading:
			return x.descend(e, handlers{"Gene-commentary": x.phenotype})
		case heading == refSeqHeading:
			return x.descend(e, handlers{"Gene-commentary": x.sequence})
		case heading == relatedHeading:
			return x.dbtags(e, x.relatedProtein)
		}
		return x.skip(e)
	})
	x.refSeq = x.refSeq || heading == refSeqHeading
	x.related = x.related || heading == relatedHeading
	x.addRIF(rif)
	return cmp.Or(err, x.ended())
}

// addRIF adds a GeneRIF that has a text.
func (x *geneReader) addRIF(rif GeneRIF) {
	if rif.Text != "" {
		x.textBytes += entryBytes
		x.gene.RIFs = append(x.gene.RIFs, rif)
		x.rifs = len(x.gene.RIFs) == MaxRIFs
	}
}

// ended returns errRecordRead if all needed data of the record are read.
func (x *geneReader) ended() error {
	if x.ref && x.refSeq && x.related && x.rifs {
		return errRecordRead
	}
	return nil
}

func (x *geneReader) relatedProtein(t Dbtag) {
	if t.DB == SwissProt {
		x.add(&x.gene.SwissProt, "swissprot", withoutVersion(t.Value))
	}
}

// sequence reads a commentary of the RefSeq section that does not belong to a protein.
func (x *geneReader) sequence(e xml.StartElement) error { return x.refSeqPart(e, false) }

// refSeqPart reads a commentary of the RefSeq section and its content: a heading of sequences, a sequence, or a remark on one.
func (x *geneReader) refSeqPart(e xml.StartElement, protein bool) error {
	var heading string
	return x.children(e.Name.Local, func(e xml.StartElement) error {
		name := e.Name.Local
		switch {
		case strings.HasPrefix(heading, "Suppressed"):
			return x.skip(e)
		case name == "Gene-commentary_type":
			protein = protein || attributeValue(e) == "peptide"
			return x.skip(e)
		case name == "Gene-commentary_heading":
			return x.setText(&heading)(e)
		case name == "Gene-commentary_accession":
			return x.transcript(e)
		case name == "Gene-commentary_source":
			return x.dbtags(e, func(t Dbtag) { x.crossReference(t, heading, protein) })
		case name == "Gene-commentary_products":
			return x.descend(e, handlers{"Gene-commentary": x.sequence})
		case name == "Gene-commentary_comment":
			return x.descend(e, handlers{"Gene-commentary": func(e xml.StartElement) error { return x.refSeqPart(e, protein) }})
		}
		return x.skip(e)
	})
}

func (x *geneReader) transcript(e xml.StartElement) error {
	var accession string
	err := x.setText(&accession)(e)
	if accession = withoutVersion(accession); isTranscript(accession) {
		x.add(&x.gene.Transcripts, "transcript", accession)
	}
	return err
}

// crossReference adds the id of a RefSeq sequence in another database.
func (x *geneReader) crossReference(t Dbtag, heading string, protein bool) {
	t.Value = withoutVersion(t.Value)
	switch {
	case strings.HasPrefix(t.DB, "UniProtKB/"):
		x.addTag(&x.gene.RefSeqUniProt, "uniprot", t)
	case t.DB == "Ensembl" && !protein && strings.HasPrefix(heading, "Related"):
		x.add(&x.gene.EnsemblTranscripts, "ensembl", t.Value)
	}
}

// add appends an id or a name to a list of the gene, without duplicates.
func (x *geneReader) add(list *[]string, kind, value string) {
	key := [2]string{kind, value}
	if value != "" && !x.seen[key] {
		x.seen[key] = true
		x.textBytes += entryBytes
		*list = append(*list, value)
	}
}

func (x *geneReader) addTag(list *[]Dbtag, kind string, t Dbtag) {
	key := [2]string{kind + " " + t.DB, t.Value}
	if !x.seen[key] {
		x.seen[key] = true
		x.textBytes += entryBytes
		*list = append(*list, t)
	}
}
