// Package drift tells what changed between two structures of an upstream's
// OpenAPI document, and which of it breaks the project.
//
// What breaks is decided by what the project uses, which the caller says: a
// property that a mapped field stands on, a parameter that is sent, an
// operation that is called. Everything else is listed and breaks nothing. Where
// a change of something used cannot be judged, it counts as breaking.
//
// The package knows OpenAPI, not any upstream.
package drift

import (
	"cmp"
	"errors"
	"slices"
)

// A Kind says what happened at a place of the document.
type Kind string

// The kinds of a change. A report holds no others.
const (
	Removed           Kind = "removed"
	Added             Kind = "added"
	TypeChanged       Kind = "type changed"
	FormatChanged     Kind = "format changed"
	EnumValueAdded    Kind = "enum value added"
	EnumValueRemoved  Kind = "enum value removed"
	PatternChanged    Kind = "pattern changed"
	LimitChanged      Kind = "limit changed"
	DefaultChanged    Kind = "default changed"
	MadeRequired      Kind = "made required"
	NoLongerRequired  Kind = "no longer required"
	ParameterRemoved  Kind = "parameter removed"
	ParameterAdded    Kind = "parameter added"
	ParameterRequired Kind = "parameter required"
	ParameterOptional Kind = "parameter no longer required"
	PathRemoved       Kind = "path removed"
	PathAdded         Kind = "path added"
	OperationRemoved  Kind = "operation removed"
	OperationAdded    Kind = "operation added"
	OperationRenamed  Kind = "operation renamed"
	Changed           Kind = "changed" // any other keyword; From and To name it
)

// A Change is one difference between the two documents.
type Change struct {
	// Path is the place: components.schemas.NAME.PROPERTY, [] for the items of a
	// list, or paths.PATH.METHOD.parameters.NAME.
	Path string `json:"path"`
	Kind Kind   `json:"kind"`
	// From and To are what stands there in the two documents; empty for nothing.
	From string `json:"from"`
	To   string `json:"to"`
	// Breaking tells that the project fails, or no longer compiles, with the newer
	// document.
	Breaking bool `json:"breaking"`
	// Why gives the reason for the verdict; empty where nothing used is touched.
	Why string `json:"why"`
	// Fields are the mapped fields that stand on the place, Arguments the tools'
	// arguments that are sent there (TOOL.ARGUMENT), Tools the tools concerned.
	// Sorted, never null.
	Fields    []string `json:"fields"`
	Arguments []string `json:"arguments"`
	Tools     []string `json:"tools"`
}

// touches tells whether the project uses the place.
func (c *Change) touches() bool {
	return len(c.Fields)+len(c.Arguments)+len(c.Tools) > 0
}

// A Report is every change between two documents.
type Report struct {
	Title    string `json:"title"`    // of the newer document
	From     string `json:"from"`     // version of the committed document
	To       string `json:"to"`       // version of the newer one
	Breaking bool   `json:"breaking"` // any change is
	// Changes are all of them: breaking ones first, then those that touch what
	// the project uses, then the others; each by path. Never null.
	Changes []Change `json:"changes"`
	// Unlisted are the fields of the newer document's record that the list of the
	// mappers does not have. Never null.
	Unlisted []string `json:"unlisted"`
}

// Compare reports what changed from the committed structure to a newer one.
// Both are what package openapi makes. The error is of a structure that cannot
// be read, of a newer one that is of something else, or of a use that the
// committed structure does not hold.
func Compare(committed, newer []byte, use Use) (*Report, error) {
	older, err := parse(committed)
	if err != nil {
		return nil, err
	}
	later, err := parse(newer)
	if err != nil {
		return nil, err
	}
	if !related(older, later) {
		return nil, errors.New("the newer document has no schemas, or no path of the committed one: it is cut off, or of another API")
	}
	marks, err := markUse(older, use)
	if err != nil {
		return nil, err
	}
	c := comparison{older: older, newer: later, marks: marks}
	c.documents()
	report := &Report{
		Title:   scalar(child(child(later.root, "info"), "title")),
		From:    scalar(child(child(older.root, "info"), "version")),
		To:      scalar(child(child(later.root, "info"), "version")),
		Changes: append([]Change{}, c.changes...), Unlisted: []string{},
	}
	slices.SortStableFunc(report.Changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(section(&a), section(&b)), cmp.Compare(a.Path, b.Path))
	})
	report.Breaking = len(report.Changes) > 0 && report.Changes[0].Breaking
	return report, nil
}

// related tells whether two documents can be of one API.
func related(older, newer document) bool {
	paths := child(newer.root, "paths")
	return len(keys(newer.schemas())) > 0 && slices.ContainsFunc(keys(child(older.root, "paths")), func(path string) bool {
		return child(paths, path) != nil
	})
}

// The sections of a report, in order.
const (
	breaking = iota
	touching
	elsewhere
)

func section(c *Change) int {
	switch {
	case c.Breaking:
		return breaking
	case c.touches():
		return touching
	}
	return elsewhere
}
