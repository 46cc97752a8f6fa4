package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/biofact-mcp/biofact/cmd/biofact/internal/display"
	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/logging"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// callFlags are the flags of biofact call.
type callFlags struct {
	object string // arguments as JSON; - is standard input
	all    bool
	limit  int    // maximum number of items; 0: no limit
	html   string // file for the HTML page; - is standard output
}

func callCommand(cfg *config.Config) *cobra.Command {
	var flags callFlags
	cmd := &cobra.Command{
		Use:   "call TOOL [ARGUMENT=VALUE ... | '{...}']",
		Short: "Call one tool and print its answer",
		Long: "Call one tool and print its answer, in the same envelope that a client gets.\n" +
			"With --all every page is read, one after another and within the rate limit of the source. If it ends early, it prints the " +
			"command that continues.\n" +
			"Exit code 0: an answer, 1: an error, 2: wrong usage, 130: interrupted by Ctrl-C.\n" +
			"Tools, arguments and their values complete where the shell has the completion: biofact completion --help.",
		Example: "  biofact call search_trials condition=melanoma phase='Phase 3'\n" +
			"  biofact call get_trial --json '{\"nct_id\":\"NCT:00461032\"}'\n" +
			"  biofact call search_genes query=BRCA1 organism=human --table\n" +
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
	cmd.MarkFlagsMutuallyExclusive(append(views, "html")...)
	cmd.MarkFlagsMutuallyExclusive("all", "html")
	cmd.MarkFlagsMutuallyExclusive("raw", "all")
	return cmd
}

// A call is one use of biofact call.
type call struct {
	cmd       *cobra.Command
	app       *app.App
	tool      *tool.Tool
	timeout   time.Duration // of one page
	flags     callFlags
	view      view
	arguments arguments
	record    []byte // of the source, for --raw
}

func newCall(cmd *cobra.Command, cfg *config.Config, flags callFlags, args []string) (*call, error) {
	if flags.limit < 0 || flags.limit > 0 && !flags.all {
		return nil, errors.New("--limit: must be a number of items above 0, and needs --all")
	}
	if len(args) > 1 && strings.HasPrefix(args[1], "{") && flags.object == "" { // the call of a hint
		flags.object, args = args[1], append(args[:1], args[2:]...)
	}
	given, err := callArguments(args[1:], flags.object, interruptible{cmd.Context(), cmd.InOrStdin()})
	if err != nil {
		return nil, err
	}
	a, t, err := openTool(cmd.Context(), cfg, args[0], given)
	if err != nil {
		return nil, err
	}
	c := &call{cmd: cmd, app: a, tool: t, timeout: cfg.CallTimeout, flags: flags, view: selectedView(cmd.Flags()), arguments: given}
	if err := c.prepare(); err != nil {
		a.Close()
		return nil, err
	}
	return c, nil
}

// callTool calls the tool with the given arguments.
func (c *call) callTool(ctx context.Context, log *slog.Logger, args arguments) tool.Result {
	ctx, cancel := context.WithTimeout(logging.WithCall(ctx, ""), c.timeout)
	defer cancel()
	return c.tool.Call(ctx, log, args.json())
}

// show prints the answer of a successful call.
func (c *call) show(result tool.Result) error {
	out := c.cmd.OutOrStdout()
	if c.view == "" {
		var text bytes.Buffer
		if err := json.Indent(&text, result.JSON, "", "  "); err != nil {
			return err
		}
		fmt.Fprintln(out, text.String())
		if result.IsError {
			return exitFailed
		}
		return nil
	}
	if result.IsError {
		showError(c.cmd.ErrOrStderr(), result)
		return exitFailed
	}
	if c.view == viewRaw {
		return c.showRaw(result.JSON)
	}
	result, err := c.rows(result)
	if err != nil {
		return err
	}
	answer, err := display.Parse(result.JSON)
	if err != nil {
		return err
	}
	printer := &display.Printer{Out: out, Width: screenWidth(out)}
	switch c.view {
	case viewTable:
		printer.Answer(c.tool.Name, answer)
	case viewLines:
		return c.showLines(result.JSON)
	case viewCSV:
		return c.showCSV(answer)
	case viewPlot:
		printer.Plot(answer)
	case viewLinks:
		c.showLinks(answer)
	}
	return nil
}

// showLinks prints the web pages of the records in an answer.
func (c *call) showLinks(answer display.Answer) {
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
}

// screenWidth returns the number of columns of the terminal behind out, or 0 if out is not a terminal.
func screenWidth(out io.Writer) int {
	f, ok := out.(*os.File)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// showLines prints each item of a list answer on a line, or any other answer as a single item. The other members of the answer go to
// standard error.
func (c *call) showLines(answer []byte) error {
	if !paged(c.tool) {
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
	page.printNotices(c.cmd.ErrOrStderr())
	if page.Pagination.Cursor != "" {
		fmt.Fprintf(c.cmd.ErrOrStderr(), "biofact: more items follow: call again with cursor=%s, or read all pages with --all\n",
			page.Pagination.Cursor)
	}
	return nil
}

// showError prints an error envelope as text.
func showError(out io.Writer, result tool.Result) {
	var envelope entity.ErrorEnvelope
	if err := json.Unmarshal(result.JSON, &envelope); err != nil {
		fmt.Fprintf(out, "%s\n", result.JSON)
		return
	}
	fmt.Fprintf(out, "%s: %s\nhint: %s\n", envelope.Error.Code, envelope.Error.Message, envelope.Error.RecoveryHint)
}

func toolsCommand(cfg *config.Config) *cobra.Command {
	return &cobra.Command{
		Use:   "tools",
		Short: "List the tools with their arguments",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, t := range app.Listed(cfg) {
				fmt.Fprintf(w, "%s\t%s\n", t.Name, t.Title)
				for _, argument := range t.Arguments {
					about := argument.Type
					if argument.List {
						about += ", one or several"
					}
					if argument.Required {
						about += ", required"
					}
					if argument.Example != "" {
						about += ", such as " + argument.Example
					}
					fmt.Fprintf(w, "  %s\t%s\n", argument.Name, about)
				}
			}
			return w.Flush()
		},
	}
}
