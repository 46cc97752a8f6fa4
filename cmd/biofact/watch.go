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
	"strings"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mirror"
	"github.com/biofact-mcp/biofact/internal/mirror/disk"
	"github.com/biofact-mcp/biofact/internal/mirror/history"
	"github.com/biofact-mcp/biofact/internal/trials"
	"github.com/biofact-mcp/biofact/internal/watch"
)

// watchCommand names the command that has taken the place of watch.
func watchCommand() *cobra.Command {
	return &cobra.Command{
		Use: "watch", Hidden: true, DisableFlagParsing: true,
		RunE: func(*cobra.Command, []string) error {
			return errors.New("biofact watch is now biofact mirror changes --watch NAME; the first time with filters, as in " +
				"biofact mirror changes --watch melanoma condition=melanoma")
		},
	}
}

// maxFilters bounds the arguments of a watch.
const maxFilters = 100

// A watching is one run of mirror changes --watch.
type watching struct {
	*mirrorCall
	cmd    *cobra.Command
	folder watch.Folder
}

// watched runs mirror changes --watch.
func watched(cfg *config.Config, cmd *cobra.Command, args []string, flags *pastFlags) error {
	w := &watching{cmd: cmd, folder: watch.Folder(cfg.WatchFolder())}
	w.mirrorCall = &mirrorCall{cfg: cfg, path: cfg.MirrorFile(), args: args, out: cmd.OutOrStdout(), progress: cmd.ErrOrStderr()}
	switch {
	case w.path == "" || w.folder == "":
		return errors.New("the user has no data folder; set XDG_DATA_HOME")
	case flags.since != "" || flags.until != "" || len(flags.ids) > 0 || len(flags.fields) > 0 || flags.patch:
		return errors.New("--watch compares with the state that it printed last: give no other flag")
	}
	err := w.changes(cmd.Context(), flags.watch)
	if explained := w.withRemedy(err); err != nil && explained != nil {
		return failure{explained}
	}
	return err
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

// changes prints what is new among the trials of a watch since it was asked last. The first time it begins the watch, with filters.
func (w *watching) changes(ctx context.Context, name string) error {
	var filters json.RawMessage
	if len(w.args) > 0 {
		given, err := callArguments(w.args, "", w.cmd.InOrStdin())
		if err != nil {
			return err
		}
		filters = given.json()
	}
	return w.locked(ctx, name, func() error {
		was, err := w.folder.Read(name)
		switch {
		case errors.Is(err, fs.ErrNotExist) && filters == nil:
			return fmt.Errorf("no watch %s exists%s; the first time give filters, as in biofact mirror changes --watch melanoma "+
				"condition=melanoma", name, w.others())
		case errors.Is(err, fs.ErrNotExist):
			return w.begin(ctx, name, filters)
		case err != nil:
			return err
		case filters != nil && string(filters) != string(was.Filters):
			path, _ := w.folder.Path(name) // the name was read
			return fmt.Errorf("the watch %s has other filters: %s; choose another name, or remove %s", name, was.Filters, path)
		}
		news, err := w.report(ctx, was)
		if err == nil && !news {
			err = exitNoNews
		}
		return err
	})
}

// others returns the names of the watches that exist, as a part of a sentence.
func (w *watching) others() string {
	names, err := w.folder.Names()
	if err != nil || len(names) == 0 {
		return ""
	}
	return " beside " + strings.Join(names, ", ")
}

func (w *watching) begin(ctx context.Context, name string, filters json.RawMessage) error {
	return w.atRest(ctx, func(h *history.Reader) (err error) {
		begun := &watch.Watch{Name: name, Source: w.cfg.MirrorSource(), Filters: filters, Stamp: h.Newest().Stamp}
		if begun.IDs, err = matchingTrials(ctx, w.cmd, w.cfg, begun.Filters); err != nil {
			return err
		}
		fmt.Fprintf(w.progress, "watching %s, data of %s\n", plural(len(begun.IDs), "trial"), h.Newest().Day())
		return w.folder.Write(begun)
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
	return err
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

// report prints the news of a watch, and then keeps the state that it has reported. It reports whether it printed news.
func (w *watching) report(ctx context.Context, was *watch.Watch) (some bool, err error) {
	if was.Source != w.cfg.MirrorSource() {
		return false, fmt.Errorf("the watch %s is of %s, not of %s", was.Name, was.Source, w.cfg.MirrorSource())
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
