package ncbi

import (
	"bytes"
	"context"
	"encoding/xml"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/sandbox/records"
)

// readGenes reads the records of Entrezgene-Set files, which are held in memory.
func readGenes(ctx context.Context, f *records.Folder) (*genes, error) {
	var list []*gene
	err := eachRecord(ctx, f, []string{"Entrezgene"}, func(_ string, text []byte) error {
		record, err := readGene(text)
		list = append(list, record)
		return err
	})
	if err != nil {
		return nil, err
	}
	return newGenes(list)
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

func readGene(text []byte) (*gene, error) {
	s := &geneScan{inHead: true, seen: map[uint64]bool{}, rifs: map[uint64]bool{}}
	for piece := range bytes.SplitAfterSeq(text, []byte(">")) {
		s.readPiece(piece)
	}
	g, err := parseGeneHead(s.head)
	if err != nil {
		return nil, err
	}
	g.PMIDs, g.RIFs, g.Accessions = s.PMIDs, s.RIFs, sortedUnique(s.Accessions)
	g.From, g.To, g.xml = s.From, s.To, text
	return g, nil
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

func sortedUnique(list []string) []string {
	slices.Sort(list)
	return slices.Clip(slices.Compact(list))
}

// geneHead is the head of a record, up to its summary.
type geneHead struct {
	ID     uint64 `xml:"Entrezgene_track-info>Gene-track>Gene-track_geneid"`
	Status struct {
		Word string `xml:"value,attr"`
	} `xml:"Entrezgene_track-info>Gene-track>Gene-track_status"`
	Current []xmlDbtag `xml:"Entrezgene_track-info>Gene-track>Gene-track_current-id>Dbtag"`
	Type    struct {
		Word string `xml:"value,attr"`
	} `xml:"Entrezgene_type"`
	Source struct {
		Name        string     `xml:"BioSource_org>Org-ref>Org-ref_taxname"`
		Common      string     `xml:"BioSource_org>Org-ref>Org-ref_common"`
		Taxon       []xmlDbtag `xml:"BioSource_org>Org-ref>Org-ref_db>Dbtag"`
		Others      []string   `xml:"BioSource_org>Org-ref>Org-ref_syn>Org-ref_syn_E"`
		Chromosomes []string   `xml:"BioSource_subtype>SubSource>SubSource_name"`
	} `xml:"Entrezgene_source>BioSource"`
	Ref struct {
		Symbol   string     `xml:"Gene-ref_locus"`
		Name     string     `xml:"Gene-ref_desc"`
		Map      string     `xml:"Gene-ref_maploc"`
		IDs      []xmlDbtag `xml:"Gene-ref_db>Dbtag"`
		Aliases  []string   `xml:"Gene-ref_syn>Gene-ref_syn_E"`
		LocusTag string     `xml:"Gene-ref_locus-tag"`
		Official *geneName  `xml:"Gene-ref_formal-name>Gene-nomenclature"`
	} `xml:"Entrezgene_gene>Gene-ref"`
	Designations []string `xml:"Entrezgene_prot>Prot-ref>Prot-ref_name>Prot-ref_name_E"`
	Summary      string   `xml:"Entrezgene_summary"`
}

type xmlDbtag struct {
	DB  string `xml:"Dbtag_db"`
	Int string `xml:"Dbtag_tag>Object-id>Object-id_id"`
	Str string `xml:"Dbtag_tag>Object-id>Object-id_str"`
}

// parseGeneHead parses a head that ends after one of its elements.
func parseGeneHead(text []byte) (*gene, error) {
	// The text after the last complete element is white space.
	var head geneHead
	closed := append(slices.Clone(text), "</Entrezgene>"...)
	if err := xml.Unmarshal(closed, &head); err != nil {
		return nil, err
	}
	g := &gene{
		ID: head.ID, Type: head.Type.Word, Symbol: head.Ref.Symbol, Name: head.Ref.Name, LocusTag: head.Ref.LocusTag,
		Official: head.Ref.Official,
		Aliases:  head.Ref.Aliases, Chromosomes: head.Source.Chromosomes, Map: head.Ref.Map,
		Designations: head.Designations, Summary: head.Summary,
		Organism: organism{Name: head.Source.Name, Common: head.Source.Common, Others: head.Source.Others},
	}
	if head.Status.Word != "live" {
		g.Status = head.Status.Word
	}
	for _, tag := range head.Current {
		if tag.DB == "GeneID" || tag.DB == "LocusID" {
			g.Current, _ = strconv.ParseUint(tag.Int, 10, 64)
		}
	}
	for _, tag := range head.Source.Taxon {
		if tag.DB == "taxon" {
			g.Organism.TaxID, _ = strconv.ParseUint(tag.Int, 10, 64)
		}
	}
	for _, tag := range head.Ref.IDs {
		g.IDs = append(g.IDs, dbtag{tag.DB, tag.Int + tag.Str})
	}
	return g, nil
}

func newGenes(list []*gene) (*genes, error) {
	all, err := newIndex(list, geneFields, geneValues())
	g := &genes{index: all}
	seen := map[string]bool{}
	for i, record := range list {
		if name := record.Organism.Name; !seen[name] {
			seen[name] = true
			g.organisms = append(g.organisms, newOrganismNames(record))
		}
		record.rank = i
	}
	return g, err
}
