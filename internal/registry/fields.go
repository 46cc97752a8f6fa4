package registry

// A Projection is what the parameter fields asks for, as a tree of keys.
type Projection struct {
	whole bool // everything from here down
	below map[string]*Projection
}

// everything is the selection of a request without fields.
var everything = &Projection{whole: true}

// selectFields makes a selection of piece names, full paths and names of
// search areas, freely mixed, as upstream takes them.
func selectFields(names []string) (*Projection, error) {
	root := &Projection{}
	for i, name := range names {
		if name == "" {
			return nil, refuse("Item %d in parameter `fields` has incorrect format", i+1)
		}
		if p := pieces().find(name); p != nil {
			root.add(p.Path)
			continue
		}
		area, ok := searchAreas()[name]
		if !ok {
			return nil, refuse("Parameter 'fields' contains invalid field name: '%s'", name)
		}
		for _, w := range area {
			root.add(w.piece.Path)
		}
	}
	return root, nil
}

// find takes a piece name or a full path; nil is neither.
func (t *pieceTable) find(name string) *Piece {
	if p := t.byName[name]; p != nil {
		return p
	}
	return t.byPath[name]
}

func (s *Projection) add(steps []string) {
	for _, step := range steps {
		if s.below == nil {
			s.below = map[string]*Projection{}
		}
		next := s.below[step]
		if next == nil {
			next = &Projection{}
			s.below[step] = next
		}
		s = next
	}
	s.whole = true
}

// Project returns the selected part of a study. It copies nothing that is
// selected as a whole, because nobody writes to a study.
func (s *Projection) Project(study map[string]any) map[string]any {
	cut, _ := s.cut(study)
	out, ok := cut.(map[string]any)
	if !ok {
		return map[string]any{}
	}
	return out
}

// cut returns what is selected of a node, and whether that is anything. A
// parent of which nothing is left is left out itself, but an item of a list
// keeps its place as an empty object, so that lists of two projections still
// go together.
func (s *Projection) cut(node any) (any, bool) {
	if s.whole {
		return node, true
	}
	switch node := node.(type) {
	case map[string]any:
		out := make(map[string]any, len(s.below))
		for step, next := range s.below {
			child, there := node[step]
			if !there {
				continue
			}
			if kept, some := next.cut(child); some {
				out[step] = kept
			}
		}
		return out, len(out) > 0
	case []any:
		out := make([]any, len(node))
		some := false
		for i, item := range node {
			kept, found := s.cut(item)
			if !found {
				kept = map[string]any{}
			}
			out[i] = kept
			some = some || found
		}
		return out, some
	}
	return nil, false
}
