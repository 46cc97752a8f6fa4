package query

import (
	"bytes"
	"encoding/json"
)

// A Projection is the part of a record that the parameter fields selects: the keys
// to keep, each with the keys to keep below it. nil keeps everything.
type Projection map[string]Projection

// readProjection reads the parameter fields: names and paths of pieces and names of search
// areas, in any mixture.
func readProjection(p parameters) (Projection, error) {
	names := p.list("fields")
	if names == nil {
		return nil, nil
	}
	selected := Projection{}
	for i, name := range names {
		if name == "" {
			return nil, refuse("Item %d in parameter `fields` has incorrect format", i+1)
		}
		if piece := findPiece(name); piece != nil {
			selected.add(piece.Path)
			continue
		}
		area := AreaNamed(name)
		if area == nil {
			return nil, refuse("Parameter 'fields' contains invalid field name: '%s'", name)
		}
		for _, w := range area.Pieces {
			selected.add(w.Piece.Path)
		}
	}
	return selected, nil
}

// add selects a path and everything below it.
func (p Projection) add(path []string) {
	key, rest := path[0], path[1:]
	below, selected := p[key]
	switch {
	case len(rest) == 0:
		p[key] = nil
		return
	case !selected:
		below = Projection{}
		p[key] = below
	case below == nil:
		return // everything is selected already
	}
	below.add(rest)
}

// Project returns the selected part of a study. It shares values with the study: the caller must not change either.
func (p Projection) Project(study map[string]any) map[string]any {
	cut, _ := p.cut(study)
	out, ok := cut.(map[string]any)
	if !ok {
		return map[string]any{}
	}
	return out
}

// JSON returns the selected part of a study as JSON, without escapes for <, > and &.
func (p Projection) JSON(study map[string]any) (json.RawMessage, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(p.Project(study))
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// cut returns the selected part of a node, and whether it has any. A parent of which
// nothing is left is left out itself, but an item of a list becomes an empty
// object, so that the lists of two projections have the same length.
func (p Projection) cut(node any) (any, bool) {
	if p == nil {
		return node, true
	}
	switch node := node.(type) {
	case map[string]any:
		out := make(map[string]any, len(p))
		for key, below := range p {
			child, present := node[key]
			if !present {
				continue
			}
			if child, some := below.cut(child); some {
				out[key] = child
			}
		}
		return out, len(out) > 0
	case []any:
		out := make([]any, len(node))
		some := false
		for i, item := range node {
			part, found := p.cut(item)
			if !found {
				part = map[string]any{}
			}
			out[i] = part
			some = some || found
		}
		return out, some
	}
	return nil, false
}
