package sandbox

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"sync"
)

// piecesTSV names every field of a study: its piece, its path and its type,
// as /studies/metadata lists them, parents before children.
//
//go:embed pieces.tsv
var piecesTSV string

// piece is one field of a study record.
type piece struct {
	ordinal int
	name    string   // PascalCase, as fields and AREA[] take it
	steps   []string // the path, step by step
	kind    string   // the upstream's type, [] at its end for a list
	branch  bool     // has fields below it
}

type pieceTable struct {
	list   []*piece
	byName map[string]*piece
	byPath map[string]*piece
}

var pieces = sync.OnceValue(func() *pieceTable {
	table := &pieceTable{byName: map[string]*piece{}, byPath: map[string]*piece{}}
	for line := range strings.Lines(piecesTSV) {
		columns := strings.Split(strings.TrimSpace(line), "\t")
		p := &piece{
			ordinal: len(table.list),
			name:    columns[0],
			steps:   strings.Split(columns[1], "."),
			kind:    columns[2],
		}
		if parent := table.byPath[strings.Join(p.steps[:len(p.steps)-1], ".")]; parent != nil {
			parent.branch = true
		}
		table.list = append(table.list, p)
		table.byName[p.name] = p
		table.byPath[columns[1]] = p
	}
	return table
})

// path as the upstream's sentences write it.
func (p *piece) path() string { return strings.Join(p.steps, ".") }

// enum are the values that the piece may have, or nil if it is free.
func (p *piece) enum() []string { return enums[strings.TrimSuffix(p.kind, "[]")] }

func (p *piece) isDate() bool {
	return p.kind == "PartialDate" || p.kind == "NormalizedDate" || p.kind == "DateTimeMinutes"
}

func (p *piece) isNumber() bool {
	return p.kind == "integer" || p.kind == "number" || p.kind == "long"
}

func (p *piece) isList() bool { return strings.HasSuffix(p.kind, "[]") }

// isOfSite tells whether each site of a study has its own value.
func (p *piece) isOfSite() bool {
	site := pieces().byName["Location"].steps
	return len(p.steps) > len(site) && slices.Equal(p.steps[:len(site)], site)
}

// value is one value of a piece in one study.
type value struct {
	// item is the place in the outermost list on the way to the value, which
	// for the pieces of a site is the number of the site; -1 without a list.
	item int
	text string
	// words are there in columns only.
	words []string
}

// values collects what a study has under the piece, in the record's order.
func (p *piece) values(study map[string]any) []value {
	return collect(nil, study, p.steps, -1)
}

func collect(into []value, node any, steps []string, item int) []value {
	switch node := node.(type) {
	case map[string]any:
		if len(steps) > 0 {
			return collect(into, node[steps[0]], steps[1:], item)
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
