package sandbox

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// storedGene is a real record in a file: it is served as it stands there, and
// never held, because one may have 16 MB.
type storedGene struct {
	path         string
	offset, size int64 // in the text, unzipped
}

func (s *storedGene) open() (io.ReadCloser, error) {
	text, err := openText(s.path)
	if err != nil {
		return nil, err
	}
	if _, err := io.CopyN(io.Discard, text, s.offset); err != nil {
		text.Close()
		return nil, fmt.Errorf("%s: %w", s.path, err)
	}
	// A record ends its line.
	return readCloser{io.MultiReader(io.LimitReader(text, s.size), strings.NewReader("\n")), text}, nil
}

type readCloser struct {
	io.Reader
	io.Closer
}

// openText opens a file that may be zipped.
func openText(path string) (io.ReadCloser, error) {
	file, err := os.Open(path)
	if err != nil || !strings.HasSuffix(path, ".gz") {
		return file, err
	}
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return readCloser{unzipped, file}, nil
}

// readGeneSets finds the records of Entrezgene-Set files. Other XML of a folder
// has none.
func readGeneSets(ctx context.Context, paths []string, most limits) (*genes, error) {
	var list []*gene
	for _, path := range paths {
		text, err := openWithin(ctx, path, most.file)
		if err != nil {
			return nil, err
		}
		more, err := scanGenes(text, path, most.gene)
		text.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		list = append(list, more...)
	}
	return newGenes(list)
}

// longestText is the longest text between two tags that is read.
const longestText = 1 << 20

// scanGenes goes from tag to tag: parsing 16 MB of XML would take a second. Only
// the head of a record is parsed, and its articles are taken as its links.
func scanGenes(text io.Reader, path string, largest int64) ([]*gene, error) {
	var list []*gene
	var offset, start int64
	var head []byte
	var pmids []uint64
	inside, inHead, seen := false, false, map[uint64]bool{}
	tags := bufio.NewScanner(text)
	tags.Buffer(nil, longestText)
	tags.Split(untilTagEnd)
	for tags.Scan() {
		piece := tags.Bytes()
		if offset += int64(len(piece)); inside && offset-start > largest {
			return nil, beyond("a gene", largest)
		}
		switch {
		case bytes.HasSuffix(piece, []byte("<Entrezgene>")):
			start, inside, inHead = offset-int64(len("<Entrezgene>")), true, true
			head, pmids, seen = []byte("<Entrezgene>"), nil, map[uint64]bool{}
			continue
		case bytes.HasSuffix(piece, []byte("<Entrezgene_location>")), bytes.HasSuffix(piece, []byte("<Entrezgene_gene-source>")):
			inHead = false
		case bytes.HasSuffix(piece, []byte("</PubMedId>")):
			pmid, err := strconv.ParseUint(string(bytes.TrimSuffix(piece, []byte("</PubMedId>"))), 10, 64)
			if err == nil && !seen[pmid] {
				seen[pmid] = true
				pmids = append(pmids, pmid)
			}
		case bytes.HasSuffix(piece, []byte("</Entrezgene>")):
			record, err := parseGeneHead(head)
			if err != nil {
				return nil, err
			}
			record.PMIDs = pmids
			record.stored = &storedGene{path: path, offset: start, size: offset - start}
			list, inside, inHead = append(list, record), false, false
		}
		if inHead {
			head = append(head, piece...)
		}
	}
	if err := tags.Err(); err != nil {
		return nil, err
	}
	if inside {
		return nil, errors.New("the last record is cut off")
	}
	return list, nil
}

// untilTagEnd cuts text after each >.
func untilTagEnd(data []byte, atEnd bool) (int, []byte, error) {
	if i := bytes.IndexByte(data, '>'); i >= 0 {
		return i + 1, data[:i+1], nil
	}
	if atEnd && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

// geneHead is the head of a record, to its summary.
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
	} `xml:"Entrezgene_gene>Gene-ref"`
	Designations []string `xml:"Entrezgene_prot>Prot-ref>Prot-ref_name>Prot-ref_name_E"`
	Summary      string   `xml:"Entrezgene_summary"`
}

type xmlDbtag struct {
	DB  string `xml:"Dbtag_db"`
	Int string `xml:"Dbtag_tag>Object-id>Object-id_id"`
	Str string `xml:"Dbtag_tag>Object-id>Object-id_str"`
}

// parseGeneHead reads the elements of a head that is cut off after one of them.
func parseGeneHead(text []byte) (*gene, error) {
	// What came after the last whole element is white space.
	var head geneHead
	closed := append(slices.Clone(text), "</Entrezgene>"...)
	if err := xml.Unmarshal(closed, &head); err != nil {
		return nil, err
	}
	g := &gene{
		ID: head.ID, Type: head.Type.Word, Symbol: head.Ref.Symbol, Name: head.Ref.Name, LocusTag: head.Ref.LocusTag,
		Aliases: head.Ref.Aliases, Chromosomes: head.Source.Chromosomes, Map: head.Ref.Map, Designations: head.Designations, Summary: head.Summary,
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
