package mirror

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/geo"
	"github.com/biofact-mcp/biofact/internal/mirror/sqlrows"
	"github.com/biofact-mcp/biofact/internal/mirror/wordindex"
	"github.com/biofact-mcp/biofact/internal/query"
)

// within finds the studies with a site within a distance.
func (f *finder) within(n query.Within) (finding, error) {
	if n.Piece.Name != "LocationGeoPoint" {
		return f.perhaps()
	}
	places, err := f.near(n)
	if err != nil {
		return finding{}, err
	}
	rows, err := f.query("study", "FROM site WHERE place IN (SELECT value FROM json_each(?))", places)
	return finding{rows, true}, err
}

// near returns the numbers of the places within a distance, as a list in JSON.
func (f *finder) near(n query.Within) (string, error) {
	box := boxAround(n)
	ids := []int64{}
	var id int64
	var at geo.Point
	err := sqlrows.Of(f.db.QueryContext(f.ctx, `SELECT place.id, place.lat, place.lon FROM place_at JOIN place ON place.id = place_at.id
		WHERE south <= ? AND north >= ? AND west <= ? AND east >= ?`, box.north, box.south, box.east, box.west)).ForEach(func() error {
		if n.From.Kilometres(at) <= n.Kilometres {
			ids = append(ids, id)
		}
		return nil
	}, &id, &at.Lat, &at.Lon)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(ids)
	return string(text), err
}

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

// A condition is a condition of SQL on a row of the table site.
type condition struct {
	sql  string
	args []any
}

// maxSiteArguments bounds the arguments of a condition. SQLite refuses expressions with a depth of 1000.
const maxSiteArguments = 500

// siteCondition compiles a node to a condition on a row of the table site. It returns false if a part of the node has no column.
func (f *finder) siteCondition(n query.Node) (c condition, ok bool, err error) {
	switch n := n.(type) {
	case query.All, query.Boost:
		return condition{sql: "1"}, true, nil
	case query.And:
		return f.siteConditions(n, " AND ", "1")
	case query.Or:
		return f.siteConditions(n, " OR ", "0")
	case query.Not:
		inner, ok, err := f.siteCondition(n.Node)
		return condition{"NOT (" + inner.sql + ")", inner.args}, ok, err
	case query.Term:
		c, ok = siteTerm(n)
		return c, ok, nil
	case query.Value:
		return condition{"status = ?", []any{int64(bitOf(sitePieces[statusOfSite], n.Text))}}, n.Piece.Name == sitePieces[statusOfSite], nil
	case query.Missing:
		return condition{sql: "status = 0"}, n.Piece.Name == sitePieces[statusOfSite], nil
	case query.Within:
		places, err := f.near(n)
		return condition{"place IN (SELECT value FROM json_each(?))", []any{places}}, n.Piece.Name == "LocationGeoPoint", err
	}
	return condition{}, false, nil
}

func (f *finder) siteConditions(nodes []query.Node, operator, empty string) (c condition, ok bool, err error) {
	var texts []string
	for _, n := range nodes {
		part, ok, err := f.siteCondition(n)
		if !ok || err != nil {
			return c, false, err
		}
		texts = append(texts, part.sql)
		c.args = append(c.args, part.args...)
	}
	if len(texts) == 0 {
		texts = []string{empty}
	}
	c.sql = "(" + strings.Join(texts, operator) + ")"
	return c, true, nil
}

func siteTerm(n query.Term) (condition, bool) {
	var in []string
	for _, w := range n.Area.Pieces {
		i := slices.IndexFunc(wordindex.Places, func(c wordindex.Column) bool { return c.Pieces == w.Piece.Name })
		if i < 0 {
			return condition{}, false
		}
		in = append(in, wordindex.Places[i].Name)
	}
	return condition{"place IN (SELECT rowid FROM place_words WHERE place_words MATCH ?)", []any{wordindex.Term(n, in)}}, true
}
