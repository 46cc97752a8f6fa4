package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/mirror"
	"github.com/biofact-mcp/biofact/internal/mirror/disk"
)

// syncFrom makes a snapshot, from a file or an address, the mirror.
func (c *mirrorCall) syncFrom(ctx context.Context, from string) (err error) {
	path := from
	if u, err := url.Parse(from); err == nil && (u.Scheme == "https" || u.Scheme == "http") {
		if path, err = c.download(ctx, u); err != nil {
			return err
		}
		defer func() { _ = os.Remove(path) }() // it was copied, or is of no use
	}
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("--from: %s cannot be opened", path)
	}
	return c.install(ctx, path)
}

// install makes a snapshot the mirror, if no mirror exists.
func (c *mirrorCall) install(ctx context.Context, path string) error {
	if _, err := os.Stat(c.path); err == nil {
		return errors.New("--from: a mirror exists; a snapshot needs an empty place: biofact mirror remove")
	}
	facts, err := mirror.Inspect(ctx, path)
	switch {
	case mirror.IsDamaged(err): // not the file of the mirror
		return errors.New("--from: the snapshot is damaged; nothing was installed: make or fetch it again")
	case mirror.IsBroken(err):
		return fmt.Errorf("--from: the snapshot cannot be read: %w; nothing was installed: make a new one with this version", err)
	case err != nil:
		return err
	case facts.Source != c.cfg.MirrorSource():
		return fmt.Errorf("--from: the snapshot is of %s, not of %s", facts.Source, c.cfg.MirrorSource())
	case !facts.Complete():
		return fmt.Errorf("--from: %w", mirror.ErrUnfinished)
	}
	if err := mirror.Snapshot(ctx, path, c.path); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "installed: %d trials, data of %s\n", facts.Trials, facts.Stamp)
	return nil
}

const (
	// maxSnapshot bounds a snapshot, in bytes. One of the whole registry has 5 GB.
	maxSnapshot = 40 << 30
	// downloadTime bounds a download.
	downloadTime = 6 * time.Hour
	// maxRedirects bounds the redirects of a download.
	maxRedirects = 5
)

// fetchable returns an error for an address from which no snapshot is fetched.
func fetchable(u *url.URL) error {
	if u.Scheme == "https" || u.Scheme == "http" && config.Loopback(u.Hostname()) {
		return nil
	}
	return fmt.Errorf("%s://%s is not encrypted; want https, or a machine's own address", u.Scheme, u.Host)
}

// download fetches a snapshot to a file beside the mirror, within bounds of size and time. A redirect leads only to an address that could
// be given itself, and from another machine never to this one.
func (c *mirrorCall) download(ctx context.Context, from *url.URL) (path string, err error) {
	if err := fetchable(from); err != nil {
		return "", fmt.Errorf("--from: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, downloadTime)
	defer cancel()
	client := &http.Client{Transport: c.cfg.Network(), CheckRedirect: func(req *http.Request, via []*http.Request) error {
		if len(via) > maxRedirects {
			return refusal("it leads from address to address without an end")
		}
		if err := fetchable(req.URL); err != nil {
			return refusal(err.Error())
		}
		if config.Loopback(req.URL.Hostname()) != config.Loopback(from.Hostname()) {
			return refusal("it leads to another kind of address")
		}
		return nil
	}}
	path = c.path + ".download"
	if err := disk.Create(path); err != nil {
		return "", err
	}
	d := download{client: client, address: from.String(), path: path}
	for left := downloadAttempts; ; left-- {
		err := d.rest(ctx)
		if err == nil {
			return path, nil
		}
		if left == 0 || ctx.Err() != nil || errors.As(err, new(refusal)) {
			_ = os.Remove(path) // a part is of no use
			return "", fmt.Errorf("--from: %s could not be fetched (%w); nothing was installed", from.Redacted(), cause(err))
		}
	}
}

// downloadAttempts bounds the connections of a download that break. Bytes that arrive do not give it more.
const downloadAttempts = 10

// A refusal is an error of a download that another attempt does not mend.
type refusal string

func (r refusal) Error() string { return string(r) }

// A download fetches a file. Where a connection breaks, the next one continues, if the file at the address is still the same.
type download struct {
	client        *http.Client
	address, path string
	version       string // of the file at the address, "": a later connection begins again
	have          int64  // bytes on the disk
}

// cause returns the cause of an error of a request, without its address.
func cause(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}

// rest requests what the file lacks, and writes it. It looks at the first bytes before it writes any.
func (d *download) rest(ctx context.Context) (err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.address, http.NoBody)
	if err != nil {
		return err
	}
	if d.version != "" && d.have > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", d.have))
		req.Header.Set("If-Range", d.version)
	}
	resp, err := d.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body := bufio.NewReader(io.LimitReader(resp.Body, maxSnapshot+1))
	switch rest := fmt.Sprintf("bytes %d-", d.have); {
	case resp.StatusCode == http.StatusOK:
		d.have, d.version = 0, resp.Header.Get("ETag")
		if begin, err := body.Peek(mirror.HeaderSize); err == nil && !mirror.IsHeader(begin) || errors.Is(err, io.EOF) {
			return refusal("it is not a snapshot of a mirror")
		}
	case resp.StatusCode == http.StatusPartialContent && d.have > 0 && strings.HasPrefix(resp.Header.Get("Content-Range"), rest):
	default:
		return refusal(fmt.Sprintf("status %d", resp.StatusCode))
	}
	if d.have+resp.ContentLength > maxSnapshot {
		return refusal("it is too large")
	}
	if err := disk.CheckRoom(d.path, 2*max(0, resp.ContentLength)); err != nil { // the file and its copy
		return refusal(err.Error())
	}
	return d.write(body)
}

// write writes the rest of the file.
func (d *download) write(body io.Reader) error {
	f, err := os.OpenFile(d.path, os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Seek(d.have, io.SeekStart)
	if err == nil {
		err = f.Truncate(d.have)
	}
	if err == nil {
		var n int64
		n, err = io.Copy(f, body)
		d.have += n
	}
	if d.have > maxSnapshot {
		err = refusal("it is too large")
	}
	return errors.Join(err, f.Close())
}
