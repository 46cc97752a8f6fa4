package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/cmd/biofact/internal/display"
	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/tool"
)

func callCommand(cfg *config.Config) *cobra.Command {
	var flags callFlags
	cmd := &cobra.Command{
		Use:   "call TOOL [WORDS | ARGUMENT=VALUE ... | '{...}']",
		Short: "Call one tool and print its answer",
		Long: "Call one tool and print its answer: as a table or as text on a terminal, otherwise as JSON, in the envelope that a client " +
			"gets.\nWords without a name are the value of the tool's main argument; biofact help TOOL names it and the others.\n" +
			"With --all every page is read, one after another and within the rate limit of the source. If it ends early, it prints the " +
			"command that continues.\n" +
			"Tools, arguments and their values complete where the shell has the completion: biofact completion --help.",
		Example: "  biofact call get_trial NCT01844505\n" +
			"  biofact call search_trials condition=melanoma phase='Phase 3'\n" +
			"  biofact call search_genes BRCA1 organism=human --fields id,symbol,name\n" +
			"  biofact call search_trials condition=melanoma --all --ndjson > melanoma.ndjson\n" +
			"  biofact call get_trial_locations nct_id=NCT:00461032 --all --csv > sites.csv\n" +
			"  biofact call count_trials condition=melanoma by=start_year --plot\n" +
			"  biofact call get_trial_results nct_id=NCT:02513394 --html results.html",
		Args: takes(1, math.MaxInt),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := newCall(cmd, cfg, flags, args)
			if err != nil {
				return err
			}
			defer c.app.Close()
			if flags.html != "" {
				return c.writePage(cmd.Context(), flags.html)
			}
			if flags.all {
				return c.readAll(cmd.Context())
			}
			return c.show(c.callTool(cmd.Context(), c.app.Log, c.arguments))
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
			return complete(app.Listed(cfg), args, toComplete)
		},
	}
	f := cmd.Flags()
	f.StringVar(&flags.object, "json", "", "the arguments as one JSON object; - reads it from standard input")
	views := viewFlags(f)
	f.BoolVar(&flags.all, "all", false, "read all pages")
	f.IntVar(&flags.limit, "limit", 0, "with --all, stop after this number of items")
	f.StringVar(&flags.html, "html",
		"", "write the answer as an HTML page to this file, with all its sections and pages; - is standard output")
	f.BoolVar(&flags.force, "force", false, "with --html, "+aboutForce)
	f.StringSliceVar(&flags.fields, "fields", nil, "print only these fields of each row or record, such as id,title,phase")
	cmd.MarkFlagsMutuallyExclusive(append(views, "html")...)
	cmd.MarkFlagsMutuallyExclusive("raw", "fields")
	cmd.MarkFlagsMutuallyExclusive("all", "html")
	cmd.MarkFlagsMutuallyExclusive("raw", "all")
	return cmd
}

func newCall(cmd *cobra.Command, cfg *config.Config, flags callFlags, args []string) (*call, error) {
	if flags.limit < 0 || flags.limit > 0 && !flags.all {
		return nil, errors.New("--limit: must be a number of items above 0, and needs --all")
	}
	if err := sandboxPath(cmd, cfg, args[0]); err != nil {
		return nil, err
	}
	view, err := selectedView(cmd)
	if err != nil {
		return nil, err
	}
	quiet(cfg)
	if len(args) > 1 && strings.HasPrefix(args[1], "{") && flags.object == "" { // the call of a hint
		flags.object, args = args[1], append(args[:1], args[2:]...)
	}
	given, err := callArguments(withNames(toolNamed(cfg, args[0]), args[1:]), flags.object, interruptible{cmd.Context(), cmd.InOrStdin()})
	if err != nil {
		return nil, err
	}
	a, t, err := openTool(cmd.Context(), cfg, args[0], given)
	if err != nil {
		return nil, err
	}
	sayLeftOut(cmd, a)
	c := &call{cmd: cmd, app: a, tool: t, timeout: cfg.CallTimeout, flags: flags, view: view, arguments: given}
	if err := c.prepare(); err != nil {
		a.Close()
		return nil, err
	}
	return c, nil
}

// show prints the answer of a call. On a terminal an error is text.
func (c *call) show(result tool.Result) error {
	out := c.cmd.OutOrStdout()
	if result.IsError && c.cmd.Context().Err() != nil {
		return exitInterrupted
	}
	if result.IsError && c.view != viewJSON {
		showError(c.cmd, result)
		return exitFailed
	}
	if c.view == viewRaw {
		return c.showRaw(result.JSON)
	}
	result, err := c.rows(result)
	if err != nil {
		return err
	}
	if c.view == viewJSON {
		return c.showJSON(result)
	}
	answer, err := display.Parse(result.JSON)
	if err != nil {
		return err
	}
	printer := &display.Printer{Out: out, Width: screenWidth(out), Color: hasColor(out),
		Note: func(text string) string { return asCommands(c.cmd, text) },
		By:   []string{c.arguments.text("by"), c.arguments.text("then_by")}}
	switch c.view {
	case viewTable:
		printer.Answer(c.tool.Name, answer, c.flags.fields)
	case viewLines:
		return c.showLines(result.JSON)
	case viewCSV:
		return c.showCSV(answer)
	case viewPlot:
		printer.Plot(answer)
	case viewLinks:
		return c.showLinks(answer)
	}
	return nil
}

// showJSON prints the envelope of an answer or of an error.
func (c *call) showJSON(result tool.Result) error {
	var text bytes.Buffer
	if err := json.Indent(&text, result.JSON, "", "  "); err != nil {
		return err
	}
	fmt.Fprintln(c.cmd.OutOrStdout(), text.String())
	if result.IsError {
		return exitFailed
	}
	return nil
}

// showLinks prints the web pages of the records in an answer, and opens them if the output is a terminal.
func (c *call) showLinks(answer display.Answer) error {
	found := answer.Links()
	if link := display.TrialLink(c.arguments.text("nct_id")); len(found) == 0 && link != "" { // the parts of one record have no ids
		found = []string{link}
	}
	for _, link := range found {
		fmt.Fprintln(c.cmd.OutOrStdout(), link)
	}
	if len(found) == 0 {
		fmt.Fprintln(c.cmd.ErrOrStderr(), "biofact: no record of the answer has a web page")
	}
	if !isTerminal(c.cmd.OutOrStdout()) {
		return nil
	}
	if len(found) > maxOpened {
		fmt.Fprintf(c.cmd.ErrOrStderr(), "biofact: the first %d of %d pages are opened\n", maxOpened, len(found))
	}
	return openPages(c.cmd.Context(), found)
}

// showLines prints each item of a list answer on a line, or any other answer as a single item. The other members of the answer go to
// standard error.
func (c *call) showLines(answer []byte) error {
	if !paged(c.tool) && !c.wantsPublications() {
		_, err := fmt.Fprintf(c.cmd.OutOrStdout(), "%s\n", answer)
		return err
	}
	var page page
	if err := json.Unmarshal(answer, &page); err != nil {
		return err
	}
	if err := page.write(c.cmd.OutOrStdout()); err != nil {
		return err
	}
	page.printNotices(c.cmd.ErrOrStderr(), c.tool.Origin)
	if page.Pagination.Cursor != "" {
		fmt.Fprintln(c.cmd.ErrOrStderr(), "biofact:", display.More(page.Pagination.Cursor))
	}
	return nil
}
