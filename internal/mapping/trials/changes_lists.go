package trials

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

// The kinds of changes.
const (
	added         = "added"
	dropped       = "dropped"
	changed       = "changed"
	toSecondary   = "to_secondary"
	fromSecondary = "from_secondary"
	reordered     = "reordered"
)

// outcomeFields are the fields of the lists of outcomes; outcomes move between the first two.
var outcomeFields = [...]string{"primary_outcome", "secondary_outcome", "other_outcome"}

// identities are the members of the items of a list, by its name, that say which item it is: those of the first group that it has.
var identities = map[string][][]string{
	"locations":     {{"facility", "city", "state", "zip", "country"}},
	"references":    {{"pmid"}, {"citation"}},
	"armGroups":     {{"label"}},
	"interventions": {{"type", "name"}},
	"largeDocs":     {{"filename"}},
	"collaborators": {{"name"}},
}

// itemIdentity returns the function that returns the identity of an item of a list; "": it has no identity.
func itemIdentity(list string) func(any) string {
	return func(item any) string {
		for _, names := range identities[list] {
			if key := joined(item, names, "\n"); strings.Trim(key, "\n") != "" {
				return key
			}
		}
		return ""
	}
}

func joined(item any, names []string, separator string) string {
	var texts []string
	for _, name := range names {
		texts = append(texts, shown(members(item)[name]))
	}
	return strings.Join(texts, separator)
}

// itemText returns what an item of a list is.
func itemText(list string, item any) string {
	if list == "references" {
		reference := members(item)
		return strings.TrimPrefix(strings.TrimSuffix("PMID "+shown(reference["pmid"])+": "+shown(reference["citation"]), ": "), "PMID : ")
	}
	for _, names := range identities[list] {
		var texts []string
		for _, name := range names {
			texts = append(texts, shown(members(item)[name]))
		}
		if texts = entity.Once(texts); texts != nil {
			return strings.Join(texts, ", ")
		}
	}
	return shown(item)
}

// A pairing says which items of two lists are the same.
type pairing struct {
	of    []int  // the item of the new list, by item of the old list; -1: none
	taken []bool // items of the new list that have one in the old list
}

func newPairing(before, after int) *pairing {
	p := &pairing{make([]int, before), make([]bool, after)}
	for i := range p.of {
		p.of[i] = -1
	}
	return p
}

func (p *pairing) add(i, j int) { p.of[i], p.taken[j] = j, true }

// byKey pairs the items that have equal keys, each once; an item without a key stays alone. fits limits the pairs; nil: it does not.
func (p *pairing) byKey(before, after []string, fits func(i, j int) bool) {
	at := map[string][]int{}
	for j, key := range after {
		if key != "" && !p.taken[j] {
			at[key] = append(at[key], j)
		}
	}
	for i, key := range before {
		if p.of[i] >= 0 {
			continue
		}
		k := slices.IndexFunc(at[key], func(j int) bool { return !p.taken[j] && (fits == nil || fits(i, j)) })
		if k >= 0 {
			p.add(i, at[key][k])
		}
	}
}

// reordered reports whether items that both lists have changed their order.
func (p *pairing) reordered() bool {
	var order []int
	for _, j := range p.of {
		if j >= 0 {
			order = append(order, j)
		}
	}
	return !slices.IsSorted(order)
}

func wholeItem(item any) string {
	encoded, _ := entity.JSON(item) // it was decoded from JSON
	return string(encoded)
}

// pairItems pairs the items of two lists by one key after another.
func pairItems(before, after []any, keys ...func(any) string) *pairing {
	p := newPairing(len(before), len(after))
	for _, key := range keys {
		p.byKey(mapped(before, key), mapped(after, key), nil)
	}
	return p
}

func mapped[T, R any](list []T, of func(T) R) (out []R) {
	for _, item := range list {
		out = append(out, of(item))
	}
	return out
}

// An outcomeItem is an item of one of the lists of outcomes.
type outcomeItem struct {
	list  int // index of outcomeFields
	value any
}

func (o outcomeItem) text(name string) string { return shown(members(o.value)[name]) }

// key returns some of the texts of an outcome without case and extra spaces; "" without a measure.
func (o outcomeItem) key(names ...string) string {
	if o.text("measure") == "" {
		return ""
	}
	return strings.ToLower(strings.Join(strings.Fields(joined(o.value, names, " \x00 ")), " "))
}

// verbatim returns the measure with its time frame and, if requested, its description.
func (o outcomeItem) verbatim(described bool) string {
	out := o.text("measure")
	if frame := o.text("timeFrame"); frame != "" {
		out += " [" + frame + "]"
	}
	if description := o.text("description"); described && description != "" {
		out += " — " + description
	}
	return out
}

func outcomesOf(parts [len(outcomeFields)]ChangedPart, side func(*ChangedPart) any) (all []outcomeItem) {
	for i := range parts {
		list, _ := side(&parts[i]).([]any)
		for _, item := range list {
			all = append(all, outcomeItem{i, item})
		}
	}
	return all
}

// outcomeChanges compares the lists of outcomes together, because an outcome may move from one to another. Outcomes with equal texts are
// paired first, then those with equal measure and time frame, those with equal measures, and last those whose measures share half of their
// words.
func outcomeChanges(parts [len(outcomeFields)]ChangedPart) (changes []entity.FieldChange) {
	before := outcomesOf(parts, func(p *ChangedPart) any { return p.Before })
	after := outcomesOf(parts, func(p *ChangedPart) any { return p.After })
	p := newPairing(len(before), len(after))
	within := func(i, j int) bool { return before[i].list == after[j].list }
	moves := func(i, j int) bool { return before[i].list+after[j].list == 1 } // one is primary, one is secondary
	for _, key := range []func(outcomeItem) string{
		func(o outcomeItem) string { return wholeItem(o.value) },
		func(o outcomeItem) string { return o.key("measure", "timeFrame") },
		func(o outcomeItem) string { return o.key("measure") },
	} {
		old, now := mapped(before, key), mapped(after, key)
		p.byKey(old, now, within)
		p.byKey(old, now, moves)
	}
	p.byWords(before, after)
	for list, field := range outcomeFields {
		changes = append(changes, changesOfList(list, field, before, after, p)...)
	}
	return changes
}

// changesOfList returns the changes of one list of outcomes. Those that move between the first two belong to the first.
func changesOfList(list int, field string, before, after []outcomeItem, p *pairing) (changes []entity.FieldChange) {
	add := func(kind, old, now string) {
		changes = append(changes, entity.FieldChange{Field: field, Kind: kind, Before: old, After: now})
	}
	same := newPairing(len(before), 0)
	for i, old := range before {
		j := p.of[i]
		switch {
		case j < 0 && old.list == list:
			add(dropped, old.verbatim(true), "")
		case j < 0:
		case old.list == list && after[j].list == list:
			same.of[i] = j
			if names := memberNames(members(old.value), members(after[j].value)); len(names) > 0 {
				described := slices.Contains(names, "description")
				add(changed, old.verbatim(described), after[j].verbatim(described))
			}
		case list == 0 && min(old.list, after[j].list) == 0:
			add(map[bool]string{true: toSecondary, false: fromSecondary}[old.list == 0], old.verbatim(false), after[j].verbatim(false))
		}
	}
	for j, now := range after {
		if now.list == list && !p.taken[j] {
			add(added, "", now.verbatim(true))
		}
	}
	if same.reordered() {
		add(reordered, "", "")
	}
	return changes
}

// byWords pairs the outcomes of one list of which at least half of the words of the measure stay, the most similar first.
func (p *pairing) byWords(before, after []outcomeItem) {
	type candidate struct {
		i, j  int
		share float64 // of the words of both that are common
	}
	var candidates []candidate
	words := func(o outcomeItem) []string {
		apart := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
		return strings.FieldsFunc(strings.ToLower(o.text("measure")), apart)
	}
	old, now := mapped(before, words), mapped(after, words)
	for i := range before {
		for j := range after {
			if p.of[i] >= 0 || p.taken[j] || before[i].list != after[j].list {
				continue
			}
			if stay := common(old[i], now[j]); stay > 0 && 2*stay >= len(old[i]) {
				candidates = append(candidates, candidate{i, j, 2 * float64(stay) / float64(len(old[i])+len(now[j]))})
			}
		}
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int { return cmp.Compare(b.share, a.share) })
	for _, c := range candidates {
		if p.of[c.i] < 0 && !p.taken[c.j] {
			p.add(c.i, c.j)
		}
	}
}

// common returns how many words two lists share; a word counts as often as both have it.
func common(a, b []string) (n int) {
	count := map[string]int{}
	for _, word := range a {
		count[word]++
	}
	for _, word := range b {
		if count[word]--; count[word] >= 0 {
			n++
		}
	}
	return n
}

// A ChangedPart is a part in which two versions of a record differ, all of it in one field.
type ChangedPart struct {
	Field         string
	Path          string // names with a dot before each
	Before, After any    // decoded; nil: the version does not have the part
}

func isObject(v any) bool {
	_, ok := v.(map[string]any)
	return ok || v == nil
}

// members returns the members of an object, none for another value.
func members(v any) map[string]any {
	object, _ := v.(map[string]any)
	return object
}

// memberNames returns the names of the members in which two objects differ, in alphabetical order.
func memberNames(old, now map[string]any) (names []string) {
	all := maps.Clone(old)
	if all == nil {
		all = map[string]any{}
	}
	maps.Copy(all, now)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !reflect.DeepEqual(old[name], now[name]) {
			names = append(names, name)
		}
	}
	return names
}

// isMeasured reports whether an object is a date or a number with its type.
func isMeasured(v any) bool {
	object := members(v)
	for name := range object {
		if name != "date" && name != "count" && name != "type" {
			return false
		}
	}
	return object["date"] != nil || object["count"] != nil
}

// shown returns a value as text: verbatim if it is one, else as JSON.
func shown(v any) string {
	switch object := members(v); {
	case v == nil:
		return ""
	case isMeasured(v) && object["type"] != nil:
		return fmt.Sprintf("%s%s (%s)", shown(object["date"]), shown(object["count"]), shown(object["type"]))
	case isMeasured(v):
		return shown(object["date"]) + shown(object["count"])
	}
	if verbatim, ok := v.(string); ok {
		return text.Clean(verbatim)
	}
	encoded, _ := entity.JSON(v) // it was decoded from JSON
	return string(encoded)
}
