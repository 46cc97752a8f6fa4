package drift

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Reasons for the verdicts on schemas.
const (
	gone        = "it is used, and was removed"
	retyped     = "it is used, and the generated Go type is another one"
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
	if ref(old) != ref(now) {
		from, to := c.older.typeName(old), c.newer.typeName(now)
		if !plainly(a) || !plainly(b) || typeOf(a) != typeOf(b) || scalar(child(a, "format")) != scalar(child(b, "format")) {
			c.found(Change{Path: at, Kind: TypeChanged, From: from, To: to, Breaking: k.used(), Why: retyped})
			return
		}
		c.found(Change{Path: at, Kind: TypeChanged, From: from, To: to, Why: onlyRenamed})
		c.restrictions(at, k, a, b)
		return
	}
	if ref(old) != "" {
		return
	}
	if kindOf(a) != kindOf(b) {
		c.found(Change{Path: at, Kind: TypeChanged, From: c.older.typeName(a), To: c.newer.typeName(b), Breaking: k.used(), Why: retyped})
		return
	}
	if from, to := scalar(child(a, "format")), scalar(child(b, "format")); from != to {
		c.found(Change{Path: at, Kind: FormatChanged, From: from, To: to, Breaking: k.used(), Why: retyped})
	}
	c.values(at, a, b)
	c.restrictions(at, k, a, b)
	if items := child(a, "items"); items != nil && child(b, "items") != nil {
		c.schema(at+"[]", items, child(b, "items"))
	}
	c.properties(at, a, b)
	c.others(at, k, a, b)
}

// kindOf returns the parts of a schema that decide whether its type stays the same.
func kindOf(n *yaml.Node) string {
	kind := typeOf(n)
	if child(n, "enum") != nil {
		kind += " enum"
	}
	for _, key := range compositions {
		kind += text(named(key, child(n, key)))
	}
	if typeOf(n) == "array" && child(n, "items") == nil {
		kind += " of anything"
	}
	return kind
}

func (c *comparison) values(at string, a, b *yaml.Node) {
	from, to := set{}, set{}
	for _, v := range list(child(a, "enum")) {
		from.add(text(v))
	}
	for _, v := range list(child(b, "enum")) {
		to.add(text(v))
	}
	for _, v := range to.sorted() {
		if !from[v] {
			c.found(Change{Path: at, Kind: EnumValueAdded, To: v, Why: open})
		}
	}
	for _, v := range from.sorted() {
		if !to[v] {
			c.found(Change{Path: at, Kind: EnumValueRemoved, From: v, Why: note})
		}
	}
}

// lower are the limits that a smaller number loosens, upper those that a larger number loosens.
var (
	lower  = []string{"minimum", "minLength", "minItems", "minProperties"}
	upper  = []string{"maximum", "maxLength", "maxItems", "maxProperties"}
	bounds = []string{"exclusiveMinimum", "exclusiveMaximum", "multipleOf", "uniqueItems"}
	limits = slices.Concat(lower, upper, bounds)
)

func (c *comparison) restrictions(at string, k *mark, a, b *yaml.Node) {
	if from, to := scalar(child(a, "pattern")), scalar(child(b, "pattern")); from != to {
		breaks, why := restricts(k, to == "")
		c.found(Change{Path: at, Kind: PatternChanged, From: from, To: to, Breaking: breaks, Why: why})
	}
	for _, key := range limits {
		before, after := child(a, key), child(b, key)
		if text(before) == text(after) {
			continue
		}
		breaks, why := restricts(k, loosened(key, before, after))
		c.found(Change{Path: at, Kind: LimitChanged, From: text(named(key, before)), To: text(named(key, after)), Breaking: breaks,
			Why: why})
	}
}

// restricts returns the verdict on a changed restriction: it matters for requests only.
func restricts(k *mark, looserNow bool) (breaks bool, why string) {
	switch {
	case !k.request:
		return false, unchecked
	case looserNow:
		return false, looser
	}
	return true, stricter
}

func loosened(key string, before, after *yaml.Node) bool {
	if after == nil {
		return true
	}
	from, was := number(before)
	to, is := number(after)
	switch {
	case !was || !is:
		return false
	case slices.Contains(lower, key):
		return to <= from
	case slices.Contains(upper, key):
		return to >= from
	}
	return false
}

func (c *comparison) properties(at string, a, b *yaml.Node) {
	before, after := child(a, "properties"), child(b, "properties")
	for _, name := range both(before, after) {
		place, old, now := at+"."+name, child(before, name), child(after, name)
		k := c.marks.mark(place)
		switch {
		case old == nil:
			c.foundFor(nil, Change{Path: place, Kind: Added, To: c.newer.typeName(now)})
			continue
		case now == nil:
			c.found(Change{Path: place, Kind: Removed, From: c.older.typeName(old), Breaking: k.used(), Why: gone})
			continue
		}
		c.schema(place, old, now)
		was, is := requires(a, name), requires(b, name)
		if was == is {
			continue
		}
		kind := MadeRequired
		if was {
			kind = NoLongerRequired
		}
		breaks, why := pointed(c.newer.resolve(now)), repointed
		if !breaks {
			why = unchecked
		}
		c.found(Change{Path: place, Kind: kind, Breaking: breaks && k.used(), Why: why})
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
	for _, key := range both(a, b) {
		before, after := child(a, key), child(b, key)
		if slices.Contains(seen, key) || text(before) == text(after) {
			continue
		}
		switch key {
		case "default":
			if !strings.HasPrefix(at, "paths.") || k.used() { // otherwise unsentDefault reports it
				c.found(Change{Path: at, Kind: DefaultChanged, From: text(before), To: text(after), Why: "it is sent with another value"})
			}
		default:
			c.found(Change{Path: at, Kind: Changed, From: text(named(key, before)), To: text(named(key, after)), Why: untyped})
		}
	}
}
