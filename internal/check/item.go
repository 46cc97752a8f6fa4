package check

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/gen/openfda"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/reference"
)

// The values of exists.
const (
	known   = "true"
	missing = "false"
	unclear = "unknown"
)

// item returns the item of a mention, without the facts of the sentences around it.
func (p *page) item(i int) entity.CheckedItem {
	m, l := p.mentions[i], p.lookup
	out := entity.CheckedItem{Text: p.document.text[m.start:m.end], Start: m.start, End: m.end, Kind: m.kind, ID: m.id,
		Register: m.register, Exists: missing}
	if m.malformed {
		text := "A DOI has a slash and a suffix behind its prefix."
		if m.kind == trialKind {
			text = "An NCT id has eight digits."
		}
		out.Notices = []entity.CheckNotice{{Kind: "malformed", Text: text}}
		return out
	}
	if l.unknown[m.kind] || m.kind == registerKind || m.kind == doiKind {
		out.Exists = unclear // another register, and a DOI that PubMed does not know, may well exist
	}
	switch m.kind {
	case trialKind:
		out.ID = id.NCT.CURIE(m.id)
		setTrial(&out, l.trials[m.id])
	case registerKind:
		setTrial(&out, l.numbers[m.id])
	case geneKind:
		p.setGene(&out, m)
	case drugKind:
		setApplication(&out, l.drugs[m.id])
	case referenceKind:
		setReference(&out, p.matched[i])
	default:
		pmid := m.id
		if m.kind != pmidKind {
			pmid = l.pmids[m.id]
		}
		if a := l.articles[pmid]; a != nil {
			setArticle(&out, a)
		} else if l.unknown[pmidKind] {
			out.Exists = unclear
		}
	}
	return out
}

func setApplication(out *entity.CheckedItem, a *openfda.Application) {
	if a == nil {
		return
	}
	var brands []string
	for i := range a.Products {
		brands = append(brands, a.Products[i].BrandName)
	}
	out.Exists, out.Record = known, &entity.CheckedRecord{Title: strings.Join(entity.Once(brands), ", "), Sponsor: a.SponsorName,
		Link: overviews + strings.TrimLeft(out.ID, "ABDLN")}
}

// overviews is the address of the page of an application, before its number.
const overviews = "https://www.accessdata.fda.gov/scripts/cder/daf/index.cfm?event=overview.process&ApplNo="

func setTrial(out *entity.CheckedItem, t *entity.Trial) {
	if t == nil {
		return
	}
	out.Exists, out.Record = known, &entity.CheckedRecord{Title: t.Title, Status: string(t.Status), Link: id.Link(t.ID),
		Year: t.StartDate[:min(4, len(t.StartDate))]}
	if len(t.Sponsors) > 0 {
		out.Record.Sponsor = t.Sponsors[0].Name
	}
	if t.Status == "WITHDRAWN" {
		out.Notices = append(out.Notices, entity.CheckNotice{Kind: "withdrawn", Text: strings.TrimSpace("WITHDRAWN. " + t.WhyStopped)})
	}
	if out.Kind == trialKind && t.ID != out.ID {
		out.Notices = append(out.Notices, entity.CheckNotice{Kind: "replaced", Text: "The trial has the id " + t.ID + ".", ID: t.ID})
	}
}

func (p *page) setGene(out *entity.CheckedItem, m mention) {
	out.ID = id.Gene.CURIE(m.id)
	gene := p.lookup.genes[m.id]
	if gene == nil {
		return
	}
	c := gene.Candidate
	out.Exists, out.Record = known, &entity.CheckedRecord{Title: strings.Trim(c.Symbol+", "+c.Name, ", "), Organism: c.Organism,
		Link: id.Gene.URL(m.id)}
	switch {
	case gene.Current != "":
		out.Notices = []entity.CheckNotice{{Kind: "replaced", Text: "The record was replaced.", ID: id.Gene.CURIE(gene.Current)}}
	case gene.Discontinued:
		out.Notices = []entity.CheckNotice{{Kind: "discontinued", Text: "The record was discontinued."}}
	}
}

// noticeKinds maps the kinds of corrections of PubMed to those of notices.
var noticeKinds = map[string]string{
	"RetractionIn": "retracted", "PartialRetractionIn": "partly_retracted", "ExpressionOfConcernIn": "expression_of_concern",
	"ErratumIn": "corrected", "CorrectedandRepublishedIn": "republished", "RepublishedIn": "republished",
	"RetractedandRepublishedIn": "republished", "ErratumFor": "notice_of", "RetractionOf": "notice_of", "PartialRetractionOf": "notice_of",
	"ExpressionOfConcernFor": "notice_of",
}

func setArticle(out *entity.CheckedItem, a *entity.Article) {
	out.Exists, out.Record = known, &entity.CheckedRecord{Title: a.Title, Year: yearOf(a), Link: id.PMID.URL(a.PMID)}
	for i := range a.Authors {
		if one := &a.Authors[i]; i == 0 {
			out.Record.FirstAuthor = strings.TrimSpace(one.CollectiveName + one.LastName + " " + one.Initials)
		}
	}
	if j := a.JournalInfo; j != nil {
		out.Record.Journal = cmp.Or(j.ISOAbbreviation, j.Title)
	}
	out.Notices = append(out.Notices, noticesOf(a)...)
}

// noticesOf returns what a record states of its article.
func noticesOf(a *entity.Article) (list []entity.CheckNotice) {
	add := func(kind, text, pmid string) {
		list = append(list, entity.CheckNotice{Kind: kind, Text: text, ID: pmid})
	}
	preprint, retracted := slices.Contains(a.PublicationTypes, "Preprint"), false
	for _, c := range a.Corrections {
		kind := noticeKinds[c.Type]
		if preprint && c.Type == "UpdateIn" {
			kind, preprint = "preprint", false
		}
		if kind != "" {
			add(kind, strings.TrimRight(spaced(c.Type)+": "+c.Source, ": "), c.PMID)
		}
		retracted = retracted || kind == "retracted"
	}
	if preprint {
		add("preprint", "Preprint", "")
	}
	if a.Retracted && !retracted {
		add("retracted", "Retracted Publication", "")
	}
	if strings.HasPrefix(strings.ToUpper(a.Title), "WITHDRAWN") {
		add("withdrawn", entity.Cut(a.Title, maxQuoted), "")
	}
	return list
}

// spaced returns the words of a name of PubMed: Erratum in for ErratumIn.
func spaced(name string) string {
	words := strings.Fields(capital.ReplaceAllString(name, " $0"))
	for i := 1; i < len(words); i++ {
		words[i] = strings.ToLower(words[i])
	}
	return strings.Join(words, " ")
}

var capital = lazyregexp.New(`[A-Z]`)

// yearOf returns the year of the issue, else the one online.
func yearOf(a *entity.Article) string {
	if j := a.JournalInfo; j != nil && j.PublicationDate != nil && j.PublicationDate.Year > 0 {
		return strconv.Itoa(j.PublicationDate.Year)
	}
	return a.ElectronicDate[:min(4, len(a.ElectronicDate))]
}

func setReference(out *entity.CheckedItem, m matched) {
	out.Exists = unclear
	if m.several {
		out.Notices = []entity.CheckNotice{{Kind: "several_records", Text: "Several records fit these words alike."}}
	}
	if m.article == nil {
		if m.notFound != "" && !m.unknown {
			out.Exists, out.ID = missing, m.notFound
		}
		return
	}
	setArticle(out, m.article)
	out.ID = m.article.PMID
	for _, s := range m.claim {
		one := entity.Statement{What: s.What, Claim: entity.Cut(s.Claim, maxQuoted), Source: entity.Cut(s.Source, maxQuoted),
			Result: s.Result}
		if m.misread != "" && s.Claim == m.misread {
			one.What, one.Result = "pmid_for_pmcid", reference.Different
			one.Source = "PMID " + m.article.PMID + ", " + m.article.PMCID
		}
		out.Statements = append(out.Statements, one)
	}
	if m.notFound != "" { // its words fit another record
		out.Exists, out.Record = missing, nil
		out.ID = m.notFound
	}
}
