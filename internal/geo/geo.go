// Package geo measures distances on the earth.
package geo

import "math"

// A Point is a position in degrees, north and east positive.
type Point struct{ Lat, Lon float64 }

// KilometresPerMile is the length of the international mile.
const KilometresPerMile = 1.609344

// meanRadius of the earth in kilometres (IUGG).
const meanRadius = 6371.0088

// Kilometres returns the great-circle distance between two points.
func (p Point) Kilometres(to Point) float64 {
	const radian = math.Pi / 180
	north, east := math.Sin((to.Lat-p.Lat)*radian/2), math.Sin((to.Lon-p.Lon)*radian/2)
	h := north*north + math.Cos(p.Lat*radian)*math.Cos(to.Lat*radian)*east*east
	return 2 * meanRadius * math.Asin(math.Sqrt(min(1, h)))
}
