package ncbi

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/sandbox/records"
)

// gene is a record of Entrez Gene. Its element is the head of the record, up to its summary.
type gene struct {
	*element
	ID         uint64
	From, To   uint64   // on the chromosome of the first assembly, counted from 0
	Accessions []string // of its sequences, with their versions
	PMIDs      []uint64
	RIFs       []uint64 // PMIDs of its GeneRIFs

	xml  string // the record as it is in its file
	rank int    // position in the files
}

// genes is db=gene, in the order of the files.
type genes struct {
	*index[*gene]
	organisms []organismNames
}

// The paths in the head of a record.
const (
	trackPath  = "Entrezgene_track-info/Gene-track/Gene-track_"
	refPath    = "Entrezgene_gene/Gene-ref/Gene-ref_"
	orgPath    = "Entrezgene_source/BioSource/BioSource_org/Org-ref/Org-ref_"
	formalPath = refPath + "formal-name/Gene-nomenclature"
	namesPath  = "Entrezgene_prot/Prot-ref/Prot-ref_name/Prot-ref_name_E"
)

// readGenes reads the records of Entrezgene-Set files, which are held in memory.
func readGenes(ctx context.Context, f *records.Folder) (*genes, error) {
	var list []*gene
	err := eachRecord(ctx, f, []string{"Entrezgene"}, func(_, text string) error {
		record, err := readGene(text)
		list = append(list, record)
		return err
	})
	if err != nil {
		return nil, err
	}
	all, err := newIndex(list, geneFields, geneValues())
	g := &genes{index: all}
	seen := map[string]bool{}
	for i, record := range list {
		if name := record.text(orgPath + "taxname"); !seen[name] {
			seen[name] = true
			g.organisms = append(g.organisms, newOrganismNames(record))
		}
		record.rank = i
	}
	return g, err
}

func (g *gene) uid() uint64 { return g.ID }

func (g *gene) symbol() string { return g.text(refPath + "locus") }

// taxon returns the taxid of the organism.
func (g *gene) taxon() uint64 {
	taxid, _ := strconv.ParseUint(g.tag(orgPath+"db/Dbtag", "taxon"), 10, 64) // 0 is no organism
	return taxid
}

// current returns the id of the record that replaces this one.
func (g *gene) current() string {
	return cmp.Or(g.tag(trackPath+"current-id/Dbtag", "GeneID"), g.tag(trackPath+"current-id/Dbtag", "LocusID"))
}

// status returns "" for a live record, else secondary or discontinued.
func (g *gene) status() string {
	return strings.TrimPrefix(g.first(trackPath+"status").attribute("value"), "live")
}

// id returns the gene's id in another database, or "".
func (g *gene) id(db string) string { return g.tag(refPath+"db/Dbtag", db) }

// tag returns the first id in a database among those at a path.
func (g *gene) tag(path, db string) string {
	for _, tag := range g.all(path) {
		if tag.text("Dbtag_db") == db {
			return idOf(tag)
		}
	}
	return ""
}

func idOf(tag *element) string { return strings.Join(tag.texts("Dbtag_tag/Object-id/*"), "") }

// geneScan reads a record from tag to tag, because parsing 16 MB of XML would take a second. It parses only the head of the record, and
// takes accessions and articles directly from their tags.
type geneScan struct {
	gene
	inHead  bool
	head    []byte
	isRIF   bool
	foreign bool            // the rest also refers to other genes
	seen    map[uint64]bool // articles of the record
	rifs    map[uint64]bool // articles of its GeneRIFs
}

func readGene(text string) (*gene, error) {
	s := &geneScan{inHead: true, seen: map[uint64]bool{}, rifs: map[uint64]bool{}}
	for piece := range bytes.SplitAfterSeq([]byte(text), []byte(">")) {
		s.readPiece(piece)
	}
	head, err := parseElement(string(s.head) + "</Entrezgene>") // the text after the last complete element is white space
	if err != nil {
		return nil, err
	}
	s.element, s.xml = head, text
	slices.Sort(s.Accessions)
	s.Accessions = slices.Clip(slices.Compact(s.Accessions))
	s.ID, _ = strconv.ParseUint(s.text(trackPath+"geneid"), 10, 64) // 0 is refused as no id
	return &s.gene, nil
}

// readPiece reads text and the tag after it.
func (s *geneScan) readPiece(piece []byte) {
	at := bytes.LastIndexByte(piece, '<')
	if at < 0 {
		return
	}
	text, tag := piece[:at], string(piece[at:])
	switch tag {
	case "<Entrezgene_location>", "<Entrezgene_gene-source>", "</Entrezgene>":
		s.inHead = false
	case "</Gene-commentary_heading>":
		s.foreign = s.foreign || string(text) == "Interactions"
	case `<Gene-commentary_type value="generif">`:
		s.isRIF = !s.foreign
	case "</PubMedId>":
		s.article(text)
	case "</Gene-commentary_accession>", "</Gene-commentary_version>", "</Object-id_str>":
		s.accession(tag, text)
	case "</Seq-interval_from>", "</Seq-interval_to>":
		s.position(tag, text)
	default:
		if strings.HasPrefix(tag, "<Gene-commentary_type ") {
			s.isRIF = false
		}
	}
	if s.inHead {
		s.head = append(s.head, piece...)
	}
}

func (s *geneScan) article(text []byte) {
	pmid, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil {
		return
	}
	if !s.seen[pmid] {
		s.seen[pmid] = true
		s.PMIDs = append(s.PMIDs, pmid)
	}
	if s.isRIF && !s.rifs[pmid] {
		s.rifs[pmid] = true
		s.RIFs = append(s.RIFs, pmid)
	}
}

// accession adds the accessions of the gene's own sequences, and those of Ensembl.
func (s *geneScan) accession(tag string, text []byte) {
	all := s.Accessions
	switch {
	case s.inHead || s.foreign:
	case tag == "</Gene-commentary_version>":
		if len(all) == 0 || !strings.Contains(all[len(all)-1], "_") {
			return // only RefSeq accessions are searched with their version
		}
		all[len(all)-1] += "." + string(text)
	case tag == "</Gene-commentary_accession>", bytes.HasPrefix(text, []byte("ENS")):
		s.Accessions = append(all, string(text))
	}
}

// position reads the first interval after the head, which is that of the gene.
func (s *geneScan) position(tag string, text []byte) {
	at, err := strconv.ParseUint(string(text), 10, 64)
	switch {
	case err != nil || s.inHead || s.To > 0:
	case tag == "</Seq-interval_from>":
		s.From = at
	default:
		s.To = at
	}
}

// links implements database: the articles of the record, or those of its GeneRIFs.
func (g *genes) links(uid uint64, name string) ([]link, error) {
	record := g.byID[uid]
	switch {
	case name != "gene_pubmed" && name != "gene_pubmed_rif":
		return nil, noSuchLink(name)
	case record == nil:
		return nil, nil
	case name == "gene_pubmed":
		return linksTo(record.PMIDs), nil
	}
	return linksTo(record.RIFs), nil
}
