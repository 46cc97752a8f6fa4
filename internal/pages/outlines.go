package pages

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
)

// packed has the outlines of all countries, as e2e/pages/world.mjs writes them.
//
//go:embed world.bin.gz
var packed []byte

// OutlinesURI is the URI by which a page in a host reads outlines that are finer than its own.
const OutlinesURI = "ui://biofact/outlines.json"

// coarse is the tolerance of outlines outside of a view, and fine that of those for a host, in hundredths of a degree.
const coarse, fine = 30, 3

// A view is a part of the world, in degrees, and the tolerance of its outlines. One that crosses the date line has an east beyond 180. The
// zero view has all outlines coarse.
type view struct{ west, south, east, north, tolerance float64 }

// A spot is a point in hundredths of a degree.
type spot struct{ x, y int }

// outlines are lines, and the rings of land that they form: the line ~i is the line i in reverse.
type outlines struct {
	lines [][]spot
	rings [][]int
}

// world returns all outlines. It panics if the embedded file is damaged.
var world = sync.OnceValue(func() (all outlines) {
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic(err)
	}
	in := bufio.NewReader(unpacked)
	next := func() int {
		n, err := binary.ReadVarint(in)
		if err != nil {
			panic(err)
		}
		return int(n)
	}
	all.lines = make([][]spot, next())
	for i := range all.lines {
		line, at := make([]spot, next()), spot{}
		for j := range line {
			at = spot{at.x + next(), at.y + next()}
			line[j] = at
		}
		all.lines[i] = line
	}
	all.rings = make([][]int, next())
	for i := range all.rings {
		all.rings[i] = make([]int, next())
		for j := range all.rings[i] {
			all.rings[i][j] = next()
		}
	}
	return all
})

// HasMap reports whether a page has a map.
func HasMap(name string) bool { return name == "search" || name == "sites" }

// Outlines returns the outlines for a page in a host that shows a part of the world.
func Outlines() ([]byte, error) { return view{-180, -90, 180, 90, fine}.outlines() }

// viewOf returns the part of the world around the places in the answers of a file, across the date line if that way is shorter.
func viewOf(calls []Call) (view, error) {
	v := view{south: math.Inf(1), north: math.Inf(-1)}
	var longitudes []float64
	var walk func(value any)
	walk = func(value any) {
		switch value := value.(type) {
		case []any:
			for _, item := range value {
				walk(item)
			}
		case map[string]any:
			latitude, ok := value["latitude"].(float64)
			longitude, both := value["longitude"].(float64)
			if ok && both {
				longitudes = append(longitudes, longitude)
				v.south, v.north = min(v.south, latitude), max(v.north, latitude)
			}
			for name, item := range value {
				if name != "nearest_recruiting_site" { // may be far away from the others
					walk(item)
				}
			}
		}
	}
	for _, call := range calls {
		var answer any
		if err := json.Unmarshal(call.Answer, &answer); err != nil {
			return view{}, err
		}
		walk(answer)
	}
	if longitudes == nil {
		return view{}, nil
	}
	slices.Sort(longitudes)
	v.west, v.east = longitudes[0], longitudes[len(longitudes)-1]
	for i, east := range longitudes[1:] {
		if west := longitudes[i]; east-west > 180 {
			v.west, v.east = east, west+360
		}
	}
	beside := 4 + max(v.east-v.west, 2*(v.north-v.south))/2 // a map shows more than its places
	v = view{v.west - beside, v.south - beside/2, v.east + beside, v.north + beside/2, 0}
	v.tolerance = min(coarse, (v.east-v.west)/16) // half a pixel
	return v, nil
}

// outlines returns the outlines of countries for a map as JSON: each line as text, with its first point in hundredths of a degree and the
// difference of each other one from the one before, and the rings of land. They are fine in the view, as far as a screen shows it, and
// coarse elsewhere.
func (v view) outlines() ([]byte, error) {
	all := world()
	var lines []string
	names := map[int]int{} // new index of a line
	for i, line := range all.lines {
		thin := v.thin(line)
		if len(thin) < 4 && line[0] == line[len(line)-1] { // an island that is too small to be seen
			continue
		}
		names[i] = len(lines)
		lines = append(lines, written(thin))
	}
	land := [][]int{}
	for _, ring := range all.rings {
		var renamed []int
		for _, i := range ring {
			if name, ok := names[i]; ok {
				renamed = append(renamed, name)
			} else if name, ok := names[^i]; ok {
				renamed = append(renamed, ^name)
			}
		}
		if renamed != nil {
			land = append(land, renamed)
		}
	}
	return json.Marshal(map[string]any{"lines": lines, "land": land})
}

// written returns a line as text.
func written(line []spot) string {
	var out strings.Builder
	var last spot
	for i, at := range line {
		if i > 0 {
			out.WriteByte(' ')
		}
		fmt.Fprintf(&out, "%d,%d", at.x-last.x, at.y-last.y)
		last = at
	}
	return out.String()
}

// thin returns the points of a line without those that are within the tolerance of the line between others (Douglas and Peucker).
func (v view) thin(line []spot) []spot {
	thinned := line[:1:1]
	var split func(from, to int)
	split = func(from, to int) {
		far, most := from, v.allowed(line[from:to+1])
		for i := from + 1; i < to; i++ {
			if d := line[i].from(line[from], line[to]); d > most {
				far, most = i, d
			}
		}
		if far == from {
			thinned = append(thinned, line[to])
			return
		}
		split(from, far)
		split(far, to)
	}
	split(0, len(line)-1)
	return thinned
}

// allowed returns how far points may be from the simpler line, in hundredths of a degree.
func (v view) allowed(line []spot) float64 {
	low, high := line[0], line[0]
	for _, p := range line {
		low, high = spot{min(low.x, p.x), min(low.y, p.y)}, spot{max(high.x, p.x), max(high.y, p.y)}
	}
	for _, turn := range []float64{0, 36000, -36000} { // a view may go beyond an edge of the world
		if float64(low.x)+turn < 100*v.east && float64(high.x)+turn > 100*v.west && float64(low.y) < 100*v.north &&
			float64(high.y) > 100*v.south {
			return v.tolerance
		}
	}
	return coarse
}

// from returns the distance of a point from the line between two others.
func (p spot) from(a, b spot) float64 {
	dx, dy := float64(b.x-a.x), float64(b.y-a.y)
	px, py := float64(p.x-a.x), float64(p.y-a.y)
	if length := dx*dx + dy*dy; length > 0 {
		t := min(1, max(0, (px*dx+py*dy)/length))
		px, py = px-t*dx, py-t*dy
	}
	return math.Hypot(px, py)
}
