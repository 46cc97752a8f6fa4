package tool

import (
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// objects reads a list of objects. The answer refers to them by position, so none is dropped: an empty object is an error. A text instead
// of an object is the field that TextField names.
func (t *Tool) objects(a Argument, given []any) (any, error) {
	if a.MaxItems > 0 && len(given) > a.MaxItems {
		return nil, t.tooMany(a, given)
	}
	if err := t.oneText(a, given); err != nil {
		return nil, err
	}
	var out []any
	for i, item := range given {
		one := a
		one.Name, one.List = itemOf(a.Name, i), false
		read, err := t.objectValue(one, a.object(item))
		if err != nil {
			return nil, err
		}
		if read == nil {
			e := t.invalid(one.Name, "must have a field with a value", Show(item), "")
			if e.Hint = t.formHint(a.Name); len(given) > 1 {
				e.Next = entity.Again(t.Name, map[string]any{a.Name: slices.Delete(slices.Clone(given), i, i+1)})
			}
			return nil, e
		}
		out = append(out, read)
	}
	return out, nil
}

// object returns the object for an item that is a text or a number, if the list accepts that. Any other item is returned unchanged.
func (a *Argument) object(item any) any {
	text := strings.TrimSpace(Show(item))
	_, isObject := item.(map[string]any)
	_, isList := items(item)
	if a.TextField == "" || isObject || isList || absent(item) || strings.HasPrefix(text, "{") {
		return item
	}
	return map[string]any{a.TextField: text}
}

// oneText returns an error if the list is one text of several lines: it may be one item or several.
func (t *Tool) oneText(a Argument, given []any) error {
	text, ok := given[0].(string)
	if text = strings.TrimSpace(text); !ok || len(given) > 1 || a.TextField == "" || !strings.Contains(text, "\n") ||
		strings.HasPrefix(text, "{") {
		return nil
	}
	var list []any
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, map[string]any{a.TextField: line})
		}
	}
	e := t.invalid(a.Name, "has several lines, and must be a list with an object for each", text, "")
	e.Next = entity.Again(t.Name, map[string]any{a.Name: list})
	return e
}
