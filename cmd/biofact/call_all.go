package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/cmd/biofact/internal/display"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/trials"
)

// A pageReader reads a list page by page.
type pageReader struct {
	*call
	arguments   arguments // of the next page
	size        string    // name of the argument that sets the page size
	maxPageSize int       // maximum page size of the tool
	itemsRead   int       // number of items read
	collected   page      // answer collected from all pages; without items if they are printed at once
	bar         *progress
}

// readAll reads a list to its end or to the limit. After an interruption or a failure it prints the items read so far and the command
// that continues.
func (c *call) readAll(ctx context.Context) error {
	if !paged(c.tool) && (c.view != viewCSV || !writesCSV(c.tool)) {
		return c.unsupported("--all: %s does not return a list of items; the tools that do are %s", paged)
	}
	r := c.newPageReader()
	last, err := r.read(ctx)
	r.bar.clear()
	if err != nil {
		return err
	}
	next := r.collected.Pagination.Cursor
	if !last.IsError && next == "" {
		r.reconcile()
	}
	if last.IsError && r.itemsRead == 0 && ctx.Err() == nil {
		err := c.show(last) // as for a call without --all
		if transient(last) {
			r.resume(next)
		}
		return err
	}
	if err := r.printCollected(); err != nil {
		return err
	}
	return r.stopped(ctx, last)
}

// reconcile adds a notice if the items of all pages are not as many as the last page counts.
func (r *pageReader) reconcile() {
	total := r.collected.Pagination.TotalCount
	if begun := len(r.call.arguments[cursorArgument]) > 0; begun || !paged(r.tool) || total == nil || *total == r.itemsRead {
		return // the items before a given cursor are unknown, and a table may have more rows than items
	}
	r.collected.Notices = append(r.collected.Notices, fmt.Sprintf("All pages have %s, and total_count is %d: items were left out, or the "+
		"list changed in the meantime.", display.Items(r.itemsRead), *total))
}

// newPageReader returns a reader that starts at the cursor in the arguments of the call.
func (c *call) newPageReader() *pageReader {
	r := &pageReader{call: c, arguments: maps.Clone(c.arguments), collected: page{Items: []json.RawMessage{}}}
	r.bar = newProgress(c.cmd.ErrOrStderr(), "items", c.view == viewLines && isTerminal(c.cmd.OutOrStdout()))
	r.size, r.maxPageSize = pageSize(c.tool)
	if given, ok := number(c.arguments[r.size]); ok {
		r.maxPageSize = given
	} else if len(c.arguments[r.size]) > 0 {
		r.size = "" // the tool reports the invalid page size
	}
	return r
}

// stopped prints why the list was not read to its end, if it was not, and the command that continues. It returns the exit code as an
// error.
func (r *pageReader) stopped(ctx context.Context, last tool.Result) error {
	next, w := r.collected.Pagination.Cursor, r.cmd.ErrOrStderr()
	switch {
	case ctx.Err() != nil && (last.IsError || next != ""):
		fmt.Fprintf(w, "biofact: interrupted after %s\n", display.Items(r.itemsRead))
		r.resume(next)
		return exitInterrupted
	case last.IsError:
		showError(r.cmd, last)
		fmt.Fprintf(w, "biofact: stopped after %s\n", display.Items(r.itemsRead))
		r.resume(next)
		return exitFailed
	case next != "":
		fmt.Fprintf(w, "biofact: stopped at the limit, after %s\n", display.Items(r.itemsRead))
		r.resume(next)
	}
	return nil
}

// read reads all pages. It returns the last answer, which is an error if it ended the list too early.
func (r *pageReader) read(ctx context.Context) (last tool.Result, err error) {
	r.setSize()
	return r.follow(ctx, slog.New(untilCancelled{r.app.Log.Handler()}), r.arguments, func(_ tool.Result, p page) (more bool, err error) {
		if total := p.Pagination.TotalCount; r.flags.limit == 0 && total != nil {
			strict := maps.Clone(r.call.arguments)
			delete(strict, "words")
			call := r.tool.Name + " with " + string(strict.json())
			if err := trials.CheckListed(call, r.call.arguments.text("words"), *total); err != nil {
				text, _ := entity.JSON(entity.AsError(err).Envelope()) // it has texts alone
				showError(r.cmd, tool.Result{JSON: text})
				return false, exitFailed
			}
		}
		if err := r.add(p); err != nil {
			return false, err
		}
		r.setSize()
		return r.flags.limit == 0 || r.itemsRead < r.flags.limit, nil
	})
}

func (r *pageReader) setSize() {
	if r.size == "" {
		return
	}
	size := r.maxPageSize
	if r.flags.limit > 0 {
		size = min(size, r.flags.limit-r.itemsRead) // a cursor is valid between two pages only
	}
	r.arguments.set(r.size, strconv.Itoa(size))
}

// add adds the items and notices of a page.
func (r *pageReader) add(p page) error {
	first := r.itemsRead
	r.itemsRead += len(p.Items)
	for _, notice := range p.Notices {
		if slices.Contains(r.collected.Notices, notice) || p.Pagination.Cursor != "" && strings.Contains(notice, "pagination.cursor") {
			continue // a notice that leads to the next page is settled by reading it
		}
		if first > 0 { // the notice may apply to these items only
			notice = fmt.Sprintf("Items %d to %d: %s", first+1, r.itemsRead, notice)
		}
		r.collected.Notices = append(r.collected.Notices, notice)
	}
	r.collected.Pagination = p.Pagination
	if len(p.Relaxed) > 0 {
		r.collected.Relaxed = p.Relaxed
	}
	if r.view == viewLines {
		if err := p.write(r.cmd.OutOrStdout()); err != nil {
			return err
		}
	} else {
		r.collected.Items = append(r.collected.Items, p.Items...)
	}
	if p.Pagination.Cursor != "" {
		r.bar.show("items", r.itemsRead, r.total(p.Pagination), "")
	}
	return nil
}

// total returns the number of items that will be read, or -1 if it is unknown.
func (r *pageReader) total(at entity.Pagination) int {
	switch limit := r.flags.limit; {
	case at.TotalCount == nil && limit == 0:
		return -1
	case at.TotalCount == nil:
		return limit
	case limit > 0:
		return min(limit, *at.TotalCount)
	}
	return *at.TotalCount
}

// printCollected prints the answer collected from all pages, if the items were not printed page by page.
func (r *pageReader) printCollected() error {
	if o, notices := r.tool.Origin, r.collected.Notices; o != nil && len(notices) > 0 { // it is the last one of an answer
		r.collected.Notices = append(slices.DeleteFunc(notices, func(notice string) bool { return notice == o.Notice }), o.Notice)
	}
	if r.view == viewLines {
		r.collected.printNotices(r.cmd.ErrOrStderr(), r.tool.Origin)
		return nil
	}
	at := &r.collected.Pagination
	at.PageSize = max(1, at.PageSize, len(r.collected.Items))
	if r.itemsRead == 0 && at.Cursor == "" && at.TotalCount == nil {
		return nil // interrupted before the first answer
	}
	collected := r.collected
	if r.view != viewJSON {
		collected.Pagination.Cursor = "" // stopped prints the command that continues
	}
	text, err := entity.JSON(collected)
	if err != nil {
		return err
	}
	return r.show(tool.Result{JSON: text})
}

// resume prints the command that reads the rest, from a cursor. An empty cursor means that no page was read.
func (r *pageReader) resume(cursor string) {
	step := "To continue"
	if cursor == "" {
		step = "To start again"
	}
	fmt.Fprintf(r.cmd.ErrOrStderr(), "%s:\n  %s\n", step, r.command(cursor))
}

// command returns the command line that reads the rest.
func (r *pageReader) command(cursor string) string {
	given := maps.Clone(r.call.arguments)
	if cursor != "" {
		delete(given, cursorArgument)
	}
	words := slices.DeleteFunc(commandWords(r.cmd, []string{"call", r.tool.Name}, given),
		func(word string) bool { return strings.HasPrefix(word, "--limit=") })
	if r.flags.limit > r.itemsRead {
		words = append(words, fmt.Sprintf("--limit=%d", r.flags.limit-r.itemsRead))
	}
	if cursor != "" {
		words = append(words, cursorArgument+"="+cursor) // the cursor is the last argument
	}
	return quotedWords(words)
}

// pageSize returns the argument that sets the page size of a tool and the maximum size. Larger pages need fewer requests.
func pageSize(t *tool.Tool) (name string, maxPageSize int) {
	i := slices.IndexFunc(t.Arguments, func(a tool.Argument) bool { return a.Maximum > 0 && (a.Name == "page_size" || a.Name == "limit") })
	if i < 0 {
		return "", 0
	}
	return t.Arguments[i].Name, t.Arguments[i].Maximum
}

// untilCancelled is a log handler that drops the records of interrupted calls, because the user knows about the interruption.
type untilCancelled struct{ slog.Handler }

// Handle passes on records until the context is cancelled.
func (u untilCancelled) Handle(ctx context.Context, r slog.Record) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil
	}
	return u.Handler.Handle(ctx, r)
}
