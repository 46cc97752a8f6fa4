package check

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/reference"
	"github.com/biofact-mcp/biofact/internal/sources"
)

// Handlers answer for Check.
type Handlers interface {
	tools.TrialsHandlers
	MatchCitations(context.Context, tools.MatchCitationsArgs) (entity.Answer[entity.CitationMatches], error)
}

// Check serves check_text. It is safe for concurrent use.
type Check struct {
	handlers  Handlers
	sources   sources.Sources
	maxAnswer int
}

// New returns the tool for texts. maxAnswer limits an answer in bytes.
func New(handlers Handlers, from sources.Sources, maxAnswer int) *Check {
	return &Check{handlers, from, min(maxAnswer, pageBytes)}
}

const (
	maxPage    = 100    // items
	pageBytes  = 30_000 // of an answer
	maxNumbers = 100    // that are looked up for a page
	maxTexts   = 20     // full texts that are read for a page
)

type checked = entity.PageWith[entity.CheckedItem, entity.CheckCounts]

// CheckText serves check_text.
func (c *Check) CheckText(ctx context.Context, args tools.CheckTextArgs) (entity.Answer[checked], error) {
	var answer entity.Answer[checked]
	paged := args
	paged.Text, paged.Cursor = "", ""
	at, err := envelope.PageAt(tools.CheckText, args.Text, paged, args.Cursor)
	if err != nil {
		return answer, err
	}
	d := read(args.Text)
	from := min(at.Seen, len(d.mentions))
	p := &page{Check: c, document: d, mentions: d.mentions[from:min(from+args.PageSize, len(d.mentions))], from: from}
	items, err := p.check(ctx, &answer.Notes)
	if err != nil {
		return answer, err
	}
	shown := envelope.FitCount(items, c.maxAnswer)
	answer.Value.Items = append([]entity.CheckedItem{}, items[:shown]...)
	toRunes(args.Text, answer.Value.Items)
	answer.Value.Beside.Counts = count(answer.Value.Items)
	answer.Value.Pagination.PageSize = args.PageSize
	if len(d.mentions) == 0 {
		answer.Add("The text has no id, and no reference that could be read as one.")
	}
	at.Seen, at.Total = from+shown, new(len(d.mentions))
	return answer, envelope.FinishPage(&answer.Value.Pagination, at, at.Seen < len(d.mentions))
}

// A page is a part of the mentions of a document, with their records.
type page struct {
	*Check
	document *document
	mentions []mention
	from     int // place of the first one in the document
	lookup   *lookup
	refs     map[int]*cited // by place in the page
	matched  map[int]matched
}

// A matched is the record of a reference, and how it was found.
type matched struct {
	article  *entity.Article
	claim    []reference.Statement
	misread  string // PMID or PMCID that was taken for the other
	notFound string // id of the reference that no record has
	several  bool
	unknown  bool
}

func (p *page) check(ctx context.Context, notes *entity.Notes) ([]entity.CheckedItem, error) {
	p.refs = map[int]*cited{}
	var refs []*cited
	for i, m := range p.mentions {
		if m.kind == referenceKind {
			p.refs[i] = &cited{reference.Parse(p.document.text[m.start:m.end]), i}
			refs = append(refs, p.refs[i])
		}
	}
	var err error
	if p.lookup, err = p.all(ctx, p.mentions, refs, notes); err != nil {
		return nil, err
	}
	if err := p.lookup.misread(ctx, refs, p.fits); err != nil {
		return nil, err
	}
	if err := p.match(ctx, refs); err != nil {
		return nil, err
	}
	items := make([]entity.CheckedItem, len(p.mentions))
	for i := range p.mentions {
		items[i] = p.item(i)
	}
	if err := p.addNumbers(ctx, items); err != nil {
		return nil, err
	}
	if l := p.lookup; l.requested > 0 && l.requested == len(l.unknown) {
		return nil, l.failed
	}
	return items, nil
}

// says returns what a reference says of a record.
func (p *page) says(r *cited, a *entity.Article) []reference.Statement {
	m := p.mentions[r.at]
	return reference.Statements(p.document.text[m.start:m.end], a)
}

// fits reports whether a record fits a reference in the title, or in the first author or the year, or whether nothing can be compared.
func (p *page) fits(r *cited, a *entity.Article) bool {
	claim := p.says(r, a)
	title, others := reference.Fits(claim)
	words := slices.ContainsFunc(claim, func(s reference.Statement) bool {
		return s.What == "title" || s.What == "author" || s.What == "year"
	})
	return title || others > 0 || !words
}

// match finds the record of each reference.
func (p *page) match(ctx context.Context, refs []*cited) error {
	p.matched = map[int]matched{}
	var left []*cited
	for _, r := range refs {
		m := p.byID(r)
		if m.article == nil && !m.unknown {
			left = append(left, r)
		}
		p.matched[r.at] = m
	}
	for len(left) > 0 {
		some := left[:min(len(left), maxCited)]
		left = left[len(some):]
		if err := p.bySearch(ctx, some); err != nil {
			return err
		}
	}
	return nil
}

// byID returns the record that the ids of a reference name.
func (p *page) byID(r *cited) (m matched) {
	l := p.lookup
	var records []*entity.Article
	for _, one := range []struct{ id, pmid, kind string }{
		{r.DOI, l.pmids[strings.ToLower(r.DOI)], doiKind}, {r.PMID, r.PMID, pmidKind}, {r.PMCID, l.pmids[r.PMCID], pmcidKind},
	} {
		if one.id == "" {
			continue
		}
		article := l.articles[one.pmid]
		switch {
		case article != nil:
			records = append(records, article)
		case l.unknown[one.kind] || l.unknown[pmidKind]:
			m.unknown = true
		case one.kind != doiKind: // PubMed does not know every DOI
			m.notFound = one.id
		}
	}
	if len(records) == 0 || !p.fits(r, records[0]) {
		if m, ok := p.swapped(r); ok {
			return m
		}
	}
	for _, article := range records {
		claim := p.says(r, article)
		if title, _ := reference.Fits(claim); title || m.article == nil {
			m.article, m.claim = article, claim
			if title {
				break
			}
		}
	}
	if m.article != nil {
		m.unknown, m.notFound = false, ""
	}
	return m
}

// swapped returns the article of a reference whose PMID is the number of its PMCID, or the other way round.
func (p *page) swapped(r *cited) (m matched, ok bool) {
	l := p.lookup
	for given, pmid := range map[string]string{r.PMID: l.pmids["PMC"+r.PMID], r.PMCID: strings.TrimPrefix(r.PMCID, "PMC")} {
		other := l.articles[pmid]
		if given == "" || other == nil {
			continue
		}
		claim := p.says(r, other)
		if title, others := reference.Fits(claim); title || others == 2 {
			return matched{article: other, claim: claim, misread: given}, true
		}
	}
	return m, false
}

const maxCited = 50 // citations of a call of matchCitations

// bySearch finds the records of references without an id that exists.
func (p *page) bySearch(ctx context.Context, refs []*cited) error {
	var given []tools.MatchCitationsCitations
	var requested []*cited
	searches := 0
	for _, r := range refs {
		one := tools.MatchCitationsCitations{Journal: r.Journal, Year: r.Year, Volume: r.Volume, FirstPage: r.FirstPage, Author: r.Author,
			Title: r.Title}
		if placed := one.Journal != "" && (one.Volume != "" || one.FirstPage != ""); one.Title == "" && !placed {
			continue
		}
		if searches++; searches > maxSearches {
			m := p.matched[r.at]
			m.unknown = true
			p.matched[r.at] = m
			continue
		}
		given, requested = append(given, one), append(requested, r)
	}
	if len(given) == 0 {
		return nil
	}
	found, err := p.handlers.MatchCitations(ctx, tools.MatchCitationsArgs{Citations: given})
	p.lookup.notes.Count(found.Notes)
	var pmids []string
	for i := range found.Value.Items {
		pmids = append(pmids, found.Value.Items[i].PMID)
	}
	read := func(ctx context.Context, pmids []string) error {
		return cmp.Or(err, p.lookup.readArticles(ctx, entity.Once(pmids)))
	}
	if err := p.lookup.ask(ctx, referenceKind, "PubMed", append(pmids, ""), read); err != nil {
		return err
	}
	for i := range found.Value.Items {
		p.setMatch(requested[i], &found.Value.Items[i])
	}
	return nil
}

// setMatch sets the record of a reference that matchCitations found.
func (p *page) setMatch(r *cited, item *entity.CitationMatch) {
	m := p.matched[r.at]
	m.several = item.Status == "ambiguous" && len(item.Candidates) > 1
	if a := p.lookup.articles[item.PMID]; item.PMID != "" && a != nil {
		if claim := p.says(r, a); placedOrTitled(claim) {
			m.article, m.claim = a, claim
		}
	}
	p.matched[r.at] = m
}

// placedOrTitled reports whether a reference has the title of a record, or its journal with volume and page.
func placedOrTitled(claim []reference.Statement) bool {
	same := func(what string) bool {
		return slices.ContainsFunc(claim, func(s reference.Statement) bool { return s.What == what && s.Result == reference.Same })
	}
	return same("title") || same("journal") && same("volume") && same("pages")
}

// toRunes turns the places of items, which are bytes, into characters.
func toRunes(text string, items []entity.CheckedItem) {
	var places []*int
	for i := range items {
		places = append(places, &items[i].Start, &items[i].End)
		for j := range items[i].Statements {
			if s := &items[i].Statements[j]; s.Start != nil {
				places = append(places, s.Start, s.End)
			}
		}
	}
	slices.SortFunc(places, func(a, b *int) int { return *a - *b })
	bytes, runes := 0, 0
	for _, place := range places {
		runes += utf8.RuneCountInString(text[bytes:*place])
		bytes = *place
		*place = runes
	}
}

func count(items []entity.CheckedItem) (c entity.ItemCounts) {
	c.Items = len(items)
	for i := range items {
		switch items[i].Exists {
		case "true":
			c.Exists.True++
		case "false":
			c.Exists.False++
		default:
			c.Exists.Unknown++
		}
		for _, s := range items[i].Statements {
			switch s.Result {
			case reference.Same:
				c.Statements.Same++
			case reference.Different:
				c.Statements.Different++
			case reference.NotFound:
				c.Statements.NotFound++
			default:
				c.Statements.Unknown++
			}
		}
	}
	return c
}
