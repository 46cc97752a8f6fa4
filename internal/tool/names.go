package tool

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// withKnownNames returns the arguments of a tool, or the fields of an object at a path, with known names in place of unknown ones, and
// notices. The known names are the fields of an argument. If a name may have several meanings, or none, all names stay as they are. An
// unknown field of an object in a list is left out.
func (t *Tool) withKnownNames(path string, given map[string]any, argument Argument) (_ map[string]any, notices []string) {
	known := argument.Fields
	if len(unknownNames(given, known)) > 0 {
		r := readNames(path, given, known)
		if r.conflict || len(r.left) > 0 && !argument.List {
			return given, nil
		}
		given, notices = r.call, r.notices()
	}
	for _, a := range known {
		_, isText := given[a.Name].(string)
		_, isList := items(given[a.Name])
		if isText && !isList || a.Fields == nil || absent(given[a.Name]) {
			continue
		}
		read := slices.Clone(oneOrMore(given[a.Name]))
		for i, item := range read {
			if fields, isObject := item.(map[string]any); isObject {
				named, more := t.withKnownNames(path+a.Name+".", fields, a)
				read[i], notices = named, append(notices, more...)
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
// It names the nearest arguments. The next call is without the unknown ones, or that of another tool, which takes their values. The path
// leads to an argument that is an object, or is empty.
func (t *Tool) unknown(path string, given map[string]any, known []Argument) *entity.Error {
	r := readNames(path, given, known)
	if len(r.left) == 0 { // two names mean one argument
		r.left = unknownNames(given, known)
	}
	what := "argument "
	if len(r.left) > 1 {
		what = "arguments "
	}
	shown := slices.Clone(r.left)
	for i, name := range shown {
		shown[i] = path + cmp.Or(entity.Cut(entity.Clean(name), 40), `""`)
	}
	e := &entity.Error{
		Code: entity.InvalidInput, Message: t.Name + " has no " + what + Listed(shown) + ".",
		Hint: "Nearest: " + Listed(nearestNames(path, r.left[0], known)) + ".", Input: strings.Join(shown, ", "),
	}
	if path != "" {
		return e
	}
	if e.Next = t.elsewhere(r.left, given, t.hasRequired(r.call)); e.Next == nil {
		if r.conflict || !t.hasRequired(r.call) {
			return e
		}
		maps.DeleteFunc(r.call, func(name string, _ any) bool { _, same := given[name]; return same })
		e.Next = entity.Again(t.Name, r.call)
	}
	return e
}

// nearestNames returns the three arguments whose names are nearest to an unknown one. One that stands for its values comes first.
func nearestNames(path, name string, known []Argument) (names []string) {
	meant := meantArgument(name, known).argument
	byDistance := slices.Clone(known)
	slices.SortStableFunc(byDistance, func(a, b Argument) int {
		return cmp.Compare(entity.Distance(name, a.Name), entity.Distance(name, b.Name))
	})
	if meant != nil {
		byDistance = slices.Insert(byDistance, 0, *meant)
	}
	for _, a := range byDistance {
		if len(names) < 3 && !slices.Contains(names, path+a.Name) {
			names = append(names, path+a.Name)
		}
	}
	return names
}

// elsewhere returns the call of another tool that takes the values of unknown names, with the words that belong to them; nil for none. A
// search does not count if the call has the id that it would find.
func (t *Tool) elsewhere(unknown []string, given map[string]any, hasID bool) *entity.Next {
	var next *entity.Next
	for _, e := range t.Elsewhere {
		if next != nil && next.Tool != e.Tool || hasID && strings.HasPrefix(e.Tool, "search") && e.Beside == nil {
			continue
		}
		values := valuesOf(e.Names, unknown, given)
		if values == nil {
			continue
		}
		if next == nil {
			next = entity.Call(e.Tool, map[string]any{})
		}
		beside := valuesOf(e.Beside, slices.Collect(maps.Keys(given)), given)
		next.Arguments[e.Argument] = strings.Join(append(beside, values...), " AND ")
	}
	return next
}

// valuesOf returns the values of those of some arguments that have one of the names; the values of a list are joined by OR.
func valuesOf(names, among []string, given map[string]any) (values []string) {
	for _, name := range slices.Sorted(slices.Values(among)) {
		if !absent(given[name]) && matchesAny(name, names) {
			values = append(values, anyOf([]any{anyOf(oneOrMore(given[name]))}))
		}
	}
	return values
}

// A naming is a call with the names of the tool in place of others.
type naming struct {
	path     string
	known    []Argument
	call     map[string]any
	renamed  []string // descriptions of the changes
	moved    []string // arguments that have values of other names
	left     []string // names without a meaning
	conflict bool     // two names mean one argument
}

// readNames returns the call that the names of a given one mean.
func readNames(path string, given map[string]any, known []Argument) naming {
	r := naming{path: path, known: known, call: map[string]any{}}
	names := unknownNames(given, known)
	given = labelled(given, names)
	for name, value := range given {
		if !slices.Contains(names, name) && !absent(value) {
			r.call[name] = value
		}
	}
	var tags []string
	for _, name := range names {
		if tagged(name, known) >= 0 {
			tags = append(tags, name) // they are added to the query, which may have another name itself
		} else {
			r.read(name, given[name])
		}
	}
	for _, name := range tags {
		if !r.tag(known[tagged(name, known)], name, given[name]) {
			r.left = append(r.left, name)
		}
	}
	return r
}

// read assigns the value of an unknown name to the argument that it means.
func (r *naming) read(name string, value any) {
	switch m := meantArgument(name, r.known); {
	case r.skip(m.argument, name, value):
	case m.argument == nil && (r.field(name, value) || r.group(name, value)):
	case m.argument == nil || !m.same:
		r.left = append(r.left, name)
	case m.end != "":
		r.setEnd(m, name, value)
	default:
		r.rename(m.argument.Name, name, value)
	}
}

// notices returns the sentences about names that were read as others, and about names that were left out.
func (r *naming) notices() (notices []string) {
	if r.renamed != nil {
		notices = append(notices, "Read with "+strings.Join(r.renamed, ", ")+".")
	}
	if r.left != nil {
		notices = append(notices, "Left out, as no field of "+strings.TrimSuffix(r.path, ".")+" has this name: "+Listed(r.left)+".")
	}
	return notices
}

// setEnd sets one end of a range. The other end may be set already.
func (r *naming) setEnd(m meaning, name string, value any) {
	r.renamed = append(r.renamed, r.path+m.argument.Name+" instead of "+r.path+name)
	text, other := strings.TrimSpace(Show(value)), ""
	if given, isText := r.call[m.argument.Name].(string); isText {
		from, to, _ := strings.Cut(given, "..")
		if other = to; m.end == rangeTo {
			other = from
		}
		r.conflict = r.conflict || from != "" && m.end == rangeFrom || to != "" && m.end == rangeTo
	} else if r.call[m.argument.Name] != nil {
		r.conflict = true
	}
	switch {
	case absent(value):
	case m.end == rangeFrom:
		r.call[m.argument.Name] = text + ".." + other
	default:
		r.call[m.argument.Name] = other + ".." + text
	}
}

// Skip begins a cursor that skips a number of rows, which follows.
const Skip = "skip "

// skip reads the number of a page or of the rows before it, and reports whether that is the first page, or one that the cursor takes.
func (r *naming) skip(cursor *Argument, name string, value any) bool {
	n, ok := integer(value)
	if !ok || cursor == nil || cursor.Name != "cursor" || r.call[cursor.Name] != nil {
		return false
	}
	rows, err := n.Int64()
	switch counted := matchesAny(name, []string{"offset", "skip", "start", "retstart"}); {
	case err == nil && (counted && rows == 0 || !counted && rows == 1):
		r.renamed = append(r.renamed, "the first page for "+name)
	case err == nil && counted && rows > 0 && rows <= int64(cursor.Skips):
		r.call[cursor.Name] = Skip + n.String()
		r.renamed = append(r.renamed, "the rows after the first "+n.String()+" for "+name)
	default:
		return false
	}
	return true
}

// rename assigns the value of an unknown name to an argument.
func (r *naming) rename(argument, name string, value any) {
	a, _ := find(r.known, argument)
	words := r.path + argument + " instead of " + r.path + name
	if list, several := items(value); several && len(list) > 1 && !a.List && a.Either {
		value, words = anyOf(list), words+", its values joined by OR"
	}
	if a.Words != nil && !a.Required && isAny(Show(value)) {
		value, words = nil, "without "+name
	}
	r.renamed = append(r.renamed, words)
	held, twice := r.call[argument]
	if twice && (a.List || a.Point) && slices.Contains(r.moved, argument) { // nct_id_1 and nct_id_2, lat and lon
		value, twice = append(slices.Clone(oneOrMore(held)), oneOrMore(value)...), false
	}
	r.moved = append(r.moved, argument)
	r.conflict = r.conflict || twice
	if !absent(value) {
		r.call[argument] = value
	}
}

// field assigns the value of an unknown name to a field of an argument that is an object: minDate to dateRange.minDate.
func (r *naming) field(name string, value any) bool {
	for _, a := range r.known {
		for _, f := range a.Fields {
			if f.Words != nil || !matchesAny(name, f.Also, f.Name) {
				continue
			}
			inner, _ := r.call[a.Name].(map[string]any)
			_, twice := inner[f.Name]
			r.conflict = r.conflict || twice || r.call[a.Name] != nil && inner == nil
			r.renamed = append(r.renamed, a.Name+"."+f.Name+" instead of "+name)
			if !absent(value) && !r.conflict {
				fields := map[string]any{f.Name: value}
				maps.Copy(fields, inner)
				r.call[a.Name] = fields
			}
			return true
		}
	}
	return false
}

// group reads an object that holds arguments, such as filters {"condition": "asthma"}, as the arguments themselves.
func (r *naming) group(name string, value any) bool {
	held, _ := value.(map[string]any)
	names := slices.Sorted(maps.Keys(held))
	unclear := func(name string) bool { m := meantArgument(name, r.known); return !m.same || m.end != "" }
	if len(names) == 0 || slices.ContainsFunc(names, unclear) {
		return false
	}
	for _, inner := range names {
		r.rename(meantArgument(inner, r.known).argument.Name, name+"."+inner, held[inner])
	}
	return true
}

// tagged returns the index of the query that has a field for a name, or -1.
func tagged(name string, known []Argument) int {
	return slices.IndexFunc(known, func(a Argument) bool { return a.tagOf(name) != "" })
}

// tagOf returns the field tag of a query that a name means, or "".
func (a *Argument) tagOf(name string) string {
	i := slices.IndexFunc(a.Tags, func(t Tag) bool { return matchesAny(name, t.Names) })
	if i < 0 {
		return ""
	}
	return a.Tags[i].Tag
}

// tag adds the value of an unknown name to a query, with its field tag. The result is false for a value that the field does not take.
func (r *naming) tag(a Argument, name string, value any) bool {
	tag := a.tagOf(name)
	term := a.taggedTerm(value, tag)
	query, asText := r.call[a.Name].(string)
	switch {
	case absent(value) || term == "" || r.call[a.Name] != nil && !asText:
		return false
	case asText && strings.Contains(query, " OR "):
		term = "(" + query + ") AND " + term
	case asText:
		term = query + " AND " + term
	}
	r.call[a.Name] = term
	r.renamed = append(r.renamed, name+" as a part of "+entity.InWords(map[string]any{a.Name: term}))
	return true
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
