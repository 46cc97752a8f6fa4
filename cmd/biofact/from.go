package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/mirror"
	"github.com/biofact-mcp/biofact/internal/mirror/delta"
	"github.com/biofact-mcp/biofact/internal/mirror/history"
)

// deltaCommand returns the command that writes a delta.
func deltaCommand(cfg *config.Config) *cobra.Command {
	var since, output string
	cmd := ofMirror(cfg, &cobra.Command{
		Use: "delta --since DAY --output FILE", Args: cobra.NoArgs,
		Short: "Write the changes since a day to a file, which other mirrors apply",
		Long: "Write the changes since a day to a file, which biofact mirror sync --from FILE applies on other machines. Any web " +
			"server can offer it.\nA mirror at any publication since that day can use it. An existing delta is replaced, no other file.",
		Example: "  biofact mirror delta --since 2026-09-01 --output weekly.delta",
	}, func(c *mirrorCall, ctx context.Context) error { return c.delta(ctx, since, output) })
	cmd.Flags().StringVar(&since, "since", "", "the day whose data the other mirrors have at least, as 2026-09-01")
	cmd.Flags().StringVar(&output, "output", "", "the file")
	return cmd
}

func (c *mirrorCall) delta(ctx context.Context, since, output string) error {
	if output == "" {
		return errors.New("--output is missing, as in biofact mirror delta --since 2026-09-01 --output weekly.delta")
	}
	return c.readHistory(ctx, func(h *history.Reader, _ bool) error {
		flags := pastFlags{since: since}
		first, last, err := flags.span(h)
		if err != nil {
			return err
		}
		reader := mirror.NewReader(c.path)
		defer func() { _ = reader.Close() }() // it was only read
		steps, err := reader.WriteDelta(ctx, first.Day(), output)
		if err != nil {
			return err
		}
		info, err := os.Stat(output)
		if err == nil {
			fmt.Fprintf(c.out, "%s: from the data of %s to those of %s, %s, %d bytes\n", output, first.Stamp, last.Stamp,
				plural(steps, "publication"), info.Size())
		}
		return err
	})
}

// syncFrom brings the mirror up to date with a snapshot or a delta, from a file or an address.
func (c *mirrorCall) syncFrom(ctx context.Context, from string) (err error) {
	path := from
	if u, err := url.Parse(from); err == nil && (u.Scheme == "https" || u.Scheme == "http") {
		if u.Scheme == "http" && !config.Loopback(u.Hostname()) {
			return fmt.Errorf("--from: %s is not encrypted; want https, or a machine's own address", from)
		}
		if path, err = c.download(ctx, from); err != nil {
			return err
		}
		defer func() {
			if err == nil {
				_ = os.Remove(path) // a later run downloads it again
			}
		}()
	}
	begin := make([]byte, len(delta.Magic))
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("--from: %s cannot be opened", path)
	}
	n, _ := io.ReadFull(f, begin)
	if err := f.Close(); err != nil {
		return err
	}
	err = delta.Check(begin[:n])
	switch {
	case bytes.HasPrefix(begin[:n], []byte("SQLite format 3")):
		err = c.install(ctx, path)
	case err == nil:
		err = c.applyDelta(ctx, path)
	}
	if err != nil && path != from {
		_ = os.Remove(path) // complete, and of no use
	}
	return explainFrom(from, err)
}

// explainFrom adds the remedy to the error of a file.
func explainFrom(from string, err error) error {
	follow, early := errors.AsType[*delta.FollowError](err)
	switch {
	case early:
		return fmt.Errorf("--from: %w; make one with biofact mirror delta --since %s, or begin with a snapshot; nothing was written",
			follow, history.Sync{Stamp: follow.Here}.Day())
	case errors.Is(err, delta.ErrDamaged):
		return fmt.Errorf("--from: %s: %w; nothing was written: fetch it again", from, delta.ErrDamaged)
	case errors.Is(err, delta.ErrVersion):
		return fmt.Errorf("--from: %s: %w; nothing was written: update Biofact here and where the delta is made, and make it again there",
			from, delta.ErrVersion)
	case errors.Is(err, mirror.ErrUnfinished):
		return errors.New("--from: the first load of the mirror, or an update, has not finished; biofact mirror sync without --from " +
			"ends it")
	case errors.Is(err, mirror.ErrOther):
		return fmt.Errorf("--from: %w; nothing was written: begin with a snapshot of that mirror, or run biofact mirror sync without "+
			"--from", err)
	}
	return err
}

// install makes a snapshot the mirror, if no mirror exists.
func (c *mirrorCall) install(ctx context.Context, path string) error {
	if _, err := os.Stat(c.path); err == nil {
		return errors.New("--from: a mirror exists; a snapshot needs an empty place: biofact mirror remove, or use a delta")
	}
	facts, err := mirror.Inspect(ctx, path)
	switch {
	case mirror.IsBroken(err): // not the file of the mirror
		return errors.New("--from: the snapshot cannot be read: " + err.Error() + "; nothing was written: make a new one with this version")
	case err != nil:
		return err
	case facts.Source != c.cfg.MirrorSource():
		return fmt.Errorf("--from: the snapshot is of %s, not of %s", facts.Source, c.cfg.MirrorSource())
	case !facts.Complete():
		return fmt.Errorf("--from: %w", mirror.ErrUnfinished)
	}
	if err := mirror.Snapshot(ctx, path, c.path); err != nil { // it reads each page with its checksum
		return err
	}
	fmt.Fprintf(c.out, "installed: %d trials, data of %s\n", facts.Trials, facts.Stamp)
	return nil
}

func (c *mirrorCall) applyDelta(ctx context.Context, path string) error {
	sync, done, err := app.MirrorSync(ctx, c.cfg, buildVersion())
	if err != nil {
		return err
	}
	report, err := sync.Apply(ctx, path)
	if err = errors.Join(err, done()); err != nil {
		return err
	}
	if report.Unchanged {
		fmt.Fprintf(c.out, "up to date: %d trials, data of %s; the file has nothing newer\n", report.Trials, report.Stamp)
		return nil
	}
	fmt.Fprintf(c.out, "up to date: %d trials, data of %s\nnew or changed %d, removed %d\n",
		report.Trials, report.Stamp, report.Written, report.Removed)
	return nil
}

const (
	// downloadAttempts bounds the connections of a download that make no progress.
	downloadAttempts = 5
	downloadPause    = time.Second
)

// download fetches a file beside the mirror. A download that was stopped continues where it ended, if the file is still the same.
func (c *mirrorCall) download(ctx context.Context, from string) (path string, err error) {
	if err := os.MkdirAll(filepath.Dir(c.path), 0o700); err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(from))
	path = fmt.Sprintf("%s.%x.part", c.path, sum[:8])
	client := &http.Client{Transport: c.cfg.Network()}
	for left := downloadAttempts; ; left-- {
		before := size(path)
		done, err := fetchRest(ctx, client, from, path)
		if done || err != nil && ctx.Err() != nil {
			return path, err
		}
		if size(path) > before {
			left = downloadAttempts
		}
		if left <= 1 || err == nil {
			return "", fmt.Errorf("--from: %s could not be fetched (%w); the same command continues where it ended", from, err)
		}
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-time.After(downloadPause):
		}
	}
}

func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// fetchRest requests what a file still lacks. The file beside it has the version of the file at the address, so that parts of two versions
// are never joined.
func fetchRest(ctx context.Context, client *http.Client, from, path string) (done bool, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return false, err
	}
	was, _ := os.ReadFile(path + ".version") // none: from the beginning
	have := size(path)
	if len(was) > 0 && have > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
		req.Header.Set("If-Range", string(was))
	}
	resp, err := client.Do(req)
	if err != nil {
		return false, errors.New("the connection failed")
	}
	defer resp.Body.Close()
	flags := os.O_CREATE | os.O_WRONLY | os.O_TRUNC
	switch rest := fmt.Sprintf("bytes %d-", have); {
	case resp.StatusCode == http.StatusOK:
	case resp.StatusCode == http.StatusPartialContent && strings.HasPrefix(resp.Header.Get("Content-Range"), rest):
		flags = os.O_CREATE | os.O_WRONLY | os.O_APPEND
	case resp.StatusCode == http.StatusRequestedRangeNotSatisfiable:
		return true, nil // nothing is missing; else the hash of the file says so
	default:
		return false, fmt.Errorf("status %d", resp.StatusCode)
	}
	f, err := os.OpenFile(path, flags, 0o600)
	if err != nil {
		return false, err
	}
	version := cmp.Or(resp.Header.Get("ETag"), resp.Header.Get("Last-Modified"))
	if resp.StatusCode == http.StatusOK {
		err = os.WriteFile(path+".version", []byte(version), 0o600)
	}
	_, copied := io.Copy(f, resp.Body)
	if err = errors.Join(err, copied, f.Close()); err != nil {
		return false, err
	}
	_ = os.Remove(path + ".version") // all of it is here
	return true, nil
}
