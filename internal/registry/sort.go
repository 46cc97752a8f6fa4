package registry

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
)

// order is one item of sort. Without a piece it is @relevance.
type order struct {
	piece      *Piece
	descending bool
}

var sortItem = regexp.MustCompile(`^(@relevance|[a-zA-Z][a-zA-Z0-9\-. ]*)(?::(asc|desc))?$`)

func (s *Search) readSort(p parameters) error {
	items := p.list("sort")
	for i, item := range items {
		match := sortItem.FindStringSubmatch(item)
		if match == nil {
			return refuse("Item %d in parameter `sort` has incorrect format", i+1)
		}
		o := order{descending: match[2] == "desc"}
		if match[1] != "@relevance" {
			o.piece = pieces().find(match[1])
			switch {
			case o.piece == nil:
				return refuse("Unknown piece name of field path: %s", match[1])
			case !o.piece.IsDate() && !o.piece.IsNumber():
				return refuse("Unsupported sort field type: text")
			}
		}
		if match[2] == "" {
			o.descending = o.piece == nil || o.piece.IsDate()
		}
		s.orders = append(s.orders, o)
	}
	if len(items) > 2 {
		return refuse("Parameter `sort` has incorrect format")
	}
	return nil
}

// compare puts the newer registration first among equals.
func (t *Studies) compare(orders []order, a, b hit) int {
	for _, o := range orders {
		if c := t.compareBy(o, a, b); c != 0 {
			return c
		}
	}
	return strings.Compare(t.ids[b.study], t.ids[a.study])
}

func (t *Studies) compareBy(o order, a, b hit) int {
	c := cmp.Compare(a.score, b.score)
	if o.piece != nil {
		left, right := t.key(o.piece, a.study), t.key(o.piece, b.study)
		if left == "" || right == "" {
			// Missing values stand last in both directions.
			return strings.Compare(right, left)
		}
		c = compareKeys(o.piece, left, right)
	}
	if o.descending {
		return -c
	}
	return c
}

// key is the text by which a study is sorted, "" if it has none.
func (t *Studies) key(p *Piece, study int) string {
	values := t.column(p)[study]
	if len(values) == 0 {
		return ""
	}
	return values[0].text
}

func compareKeys(p *Piece, a, b string) int {
	if p.IsDate() {
		return strings.Compare(firstDay(a), firstDay(b))
	}
	left, _ := strconv.ParseFloat(a, 64)
	right, _ := strconv.ParseFloat(b, 64)
	return cmp.Compare(left, right)
}
