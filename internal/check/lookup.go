package check

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/openfda"
	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/reference"
	"github.com/biofact-mcp/biofact/internal/register"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/idconv"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
	api "github.com/biofact-mcp/biofact/internal/source/openfda"
)

// A lookup has the records of a page of mentions, by id.
type lookup struct {
	*Check
	notes *entity.Notes

	trials    map[string]*entity.Trial
	numbers   map[string]*entity.Trial // by the number of another register
	articles  map[string]*entity.Article
	pmids     map[string]string // of DOIs, in lower case, and of PMCIDs
	genes     map[string]*ncbi.GeneSummary
	drugs     map[string]*openfda.Application
	unknown   map[string]bool // kinds whose source gave no answer
	requested int             // kinds that were requested
	failed    error
}

// ids returns the ids of one kind that are looked up, each once.
func ids(mentions []mention, kind string) (list []string) {
	for _, m := range mentions {
		if m.kind == kind && !m.malformed {
			list = append(list, m.id)
		}
	}
	return entity.Once(list)
}

// ask runs one look-up of a kind of ids. A failure is a notice that names the source, and leaves the ids of the kind unknown.
func (l *lookup) ask(ctx context.Context, kind, title string, list []string, get func(context.Context, []string) error) error {
	if len(list) == 0 {
		return nil
	}
	l.requested++
	err := get(ctx, list)
	if err == nil {
		return nil
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return err
	}
	l.unknown[kind], l.failed = true, err
	reason := " did not answer: "
	if errors.Is(err, source.ErrOff) {
		reason = " is switched off here: "
	}
	l.notes.Add(title + reason + "ids of its records are unknown, and not missing.")
	return nil
}

// all reads the records of some mentions.
func (c *Check) all(ctx context.Context, mentions []mention, refs []*cited, notes *entity.Notes) (*lookup, error) {
	l := &lookup{Check: c, notes: notes, trials: map[string]*entity.Trial{}, numbers: map[string]*entity.Trial{},
		articles: map[string]*entity.Article{}, pmids: map[string]string{}, genes: map[string]*ncbi.GeneSummary{},
		drugs: map[string]*openfda.Application{}, unknown: map[string]bool{}}
	dois, pmcids, pmids := ids(mentions, doiKind), ids(mentions, pmcidKind), ids(mentions, pmidKind)
	for _, r := range refs {
		dois, pmcids, pmids = append(dois, strings.ToLower(r.DOI)), append(pmcids, r.PMCID), append(pmids, r.PMID)
	}
	dois, pmcids = entity.Once(dois), entity.Once(pmcids)
	for _, one := range []struct {
		kind, title string
		list        []string
		get         func(context.Context, []string) error
	}{
		{trialKind, "ClinicalTrials.gov", ids(mentions, trialKind), l.readTrials},
		{registerKind, "ClinicalTrials.gov", ids(mentions, registerKind), l.readNumbers},
		{doiKind, "PubMed", append(dois, pmcids...), l.findArticles},
		{pmcidKind, "The PMC ID Converter", pmcids, l.convert},
		{pmidKind, "PubMed", pmids, l.readArticles},
		{geneKind, "NCBI Gene", ids(mentions, geneKind), l.readGenes},
		{drugKind, "openFDA", ids(mentions, drugKind), l.readDrugs},
	} {
		list := one.list
		if one.kind == pmidKind {
			for _, pmid := range l.pmids {
				list = append(list, pmid)
			}
			list = entity.Once(list)
			slices.Sort(list)
		}
		if err := l.ask(ctx, one.kind, one.title, list, one.get); err != nil {
			return nil, err
		}
	}
	return l, nil
}

func (l *lookup) readTrials(ctx context.Context, list []string) error {
	records, err := l.sources.Trials.Records(ctx, list, l.notes)
	for nct, record := range records {
		var trial entity.Trial
		if record != nil && json.Unmarshal(record.Trial, &trial) == nil {
			l.trials[nct] = &trial
		}
	}
	return err
}

// readNumbers finds the trials that hold numbers of other registers.
func (l *lookup) readNumbers(ctx context.Context, list []string) error {
	var spelled []query.Node
	numbers := map[string]register.Number{}
	for _, one := range list {
		number, ok := register.Only(one)
		if !ok {
			continue
		}
		numbers[one] = number
		for _, piece := range mapping.NumberPieces() {
			for _, text := range number.Spellings {
				spelled = append(spelled, query.Named(piece, text))
			}
		}
	}
	found, err := l.handlers.SearchTrials(ctx, tools.SearchTrialsArgs{
		TrialFilters: tools.TrialFilters{Expression: query.AnyOf(spelled...).String()}, PageSize: maxPage})
	l.notes.Count(found.Notes)
	if err != nil {
		return err
	}
	var trials []string
	for _, one := range found.Value.Items {
		trials = append(trials, strings.Replace(one.ID, ":", "", 1))
	}
	if len(trials) == 0 {
		return nil
	}
	if err := l.readTrials(ctx, trials); err != nil {
		return err
	}
	for _, nct := range trials {
		trial := l.trials[nct]
		if trial == nil {
			continue
		}
		for one, number := range numbers {
			held := number.Holds(trial.OrgStudyID) || slices.ContainsFunc(trial.SecondaryIDs,
				func(s entity.SecondaryID) bool { return number.Holds(s.ID) })
			if held && l.numbers[one] == nil {
				l.numbers[one] = trial
			}
		}
	}
	return nil
}

// findArticles finds the articles with some DOIs and PMCIDs in PubMed. PubMed reads an unknown DOI as words, so each hit is compared.
func (l *lookup) findArticles(ctx context.Context, list []string) error {
	var terms []string
	for _, one := range list {
		if id.PMCID.Is(one) {
			terms = append(terms, one)
		} else {
			terms = append(terms, id.DOI.Value(strings.ReplaceAll(one, `"`, "")))
		}
	}
	search := ncbi.ArticleSearch{Term: strings.Join(terms, " OR "), Sort: "relevance", Max: maxHits}
	hits, err := l.sources.Articles.Searches.Get(ctx, search, l.notes)
	if err != nil || hits == nil || len(hits.Search.IDs) == 0 {
		return err
	}
	if err := l.readArticles(ctx, hits.Search.IDs); err != nil {
		return err
	}
	for _, pmid := range hits.Search.IDs {
		if a := l.articles[pmid]; a != nil {
			for _, key := range []string{strings.ToLower(a.DOI), a.PMCID} {
				if key != "" && slices.Contains(list, key) {
					l.pmids[key] = cmp.Or(l.pmids[key], pmid)
				}
			}
		}
	}
	return nil
}

// convert asks for the PMCIDs that PubMed does not list.
func (l *lookup) convert(ctx context.Context, pmcids []string) error {
	left := slices.DeleteFunc(slices.Clone(pmcids), func(pmcid string) bool { return l.pmids[pmcid] != "" })
	if len(left) == 0 {
		return nil
	}
	found, err := l.sources.IDConv.Convert(ctx, idconv.PMCID, left, l.notes)
	for _, pmcid := range left {
		if one := found[strings.ToLower(pmcid)]; one != nil && one.PMID != "" {
			l.pmids[pmcid] = one.PMID
		}
	}
	return err
}

func (l *lookup) readArticles(ctx context.Context, pmids []string) error {
	left := slices.DeleteFunc(entity.Once(pmids), func(pmid string) bool { _, known := l.articles[pmid]; return known })
	if len(left) == 0 {
		return nil
	}
	texts, err := l.sources.Articles.Texts.GetAll(ctx, left, l.notes)
	unread, failed := source.Unread(left, err)
	if failed != nil {
		return failed
	}
	for _, pmid := range left {
		if texts[pmid] == nil && !slices.Contains(unread, pmid) {
			l.articles[pmid] = nil
		} else if texts[pmid] != nil {
			if article, err := l.sources.Articles.Read(texts[pmid]); err == nil {
				l.articles[pmid] = &article
			}
		}
	}
	return nil
}

func (l *lookup) readGenes(ctx context.Context, list []string) (err error) {
	l.genes, err = l.sources.Genes.Summaries.GetAll(ctx, list, l.notes)
	return err
}

func (l *lookup) readDrugs(ctx context.Context, list []string) error {
	page, err := l.sources.OpenFDA.Ask(ctx, api.Query{Endpoint: api.Applications, Limit: len(list),
		Search: api.Has(openfda.ApplicationFieldApplicationNumber, list...)}, l.notes)
	if err != nil {
		return err
	}
	for _, text := range page.Results {
		var one openfda.Application
		if json.Unmarshal(text, &one) == nil {
			l.drugs[one.ApplicationNumber] = &one
		}
	}
	return nil
}

const (
	maxHits     = 200 // articles of a search that are compared with DOIs
	maxSearches = 10  // searches for references of a page
)

// A cited is a reference, read without a record.
type cited struct {
	reference.Fields
	at int // its place in the page
}

// misread finds the articles of references whose PMID does not exist, or is of another article, under the PMCID with the same digits, and
// the other way round.
func (l *lookup) misread(ctx context.Context, refs []*cited, fits func(*cited, *entity.Article) bool) error {
	var pmcids, pmids []string
	for _, r := range refs {
		if a, known := l.articles[r.PMID]; known && (a == nil || !fits(r, a)) {
			pmcids = append(pmcids, "PMC"+r.PMID)
		}
		if r.PMCID != "" && !l.unknown[pmcidKind] {
			if a := l.articles[l.pmids[r.PMCID]]; a == nil || !fits(r, a) {
				pmids = append(pmids, strings.TrimPrefix(r.PMCID, "PMC"))
			}
		}
	}
	if err := l.ask(ctx, doiKind, "PubMed", pmcids, l.findArticles); err != nil {
		return err
	}
	if err := l.ask(ctx, pmcidKind, "The PMC ID Converter", pmcids, l.convert); err != nil {
		return err
	}
	for _, pmcid := range pmcids {
		pmids = append(pmids, l.pmids[pmcid])
	}
	return l.ask(ctx, pmidKind, "PubMed", entity.Once(pmids), l.readArticles)
}
