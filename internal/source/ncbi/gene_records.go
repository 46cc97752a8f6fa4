package ncbi

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/eutils"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/mapping/genes"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

const (
	geneFormat   = 4  // increase it when the cached data change, and so when the mapping changes
	maxGenes     = 20 // a record may have 16 MB
	geneDatabase = "gene"
)

// A GeneRecord is a cached gene: a mapped gene, or the id of the record that replaces it.
type GeneRecord struct {
	Gene         json.RawMessage  `json:"gene,omitempty"` // an entity.Gene, as in the answer
	Notices      []string         `json:"notices,omitempty"`
	GeneRIFs     []entity.GeneRIF `json:"generifs,omitempty"`     // beside the gene, which an answer has without them
	Current      string           `json:"current,omitempty"`      // id of the record that replaces this one
	Discontinued bool             `json:"discontinued,omitempty"` // and not replaced
}

// Valid reports whether the record has a gene, its replacement or its discontinuation.
func (r *GeneRecord) Valid() bool {
	return r.Discontinued || r.Current != "" || strings.HasPrefix(string(r.Gene), "{")
}

// A GeneSummary is the cached document summary of a gene.
type GeneSummary struct {
	Candidate    entity.GeneSearchCandidate `json:"candidate"` // without id if the document is incomplete
	Aliases      []string                   `json:"aliases,omitempty"`
	OMIM         []string                   `json:"omim,omitempty"` // of the gene itself
	TaxonID      int                        `json:"taxon_id,omitempty"`
	Current      string                     `json:"current,omitempty"`
	Discontinued bool                       `json:"discontinued,omitempty"`
}

// fetchGenes reads some records in one request. It reads the response as a stream and stops when it has all records. It checks ids that
// are not in the response with ESummary, because NCBI omits unknown ids and sometimes also records that it could not load.
func (c *client) fetchGenes(ctx context.Context, ids []string) (source.Reply[GeneRecord], error) {
	found := map[string]*GeneRecord{}
	stream := upstream.Reading(ctx, func(body io.Reader) error {
		clear(found)
		return entrez.ReadGenes(body, len(ids), func(gene *entrez.Gene) error {
			found[gene.ID] = geneRecordOf(gene)
			return upstream.Working(ctx)
		})
	})
	_, retrieval, err := c.read(c.EFetch(stream, &eutils.EFetchParams{Db: geneDatabase, Retmode: xmlMode, Id: &ids}))
	r := reply[GeneRecord](retrieval)
	if err != nil && !source.Refused(err) {
		return r, err
	}
	r.Answers = found
	left := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { _, ok := found[id]; return ok })
	if len(left) == 0 {
		return r, nil
	}
	summaries, err := documentsOf(c, geneDatabase, readGeneSummary)(ctx, left)
	if err != nil {
		return r, err
	}
	r.Requests += summaries.Requests
	for id := range summaries.Answers { // the gene exists, but its record is missing from the response
		r.Answers[id] = nil
	}
	return r, nil
}

// geneRecordOf maps a record, or returns nil if the record is incomplete.
func geneRecordOf(g *entrez.Gene) *GeneRecord {
	record := &GeneRecord{Current: g.CurrentID}
	switch {
	case record.Current != "":
	case g.Status == entrez.GeneSecondary, g.Status == entrez.GeneDiscontinued: // replaced, and NCBI does not say by which record
		record.Discontinued = true
	default:
		gene, notices, err := genes.Gene(g)
		if err != nil {
			return nil
		}
		if record.Gene, err = entity.JSON(gene); err != nil {
			return nil
		}
		record.Notices, record.GeneRIFs = notices, genes.GeneRIFs(g)
	}
	return record
}

// documentsOf returns a function that reads the ESummary documents of some ids of a database in one request, and maps each. An id that NCBI
// reports as missing has no entry; an id that is not in the response, or whose document cannot be mapped, has nil.
func documentsOf[T any](c *client, database string, mapped func(json.RawMessage) (*T, error)) func(
	context.Context, []string) (source.Reply[T], error) {
	return func(ctx context.Context, ids []string) (source.Reply[T], error) {
		body, retrieval, err := c.read(c.ESummary(ctx, &eutils.ESummaryParams{
			Db: database, Retmode: jsonMode, Version: new(version), Id: &ids,
		}))
		r := reply[T](retrieval)
		if err != nil {
			return r, ignoreRefusal(err)
		}
		documents, missing, err := entrez.ReadSummaries(body)
		if err != nil {
			return r, c.Unreadable(err)
		}
		unknown := setOf(missing)
		for _, id := range ids {
			if err := upstream.Working(ctx); err != nil {
				return r, err
			}
			if document, ok := documents[id]; ok {
				r.Answers[id] = nil
				if value, err := mapped(document); err == nil {
					r.Answers[id] = value
				}
			} else if !unknown[id] {
				r.Answers[id] = nil
			}
		}
		return r, nil
	}
}

func setOf(ids []string) map[string]bool {
	set := map[string]bool{}
	for _, id := range ids {
		set[id] = true
	}
	return set
}

// readGeneSummary maps a document. A document that is too incomplete for a candidate still shows that the gene exists.
func readGeneSummary(document json.RawMessage) (*GeneSummary, error) {
	summary, err := entrez.ReadGeneSummary(document)
	if err != nil {
		return nil, err
	}
	out := &GeneSummary{Aliases: summary.Aliases, OMIM: summary.MIM, TaxonID: summary.TaxID}
	if candidate, err := genes.GeneCandidate(summary); err == nil {
		out.Candidate = candidate
	}
	if !summary.Live() {
		out.Current, out.Discontinued = summary.CurrentID, summary.CurrentID == ""
	}
	return out, nil
}
