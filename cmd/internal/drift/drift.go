// Package drift reports the changes between two structures of an upstream's OpenAPI document, and which of them break the project.
//
// The caller says what the project uses: properties of mapped fields, parameters that are sent, operations that are called. Changes of
// other places break nothing. A change of a used place that cannot be judged counts as breaking.
//
// The package knows OpenAPI, not any upstream.
package drift

import (
	"cmp"
	"errors"
	"slices"
)

// A Kind is the kind of a change.
type Kind string

// The kinds of a change. A report has no others.
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
	ProseChanged      Kind = "text changed"
	Changed           Kind = "changed" // any other keyword; From and To name it
)

// A Change is one difference between the two documents.
type Change struct {
	// Path is the place: components.schemas.NAME.PROPERTY, with [] for the items of a list, or paths.PATH.METHOD.parameters.NAME.
	Path string `json:"path"`
	Kind Kind   `json:"kind"`
	// From and To are the values in the two documents; empty for an absent one.
	From string `json:"from"`
	To   string `json:"to"`
	// Breaking reports whether the project fails, or no longer compiles, with the newer document.
	Breaking bool `json:"breaking"`
	// Why is the reason for the verdict; empty if the place is not used.
	Why string `json:"why"`
	// Fields are the mapped fields that need the place, Arguments the tool arguments that are sent there (TOOL.ARGUMENT), Tools the
	// tools concerned, Commands the commands that read the place without a tool. All are sorted and never null.
	Fields    []string `json:"fields"`
	Arguments []string `json:"arguments"`
	Tools     []string `json:"tools"`
	Commands  []string `json:"commands"`
}

// touches reports whether the project uses the place.
func (c *Change) touches() bool {
	return len(c.Fields)+len(c.Arguments)+len(c.Tools) > 0
}

// A Report is every change between two documents.
type Report struct {
	Title    string `json:"title"`    // of the newer document
	From     string `json:"from"`     // version of the committed document
	To       string `json:"to"`       // version of the newer one
	Breaking bool   `json:"breaking"` // a change is breaking
	// Changes are all changes: breaking ones first, then those of used places, then the others; each group sorted by path. Never null.
	Changes []Change `json:"changes"`
	// Unlisted are the fields of the newer document's record that the list of mapped fields does not have. Never null.
	Unlisted []string `json:"unlisted"`
}

// Compare reports the changes from the committed structure to a newer one. Both are outputs of package openapi. It returns an error for
// an unreadable structure, for a newer structure of another API, and for a use that the committed structure does not contain.
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

// related reports whether two documents can describe the same API.
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
