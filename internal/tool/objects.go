package tool

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// objects reads a list of objects. The answer refers to them by position, so none is dropped: an empty object is an error. A text instead
// of an object is the field that TextField names.
func (t *Tool) objects(a Argument, given []any) (any, error) {
	if a.MaxItems > 0 && len(given) > a.MaxItems {
		return nil, t.tooMany(a, len(given), given)
	}
	if err := t.oneText(a, given); err != nil {
		return nil, err
	}
	var out []any
	var mistakes, empty []*entity.Error
	for i, item := range given {
		one := a
		one.Name, one.List = itemOf(a.Name, i), false
		read, err := t.objectValue(one, a.object(item))
		if err == nil && read == nil {
			none := t.invalid(one.Name, "must have a field with a value", Show(item),
				"Call "+t.Name+" again with "+Show(map[string]any{one.Name: nil})+": without "+one.Name+".")
			err, empty = none, append(empty, none)
		}
		if err != nil {
			mistakes = append(mistakes, entity.AsError(err))
		}
		out = append(out, read)
	}
	for _, e := range empty {
		switch { // a call without the empty items may be empty, or too long for a hint
		case len(empty) == len(given):
			e.Hint = t.formHint(a.Name)
		case len(Show(given)) > maxHintCall:
			e.Hint = "Leave the empty items of " + a.Name + " out, and call " + t.Name + " again."
		}
	}
	if len(mistakes) > 0 {
		return nil, combine(mistakes)
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
	call := Object(a.Name, list)
	if len(call) > maxHintCall {
		call = Object(a.Name, list[:1]) + " and an object for each other line"
	}
	return t.invalid(a.Name, "has several lines, and must be a list with an object for each", text, "Call "+t.Name+" again with "+call+".")
}

// itemName matches the name of an item.
var itemName = lazyregexp.New(`^(\w+)\[([0-9]{1,6})\]$`)

// combine returns the first of several errors in a list. Its hint corrects the others, too.
func combine(mistakes []*entity.Error) error {
	first := *mistakes[0]
	all := map[string]any{}
	for _, e := range mistakes {
		changeObjects(e.Hint, func(correction map[string]any) string {
			for name, value := range correction {
				if _, known := all[name]; !known && itemName.MatchString(name) {
					all[name] = value
				}
			}
			return ""
		})
	}
	switch others := len(mistakes) - 1; {
	case others == 1:
		first.Message += " Another item has mistakes, too."
	case others > 1:
		first.Message += fmt.Sprintf(" %d more items have mistakes.", others)
	}
	if len(all) > 1 {
		first.Hint = changeObjects(first.Hint, func(map[string]any) string { return Show(all) })
	}
	return &first
}

// itemsCorrected applies corrections of items to the lists of the call; null removes an item. complete reports whether the items have all
// given fields.
func (t *Tool) itemsCorrected(given, correction map[string]any) (corrected map[string]any, complete bool) {
	corrected, complete = map[string]any{}, true
	for _, name := range slices.Sorted(maps.Keys(correction)) {
		value := correction[name]
		m := itemName.FindStringSubmatch(name)
		if m == nil {
			corrected[name] = value
			continue
		}
		list, ok := corrected[m[1]].([]any)
		if !ok {
			list = slices.Clone(oneOrMore(given[m[1]]))
		}
		if i, err := strconv.Atoi(m[2]); err == nil && i < len(list) {
			before := list[i]
			list[i] = t.itemCorrected(t.argument(m[1]), before, value)
			complete = complete && (value == nil || !loses(t.argument(m[1]).Fields, before, list[i], nil))
		}
		corrected[m[1]] = list
	}
	for name, list := range corrected {
		if list, ok := list.([]any); ok {
			corrected[name] = slices.DeleteFunc(list, func(item any) bool { return item == nil })
		}
	}
	return corrected, complete
}

// itemCorrected returns an item with its valid fields and a correction, which may be an example of the list.
func (t *Tool) itemCorrected(a Argument, item, correction any) any {
	if list, ok := items(correction); ok && len(list) > 0 {
		return list[0]
	}
	fields, ok := correction.(map[string]any)
	given, isObject := item.(map[string]any)
	if !ok || !isObject {
		return correction
	}
	corrected := map[string]any{}
	for _, f := range a.Fields {
		if value, has := given[f.Name]; has && !absent(value) {
			if _, err := t.scalar(f, value); err == nil {
				corrected[f.Name] = value
			}
		}
	}
	maps.Copy(corrected, fields)
	return corrected
}
