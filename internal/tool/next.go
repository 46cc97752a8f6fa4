package tool

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// maxNext limits the arguments of a next call in bytes.
const maxNext = 16 << 10

// complete returns a next call with the arguments that raw has: those that are valid, without a cursor, which belongs to another call.
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
	return next.Of(base)
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
	to, arguments := t.all[i], map[string]any{}
	text, err := entity.JSON(next.Of(nil).Arguments)
	if err != nil || len(text) > maxNext || decode(text, &arguments) != nil {
		return nil
	}
	for name, value := range arguments {
		a, known := find(to.Arguments, name)
		if !known {
			return nil
		}
		if !a.conforms(value) {
			read, err := to.value(a, value)
			if err != nil || read == nil {
				return nil
			}
			arguments[name] = read
		}
	}
	if slices.ContainsFunc(to.Arguments, func(a Argument) bool { return a.missing(arguments) }) {
		return nil
	}
	return &entity.Next{Tool: to.Name, Arguments: arguments}
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
