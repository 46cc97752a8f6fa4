package tool

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// A meaning is the argument that an unknown name may mean.
type meaning struct {
	argument *Argument // nil: no argument of the tool
	same     bool      // the argument takes the same values
	end      rangeEnd  // that the name gives of a range
}

// meantArgument returns the argument that a caller means by a name: by an alias, by a name that it replaces, or by a similar spelling.
func meantArgument(name string, known []Argument) meaning {
	var names []string
	for i := range known {
		a := &known[i]
		if matchesAny(name, a.Also, a.Name) {
			return meaning{argument: a, same: true}
		}
		if matchesAny(name, a.InsteadOf) || slices.ContainsFunc(a.Tags, func(t Tag) bool { return matchesAny(name, t.Names) }) {
			return meaning{argument: a}
		}
		names = append(names, a.Name)
	}
	if of, end := splitRangeName(name); end != "" {
		for i := range known {
			if a := &known[i]; a.Range && matchesAny(of, a.Also, a.Name) {
				return meaning{a, true, end}
			}
		}
	}
	if i := slices.Index(names, Nearest(name, names)); i >= 0 {
		return meaning{argument: &known[i], same: true}
	}
	return meaning{}
}

// A rangeEnd is an end of a range, "" for the whole range.
type rangeEnd string

const (
	rangeFrom rangeEnd = "from"
	rangeTo   rangeEnd = "to"
)

var (
	fromWord = lazyregexp.New(`(?i)(?:^|_)(?:since|from|after|min|minimum|gte|gt)(?:_|$)`)
	toWord   = lazyregexp.New(`(?i)(?:^|_)(?:until|till|to|before|max|maximum|lte|lt)(?:_|$)`)
	capital  = lazyregexp.New(`([a-z])([A-Z])`)
)

// splitRangeName returns the name of a range, and the end that a name gives of it: updated_since is the beginning of updated. A name that
// is only an end is that of the date.
func splitRangeName(name string) (of string, end rangeEnd) {
	name = capital.ReplaceAllString(name, "${1}_$2")
	word, end := fromWord, rangeFrom
	if !word.MatchString(name) {
		word, end = toWord, rangeTo
	}
	if !word.MatchString(name) {
		return "", ""
	}
	return cmp.Or(strings.Trim(word.ReplaceAllString(name, "_"), "_"), "date"), end
}

// matchesAny reports whether a name is one of names or more, in any spelling.
func matchesAny(name string, names []string, more ...string) bool {
	folded := entity.Fold(name)
	same := func(n string) bool { return entity.Fold(n) == folded }
	return folded != "" && (slices.ContainsFunc(names, same) || slices.ContainsFunc(more, same))
}

// Listed joins names for a sentence: a, b and c. It lists only the first of very many.
func Listed(names []string) string {
	if more := len(names) - maxListed; more > 0 {
		return strings.Join(names[:maxListed], ", ") + fmt.Sprintf(" and %d more", more)
	}
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
