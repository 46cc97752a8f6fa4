package mirror

import (
	"database/sql/driver"
	"math"
	"slices"

	"modernc.org/sqlite"

	"github.com/biofact-mcp/biofact/internal/geo"
	"github.com/biofact-mcp/biofact/internal/query"
)

// within compiles a condition on the distance of any site.
func (c compiler) within(n query.Within) (condition, error) {
	if n.Piece.Name != pointPiece {
		return perhaps, nil
	}
	return ofSite(near(n)), nil
}

// ofSite returns the condition that a site of a study has a condition.
func ofSite(site condition) condition {
	return condition{sql: "id IN (SELECT study FROM site WHERE " + site.sql + ")", args: site.args, inexact: site.inexact}
}

// near returns the condition that a site is within a distance.
func near(n query.Within) condition {
	b := boxAround(n)
	return condition{
		sql:  "place IN (SELECT id FROM place WHERE lat BETWEEN ? AND ? AND lon BETWEEN ? AND ? AND kilometres(lat, lon, ?, ?) <= ?)",
		args: []any{b.south, b.north, b.west, b.east, n.From.Lat, n.From.Lon, n.Kilometres},
	}
}

// The function kilometres of SQL returns the distance of two points.
var _ = func() bool {
	distance := func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
		var numbers [4]float64
		for i, arg := range args {
			switch n := arg.(type) {
			case float64:
				numbers[i] = n
			case int64:
				numbers[i] = float64(n)
			default:
				return nil, nil // NULL
			}
		}
		return geo.Point{Lat: numbers[2], Lon: numbers[3]}.Kilometres(geo.Point{Lat: numbers[0], Lon: numbers[1]}), nil
	}
	sqlite.MustRegisterDeterministicScalarFunction("kilometres", 4, distance)
	return true
}()

type box struct{ south, north, west, east float64 }

// boxAround returns a box that contains all points within a distance. Near a pole or the date line it has all longitudes.
func boxAround(n query.Within) box {
	const kilometresPerDegree, margin = 110.5, 0.01
	high := n.Kilometres/kilometresPerDegree + margin
	b := box{n.From.Lat - high, n.From.Lat + high, -180, 180}
	if farthest := max(math.Abs(b.south), math.Abs(b.north)); farthest < 89 {
		wide := high/math.Cos(farthest*math.Pi/180) + margin
		if west, east := n.From.Lon-wide, n.From.Lon+wide; west >= -180 && east <= 180 {
			b.west, b.east = west, east
		}
	}
	return b
}

// oneSite compiles a condition on one and the same site.
func (c compiler) oneSite(n query.OneSite) (condition, error) {
	switch inner := n.Node.(type) {
	case query.Or: // one site matches one of the nodes
		return c.all(inner, "OR", never, func(n query.Node) (condition, error) { return c.oneSite(query.OneSite{Node: n}) })
	case query.Value: // of any site
		return c.compile(inner)
	case query.Term:
		if inner.Phrase || inner.FullMatch || len(inner.Words) == 1 { // one value of one site
			return c.compile(inner)
		}
	}
	if site, ok := c.siteCondition(n.Node); ok {
		return ofSite(site), nil
	}
	wider, err := c.someSite(n.Node)
	wider.inexact = true
	return wider, err
}

// someSite compiles a node that one site matches to a condition that is wider: two sites may each match one part of the node.
func (c compiler) someSite(n query.Node) (condition, error) {
	switch n := n.(type) {
	case query.And:
		return c.all(n, "AND", always, c.someSite)
	case query.Or:
		return c.all(n, "OR", never, c.someSite)
	case query.Term, query.Value, query.Within:
		return c.compile(n)
	}
	return perhaps, nil
}

// siteCondition compiles a node to a condition on a row of the table site. It returns false if a part of the node has no column.
func (c compiler) siteCondition(n query.Node) (condition, bool) {
	switch n := n.(type) {
	case query.All, query.Boost:
		return always, true
	case query.And:
		return c.siteConditions(n, "AND", always)
	case query.Or:
		return c.siteConditions(n, "OR", never)
	case query.Not:
		inner, ok := c.siteCondition(n.Node)
		return condition{sql: "NOT " + inner.sql, args: inner.args}, ok
	case query.Term:
		return siteTerm(n)
	case query.Value:
		const sql = "status = ifnull((SELECT id FROM value WHERE piece = ? AND text = ?), -1)"
		return condition{sql: "(" + sql + ")", args: []any{statusPiece, n.Text}}, n.Piece.Name == statusPiece
	case query.Missing:
		return condition{sql: "(status = 0)"}, n.Piece.Name == statusPiece
	case query.Within:
		return near(n), n.Piece.Name == pointPiece
	}
	return never, false
}

func (c compiler) siteConditions(nodes []query.Node, operator string, none condition) (condition, bool) {
	parts := make([]condition, len(nodes))
	for i, n := range nodes {
		var ok bool
		if parts[i], ok = c.siteCondition(n); !ok {
			return never, false
		}
	}
	return joined(operator, parts, none), true
}

func siteTerm(n query.Term) (condition, bool) {
	var in []string
	for _, w := range n.Area.Pieces {
		i := slices.IndexFunc(placeColumns, func(c wordColumn) bool { return c.pieces == w.Piece.Name })
		if i < 0 {
			return never, false
		}
		in = append(in, placeColumns[i].name)
	}
	const sql = "place IN (SELECT rowid FROM place_words WHERE place_words MATCH ?)"
	return condition{sql: sql, args: []any{matchingTerm(n, in)}}, true
}
