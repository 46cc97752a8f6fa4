package query

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// piecesTSV has every field of a study: its piece, its path and its type, as
// /studies/metadata lists them, parents before children.
//
//go:embed pieces.tsv
var piecesTSV string

// A Piece is one field of a study record.
type Piece struct {
	Name    string   // PascalCase, as fields and AREA[] take it
	Path    []string // the keys that lead to the field
	Type    string   // the registry's type, with [] at its end for a list
	Parent  bool     // other fields stand below it
	ordinal int
}

// enumsTSV has the known values of each type, in the order of the official document, which is the order in the registry's sentences.
//
//go:embed enums.tsv
var enumsTSV string

type pieceTable struct {
	list   []*Piece
	byName map[string]*Piece
	byPath map[string]*Piece
}

// Pieces returns every field of a study record, parents before children.
func Pieces() []*Piece { return pieces().list }

// PieceNamed returns the piece of a name, or nil.
func PieceNamed(name string) *Piece { return pieces().byName[name] }

// PieceAt returns the piece of a path, such as protocolSection.designModule, or nil.
func PieceAt(path string) *Piece { return pieces().byPath[path] }

// findPiece returns the piece of a name or a path, or nil.
func findPiece(text string) *Piece {
	if p := PieceNamed(text); p != nil {
		return p
	}
	return PieceAt(text)
}

// Values returns the values that a study has under a piece, as text.
func Values(study map[string]any, name string) []string {
	var out []string
	for _, v := range PieceNamed(name).values(study) {
		out = append(out, v.text)
	}
	return out
}

// First returns the first value that a study has under a piece, or "".
func First(study map[string]any, name string) string {
	for _, text := range Values(study, name) {
		return text
	}
	return ""
}

var pieces = sync.OnceValue(func() *pieceTable {
	table := &pieceTable{byName: map[string]*Piece{}, byPath: map[string]*Piece{}}
	for line := range strings.Lines(piecesTSV) {
		columns := strings.Split(strings.TrimSpace(line), "\t")
		p := &Piece{
			ordinal: len(table.list),
			Name:    columns[0],
			Path:    strings.Split(columns[1], "."),
			Type:    columns[2],
		}
		if parent := table.byPath[strings.Join(p.Path[:len(p.Path)-1], ".")]; parent != nil {
			parent.Parent = true
		}
		table.list = append(table.list, p)
		table.byName[p.Name] = p
		table.byPath[columns[1]] = p
	}
	return table
})

// path returns the path as the registry's sentences write it.
func (p *Piece) path() string { return strings.Join(p.Path, ".") }

// Enum returns the values that the piece may have, or nil if it may have any text.
func (p *Piece) Enum() []string { return enums()[strings.TrimSuffix(p.Type, "[]")] }

// enums returns the known values of the registry's types.
var enums = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(enumsTSV) {
		columns := strings.Fields(line)
		all[columns[0]] = columns[1:]
	}
	return all
})

// IsDate reports whether the values are dates.
func (p *Piece) IsDate() bool {
	return p.Type == "PartialDate" || p.Type == "NormalizedDate" || p.Type == "DateTimeMinutes"
}

// IsNumber reports whether the values are numbers.
func (p *Piece) IsNumber() bool {
	return p.Type == "integer" || p.Type == "number" || p.Type == "long"
}

// IsAge reports whether the values are lengths of time, such as "18 Years".
func (p *Piece) IsAge() bool { return p.Type == "NormalizedTime" }

// IsPoint reports whether the values are places on the earth.
func (p *Piece) IsPoint() bool { return p.Type == "GeoPoint" }

// minutes has the length of the units of ages. The registry writes them in singular and plural. In minutes all of them
// are whole numbers, so that equal ages compare as equal.
var minutes = map[string]float64{"year": 525960, "month": 43830, "week": 10080, "day": 1440, "hour": 60, "minute": 1}

// Number returns the number that a value of the piece stands for. An age is a number of minutes.
func (p *Piece) Number(text string) (n float64, ok bool) {
	if !p.IsAge() {
		n, err := strconv.ParseFloat(text, 64)
		return n, err == nil
	}
	digits, unit, _ := strings.Cut(text, " ")
	n, err := strconv.ParseFloat(digits, 64)
	length, known := minutes[strings.TrimSuffix(strings.ToLower(unit), "s")]
	return n * length, err == nil && known
}

// IsList reports whether a study may have several values.
func (p *Piece) IsList() bool { return strings.HasSuffix(p.Type, "[]") }

// IsOfSite reports whether each site of a study has its own value.
func (p *Piece) IsOfSite() bool {
	site := PieceNamed("Location").Path
	return len(p.Path) > len(site) && slices.Equal(p.Path[:len(site)], site)
}

// value is one value of a piece in one study.
type value struct {
	item  int // index in the outermost list around the value, for a piece of a site the site; -1 without a list
	text  string
	words []string // set in columns only
}

// values returns the values that a study has under the piece, in the record's order.
func (p *Piece) values(study map[string]any) []value {
	return collect(nil, study, p.Path, -1)
}

func collect(into []value, node any, steps []string, item int) []value {
	switch node := node.(type) {
	case map[string]any:
		if len(steps) > 0 {
			return collect(into, node[steps[0]], steps[1:], item)
		}
		if lat, ok := scalar(node["lat"]); ok {
			lon, _ := scalar(node["lon"])
			return append(into, value{item: item, text: lat + "," + lon})
		}
	case []any:
		for i, child := range node {
			if item >= 0 {
				i = item
			}
			into = collect(into, child, steps, i)
		}
	default:
		if text, ok := scalar(node); ok && len(steps) == 0 {
			return append(into, value{item: item, text: text})
		}
	}
	return into
}

func scalar(node any) (string, bool) {
	switch node := node.(type) {
	case string:
		return node, true
	case json.Number:
		return node.String(), true
	case bool:
		if node {
			return "true", true
		}
		return "false", true
	}
	return "", false
}

// SiteCount returns the number of sites of a study.
func SiteCount(study map[string]any) int {
	var node any = study
	for _, key := range PieceNamed("Location").Path {
		object, _ := node.(map[string]any)
		node = object[key]
	}
	sites, _ := node.([]any)
	return len(sites)
}
