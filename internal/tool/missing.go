package tool

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// Missing returns the message for a call of a tool that is not served: it names the tool that does the same, or states that no tool does.
// reason returns why a tool of all cannot be used, or "" if it can. If the arguments of the call are those of the named tool, the message
// has the whole call.
func Missing(name string, arguments json.RawMessage, all []*Tool, reason func(*Tool) string) string {
	var usable []string
	for _, t := range all {
		if reason(t) == "" {
			usable = append(usable, t.Name)
		}
	}
	name = entity.Cut(entity.Clean(name), 80)
	text := "The tool " + name + " does not exist"
	t, same := meantTool(name, all, usable)
	if t == nil {
		if bare := withoutPrefix(name); bare != name {
			t, same = meantTool(bare, all, usable)
		}
	}
	switch {
	case name == "":
		text = "The call names no tool: its name is empty."
	case t == nil:
		text += ", and no tool is known by this name."
	default:
		why := reason(t)
		switch {
		case t.Name == name:
			text = "The tool " + name + " cannot be used here: " + why + "."
		case !same && why != "":
			text += ", and no tool does the same. The nearest would be " + t.Name + ", but " + why + "."
		case !same:
			text += ", and no tool does the same. The nearest is " + t.Name + " (" + t.Title + ")." + t.callOf(arguments, usable)
		case why != "":
			text += ". " + t.Name + " would do it, but " + why + "."
		default:
			text += ". Use " + t.Name + " (" + t.Title + ")." + t.callOf(arguments, usable)
		}
	}
	if len(usable) == 0 {
		return text
	}
	return text + " The tools are " + strings.Join(usable, ", ") + "."
}

// callOf returns a sentence with the call of the tool that has these arguments, or with the call that a mistake in them leads to; "" if it
// would be refused.
func (t *Tool) callOf(arguments json.RawMessage, usable []string) string {
	given, err := t.object(arguments)
	if err != nil || len(given) == 0 {
		return ""
	}
	next := t.settled(entity.Call(t.Name, t.knownArguments("", given, t.Arguments)))
	if next == nil || !slices.Contains(usable, next.Tool) || len(Show(next.Arguments)) > maxHintCall {
		return ""
	}
	return t.conforming(" Call " + next.Tool + " with " + Show(next.Arguments) + ".")
}

// withoutPrefix returns a name without the server name that clients write before it: biofact__search_trials, biofact.search_trials.
func withoutPrefix(name string) string {
	for _, separator := range []string{"__", ".", "/", ":"} {
		if i := strings.LastIndex(name, separator); i >= 0 {
			name = name[i+len(separator):]
		}
	}
	return name
}

// NotServed returns the reason that a tool is not served.
func NotServed(t *Tool) string {
	if t.Setting == "BIOFACT_TOOLS" {
		return "it is not served (BIOFACT_TOOLS)"
	}
	return "its toolset " + t.Toolset + " is not served (BIOFACT_TOOLSETS)"
}

// meantTool returns the tool that a caller means by a name; same reports whether it does the same. Similar spellings match only tools that
// can be used.
func meantTool(name string, all []*Tool, usable []string) (t *Tool, same bool) {
	for _, t := range all {
		if matchesAny(name, t.Also, t.Name) {
			return t, true
		}
		if matchesAny(name, t.InsteadOf) {
			return t, false
		}
	}
	near := Nearest(name, usable)
	i := slices.IndexFunc(all, func(t *Tool) bool { return t.Name == near })
	if i < 0 {
		return nil, false
	}
	return all[i], true
}
