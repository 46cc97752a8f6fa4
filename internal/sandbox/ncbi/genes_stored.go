package ncbi

import (
	"bufio"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/sandbox/records"
)

// storedGene is the text of a record in its file. Small records are kept in memory; a record may have 16 MB.
type storedGene struct {
	file         func() (io.ReadCloser, error)
	offset, size int64 // in the uncompressed text
	text         []byte
}

// maxGeneInMemory is the size of the largest record that is kept in memory.
const maxGeneInMemory = 64 << 10

func (s *storedGene) open() (io.ReadCloser, error) {
	if int64(len(s.text)) == s.size {
		return io.NopCloser(io.MultiReader(bytes.NewReader(s.text), strings.NewReader("\n"))), nil
	}
	text, err := s.file()
	if err != nil {
		return nil, err
	}
	if _, err := io.CopyN(io.Discard, text, s.offset); err != nil {
		text.Close()
		return nil, err
	}
	// Each record ends with a newline.
	return struct {
		io.Reader
		io.Closer
	}{io.MultiReader(io.LimitReader(text, s.size), strings.NewReader("\n")), text}, nil
}

// readGenes reads the records of Entrezgene-Set files.
func readGenes(ctx context.Context, f *records.Folder) (*genes, error) {
	var list []*gene
	files, err := records.WithMarks(ctx, f.XML("ncbi"), "<Entrezgene")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := file.Open(ctx)
		if err != nil {
			return nil, err
		}
		scan := &geneScan{file: func() (io.ReadCloser, error) { return file.Open(context.WithoutCancel(ctx)) }, largest: f.Limits.Gene}
		err = scan.run(text)
		text.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file.Name(), err)
		}
		list = append(list, scan.list...)
	}
	return newGenes(list)
}

// maxText is the maximum length of a text between two tags.
const maxText = 1 << 20

// geneScan reads a file from tag to tag, because parsing 16 MB of XML would take a second. It parses only the head of a record, and takes
// accessions and articles directly from their tags.
type geneScan struct {
	file    func() (io.ReadCloser, error)
	largest int64
	list    []*gene

	offset  int64
	inHead  bool
	head    []byte
	current *gene // the current record
	isRIF   bool
	foreign bool            // the rest also refers to other genes
	seen    map[uint64]bool // articles of the current record
	rifs    map[uint64]bool // articles of its GeneRIFs
}

func (s *geneScan) run(text io.Reader) error {
	tags := bufio.NewScanner(text)
	tags.Buffer(nil, maxText)
	tags.Split(untilTagEnd)
	for tags.Scan() {
		piece := tags.Bytes()
		s.offset += int64(len(piece))
		if bytes.HasSuffix(piece, []byte("<Entrezgene>")) {
			s.begin()
			continue
		}
		if s.current == nil {
			continue
		}
		if s.offset-s.current.stored.offset > s.largest {
			return records.LimitError("a gene", s.largest)
		}
		if err := s.readPiece(piece); err != nil {
			return err
		}
	}
	if err := tags.Err(); err != nil {
		return err
	}
	if s.current != nil {
		return errors.New("the last record is cut off")
	}
	return nil
}

const geneTag = "<Entrezgene>"

func (s *geneScan) begin() {
	s.current = &gene{stored: storedGene{file: s.file, offset: s.offset - int64(len(geneTag)), text: []byte(geneTag)}}
	s.head, s.inHead, s.isRIF, s.foreign, s.seen, s.rifs = []byte(geneTag), true, false, false, map[uint64]bool{}, map[uint64]bool{}
}

// readPiece reads text and the tag after it.
func (s *geneScan) readPiece(piece []byte) error {
	stored := &s.current.stored
	if len(stored.text) < maxGeneInMemory {
		stored.text = append(stored.text, piece...)
	}
	at := bytes.LastIndexByte(piece, '<')
	if at < 0 {
		return nil
	}
	text, tag := piece[:at], string(piece[at:])
	switch tag {
	case "<Entrezgene_location>", "<Entrezgene_gene-source>":
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
	case "</Entrezgene>":
		return s.end()
	default:
		if strings.HasPrefix(tag, "<Gene-commentary_type ") {
			s.isRIF = false
		}
	}
	if s.inHead {
		s.head = append(s.head, piece...)
	}
	return nil
}

func (s *geneScan) article(text []byte) {
	pmid, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil {
		return
	}
	if !s.seen[pmid] {
		s.seen[pmid] = true
		s.current.PMIDs = append(s.current.PMIDs, pmid)
	}
	if s.isRIF && !s.rifs[pmid] {
		s.rifs[pmid] = true
		s.current.RIFs = append(s.current.RIFs, pmid)
	}
}

// accession adds the accessions of the gene's own sequences, and those of Ensembl.
func (s *geneScan) accession(tag string, text []byte) {
	all := s.current.Accessions
	switch {
	case s.inHead || s.foreign:
	case tag == "</Gene-commentary_version>":
		if len(all) == 0 || !strings.Contains(all[len(all)-1], "_") {
			return // only RefSeq accessions are searched with their version
		}
		all[len(all)-1] += "." + string(text)
	case tag == "</Gene-commentary_accession>", bytes.HasPrefix(text, []byte("ENS")):
		s.current.Accessions = append(all, string(text))
	}
}

// position reads the first interval after the head, which is that of the gene.
func (s *geneScan) position(tag string, text []byte) {
	at, err := strconv.ParseUint(string(text), 10, 64)
	switch {
	case err != nil || s.inHead || s.current.To > 0:
	case tag == "</Seq-interval_from>":
		s.current.From = at
	default:
		s.current.To = at
	}
}

func sortedUnique(list []string) []string {
	slices.Sort(list)
	return slices.Clip(slices.Compact(list))
}

func (s *geneScan) end() error {
	record, err := parseGeneHead(s.head)
	if err != nil {
		return err
	}
	record.PMIDs, record.RIFs, record.Accessions, record.stored = s.current.PMIDs, s.current.RIFs, sortedUnique(s.current.Accessions),
		s.current.stored
	record.From, record.To = s.current.From, s.current.To
	if record.stored.size = s.offset - record.stored.offset; record.stored.size > maxGeneInMemory {
		record.stored.text = nil
	}
	s.list, s.current, s.inHead = append(s.list, record), nil, false
	return nil
}

// untilTagEnd splits text after each >.
func untilTagEnd(data []byte, atEnd bool) (int, []byte, error) {
	if i := bytes.IndexByte(data, '>'); i >= 0 {
		return i + 1, data[:i+1], nil
	}
	if atEnd && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
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
