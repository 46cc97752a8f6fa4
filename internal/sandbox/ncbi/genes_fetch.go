package ncbi

import (
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/biofact-mcp/biofact/internal/reply"
)

// The text around an Entrezgene-Set.
const (
	geneSetOpen = `<?xml version="1.0" ?>
<!DOCTYPE Entrezgene-Set PUBLIC "-//NLM//DTD NCBI-Entrezgene, 21st January 2005//EN" ` +
		`"https://www.ncbi.nlm.nih.gov/data_specs/dtd/NCBI_Entrezgene.dtd">
<Entrezgene-Set>
`
	geneSetClose = "</Entrezgene-Set>\n"
)

// fetch writes the existing records in XML.
func (g *genes) fetch(uids []uint64, f form) (reply.Reply, error) {
	var known []*gene
	for _, uid := range uids {
		if record := g.byID[uid]; record != nil {
			known = append(known, record)
		}
	}
	if f.mode != "xml" {
		return reply.Reply{}, f.notServed()
	}
	out := reply.Reply{Status: http.StatusOK, Type: "text/xml; charset=UTF-8"}
	if len(known) == 0 {
		out.Body = []byte(strings.TrimSuffix(geneSetOpen, "\n") + geneSetClose)
		return out, nil
	}
	parts := &partsReader{}
	parts.text(geneSetOpen)
	for _, record := range known {
		parts.add(record.stored.open)
	}
	parts.text(geneSetClose)
	out.Stream = parts
	return out, nil
}

// partsReader concatenates parts. It opens a part only when it is read, so that a client that stops early causes no more work.
type partsReader struct {
	parts   []func() (io.ReadCloser, error)
	current io.ReadCloser
}

func (p *partsReader) add(open func() (io.ReadCloser, error)) { p.parts = append(p.parts, open) }

func (p *partsReader) text(text string) {
	p.add(func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil })
}

func (p *partsReader) Read(buffer []byte) (int, error) {
	for {
		if p.current == nil {
			if len(p.parts) == 0 {
				return 0, io.EOF
			}
			next, err := p.parts[0]()
			if err != nil {
				return 0, err
			}
			p.current, p.parts = next, p.parts[1:]
		}
		n, err := p.current.Read(buffer)
		if !errors.Is(err, io.EOF) {
			return n, err
		}
		if err := p.Close(); err != nil || n > 0 {
			return n, err
		}
	}
}

// Close closes the current part.
func (p *partsReader) Close() error {
	now := p.current
	if p.current = nil; now == nil {
		return nil
	}
	return now.Close()
}
