package query

import "slices"

// This file has what another engine needs to compare values as the matcher does.

// A SiteValue is a value of one site of a study.
type SiteValue struct {
	Site int // index of the site among those of the study
	Text string
}

// SiteValues returns the values of a piece of the sites of a study.
func SiteValues(study map[string]any, name string) []SiteValue {
	var out []SiteValue
	for _, v := range PieceNamed(name).values(study) {
		out = append(out, SiteValue{v.item, v.text})
	}
	return out
}

// Has reports whether something below a key of a study is selected.
func (p Projection) Has(key string) bool {
	_, selected := p[key]
	return p == nil || selected
}

// Select returns the projection that selects some pieces.
func Select(pieces ...string) Projection {
	selected := Projection{}
	for _, name := range pieces {
		selected.add(PieceNamed(name).Path)
	}
	return selected
}

// Holds reports whether the words of one value have all words of the term, which must stand side by side.
func (n Term) Holds(words []string) bool {
	if n.FullMatch {
		return slices.Equal(words, n.Words)
	}
	return contains(words, n.Words)
}
