package entity

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Always is the section of the fields that every answer has.
const Always = "always"

// Sections are the parts of an entity that a caller can select. Each field of the
// entity names its section in a tag, such as section:"design". The tag on:"request"
// is for a section that a record has only if it was requested.
type Sections struct {
	// Names of the sections, in the order of the fields, without Always.
	Names []string

	of        map[string]string // section of each field, by its JSON name
	onRequest []string
}

// SectionsOf returns the sections of an entity; without names if no field has a section.
// It returns an error if only some of the fields have one.
func SectionsOf(entity reflect.Type) (*Sections, error) {
	s := &Sections{of: map[string]string{}}
	var without []string
	for _, field := range reflect.VisibleFields(entity) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		section := field.Tag.Get("section")
		s.of[name] = section
		if section == "" {
			without = append(without, name)
		} else if section != Always && !slices.Contains(s.Names, section) {
			s.Names = append(s.Names, section)
			if field.Tag.Get("on") == "request" {
				s.onRequest = append(s.onRequest, section)
			}
		}
	}
	switch {
	case len(s.Names) == 0:
		return s, nil
	case len(without) > 0:
		return nil, fmt.Errorf("%s: %s: the section is missing", entity.Name(), strings.Join(without, ", "))
	}
	return s, nil
}

// Holding returns the section of a field, or "" for an unknown field. It compares
// names with Fold.
func (s *Sections) Holding(field string) string {
	for name, section := range s.of {
		if Fold(name) == Fold(field) {
			return section
		}
	}
	return ""
}

// A Selection is the part of a record that belongs to the requested sections.
type Selection struct {
	Record []byte   // the fields of the sections and of Always
	Left   []string // non-empty sections that were not requested
	Empty  []string // sections without a field in the record, requested or not; those on request only if requested
}

// Select returns the fields of a record that belong to the requested sections. The
// record is the JSON of an entity; Select does not change it.
func (s *Sections) Select(record []byte, requested []string) Selection {
	out := []byte{'{'}
	nonEmpty := map[string]bool{}
	for name, member := range members(record) {
		section := s.of[name]
		nonEmpty[section] = true
		if section != Always && !slices.Contains(requested, section) {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, member...)
	}
	selected := Selection{Record: append(out, '}')}
	for _, name := range s.Names {
		chosen := slices.Contains(requested, name)
		if slices.Contains(s.onRequest, name) && !chosen {
			continue
		}
		if !nonEmpty[name] {
			selected.Empty = append(selected.Empty, name)
		} else if !chosen {
			selected.Left = append(selected.Left, name)
		}
	}
	return selected
}

// members yields the members of a JSON object: each name, and the text of the
// member with its name.
func members(object []byte) func(yield func(string, []byte) bool) {
	return func(yield func(string, []byte) bool) {
		depth, start := 0, 0
		for i := 0; i < len(object); i++ {
			end := false
			switch object[i] {
			case '"':
				i += closing(object[i:])
			case '{', '[':
				if depth++; depth == 1 {
					start = i + 1
				}
			case '}', ']':
				depth--
				end = depth == 0
			case ',':
				end = depth == 1
			}
			if !end {
				continue
			}
			member := bytes.TrimSpace(object[start:i])
			start = i + 1
			if len(member) > 0 && !yield(string(member[1:closing(member)]), member) {
				return
			}
		}
	}
}

// closing returns the index of the quotation mark that ends the JSON string at
// the start of text.
func closing(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return max(1, len(text)-1)
}
