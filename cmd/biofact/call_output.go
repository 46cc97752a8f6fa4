package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/biofact-mcp/biofact/cmd/biofact/internal/display"
	"github.com/biofact-mcp/biofact/gen/schemas"
	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/service"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/trials"
	"github.com/biofact-mcp/biofact/internal/trials/results"
)

// views are the views with the usage of their flags, in the order of the help text.
var views = []struct {
	view  view
	usage string
}{
	{viewTable, "print rows, groups, comparisons and results as tables, and a record as lines (the default on a terminal)"},
	{viewLines, "print each item as one line of JSON, page by page"},
	{viewCSV, "print the rows of the answer as CSV (RFC 4180); a list in a cell is joined by |"},
	{viewPlot, "draw the groups of a count as bars, in the width of the terminal"},
	{viewRaw, "print the complete record in the format of its source: JSON of ClinicalTrials.gov, XML of NCBI"},
	{viewLinks, "print the web addresses of the records, one per line; on a terminal also open the first 10 in the browser"},
}

// viewFlags adds the flags that select a view and returns their names. They are mutually exclusive.
func viewFlags(f *pflag.FlagSet) (names []string) {
	for _, v := range views {
		f.Bool(string(v.view), false, v.usage)
		names = append(names, string(v.view))
	}
	f.String("format", "", "json, table, csv, ndjson, plot or raw; the default is table on a terminal, otherwise json")
	return append(names, "format")
}

// selectedView returns the view that a flag selects. Without one, a terminal gets tables and a program JSON.
func selectedView(cmd *cobra.Command) (view, error) {
	for _, v := range views {
		if selected, err := cmd.Flags().GetBool(string(v.view)); err == nil && selected {
			return v.view, nil
		}
	}
	switch format := view(cmd.Flag("format").Value.String()); format {
	case "":
		if isTerminal(cmd.OutOrStdout()) {
			return viewTable, nil
		}
		return viewJSON, nil
	case viewJSON, viewTable, viewCSV, viewLines, viewPlot, viewRaw:
		return format, nil
	default:
		return "", fmt.Errorf("--format: must be json, table, csv, ndjson, plot or raw, was %s", format)
	}
}

// defaultBriefs is the number of summaries in a table: the results of a page, if the call sets no number.
const defaultBriefs = 20

// prepare checks that the view and the fields fit the answers of the tool, and sets the options of the tool that the view needs.
func (c *call) prepare() error {
	if err := c.checkFields(); err != nil {
		return err
	}
	switch c.view {
	case viewTable:
		c.askBriefs()
	case viewCSV:
		if !hasRows(c.tool) && !c.wantsPublications() {
			return c.unsupported("--csv: %s returns one record, which has no rows; tools with rows are %s", hasRows)
		}
		if writesCSV(c.tool) {
			c.arguments.set("format", "csv")
			if c.arguments.text(sectionArgument) == "" {
				c.arguments.set(sectionArgument, "outcomes")
				fmt.Fprintln(c.cmd.ErrOrStderr(), "biofact: --csv: the table of section=outcomes; each other section is a table of its own")
			}
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

// askBriefs asks for the summaries of the articles that a table shows: a PMID alone says nothing to a person.
func (c *call) askBriefs() {
	briefs := argument(c.tool, "fetchBriefSummaries")
	if briefs == nil || len(c.arguments[briefs.Name]) > 0 {
		return
	}
	count, ok := number(c.arguments["maxResults"])
	if !ok {
		count = defaultBriefs
	}
	c.arguments.set(briefs.Name, strconv.Itoa(min(count, briefs.Maximum)))
}

// wantsPublications reports whether the call reads the publications of trials, which are rows.
func (c *call) wantsPublications() bool {
	var list []string
	if json.Unmarshal(c.arguments["sections"], &list) != nil {
		list = []string{c.arguments.text("sections")}
	}
	return c.tool.Name == tools.GetTrial && slices.Equal(list, []string{trials.Publications})
}

// checkFields checks that the answers of the tool have the fields that are to be printed.
func (c *call) checkFields() error {
	if writesCSV(c.tool) { // it writes its tables itself
		return nil
	}
	known := display.ReadSchema(schemas.Get(c.tool.Name + ".output")).Fields()
	if c.wantsPublications() && c.view != viewTable {
		known = display.PublicationColumns
	}
	for _, field := range c.flags.fields {
		if name, _, _ := strings.Cut(field, "."); len(known) > 0 && !slices.Contains(known, name) {
			hint := "it has " + strings.Join(known, ", ")
			if near := tool.Nearest(name, known); near != "" {
				hint = "did you mean " + near + "?"
			}
			return fmt.Errorf("--fields: %s has no field %s; %s", c.tool.Name, field, hint)
		}
	}
	return nil
}

// outputMembers returns the members of a tool's answer, each with the members of its items.
func outputMembers(t *tool.Tool) map[string][]string {
	return display.ReadSchema(schemas.Get(t.Name + ".output")).Members()
}

// rows returns an answer whose rows are complete, as the view prints them.
func (c *call) rows(result tool.Result) (tool.Result, error) {
	if c.view == viewJSON && len(c.flags.fields) == 0 || result.IsError {
		return result, nil // unchanged
	}
	result, err := completeRows(c.tool.Name, result)
	if err == nil && c.wantsPublications() && (c.view == viewCSV || c.view == viewLines) {
		result.JSON, err = display.PublicationRows(result.JSON)
	}
	if err == nil && c.view == viewCSV {
		result.JSON, err = display.TableItems(result.JSON)
	}
	if err == nil && c.view != viewTable {
		result.JSON, err = display.Select(result.JSON, c.flags.fields)
	}
	return result, err
}

func (c *call) showCSV(answer display.Answer) error {
	errOut := c.cmd.ErrOrStderr()
	if !answer.HasRows() && !writesCSV(c.tool) {
		return fmt.Errorf("--csv: this answer of %s has no rows; leave out --csv to print it", c.tool.Name)
	}
	columns := c.flags.fields
	switch {
	case len(columns) > 0:
	case c.wantsPublications():
		columns = display.PublicationColumns
	case writesCSV(c.tool):
		columns = results.Columns(c.arguments.text(sectionArgument))
	default:
		columns = display.ReadSchema(schemas.Get(c.tool.Name + ".output")).Columns()
	}
	changed, err := answer.CSV(c.cmd.OutOrStdout(), columns)
	if err != nil {
		return err
	}
	if changed > 0 {
		fmt.Fprintf(errOut, "biofact: %s beginning with = + - or @ got a ' before it, so that no spreadsheet runs it as a formula; other "+
			"views print the text unchanged\n",
			plural(changed, "cell"))
	}
	for _, line := range answer.Beside(func(text string) string { return asCommands(c.cmd, text) }) {
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
	about.printNotices(c.cmd.ErrOrStderr(), c.tool.Origin)
	if isTerminal(c.cmd.OutOrStdout()) { // a file gets the record as it is
		c.record = []byte(entity.Clean(string(c.record)))
	}
	_, err := c.cmd.OutOrStdout().Write(c.record)
	return err
}

// completeRows returns the answer of a tool with complete rows for printing. A long page of sites states values that all sites share
// only once; here each row has them.
func completeRows(toolName string, result tool.Result) (tool.Result, error) {
	if toolName != tools.GetTrialLocations || result.IsError {
		return result, nil
	}
	var given struct {
		entity.Page[entity.TrialLocation]
		entity.TrialSites
		Notices []string `json:"notices"`
	}
	err := json.Unmarshal(result.JSON, &given)
	if err != nil || given.Shared == nil && given.Teams == nil {
		return result, err
	}
	given.Expand(given.Items)
	var answer entity.Answer[entity.PageWith[entity.TrialLocation, entity.TrialSites]]
	answer.Value.Page, answer.Value.Beside = given.Page, given.TrialSites
	answer.Add(given.Notices...)
	result.JSON, err = entity.JSON(answer)
	return result, err
}
