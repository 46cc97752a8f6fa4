package ncbi

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/sandbox/records"
)

// readGenes reads the records of Entrezgene-Set files, which are held in memory.
func readGenes(ctx context.Context, f *records.Folder) (*genes, error) {
	var list []*gene
	seen := map[uint64]bool{}
	err := eachRecord(ctx, f, []string{"Entrezgene"}, func(_, text string) error {
		record, err := readGene(text)
		if twice := err == nil && seen[record.uid()]; err != nil || twice && f.Mixed() {
			return err
		}
		seen[record.uid()], list = true, append(list, record)
		return nil
	})
	if err != nil {
		return nil, err
	}
	all, err := newIndex(list, geneFields, geneValues())
	g := &genes{index: all}
	named := map[string]bool{}
	for i, record := range list {
		if name := record.text(orgPath + "taxname"); !named[name] {
			named[name] = true
			g.organisms = append(g.organisms, newOrganismNames(record))
		}
		record.rank = i
	}
	return g, err
}

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
