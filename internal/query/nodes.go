package query

import (
	"github.com/biofact-mcp/biofact/internal/geo"
)

// A Node is a part of a parsed expression: one of the types below, each by value.
type Node interface {
	// String returns an expression that Parse reads as the node.
	String() string
	// match reports whether the node holds. The score says how well, for the
	// rank; it means nothing where the node does not hold.
	match(scope) (score float64, ok bool)
}

type (
	// All is the word ALL, which holds for every study.
	All struct{}
	// And holds where each of its nodes holds.
	And []Node
	// Or holds where one of its nodes holds.
	Or []Node
	// Not holds where its node does not.
	Not struct{ Node Node }
	// OneSite is SEARCH[Location]: its node holds for one and the same site.
	OneSite struct{ Node Node }
	// Term holds where its words are found.
	Term struct {
		Area      *Area
		Words     []string // as the function Words returns them, at least one
		Phrase    bool     // the words are adjacent in one value; else each occurs anywhere in the area
		FullMatch bool     // the words are all of one value
	}
	// Value is one of the allowed values of a piece.
	Value struct {
		Piece *Piece
		Text  string
	}
	// Count is AREA[Piece:size]N: the piece has N values.
	Count struct {
		Piece *Piece
		N     int
	}
	// Missing holds where the piece has no value.
	Missing struct{ Piece *Piece }
	// DateRange holds where the piece has a date between two full dates, both included.
	// A date without a day, or without a month, counts as its first day.
	DateRange struct {
		Piece    *Piece
		From, To string // "" is the open end below, "9999-12-31" the open end above
	}
	// NumberRange holds where the piece has a number between two, both included. An age counts in
	// minutes.
	NumberRange struct {
		Piece    *Piece
		From, To float64
	}
	// Within holds where a point of the piece is no farther from another than a distance.
	Within struct {
		Piece      *Piece
		From       geo.Point
		Kilometres float64
	}
	// Source is an expression as a text: words and names of a caller. Slices make it; Parse makes none.
	Source string
	// Boost always holds, and adds the score of its node where that holds. Expand makes
	// it; no expression has it.
	Boost struct{ Node Node }
)
