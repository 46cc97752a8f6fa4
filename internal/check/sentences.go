package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/mapping/fulltext"
	"github.com/biofact-mcp/biofact/internal/reference"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// A task is a sentence that names one record, with its facts.
type task struct {
	item  int
	text  string
	facts []fact
}

// tasks returns the sentences with facts about one record of the page.
func (p *page) tasks(items []entity.CheckedItem) (list []task) {
	shared, numbers, left := 0, 0, 0
	for _, s := range p.document.sentences() {
		at, single := p.subject(s)
		facts := p.document.facts(s, at >= 0 && p.mentions[at].kind == trialKind)
		switch {
		case len(facts) == 0:
		case !single:
			shared++
		case at < 0 || items[at].Exists != known:
		case numbers+len(facts) > maxNumbers:
			left += len(facts)
		default:
			numbers += len(facts)
			list = append(list, task{at, p.document.prose[s.start:s.end], facts})
		}
	}
	if shared > 0 {
		p.lookup.notes.Add(fmt.Sprintf("Sentences with numbers that name several records: %d. Their numbers were not looked up.", shared))
	}
	if left > 0 {
		p.lookup.notes.Add(fmt.Sprintf("%d numbers were looked up; %d more were not.", numbers, left))
	}
	return list
}

// addNumbers adds to the items what the sentences that name them alone say of their records.
func (p *page) addNumbers(ctx context.Context, items []entity.CheckedItem) error {
	tasks := p.tasks(items)
	var trials []string
	for _, t := range tasks {
		if m := p.mentions[t.item]; m.kind == trialKind {
			trials = append(trials, m.id)
		}
	}
	var posted map[string]*entity.TrialResults
	var failed error
	if len(trials) > 0 {
		posted, failed = p.sources.Trials.ResultsOf(ctx, entity.Once(trials), p.lookup.notes)
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return failed
	}
	if failed != nil {
		p.lookup.notes.Add("ClinicalTrials.gov did not answer: numbers of results are unknown.")
	}
	texts := map[string]*fulltext.Article{}
	for i, t := range tasks {
		tool.Progress(ctx, i+1, len(tasks))
		if m := p.mentions[t.item]; m.kind == trialKind {
			p.addTrialFacts(&items[t.item], t, posted[m.id], failed != nil)
		} else if a := p.articleOf(t.item); a != nil {
			if err := p.addArticleFacts(ctx, &items[t.item], t, a, texts); err != nil {
				return err
			}
		}
	}
	return nil
}

// subject returns the place in the page of the one record that a sentence names; less than 0: it names none of this page. alone is false if
// it names several records.
func (p *page) subject(s sentence) (at int, single bool) {
	at = -1
	var keys []string
	name := func(j int, key string) {
		if j >= 0 && j < len(p.mentions) {
			if a := p.articleOf(j); a != nil {
				key = a.PMID
			}
			if at < 0 {
				at = j
			}
		}
		keys = append(keys, key)
	}
	for _, i := range s.mentions {
		name(i-p.from, p.document.mentions[i].kind+p.document.mentions[i].id)
	}
	text := p.document.prose[s.start:s.end]
	for _, mark := range markOf.FindAllStringSubmatchIndex(text, -1) {
		number := text[mark[2]:mark[3]]
		if j := slices.IndexFunc(p.mentions, func(m mention) bool { return m.mark != "" && m.mark == number }); j >= 0 {
			name(j, "mark "+number)
		}
		if mark[5] > mark[4] { // further numbers
			keys = append(keys, text[mark[4]:mark[5]])
		}
	}
	return at, len(entity.Once(keys)) < 2
}

// articleOf returns the article of a mention of the page, or nil.
func (p *page) articleOf(j int) *entity.Article {
	switch m := p.mentions[j]; m.kind {
	case referenceKind:
		return p.matched[j].article
	case pmidKind:
		return p.lookup.articles[m.id]
	case doiKind, pmcidKind:
		return p.lookup.articles[p.lookup.pmids[m.id]]
	}
	return nil
}

// addTrialFacts adds what a sentence says of a trial. failed reports that its results could not be read.
func (p *page) addTrialFacts(item *entity.CheckedItem, t task, posted *entity.TrialResults, failed bool) {
	var numbers []fact
	trial := p.lookup.trials[p.mentions[t.item].id]
	for i := range t.facts {
		if t.facts[i].what == numberFact {
			numbers = append(numbers, t.facts[i])
		} else {
			item.Statements = append(item.Statements, t.facts[i].field(trial, posted))
		}
	}
	for _, one := range ofTrial(t.text, numbers, posted) {
		if failed {
			one.Result = reference.Unknown
		}
		item.Statements = append(item.Statements, one)
	}
	slices.SortStableFunc(item.Statements, func(a, b entity.Statement) int { return *a.Start - *b.Start })
}

// addArticleFacts adds the numbers of a sentence about an article. The full text is read for those that its abstract lacks.
func (p *page) addArticleFacts(ctx context.Context, item *entity.CheckedItem, t task, a *entity.Article,
	texts map[string]*fulltext.Article) error {
	failed := false
	for i := range t.facts {
		one := t.facts[i].ofArticle(a, texts[a.PMCID], false)
		if _, read := texts[a.PMCID]; one.Result != reference.Same && !read && !failed && a.PMCID != "" && len(texts) < maxTexts {
			text, err := p.fullText(ctx, a.PMCID)
			if errors.Is(ctx.Err(), context.Canceled) {
				return err
			}
			if failed = err != nil; failed {
				p.lookup.notes.Add("PubMed Central did not answer: numbers that the abstract lacks are unknown.")
			} else {
				texts[a.PMCID] = text
			}
		}
		item.Statements = append(item.Statements, t.facts[i].ofArticle(a, texts[a.PMCID], failed))
	}
	return nil
}

// fullText returns the text of an article, if one of the sources gives it out.
func (p *page) fullText(ctx context.Context, pmcid string) (*fulltext.Article, error) {
	text, err := p.sources.FullTexts.Texts.Get(ctx, pmcid, p.lookup.notes)
	if text != nil && text.Availability == fulltext.FullText {
		return text, nil
	}
	other, failed := p.sources.EuropePMC.FullText(ctx, pmcid, p.lookup.notes)
	if other != nil {
		return other, nil
	}
	return text, cmp.Or(err, failed)
}

// markOf matches the mark of a reference of a numbered list; with more than one number, the sentence names several.
var markOf = lazyregexp.New(`\[\^?([0-9]{1,3})((?:[,;–-] ?[0-9]{1,3})*)\]`)
