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
	"github.com/biofact-mcp/biofact/internal/service"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// A view is a format in which an answer is printed.
type view int

const (
	viewEnvelope view = iota
	viewTable
	viewLines
	viewLinks
	viewCSV
	viewPlot
	viewRaw
)

// viewFlags adds the flags that select a view and returns their names. They are mutually exclusive.
func viewFlags(f *pflag.FlagSet, chosen *view) (names []string) {
	for _, v := range []struct {
		name  string
		view  view
		usage string
	}{
		{"table", viewTable, "print a list as a table, cut to the width of the terminal, and a record as key: value lines"},
		{"ndjson", viewLines, "print each item as one line of JSON, page by page"},
		{"csv", viewCSV, "print the rows of the answer as CSV (RFC 4180); a list in a cell is joined by |"},
		{"plot", viewPlot, "draw the groups of a count as bars, in the width of the terminal"},
		{"raw", viewRaw, "print the complete record in the format of its source: JSON of ClinicalTrials.gov, XML of NCBI"},
		{"open", viewLinks, "print the web addresses of the records, one per line; no browser is started"},
	} {
		f.VarPF(&viewFlag{chosen, v.view}, v.name, "", v.usage).NoOptDefVal = "true"
		names = append(names, v.name)
	}
	return names
}

// A viewFlag is a boolean flag that selects a view.
type viewFlag struct {
	chosen *view
	view   view
}

// String reports whether the view is selected, as "true" or "false".
func (v *viewFlag) String() string {
	return strconv.FormatBool(v.chosen != nil && *v.chosen == v.view)
}

// Type returns the type of the value. It is bool, so that help shows no value.
func (*viewFlag) Type() string { return "bool" }

// Set selects the view, or does nothing for false.
func (v *viewFlag) Set(text string) error {
	yes, err := strconv.ParseBool(text)
	switch {
	case err != nil:
		return err
	case yes:
		*v.chosen = v.view
	case *v.chosen == v.view:
		*v.chosen = viewEnvelope
	}
	return nil
}

// prepare checks that the view supports the answers of the tool, and sets the options of the tool that the view needs.
func (c *call) prepare() error {
	switch c.flags.view {
	case viewCSV:
		if !hasRows(c.tool) {
			return fmt.Errorf("--csv: %s returns one record, which has no rows; tools with rows are %s", c.tool.Name, c.toolsThat(hasRows))
		}
		if writesCSV(c.tool) {
			c.arguments.set("format", "csv")
		}
	case viewRaw:
		return c.prepareRaw()
	case viewPlot:
		if !hasGroups(c.tool) {
			return fmt.Errorf("--plot: %s counts nothing; tools that count are %s", c.tool.Name, c.toolsThat(hasGroups))
		}
		i := slices.IndexFunc(c.tool.Arguments, func(a tool.Argument) bool { return a.Name == "by" })
		if i >= 0 && c.arguments.text("by") == "" && !c.tool.Arguments[i].Required {
			return fmt.Errorf("--plot: needs groups; add by=%s or another value of by", c.tool.Arguments[i].Words[0])
		}
	}
	return nil
}

// prepareRaw checks that the source can return the complete record. The record id is then the only valid argument.
func (c *call) prepareRaw() error {
	has := func(t *tool.Tool) bool { return service.HasRaw(t.Name) }
	if !has(c.tool) {
		return fmt.Errorf("--raw: %s does not return one record of a source; the tools that do are %s; for the records of a search "+
			"use biofact export trials",
			c.tool.Name, c.toolsThat(has))
	}
	for _, a := range c.tool.Arguments {
		if len(c.arguments[a.Name]) > 0 && !a.Required {
			return fmt.Errorf("--raw: prints the complete record; leave out %s", a.Name)
		}
	}
	c.tool = c.app.Service.RawTool(c.tool, func(record []byte) { c.record = record })
	return nil
}

// toolsThat lists the names of the served tools that match a condition.
func (c *call) toolsThat(have func(*tool.Tool) bool) string {
	var names []string
	for _, t := range c.app.Tools {
		if have(t) {
			names = append(names, t.Name)
		}
	}
	return strings.Join(names, ", ")
}

// hasRows reports whether the answers of a tool have rows.
func hasRows(t *tool.Tool) bool {
	outputSchema := readOutputSchema(t)
	return slices.ContainsFunc(slices.Collect(maps.Keys(outputSchema.members())), display.IsList) || hasGroups(t) || writesCSV(t)
}

// hasGroups reports whether the answers of a tool have groups with counts.
func hasGroups(t *tool.Tool) bool {
	outputSchema := readOutputSchema(t)
	for name, m := range outputSchema.members() {
		if _, counts := outputSchema.of(m.Items.Ref)["count"]; counts && display.IsGroups(name) {
			return true
		}
	}
	return false
}

// writesCSV reports whether a tool itself can return its rows as CSV.
func writesCSV(t *tool.Tool) bool {
	return slices.ContainsFunc(t.Arguments, func(a tool.Argument) bool { return a.Name == "format" && slices.Contains(a.Words, "csv") })
}

// An outputSchema is the part of a tool's output schema that the views need.
type outputSchema struct {
	Defs map[string]struct {
		Properties map[string]outputMember `json:"properties"`
	} `json:"$defs"`
	AnyOf []outputMember `json:"anyOf"`
}

type outputMember struct {
	Ref   string `json:"$ref"`
	Items struct {
		Ref string `json:"$ref"`
	} `json:"items"`
}

func readOutputSchema(t *tool.Tool) (a outputSchema) {
	if err := json.Unmarshal(t.ListedOutput, &a); err != nil {
		panic(err) // the schema is generated
	}
	return a
}

// members returns the members of an answer, by name.
func (a *outputSchema) members() map[string]outputMember {
	if len(a.AnyOf) == 0 {
		return nil
	}
	return a.of(a.AnyOf[0].Ref)
}

// of returns the members of a type.
func (a *outputSchema) of(ref string) map[string]outputMember {
	return a.Defs[strings.TrimPrefix(ref, "#/$defs/")].Properties
}

// rows returns an answer whose rows are complete, as the view prints them.
func (c *call) rows(result tool.Result) (tool.Result, error) {
	result, err := completeRows(c.tool.Name, result)
	if err == nil && c.flags.view == viewCSV && !result.IsError {
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

// showPlot draws the groups of an answer as bars.
func (c *call) showPlot(answer display.Answer) {
	out := c.cmd.OutOrStdout()
	(&display.Printer{Out: out, Width: screenWidth(out)}).Plot(answer)
}

// plural formats a number with a noun, in the singular or in the plural.
func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + one + "s"
}
