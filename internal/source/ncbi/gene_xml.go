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

// maxGeneXML bounds the record of one gene: the largest known have 16 MB.
const maxGeneXML = 100 << 20

// XML returns the record of a gene as NCBI writes it, a set of one; nil: there is
// none. It is not kept.
func (g *Genes) XML(ctx context.Context, id string) ([]byte, error) {
	var text bytes.Buffer
	genes := 0
	read := func(body io.Reader) error {
		text.Reset()
		genes = 0
		from := io.TeeReader(body, &limitedBuffer{&text})
		err := entrez.ReadGenes(from, 2, func(*entrez.Gene) error { genes++; return nil }) // 2: it reads to the end
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

// capped is a text that takes no more than a record may have.
type limitedBuffer struct{ text *bytes.Buffer }

// Write adds to the text.
func (c *limitedBuffer) Write(p []byte) (int, error) {
	if c.text.Len()+len(p) > maxGeneXML {
		return 0, fmt.Errorf("%w: a gene of more than %d bytes", entity.ErrTooLarge, maxGeneXML)
	}
	return c.text.Write(p)
}
