package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/cmd/biofact/internal/recordfile"
	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/trials"
)

// exportTimeout is the minimum timeout of a request of an export, which returns up to 100 complete records.
const exportTimeout = 2 * time.Minute

func exportCommand(cfg *config.Config) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write the complete records of a search, one per line",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(exportTrialsCommand(cfg))
	return cmd
}

// exportFlags are the flags of biofact export trials.
type exportFlags struct {
	object string // filters as JSON; - is standard input
	path   string // output file; "" is standard output
	flat   bool
	rows   rowFlags
}

func exportTrialsCommand(cfg *config.Config) *cobra.Command {
	var flags exportFlags
	cmd := &cobra.Command{
		Use:   "trials FILTER=VALUE ...",
		Short: "Write the complete records of all trials that match, one per line of JSON",
		Long: "Write the complete records of all trials that match, one per line of JSON, as ClinicalTrials.gov has them: with sites, " +
			"results and all other sections.\n" +
			"Filters are those of search_trials (biofact tools lists them). First the ids are listed, 1,000 per request, then the " +
			"records are " +
			"read, 100 per request,\n" +
			"within the rate limit of the registry. With --comparisons or --arms the rows of get_trial_results are written for each " +
			"trial " +
			"with results. The same command with the same --output FILE continues an export that ended early:\n" +
			"no record is lost or repeated, and an incomplete line is written again.",
		Example: "  biofact export trials condition=melanoma status=recruiting > trials.ndjson\n" +
			"  biofact export trials condition=melanoma start_date='since 2020' --output melanoma.ndjson\n" +
			"  biofact export trials lead_sponsor=Pfizer has_results=true --flat | jq -r .brief_title\n" +
			"  biofact export trials condition=melanoma --comparisons --csv --output effects.csv",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := flags.rows.check(flags.flat); err != nil {
				return err
			}
			x, err := newExporting(cmd, cfg, flags, args)
			if err != nil {
				return err
			}
			defer x.app.Close()
			return x.run(cmd.Context())
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
			return completeFilters(app.Listed(cfg), args, toComplete)
		},
	}
	f := cmd.Flags()
	f.StringVar(&flags.object, "json", "", "the filters as one JSON object; - reads it from standard input")
	f.StringVarP(&flags.path, "output",
		"o", "", "write to this file, or continue it if it exists; without this flag records go to standard output")
	f.BoolVar(&flags.flat, "flat", false, "write each record as get_trial returns it, without sites and results")
	flags.rows.add(f)
	return cmd
}

// A trialExport is one run of biofact export trials.
type trialExport struct {
	cmd     *cobra.Command
	app     *app.App
	search  *tool.Tool // the tool whose filters apply
	filters arguments
	flags   exportFlags
	sandbox string        // setting
	timeout time.Duration // of one request
	out     *recordfile.File
	bar     *progress
	refused error // error of writing to out
}

func newExporting(cmd *cobra.Command, cfg *config.Config, flags exportFlags, args []string) (*trialExport, error) {
	given, err := callArguments(args, flags.object, interruptible{cmd.Context(), cmd.InOrStdin()})
	if err != nil {
		return nil, err
	}
	a, t, err := openTool(cmd.Context(), cfg, tools.SearchTrials, nil)
	if err != nil {
		return nil, err
	}
	sayLeftOut(cmd, a)
	return &trialExport{cmd: cmd, app: a, search: t, filters: given, flags: flags, sandbox: cfg.Sandbox,
		timeout: max(cfg.CallTimeout, exportTimeout)}, nil
}

func (x *trialExport) run(ctx context.Context) error {
	if err := x.open(ctx); err != nil {
		return err
	}
	x.bar = newProgress(x.cmd.ErrOrStderr(), "records", x.toTerminal())
	var answer entity.Answer[trials.ExportedTrials]
	export := trials.ExportTool(x.search.Definition,
		func(ctx context.Context, filters tools.TrialFilters) (entity.Answer[trials.ExportedTrials], error) {
			var err error
			answer, err = x.app.Service.ExportTrials(ctx, filters, trials.ExportPlan{
				Flat: x.flags.flat, Rows: x.flags.rows.arguments(), Timeout: x.timeout,
				Has: func(nct string) bool { return x.out.IDs[nct] }, Write: x.write,
				Progress: func(done, total int) { x.bar.show("records", done, total, "") },
			})
			return answer, err
		})
	result := export.Call(ctx, slog.New(untilCancelled{x.app.Log.Handler()}), x.filters.json())
	x.bar.clear()
	if err := x.out.Close(!result.IsError); err != nil && x.refused == nil {
		x.refused = err
	}
	for _, notice := range answer.Notices {
		fmt.Fprintln(x.cmd.ErrOrStderr(), "biofact: notice:", asCommands(x.cmd, notice))
	}
	if x.refused != nil || result.IsError {
		return x.stopped(ctx, result, &answer.Value)
	}
	return x.reconcile(&answer.Value)
}

// stopped prints why an export ended early and the command that continues. It returns the exit code as an error.
func (x *trialExport) stopped(ctx context.Context, result tool.Result, done *trials.ExportedTrials) error {
	w := x.cmd.ErrOrStderr()
	switch {
	case errors.Is(x.refused, syscall.EPIPE): // the reader has closed the pipe
		return exitFailed
	case x.refused != nil:
		x.resume(done.Written)
		return x.refused
	case ctx.Err() != nil:
		fmt.Fprintf(w, "biofact: interrupted after %s\n", records(done.Written))
		x.resume(done.Written)
		return exitInterrupted
	}
	showError(x.cmd, result)
	if len(done.Listed) > 0 || transient(result) {
		fmt.Fprintf(w, "biofact: stopped after %s\n", records(done.Written))
		x.resume(done.Written)
	}
	return exitFailed
}

func (x *trialExport) open(ctx context.Context) (err error) {
	columns := x.flags.rows.columns()
	switch {
	case x.flags.path == "":
		file, _ := asFile(x.cmd.OutOrStdout())
		x.out, err = recordfile.Stream(x.cmd.OutOrStdout(), file)
	case x.flags.rows.section() != "":
		x.out, err = recordfile.OpenRows(x.flags.path, x.call(), columns)
	default:
		x.out, err = recordfile.OpenRecords(ctx, x.flags.path, x.flags.flat)
	}
	if err == nil && x.out.CutOff {
		fmt.Fprintf(x.cmd.ErrOrStderr(), "biofact: the last line of %s was cut off; its record is written again\n", x.flags.path)
	}
	if err == nil && columns != nil && x.flags.path == "" {
		_, err = io.WriteString(x.out, strings.Join(columns, ",")+"\r\n")
	}
	return err
}

// call returns what identifies an export of rows: where it reads, its filters and its rows.
func (x *trialExport) call() string {
	rows, _ := json.Marshal(x.flags.rows.arguments()) // of texts
	return strings.Join([]string{x.sandbox, string(x.filters.json()), string(rows)}, " ")
}

func (x *trialExport) toTerminal() bool { return screenWidth(x.out.Out) > 0 }

// write writes records and stores the error for the end of the export.
func (x *trialExport) write(trials []trials.ExportedTrial) error {
	var lines []byte
	for _, t := range trials {
		lines = append(lines, t.Lines...)
	}
	if _, x.refused = x.out.Write(lines); x.refused != nil {
		return &entity.Error{Code: entity.UpstreamError, Message: x.refused.Error()} // stopped prints it; no source failed
	}
	return nil
}

// reconcile compares the number of written records with the count of the registry and prints the result.
func (x *trialExport) reconcile(done *trials.ExportedTrials) error {
	w := x.cmd.ErrOrStderr()
	complete := len(done.Missing) == 0 && len(done.Listed)+done.LeftOut == done.Total && !done.Changed
	fmt.Fprintf(w, "biofact: %s; %s written now", matches(done.Total), records(done.Written))
	if before := len(done.Listed) - done.Written - len(done.Missing); before > 0 {
		fmt.Fprintf(w, ", %d before", before)
	}
	if done.LeftOut > 0 {
		fmt.Fprintf(w, ", %d left out by the filters", done.LeftOut)
	}
	fmt.Fprintln(w)
	if len(done.Missing) > 0 {
		shown := done.Missing[:min(len(done.Missing), 10)]
		fmt.Fprintf(w, "biofact: %s missing, perhaps removed in the meantime: %s\n", records(len(done.Missing)),
			strings.Join(shown, ", "))
	}
	if others := x.out.Others(done.Listed); others > 0 {
		fmt.Fprintf(w, "biofact: %s in %s without a match (changed since then, or from other filters); kept\n", records(others),
			x.flags.path)
	}
	if n := len(done.Listed) + done.LeftOut; n != done.Total {
		fmt.Fprintf(w, "biofact: the registry counts %s and lists %d\n", plural(done.Total, "trial"), n)
	}
	if done.Changed {
		fmt.Fprintln(w, "biofact: the data changed while the trials were listed: some that match may be missing")
	}
	if !complete {
		x.resume(done.Written)
		return exitFailed
	}
	return nil
}

// resume prints the command that writes the rest.
func (x *trialExport) resume(written int) {
	w := x.cmd.ErrOrStderr()
	words := slices.DeleteFunc(commandWords(x.cmd, []string{"export", "trials"}, x.filters), func(word string) bool {
		return strings.HasPrefix(word, "--output=") // --output is added last
	})
	path := x.flags.path
	switch {
	case path != "":
		fmt.Fprintln(w, "To continue:")
	case written == 0:
		fmt.Fprintln(w, "To start again:")
	case x.toTerminal():
		fmt.Fprintln(w, "To read all of them again, into a file that can be continued:")
	default:
		fmt.Fprintln(w, "To continue, where FILE is the file that has these records; with another file all of them are read again:")
	}
	if path = cmp.Or(path, "FILE"); written > 0 || x.flags.path != "" {
		words = append(words, "--output="+path)
	}
	fmt.Fprintf(w, "  %s\n", quotedWords(words))
}

func records(n int) string { return plural(n, "record") }

// matches formats the number of trials that match, with its verb.
func matches(n int) string {
	if n == 1 {
		return "1 trial matches"
	}
	return plural(n, "trial") + " match"
}
