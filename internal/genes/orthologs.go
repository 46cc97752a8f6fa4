package genes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/source/datasets"
)

// GetGeneOrthologs serves get_gene_orthologs.
func (s *Genes) GetGeneOrthologs(
	ctx context.Context, args tools.GetGeneOrthologsArgs,
) (entity.Answer[entity.Page[entity.GeneOrtholog]], error) {
	var answer entity.Answer[entity.Page[entity.GeneOrtholog]]
	gene, err := readGeneID(tools.GetGeneOrthologs, args.EntrezID)
	if err != nil {
		return answer, err
	}
	taxa, requested, err := readTaxa(args.Organism)
	if err != nil {
		return answer, err
	}
	at, err := envelope.PageAt(tools.GetGeneOrthologs, []any{gene, taxa}, args, args.Cursor)
	if err != nil {
		return answer, err
	}
	walk := &orthologWalk{query: datasets.OrthologQuery{Gene: gene, Taxa: taxa}, requested: requested, at: at, total: at.Total}
	if args.Cursor != "" {
		walk.query.Gene, walk.query.Token, _ = strings.Cut(at.Token, " ")
		if !id.Gene.Is(walk.query.Gene) {
			return answer, at.Refused("is not a cursor of "+tools.GetGeneOrthologs, args.Cursor)
		}
		_, err = s.readOrthologs(ctx, walk, args, &answer.Notes)
	} else {
		err = s.firstOrthologs(ctx, walk, args, &answer.Notes)
	}
	if err != nil {
		return answer, err
	}
	noteReplaced(gene, walk.query.Gene, "orthologs", &answer.Notes)
	page := &answer.Value
	items, left := envelope.FitPage(walk.rows, "orthologs", s.maxAnswer, &answer.Notes)
	if page.Items = items; len(left) > 0 {
		walk.at, walk.more = walk.ends[len(items)-1], true
	}
	for i := range page.Items {
		if page.Items[i].Requested {
			answer.Add("NCBI counts " + page.Items[i].ID + " itself in its ortholog set; its row has asked_for.")
		}
	}
	page.Pagination.PageSize = args.PageSize
	next := walk.at
	next.Query, next.Token, next.Total = at.Query, walk.query.Gene+" "+next.Token, walk.total
	return answer, envelope.FinishPage(&page.Pagination, next, walk.more)
}

// readTaxa returns organisms as NCBI Datasets takes them, each once, and the caller's words for each of them.
func readTaxa(organisms []string) (taxa, requested []string, err error) {
	for _, organism := range eachOrganism(organisms) {
		if other, negated := entity.Negated(organism); negated {
			return nil, nil, envelope.Refuse("organism", organism, "takes organisms to include, and cannot exclude %s",
				envelope.Quoted(other)).Again(tools.GetGeneOrthologs, `with {"organism":null}: without organism, and leave out its rows`)
		}
		taxon, err := readOrganism(tools.GetGeneOrthologs, organism)
		if err != nil {
			return nil, nil, err
		}
		name := taxon.Name
		if taxon.ID > 0 {
			name = strconv.Itoa(taxon.ID)
		}
		if !slices.Contains(taxa, name) {
			taxa, requested = append(taxa, name), append(requested, organism)
		}
	}
	return taxa, requested, nil
}

// An orthologWalk reads an ortholog set page by page. Its cursors count the rows of a page of the source, not of the set.
type orthologWalk struct {
	query     datasets.OrthologQuery
	requested []string        // the caller's words for the taxa of the query
	at        envelope.Cursor // position on the next page of the source
	rows      []entity.GeneOrtholog
	ends      []envelope.Cursor // position after each row
	total     *int
	more      bool
}

// maxOrthologPages limits the requests of one call.
const maxOrthologPages = 5

// firstOrthologs reads the first page of a gene, or of the gene that replaced it, and adds a notice if the page is empty.
func (s *Genes) firstOrthologs(ctx context.Context, walk *orthologWalk, args tools.GetGeneOrthologsArgs, notes *entity.Notes) error {
	walk.total = new(0)
	found := false
	_, err := s.followReplacements(ctx, tools.GetGeneOrthologs, walk.query.Gene, notes, func(gene string) (_ bool, err error) {
		walk.query.Gene = gene
		if found, err = s.readOrthologs(ctx, walk, args, notes); found || err != nil || walk.query.Taxa == nil {
			return found, err
		}
		all, err := s.sources.Datasets.Orthologs(ctx, datasets.OrthologQuery{Gene: gene}, notes)
		if found = all != nil; found {
			notes.Add(noOrthologsNotice(walk.query, all.Total, args.Organism))
		}
		return found, err
	})
	if err == nil && !found {
		notes.Add("NCBI lists no orthologs of " + id.Gene.CURIE(walk.query.Gene) + ".")
	}
	if err != nil || len(walk.rows) == 0 {
		return err
	}
	return s.noteLackingTaxa(ctx, walk, notes)
}

// noteLackingTaxa adds a notice about requested organisms that have no gene in the set. A requested taxon may be a group, whose rows have
// other taxids, and a later page may have rows of it. In these cases a request for that taxon alone decides.
func (s *Genes) noteLackingTaxa(ctx context.Context, walk *orthologWalk, notes *entity.Notes) error {
	unseen, sure := walk.unseenTaxa()
	var lacking []string
	for _, i := range unseen {
		if !sure {
			page, err := s.sources.Datasets.Orthologs(ctx,
				datasets.OrthologQuery{Gene: walk.query.Gene, Taxa: walk.query.Taxa[i : i+1]}, notes)
			if err != nil {
				return err
			}
			if page != nil && len(page.Orthologs) > 0 {
				continue
			}
		}
		lacking = append(lacking, envelope.Quoted(walk.requested[i]))
	}
	if lacking != nil {
		notes.Add("The ortholog set of " + id.Gene.CURIE(walk.query.Gene) + " has no gene of " + strings.Join(lacking, ", ") + ".")
	}
	return nil
}

// unseenTaxa returns the indexes in query.Taxa of the taxa that no row has as its own taxid or name. sure reports that the ortholog set
// certainly has no gene of them, so that no request is necessary.
func (w *orthologWalk) unseenTaxa() (indexes []int, sure bool) {
	if len(w.query.Taxa) < 2 { // all rows belong to the requested taxon
		return nil, true
	}
	seen := map[string]bool{}
	sure = !w.more
	for i := range w.rows {
		taxid, name := strconv.Itoa(w.rows[i].TaxonID), entity.Fold(w.rows[i].Organism)
		seen[taxid], seen[name] = true, true
		sure = sure && slices.ContainsFunc(w.query.Taxa, func(taxon string) bool { return taxon == taxid || entity.Fold(taxon) == name })
	}
	for i, taxon := range w.query.Taxa {
		if !seen[taxon] && !seen[entity.Fold(taxon)] {
			indexes = append(indexes, i)
		}
	}
	return indexes, sure
}

// readOrthologs reads as many rows as a page of the answer takes. found is false if the source knows nothing about the gene.
func (s *Genes) readOrthologs(ctx context.Context, walk *orthologWalk, args tools.GetGeneOrthologsArgs, notes *entity.Notes) (found bool,
	err error) {
	for range maxOrthologPages {
		page, err := s.sources.Datasets.Orthologs(ctx, walk.query, notes)
		if args.Cursor != "" && errors.Is(err, datasets.ErrRefused) {
			err = walk.at.Refused("NCBI Datasets no longer accepts it", args.Cursor)
		}
		if err != nil || page == nil {
			walk.more = false
			return found, err
		}
		if page.UnknownTaxa != nil {
			return false, walk.unknownTaxa(page.UnknownTaxa)
		}
		if args.Cursor == "" && !found {
			walk.total = page.Total
		}
		found = true
		notes.Add(page.Notices...)
		if walk.take(page, args.PageSize, notes) {
			break
		}
	}
	return found, nil
}

// unknownTaxa returns the error for taxa of the query that NCBI does not know.
func (w *orthologWalk) unknownTaxa(taxa []string) error {
	var unknown []string
	for i, taxon := range w.query.Taxa {
		if slices.Contains(taxa, taxon) {
			unknown = append(unknown, w.requested[i])
		}
	}
	if unknown == nil {
		unknown = w.requested[:1]
	}
	e := unknownOrganism(tools.GetGeneOrthologs, unknown[0])
	if len(w.requested) > 1 {
		e.Hint = nearList(tools.GetGeneOrthologs, w.requested, unknown)
	}
	return e
}

// take adds rows of a page of the source. It reports whether the answer is full or the set is complete.
func (w *orthologWalk) take(page *datasets.OrthologPage, size int, notes *entity.Notes) bool {
	list := &envelope.Listing[entity.GeneOrtholog]{At: w.at, Rows: page.Orthologs, Part: true}
	list.Key = func(o entity.GeneOrtholog) string { return o.ID }
	if list.At.Total = nil; page.Total != nil {
		list.At.Total, list.Total, w.total = w.total, *page.Total, page.Total
	}
	rows := list.Page(size-len(w.rows), notes)
	for i := range len(rows) + 1 {
		w.at = list.After(list.Start + i)
		if w.at.Token = w.query.Token; i > 0 {
			w.rows, w.ends = append(w.rows, rows[i-1]), append(w.ends, w.at)
		}
	}
	if full := len(w.rows) == size; w.at.Seen < len(page.Orthologs) || full && page.Token != "" {
		w.more = true // after its last row the next call reads this page again, and so finds a change before the next one
		return true
	}
	w.at = envelope.Cursor{Token: page.Token, Data: envelope.Checksum(), Last: w.at.Last, FirstPage: list.At.FirstPage}
	w.query.Token, w.more = page.Token, page.Token != ""
	return !w.more
}

// noOrthologsNotice returns the notice that the set of a gene has no member of some organisms.
func noOrthologsNotice(query datasets.OrthologQuery, total *int, organisms []string) string {
	set := "the ortholog set"
	if total != nil {
		set = fmt.Sprintf("the %d genes in the ortholog set", *total)
	}
	return fmt.Sprintf("None of %s of %s is of the organism %s. To see the set call %s without organism.",
		set, id.Gene.CURIE(query.Gene), envelope.Quoted(strings.Join(organisms, ", ")), tools.GetGeneOrthologs)
}
