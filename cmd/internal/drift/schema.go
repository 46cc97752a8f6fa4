package drift

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Reasons for the verdicts on schemas.
const (
	gone        = "it is used, and was removed"
	retyped     = "it is used, and is read as the former type"
	onlyRenamed = "the JSON and the generated Go type stay the same"
	repointed   = "it is used, and the generated field gains or loses its pointer"
	stricter    = "a request that was accepted may now be refused"
	looser      = "every request that was accepted is still accepted"
	unchecked   = "answers are read without checking it"
	untyped     = "it says nothing about types"
	open        = "known values are open: a new one is passed on"
	note        = "the value stays known until the next make generate"
)

// schema compares two schemas at the same path. A component is compared once, under its own name, and not at each reference.
func (c *comparison) schema(at string, old, now *yaml.Node) {
	k := c.marks.mark(at)
	a, b := c.older.resolve(old), c.newer.resolve(now)
	format := Change{Path: at, Kind: FormatChanged, From: scalar(child(a, "format")), To: scalar(child(b, "format")), Breaking: k.used(),
		Why: retyped}
	typed := Change{Path: at, Kind: TypeChanged, From: c.older.typeName(old), To: c.newer.typeName(now), Breaking: k.used(), Why: retyped}
	switch {
	case ref(old) != ref(now) && plainly(a) && plainly(b) && typeOf(a) == typeOf(b) && format.From == format.To:
		typed.Breaking, typed.Why = false, onlyRenamed
		c.report(k, typed)
		c.restrictions(at, k, a, b)
	case ref(old) != ref(now), ref(old) == "" && kindOf(a) != kindOf(b):
		c.report(k, typed)
	case ref(old) == "":
		c.differ(k, format)
		c.values(at, list(child(a, "enum")), list(child(b, "enum")))
		c.restrictions(at, k, a, b)
		if items := child(a, "items"); items != nil && child(b, "items") != nil {
			c.schema(at+"[]", items, child(b, "items"))
		}
		c.properties(at, a, b)
		c.others(at, k, a, b)
	}
}

// kindOf returns the parts of a schema that decide whether its type stays the same.
func kindOf(n *yaml.Node) string {
	kind := typeOf(n)
	if child(n, "enum") != nil {
		kind += " enum"
	}
	for _, key := range compositions {
		kind += keyword(key, child(n, key))
	}
	if typeOf(n) == "array" && child(n, "items") == nil {
		kind += " of anything"
	}
	return kind
}

// values compares known values.
func (c *comparison) values(at string, old, now []*yaml.Node) {
	for _, v := range without(texts(now), texts(old)) {
		c.found(Change{Path: at, Kind: EnumValueAdded, To: v, Why: open})
	}
	for _, v := range without(texts(old), texts(now)) {
		c.found(Change{Path: at, Kind: EnumValueRemoved, From: v, Why: note})
	}
}

// lower are the limits that a smaller number loosens, upper those that a larger number loosens.
var (
	lower  = []string{"minimum", "minLength", "minItems", "minProperties"}
	upper  = []string{"maximum", "maxLength", "maxItems", "maxProperties"}
	bounds = []string{"exclusiveMinimum", "exclusiveMaximum", "multipleOf", "uniqueItems"}
	limits = slices.Concat(lower, upper, bounds)
)

// restrictions compares the pattern and the limits of a schema, which matter for requests only.
func (c *comparison) restrictions(at string, k *mark, a, b *yaml.Node) {
	restricted := func(change Change, loosened bool) {
		switch {
		case !k.request:
			change.Why = unchecked
		case loosened:
			change.Why = looser
		default:
			change.Breaking, change.Why = true, stricter
		}
		c.differ(k, change)
	}
	from, to := scalar(child(a, "pattern")), scalar(child(b, "pattern"))
	restricted(Change{Path: at, Kind: PatternChanged, From: from, To: to}, to == "")
	for _, key := range limits {
		before, after := child(a, key), child(b, key)
		restricted(Change{Path: at, Kind: LimitChanged, From: keyword(key, before), To: keyword(key, after)}, loosened(key, before, after))
	}
}

func loosened(key string, before, after *yaml.Node) bool {
	from, notBefore := strconv.ParseFloat(scalar(before), 64)
	to, notAfter := strconv.ParseFloat(scalar(after), 64)
	switch {
	case after == nil:
		return true
	case notBefore != nil || notAfter != nil:
		return false
	case slices.Contains(lower, key):
		return to <= from
	}
	return slices.Contains(upper, key) && to >= from
}

func (c *comparison) properties(at string, a, b *yaml.Node) {
	for _, p := range pairs(at, child(a, "properties"), child(b, "properties")) {
		k := c.marks.mark(p.at)
		switch {
		case p.old == nil:
			c.report(unused, Change{Path: p.at, Kind: Added, To: c.newer.typeName(p.now)})
			continue
		case p.now == nil:
			c.report(k, Change{Path: p.at, Kind: Removed, From: c.older.typeName(p.old), Breaking: k.used(), Why: gone})
			continue
		}
		c.schema(p.at, p.old, p.now)
		was, is := requires(a, p.key), requires(b, p.key)
		if was == is {
			continue
		}
		change := Change{Path: p.at, Kind: MadeRequired, Why: unchecked}
		if was {
			change.Kind = NoLongerRequired
		}
		if pointed(c.newer.resolve(p.now)) {
			change.Breaking, change.Why = k.used(), repointed
		}
		c.report(k, change)
	}
}

// pointed reports whether the generated field of an optional value is a pointer. Strings, lists and objects are not, because of the
// overlay.
func pointed(n *yaml.Node) bool {
	return slices.Contains([]string{"integer", "number", "boolean"}, typeOf(n))
}

func requires(object *yaml.Node, property string) bool {
	return slices.ContainsFunc(list(child(object, "required")), func(n *yaml.Node) bool { return n.Value == property })
}

// others reports changes of keywords that do not concern types.
func (c *comparison) others(at string, k *mark, a, b *yaml.Node) {
	seen := slices.Concat(limits, compositions, strings.Fields("$ref type format enum pattern items properties required"))
	for _, p := range pairs(at, a, b) {
		switch {
		case slices.Contains(seen, p.key):
		case p.key != "default":
			c.differ(k, p.keyword(at, false, untyped))
		case !strings.HasPrefix(at, "paths.") || k.used(): // otherwise parameter reports it
			c.differ(k, Change{Path: at, Kind: DefaultChanged, From: text(p.old), To: text(p.now), Why: "it is sent with another value"})
		}
	}
}
