package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/gen/schemas"
	"github.com/biofact-mcp/biofact/internal/app"
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
	force  bool   // replace another file by it
	fields []string
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

func (c *call) callTool(ctx context.Context, log *slog.Logger, args arguments) tool.Result {
	ctx, cancel := context.WithTimeout(logging.WithCall(ctx, ""), c.timeout)
	defer cancel()
	return c.tool.Call(ctx, log, args.json())
}

// A page is one page of a list answer. Its items are not decoded.
type page struct {
	Items      []json.RawMessage `json:"items"`
	Pagination entity.Pagination `json:"pagination"`
	Relaxed    json.RawMessage   `json:"relaxed,omitempty"` // of the first page of a search of trials
	Notices    []string          `json:"notices,omitempty"`
}

// write prints the items, one per line.
func (p *page) write(out io.Writer) error {
	w := bufio.NewWriter(out)
	for _, item := range p.Items {
		fmt.Fprintf(w, "%s\n", item) // Flush returns the error
	}
	return w.Flush()
}

// printNotices prints the notices of an answer whose items are printed without their envelope. It leaves out the notice about the origin,
// which sayOrigin has printed.
func (p *page) printNotices(out io.Writer, origin *tool.Origin) {
	for _, notice := range p.Notices {
		if origin != nil && notice == origin.Notice {
			continue
		}
		fmt.Fprintln(out, "biofact: notice:", notice)
	}
}

// paged reports whether a tool returns a list of items in pages. The sections of a record also have pages, but each section has its own
// kind of items.
func paged(t *tool.Tool) bool {
	return bytes.Contains(schemas.Get(t.Name+".output"), []byte(`"#/$defs/Page"`))
}

// transient reports whether the same call may succeed later.
func transient(result tool.Result) bool {
	var envelope entity.ErrorEnvelope
	if err := json.Unmarshal(result.JSON, &envelope); err != nil {
		return false
	}
	return envelope.Error.Code == entity.UpstreamError || envelope.Error.Code == entity.RateLimited
}

// A view is a format in which an answer is printed: the name of its flag.
type view string

const (
	viewTable view = "table"
	viewJSON  view = "json"
	viewLines view = "ndjson"
	viewCSV   view = "csv"
	viewPlot  view = "plot"
	viewRaw   view = "raw"
	viewLinks view = "open"
)

// follow calls the tool and follows the cursors of its pages until the last page, or until handle needs no more. It returns the last
// answer, which is an error if it ended the list too early.
func (c *call) follow(ctx context.Context, log *slog.Logger, args arguments, handle func(tool.Result, page) (more bool, err error)) (
	tool.Result, error) {
	for ctx.Err() == nil {
		result := c.callTool(ctx, log, args)
		if result.IsError {
			return result, nil
		}
		result, err := c.rows(result)
		if err != nil {
			return result, err
		}
		var p page
		if err := json.Unmarshal(result.JSON, &p); err != nil {
			return result, err
		}
		if more, err := handle(result, p); err != nil || !more || p.Pagination.Cursor == "" {
			return result, err
		}
		args.set(cursorArgument, p.Pagination.Cursor)
	}
	return tool.Result{IsError: true}, nil // interrupted before the request
}
