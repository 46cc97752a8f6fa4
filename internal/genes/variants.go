package genes

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/mapping/genes"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// A variantClass is a class of ClinVar: the value of the argument, the value in ClinVar's records, and the phrase that finds it.
type variantClass struct{ choice, value, term string }

// germlineClasses are the classes of ClinVar's own filters. The tag [CLNSIG] is not used, because ClinVar has no such field and would
// search for words.
var germlineClasses = []variantClass{
	{"pathogenic", "Pathogenic", `"clinsig pathogenic"[Properties]`},
	{"likely_pathogenic", "Likely pathogenic", `"clinsig likely pathogenic"[Properties]`},
	{"uncertain_significance", "Uncertain significance", `"clinsig vus"[Properties]`},
	{"likely_benign", "Likely benign", `"clinsig likely benign"[Properties]`},
	{"benign", "Benign", `"clinsig benign"[Properties]`},
	{"conflicting", "Conflicting classifications of pathogenicity", `"clinsig has conflicts"[Properties]`},
}

// reviewStatuses are the review statuses of aggregate records, the best first.
var reviewStatuses = []string{
	"practice guideline", "reviewed by expert panel", "criteria provided, multiple submitters, no conflicts",
	"criteria provided, conflicting classifications", "criteria provided, single submitter", "no assertion criteria provided",
}

// VariantsOf returns records of ClinVar by their ids, those that ClinVar has.
func (s *Genes) VariantsOf(ctx context.Context, ids []string, notes *entity.Notes) (variants []entity.GeneVariant, err error) {
	found, err := s.sources.Genes.Variants.GetAll(ctx, ids, notes)
	for _, variation := range ids {
		if v := found[variation]; v != nil && v.Record.VariationID == variation {
			variants = append(variants, v.Record)
		}
	}
	return variants, err
}

// singleGene excludes records that cover several genes, such as large deletions.
const singleGene = "single_gene[prop]"

// A variantsPage is the answer of get_gene_variants.
type variantsPage = entity.PageWith[entity.GeneVariant, entity.GeneVariants]

// GetGeneVariants serves get_gene_variants.
func (s *Genes) GetGeneVariants(ctx context.Context, args tools.GetGeneVariantsArgs) (entity.Answer[variantsPage], error) {
	var answer entity.Answer[variantsPage]
	requested, err := readGeneID(tools.GetGeneVariants, args.EntrezID)
	if err != nil {
		return answer, err
	}
	at, err := envelope.PageAt(tools.GetGeneVariants, variantKey(requested, args), args, args.Cursor)
	if err != nil {
		return answer, err
	}
	gene, summary, err := s.humanGene(ctx, requested, &answer.Notes)
	if err != nil {
		return answer, err
	}
	v := variantQuery{gene: gene, named: `"` + strings.ReplaceAll(summary.Candidate.Symbol, `"`, " ") + `"[gene]`}
	v.significance = args.Significance
	if v.change, err = readChange(args); err != nil {
		return answer, err
	}
	out := &answer.Value
	out.Beside.GeneID, out.Beside.Symbol = id.Gene.CURIE(gene), summary.Candidate.Symbol
	list, err := s.findVariants(ctx, v, at, args.PageSize, &answer.Notes)
	if err != nil {
		return answer, err
	}
	ids := list.Page(args.PageSize, &answer.Notes)
	if err := s.variantRows(ctx, &answer, gene, ids); err != nil {
		return answer, err
	}
	if args.Cursor == "" && v.change == nil {
		s.countVariants(ctx, &answer, v, list.Total)
	}
	out.Pagination.PageSize = args.PageSize
	items, left := envelope.FitPage(out.Items, "records", s.maxAnswer, &answer.Notes)
	if out.Items = items; len(left) > 0 {
		ids = ids[:slices.Index(ids, left[0].VariationID)]
	}
	next, more := list.Next(len(ids))
	return answer, envelope.FinishPage(&out.Pagination, next, more && len(ids) > 0)
}

// humanGene returns the current record of a gene. A gene of another organism is an error: ClinVar has variants of human genes only.
func (s *Genes) humanGene(ctx context.Context, requested string, notes *entity.Notes) (gene string, summary *ncbi.GeneSummary,
	err error) {
	gene, err = s.followReplacements(ctx, tools.GetGeneVariants, requested, notes, func(gene string) (bool, error) {
		summary, err = s.sources.Genes.Summaries.Get(ctx, gene, notes)
		return summary != nil && summary.Current == "" && !summary.Discontinued, err
	})
	if err != nil {
		return gene, nil, err
	}
	noteReplaced(requested, gene, "variants", notes)
	if summary.Candidate.ID == "" || summary.TaxonID != humanOrganism {
		curie, call := id.Gene.CURIE(gene), tool.Show(map[string]any{"query": summary.Candidate.Symbol, "organism": "human"})
		e := envelope.Refuse("entrez_id", curie, "ClinVar has variants of human genes, and %s is of %s", curie, summary.Candidate.Organism)
		if summary.Candidate.ID == "" {
			e = envelope.Refuse("entrez_id", curie, "the NCBI record of %s is too incomplete to find its variants", curie)
			call = tool.Object("query", "TP53")
		}
		return gene, nil, e.Hint("To find the human gene call search_genes with %s, then get_gene_variants with the id of a result.", call)
	}
	return gene, summary, nil
}

// A variantQuery is a search of ClinVar for the variants of one gene.
type variantQuery struct {
	gene         string
	named        string // the term that finds the gene
	significance []string
	change       genes.Change // nil: any
}

// maxChangeHits limits the records that are read to find those that carry a change.
const maxChangeHits = 200

// variantKey returns the arguments that a cursor belongs to.
func variantKey(gene string, args tools.GetGeneVariantsArgs) []any {
	key := []any{gene, args.Significance}
	if args.Variant != "" {
		key = append(key, args.Variant)
	}
	return key
}

// readChange returns the requested change, or nil.
func readChange(args tools.GetGeneVariantsArgs) (genes.Change, error) {
	if args.Variant == "" {
		return nil, nil // no change is requested
	}
	change, ok := genes.ReadChange(args.Variant)
	if !ok {
		return nil, envelope.Refuse("variant", args.Variant, "must be one change of the protein or the coding sequence, such as "+
			"R175H, p.Arg175His or c.524G>A").
			Hint("Write the change in one of these forms, or leave variant out: call get_gene_variants with %s.",
				tool.Object("entrez_id", args.EntrezID))
	}
	return change, nil
}

// findVariants returns the list of the records of a query, from a cursor on; of a change all records that carry it.
func (s *Genes) findVariants(
	ctx context.Context, v variantQuery, at envelope.Cursor, size int, notes *entity.Notes,
) (*envelope.Listing[string], error) {
	list := &envelope.Listing[string]{At: at, Key: func(id string) string { return id }, Part: true}
	if list.From = max(0, at.Seen-envelope.Window); v.change != nil {
		list.Part, list.From, size = false, 0, maxChangeHits-at.Seen
	}
	found, err := s.sources.Genes.VariantSearches.Get(ctx,
		ncbi.Search{Term: v.term(v.change.Term()...), From: list.From, Max: at.Seen - list.From + size}, notes)
	if err != nil {
		return nil, err
	}
	if list.Rows, list.Total = found.IDs, found.Count; v.change == nil {
		return list, nil
	}
	records, err := s.sources.Genes.Variants.GetAll(ctx, found.IDs, notes)
	if _, err = source.Unread(found.IDs, err); err != nil {
		return nil, err
	}
	list.Rows = slices.DeleteFunc(slices.Clone(found.IDs), func(id string) bool {
		return records[id] == nil || !v.change.In(records[id].Changes)
	})
	list.Total = len(list.Rows)
	if unread := found.Count - len(found.IDs); unread > 0 {
		notes.Add(fmt.Sprintf("ClinVar found %d further records for the change, which were not read.", unread))
	}
	if lost := len(found.IDs) - list.Total; lost > 0 {
		notes.Add(fmt.Sprintf("Records that ClinVar found and that do not carry the change themselves were left out: %d.", lost))
	}
	if list.Total == 0 {
		notes.Add("ClinVar has no record of this gene alone that carries " + v.change[0] + ". Other transcripts number it otherwise.")
	}
	return list, nil
}

// term returns the search term, restricted by further terms.
func (v *variantQuery) term(parts ...string) string {
	return strings.Join(slices.Concat([]string{v.named, singleGene}, v.classes(), parts), " AND ")
}

// classes returns the term for the requested classes; nil if no class is requested.
func (v *variantQuery) classes() []string {
	var terms []string
	for _, class := range germlineClasses {
		if slices.Contains(v.significance, class.choice) {
			terms = append(terms, class.term)
		}
	}
	if terms == nil {
		return nil
	}
	return []string{"(" + strings.Join(terms, " OR ") + ")"}
}

func (s *Genes) variantRows(ctx context.Context, answer *entity.Answer[variantsPage], gene string, ids []string) error {
	answer.Value.Items = []entity.GeneVariant{}
	found, err := s.sources.Genes.Variants.GetAll(ctx, ids, &answer.Notes)
	if _, err = source.Unread(ids, err); err != nil { // counted as incomplete below
		return err
	}
	others := 0
	for _, variation := range ids {
		v := found[variation]
		if v == nil || v.Record.VariationID != variation {
			continue
		}
		if len(v.GeneIDs) > 0 && !slices.Contains(v.GeneIDs, gene) {
			others++
		}
		answer.Value.Items = append(answer.Value.Items, v.Record)
	}
	if lost := len(ids) - len(answer.Value.Items); lost > 0 {
		answer.Add(fmt.Sprintf("Incomplete ClinVar records were left out: %d.", lost))
	}
	if others > 0 {
		answer.Add(fmt.Sprintf("Records that name another gene than %s, because ClinVar is searched by symbol: %d.", id.Gene.CURIE(gene),
			others))
	}
	return nil
}

// countVariants adds the numbers of records by class and by review status, and the number with records that cover several genes. It leaves
// out a number that ClinVar did not return, and adds a notice.
func (s *Genes) countVariants(ctx context.Context, answer *entity.Answer[variantsPage], v variantQuery, total int) {
	all := variantQuery{gene: v.gene, named: v.named}
	terms := []string{v.named + strings.Join(append([]string{""}, v.classes()...), " AND ")}
	if v.significance != nil {
		terms = append(terms, all.term())
	}
	first := len(terms)
	for _, class := range germlineClasses {
		terms = append(terms, all.term(class.term))
	}
	for _, status := range reviewStatuses {
		terms = append(terms, v.term(`"`+status+`"[RVST]`))
	}
	if total == 0 && v.significance == nil {
		answer.Add(variantNotices(v, total, s.variantNumbers(ctx, terms[:first], &answer.Notes))...)
		return
	}
	counts := s.variantNumbers(ctx, terms, &answer.Notes)
	values := slices.Clone(reviewStatuses)
	for i := len(germlineClasses) - 1; i >= 0; i-- {
		values = slices.Insert(values, 0, germlineClasses[i].value)
	}
	made := entity.VariantCounts{}
	var unknown []string
	for i, value := range values {
		count := counts[first+i]
		switch {
		case count < 0:
			unknown = append(unknown, value)
		case i < len(germlineClasses):
			made.Significance = append(made.Significance, entity.VariantCount{Value: value, Count: count})
		default:
			made.ReviewStatus = append(made.ReviewStatus, entity.VariantCount{Value: value, Count: count})
		}
	}
	if made.Significance != nil || made.ReviewStatus != nil {
		answer.Value.Beside.Counts = &made
	}
	answer.Add(variantNotices(v, total, counts[:first])...)
	answer.Add(sumNotices(v, made, total, counts[first-1])...)
	if counts[0] < 0 {
		unknown = append(unknown, "records that cover other genes too")
	}
	if unknown != nil {
		answer.Add("ClinVar did not return the number of records for: " + strings.Join(unknown, "; ") + ".")
	}
}

// sumNotices says if the numbers by class or by status do not add up to the number of records. The numbers by class count all records of
// the gene, those by status only the records found.
func sumNotices(v variantQuery, made entity.VariantCounts, found, all int) (notices []string) {
	if v.significance == nil {
		all = found
	}
	sum := func(counts []entity.VariantCount) (n int) {
		for _, c := range counts {
			n += c.Count
		}
		return n
	}
	switch n := sum(made.Significance); {
	case all >= 0 && n > all:
		notices = append(notices, fmt.Sprintf("Classes overlap: their numbers add up to %d, of %d records. One that is "+
			"Pathogenic/Likely pathogenic counts in both.", n, all))
	case n < all && len(made.Significance) == len(germlineClasses):
		notices = append(notices, fmt.Sprintf("The numbers by class add up to %d, of %d records: the others have another class, such as "+
			"drug response, or none.", n, all))
	}
	if n := sum(made.ReviewStatus); len(made.ReviewStatus) == len(reviewStatuses) && n < found {
		notices = append(notices, fmt.Sprintf("The numbers by review status add up to %d, of %d records: the others have another status "+
			"or none.", n, found))
	}
	return notices
}

// variantNotices says which records the numbers of a page do not include. counts has the number with records that cover other genes too
// and, if classes are requested, the number of all classes. A negative number is unknown.
func variantNotices(v variantQuery, total int, counts []int) (notices []string) {
	what := "those"
	if v.significance != nil {
		what = "those of these classes"
	}
	if counts[0] >= total && counts[0] > 0 {
		notices = append(notices, fmt.Sprintf(
			"Counted and listed are records of this gene alone. With %s that cover other genes too, such as large deletions, their "+
				"number is %d.", what, counts[0]))
	}
	if total > 0 {
		return notices
	}
	if len(counts) > 1 && counts[1] > 0 {
		return append(notices, fmt.Sprintf("ClinVar has no record of this gene of these classes, and %d of others: call "+
			"get_gene_variants with %s.",
			counts[1], tool.Object("entrez_id", id.Gene.CURIE(v.gene))))
	}
	return append(notices, "ClinVar has no record of this gene alone.")
}

// variantNumbers counts the hits of several searches concurrently; -1: unknown.
func (s *Genes) variantNumbers(ctx context.Context, terms []string, notes *entity.Notes) []int {
	counts := make([]int, len(terms))
	made := make([]entity.Notes, len(terms))
	var wait sync.WaitGroup
	for i, term := range terms {
		wait.Go(func() {
			found, err := s.sources.Genes.VariantSearches.Get(ctx, ncbi.Search{Term: term}, &made[i])
			if counts[i] = -1; err == nil {
				counts[i] = found.Count
			}
		})
	}
	wait.Wait()
	for i := range made {
		notes.Add(made[i].Notices...)
		notes.Count(made[i])
	}
	return counts
}
