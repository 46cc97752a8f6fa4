package drift

import (
	"cmp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/biofact-mcp/biofact/cmd/internal/openapi"
)

// A comparison compares two documents.
type comparison struct {
	older, newer document
	marks        marks
	changes      []Change
}

// found reports a change with the uses of its place.
func (c *comparison) found(change Change) { c.report(c.marks.mark(change.Path), change) }

// report adds a change with the uses that it concerns. A change without uses breaks nothing and has no reason.
func (c *comparison) report(k *mark, change Change) {
	change.Fields, change.Arguments = k.fields.sorted(), k.arguments.sorted()
	change.Tools, change.Commands = k.tools.sorted(), k.commands.sorted()
	if !change.touches() {
		change.Breaking, change.Why = false, ""
	}
	c.changes = append(c.changes, change)
}

// differ reports a change if its two values differ. Without a kind it is a changed keyword.
func (c *comparison) differ(k *mark, change Change) {
	if change.From != change.To {
		change.Kind = cmp.Or(change.Kind, Changed)
		c.report(k, change)
	}
}

// unused is the mark of an added place, which nothing can use yet.
var unused = &mark{}

// Reasons for the verdicts on requests and answers.
const (
	called = "it is called"
	read   = "it is read"
	// unjudged is the reason for a changed keyword of a used place that this package does not know. Such a change counts as breaking.
	unjudged = "it is used, and the effect on it cannot be judged"
)

func (c *comparison) documents() {
	for _, p := range pairs("", c.older.root, c.newer.root) {
		switch p.key {
		case "info":
			for _, e := range pairs(p.at, p.old, p.now) {
				c.differ(unused, Change{Path: e.at, From: text(e.old), To: text(e.now)})
			}
		case "servers":
			c.servers(p)
		case "paths":
			for _, path := range pairs(p.at, p.old, p.now) {
				c.path(path)
			}
		case "components":
			for _, group := range pairs(p.at, p.old, p.now) {
				c.components(group)
			}
		case "security":
			c.differ(c.marks.mark(p.at),
				Change{Path: p.at, From: text(p.old), To: text(p.now), Breaking: true, Why: "requests have no key"})
		default:
			c.differ(c.marks.mark(p.at), Change{Path: p.at, From: text(p.old), To: text(p.now)})
		}
	}
}

// servers compares addresses: the configured address may have been removed.
func (c *comparison) servers(p pair) {
	urls := func(servers *yaml.Node) (urls []string) {
		for _, s := range list(servers) {
			urls = append(urls, scalar(child(s, "url")))
		}
		return urls
	}
	for _, url := range without(urls(p.old), urls(p.now)) {
		c.found(Change{Path: p.at, Kind: Removed, From: url, Breaking: true, Why: "the upstream may stop serving this address"})
	}
	for _, url := range without(urls(p.now), urls(p.old)) {
		c.report(unused, Change{Path: p.at, Kind: Added, To: url})
	}
}

func (c *comparison) path(p pair) {
	switch {
	case p.old == nil:
		c.report(unused, Change{Path: p.at, Kind: PathAdded, To: operations(p.now)})
		return
	case p.now == nil:
		c.report(c.marks.below(p.at), Change{Path: p.at, Kind: PathRemoved, From: operations(p.old), Breaking: true, Why: called})
		return
	}
	for _, e := range pairs(p.at, p.old, p.now) {
		switch {
		case !slices.Contains(methods, e.key):
			c.differ(&mark{tools: c.marks.below(p.at).tools}, e.keyword(p.at, true, unjudged))
		case e.old == nil:
			c.report(unused, Change{Path: e.at, Kind: OperationAdded, To: operationID(e.now)})
		case e.now == nil:
			c.report(c.marks.below(e.at), Change{Path: e.at, Kind: OperationRemoved, From: operationID(e.old), Breaking: true, Why: called})
		default:
			c.operation(e)
		}
	}
}

func operations(path *yaml.Node) string {
	var ids []string
	for _, method := range methods {
		if op := child(path, method); op != nil {
			ids = append(ids, operationID(op))
		}
	}
	return strings.Join(ids, ", ")
}

func operationID(operation *yaml.Node) string { return scalar(child(operation, "operationId")) }

func (c *comparison) operation(p pair) {
	tools := c.marks.mark(p.at)
	for _, e := range pairs(p.at, p.old, p.now) {
		switch e.key {
		case "operationId":
			c.differ(tools, Change{
				Path: p.at, Kind: OperationRenamed, From: scalar(e.old), To: scalar(e.now), Breaking: true,
				Why: "the client and tools.yaml call it by this name",
			})
		case "parameters":
			for _, parameter := range pairs("", c.older.parameters(e.old), c.newer.parameters(e.now)) {
				c.parameter(tools, e.at, parameter)
			}
		case "responses":
			for _, response := range pairs(e.at, e.old, e.now) {
				c.response(response.at, response.key, c.older.resolve(response.old), c.newer.resolve(response.now))
			}
		case openapi.Prose:
			c.prose(tools, p.at, e)
		case "deprecated":
			c.differ(tools, e.keyword(p.at, false, "it still answers"))
		default:
			c.differ(tools, e.keyword(p.at, true, unjudged))
		}
	}
}

// parameter compares a parameter of an operation, which some tools call.
func (c *comparison) parameter(tools *mark, parameters string, p pair) {
	_, name, _ := strings.Cut(p.key, " ")
	at := parameters + "." + name
	switch {
	case p.now == nil:
		c.found(Change{Path: at, Kind: ParameterRemoved, From: c.older.describe(p.old), Breaking: true, Why: "it is sent"})
		return
	case p.old == nil:
		if !required(p.now) {
			tools = unused
		}
		c.report(tools, Change{Path: at, Kind: ParameterAdded, To: c.newer.describe(p.now), Breaking: true,
			Why: "it is required, and nothing sends it"})
		return
	}
	sent := c.marks.mark(at)
	for _, e := range pairs(at, p.old, p.now) {
		switch e.key {
		case "name", "in":
		case "required":
			c.obligation(tools, sent, at, p)
		case "schema":
			if !sent.used() {
				c.differ(tools, Change{
					Path: at, Kind: DefaultChanged, Breaking: true,
					Why:  "the parameter is not sent, so that a request now means something else",
					From: text(child(c.older.resolve(e.old), "default")), To: text(child(c.newer.resolve(e.now), "default")),
				})
			}
			c.schema(at, e.old, e.now)
		case openapi.Prose:
			c.prose(sent, at, e)
		case "deprecated":
			c.differ(sent, e.keyword(at, false, "it is still taken"))
		default:
			c.differ(sent, e.keyword(at, true, unjudged))
		}
	}
}

// obligation compares whether a parameter is required.
func (c *comparison) obligation(tools, sent *mark, at string, p pair) {
	switch from, to := required(p.old), required(p.now); {
	case to && !from:
		c.report(tools, Change{Path: at, Kind: ParameterRequired, Breaking: true, Why: "a request may not have it"})
	case from && !to:
		c.report(sent, Change{Path: at, Kind: ParameterOptional, Why: "it may be sent as before"})
	}
}

// prose reports that the text about a used operation or a sent parameter changed. Only a reader can judge its effect.
func (c *comparison) prose(k *mark, at string, e pair) {
	if text(e.old) != text(e.now) && len(k.tools) > 0 {
		c.report(k, Change{Path: at, Kind: ProseChanged, Why: "its text changed: read it"})
	}
}

func (c *comparison) response(at, status string, old, now *yaml.Node) {
	switch {
	case old == nil:
		c.report(unused, Change{Path: at, Kind: Added, To: status})
		return
	case now == nil:
		c.found(Change{Path: at, Kind: Removed, From: status, Breaking: true, Why: read})
		return
	}
	for _, media := range pairs(at, child(old, "content"), child(now, "content")) {
		before, after := child(media.old, "schema"), child(media.now, "schema")
		switch {
		case media.old == nil:
			c.report(unused, Change{Path: media.at, Kind: Added, To: c.newer.typeName(after)})
		case media.now == nil:
			c.found(Change{Path: media.at, Kind: Removed, From: c.older.typeName(before), Breaking: true, Why: read})
		default:
			c.schema(media.at, before, after)
		}
	}
	c.differ(c.marks.mark(at), Change{Path: at, From: "headers: " + text(child(old, "headers")),
		To: "headers: " + text(child(now, "headers")), Why: "no header is read by its schema"})
}

// components compares each schema on its own. For the other components it only lists the changes, because used ones are compared where
// they are referred to.
func (c *comparison) components(group pair) {
	for _, p := range pairs(group.at, group.old, group.now) {
		from, to := text(p.old), text(p.now)
		if group.key == "schemas" {
			from, to = c.older.typeName(p.old), c.newer.typeName(p.now)
		} else if p.old == nil || p.now == nil {
			from, to = "", ""
		}
		switch {
		case p.old == nil:
			c.report(unused, Change{Path: p.at, Kind: Added, To: to})
		case p.now == nil:
			change := Change{Path: p.at, Kind: Removed, From: from, Why: "references to it are judged on their own"}
			if group.key == "schemas" && !plainly(c.older.resolve(p.old)) {
				change.Breaking, change.Why = true, gone
			}
			c.found(change)
		case group.key == "schemas":
			c.schema(p.at, p.old, p.now)
		default:
			c.differ(c.marks.mark(p.at), Change{Path: p.at, From: from, To: to})
		}
	}
}
