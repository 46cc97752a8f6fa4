// Package fulltext reads the full text of articles in JATS, the format of PubMed Central, Europe PMC and publishers. It converts an article
// to sections of plain text, tables, captions and references. It is pure.
//
// Each text of an article is in the result once. Of alternatives, such as a formula in TeX and as a picture, one is used.
package fulltext

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// A Set is a document with articles.
type Set struct {
	Articles []Article
	// Missing are the ids that the source does not have, in its own format.
	Missing []string
}

// Availabilities of an article: with and without its text.
const (
	FullText     = "full_text"
	AbstractOnly = "abstract_only"
)

// Read reads an article or a set of articles. Other documents are errors, and so are failures that the source reports.
func Read(document []byte) (*Set, error) {
	root, err := parse(document)
	if err != nil {
		return nil, err
	}
	set := &Set{}
	switch root.name {
	case "article":
		root = &node{kids: []*node{root}}
	case "pmc-articleset", "articles":
	default:
		return nil, fmt.Errorf("no article but %.40q", root.name)
	}
	spent, large := &budget{}, 0
	for _, k := range root.kids {
		switch k.name {
		case "article":
			before := *spent
			article, err := read(k, spent)
			if errors.Is(err, entity.ErrTooLarge) && large < maxLarge {
				large, *spent = large+1, before
				article, err = withoutText(k, spent)
			}
			if err != nil {
				return nil, err
			}
			set.Articles = append(set.Articles, article)
		case "error":
			set.Missing = append(set.Missing, k.attr("id"))
		case "Reply":
			set.Missing = append(set.Missing, k.attr("Id"))
		case "ERROR":
			return nil, fmt.Errorf("the source reports a failure: %.200q", strings.TrimSpace(k.raw()))
		}
	}
	if len(set.Articles)+len(set.Missing) == 0 {
		return nil, errors.New("no article in the set")
	}
	return set, nil
}

// maxLarge limits the articles of a document that are read again because they exceed a limit.
const maxLarge = 5

// withoutText reads only the front matter of an article that exceeds a limit on its own, so that the other articles can be used.
func withoutText(n *node, spent *budget) (Article, error) {
	if _, err := read(n, &budget{}); err == nil { // only all articles together exceed it
		return Article{}, entity.TooLarge("several articles in one document")
	}
	front := &node{attrs: n.attrs, kids: n.kids[:1+slices.IndexFunc(n.kids, func(k *node) bool { return k.name == "front" })]}
	article, err := read(front, spent)
	article.TooLarge = true
	return article, err
}

func read(n *node, spent *budget) (Article, error) {
	r := reader{budget: spent, numbers: map[string]int{}, firstMention: map[string]string{}, used: map[string]bool{}}
	r.references(n)
	front, body := n.child("front"), n.child("body")
	if front != nil {
		r.front(n, front)
	}
	r.article.Availability = AbstractOnly
	if body != nil && body.hasText() {
		r.article.Availability = FullText
	}
	r.content(n, 1)
	if front != nil {
		r.statements(front)
	}
	r.subArticles(n)
	r.dropEmpty(true)
	r.checkSize()
	if r.err != nil {
		return Article{}, r.err
	}
	r.assignSections()
	r.finish()
	return r.article, nil
}

// content reads the body, the back matter and the floats of an article or sub-article.
func (r *reader) content(n *node, level int) {
	for _, k := range n.kids {
		if is(k, "body", "back", "floats-group") {
			r.parts(k, level)
		}
	}
}

// subArticles reads decision letters, replies, translations and other articles within an article.
func (r *reader) subArticles(n *node) {
	for _, sub := range n.kids {
		if !is(sub, "sub-article", "response") {
			continue
		}
		title := ""
		if stub := sub.child("front-stub", "front"); stub != nil {
			if group := stub.find("title-group"); group != nil {
				title = r.titleOf(group)
			}
		}
		r.open(1, title, nonEmpty(subArticleKind(sub.attr("article-type"))))
		r.content(sub, 2)
		r.subArticles(sub)
	}
}

func subArticleKind(kind string) string {
	for _, word := range []string{"review", "referee", "decision", "reply", "comment", "assessment"} {
		if strings.Contains(kind, word) {
			return "peer_review"
		}
	}
	return kind
}

// assignSections assigns tables, figures and supplements without a section to the section that refers to them first.
func (r *reader) assignSections() {
	a := &r.article
	for i := range a.Tables {
		a.Tables[i].Section = cmp.Or(a.Tables[i].Section, r.firstMention[r.ids.tables[i]])
	}
	for i := range a.Figures {
		a.Figures[i].Section = cmp.Or(a.Figures[i].Section, r.firstMention[r.ids.figures[i]])
	}
	for i := range a.Supplements {
		a.Supplements[i].Section = cmp.Or(a.Supplements[i].Section, r.firstMention[r.ids.supplements[i]])
	}
}

// finish adds the sections and their outline to the article.
func (r *reader) finish() {
	a := &r.article
	places := map[string]int{}
	for i, s := range r.sections {
		s.Text = strings.Join(s.blocks, paragraphBreak)
		places[s.ID] = i
		a.Outline = append(a.Outline, entity.OutlineEntry{ID: s.ID, Title: s.Title, Kinds: s.Kinds, Bytes: len(s.Text)})
		a.Sections = append(a.Sections, s.TextSection)
	}
	for _, t := range a.Tables {
		if i, ok := places[t.Section]; ok {
			a.Outline[i].Tables = append(a.Outline[i].Tables, t.ID)
		}
	}
	for _, f := range a.Figures {
		if i, ok := places[f.Section]; ok {
			a.Outline[i].Figures = append(a.Outline[i].Figures, f.ID)
		}
	}
}
