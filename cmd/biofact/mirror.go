package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/internal/aact/store"
	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mirror"
	"github.com/biofact-mcp/biofact/internal/mirror/disk"
	"github.com/biofact-mcp/biofact/internal/mirror/history"
)

// syncMemory is the soft memory limit of a sync.
const syncMemory = 160 << 20

// ofMirror gives a command the function that uses the file of the mirror.
func ofMirror(cfg *config.Config, cmd *cobra.Command, run func(*mirrorCall, context.Context) error) *cobra.Command {
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c := &mirrorCall{cfg: cfg, path: cfg.MirrorFile(), args: args, out: cmd.OutOrStdout(), progress: cmd.ErrOrStderr()}
		if c.path == "" {
			return errors.New("the user has no data folder; set BIOFACT_MIRROR_PATH")
		}
		return c.explainError(run(c, cmd.Context()))
	}
	return cmd
}

// A mirrorCall is one run of a mirror command.
type mirrorCall struct {
	cfg      *config.Config
	path     string
	args     []string
	out      io.Writer
	progress io.Writer
}

// explainError adds the remedy to an error of the mirror, its disk or its source, which then is a failure; other errors are wrong usage.
func (c *mirrorCall) explainError(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	if explained := c.withRemedy(err); explained != nil {
		return failure{explained}
	}
	return fmt.Errorf("%s: %w", c.path, err)
}

// withRemedy returns a failure of the mirror, its disk or its source with the remedy; nil for another error.
func (c *mirrorCall) withRemedy(err error) error {
	problem, ofSource := errors.AsType[*entity.Error](err)
	failed, ofCopy := errors.AsType[*mirror.CopyError](err)
	_, gone := errors.AsType[*history.GoneError](err)
	switch {
	case gone:
		return fmt.Errorf("%s: %w", c.path, err)
	case ofCopy:
		return explainCopy(failed)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: no mirror exists; %s", c.path, mirror.Remedy(err))
	case errors.Is(err, mirror.ErrUnreadable):
		return fmt.Errorf("%s: %w; %s", c.path, err, mirror.Remedy(err))
	case errors.Is(err, disk.ErrBusy):
		return fmt.Errorf("%s: %w", c.path, err)
	case errors.Is(err, mirror.ErrSource):
		return fmt.Errorf("%s: %w, not of %s; set BIOFACT_MIRROR_PATH to another file, or remove this one: biofact mirror remove", c.path,
			err, c.cfg.MirrorSource())
	case mirror.IsElsewhere(err):
		reason := err
		if p, ok := errors.AsType[*fs.PathError](err); ok {
			reason = p.Err // without the path again
		}
		return fmt.Errorf("%s cannot be used: %w; %s", c.path, reason, mirror.Remedy(err))
	case mirror.IsFull(err):
		return fmt.Errorf("%s: the disk is full (%w); nothing that was stored is lost: free some space, then run the same command again",
			c.path, err)
	case mirror.IsFailing(err):
		return fmt.Errorf("%s: the disk failed (%w); %s", c.path, err, mirror.Remedy(err))
	case mirror.IsBroken(err):
		return fmt.Errorf("%s: %w; %s", c.path, err, mirror.Remedy(err))
	case mirror.IsReadOnly(err):
		return fmt.Errorf("%s: the file cannot be written; sync on the machine that writes it, and copy it here with biofact mirror "+
			"snapshot", c.path)
	case ofSource:
		return fmt.Errorf("%s The trials read so far are kept: run the same command again later to continue", problem.Message)
	}
	return nil
}

// explainCopy adds the remedy to the error of a snapshot.
func explainCopy(failed *mirror.CopyError) error {
	switch {
	case mirror.IsFull(failed.Err):
		return fmt.Errorf("%w; no copy was written: free some space, or name a file on another disk", failed)
	case errors.Is(failed.Err, mirror.ErrForeign):
		return fmt.Errorf("%w; it was not changed: name another file", failed)
	case errors.Is(failed.Err, fs.ErrExist):
		return fmt.Errorf("%s.part exists: another snapshot writes it, or was stopped; wait, or remove it, then run the same command again",
			failed.Path)
	}
	return failed
}

func (c *mirrorCall) sync(ctx context.Context) (err error) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(syncMemory)
	}
	sync, done, err := app.MirrorSync(ctx, c.cfg, buildVersion())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	line := newProgress(c.progress, "", false)
	sync.Progress = func(p mirror.Progress) {
		line.show(p.Step, p.Done, p.Total, fmt.Sprintf(", %d requests", p.Requests))
	}
	report, err := sync.Run(ctx)
	line.clear()
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(c.progress, "stopped; the trials read so far are kept: run the same command again to continue")
	}
	if err != nil {
		return err
	}
	if report.Unchanged {
		fmt.Fprintf(c.out, "up to date: %d trials, data of %s; the registry has published nothing since then\n", report.Trials,
			report.Stamp)
		return nil
	}
	fmt.Fprintf(c.out, "up to date: %d trials, data of %s\nread %d, new or changed %d, removed %d, merged %d; %d requests in %s\n",
		report.Trials, report.Stamp, report.Read, report.Written, report.Removed, report.Merged, report.Requests,
		report.Took.Round(time.Second))
	return nil
}

func (c *mirrorCall) status(ctx context.Context) error {
	f, err := mirror.Inspect(ctx, c.path)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "file     %s\nsource   %s\ntrials   %d\nbytes    %d\n", f.Path, f.Source, f.Trials, f.Bytes)
	if !f.Complete() {
		fmt.Fprintf(c.out, "state    the first load has not finished: %d of about %d trials; biofact mirror sync continues it\n", f.Trials,
			max(f.Expected, f.Trials))
		return nil
	}
	fmt.Fprintf(c.out, "data of  %s\nsynced   %s (%s ago)\n", f.Stamp, f.Synced.Format(time.RFC3339),
		time.Since(f.Synced).Round(time.Minute))
	switch {
	case f.Walk != "":
		fmt.Fprintf(c.out, "state    an update was stopped; biofact mirror sync continues it\n")
	case f.WithoutContacts():
		fmt.Fprintf(c.out, "state    not synced for 30 days, so contacts of people are not shown; biofact mirror sync brings it up to "+
			"date\n")
	default:
		fmt.Fprintf(c.out, "state    complete; BIOFACT_MIRROR=%s\n", c.cfg.Mirror)
	}
	return nil
}

func (c *mirrorCall) verify(ctx context.Context) (err error) {
	sync, done, err := app.MirrorSync(ctx, c.cfg, buildVersion())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	v, err := sync.Verify(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "data of  %s here, %s at the registry\ntrials   %d here, %d at the registry\nsample   %d records: %d differ, %d "+
		"are not at the registry\n",
		v.State.Stamp, v.Stamp, v.Trials, v.RegistryTrials, v.Sampled, len(v.Differ), len(v.Missing))
	switch {
	case v.Damage != "":
		fmt.Fprintf(c.out, "result   the file is damaged (%s); biofact mirror remove, then biofact mirror sync, makes a new one\n",
			v.Damage)
		return exitFailed
	case v.Trials == v.RegistryTrials && len(v.Differ)+len(v.Missing) == 0 && v.State.Stamp == v.Stamp:
		fmt.Fprintln(c.out, "result   no difference was found")
		return nil
	case v.State.Stamp != v.Stamp:
		fmt.Fprintln(c.out, "result   the registry has published since the last sync; run biofact mirror sync, then verify again")
	default:
		fmt.Fprintf(c.out, "result   they differ: %s\n", strings.Join(append(v.Differ, v.Missing...), " "))
	}
	return exitFailed
}

func (c *mirrorCall) snapshot(ctx context.Context) error {
	if err := mirror.Snapshot(ctx, c.path, c.args[0]); err != nil {
		return err
	}
	info, err := os.Stat(c.args[0])
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "%s: %d bytes\n", c.args[0], info.Size())
	return nil
}

func (c *mirrorCall) printPath(context.Context) error {
	fmt.Fprintln(c.out, c.path)
	return nil
}

func (c *mirrorCall) remove(ctx context.Context) error {
	removed, err := mirror.Remove(ctx, c.path)
	if err == nil {
		err = store.Remove(store.Path(c.path))
	}
	if err != nil {
		return err
	}
	if !removed {
		fmt.Fprintf(c.out, "%s: no mirror exists\n", c.path)
		return nil
	}
	fmt.Fprintf(c.out, "%s: removed\n", c.path)
	return nil
}
