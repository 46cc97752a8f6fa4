package drift

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A comparison compares two documents.
type comparison struct {
	older, newer document
	marks        *marks
	changes      []Change
}

// found adds a change with the uses of its place. A change of an unused place has no reason.
func (c *comparison) found(change Change) {
	k := c.marks.mark(change.Path)
	change.Fields, change.Arguments, change.Tools = k.fields.sorted(), k.arguments.sorted(), k.tools.sorted()
	c.add(change)
}

// foundFor adds a change that concerns tools as a whole.
func (c *comparison) foundFor(tools []string, change Change) {
	s := set{}
	s.add(tools...)
	change.Fields, change.Arguments, change.Tools = []string{}, []string{}, s.sorted()
	c.add(change)
}

// foundBelow adds the removal of a place with all uses below it.
func (c *comparison) foundBelow(path string, kind Kind, from, why string) {
	fields, arguments, tools := set{}, set{}, set{}
	for place, k := range c.marks.at {
		if place == path || strings.HasPrefix(place, path+".") {
			maps.Copy(fields, k.fields)
			maps.Copy(arguments, k.arguments)
			maps.Copy(tools, k.tools)
		}
	}
	c.add(Change{
		Path: path, Kind: kind, From: from, Breaking: true, Why: why,
		Fields: fields.sorted(), Arguments: arguments.sorted(), Tools: tools.sorted(),
	})
}

func (c *comparison) add(change Change) {
	if !change.touches() {
		change.Breaking, change.Why = false, ""
	}
	c.changes = append(c.changes, change)
}

// documents compares the documents except for their titles and versions.
func (c *comparison) documents() {
	a, b := c.older.root, c.newer.root
	for _, key := range both(a, b) {
		before, after := child(a, key), child(b, key)
		switch key {
		case "info":
		case "servers":
			c.servers(list(before), list(after))
		case "paths":
			c.paths(before, after)
		case "components":
			c.components(before, after)
		case "security":
			if text(before) != text(after) {
				c.foundFor(c.marks.tools, Change{
					Path: key, Kind: Changed, From: text(before), To: text(after), Breaking: true,
					Why: "requests have no key",
				})
			}
		default:
			c.keyword(key, before, after, verdict{})
		}
	}
}

// servers compares addresses: the configured address may have been removed.
func (c *comparison) servers(before, after []*yaml.Node) {
	from, to := set{}, set{}
	for _, s := range before {
		from.add(scalar(child(s, "url")))
	}
	for _, s := range after {
		to.add(scalar(child(s, "url")))
	}
	for _, url := range from.sorted() {
		if !to[url] {
			c.foundFor(c.marks.tools, Change{Path: "servers", Kind: Removed, From: url, Breaking: true,
				Why: "the upstream may stop serving this address"})
		}
	}
	for _, url := range to.sorted() {
		if !from[url] {
			c.foundFor(nil, Change{Path: "servers", Kind: Added, To: url})
		}
	}
}

func (c *comparison) paths(before, after *yaml.Node) {
	for _, path := range both(before, after) {
		at, old, now := "paths."+path, child(before, path), child(after, path)
		switch {
		case old == nil:
			c.foundFor(nil, Change{Path: at, Kind: PathAdded, To: operations(now)})
		case now == nil:
			c.foundBelow(at, PathRemoved, operations(old), called)
		default:
			c.path(at, old, now)
		}
	}
}

// operations returns the names of the operations of a path.
func operations(path *yaml.Node) string {
	var ids []string
	for _, method := range methods {
		if op := child(path, method); op != nil {
			ids = append(ids, scalar(child(op, "operationId")))
		}
	}
	return strings.Join(ids, ", ")
}

func (c *comparison) path(path string, old, now *yaml.Node) {
	var tools []string
	for _, method := range methods {
		tools = append(tools, c.marks.operations[path+"."+method]...)
	}
	for _, key := range both(old, now) {
		at, before, after := path+"."+key, child(old, key), child(now, key)
		switch {
		case !slices.Contains(methods, key):
			c.keyword(path, named(key, before), named(key, after), verdict{tools: tools, breaks: true, why: unjudged})
		case before == nil:
			c.foundFor(nil, Change{Path: at, Kind: OperationAdded, To: scalar(child(after, "operationId"))})
		case after == nil:
			c.foundBelow(at, OperationRemoved, scalar(child(before, "operationId")), called)
		default:
			c.operation(at, before, after)
		}
	}
}

const called = "it is called"

// unjudged is the reason for a changed keyword of a used place that this package does not know. Such a change counts as breaking.
const unjudged = "it is used, and the effect on it cannot be judged"

func (c *comparison) operation(at string, old, now *yaml.Node) {
	tools := c.marks.operations[at]
	for _, key := range both(old, now) {
		before, after := child(old, key), child(now, key)
		switch key {
		case "operationId":
			if from, to := scalar(before), scalar(after); from != to {
				c.foundFor(tools, Change{
					Path: at, Kind: OperationRenamed, From: from, To: to, Breaking: true,
					Why: "the client and tools.yaml call it by this name",
				})
			}
		case "parameters":
			c.parameters(at, list(before), list(after))
		case "responses":
			c.responses(at, before, after)
		case "deprecated":
			c.keyword(at, named(key, before), named(key, after), verdict{tools: tools, why: "it still answers"})
		default:
			c.keyword(at, named(key, before), named(key, after), verdict{tools: tools, breaks: true, why: unjudged})
		}
	}
}

// parameters compares parameters by place and name, in any order.
func (c *comparison) parameters(operation string, before, after []*yaml.Node) {
	old, now := byName(c.older, before), byName(c.newer, after)
	for _, p := range old {
		at := operation + ".parameters." + p.name
		i := slices.IndexFunc(now, func(q parameter) bool { return q.name == p.name && q.in == p.in })
		if i < 0 {
			c.found(Change{Path: at, Kind: ParameterRemoved, From: p.describe(c.older), Breaking: true, Why: "it is sent"})
			continue
		}
		c.parameter(operation, at, p.node, now[i].node)
	}
	for _, p := range now {
		if slices.ContainsFunc(old, func(q parameter) bool { return q.name == p.name && q.in == p.in }) {
			continue
		}
		at := operation + ".parameters." + p.name
		if p.required() {
			c.foundFor(c.marks.operations[operation], Change{
				Path: at, Kind: ParameterAdded, To: p.describe(c.newer), Breaking: true,
				Why: "it is required, and nothing sends it",
			})
		} else {
			c.foundFor(nil, Change{Path: at, Kind: ParameterAdded, To: p.describe(c.newer)})
		}
	}
}

func (c *comparison) parameter(operation, at string, old, now *yaml.Node) {
	tools := c.marks.operations[operation]
	sent := c.marks.mark(at).used()
	for _, key := range both(old, now) {
		before, after := child(old, key), child(now, key)
		switch key {
		case "name", "in":
		case "required":
			switch from, to := scalar(before) == "true", scalar(after) == "true"; {
			case to && !from:
				c.foundFor(tools, Change{Path: at, Kind: ParameterRequired, Breaking: true, Why: "a request may not have it"})
			case from && !to:
				c.found(Change{Path: at, Kind: ParameterOptional, Why: "it may be sent as before"})
			}
		case "schema":
			if !sent {
				c.unsentDefault(tools, at, before, after)
			}
			c.schema(at, before, after)
		case "deprecated":
			c.keyword(at, named(key, before), named(key, after), verdict{why: "it is still taken"})
		default:
			c.keyword(at, named(key, before), named(key, after), verdict{breaks: true, why: unjudged})
		}
	}
}

// unsentDefault reports a changed default of a parameter that the project does not send: the same request then means something else.
func (c *comparison) unsentDefault(tools []string, at string, old, now *yaml.Node) {
	from, to := text(child(c.older.resolve(old), "default")), text(child(c.newer.resolve(now), "default"))
	if from != to {
		c.foundFor(tools, Change{
			Path: at, Kind: DefaultChanged, From: from, To: to, Breaking: true,
			Why: "the parameter is not sent, so that a request now means something else",
		})
	}
}

// A parameter is a parameter of an operation.
type parameter struct {
	name, in string
	node     *yaml.Node
}

func byName(d document, parameters []*yaml.Node) []parameter {
	var out []parameter
	for _, p := range parameters {
		p = d.resolve(p)
		out = append(out, parameter{scalar(child(p, "name")), scalar(child(p, "in")), p})
	}
	return out
}

func (p parameter) required() bool { return scalar(child(p.node, "required")) == "true" }

func (p parameter) describe(d document) string {
	what := p.in + ", " + d.typeName(child(p.node, "schema"))
	if p.required() {
		what += ", required"
	}
	return what
}

func (c *comparison) responses(operation string, before, after *yaml.Node) {
	for _, status := range both(before, after) {
		at, old, now := operation+".responses."+status, c.older.resolve(child(before, status)), c.newer.resolve(child(after, status))
		switch {
		case old == nil:
			c.foundFor(nil, Change{Path: at, Kind: Added, To: status})
		case now == nil:
			c.found(Change{Path: at, Kind: Removed, From: status, Breaking: true, Why: "it is read"})
		default:
			c.contents(at, child(old, "content"), child(now, "content"))
			if from, to := text(child(old, "headers")), text(child(now, "headers")); from != to {
				c.found(Change{Path: at, Kind: Changed, From: "headers: " + from, To: "headers: " + to,
					Why: "no header is read by its schema"})
			}
		}
	}
}

func (c *comparison) contents(response string, before, after *yaml.Node) {
	for _, media := range both(before, after) {
		at, old, now := response+"."+media, child(before, media), child(after, media)
		switch {
		case old == nil:
			c.foundFor(nil, Change{Path: at, Kind: Added, To: c.newer.typeName(child(now, "schema"))})
		case now == nil:
			c.found(Change{Path: at, Kind: Removed, From: c.older.typeName(child(old, "schema")), Breaking: true, Why: "it is read"})
		default:
			c.schema(at, child(old, "schema"), child(now, "schema"))
		}
	}
}

// components compares each schema on its own. For the other components it only lists the changes, because used ones are compared where
// they are referred to.
func (c *comparison) components(before, after *yaml.Node) {
	for _, group := range both(before, after) {
		old, now := child(before, group), child(after, group)
		for _, name := range both(old, now) {
			at, a, b := "components."+group+"."+name, child(old, name), child(now, name)
			switch {
			case a == nil:
				c.foundFor(nil, Change{Path: at, Kind: Added, To: c.describe(c.newer, group, b)})
			case b == nil:
				c.found(Change{Path: at, Kind: Removed, From: c.describe(c.older, group, a),
					Why: "references to it are judged on their own"})
			case group == "schemas":
				c.schema(at, a, b)
			default:
				c.keyword(at, a, b, verdict{})
			}
		}
	}
}

func (c *comparison) describe(d document, group string, n *yaml.Node) string {
	if group == "schemas" {
		return d.typeName(n)
	}
	return ""
}

// A verdict says whether a change breaks tools, and why. Without tools, it applies to the tools that use the place.
type verdict struct {
	tools  []string
	breaks bool
	why    string
}

// keyword reports a changed keyword whose value is not compared further.
func (c *comparison) keyword(at string, old, now *yaml.Node, v verdict) {
	from, to := text(old), text(now)
	if from == to {
		return
	}
	change := Change{Path: at, Kind: Changed, From: from, To: to, Breaking: v.breaks, Why: v.why}
	if v.tools != nil {
		c.foundFor(v.tools, change)
		return
	}
	c.found(change)
}

// named puts a keyword before its value, so that a report shows the keyword.
func named(key string, value *yaml.Node) *yaml.Node {
	if value == nil {
		return nil
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Value: key + ": " + text(value)}
}

// both returns the keys of two mappings, those of the first one first.
func both(a, b *yaml.Node) []string {
	out := keys(a)
	for _, key := range keys(b) {
		if !slices.Contains(out, key) {
			out = append(out, key)
		}
	}
	return out
}

// number parses a limit. ok is false if it is not a number.
func number(n *yaml.Node) (float64, bool) {
	v, err := strconv.ParseFloat(scalar(n), 64)
	return v, err == nil
}
