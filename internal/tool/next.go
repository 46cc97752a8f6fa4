package tool

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

const (
	maxNext     = 16 << 10 // bytes of the arguments of a next call
	maxMistakes = 6        // in one call, of which the next call corrects all or none
)

// refused returns an error of a call with its next call, complete and without another mistake, and with hints that name no other one. A
// call that cannot be made here is left out.
func (t *Tool) refused(ctx context.Context, err error, raw json.RawMessage) *entity.Error {
	e := *entity.AsError(err)
	given, _ := t.object(raw)
	hint, named := t.completed(e.Hint, given)
	cause := t.cause(&e)
	if e.Next == nil && named != nil && (named.Tool == t.Name || !cause.Again) { // the hint has the call
		e.Hint, e.Next = hint, named
		return &e
	}
	next := t.corrected(&e, given)
	if e.Hint, e.Next = hint, t.sendable(ctx, next); e.Next == nil {
		return &e
	}
	if cause.Again && next.Tool == t.Name {
		next = entity.Again(t.Name, t.changes(given, next.Arguments))
	}
	e.Hint = strings.TrimSpace(e.Hint + " " + next.Sentence())
	return &e
}

// cause returns the next call that the cause of an error named, also in its hint, or nil.
func (t *Tool) cause(e *entity.Error) *entity.Next {
	about, _, _ := strings.Cut(e.Message, ":")
	switch a, _ := find(t.Arguments, about); {
	case e.Next != nil:
		return e.Next
	case a.Name != "" && !a.Required && isAny(e.Input): // it is to be left open
		return entity.Again(t.Name, map[string]any{about: nil})
	}
	next := calledIn(e.Hint)
	if next != nil && next.Tool == t.Name {
		next.Again = true
	}
	return next
}

// corrected returns the complete call that the cause of an error named, without other mistakes, or nil.
func (t *Tool) corrected(e *entity.Error, given map[string]any) *entity.Next {
	next := t.cause(e)
	if next == nil || !next.Again {
		return next
	}
	return t.settled(t.complete(next, given))
}

// settled returns a call of this tool after the corrections of its own mistakes, or the call of another tool that a mistake leads to; nil
// if a mistake has no correction.
func (t *Tool) settled(next *entity.Next) *entity.Next {
	for range maxMistakes {
		if next == nil || next.Tool != t.Name {
			return next
		}
		err := t.check(json.RawMessage(Show(next.Arguments)))
		if err == nil {
			return next
		}
		next = t.complete(t.cause(entity.AsError(err)), next.Arguments)
	}
	return nil
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

// complete returns a next call with the arguments that were given, without a cursor, which belongs to another call. It returns nil if a
// value would move to an argument that was given with another one, and if nothing is left to ask.
func (t *Tool) complete(next *entity.Next, given map[string]any) *entity.Next {
	if next == nil || !next.Again {
		return next
	}
	moved := slices.Contains(slices.Collect(maps.Values(next.Arguments)), nil)
	for name, value := range next.Arguments {
		if before := Show(given[name]); moved && value != nil && !absent(given[name]) &&
			!strings.Contains(Show(value), before) && !strings.Contains(before, Show(value)) {
			return nil
		}
	}
	base := t.knownArguments("", given, t.Arguments)
	delete(base, "cursor")
	if next = next.Of(base); len(next.Arguments) == 0 {
		return nil
	}
	return next
}

// knownArguments returns the arguments that the tool has, those that are valid in the types of the schema.
func (t *Tool) knownArguments(path string, given map[string]any, known []Argument) map[string]any {
	out := map[string]any{}
	for _, a := range known {
		value := given[a.Name]
		if absent(value) {
			continue
		}
		named := a
		named.Name, out[a.Name] = path+a.Name, value
		inner, isObject := value.(map[string]any)
		if read, err := t.value(named, value); err == nil && read != nil {
			out[a.Name] = a.typed(value, read)
		} else if isObject && a.Fields != nil {
			out[a.Name] = t.knownArguments(named.Name+".", inner, a.Fields)
		}
	}
	return out
}

// typed returns a number or a boolean as it was read, in the type of the schema, and any other value as it was given.
func (a Argument) typed(given, read any) any {
	if !a.List && (a.Type == "integer" || a.Type == "boolean") {
		return read
	}
	return given
}

// changes returns the arguments of to whose values differ from those of from, and nil for those that only from has.
func (t *Tool) changes(from, to map[string]any) map[string]any {
	changed, before := map[string]any{}, t.knownArguments("", from, t.Arguments)
	for name, value := range to {
		if Show(value) != Show(before[name]) {
			changed[name] = value
		}
	}
	for name, value := range from {
		if to[name] == nil && !absent(value) && name != "cursor" {
			changed[name] = nil
		}
	}
	return changed
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
	if !ok || !to.hasRequired(arguments) {
		return nil
	}
	return &entity.Next{Tool: to.Name, Arguments: arguments}
}

func (t *Tool) hasRequired(call map[string]any) bool {
	return !slices.ContainsFunc(t.Arguments, func(a Argument) bool { return a.missing(call) })
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

// conforms reports whether a value is valid by the schema of the argument in tools/list, but for its bounds.
func (a Argument) conforms(value any) bool {
	if list, isList := value.([]any); a.List && !a.Commas {
		a.List = false
		return isList && !slices.ContainsFunc(list, func(item any) bool { return !a.conforms(item) })
	}
	switch value := value.(type) {
	case string:
		return a.Type == "string" && (a.Words == nil || a.AnyWords || slices.Contains(a.Words, value))
	case json.Number:
		return a.Type == "integer"
	case bool:
		return a.Type == "boolean"
	case map[string]any:
		return a.Type == "object" && !slices.ContainsFunc(a.Fields, func(f Argument) bool {
			return !absent(value[f.Name]) && !f.conforms(value[f.Name])
		})
	}
	return false
}

// finish completes the notices of an answer, and the call that they name. The notices read come from the reading of the arguments.
func (t *Tool) finish(ctx context.Context, raw json.RawMessage, read []string, notes *entity.Notes) {
	given, _ := t.object(raw)
	t.joinTexts(given)
	next, all := t.complete(notes.Next, given), []string(nil)
	for _, notice := range slices.Concat(read, notes.Notices) {
		text, named := t.completed(notice, given)
		if all = append(all, t.conforming(text)); next == nil {
			next = named
		}
	}
	notes.Notices, notes.Next = append(all, t.Origin.notices()...), t.sendable(ctx, next)
}
