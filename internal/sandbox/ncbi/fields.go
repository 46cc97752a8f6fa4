package ncbi

import (
	"iter"
	"slices"
	"strings"
	"sync"
)

// field is a search field of a database, as EInfo describes it.
type field struct {
	name, fullName, description string
	tags                        []string // in lower case, in addition to the two names
	flags                       string
}

// The flags of a field. In a whole field a term must match a whole value, not words of it.
const (
	isDate, isNumerical, isToken, isHierarchy, isHidden = "d", "n", "t", "h", "u"

	isWhole = "w"
)

func (f field) is(flag string) bool { return strings.Contains(f.flags, flag) }

// readFields reads a table of name, full name, tags, flags and description.
func readFields(table string) []field {
	var fields []field
	for line := range strings.Lines(table) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		fields = append(fields, field{name: c[0], fullName: c[1], tags: strings.Split(c[2], ","), flags: c[3], description: c[4]})
	}
	return fields
}

// index has the words of the records of a database. The words of a field are computed at its first search.
type index[R any] struct {
	list   []R
	fields []field
	values []func(R) []string    // by field
	words  []func() [][][]string // by field, record and value
}

// newIndex returns an index. values has the functions of the fields by field name.
func newIndex[R any](list []R, fields []field, values map[string]func(R) []string) *index[R] {
	x := &index[R]{list: list, fields: fields}
	for _, f := range fields {
		of := values[f.name]
		if of == nil { // no record has a value
			of = func(R) []string { return nil }
		}
		x.values = append(x.values, of)
		x.words = append(x.words, sync.OnceValue(func() [][][]string {
			return mapSlice(list, func(record R) [][]string { return mapSlice(of(record), queryWords) })
		}))
	}
	return x
}

// field returns the position of a field by its name or tag; "" means all fields.
func (x *index[R]) field(tag string) (at int, known bool) {
	if tag == "" {
		tag = "all"
	}
	at = slices.IndexFunc(x.fields, func(f field) bool {
		return tag == strings.ToLower(f.name) || tag == strings.ToLower(f.fullName) || slices.Contains(f.tags, tag)
	})
	return at, at >= 0
}

// matching returns the records with a value that fits.
func (x *index[R]) matching(field int, fits func(value []string) bool) iter.Seq[R] {
	return func(yield func(R) bool) {
		for i, values := range x.words[field]() {
			if slices.ContainsFunc(values, fits) && !yield(x.list[i]) {
				return
			}
		}
	}
}
