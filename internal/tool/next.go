package tool

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// maxNext limits the arguments of a next call in bytes.
const maxNext = 16 << 10

// complete returns a next call with the arguments that raw has: those that are valid, without a cursor, which belongs to another call. It
// returns nil if a value would move to an argument that was given with another one, and if nothing is left to ask.
func (t *Tool) complete(next *entity.Next, raw json.RawMessage) *entity.Next {
	if next == nil || !next.Again {
		return next
	}
	given, err := t.object(raw)
	if err != nil {
		return nil
	}
	base := t.knownArguments("", given, t.Arguments)
	delete(base, "cursor")
	moved := slices.Contains(slices.Collect(maps.Values(next.Arguments)), nil)
	for name, value := range next.Arguments {
		if moved && value != nil && !absent(given[name]) {
			return nil
		}
	}
	if next = next.Of(base); len(next.Arguments) == 0 {
		return nil
	}
	return next
}

// sendable returns a next call as a client can send it: of a tool that is served and can answer, in the types of its input schema, and with
// its required arguments. Without such a call it returns nil.
func (t *Tool) sendable(ctx context.Context, next *entity.Next) *entity.Next {
	if next == nil || next.Again {
		return nil
	}
	i := slices.IndexFunc(t.all, func(other *Tool) bool { return other.Name == next.Tool })
	if i < 0 || t.all[i].Setting != "" || !t.all[i].Available(ctx) {
		return nil
	}
	to := t.all[i]
	arguments, ok := to.inListedTypes(next.Of(nil).Arguments)
	if !ok {
		return nil
	}
	if slices.ContainsFunc(to.Arguments, func(a Argument) bool { return a.missing(arguments) }) {
		return nil
	}
	return &entity.Next{Tool: to.Name, Arguments: arguments}
}

// inListedTypes returns the arguments of a call in the types of tools/list; nil, which removes an argument, stays. The result is false for
// arguments that the tool does not have, and for values that it does not take.
func (t *Tool) inListedTypes(given map[string]any) (arguments map[string]any, ok bool) {
	text, err := entity.JSON(given)
	if err != nil || len(text) > maxNext || decode(text, &arguments) != nil {
		return nil, false
	}
	for name, value := range arguments {
		a, known := find(t.Arguments, name)
		if known && value != nil {
			arguments[name], known = t.listed(a, value)
		}
		if !known {
			return nil, false
		}
	}
	return arguments, true
}

// listed returns a value in the type that the argument has in tools/list, as some clients check it: a list in place of one value, a text
// with commas in place of a list, and the spelling of the schema in place of another one. The result is false if the schema has no such
// value.
func (t *Tool) listed(a Argument, value any) (any, bool) {
	if a.conforms(value) {
		return value, true
	}
	read, err := t.value(a, value)
	list, isList := read.([]any)
	if err != nil || read == nil || !a.Commas || !isList {
		return read, err == nil && read != nil
	}
	var texts []string
	for _, item := range list {
		if text := Show(item); len(list) == 1 || !strings.Contains(text, ",") { // Korea, Republic of
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, ","), len(texts) == len(list)
}

// finish completes the notices of an answer, and the call that they name. The notices read come from the reading of the arguments.
func (t *Tool) finish(ctx context.Context, raw json.RawMessage, read []string, notes *entity.Notes) {
	complete, all := t.completeCalls(raw, "", ""), []string(nil)
	next := t.complete(notes.Next, raw)
	for _, notice := range slices.Concat(read, notes.Notices) {
		notice = t.conforming(complete(notice))
		if all = append(all, notice); next == nil {
			next = calledIn(notice)
		}
	}
	notes.Notices, notes.Next = append(all, t.Origin.notices()...), t.sendable(ctx, next)
}

// calledIn returns the first call in a text, or nil for none. It leaves out examples.
func calledIn(text string) (next *entity.Next) {
	if !corrects(text) {
		return nil
	}
	eachCall(text, func(tool string, _ bool, part string) string {
		return changeObjects(part, func(object map[string]any) string {
			if next == nil && tool != "" {
				next = entity.Call(tool, object)
			}
			return ""
		})
	})
	return next
}
