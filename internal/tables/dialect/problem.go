package dialect

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/agnivade/levenshtein"

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
		distance := levenshtein.ComputeDistance(name, candidate)
		if strings.Contains(candidate, name) && len(name) > 2 {
			distance = min(distance, 2)
		}
		if distance < least {
			best, least = candidate, distance
		}
	}
	return best
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

// refusedWords lists refused words at the begin of a statement, with the reason.
var refusedWords = map[string]string{
	"insert": writes, "update": writes, "delete": writes, "merge": writes, "replace": writes, "create": writes, "drop": writes,
	"alter": writes, "truncate": writes, "copy": writes, "grant": writes, "revoke": writes, "comment": writes, "import": writes,
	"attach": files, "detach": files, "vacuum": files, "reindex": files, "analyze": files, "load": files, "pragma": settings,
	"set": settings, "reset": settings, "show": settings, "explain": settings, "describe": settings, "desc": settings, "use": settings,
	"begin": settings, "start": settings, "commit": settings, "end": settings, "rollback": settings, "savepoint": settings,
	"release": settings, "abort": settings, "lock": settings, "declare": settings, "fetch": settings, "execute": settings,
	"prepare": settings, "do": settings, "call": settings, "listen": settings, "discard": settings,
}

const (
	writes   = "it would change data; the tables are read only"
	files    = "it acts on files; the tables are read only"
	settings = "only queries are read"
)

const oneQuery = "Send one query that begins with SELECT, WITH or VALUES, as in SELECT count(*) FROM studies."

//go:embed words.txt
var wordTable string

// constructs maps the words and signs that are not read to the remedy.
var constructs = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(wordTable) {
		if word, remedy, _ := strings.Cut(strings.TrimSpace(line), " "); word != "#" {
			all[word] = remedy
		}
	}
	return all
})
