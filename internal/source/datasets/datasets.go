// Package datasets reads NCBI Datasets v2: ortholog sets of genes, and their
// transcripts and proteins. Its client is private.
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
	"time"

	api "github.com/biofact-mcp/biofact/gen/datasets"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/source"
)

const (
	format = 1 // changes with what is kept, and so with the mapping
	// pageSize is that of each page of orthologs that is asked for, whatever the
	// caller's: pages that are read before serve again. Datasets gives 20 to 1,000.
	pageSize    = 100
	maxProducts = 10 // a gene may have hundreds of transcripts
)

// Options say what Datasets is asked with.
type Options struct {
	source.Access
	// RecordAge is how long kept answers count as current.
	RecordAge time.Duration
}

// Datasets reads NCBI Datasets. It is safe for concurrent use.
type Datasets struct {
	client    *api.Client
	keeper    *source.Keeper
	orthologs *source.Cache[OrthologQuery, OrthologPage]
	products  *source.Cache[string, Products] // by gene id
}

// New returns a reader of NCBI Datasets. A base URL that cannot be one is an error.
func New(o Options) (*Datasets, error) {
	client, err := api.NewClient(o.URL, api.WithHTTPClient(o.Requests()))
	if err != nil {
		return nil, err
	}
	keeper, err := o.Keeper(format, "")
	if err != nil {
		return nil, err
	}
	d := &Datasets{client: client, keeper: keeper}
	byAge := source.ByAge(o.RecordAge)
	d.orthologs = source.NewCache(keeper, source.Kind[OrthologQuery, OrthologPage]{
		Name: "orthologs", Max: 1, Key: OrthologQuery.key, Current: byAge, Fetch: d.fetchOrthologs,
	})
	d.products = source.NewCache(keeper, source.Kind[string, Products]{
		Name: "products", Max: maxProducts, Key: func(id string) string { return id }, Current: byAge, Fetch: d.fetchProducts,
	})
	return d, nil
}

// An OrthologQuery asks for a page of the ortholog set of a gene.
type OrthologQuery struct {
	Gene  string   // id
	Taxa  []string // taxids or scientific names; none: all
	Token string   // of the page; empty: the first one
}

func (q OrthologQuery) key() string { return fmt.Sprintf("%s %q %s", q.Gene, q.Taxa, q.Token) }

// An OrthologPage is a page of an ortholog set as it is kept.
type OrthologPage struct {
	Orthologs []entity.GeneOrtholog `json:"orthologs"`
	Notices   []string              `json:"notices,omitempty"`
	Token     string                `json:"token,omitempty"` // of the next page
	Total     *int                  `json:"total,omitempty"`
	// UnknownTaxa are the taxa of the query that Datasets does not know.
	UnknownTaxa []string `json:"unknown_taxa,omitempty"`
}

// Products are the transcripts and proteins of a gene as they are kept.
type Products struct {
	Gene        string                  `json:"gene"` // id; another one than asked for where that was replaced
	Transcripts []entity.GeneTranscript `json:"transcripts"`
	Notices     []string                `json:"notices,omitempty"`
}

// Orthologs returns a page of an ortholog set; nil: Datasets has none for the gene,
// or does not know the gene, which it does not tell apart.
func (d *Datasets) Orthologs(ctx context.Context, query OrthologQuery, notes *entity.Notes) (*OrthologPage, error) {
	return d.orthologs.Get(ctx, query, notes)
}

// Products returns the transcripts and proteins of a gene; nil: Datasets does not
// know the gene.
func (d *Datasets) Products(ctx context.Context, gene string, notes *entity.Notes) (*Products, error) {
	return d.products.Get(ctx, gene, notes)
}

// read reads the page of reports that a request was answered; nil: Datasets says
// that there is nothing of the kind.
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

// notFound is the code of gRPC for something that is not there.
const notFound = 5

// refusal returns the error that a status is; nil: there is nothing of the kind.
// A 404 that does not say so in the words of Datasets may be that of a path.
func (d *Datasets) refusal(resp *source.Response) error {
	var status api.RpcStatus
	if err := json.Unmarshal(resp.Body, &status); err == nil && resp.Status == http.StatusNotFound && status.Code != nil &&
		*status.Code == notFound {
		return nil
	}
	return d.keeper.Unreadable(fmt.Errorf("status %d: %s", resp.Status, entity.Cut(string(resp.Body), 200)))
}

// readPage reads a page of reports. Datasets leaves out what is empty: a page
// without reports must hold nothing that is not known, or it is no empty page.
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
	found, made, err := d.read(d.client.GeneOrthologsById(ctx, gene, params))
	reply.Retrieval = made
	if err != nil || found == nil {
		return reply, err
	}
	page, err := orthologPage(found, q)
	if err != nil {
		return reply, d.keeper.Unreadable(err)
	}
	if page != nil {
		reply.Answers[q.key()] = page
	}
	return reply, nil
}

func (d *Datasets) fetchProducts(ctx context.Context, genes []string) (source.Reply[Products], error) {
	reply := source.Reply[Products]{Answers: map[string]*Products{}}
	var ids []int
	for _, gene := range genes {
		id, err := strconv.Atoi(gene)
		if err != nil {
			return reply, d.keeper.Unreadable(err)
		}
		ids = append(ids, id)
	}
	found, made, err := d.read(d.client.GeneProductReportsById(ctx, ids, &api.GeneProductReportsByIdParams{PageSize: new(pageSize)}))
	reply.Retrieval = made
	if err != nil || found == nil {
		return reply, err
	}
	for i := range found.Reports {
		report := &found.Reports[i]
		if report.Product.GeneId == "" && hasWarning(report) {
			continue // that the id was replaced or is not known: who asks finds out
		}
		for _, gene := range genes {
			if report.Product.GeneId == gene || slices.Contains(report.Query, gene) {
				reply.Answers[gene] = products(report)
			}
		}
	}
	if len(reply.Answers) == 0 && hasError(found) {
		return reply, d.keeper.Unreadable(errors.New("an error in place of reports"))
	}
	return reply, nil
}
