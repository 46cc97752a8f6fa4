package tool

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// A correction turns a call with unknown argument names into one with known names.
type correction struct {
	path     string
	known    []Argument
	call     map[string]any
	renamed  []string // descriptions of the changes
	dropped  []string // names whose values are not in the call
	conflict bool     // two names map to one argument
	lost     bool     // the call lacks a value that was given
	tagged   []string // arguments to which field tags were added
	several  bool     // an argument that takes one value has several

	named        []string // the unknown names
	unmatched    []string // names without a meaning
	replacements []string // sentences about names that an argument stands for with other values
	elsewhere    []string // hints with calls of other tools
}

// certain reports whether the call is the one that was meant: each name has one meaning, and each value is in the call.
func (c *correction) certain() bool {
	return !c.conflict && !c.lost && !c.several && len(c.dropped)+len(c.replacements)+len(c.elsewhere) == 0
}

// setEnd sets one end of a range. The other end may be set already.
func (c *correction) setEnd(m meaning, shown string, value any) {
	c.renamed = append(c.renamed, c.path+m.argument.Name+" instead of "+shown)
	text, other := strings.TrimSpace(Show(value)), ""
	if given, isText := c.call[m.argument.Name].(string); isText {
		from, to, _ := strings.Cut(given, "..")
		if other = to; m.end == rangeTo {
			other = from
		}
		c.conflict = c.conflict || from != "" && m.end == rangeFrom || to != "" && m.end == rangeTo
	} else if c.call[m.argument.Name] != nil {
		c.conflict = true
	}
	switch {
	case absent(value):
	case m.end == rangeFrom:
		c.call[m.argument.Name] = text + ".." + other
	default:
		c.call[m.argument.Name] = other + ".." + text
	}
}

// skip reads the number of a page or of the rows before it, and reports whether that is the first page, or one that the cursor takes.
func (c *correction) skip(cursor *Argument, name, shown string, value any) bool {
	n, ok := integer(value)
	ok = ok && cursor != nil && cursor.Name == "cursor"
	rows := matchesAny(name, []string{"offset", "skip", "start", "retstart"})
	switch text := n.String(); {
	case !ok || c.call[cursor.Name] != nil || strings.HasPrefix(text, "-"):
		return false
	case rows && text == "0" || !rows && text == "1":
		c.renamed = append(c.renamed, "the first page for "+shown)
	case rows && atMost(text, cursor.Skips):
		c.call[cursor.Name] = Skip + text
		c.renamed = append(c.renamed, "the rows after the first "+text+" for "+shown)
	default:
		return false
	}
	return true
}

func atMost(digits string, limit int) bool {
	n, err := strconv.Atoi(digits)
	return err == nil && n <= limit
}

// Skip begins a cursor that skips a number of rows, which follows.
const Skip = "skip "

// drop records a name whose value is not in the call.
func (c *correction) drop(shown string, lacks bool) {
	if lacks {
		c.dropped = append(c.dropped, shown)
	}
}

// rename assigns the value of an unknown name to an argument.
func (c *correction) rename(argument, shown string, value any) {
	words := c.path + argument + " instead of " + shown
	i := slices.IndexFunc(c.known, func(a Argument) bool { return a.Name == argument })
	if list, several := items(value); several && len(list) > 1 && !c.known[i].List {
		switch {
		case c.known[i].Either:
			value, words = anyOf(list), words+", its values joined by OR"
		case len(spread(map[string]any{argument: value}, c.known)) == 1:
			words += ", once for each value"
			c.several = true
		}
	}
	if c.known[i].Words != nil && !c.known[i].Required && slices.Contains(anyValue, strings.ToLower(Show(value))) {
		value, words = nil, "without "+shown
	}
	c.renamed = append(c.renamed, words)
	_, twice := c.call[argument]
	c.conflict = c.conflict || twice
	if !absent(value) {
		c.call[argument] = value
	}
}

// field assigns the value of an unknown name to a field of an argument that is an object: minDate to dateRange.minDate.
func (c *correction) field(name, shown string, value any) bool {
	for _, a := range c.known {
		for _, f := range a.Fields {
			if f.Words != nil || !matchesAny(name, f.Also, f.Name) {
				continue
			}
			inner, _ := c.call[a.Name].(map[string]any)
			_, twice := inner[f.Name]
			c.conflict = c.conflict || twice || c.call[a.Name] != nil && inner == nil
			c.renamed = append(c.renamed, a.Name+"."+f.Name+" instead of "+shown)
			if !absent(value) && !c.conflict {
				fields := map[string]any{f.Name: value}
				maps.Copy(fields, inner)
				c.call[a.Name] = fields
			}
			return true
		}
	}
	return false
}

// group reads an object that holds arguments, such as filters {"condition": "asthma"}, as the arguments themselves.
func (c *correction) group(shown string, value any) bool {
	held, _ := value.(map[string]any)
	names := slices.Sorted(maps.Keys(held))
	unclear := func(name string) bool { m := meantArgument(name, c.known); return !m.same || m.end != "" }
	if len(names) == 0 || slices.ContainsFunc(names, unclear) {
		return false
	}
	for _, name := range names {
		c.rename(meantArgument(name, c.known).argument.Name, shown+"."+name, held[name])
	}
	return true
}

// tag adds the value of an unknown name to a query, with its field tag.
func (c *correction) tag(name, shown string, value any) bool {
	for _, a := range c.known {
		i := slices.IndexFunc(a.Tags, func(t Tag) bool { return matchesAny(name, t.Names) })
		if i < 0 || absent(value) {
			continue
		}
		term, tag := a.taggedTerm(value, a.Tags[i].Tag), a.Tags[i].Tag
		if term == "" {
			return false
		}
		query, asText := c.call[a.Name].(string)
		switch {
		case asText && strings.Contains(query, " OR "):
			term = "(" + query + ") AND " + term
		case asText:
			term = query + " AND " + term
		case c.call[a.Name] != nil:
			return false
		}
		c.call[a.Name], c.tagged = term, []string{a.Name}
		switch {
		case tag == "words":
			c.renamed = append(c.renamed, shown+" as words of "+a.Name)
		case isArea(tag):
			c.renamed = append(c.renamed, shown+" in "+a.Name)
		default:
			c.renamed = append(c.renamed, shown+" as ["+tag+"] in "+a.Name)
		}
		return true
	}
	return false
}

// isArea reports whether a tag is an area of ClinicalTrials.gov, and not a field of Entrez.
func isArea(tag string) bool { return strings.HasPrefix(tag, "AREA[") }

// taggedTerm returns the query term for a value, or for several values of which one must match; "" if a value is not one that the tag
// takes.
func (a *Argument) taggedTerm(value any, tag string) string {
	var terms []string
	for _, item := range oneOrMore(value) {
		text := strings.ReplaceAll(strings.TrimSpace(Show(item)), `"`, " ")
		if isArea(tag) {
			if text = a.areaTerm(text, tag); text == "" {
				return ""
			}
			terms = append(terms, text)
			continue
		}
		if strings.ContainsAny(text, " ,") && tag != "words" {
			text = `"` + text + `"`
		}
		if tag != "words" {
			text += "[" + tag + "]"
		}
		terms = append(terms, text)
	}
	if len(terms) == 1 {
		return terms[0]
	}
	return "(" + strings.Join(terms, " OR ") + ")"
}

// meshID matches the id of a term of MeSH: D001249.
var meshID = lazyregexp.New(`^[CD][0-9]{6,9}$`)

// areaTerm returns the term of an area for a text: the text as a phrase, or the value that the text means; "" for other texts.
func (a *Argument) areaTerm(text, tag string) string {
	if meshID.MatchString(text) {
		tag = strings.Replace(tag, "MeshTerm", "MeshId", 1)
	}
	if strings.HasSuffix(tag, `"`) {
		return tag + text + `"`
	}
	for words, values := range a.Means {
		if strings.HasPrefix(values[0], tag) && entity.Fold(words) == entity.Fold(text) {
			return values[0]
		}
	}
	return ""
}

// areaTerms returns the terms of an area that words mean.
func (a *Argument) areaTerms(tag string) []string {
	var terms []string
	for _, values := range a.Means {
		if isArea(tag) && strings.HasPrefix(values[0], tag) {
			terms = append(terms, values[0])
		}
	}
	slices.Sort(terms)
	return slices.Compact(terms)
}

// elsewhere returns hints with calls of other tools that take the values of unknown names, and these names.
func (t *Tool) elsewhere(path string, unknownNames []string, given map[string]any) (calls, moved []string) {
	if path != "" {
		return nil, nil
	}
	read := slices.ContainsFunc(t.Arguments, func(a Argument) bool { return a.Required && !absent(given[a.Name]) })
	for i, e := range t.Elsewhere {
		if read && strings.HasPrefix(e.Tool, "search") && e.Beside == nil {
			continue // the call has the id that a search would find
		}
		if slices.ContainsFunc(t.Elsewhere[:i], func(before Elsewhere) bool { return before.Tool == e.Tool }) {
			continue
		}
		arguments, named := t.movable(e.Tool, unknownNames, given, moved)
		if len(named) == 0 || e.Needs != "" && arguments[e.Needs] == nil || len(Show(arguments)) > maxHintCall {
			continue
		}
		calls = append(calls, "For "+Listed(named)+" call "+e.Tool+" with "+Show(arguments)+".")
		moved = append(moved, named...)
	}
	return calls, moved
}

// movable returns the arguments of another tool that the values of unknown names are, and these names. It leaves out the moved ones.
func (t *Tool) movable(to string, unknownNames []string, given map[string]any, moved []string) (arguments map[string]any, names []string) {
	arguments = map[string]any{}
	for _, e := range t.Elsewhere {
		if e.Tool != to {
			continue
		}
		for _, name := range unknownNames {
			if arguments[e.Argument] == nil && matchesAny(name, e.Names) && !absent(given[name]) && !t.takesID(name, given[name]) &&
				!slices.Contains(moved, name) {
				arguments[e.Argument] = given[name]
				names = append(names, name)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(given)) {
			words, isText := arguments[e.Argument].(string)
			if more := oneOrMore(given[name]); isText && matchesAny(name, e.Beside) && !absent(more) && !t.takesID(name, more) {
				arguments[e.Argument] = anyOf([]any{anyOf(more)}) + " AND " + words
				names = append(names, name)
			}
		}
	}
	return arguments, names
}

// takesID reports whether a name is an alias of a required argument for ids, and its value an id like the example of the argument: digits,
// with or without its prefix.
func (t *Tool) takesID(name string, value any) bool {
	m := meantArgument(name, t.Arguments)
	if m.argument == nil || !m.same || !m.argument.Required {
		return false
	}
	prefix := strings.TrimRight(entity.Fold(m.argument.Example), "0123456789")
	return slices.ContainsFunc(oneOrMore(value), func(item any) bool {
		id := strings.TrimPrefix(entity.Fold(Show(item)), prefix)
		return id != "" && strings.Trim(id, "0123456789") == ""
	})
}
