package ncbi

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// field is a search field of a database, as EInfo describes it.
type field struct {
	name, fullName, description string
	tags                        []string // in lower case, in addition to the two names
	flags                       string
	path                        string // of its values in a record; empty: they are computed
}

// The flags of a field. In a whole field a term must match a whole value, not words of it.
const (
	isDate, isNumerical, isToken, isHierarchy, isHidden = "d", "n", "t", "h", "u"

	isWhole = "w"
)

func (f field) is(flag string) bool { return strings.Contains(f.flags, flag) }

// readFields reads a table of name, full name, tags, flags, description and, optionally, a path.
func readFields(table string) []field {
	var fields []field
	for line := range strings.Lines(table) {
		c := append(strings.Split(strings.TrimSuffix(line, "\n"), "\t"), "")
		fields = append(fields, field{c[0], c[1], c[4], strings.Split(c[2], ","), c[3], c[5]})
	}
	return fields
}

// withPaths adds the functions for the fields of a table that have a path.
func withPaths[R interface{ texts(paths string) []string }](table string, values map[string]func(R) []string) map[string]func(R) []string {
	for _, f := range readFields(table) {
		if f.path != "" {
			values[f.name] = func(r R) []string { return r.texts(f.path) }
		}
	}
	return values
}

// A record is a record of a database.
type record interface {
	comparable
	uid() uint64
	docsum() object
}

// index has the records of a database, with their words. The words of a field are computed at its first search.
type index[R record] struct {
	list   []R
	byID   map[uint64]R
	fields []field
	values []func(R) []string    // by field
	words  []func() [][][]string // by field, record and value
}

// newIndex returns an index. values has the functions of the fields by field name.
func newIndex[R record](list []R, table string, values map[string]func(R) []string) (*index[R], error) {
	x := &index[R]{list: list, byID: map[uint64]R{}, fields: readFields(table)}
	for _, r := range list {
		if _, twice := x.byID[r.uid()]; twice || r.uid() == 0 {
			return nil, fmt.Errorf("record %d stands twice or has no id", r.uid())
		}
		x.byID[r.uid()] = r
	}
	for _, f := range x.fields {
		of := values[f.name]
		if of == nil { // no record has a value
			of = func(R) []string { return nil }
		}
		x.values = append(x.values, of)
		x.words = append(x.words, sync.OnceValue(func() [][][]string {
			return mapSlice(list, func(r R) [][]string { return mapSlice(of(r), queryWords) })
		}))
	}
	return x, nil
}

// all implements database.
func (x *index[R]) all() hits {
	found := hits{}
	for uid := range x.byID {
		found[uid] = 1
	}
	return found
}

// summary implements database.
func (x *index[R]) summary(uid uint64) (object, bool) {
	r, known := x.byID[uid]
	if !known {
		return nil, false
	}
	return r.docsum(), true
}

// known returns the existing records of uids.
func (x *index[R]) known(uids []uint64) (all []R) {
	for _, uid := range uids {
		if r, known := x.byID[uid]; known {
			all = append(all, r)
		}
	}
	return all
}

// at returns the position of a field by its name or tag; "" means all fields.
func (x *index[R]) at(tag string) (at int, known bool) {
	tag = cmp.Or(tag, "all")
	at = slices.IndexFunc(x.fields, func(f field) bool {
		return tag == strings.ToLower(f.name) || tag == strings.ToLower(f.fullName) || slices.Contains(f.tags, tag)
	})
	return at, at >= 0
}

// search returns the field of a tag, whose records find finds by the position of the field.
func (x *index[R]) search(tag string, find func(at int, t term) (hits, string)) (searchField, bool) {
	at, known := x.at(tag)
	if !known {
		return searchField{}, false
	}
	return searchField{name: x.fields[at].fullName, find: func(t term) (hits, string) { return find(at, t) }}, true
}

// named returns the records with a value of a field that has the words of a term, or that is the term in a whole field.
func (x *index[R]) named(field int, t term) hits {
	if x.fields[field].is(isWhole) {
		return x.matching(field, t.is)
	}
	return x.matching(field, t.within)
}

func (x *index[R]) matching(field int, fits func(value []string) bool) hits {
	found := hits{}
	for i, values := range x.words[field]() {
		if slices.ContainsFunc(values, fits) {
			found[x.list[i].uid()] = 1
		}
	}
	return found
}
