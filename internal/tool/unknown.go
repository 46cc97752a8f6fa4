package tool

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// replaces returns a sentence about an unknown name that the argument stands for with other values.
func (a *Argument) replaces(name, shown, path string) string {
	i := slices.IndexFunc(a.Tags, func(t Tag) bool { return matchesAny(name, t.Names) })
	if i < 0 || len(a.areaTerms(a.Tags[i].Tag)) == 0 {
		return fmt.Sprintf("For %s use %s: %s.", shown, path+a.Name, a.Description)
	}
	return fmt.Sprintf("For %s give %s as one of %s.", shown, path+a.Name, strings.Join(a.areaTerms(a.Tags[i].Tag), ", "))
}

// presentation has the names of arguments that change only the form of an answer: a call without them asks the same question.
var presentation = []string{"fields", "return_fields", "format", "output", "output_format", "response_format", "verbose", "limit",
	"page_size", "max_results"}

// withKnownNames returns the arguments of a tool, or the fields of an object at a path, with known names in place of unknown ones, and
// notices. If an unknown name may have several meanings, or none, all names stay as they are.
func (t *Tool) withKnownNames(path string, given map[string]any, known []Argument) (_ map[string]any, notices []string) {
	unknownNames := unknownNames(given, known)
	if len(unknownNames) > 0 {
		c := t.correction(path, unknownNames, given, known)
		if !c.certain() {
			return given, nil
		}
		given = c.call
		notice := "Read with " + strings.Join(c.renamed, ", ")
		for _, name := range c.tagged {
			notice += ": " + inWords(path, map[string]any{name: given[name]})
		}
		notices = []string{notice + "."}
	}
	for _, a := range known {
		if _, isText := given[a.Name].(string); isText || a.Fields == nil || absent(given[a.Name]) {
			continue
		}
		read := slices.Clone(oneOrMore(given[a.Name]))
		for i, item := range read {
			if fields, isObject := item.(map[string]any); isObject {
				inner, more := t.withKnownNames(path+a.Name+".", fields, a.Fields)
				read[i], notices = inner, append(notices, more...)
			}
		}
		given = maps.Clone(given)
		if given[a.Name] = any(read); !a.List && len(read) == 1 {
			given[a.Name] = read[0]
		}
	}
	slices.Sort(notices)
	return given, slices.Compact(notices)
}

// unknownNames returns the names that no argument has, sorted.
func unknownNames(given map[string]any, known []Argument) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(given)), func(name string) bool { _, ok := find(known, name); return ok })
}

// unknown returns the error for all arguments that the tool does not have: if one were ignored, the answer would be for another question.
// The path leads to an argument that is an object, or is empty.
func (t *Tool) unknown(path string, unknownNames []string, given map[string]any, known []Argument) *entity.Error {
	c := t.correction(path, unknownNames, given, known)
	hint, complete := t.correctedCall(&c, c.unmatched)
	hint = slices.Concat(hint, c.elsewhere, c.replacements[:min(len(c.replacements), maxListed)])
	if !complete {
		hint = append(hint, t.argumentList(path, known))
	}
	what := "argument "
	if len(c.named) > 1 {
		what = "arguments "
	}
	return &entity.Error{
		Code: entity.InvalidInput, Message: t.Name + " has no " + what + Listed(c.named) + ".",
		Hint: strings.Join(hint, " "), Input: strings.Join(c.named, ", "),
	}
}

// movesWords reports whether another tool takes words of this one beside the moved names.
func (t *Tool) movesWords(moved []string) bool {
	return slices.ContainsFunc(t.Elsewhere, func(e Elsewhere) bool {
		return slices.ContainsFunc(moved, func(name string) bool { return matchesAny(name, e.Beside) })
	})
}

// correction returns what unknown names of a call may mean.
func (t *Tool) correction(path string, unknownNames []string, given map[string]any, known []Argument) correction {
	given = labelled(given, unknownNames)
	elsewhere, moved := t.elsewhere(path, unknownNames, given)
	c := correction{path: path, call: without(given, unknownNames), known: known, elsewhere: elsewhere}
	c.lost = t.movesWords(moved)
	for _, name := range tagsLast(unknownNames, known) {
		shown := path + cmp.Or(entity.Cut(entity.Clean(name), 40), `""`)
		c.named = append(c.named, shown)
		m := meantArgument(name, known)
		switch {
		case c.skip(m.argument, name, shown, given[name]):
		case slices.Contains(moved, name) || c.tag(name, shown, given[name]):
			c.drop(shown, slices.Contains(moved, name))
		case m.argument == nil && (c.field(name, shown, given[name]) || c.group(shown, given[name])):
		case m.argument == nil:
			c.unmatched = append(c.unmatched, shown)
			c.drop(shown, true)
			c.lost = c.lost || !matchesAny(name, presentation) && !absent(given[name])
		case !m.same:
			c.drop(shown, true)
			c.lost = c.lost || m.argument.Name != "cursor" // without it a call returns the first page
			c.replacements = append(c.replacements, m.argument.replaces(name, shown, path))
		case m.end != "":
			c.setEnd(m, shown, given[name])
		default:
			c.rename(m.argument.Name, shown, given[name])
		}
	}
	return c
}

// labelled returns the arguments with the label of a bare number that only its name has: 7383595 in pmcid is PMC7383595, and without the
// label a PMID.
func labelled(given map[string]any, names []string) map[string]any {
	label := func(value any) any {
		if text := Show(value); text != "" && strings.Trim(text, "0123456789") == "" {
			return "PMC" + text
		}
		return value
	}
	given = maps.Clone(given)
	for _, name := range names {
		if !strings.HasPrefix(entity.Fold(name), "pmc") {
			continue
		}
		if list, isList := items(given[name]); isList {
			list = slices.Clone(list)
			for i, value := range list {
				list[i] = label(value)
			}
			given[name] = list
		} else {
			given[name] = label(given[name])
		}
	}
	return given
}

// tagsLast returns names with those of field tags at the end: they are added to the query, which may have another name itself.
func tagsLast(names []string, known []Argument) []string {
	var tags, others []string
	for _, name := range names {
		if slices.ContainsFunc(known, func(a Argument) bool {
			return slices.ContainsFunc(a.Tags, func(t Tag) bool { return matchesAny(name, t.Names) })
		}) {
			tags = append(tags, name)
		} else {
			others = append(others, name)
		}
	}
	return append(others, tags...)
}

// correctedCall returns a hint with the corrected call, or with the corrections. complete reports whether the call has all arguments of the
// failed one.
func (t *Tool) correctedCall(c *correction, unmatched []string) (hint []string, complete bool) {
	if ready := t.readyCall(c.path, c.call, c.known); ready != "" && !c.conflict && !c.lost {
		if len(c.dropped) > 0 {
			c.renamed = append(c.renamed, "without "+Listed(c.dropped))
		}
		return []string{ready + ": " + strings.Join(c.renamed, ", ") + "."}, len(c.dropped) == 0
	}
	if len(c.renamed) > 0 {
		hint = append(hint, "Use "+Listed(c.renamed)+".")
	}
	if len(unmatched) > 0 {
		hint = append(hint, "No argument means the same as "+Listed(unmatched)+".")
	}
	return hint, false
}

func without(given map[string]any, names []string) map[string]any {
	rest := map[string]any{}
	for name, value := range given {
		if !slices.Contains(names, name) && !absent(value) {
			rest[name] = value
		}
	}
	return rest
}

// argumentList lists the arguments of the tool, or of an object at a path.
func (t *Tool) argumentList(path string, known []Argument) string {
	var names []string
	for _, a := range known {
		names = append(names, path+a.Name)
	}
	return t.Name + " takes " + strings.Join(names, ", ") + "."
}

// readyCall returns a hint with corrected arguments, or "" if the call would be refused or is too long.
func (t *Tool) readyCall(path string, corrected map[string]any, known []Argument) string {
	if len(corrected) == 0 {
		return ""
	}
	corrected = spread(corrected, known)
	for _, a := range known {
		if _, single := corrected[a.Name].(map[string]any); single && a.List {
			corrected[a.Name] = []any{corrected[a.Name]}
		}
		list, several := items(corrected[a.Name])
		if several && !a.List && len(list) > 1 && !absent(list[0]) { // once for each value, as the hint states
			corrected[a.Name] = list[0]
		}
	}
	if slices.ContainsFunc(known, func(a Argument) bool { return a.missing(corrected) }) {
		return ""
	}
	corrected = t.knownArguments(path, corrected, known)
	call, arguments := " with ", any(corrected)
	if path != "" {
		call, arguments = " again with ", map[string]any{strings.TrimSuffix(path, "."): corrected}
	}
	text := Show(arguments)
	if len(text) > maxHintCall {
		return ""
	}
	return "Call " + t.Name + call + text
}
