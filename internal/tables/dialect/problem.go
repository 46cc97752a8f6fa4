package dialect

import (
	"fmt"
	"strings"

	"github.com/biofact-mcp/biofact/internal/tables"
)

// A Problem is the error of a statement that is refused: the fault, and the next step.
type Problem struct{ Message, Next string }

func (p *Problem) Error() string { return p.Message }

// refuse ends the reading of a statement. Translate returns the problem.
func refuse(next, format string, args ...any) {
	panic(&Problem{Message: fmt.Sprintf(format, args...), Next: next})
}

// caught makes an error of a refusal.
func caught(err *error) {
	switch problem := recover().(type) {
	case nil:
	case *Problem:
		*err = problem
	default:
		panic(problem)
	}
}

// cut returns a text of the statement for a message.
func cut(text string) string {
	if runes := []rune(text); len(runes) > 60 {
		return string(runes[:60]) + "…"
	}
	return text
}

// nearest returns the name that is most like another one, "" if none is like it.
func nearest(name string, names []string) (best string) {
	least := max(2, len(name)/3) + 1
	for _, candidate := range names {
		distance := edits(name, candidate)
		if strings.Contains(candidate, name) && len(name) > 2 {
			distance = min(distance, 2)
		}
		if distance < least {
			best, least = candidate, distance
		}
	}
	return best
}

// edits returns the number of letters to change, add or remove between two short texts.
func edits(a, b string) int {
	if len(a) > 64 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(cost, before+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// suggestion returns a next step that names the nearest of some names, or another step.
func suggestion(name string, names []string, other string) string {
	if best := nearest(strings.ToLower(name), names); best != "" {
		return "Did you mean " + best + "? " + other
	}
	return other
}

// known returns the table of a name.
func known(name string) *tables.Table {
	t := tables.Named(name)
	if t == nil {
		var names []string
		for _, t := range tables.All() {
			names = append(names, t.Name)
		}
		refuse(suggestion(name, names, "describe_registry or biofact mirror tables lists the tables."),
			"no table has the name %s", cut(name))
	}
	return t
}
