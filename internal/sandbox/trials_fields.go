package sandbox

// selection is what the fields parameter asks for, as a tree of path steps.
type selection struct {
	whole bool // everything from here down
	below map[string]*selection
}

// everything is the selection of a request without fields.
var everything = &selection{whole: true}

// selectFields makes a selection of piece names, full paths and names of
// search areas, freely mixed, as upstream takes them.
func selectFields(names []string) (*selection, error) {
	root := &selection{}
	for i, name := range names {
		if name == "" {
			return nil, refuse("Item %d in parameter `fields` has incorrect format", i+1)
		}
		if p := pieces().find(name); p != nil {
			root.add(p.steps)
			continue
		}
		area, ok := searchAreas()[name]
		if !ok {
			return nil, refuse("Parameter 'fields' contains invalid field name: '%s'", name)
		}
		for _, w := range area {
			root.add(w.piece.steps)
		}
	}
	return root, nil
}

// find takes a piece name or a full path; nil is neither.
func (t *pieceTable) find(name string) *piece {
	if p := t.byName[name]; p != nil {
		return p
	}
	return t.byPath[name]
}

func (s *selection) add(steps []string) {
	for _, step := range steps {
		if s.below == nil {
			s.below = map[string]*selection{}
		}
		next := s.below[step]
		if next == nil {
			next = &selection{}
			s.below[step] = next
		}
		s = next
	}
	s.whole = true
}

// project cuts a study down to the selection. Nothing is copied that is
// wanted whole: studies are never written to.
func (s *selection) project(study map[string]any) map[string]any {
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
func (s *selection) cut(node any) (any, bool) {
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
