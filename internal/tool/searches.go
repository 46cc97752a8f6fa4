package tool

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// searches reads the arguments that hold those of another tool, and writes them as that tool reads them. A mistake among them is an error
// whose call is of that tool.
func (t *Tool) searches(given map[string]any) (notices []string, err error) {
	for _, a := range t.Arguments {
		at := slices.IndexFunc(t.all, func(other *Tool) bool { return other.Name == a.Search })
		if a.Search == "" || at < 0 || absent(given[a.Name]) {
			continue
		}
		search, raw := t.all[at], json.RawMessage(Show(given[a.Name]))
		var object map[string]any
		if decode(raw, &object) != nil {
			hint := t.formHint(a.Name)
			if text, isText := given[a.Name].(string); isText && !strings.ContainsAny(text, `{}[]"=:`) {
				hint = "Call " + t.Name + " again with " + Object(a.Name, Object("query", text)) + "."
			}
			return nil, t.invalid(a.Name, "must be the arguments of "+a.Search+" as one JSON object", Show(given[a.Name]), hint)
		}
		read, more, err := search.read(raw)
		if err != nil {
			e := *entity.AsError(err)
			next := search.corrected(&e, object)
			e.Message, e.Next = a.Name+": "+e.Message, nil
			e.Hint = strings.ReplaceAll(e.Hint, "Call "+search.Name+" again", "Give "+a.Name)
			if next != nil && next.Tool == search.Name {
				e.Next = entity.Again(t.Name, map[string]any{a.Name: Show(next.Arguments)})
			}
			return nil, &e
		}
		given[a.Name] = string(read)
		for _, notice := range more {
			notices = append(notices, a.Name+": "+notice)
		}
	}
	return notices, nil
}
