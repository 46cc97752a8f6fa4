package query

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

// An Area is a group of pieces in which the words of a term are looked for.
type Area struct {
	Name   string
	Pieces []Weighted // heaviest first
}

// A Weighted is a piece of an area. Its weight is the registry's: how much a
// hit in the piece counts for the rank.
type Weighted struct {
	Piece  *Piece
	Weight float64
}

// AreaNamed returns one of the registry's search areas, or nil.
func AreaNamed(name string) *Area { return searchAreas()[name] }

// areasTSV has an area, one of its pieces and its weight in each line. Of the 57 pieces of BasicSearch, those with text that people look
// for are here.
//
//go:embed areas.tsv
var areasTSV string

// searchAreas returns the registry's search areas by name.
var searchAreas = sync.OnceValue(func() map[string]*Area {
	areas := map[string]*Area{}
	for line := range strings.Lines(areasTSV) {
		columns := strings.Fields(line)
		name := columns[0]
		if areas[name] == nil {
			areas[name] = &Area{Name: name}
		}
		weight, err := strconv.ParseFloat(columns[2], 64)
		if err != nil {
			panic(err) // the file is part of the program
		}
		areas[name].Pieces = append(areas[name].Pieces, Weighted{PieceNamed(columns[1]), weight})
	}
	return areas
})
