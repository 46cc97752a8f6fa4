package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// complete offers tool names, then the argument names of the selected tool, then the known values of the argument.
func complete(table []*tool.Tool, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	const words = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	if len(args) == 0 {
		var offers []string
		for _, t := range table {
			offers = append(offers, cobra.CompletionWithDesc(t.Name, t.Title))
		}
		return matching(offers, toComplete), words
	}
	i := slices.IndexFunc(table, func(t *tool.Tool) bool { return t.Name == args[0] })
	if i < 0 {
		return nil, words
	}
	if name, value, ok := strings.Cut(toComplete, "="); ok {
		return values(argument(table[i], name), name, value), words
	}
	return matching(names(table[i], args[1:]), toComplete), words | cobra.ShellCompDirectiveNoSpace
}

// completeFilters offers the filters of an export, then the known values of a filter.
func completeFilters(table []*tool.Tool, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	filters := new(tools.TrialFilters).Names()
	offers, directive := complete(table, append([]string{tools.SearchTrials}, args...), toComplete)
	return slices.DeleteFunc(offers, func(offer string) bool {
		name, _, _ := strings.Cut(offer, "=")
		return !slices.Contains(filters, name)
	}), directive
}

// firstSentence returns the first sentence of a description, which a line of a shell has room for.
func firstSentence(text string) string {
	first, _, _ := strings.Cut(text, ". ")
	return strings.TrimSuffix(first, ".")
}

// names offers the arguments that are not on the command line yet, with their descriptions.
func names(t *tool.Tool, given []string) []string {
	var offers []string
	for _, a := range t.Arguments {
		if !slices.ContainsFunc(given, func(pair string) bool { return strings.HasPrefix(pair, a.Name+"=") }) {
			offers = append(offers, cobra.CompletionWithDesc(a.Name+"=", firstSentence(a.Description)))
		}
	}
	return offers
}

// values offers the known values of an argument. For a list it completes the text after the last comma.
func values(a *tool.Argument, name, value string) []string {
	if a == nil {
		return nil
	}
	before := name + "="
	if comma := strings.LastIndex(value, ","); a.List && comma >= 0 {
		before += value[:comma+1]
	}
	words := a.Words
	if a.Type == "boolean" {
		words = []string{"true", "false"}
	}
	var offers []string
	for _, w := range words {
		offers = append(offers, before+w)
	}
	return matching(offers, name+"="+value)
}

// matching returns the offers that begin with a text, ignoring case.
func matching(offers []string, text string) []string {
	return slices.DeleteFunc(offers, func(o string) bool {
		return len(o) < len(text) || !strings.EqualFold(o[:len(text)], text)
	})
}
