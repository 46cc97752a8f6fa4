package pages

import (
	"maps"
	"slices"

	"github.com/biofact-mcp/biofact/internal/tool"
)

// A Tool has the data of a tool that its page needs.
type Tool struct {
	Name    string              `json:"tool"`
	Title   string              `json:"title"`
	Version string              `json:"version,omitempty"` // of Biofact
	Choices map[string][]string `json:"choices,omitempty"` // values of an argument
	Repeats []string            `json:"kept,omitempty"`    // the only arguments that a page repeats; empty: all
	Command string              `json:"command,omitempty"` // command line that made a file
	Banner  string              `json:"banner,omitempty"`  // sentence at the top about answers that are not from the sources
	Flag    string              `json:"flag,omitempty"`    // flag of each command line that gives the same answers
}

// impersonal lists the arguments that say nothing about a person, by page. Such a page repeats no other argument.
var impersonal = map[string][]string{"match": {"nct_ids", "country", "status", "phase", "page_size", "cursor"}}

// About returns the data of a tool that its page needs. Version is that of Biofact.
func About(t *tool.Tool, version string) Tool {
	about := Tool{Name: t.Name, Title: t.Title, Version: version, Choices: map[string][]string{}, Repeats: impersonal[t.Page]}
	if t.Origin != nil {
		about.Banner, about.Flag = t.Origin.Notice, t.Origin.Flag
	}
	for _, a := range t.Arguments {
		if a.Type == "string" && len(a.Words) > 0 && !a.AnyWords {
			about.Choices[a.Name] = a.Words
		}
	}
	return about
}

// Repeated returns the arguments that a page may repeat: those that say nothing about a person.
func Repeated[A ~map[string]V, V any](page string, given A) A {
	given = maps.Clone(given)
	if names := impersonal[page]; names != nil {
		maps.DeleteFunc(given, func(name string, _ V) bool { return !slices.Contains(names, name) })
	}
	return given
}
