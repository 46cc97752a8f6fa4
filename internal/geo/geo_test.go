package geo_test

import (
	"math"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/geo"
)

func TestKilometres(t *testing.T) {
	t.Parallel()
	boston := geo.Point{Lat: 42.36, Lon: -71.06}
	for _, tt := range []struct {
		to   geo.Point
		want float64
	}{
		{boston, 0},
		{geo.Point{Lat: 36.16589, Lon: -86.78444}, 1515.6}, // Nashville
		{geo.Point{Lat: 43.36, Lon: -71.06}, 111.195},      // one degree north
		{geo.Point{Lat: -42.36, Lon: 108.94}, 20015.115},   // the other side of the earth
	} {
		got := boston.Kilometres(tt.to)
		expect.That(t, math.Abs(got-tt.want) <= 0.001*tt.want, "to %v: %f km, want %f", tt.to, got, tt.want)
		expect.Is(t, tt.to.Kilometres(boston), got, "back from %v", tt.to)
	}
}
