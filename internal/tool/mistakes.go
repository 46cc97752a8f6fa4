package tool

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// maxMistakes limits the mistakes that one error names.
const maxMistakes = 6

// A refusal is an error, and the arguments that it is about.
type refusal struct {
	*entity.Error
	call map[string]any
}

// refused returns the error of a call. It names every mistake of the arguments, and its hint has the call that corrects all of them, or no
// call.
func (t *Tool) refused(err error, raw json.RawMessage) *entity.Error {
	if e := entity.AsError(err); e.Next != nil && (!e.Next.Again || !isMistake(e) || t.works(t.complete(e.Next, raw))) {
		return e // the cause named the call
	}
	given, notObject := t.object(raw)
	found := []refusal{{t.completeHint(err, raw), given}}
	if len(raw) > maxArguments || notObject != nil || !isMistake(found[0].Error) {
		return found[0].Error
	}
	complete := true // the hints so far have one call each
	for last := found[0]; len(found) < maxMistakes; last = found[len(found)-1] {
		next, corrected := t.next(last)
		text := json.RawMessage(Show(next))
		err := t.check(text)
		if next == nil || err == nil {
			break
		}
		r := refusal{t.completeHint(err, text), next}
		if about := t.subject(r.Message); !corrected && about != "" && about == t.subject(last.Message) {
			break // the valid value has caused it
		}
		found, complete = append(found, r), complete && corrected
	}
	if len(found) == 1 {
		return found[0].Error
	}
	return t.joined(found, complete)
}

// works reports whether the arguments of a call have no mistake.
func (t *Tool) works(next *entity.Next) bool {
	return next != nil && t.check(json.RawMessage(Show(next.Arguments))) == nil
}

// check returns the error of a call if its arguments are the cause. The call is cancelled, so that no source is asked.
func (t *Tool) check(raw json.RawMessage) (err error) {
	defer func() {
		if recover() != nil { // the call itself reports it
			err = nil
		}
	}()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	args, _, err := t.read(raw)
	if err == nil {
		_, _, err = t.call(ctx, args, func(*entity.Notes) {})
	}
	if err == nil || !isMistake(entity.AsError(err)) {
		return nil
	}
	return err
}

// isMistake reports whether the arguments of a call are the cause of an error.
func isMistake(err *entity.Error) bool {
	return slices.Contains([]entity.Code{entity.InvalidInput, entity.AmbiguousQuery, entity.UnresolvedEntity}, err.Code)
}

// next returns the call in which other mistakes are looked for: the one of the hint, if it has only one, or the refused one with a valid
// value in place of the wrong argument. The result is nil without such a call.
func (t *Tool) next(r refusal) (call map[string]any, corrected bool) {
	if r.Code == entity.UnresolvedEntity {
		return nil, false
	}
	t.ownCalls(r.Hint, func(own map[string]any) string {
		if call == nil {
			call = own
		}
		return ""
	})
	switch objects := objectsIn(r.Hint); {
	case call != nil:
		return call, objects == 1 && corrects(r.Hint)
	case objects > 0: // another tool answers
		return nil, false
	}
	call = maps.Clone(r.call)
	if name := t.subject(r.Message); name != "" {
		if call[name] = t.argument(name).validValue(); call[name] == nil {
			return nil, false
		}
	} else {
		maps.DeleteFunc(call, func(name string, _ any) bool { return t.argument(name).Name == "" })
	}
	if Show(call) == Show(r.call) {
		return nil, false
	}
	return call, false
}

// validValue returns a value that the argument takes, or nil if none is known.
func (a Argument) validValue() any {
	switch {
	case a.Type == "integer":
		return a.Minimum
	case a.Type == "boolean":
		return false
	case a.Words != nil && !a.AnyWords:
		return a.Words[0]
	case a.Example != "":
		return a.example()
	}
	return nil
}

// joined returns the error of several mistakes. If a hint has not exactly one call, the calls of the tool are written in words, as none of
// them corrects all.
func (t *Tool) joined(found []refusal, complete bool) *entity.Error {
	all, last := *found[0].Error, found[len(found)-1]
	all.Message = ""
	var hints []string
	for _, r := range found {
		all.Message += " " + r.Message
		hint := t.ownCalls(r.Hint, func(own map[string]any) string { return inWords("", t.changes(r.call, own)) })
		if _, renamed, ok := strings.Cut(r.Hint, "}: "); ok && strings.HasPrefix(r.Message, t.Name+" has no ") {
			hint = "Use " + renamed
		}
		hints = append(hints, hint)
	}
	all.Message, all.Hint = all.Message[1:], strings.Join(slices.Compact(hints), " ")
	if complete && corrects(last.Hint) || last.Code == entity.UnresolvedEntity {
		all.Hint = last.Hint
	}
	return &all
}

// corrects reports whether a hint has calls, and none of them is an example.
func corrects(hint string) bool { return objectsIn(hint) > 0 && !strings.Contains(hint, "such as {") }

// changes returns the arguments of to whose values differ from those of from, and null for those that only from has.
func (t *Tool) changes(from, to map[string]any) map[string]any {
	changed := map[string]any{}
	for name, value := range to {
		if Show(value) != Show(from[name]) {
			changed[name] = value
		}
	}
	for _, a := range t.Arguments {
		if to[a.Name] == nil && !absent(from[a.Name]) && a.Name != "cursor" {
			changed[a.Name] = nil
		}
	}
	return changed
}
