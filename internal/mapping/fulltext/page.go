package fulltext

import (
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// The parts of an article in addition to its sections.
const (
	Tables      = "tables"
	Figures     = "figures"
	Supplements = "supplements"
	References  = "references"
)

// A Pager splits an article into pages, between paragraphs, rows, captions and references.
type Pager struct {
	article *entity.ArticleFullText
	units   []unit
}

// A unit is a part of the article that is not split.
type unit struct {
	part  string // empty: the text of a section
	index int    // of the section, table, figure, supplement or reference
	piece string // a paragraph
	from  int    // of the paragraph in the text of its section
	row   int    // row of a table; 0 is the header, and the row after the last one is the notes
	bytes int
	first int // additional bytes if a page begins with it
}

// NewPager returns a pager for a part of an article: the text of the sections for which text returns true, and the tables and other parts
// of those for which section returns true. References belong to no section.
func NewPager(article *entity.ArticleFullText, text, section func(id string) bool, parts ...string) *Pager {
	p := &Pager{article: article}
	for i, s := range article.Sections {
		if text(s.ID) {
			p.section(i, s)
		}
	}
	if slices.Contains(parts, Tables) {
		for i := range article.Tables {
			if section(article.Tables[i].Section) {
				p.table(i, &article.Tables[i])
			}
		}
	}
	if slices.Contains(parts, Figures) {
		addItems(p, Figures, article.Figures, func(f entity.TextFigure) bool { return section(f.Section) })
	}
	if slices.Contains(parts, Supplements) {
		addItems(p, Supplements, article.Supplements, func(s entity.TextSupplement) bool { return section(s.Section) })
	}
	if slices.Contains(parts, References) {
		addItems(p, References, article.References, func(entity.TextReference) bool { return true })
	}
	return p
}

// addItems adds the requested items of a part, each as a unit.
func addItems[T any](p *Pager, part string, items []T, requested func(T) bool) {
	for i, item := range items {
		if requested(item) {
			p.add(unit{part: part, index: i, bytes: entity.Size(item) + 1})
		}
	}
}

// Units returns the number of units.
func (p *Pager) Units() int { return len(p.units) }

func (p *Pager) add(u unit) { p.units = append(p.units, u) }

func (p *Pager) section(i int, s entity.TextSection) {
	text := s.Text
	s.Text = ""
	head := entity.Size(s) + len(`,"text":"",`)
	from := 0
	for j, piece := range strings.Split(text, paragraphBreak) {
		u := unit{index: i, piece: piece, from: from, bytes: entity.Size(piece) + len(`\n\n`) - len(`""`), first: head}
		if j == 0 {
			u.bytes, u.first = u.bytes+head, 0
		}
		p.add(u)
		from += len(piece) + len(paragraphBreak)
	}
}

func (p *Pager) table(i int, t *entity.TextTable) {
	head := *t
	head.Rows, head.Notes, head.FirstRow = nil, nil, 0
	p.add(unit{part: Tables, index: i, bytes: entity.Size(head) + len(`,"rows":[],`)})
	again := entity.Size(entity.TextTable{ID: t.ID, Label: t.Label, Section: t.Section}) + len(`,"rows":[],"firstRow":10000,`)
	for j, row := range t.Rows {
		p.add(unit{part: Tables, index: i, row: j + 1, bytes: entity.Size(row) + 1, first: again})
	}
	if len(t.Notes) > 0 {
		p.add(unit{part: Tables, index: i, row: len(t.Rows) + 1, bytes: entity.Size(t.Notes) + len(`,"notes":`), first: again})
	}
}

// Page returns the page that begins at a unit, and the next unit. The page has at most maxBytes, except if its head and one unit are
// larger. margin is the number of bytes that the caller adds.
func (p *Pager) Page(from, maxBytes, margin int) (page entity.ArticleFullText, next int) {
	page = *p.article
	page.Sections, page.Tables, page.Figures, page.Supplements, page.References = nil, nil, nil, nil, nil
	page.Omitted = p.omitted(from)
	room := maxBytes - margin - entity.Size(page) - len(`"sections":[],"tables":[],"figures":[],"supplements":[],"references":[],`)
	page.Omitted = nil
	for next = from; next < len(p.units); next++ {
		u := &p.units[next]
		room -= u.bytes
		if next == from {
			room -= u.first
		} else if room < 0 {
			break
		}
		p.put(&page, u)
	}
	page.Omitted = p.omitted(next)
	return page, next
}

func (p *Pager) put(page *entity.ArticleFullText, u *unit) {
	switch u.part {
	case Tables:
		p.putRow(page, u)
	case Figures:
		page.Figures = append(page.Figures, p.article.Figures[u.index])
	case Supplements:
		page.Supplements = append(page.Supplements, p.article.Supplements[u.index])
	case References:
		page.References = append(page.References, p.article.References[u.index])
	default:
		s := p.article.Sections[u.index]
		if last := len(page.Sections) - 1; last >= 0 && page.Sections[last].ID == s.ID {
			from := u.from - len(paragraphBreak) - len(page.Sections[last].Text) // a part of the same text: nothing is copied
			page.Sections[last].Text = s.Text[from : u.from+len(u.piece)]
			return
		}
		s.Text = u.piece
		page.Sections = append(page.Sections, s)
	}
}

func (p *Pager) putRow(page *entity.ArticleFullText, u *unit) {
	t := &p.article.Tables[u.index]
	last := len(page.Tables) - 1
	if last < 0 || page.Tables[last].ID != t.ID {
		head := entity.TextTable{ID: t.ID, Label: t.Label, Section: t.Section}
		if u.row == 0 {
			head = *t
			head.Rows, head.Notes = nil, nil
		} else if u.row > 1 && u.row <= len(t.Rows) {
			head.FirstRow = u.row
		}
		page.Tables = append(page.Tables, head)
		last++
	}
	switch {
	case u.row > len(t.Rows):
		page.Tables[last].Notes = t.Notes
	case u.row > 0:
		page.Tables[last].Rows = append(page.Tables[last].Rows, t.Rows[u.row-1])
	}
}

// omitted returns the sections of the first level and the other parts that the units from an index on belong to.
func (p *Pager) omitted(from int) (list []entity.OmittedText) {
	for i := from; i < len(p.units); i++ {
		u := &p.units[i]
		o := entity.OmittedText{Part: u.part}
		if u.part == "" {
			o.ID, _, _ = strings.Cut(p.article.Sections[u.index].ID, ".")
		}
		if last := len(list) - 1; last < 0 || list[last].ID != o.ID || list[last].Part != o.Part {
			list = append(list, o)
		}
		list[len(list)-1].Bytes += u.bytes
	}
	return list
}
