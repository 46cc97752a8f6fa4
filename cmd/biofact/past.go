package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/mirror"
	"github.com/biofact-mcp/biofact/internal/mirror/history"
	"github.com/biofact-mcp/biofact/internal/mirror/stored"
)

// pastFlags are the flags of the commands that read the history of the mirror.
type pastFlags struct {
	since, until, at, keep, watch string
	ids, fields                   []string
	patch                         bool
}

func historyCommands(cfg *config.Config) []*cobra.Command {
	var flags pastFlags
	of := func(cmd *cobra.Command, run func(*mirrorCall, context.Context, *pastFlags) error) *cobra.Command {
		return ofMirror(cfg, cmd, func(c *mirrorCall, ctx context.Context) error { return run(c, ctx, &flags) })
	}
	changes := of(&cobra.Command{
		Use: "changes --since DAY | --watch NAME [FILTER=VALUE ...]", Args: takes(0, maxFilters),
		Short: "Print the changes since a day, or the new trials of a search since your last call",
		Long: "Print what has changed since a day, one line of JSON for each trial and publication, the oldest first. The state of the " +
			"day is the one compared with,\nso its own changes are not among them. A quiet line changed the dates of its update only. " +
			"No request is made.\n\nWith --watch, print what is new among the trials of a search since this command last printed it: " +
			"new, left, stopped, results_posted, sites_added,\nchanged, gap. " +
			"The first time give the filters of search_trials, as the arguments of " +
			"biofact call. News counts as printed when all of it is written.\nExit code 4: no news.",
		ValidArgsFunction: func(_ *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
			return completeFilters(app.Listed(cfg), args, toComplete)
		},
	}, (*mirrorCall).changes)
	run := changes.RunE
	changes.RunE = func(cmd *cobra.Command, args []string) error {
		if flags.watch == "" {
			return run(cmd, args)
		}
		return watched(cfg, cmd, args, &flags)
	}
	changes.Example = "  biofact mirror changes --since 2026-09-01 --field status --field primary_outcome\n" +
		"  biofact mirror changes --since 2026-09-01 --id NCT01844505 --patch\n" +
		"  biofact mirror changes --watch melanoma condition=melanoma phase=3 status=recruiting"
	f := changes.Flags()
	f.StringVar(&flags.since, "since", "", "the day to compare with, as 2026-09-01")
	f.StringVar(&flags.until, "until", "", "the last day; if unset, the newest")
	f.StringSliceVar(&flags.ids, "id", nil, "NCT id of a trial; repeat it for several")
	f.StringSliceVar(&flags.fields, "field", nil, "only lines with this field; repeat it for several")
	f.BoolVar(&flags.patch, "patch", false, "with the steps from the old record to the new one (JSON Patch, RFC 6902)")
	f.StringVar(&flags.watch, "watch", "", "name of a watch; the first time with filters of search_trials")
	record := of(&cobra.Command{
		Use: "record NCT", Args: takes(1, 1), Short: "Print the record of a trial, byte for byte as the registry served it on a day",
	}, (*mirrorCall).record)
	record.Flags().StringVar(&flags.at, "at", "", "the day, as 2026-09-01; if unset, the newest of the mirror")
	past := of(&cobra.Command{
		Use: "history", Args: cobra.NoArgs, Short: "Show from which day on changes can be read, and set how long they are kept",
	}, (*mirrorCall).history)
	past.Flags().StringVar(&flags.keep, "keep", "", "days of history to keep, or all; older versions are removed now and at each sync")
	return []*cobra.Command{changes, record, past}
}

// readHistory calls a function with the history of the mirror. The last argument of the function says that contacts are to be left out.
func (c *mirrorCall) readHistory(ctx context.Context, read func(*history.Reader, bool) error) (err error) {
	if c.cfg.MirrorHistory == "0" {
		return errors.New("BIOFACT_MIRROR_HISTORY is 0, so no history is kept; set it to all, then run biofact mirror sync")
	}
	reader := mirror.NewReader(c.path)
	defer func() { err = errors.Join(err, reader.Close()) }()
	state, err := reader.State(ctx)
	if err != nil {
		return err
	}
	if !state.Complete() {
		return fmt.Errorf("%w; %s", mirror.ErrUnfinished, mirror.Remedy(mirror.ErrUnfinished))
	}
	err = reader.History(ctx, func(h *history.Reader) error { return read(h, state.WithoutContacts()) })
	if errors.As(err, new(*history.DamagedError)) {
		fmt.Fprintln(c.progress, "biofact:", err)
		return exitFailed
	}
	return err
}

// noContacts says that a command leaves contacts out.
const noContacts = "contacts of people are left out, because the mirror was not synced for 30 days"

// stateOn returns the state of the day of a flag, which is the newest one if the flag is not set.
func stateOn(h *history.Reader, flag, day string) (history.Sync, error) {
	if day == "" {
		return h.Newest(), nil
	}
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return history.Sync{}, fmt.Errorf("--%s: want a day as %s, not %q", flag, h.Newest().Day(), day)
	}
	return h.At(day)
}

// trialNumber returns the number of an NCT id in any of its spellings.
func trialNumber(text string) (int64, error) {
	nct, _ := id.NCT.Read(text)
	n, ok := stored.Number(nct)
	if !ok {
		return 0, fmt.Errorf("%q is no NCT id; want one as NCT01844505", text)
	}
	return n, nil
}

func (c *mirrorCall) changes(ctx context.Context, flags *pastFlags) error {
	if len(c.args) > 0 {
		return fmt.Errorf("%q: filters belong to --watch, as in biofact mirror changes --watch melanoma condition=melanoma", c.args[0])
	}
	requested, known := history.FieldsOf(flags.fields...)
	if !known {
		return fmt.Errorf("--field: want one of %s", strings.Join(history.Names(), ", "))
	}
	var ids []int64
	for _, text := range flags.ids {
		n, err := trialNumber(text)
		if err != nil {
			return fmt.Errorf("--id: %w", err)
		}
		ids = append(ids, n)
	}
	slices.Sort(ids)
	return c.readHistory(ctx, func(h *history.Reader, withoutContacts bool) error {
		since, until, err := flags.span(h)
		if err != nil {
			return err
		}
		if flags.patch && withoutContacts {
			fmt.Fprintln(c.progress, noContacts)
		}
		lines := 0
		err = h.Changes(ctx, history.Span{Since: since, Until: until, IDs: ids}, func(change *history.Change) (err error) {
			if len(flags.fields) > 0 && !change.Concerns(requested) {
				return nil
			}
			line := change.Line()
			if flags.patch {
				if line.Patch, err = h.Patch(ctx, change, withoutContacts); err != nil {
					return err
				}
			}
			lines++
			return printLine(c.out, line)
		})
		if err == nil && lines == 0 {
			fmt.Fprintf(c.progress, "nothing changed from %s to %s\n", since.Day(), until.Day())
		}
		return err
	})
}

// span returns the two states of the flags.
func (f *pastFlags) span(h *history.Reader) (since, until history.Sync, err error) {
	if f.since == "" {
		return since, until, errors.New("--since is missing, as in biofact mirror changes --since " + h.First().Day())
	}
	if since, err = stateOn(h, "since", f.since); err == nil {
		until, err = stateOn(h, "until", f.until)
	}
	return since, until, err
}

func printLine(out io.Writer, value any) error {
	text, err := entity.JSON(value)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s\n", entity.CleanJSON(text))
	return err
}

func (c *mirrorCall) record(ctx context.Context, flags *pastFlags) error {
	n, err := trialNumber(c.args[0])
	if err != nil {
		return err
	}
	return c.readHistory(ctx, func(h *history.Reader, withoutContacts bool) error {
		at, err := stateOn(h, "at", flags.at)
		if err != nil {
			return err
		}
		record, err := h.Record(ctx, n, at)
		if err != nil {
			return err
		}
		text := record.Text(at.Day())
		if withoutContacts {
			fmt.Fprintln(c.progress, noContacts)
			if text, err = stored.WithoutContacts(text, nil); err != nil {
				return err
			}
		}
		_, err = fmt.Fprintf(c.out, "%s\n", text)
		return err
	})
}

func (c *mirrorCall) history(ctx context.Context, flags *pastFlags) error {
	if flags.keep != "" {
		if err := mirror.KeepHistory(ctx, c.path, flags.keep); err != nil {
			return err
		}
	}
	return c.readHistory(ctx, func(h *history.Reader, _ bool) error {
		versions, bytes, err := h.Size(ctx)
		if err == nil {
			fmt.Fprintf(c.out, "from     %s\nto       %s\nstates   %d\nversions %d\nbytes    %d\n", h.First().Day(), h.Newest().Day(),
				h.Syncs(), versions, bytes)
		}
		return err
	})
}
