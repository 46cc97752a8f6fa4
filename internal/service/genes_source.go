package service

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/eutils"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/mapping"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// geneSource reads NCBI Gene through the E-utilities.
type geneSource struct {
	shelf
	*ncbi
	records   *upstream.Batch[exchange] // by gene id
	summaries *upstream.Batch[exchange] // by gene id
	links     *upstream.Batch[exchange] // by gene id
	searches  *upstream.Batch[exchange] // by the parameters of ESearch
}

// A geneRecord is a gene as it is kept: mapped, or where it leads to.
type geneRecord struct {
	Gene         json.RawMessage `json:"gene,omitempty"` // an entity.Gene, as it goes out
	Notices      []string        `json:"notices,omitempty"`
	Current      string          `json:"current,omitempty"`      // id of the record that replaces this one
	Discontinued bool            `json:"discontinued,omitempty"` // and nothing replaces it
}

func (r *geneRecord) whole() bool {
	return r.Discontinued || r.Current != "" || strings.HasPrefix(string(r.Gene), "{")
}

// A geneSummary is what is kept of the document summary of a gene.
type geneSummary struct {
	Candidate    entity.GeneSearchCandidate `json:"candidate"` // without id: the document says too little for one
	Aliases      []string                   `json:"aliases,omitempty"`
	TaxonID      int                        `json:"taxon_id,omitempty"`
	Current      string                     `json:"current,omitempty"`
	Discontinued bool                       `json:"discontinued,omitempty"`
}

// Limits of what one request carries, and how what is kept is written.
const (
	geneFormat    = 1  // changes with what is kept of genes, and so with the mapping
	maxGenes      = 20 // a record may have 16 MB
	maxLinked     = 10 // a record may have tens of thousands of links
	geneDatabase  = "gene"
	pubmedLinks   = "gene_pubmed"
	humanOrganism = 9606
)

func newGeneSource(n *ncbi) *geneSource {
	s := &geneSource{shelf: n.shelf(geneDatabase, geneFormat), ncbi: n}
	s.records = n.batch(&s.shelf, maxGenes, "record", s.fetchRecords)
	s.summaries = n.batch(&s.shelf, maxSummaries, "summary", s.fetchSummaries)
	s.links = n.batch(&s.shelf, maxLinked, "links", s.fetchLinks)
	s.searches = n.batch(&s.shelf, 1, kindSearch, s.fetchSearch)
	return s
}

// record reads one record by its id; nil where there is none.
func (s *geneSource) record(ctx context.Context, id string, p *entity.Provenance) (*geneRecord, []string, error) {
	return read[geneRecord](ctx, &s.shelf, s.records, "record", id, p)
}

// summary reads one document summary; nil where the id has none.
func (s *geneSource) summary(ctx context.Context, id string, p *entity.Provenance) (*geneSummary, []string, error) {
	return read[geneSummary](ctx, &s.shelf, s.summaries, "summary", id, p)
}

// summarise reads the document summaries of several ids. An id without one is
// not among them.
func (s *geneSource) summarise(ctx context.Context, ids []string, p *entity.Provenance) (map[string]*geneSummary, []string, error) {
	return readAll[geneSummary](ctx, &s.shelf, s.summaries, "summary", ids, p)
}

// pmids reads the ids of the articles that are linked to a gene, by falling
// number. NCBI answers alike for a gene without links and for no gene.
func (s *geneSource) pmids(ctx context.Context, id string, p *entity.Provenance) ([]string, []string, error) {
	links, notices, err := read[[]string](ctx, &s.shelf, s.links, "links", id, p)
	if err != nil || links == nil {
		return nil, nil, err
	}
	return *links, notices, nil
}

// search reads the ids that match a term, from one row on.
func (s *geneSource) search(ctx context.Context, term string, from, most int, p *entity.Provenance) (*entrez.Search, []string, error) {
	question, err := json.Marshal(eutils.ESearchParams{
		Db: geneDatabase, Retmode: jsonMode, Term: term, Sort: new("relevance"), Retstart: new(from), Retmax: new(most),
	})
	if err != nil {
		return nil, nil, err
	}
	return read[entrez.Search](ctx, &s.shelf, s.searches, kindSearch, string(question), p)
}

func (s *geneSource) fetchSearch(ctx context.Context, questions []string) (map[string]exchange, error) {
	var params eutils.ESearchParams
	if err := json.Unmarshal([]byte(questions[0]), &params); err != nil {
		return nil, err
	}
	found, made, err := s.eSearch(ctx, &params)
	if err != nil {
		return nil, err
	}
	made.value, err = json.Marshal(found)
	return map[string]exchange{questions[0]: made}, err
}

func (s *geneSource) fetchSummaries(ctx context.Context, ids []string) (map[string]exchange, error) {
	body, made, err := readEUtils(s.client.ESummary(ctx, &eutils.ESummaryParams{
		Db: geneDatabase, Retmode: jsonMode, Version: new(eutils.Version("2.0")), Id: &ids,
	}))
	if wasRefused(err) {
		return map[string]exchange{}, nil // no id is one
	}
	if err != nil {
		return nil, err
	}
	documents, missing, err := entrez.ReadSummaries(body)
	if err != nil {
		return nil, nonsense(ncbiName, err)
	}
	found := map[string]exchange{}
	for id, document := range documents {
		found[id] = keptSummary(document, made)
	}
	for _, id := range ids {
		if _, ok := found[id]; !ok && !slices.Contains(missing, id) {
			found[id] = exchange{requests: made.requests, fetched: made.fetched} // NCBI said nothing of it
		}
	}
	return found, nil
}

// keptSummary maps a document to what is kept of it. One that says too little for
// a candidate still tells that there is such a gene, and spoils no other.
func keptSummary(document json.RawMessage, made exchange) exchange {
	made.value = nil
	summary, err := entrez.ReadGeneSummary(document)
	if err != nil {
		return made
	}
	kept := geneSummary{Aliases: summary.Aliases, TaxonID: summary.TaxID}
	if candidate, err := mapping.GeneCandidate(summary); err == nil {
		kept.Candidate = candidate
	}
	if !summary.Live() {
		kept.Current, kept.Discontinued = summary.CurrentID, summary.CurrentID == ""
	}
	if made.value, err = entity.JSON(kept); err != nil {
		made.value = nil
	}
	return made
}

func (s *geneSource) fetchLinks(ctx context.Context, ids []string) (map[string]exchange, error) {
	body, made, err := readEUtils(s.client.ELink(ctx, &eutils.ELinkParams{
		Dbfrom: geneDatabase, Db: "pubmed", Retmode: jsonMode, Linkname: new(pubmedLinks), Cmd: new("neighbor"), Id: ids,
	}))
	if err != nil {
		return nil, err
	}
	links, err := entrez.ReadLinks(body, pubmedLinks)
	if err != nil {
		return nil, nonsense(ncbiName, err)
	}
	found := map[string]exchange{}
	for _, id := range ids {
		list, answered := links[id]
		if !answered {
			found[id] = exchange{requests: made.requests, fetched: made.fetched} // NCBI said nothing of it
			continue
		}
		if list == nil {
			list = []string{}
		}
		kept := made
		if kept.value, err = json.Marshal(list); err != nil {
			return nil, err
		}
		found[id] = kept
	}
	return found, nil
}

// fetchRecords reads the records of some ids in one request, as a stream that is
// left when all is known. An id that is not among them is looked up once more:
// NCBI leaves out what it does not have and, at times, what it could not get.
func (s *geneSource) fetchRecords(ctx context.Context, ids []string) (map[string]exchange, error) {
	found := map[string]exchange{}
	stream := upstream.Reading(ctx, func(body io.Reader) error {
		clear(found)
		return entrez.ReadGenes(body, len(ids), func(g *entrez.Gene) error {
			found[g.ID] = keptGene(g)
			return nil
		})
	})
	_, made, err := readEUtils(s.client.EFetch(stream, &eutils.EFetchParams{Db: geneDatabase, Retmode: xmlMode, Id: &ids}))
	if err != nil && !wasRefused(err) {
		return nil, err
	}
	for id, e := range found {
		e.requests, e.fetched = made.requests, made.fetched
		found[id] = e
	}
	var left []string
	for _, id := range ids {
		if _, ok := found[id]; !ok {
			left = append(left, id)
		}
	}
	if len(left) == 0 {
		return found, nil
	}
	summaries, err := s.fetchSummaries(ctx, left)
	if err != nil {
		return nil, err
	}
	for id := range maps.Keys(summaries) { // there is such a gene, and its record did not come
		found[id] = exchange{requests: made.requests + 1, fetched: made.fetched}
	}
	return found, nil
}

// keptGene maps a record to what is kept of it.
func keptGene(g *entrez.Gene) (made exchange) {
	record := geneRecord{Current: g.CurrentID}
	switch {
	case record.Current != "":
	case g.Status == entrez.GeneSecondary, g.Status == entrez.GeneDiscontinued: // replaced by NCBI does not say what
		record.Discontinued = true
	default:
		gene, notices, err := mapping.Gene(g)
		if err != nil {
			return made
		}
		if record.Gene, err = entity.JSON(gene); err != nil {
			return made
		}
		record.Notices = notices
	}
	value, err := entity.JSON(record)
	if err != nil {
		return made
	}
	made.value = value
	return made
}
