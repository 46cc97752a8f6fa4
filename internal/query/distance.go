package query

import (
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/geo"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

var distance = lazyregexp.New(`^(-?\d+(?:\.\d+)?),\s*(-?\d+(?:\.\d+)?),\s*(\d+(?:\.\d+)?)(km|mi)?$`)

// kilometres has the length of the units of a radius. Without a unit it is metres.
var kilometres = map[string]float64{"": 0.001, "km": 1, "mi": geo.KilometresPerMile}

// readWithin reads a point and a radius: 42.36,-71.06,50mi.
func readWithin(text string) (n Within, ok bool) {
	match := distance.FindStringSubmatch(text)
	if match == nil {
		return n, false
	}
	n = Within{Piece: PieceNamed("LocationGeoPoint"), From: geo.Point{Lat: number(match[1]), Lon: number(match[2])}}
	n.Kilometres = number(match[3]) * kilometres[match[4]]
	return n, true
}

// ReadPoint reads a value of a piece of points.
func ReadPoint(text string) (geo.Point, bool) {
	lat, lon, ok := strings.Cut(text, ",")
	return geo.Point{Lat: number(lat), Lon: number(lon)}, ok
}

// number returns the number that a text is, or 0.
func number(text string) float64 {
	n, _ := strconv.ParseFloat(text, 64)
	return n
}

// within returns the node of DISTANCE[argument].
func (in target) within(argument string) (Node, error) {
	n, ok := readWithin(argument)
	switch {
	case in.piece == nil || !in.piece.IsPoint():
		return nil, unsupported("understands DISTANCE for AREA[LocationGeoPoint] only")
	case !ok:
		return nil, refuse("Invalid distance: %s", argument)
	}
	return n, nil
}
