package drugs

import (
	"context"
	_ "embed" // the words beside names
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/drugs"
	"github.com/biofact-mcp/biofact/internal/source/openfda"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// Candidates is the answer of search_drugs.
type Candidates = entity.Answer[entity.PageWith[entity.DrugSearchCandidate, entity.DrugsRead]]

// SearchDrugs serves search_drugs.
func (s *Drugs) SearchDrugs(ctx context.Context, args tools.SearchDrugsArgs) (answer Candidates, err error) {
	if args.NCTID != "" {
		return s.citing(ctx, args)
	}
	names := spellings(args.Query)
	bare := spellings(bareName(args.Query))
	if names == nil {
		return answer, envelope.Refuse("query", args.Query, "has no letter or digit that openFDA can search").
			Hint("Call search_drugs with %s.", tool.Object("query", "pembrolizumab"))
	}
	if nct, _ := id.NCT.Find(args.Query); nct != nil {
		return answer, envelope.Refuse("query", args.Query, "is the id of a trial, and search_drugs takes names").
			Hint("For the drugs whose labels cite the trial call search_drugs with %s.", tool.Object("nct_id", id.NCT.CURIE(nct[0])))
	}
	given, curie, err := readID(tools.SearchDrugs, args.Query)
	if err == nil && (given.Kind != openfda.UNII || strings.Contains(strings.ToUpper(args.Query), curie)) {
		return answer, envelope.Refuse("query", args.Query, "is an id, and search_drugs takes names").
			Hint("Call get_drug with %s.", tool.Object("drug_id", curie))
	}
	at, err := envelope.PageAt(tools.SearchDrugs, names, args, args.Cursor)
	if err != nil {
		return answer, err
	}
	reading := s.sources.OpenFDA.Read(&answer.Notes)
	found, err := named(ctx, reading, entity.Once(append(slices.Clone(names), bare...)), &answer.Notes)
	if err != nil {
		return answer, err
	}
	if len(bare) > 0 && !slices.Equal(bare, names) && !mapping.HasExact(found, names) {
		names = bare
		answer.Add("openFDA has no drug " + envelope.Quoted(args.Query) + "; searched without form, route and type: " + bare[0] + ".")
	}
	rows := mapping.Candidates(found, names)
	if len(rows) == 0 {
		answer.Add(noDrug(args.Query))
	}
	list := envelope.Listing[entity.DrugSearchCandidate]{At: at, Rows: rows,
		Key: func(row entity.DrugSearchCandidate) string { return row.ID }}
	items, _ := envelope.FitPage(list.Page(args.PageSize, &answer.Notes), "drugs", s.maxAnswer, &answer.Notes)
	answer.Value.Items, answer.Value.Pagination.PageSize, answer.Value.Beside.DataDates = items, args.PageSize, reading.Days
	next, more := list.Next(len(items))
	return answer, envelope.FinishPage(&answer.Value.Pagination, next, more)
}

// noDrug returns the notice for a name without a drug.
func noDrug(name string) string {
	parts := several.Split(name, 2)
	if len(parts) > 1 && openfda.Clean(parts[0]) != "" {
		return "openFDA has no drug of this name; a call takes one name. Call search_drugs with " + tool.Object("query", parts[0]) +
			", then with each other name."
	}
	return "openFDA has no drug of this name among applications, listed products, labels and substances: check its spelling, or it may " +
		"not be on the market in the USA. For trials call search_trials with " + tool.Object("intervention", name) + ". The drugs of a " +
		"target are found by its gene: search_genes, then get_gene with sections drugs."
}

var (
	// several matches the text between names.
	several       = lazyregexp.New(`(?i)\s*(?:[,;|+/]|\band\b|\bor\b)\s*`)
	inParentheses = lazyregexp.New(`\s*[(\[]([^)\]]*)[)\]]\s*`)
	// dose matches a dose at the end of a name: Montelukast 5 mg.
	dose = lazyregexp.New(`(?i)\s+[0-9][0-9.,]*\s*(?:mg|g|mcg|ug|ml|iu|units?|%)\b.*$`)
	// code matches a code of a company.
	code = lazyregexp.New(`^([A-Z]{1,6})[- ]?([0-9]{2,}[A-Z0-9-]*)$`)
)

//go:embed words.tsv
var wordFile string

// forms are the words for a form, a route, a release or a device beside a name, and types the registry's types of interventions.
var forms, types = wordsOf("form"), wordsOf("type")

func wordsOf(role string) (words []string) {
	for line := range strings.Lines(wordFile) {
		if kind, rest, _ := strings.Cut(strings.TrimSpace(line), "\t"); kind == role {
			words = append(words, strings.Split(rest, "|")...)
		}
	}
	return words
}

// bareName returns a name without the registry's type before it, and without the words for a form, a route or a device around it.
func bareName(name string) string {
	name = entity.Clean(name)
	if kind, rest, found := strings.Cut(name, ":"); found && slices.Contains(types, strings.ToLower(strings.TrimSpace(kind))) {
		name = rest
	}
	words := strings.Fields(dose.ReplaceAllString(name, ""))
	is := func(i int) bool { return slices.Contains(forms, strings.ToLower(strings.Trim(words[i], ".,;()[]"))) }
	for len(words) > 1 && is(len(words)-1) {
		words = words[:len(words)-1]
	}
	for len(words) > 1 && is(0) {
		words = words[1:]
	}
	return strings.Join(words, " ")
}

// spellings returns the names that a text means: itself, its parts in and around parentheses, and the forms of a code. A text without a
// letter or digit has no spelling.
func spellings(text string) (names []string) {
	text = strings.NewReplacer("®", "", "™", "").Replace(entity.Narrow(entity.Clean(text)))
	all := []string{text, inParentheses.ReplaceAllString(text, " ")}
	for _, part := range inParentheses.FindAllString(text, -1) {
		all = append(all, strings.Trim(part, " ()[]"))
	}
	for _, name := range all {
		name = openfda.Clean(dose.ReplaceAllString(name, ""))
		if m := code.FindStringSubmatch(strings.ToUpper(name)); m != nil {
			names = append(names, m[1]+"-"+m[2], m[1]+m[2], m[1]+" "+m[2])
		} else if name != "" {
			names = append(names, name)
			if base := mapping.Base(name); !strings.EqualFold(base, name) {
				names = append(names, base)
			}
		}
	}
	return entity.Once(names)
}

// named returns the drugs with one of some names, with at most four requests.
func named(ctx context.Context, r *openfda.Reading, names []string, notes *entity.Notes) ([]*mapping.Drug, error) {
	var records mapping.Records
	applications, all, err := r.Applications(ctx, names)
	if err != nil {
		return nil, err
	}
	products, listed, err := r.Products(ctx, names)
	if err != nil {
		return nil, err
	}
	records.Applications, records.Products = applications, products
	notePart(notes, "applications", len(applications), all)
	notePart(notes, "listed products", len(products), listed)
	found := mapping.Fold(records)
	if mapping.HasExact(found, names) {
		substances := otherSubstances(found, names)
		if substances == nil {
			return found, nil
		}
		applications, all, err = r.Applications(ctx, substances)
		notePart(notes, "applications", len(applications), all)
		return mapping.FoldBeside(records, applications), err
	}
	var upper []string
	for _, name := range names {
		upper = append(upper, strings.ToUpper(name))
	}
	substances, err := r.Substances(ctx, entity.Once(upper), openfda.ID{})
	if err != nil {
		return nil, err
	}
	if len(substances) > 0 {
		records.Substances = substances
		var others []string
		for i := range substances {
			others = append(others, mapping.Base(mapping.PreferredName(&substances[i])))
		}
		applications, all, err = r.Applications(ctx, others)
		notePart(notes, "applications", len(applications), all)
		records.Applications = append(records.Applications, applications...)
		return mapping.Fold(records), err
	}
	if len(found) > 0 {
		return found, nil
	}
	labels, all, err := r.LabelsNamed(ctx, names)
	if len(labels) > 0 {
		notes.Add("Only the text of labels has this name: openFDA has not joined them with substances and applications.")
		notePart(notes, "labels", len(labels), all)
	}
	records.Labels = labels
	return mapping.Fold(records), err
}

// maxExact limits the drugs of one name whose other applications are read.
const maxExact = 3

// otherSubstances returns the substances of the drugs that have one of some names, or nil if these names are all of them. Their
// applications show the other brands, the first approval, and whether a biological product is the original.
func otherSubstances(found []*mapping.Drug, names []string) (substances []string) {
	for _, d := range found {
		if mapping.HasExact([]*mapping.Drug{d}, names) && len(substances) < maxExact {
			substances = entity.Once(append(substances, d.Names...))
		}
	}
	if !slices.ContainsFunc(substances, func(name string) bool {
		return !slices.ContainsFunc(names, func(searched string) bool { return strings.EqualFold(searched, name) })
	}) {
		return nil
	}
	return substances
}

// citing returns the drugs whose labels cite a trial.
func (s *Drugs) citing(ctx context.Context, args tools.SearchDrugsArgs) (answer Candidates, err error) {
	if args.Query != "" {
		return answer, envelope.Refuse("nct_id", args.NCTID, "cannot be combined with query").
			Hint("For the labels that cite the trial call search_drugs with %s.", tool.Object("nct_id", args.NCTID))
	}
	nct, ok := id.NCT.Read(entity.Narrow(entity.Clean(args.NCTID)))
	if !ok {
		if _, bad := id.NCT.Find(args.NCTID); bad != nil {
			return answer, envelope.MalformedNCT(entity.InvalidInput, "nct_id", args.NCTID, bad)
		}
		return answer, envelope.Refuse("nct_id", args.NCTID, "is not an NCT id").
			Hint("For drugs by name call search_drugs with %s.", tool.Object("query", args.NCTID))
	}
	at, err := envelope.PageAt(tools.SearchDrugs, nct, args, args.Cursor)
	if err != nil {
		return answer, err
	}
	size := min(args.PageSize, openfda.MaxLabels)
	reading := s.sources.OpenFDA.Read(&answer.Notes)
	labels, total, err := reading.LabelsCiting(ctx, nct, at.Seen, size)
	if err != nil {
		return answer, err
	}
	if total == 0 {
		answer.Add("No current label cites this trial; labels before 2018 cite few. For the drugs of the trial call get_trial with " +
			tool.Object("nct_id", id.NCT.CURIE(nct)) + ", then search_drugs with the name of an intervention.")
	}
	for i, label := range labels {
		records := mapping.Records{Labels: []mapping.Label{label}}
		if len(label.Openfda.Unii) == 0 && i < maxRequests-1 { // the product of the label may name its substance
			if records.Products, _, err = reading.ProductsOf(ctx, openfda.ID{Kind: openfda.SetID, Value: label.SetID}); err != nil {
				return answer, err
			}
		}
		for _, row := range mapping.Candidates(mapping.Fold(records), nil) {
			row.Citations = slices.DeleteFunc(label.Citations(), func(c entity.DrugCitation) bool { return c.NCTID != id.NCT.CURIE(nct) })
			row.Score = mapping.Score(at.Seen + len(answer.Value.Items))
			answer.Value.Items = append(answer.Value.Items, row)
		}
	}
	answer.Value.Pagination.PageSize, answer.Value.Beside.DataDates = size, reading.Days
	next := envelope.Cursor{Query: at.Query, Seen: at.Seen + len(labels), Total: &total}
	return answer, envelope.FinishPage(&answer.Value.Pagination, next, next.Seen < total && len(labels) > 0)
}
