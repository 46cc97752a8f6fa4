// Package datasets reads NCBI Datasets v2: ortholog sets of genes, and their transcripts and proteins. Its client is private.
package datasets

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	api "github.com/biofact-mcp/biofact/gen/datasets"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/source"
)

const (
	format = 1 // increase it when the cached values change, and so when the mapping changes
	// pageSize is the size of every requested page of orthologs, for any page size of the caller: so stored pages can be reused. Datasets
	// allows 20 to 1,000.
	pageSize    = 100
	maxProducts = 10 // a gene may have hundreds of transcripts
)

// Datasets reads NCBI Datasets. It is safe for concurrent use.
type Datasets struct {
	client    *api.Client
	keeper    *source.Keeper
	orthologs *source.Cache[OrthologQuery, OrthologPage]
	products  *source.Cache[string, Products] // by gene id
}

// New returns a reader of NCBI Datasets. An invalid base URL is an error.
func New(access source.Access) (*Datasets, error) {
	client, err := api.NewClient(access.URL, api.WithHTTPClient(access.Requests()))
	if err != nil {
		return nil, err
	}
	keeper, err := access.Keeper(format, "")
	if err != nil {
		return nil, err
	}
	d := &Datasets{client: client, keeper: keeper}
	byAge := source.ByAge(access.RecordAge)
	d.orthologs = source.NewCache(keeper, source.Kind[OrthologQuery, OrthologPage]{
		Name: "orthologs", Max: 1, Key: OrthologQuery.key, Current: byAge, Fetch: d.fetchOrthologs,
	})
	d.products = source.NewCache(keeper, source.Kind[string, Products]{
		Name: "products", Max: maxProducts, Key: func(id string) string { return id }, Current: byAge, Fetch: d.fetchProducts,
	})
	return d, nil
}

// An OrthologQuery requests a page of the ortholog set of a gene.
type OrthologQuery struct {
	Gene  string   // id
	Taxa  []string // taxids or scientific names; none: all
	Token string   // of the page; empty: the first one
}

func (q OrthologQuery) key() string { return fmt.Sprintf("%s %q %s", q.Gene, q.Taxa, q.Token) }

// An OrthologPage is a page of an ortholog set in its stored form.
type OrthologPage struct {
	Orthologs []entity.GeneOrtholog `json:"orthologs"`
	Notices   []string              `json:"notices,omitempty"`
	Token     string                `json:"token,omitempty"` // of the next page
	Total     *int                  `json:"total,omitempty"`
	// UnknownTaxa are the taxa of the query that Datasets does not know.
	UnknownTaxa []string `json:"unknown_taxa,omitempty"`
}

// Products are the transcripts and proteins of a gene in their stored form.
type Products struct {
	Gene        string                  `json:"gene"` // id; differs from the requested id if that was replaced
	Transcripts []entity.GeneTranscript `json:"transcripts"`
	Notices     []string                `json:"notices,omitempty"`
}

// Orthologs returns a page of an ortholog set; nil: Datasets has no set for the gene, or does not know the gene. Its answer does not
// distinguish the two.
func (d *Datasets) Orthologs(ctx context.Context, query OrthologQuery, notes *entity.Notes) (*OrthologPage, error) {
	return d.orthologs.Get(ctx, query, notes)
}

// Products returns the transcripts and proteins of a gene; nil: Datasets does not know the gene.
func (d *Datasets) Products(ctx context.Context, gene string, notes *entity.Notes) (*Products, error) {
	return d.products.Get(ctx, gene, notes)
}

// read reads a page of reports; nil: Datasets answers that it has no such record.
func (d *Datasets) read(answered *http.Response, err error) (*api.V2reportsGeneDataReportPage, source.Retrieval, error) {
	resp, err := d.keeper.Read(answered, err)
	if err != nil {
		return nil, resp.Retrieval, err
	}
	if resp.Status != http.StatusOK {
		return nil, resp.Retrieval, d.refusal(&resp)
	}
	page, err := d.readPage(&resp)
	return page, resp.Retrieval, err
}

// notFound is the gRPC code for a missing record.
const notFound = 5

// refusal returns the error of a status; nil: no such record. A 404 without the gRPC status of Datasets may be that of a wrong path.
func (d *Datasets) refusal(resp *source.Response) error {
	var status api.RpcStatus
	if err := json.Unmarshal(resp.Body, &status); err == nil && resp.Status == http.StatusNotFound && status.Code != nil &&
		*status.Code == notFound {
		return nil
	}
	cause := fmt.Errorf("status %d: %s", resp.Status, entity.Cut(string(resp.Body), 200))
	if resp.Status == http.StatusBadRequest {
		cause = fmt.Errorf("%w: %w", ErrRefused, cause)
	}
	return d.keeper.Unreadable(cause)
}

// ErrRefused is in the chain of the error of a request that Datasets could not read, such as one with an old page token.
var ErrRefused = errors.New("NCBI Datasets refused the request")

// readPage reads a page of reports. Datasets omits empty fields: a page without reports must have no unknown fields, or it is not an empty
// page.
func (d *Datasets) readPage(resp *source.Response) (*api.V2reportsGeneDataReportPage, error) {
	var page api.V2reportsGeneDataReportPage
	if err := resp.Decode(&page); err != nil || len(page.Reports) > 0 {
		return &page, err
	}
	strict := json.NewDecoder(bytes.NewReader(resp.Body))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&page); err != nil {
		return nil, d.keeper.Unreadable(err)
	}
	return &page, nil
}

func (d *Datasets) fetchOrthologs(ctx context.Context, queries []OrthologQuery) (source.Reply[OrthologPage], error) {
	q := queries[0]
	reply := source.Reply[OrthologPage]{Answers: map[string]*OrthologPage{}}
	gene, err := strconv.Atoi(q.Gene)
	if err != nil {
		return reply, d.keeper.Unreadable(err)
	}
	params := &api.GeneOrthologsByIdParams{
		PageSize: new(pageSize), ReturnedContent: new(api.V2OrthologRequestContentTypeCOMPLETE),
	}
	if len(q.Taxa) > 0 {
		params.TaxonFilter = &q.Taxa
	}
	if q.Token != "" {
		params.PageToken = &q.Token
	}
	found, retrieval, err := d.read(d.client.GeneOrthologsById(ctx, gene, params))
	reply.Retrieval = retrieval
	if err != nil || found == nil {
		return reply, err
	}
	page, exists, err := orthologPage(found, q)
	if err != nil {
		return reply, d.keeper.Unreadable(err)
	}
	if exists {
		reply.Answers[q.key()] = page
	}
	return reply, nil
}

func (d *Datasets) fetchProducts(ctx context.Context, genes []string) (source.Reply[Products], error) {
	reply := source.Reply[Products]{}
	var ids []int
	for _, gene := range genes {
		id, err := strconv.Atoi(gene)
		if err != nil {
			return reply, d.keeper.Unreadable(err)
		}
		ids = append(ids, id)
	}
	found, retrieval, err := d.read(d.client.GeneProductReportsById(ctx, ids, &api.GeneProductReportsByIdParams{PageSize: new(pageSize)}))
	reply.Retrieval = retrieval
	if err != nil {
		return reply, err
	}
	if found != nil {
		reply.Answers = productsOf(found, genes)
	} else if len(genes) > 1 { // at least one is not known
		reply.Answers = map[string]*Products{}
		for _, gene := range genes {
			reply.Answers[gene] = nil
		}
	}
	return reply, nil
}

// productsOf returns the answers of a page by requested gene. A gene without a readable report has nil, and a gene that NCBI does not know
// has no entry.
func productsOf(found *api.V2reportsGeneDataReportPage, genes []string) map[string]*Products {
	answers := map[string]*Products{}
	var unknown []string
	unread := hasError(found)
	for i := range found.Reports {
		report, requested := &found.Reports[i], false
		if report.Product.GeneId == "" && saysUnknown(report) {
			unknown = append(unknown, report.Query...) // or replaced: the caller checks which
			continue
		}
		for _, gene := range genes {
			if report.Product.GeneId == gene || slices.Contains(report.Query, gene) {
				answers[gene], requested = products(report), true
			}
		}
		unread = unread || !requested
	}
	for _, gene := range genes {
		if _, answered := answers[gene]; unread && !answered && !slices.Contains(unknown, gene) {
			answers[gene] = nil
		}
	}
	return answers
}
