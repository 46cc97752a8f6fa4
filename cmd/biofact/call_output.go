package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/biofact-mcp/biofact/cmd/biofact/internal/display"
	"github.com/biofact-mcp/biofact/gen/schemas"
	"github.com/biofact-mcp/biofact/internal/service"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// A view is a format in which an answer is printed: the name of its flag, or "" for the envelope.
type view string

const (
	viewTable view = "table"
	viewLines view = "ndjson"
	viewCSV   view = "csv"
	viewPlot  view = "plot"
	viewRaw   view = "raw"
	viewLinks view = "open"
)

// views are the views with the usage of their flags, in the order of the help text.
var views = []struct {
	view  view
	usage string
}{
	{viewTable, "print a list as a table, cut to the width of the terminal, and a record as key: value lines"},
	{viewLines, "print each item as one line of JSON, page by page"},
	{viewCSV, "print the rows of the answer as CSV (RFC 4180); a list in a cell is joined by |"},
	{viewPlot, "draw the groups of a count as bars, in the width of the terminal"},
	{viewRaw, "print the complete record in the format of its source: JSON of ClinicalTrials.gov, XML of NCBI"},
	{viewLinks, "print the web addresses of the records, one per line; no browser is started"},
}

// viewFlags adds the flags that select a view and returns their names. They are mutually exclusive.
func viewFlags(f *pflag.FlagSet) (names []string) {
	for _, v := range views {
		f.Bool(string(v.view), false, v.usage)
		names = append(names, string(v.view))
	}
	return names
}

// selectedView returns the view that a flag selects.
func selectedView(f *pflag.FlagSet) view {
	for _, v := range views {
		if selected, err := f.GetBool(string(v.view)); err == nil && selected {
			return v.view
		}
	}
	return ""
}

// prepare checks that the view supports the answers of the tool, and sets the options of the tool that the view needs.
func (c *call) prepare() error {
	switch c.view {
	case viewCSV:
		if !hasRows(c.tool) {
			return c.unsupported("--csv: %s returns one record, which has no rows; tools with rows are %s", hasRows)
		}
		if writesCSV(c.tool) {
			c.arguments.set("format", "csv")
		}
	case viewRaw:
		return c.prepareRaw()
	case viewPlot:
		if !hasGroups(c.tool) {
			return c.unsupported("--plot: %s counts nothing; tools that count are %s", hasGroups)
		}
		if by := argument(c.tool, "by"); by != nil && c.arguments.text("by") == "" && !by.Required {
			return fmt.Errorf("--plot: needs groups; add by=%s or another value of by", by.Words[0])
		}
	}
	return nil
}

// prepareRaw checks that the source can return the complete record. The record id is then the only valid argument.
func (c *call) prepareRaw() error {
	has := func(t *tool.Tool) bool { return service.HasRaw(t.Name) }
	if !has(c.tool) {
		return c.unsupported("--raw: %s does not return one record of a source; the tools that do are %s; for the records of a search "+
			"use biofact export trials", has)
	}
	for _, a := range c.tool.Arguments {
		if len(c.arguments[a.Name]) > 0 && !a.Required {
			return fmt.Errorf("--raw: prints the complete record; leave out %s", a.Name)
		}
	}
	c.tool = c.app.Service.RawTool(c.tool, func(record []byte) { c.record = record })
	return nil
}

// unsupported returns the error for a flag that does not fit the tool. The format has the name of the tool and the names of the served
// tools that the flag fits.
func (c *call) unsupported(format string, fits func(*tool.Tool) bool) error {
	var names []string
	for _, t := range c.app.Tools {
		if fits(t) {
			names = append(names, t.Name)
		}
	}
	return fmt.Errorf(format, c.tool.Name, strings.Join(names, ", "))
}

// argument returns the argument of a tool with a name, or nil.
func argument(t *tool.Tool, name string) *tool.Argument {
	i := slices.IndexFunc(t.Arguments, func(a tool.Argument) bool { return a.Name == name })
	if i < 0 {
		return nil
	}
	return &t.Arguments[i]
}

// hasRows reports whether the answers of a tool have rows.
func hasRows(t *tool.Tool) bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(outputMembers(t))), display.IsList) || hasGroups(t) || writesCSV(t)
}

// hasGroups reports whether the answers of a tool have groups with counts.
func hasGroups(t *tool.Tool) bool {
	for name, ofItem := range outputMembers(t) {
		if display.IsGroups(name) && slices.Contains(ofItem, "count") {
			return true
		}
	}
	return false
}

// writesCSV reports whether a tool itself can return its rows as CSV.
func writesCSV(t *tool.Tool) bool {
	format := argument(t, "format")
	return format != nil && slices.Contains(format.Words, "csv")
}

// outputMembers returns the members of a tool's answer, each with the members of its items.
func outputMembers(t *tool.Tool) map[string][]string {
	type reference struct {
		Ref string `json:"$ref"`
	}
	type object struct {
		Properties map[string]struct {
			Items reference `json:"items"`
		} `json:"properties"`
	}
	var schema struct {
		Defs  map[string]object `json:"$defs"`
		AnyOf []reference       `json:"anyOf"` // the answer, or an error
	}
	if err := json.Unmarshal(schemas.Get(t.Name+".output"), &schema); err != nil {
		panic(err) // the schema is generated
	}
	to := func(r reference) object { return schema.Defs[strings.TrimPrefix(r.Ref, "#/$defs/")] }
	members := map[string][]string{}
	for name, m := range to(append(schema.AnyOf, reference{})[0]).Properties {
		members[name] = slices.Collect(maps.Keys(to(m.Items).Properties))
	}
	return members
}

// rows returns an answer whose rows are complete, as the view prints them.
func (c *call) rows(result tool.Result) (tool.Result, error) {
	result, err := completeRows(c.tool.Name, result)
	if err == nil && c.view == viewCSV && !result.IsError {
		result.JSON, err = display.TableItems(result.JSON)
	}
	return result, err
}

// showCSV prints the rows of an answer as CSV.
func (c *call) showCSV(answer display.Answer) error {
	errOut := c.cmd.ErrOrStderr()
	if !answer.HasRows() && !writesCSV(c.tool) {
		return fmt.Errorf("--csv: this answer of %s has no rows; leave out --csv to print it", c.tool.Name)
	}
	changed, err := answer.CSV(c.cmd.OutOrStdout())
	if err != nil {
		return err
	}
	if changed > 0 {
		fmt.Fprintf(errOut, "biofact: %s beginning with = + - or @ got a ' before it, so that no spreadsheet runs it as a formula; other "+
			"views print the text unchanged\n",
			plural(changed, "cell"))
	}
	for _, line := range answer.Beside() {
		fmt.Fprintln(errOut, "biofact:", line)
	}
	return nil
}

// showRaw prints a record in the format of its source.
func (c *call) showRaw(answer []byte) error {
	var about page
	if err := json.Unmarshal(answer, &about); err != nil {
		return err
	}
	about.printNotices(c.cmd.ErrOrStderr())
	_, err := c.cmd.OutOrStdout().Write(c.record)
	return err
}

// plural formats a number with a noun, in the singular or in the plural.
func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + one + "s"
}
