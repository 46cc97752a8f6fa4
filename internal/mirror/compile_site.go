package mirror

import (
	"slices"

	"github.com/biofact-mcp/biofact/internal/registry"
)

// oneSite compiles a node that must hold for one and the same site.
func (c *compiler) oneSite(n registry.OneSite) condition {
	if inner, ok := c.site(n.Node); ok {
		return condition{"s.id IN (SELECT site.study FROM site WHERE " + inner.sql + ")", inner.args, true}
	}
	wider := c.someSite(n.Node)
	wider.exact = false
	return wider
}

// site compiles a node to a condition on a row of the table site; false where a part of it has no
// column.
func (c *compiler) site(n registry.Node) (condition, bool) {
	switch n := n.(type) {
	case registry.All, registry.Boost:
		return always, true
	case registry.And:
		return c.sites(n, " AND ", always)
	case registry.Or:
		return c.sites(n, " OR ", never)
	case registry.Not:
		inner, ok := c.site(n.Node)
		return condition{"NOT coalesce(" + inner.sql + ", 0)", inner.args, true}, ok
	case registry.Term:
		return siteTerm(n)
	case registry.Value:
		if n.Piece.Name != "LocationStatus" {
			return perhaps, false
		}
		return condition{"site.status = ?", []any{siteStatus.bit(n.Text)}, true}, true
	case registry.Missing:
		return siteMissing(n)
	case registry.Within:
		places, err := c.near(n)
		if err != nil {
			c.err = err
		}
		return condition{"site.place IN (SELECT value FROM json_each(?))", []any{places}, true}, n.Piece.Name == "LocationGeoPoint"
	}
	return perhaps, false
}

// siteStatus knows the bits of the states of sites.
var siteStatus = column{piece: "LocationStatus", kind: single}

func (c *compiler) sites(nodes []registry.Node, operator string, empty condition) (condition, bool) {
	var parts []condition
	for _, n := range nodes {
		part, ok := c.site(n)
		if !ok {
			return perhaps, false
		}
		parts = append(parts, part)
	}
	return joined(parts, operator, empty), true
}

func siteTerm(n registry.Term) (condition, bool) {
	var in []string
	for _, w := range n.Area.Pieces {
		i := slices.IndexFunc(placeIndexes, func(i index) bool { return i.pieces == w.Piece.Name })
		if i < 0 {
			return perhaps, false
		}
		in = append(in, placeIndexes[i].name)
	}
	return condition{"site.place IN (SELECT rowid FROM place_words WHERE place_words MATCH ?)", []any{termWords(n, in)}, true}, true
}

func siteMissing(n registry.Missing) (condition, bool) {
	if n.Piece.Name == "LocationStatus" {
		return condition{sql: "site.status = 0", exact: true}, true
	}
	return perhaps, false
}

// someSite compiles the node of a site to a condition that holds for each study with such a site,
// and maybe for others: what must not hold of one site may hold of another.
func (c *compiler) someSite(n registry.Node) condition {
	switch n := n.(type) {
	case registry.And:
		return joined(c.someSites(n), " AND ", always)
	case registry.Or:
		return joined(c.someSites(n), " OR ", never)
	case registry.Term, registry.Value, registry.Within:
		return c.compile(n)
	}
	return perhaps
}

func (c *compiler) someSites(nodes []registry.Node) []condition {
	out := make([]condition, len(nodes))
	for i, n := range nodes {
		out[i] = c.someSite(n)
	}
	return out
}
