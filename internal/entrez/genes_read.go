package entrez

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// geneReader walks through a set of genes. It skips elements that are not needed, and reads a part or a section of a record at a time as a
// tree.
type geneReader struct {
	in        *tokenSource
	xml       *xml.Decoder
	depth     int // number of open elements
	textBytes int // bytes of memory that the texts of the set take

	gene     *Gene
	part     string // the part of the record that is read
	elements int    // number of elements of the record
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

const (
	// geneSet is the root element.
	geneSet = "Entrezgene-Set"
	// maxGeneDepth limits the depth of elements, to protect the stack from malicious documents. Real records have a depth of about forty.
	maxGeneDepth = 500
	// entryBytes is the estimated memory of a list entry, without its text.
	entryBytes = 200
)

// newGeneReader returns a reader of a response whose root was checked. A character that XML does not allow becomes a space or the
// replacement character, so that it does not make a record unreadable.
func newGeneReader(answer io.Reader) *geneReader {
	legible := transform.NewReader(answer, transform.Chain(runes.ReplaceIllFormed(), runes.Map(func(r rune) rune {
		switch {
		case r < ' ' && !strings.ContainsRune("\t\n\r", r):
			return ' '
		case r == 0xFFFE || r == 0xFFFF:
			return utf8.RuneError
		}
		return r
	})))
	in := newTokenSource(bufio.NewReader(legible))
	x := &geneReader{in: in, xml: xml.NewDecoder(in)}
	x.xml.CharsetReader = func(label string, r io.Reader) (io.Reader, error) {
		if l := strings.ToLower(label); l != "us-ascii" && l != "ascii" && l != "utf8" {
			return nil, fmt.Errorf("unknown encoding %q", label)
		}
		return r, nil
	}
	return x
}

// set reads the records of the set, up to its end or the requested number of records.
func (x *geneReader) set(maxGenes int, yield func(*Gene) error) error {
	for x.depth == 0 { // up to the root
		if _, err := x.token(); err != nil {
			return err
		}
	}
	given := 0
	err := x.children(geneSet, func(e xml.StartElement) error {
		switch e.Name.Local {
		case "Entrezgene":
			end := x.depth - 1
			if err := x.record(); err != nil {
				return err
			}
			if err := yield(x.gene); err != nil {
				return err
			}
			if given++; given == maxGenes {
				return errSetRead
			}
			return x.skipTo(end)
		case "ERROR":
			failure, err := x.element(e)
			if err != nil || failure.text == "" {
				return err
			}
			return failureError(failure.text)
		}
		return x.skipTo(x.depth - 1)
	})
	if errors.Is(err, errSetRead) {
		return nil
	}
	return err
}

// record reads the data of a record, up to its end or to the last of them.
func (x *geneReader) record() error {
	x.gene, x.elements = &Gene{}, 0
	x.ref, x.refSeq, x.related, x.rifs = false, false, false, false
	err := x.children("Entrezgene", x.readPart)
	if err != nil && !errors.Is(err, errRecordRead) {
		return err
	}
	g := x.gene
	x.textBytes += entryBytes * (len(g.Locations) + len(g.GOTerms) + len(g.Synonyms) + len(g.Phenotypes) + len(g.Transcripts))
	if !isNumber(g.ID) {
		return errors.New("a gene record has no id")
	}
	return nil
}

// geneParts are the parts of a record and the sections of its comments that are read, with the elements of commentaries that they need.
// The section without a heading is a GeneRIF.
var geneParts = map[string][]string{
	"Entrezgene_track-info": nil, "Entrezgene_type": nil, "Entrezgene_source": nil, "Entrezgene_gene": nil, "Entrezgene_prot": nil,
	"Entrezgene_summary": nil,
	"Entrezgene_locus": {"Gene-commentary_heading", "Gene-commentary_label", "Gene-commentary_accession", "Gene-commentary_version",
		"Gene-commentary_seqs"},
	"Entrezgene_properties": {"Gene-commentary_heading", "Gene-commentary_label", "Gene-commentary_text", "Gene-commentary_refs",
		"Gene-commentary_source", "Gene-commentary_properties", "Gene-commentary_comment"},
	"Entrezgene_comments": {"Gene-commentary_type", "Gene-commentary_heading"},
	phenotypesHeading: {"Gene-commentary_heading", "Gene-commentary_text", "Gene-commentary_refs", "Gene-commentary_source",
		"Gene-commentary_products", "Gene-commentary_comment"},
	refSeqHeading: {"Gene-commentary_type", "Gene-commentary_heading", "Gene-commentary_accession", "Gene-commentary_source",
		"Gene-commentary_products", "Gene-commentary_comment"},
	relatedHeading: {"Gene-commentary_source", "Gene-commentary_products", "Gene-commentary_comment"},
	"":             {"Gene-commentary_text", "Gene-commentary_refs", "Gene-commentary_create-date"},
}

// readPart reads one part of a record. The parts are in the order of the DTD, but the reader only relies on the order in a section, where
// the heading is first.
func (x *geneReader) readPart(e xml.StartElement) error {
	x.part = e.Name.Local
	switch _, isRead := geneParts[x.part]; {
	case !isRead:
		return x.skipTo(x.depth - 1)
	case x.part == "Entrezgene_comments":
		err := x.children(x.part, x.section)
		x.rifs = true
		return cmp.Or(err, x.ended())
	}
	x.ref = x.ref || x.part == "Entrezgene_gene"
	part, err := x.element(e)
	if err != nil {
		return err
	}
	x.gene.addPart(part)
	return nil
}

// section reads a section of the comments, or a GeneRIF, which has no heading. Sections of interactions have the type of GeneRIFs too.
func (x *geneReader) section(e xml.StartElement) error {
	section := &element{}
	var heading string
	var isRIF bool
	err := x.children(e.Name.Local, func(e xml.StartElement) error {
		x.part = heading
		switch _, isRead := geneParts[heading]; {
		case e.Name.Local == "Gene-commentary_type", e.Name.Local == "Gene-commentary_heading":
			x.part = "Entrezgene_comments"
		case !isRead, heading == "" && (!isRIF || x.rifs):
			return x.skipTo(x.depth - 1)
		}
		member, err := x.element(e)
		if err != nil {
			return err
		}
		section.children = append(section.children, member)
		heading, isRIF = section.member("Gene-commentary_heading"), section.member("Gene-commentary_type") == "generif"
		x.rifs = x.rifs || isRIF && heading != ""
		return x.ended()
	})
	if err != nil && !errors.Is(err, errRecordRead) {
		return err
	}
	x.gene.addSection(section)
	x.refSeq = x.refSeq || heading == refSeqHeading
	x.related = x.related || heading == relatedHeading
	x.rifs = x.rifs || len(x.gene.RIFs) == MaxRIFs
	return cmp.Or(err, x.ended())
}

// ended returns errRecordRead if all needed data of the record are read.
func (x *geneReader) ended() error {
	if x.ref && x.refSeq && x.related && x.rifs {
		return errRecordRead
	}
	return nil
}

// children calls read for each child of the element of a name, up to its end tag.
func (x *geneReader) children(name string, read func(xml.StartElement) error) error {
	_, err := x.content(name, read)
	return err
}

// content calls read for each child of the element of a name, up to its end tag. It returns the text of the element without surrounding
// space, and without that of nested elements.
func (x *geneReader) content(name string, read func(xml.StartElement) error) (string, error) {
	var text []byte
	for {
		t, err := x.token()
		if err != nil {
			return "", err
		}
		switch t := t.(type) {
		case xml.CharData:
			if text = bytes.TrimLeft(append(text, t...), " \t\r\n"); len(text) > maxToken {
				return "", entity.TooLarge("a text of more than %d bytes", maxToken)
			}
		case xml.StartElement:
			if err := read(t); err != nil {
				return "", err
			}
		case xml.EndElement:
			if t.Name.Local != name {
				return "", fmt.Errorf("the element %q ends as %q", entity.Cut(name, 80), entity.Cut(t.Name.Local, 80))
			}
			x.textBytes += len(text)
			return string(bytes.TrimSpace(text)), nil
		}
	}
}

// skipTo skips the rest of the open elements down to a depth.
func (x *geneReader) skipTo(depth int) error {
	for x.depth > depth {
		if _, err := x.token(); err != nil {
			return err
		}
	}
	return nil
}

// token returns the next token. The caller must check that tags match. The end of the input is an error, because the document is not
// complete.
func (x *geneReader) token() (xml.Token, error) {
	if x.textBytes > maxTextBytes {
		return nil, entity.TooLarge("texts of more than %d bytes", maxTextBytes)
	}
	x.in.next(x.xml.InputOffset())
	t, err := x.xml.RawToken()
	switch t.(type) {
	case xml.StartElement:
		if x.depth++; x.depth > maxGeneDepth {
			return nil, fmt.Errorf("elements are nested more than %d deep", maxGeneDepth)
		}
	case xml.EndElement:
		x.depth--
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return t, err
}
