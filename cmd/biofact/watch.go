package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mirror"
	"github.com/biofact-mcp/biofact/internal/mirror/disk"
	"github.com/biofact-mcp/biofact/internal/mirror/history"
	"github.com/biofact-mcp/biofact/internal/trials"
	"github.com/biofact-mcp/biofact/internal/watch"
)

func watchCommand(cfg *config.Config) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "watch",
		Short: "Print what is new among the trials of a search, each time once",
		Long: "Print what is new among the trials of a search, each time once, from the history of the local mirror.\n" +
			"Run biofact mirror sync first, from cron for example. The commands make no request.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	add := func(sub *cobra.Command, run func(*watching, context.Context, []string) error) {
		sub.RunE = func(cmd *cobra.Command, args []string) error {
			w := &watching{cmd: cmd, folder: watch.Folder(cfg.WatchFolder())}
			w.mirrorCall = &mirrorCall{cfg: cfg, path: cfg.MirrorFile(), out: cmd.OutOrStdout(), progress: cmd.ErrOrStderr()}
			if w.path == "" || w.folder == "" {
				return errors.New("the user has no data folder; set XDG_DATA_HOME")
			}
			return run(w, cmd.Context(), args)
		}
		cmd.AddCommand(sub)
	}
	add(&cobra.Command{
		Use: "add NAME FILTER=VALUE ...", Args: takes(2, maxFilters), Short: "Begin to watch the trials of a search",
		Long:    "Begin to watch the trials of a search, with the filters of search_trials (biofact tools search_trials lists them).",
		Example: "  biofact watch add melanoma condition=melanoma phase=3 status=recruiting",
		ValidArgsFunction: func(_ *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
			return completeFilters(app.Listed(cfg), args, toComplete)
		},
	}, (*watching).add)
	add(&cobra.Command{
		Use: "run [NAME ...]", Short: "Print the news of all watches, or of some, one line of JSON for each event",
		Long: "Print the news of all watches, or of some, one line of JSON for each event: new, left, stopped, results_posted, " +
			"sites_added, changed, gap.\nNews counts as reported when all of it is written. Exit code 4: no news.",
	}, (*watching).run)
	add(&cobra.Command{Use: "list", Args: cobra.NoArgs, Short: "List the watches"}, (*watching).list)
	add(&cobra.Command{Use: "remove NAME", Args: takes(1, 1), Short: "Remove a watch"}, (*watching).remove)
	return cmd
}

// maxFilters bounds the arguments of a watch.
const maxFilters = 100

// A watching is one run of a watch command.
type watching struct {
	*mirrorCall
	cmd    *cobra.Command
	folder watch.Folder
}

// locked calls a function while no other process uses a watch.
func (w *watching) locked(ctx context.Context, name string, use func() error) (err error) {
	path, err := w.folder.Path(name)
	if err != nil {
		return err
	}
	unlock, err := disk.Lock(ctx, filepath.Join(filepath.Dir(path), "."+name))
	if errors.Is(err, disk.ErrBusy) {
		fmt.Fprintf(w.progress, "biofact: another process runs the watch %s\n", name)
		return exitFailed
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	return use()
}

func (w *watching) add(ctx context.Context, args []string) error {
	name := args[0]
	filters, err := callArguments(args[1:], "", w.cmd.InOrStdin())
	if err != nil {
		return err
	}
	return w.locked(ctx, name, func() error {
		if _, err := w.folder.Read(name); !errors.Is(err, fs.ErrNotExist) {
			return errors.Join(fmt.Errorf("the watch %s exists; biofact watch remove %s removes it", name, name), err)
		}
		return w.atRest(ctx, func(h *history.Reader) error {
			begun := &watch.Watch{Name: name, Source: w.cfg.MirrorSource(), Filters: filters.json(), Stamp: h.Newest().Stamp}
			if begun.IDs, err = matchingTrials(ctx, w.cmd, w.cfg, begun.Filters); err != nil {
				return err
			}
			fmt.Fprintf(w.progress, "watching %s, data of %s\n", plural(len(begun.IDs), "trial"), h.Newest().Day())
			return w.folder.Write(begun)
		})
	})
}

// atRest calls a function with the history of the mirror. It returns an error if an update of the mirror has not finished before or after:
// a search then finds trials of two states.
func (w *watching) atRest(ctx context.Context, use func(*history.Reader) error) error {
	reader := mirror.NewReader(w.path)
	defer func() { _ = reader.Close() }() // it was only read
	revision := func() (string, error) {
		state, err := reader.State(ctx)
		if err == nil && state.Source != w.cfg.MirrorSource() {
			err = fmt.Errorf("%w: %s", mirror.ErrSource, state.Source)
		}
		if err == nil && state.Walk != "" {
			fmt.Fprintln(w.progress, "biofact: an update of the mirror has not finished; run biofact mirror sync, then this command again")
			err = exitFailed
		}
		return state.Revision(), err
	}
	before, err := revision()
	if err == nil {
		err = w.readHistory(ctx, func(h *history.Reader, _ bool) error {
			if err := use(h); err != nil {
				return err
			}
			if after, err := revision(); err != nil || after != before {
				return errors.Join(err, errors.New("the mirror changed meanwhile; run the same command again"))
			}
			return nil
		})
	}
	return w.explainError(err)
}

// matchingTrials returns the numbers of the trials that filters find in the mirror, in ascending order.
func matchingTrials(ctx context.Context, cmd *cobra.Command, cfg *config.Config, filters json.RawMessage) ([]int64, error) {
	local := *cfg
	local.Mirror = config.MirrorOnly
	a, search, err := openTool(ctx, &local, tools.SearchTrials, nil)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	var found entity.Answer[trials.ExportedTrials]
	list := trials.ExportTool(search.Definition,
		func(ctx context.Context, filters tools.TrialFilters) (_ entity.Answer[trials.ExportedTrials], err error) {
			found, err = a.Service.ExportTrials(ctx, filters, trials.ExportPlan{
				Timeout: exportTimeout, Has: func(string) bool { return true }, Progress: func(int, int) {},
				Write: func([]trials.ExportedTrial) error { return nil },
			})
			return found, err
		})
	if result := list.Call(ctx, a.Log, filters); result.IsError {
		showError(cmd, result)
		return nil, exitFailed
	}
	var ids []int64
	for _, nct := range found.Value.Listed {
		n, err := trialNumber(nct)
		if err != nil {
			return nil, err
		}
		ids = append(ids, n)
	}
	slices.Sort(ids)
	return ids, nil
}

func (w *watching) run(ctx context.Context, names []string) error {
	if len(names) == 0 {
		var err error
		if names, err = w.folder.Names(); err != nil {
			return err
		}
	}
	if len(names) == 0 {
		return errors.New("no watch exists; biofact watch add melanoma condition=melanoma adds one")
	}
	news := false
	for _, name := range names {
		err := w.locked(ctx, name, func() error {
			reported, err := w.report(ctx, name)
			news = news || reported
			return err
		})
		if err != nil {
			return err
		}
	}
	if !news {
		return exitNoNews
	}
	return nil
}

// report prints the news of a watch, and then keeps the state that it has reported. It reports whether it printed news.
func (w *watching) report(ctx context.Context, name string) (some bool, err error) {
	was, err := w.read(name)
	if err != nil {
		return false, err
	}
	if was.Source != w.cfg.MirrorSource() {
		return false, fmt.Errorf("the watch %s is of %s, not of %s", name, was.Source, w.cfg.MirrorSource())
	}
	var events []watch.Event
	next := *was
	err = w.atRest(ctx, func(h *history.Reader) (err error) {
		if next.Stamp = h.Newest().Stamp; next.Stamp == was.Stamp {
			return nil
		}
		if next.IDs, err = matchingTrials(ctx, w.cmd, w.cfg, was.Filters); err != nil {
			return err
		}
		events, err = was.News(ctx, h, next.IDs)
		return err
	})
	if err != nil || next.Stamp == was.Stamp {
		return false, err
	}
	out := bufio.NewWriter(w.out)
	for i := range events {
		if err := printLine(out, &events[i]); err != nil {
			return false, unwritten(err)
		}
	}
	if err := out.Flush(); err != nil {
		return false, unwritten(err)
	}
	return len(events) > 0, w.folder.Write(&next)
}

// unwritten is the error of news that could not be printed: they will be printed again.
func unwritten(err error) error {
	fmt.Fprintln(os.Stderr, "biofact: the news could not be written, and will be reported again:", err)
	return exitFailed
}

func (w *watching) read(name string) (*watch.Watch, error) {
	found, err := w.folder.Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no watch %s exists; biofact watch list shows those that do", name)
	}
	return found, err
}

func (w *watching) list(context.Context, []string) error {
	names, err := w.folder.Names()
	if err != nil {
		return err
	}
	for _, name := range names {
		found, err := w.read(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(w.out, "%s\t%s\t%s\t%s\n", name, history.Sync{Stamp: found.Stamp}.Day(), plural(len(found.IDs), "trial"), found.Filters)
	}
	return nil
}

func (w *watching) remove(ctx context.Context, args []string) error {
	return w.locked(ctx, args[0], func() error {
		path, err := w.folder.Path(args[0])
		if err == nil {
			err = os.Remove(path)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("no watch %s exists; biofact watch list shows those that do", args[0])
		}
		return err
	})
}
