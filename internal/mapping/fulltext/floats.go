package fulltext

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// float reads a figure, table or other float. The paragraph continues after it.
func (r *reader) float(n *node) {
	r.text.line.Space()
	switch n.name {
	case "fig":
		r.figure(n)
	case "table-wrap":
		r.tables(n)
	case "supplementary-material", "media":
		r.supplement(n)
	default: // a group whose label and caption are those of a figure
		if n.child("label", "caption") != nil {
			r.figure(n)
			return
		}
		for _, k := range n.kids {
			if is(k, floatNames...) {
				r.float(k)
			}
		}
	}
}

// captionParts are the elements of a float that do not belong to its caption.
var captionParts = []string{"label", "graphic", "object-id", "alt-text", "long-desc", "alternatives", "table", "tgroup"}

func (r *reader) label(n *node) string {
	if label := n.child("label"); label != nil {
		return r.inlineText(label)
	}
	return ""
}

func (r *reader) figure(n *node) {
	i := len(r.article.Figures)
	r.article.Figures = append(r.article.Figures,
		entity.TextFigure{ID: fmt.Sprintf("f%d", i+1), Label: r.label(n), Section: r.useSection()})
	r.ids.figures = append(r.ids.figures, n.attr("id"))
	r.article.Figures[i].Caption = r.caption(n)
}

// caption returns the text of a float without its label and picture.
func (r *reader) caption(n *node) string {
	return strings.Join(r.capture(func() { r.addExcept(n, captionParts...) }), "\n")
}

func (r *reader) supplement(n *node) {
	i := len(r.article.Supplements)
	s := entity.TextSupplement{ID: fmt.Sprintf("x%d", i+1), Label: r.label(n), Section: r.useSection(), Href: n.attr("href")}
	r.article.Supplements = append(r.article.Supplements, s)
	r.ids.supplements = append(r.ids.supplements, n.attr("id"))
	var captions []string
	for _, k := range n.kids {
		if !is(k, "media", "graphic", "inline-graphic") {
			continue
		}
		s.Href = cmp.Or(s.Href, k.attr("href"))
		captions = append(captions, r.capture(func() { r.addExcept(k, "alt-text", "object-id") })...)
	}
	own := r.capture(func() { r.addExcept(n, "label", "media", "graphic", "inline-graphic", "object-id", "alt-text") })
	s.Caption = strings.Join(append(own, captions...), "\n")
	r.article.Supplements[i] = s
}
