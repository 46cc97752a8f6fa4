package ncbi

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/biofact-mcp/biofact/gen/eutils"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// maxGeneXML limits the size of the record of one gene. The largest known record has 16 MB.
const maxGeneXML = 100 << 20

// XML returns the record of a gene as NCBI writes it, in a set of one, or nil if the gene does not exist. It is not cached.
func (g *Genes) XML(ctx context.Context, id string) ([]byte, error) {
	var text bytes.Buffer
	genes := 0
	read := func(body io.Reader) error {
		text.Reset()
		genes = 0
		from := io.TeeReader(body, &limitedBuffer{&text})
		err := entrez.ReadGenes(from, 2, func(*entrez.Gene) error { genes++; return nil }) // 2, so that it reads to the end
		if err == nil {
			_, err = io.Copy(io.Discard, from)
		}
		return err
	}
	ids := []string{id}
	_, _, err := g.client.read(g.client.EFetch(upstream.Reading(ctx, read),
		&eutils.EFetchParams{Db: geneDatabase, Retmode: xmlMode, Id: &ids}))
	switch {
	case err != nil && ignoreRefusal(err) != nil:
		return nil, upstream.Failure(g.client.Title, err)
	case err != nil || genes == 0:
		return nil, nil //nolint:nilerr // NCBI refuses an id that it does not have
	}
	return text.Bytes(), nil
}

// limitedBuffer is a buffer that returns an error above the maximum size of a record.
type limitedBuffer struct{ text *bytes.Buffer }

// Write appends to the text.
func (c *limitedBuffer) Write(p []byte) (int, error) {
	if c.text.Len()+len(p) > maxGeneXML {
		return 0, fmt.Errorf("%w: a gene of more than %d bytes", entity.ErrTooLarge, maxGeneXML)
	}
	return c.text.Write(p)
}
