package ncbi

import (
	"context"
	"encoding/json"
	"io"
	"slices"

	"github.com/biofact-mcp/biofact/gen/eutils"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/mapping"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// fetchRecords reads the records of some ids in one request, as a stream that is
// left when all is known. An id that is not among them is looked up once more:
// NCBI leaves out what it does not have and, at times, what it could not get.
func (g *Genes) fetchRecords(ctx context.Context, ids []string) (source.Reply[GeneRecord], error) {
	found := map[string]*GeneRecord{}
	stream := upstream.Reading(ctx, func(body io.Reader) error {
		clear(found)
		return entrez.ReadGenes(body, len(ids), func(gene *entrez.Gene) error {
			found[gene.ID] = geneRecordOf(gene)
			return nil
		})
	})
	_, made, err := g.client.read(g.client.EFetch(stream, &eutils.EFetchParams{Db: geneDatabase, Retmode: xmlMode, Id: &ids}))
	r := reply[GeneRecord](made)
	if err != nil && !source.Refused(err) {
		return r, err
	}
	r.Answers = found
	left := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { _, ok := found[id]; return ok })
	if len(left) == 0 {
		return r, nil
	}
	summaries, err := g.fetchSummaries(ctx, left)
	if err != nil {
		return r, err
	}
	r.Requests += summaries.Requests
	for id := range summaries.Answers { // there is such a gene, and its record did not come
		r.Answers[id] = nil
	}
	return r, nil
}

// geneRecordOf maps a record; nil: it lacks what every record has.
func geneRecordOf(g *entrez.Gene) *GeneRecord {
	record := &GeneRecord{Current: g.CurrentID}
	switch {
	case record.Current != "":
	case g.Status == entrez.GeneSecondary, g.Status == entrez.GeneDiscontinued: // replaced by NCBI does not say what
		record.Discontinued = true
	default:
		gene, notices, err := mapping.Gene(g)
		if err != nil {
			return nil
		}
		if record.Gene, err = entity.JSON(gene); err != nil {
			return nil
		}
		record.Notices = notices
	}
	return record
}

func (g *Genes) fetchSummaries(ctx context.Context, ids []string) (source.Reply[GeneSummary], error) {
	return fetchDocuments(ctx, g.client, geneDatabase, ids, geneSummaryOf)
}

// fetchDocuments reads the ESummary documents of some ids of a database in one
// request, and maps each; what cannot be mapped is nil. An id that NCBI calls
// missing has no entry, one that it leaves out has nil.
func fetchDocuments[T any](ctx context.Context, client *client, database string, ids []string,
	mapped func(json.RawMessage) *T) (source.Reply[T], error) {
	body, made, err := client.read(client.ESummary(ctx, &eutils.ESummaryParams{
		Db: database, Retmode: jsonMode, Version: new(version), Id: &ids,
	}))
	r := reply[T](made)
	if err != nil {
		return r, ignoreRefusal(err)
	}
	documents, missing, err := entrez.ReadSummaries(body)
	if err != nil {
		return r, client.Unreadable(err)
	}
	for _, id := range ids {
		if document, ok := documents[id]; ok {
			r.Answers[id] = mapped(document)
		} else if !slices.Contains(missing, id) {
			r.Answers[id] = nil
		}
	}
	return r, nil
}

// geneSummaryOf maps a document; nil: it cannot be read. One that says too little
// for a candidate still says that there is such a gene.
func geneSummaryOf(document json.RawMessage) *GeneSummary {
	summary, err := entrez.ReadGeneSummary(document)
	if err != nil {
		return nil
	}
	out := &GeneSummary{Aliases: summary.Aliases, OMIM: summary.MIM, TaxonID: summary.TaxID}
	if candidate, err := mapping.GeneCandidate(summary); err == nil {
		out.Candidate = candidate
	}
	if !summary.Live() {
		out.Current, out.Discontinued = summary.CurrentID, summary.CurrentID == ""
	}
	return out
}
