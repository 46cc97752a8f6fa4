package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/pages"
	"github.com/biofact-mcp/biofact/internal/tool"
)

const (
	// sectionArgument is the argument that selects a section of a record.
	sectionArgument = "section"
	// sizeArgument is the argument that sets the page size of such a tool.
	sizeArgument = "page_size"
)

// noPageError returns the error for a tool without an HTML page.
func (c *call) noPageError() error {
	var names []string
	for _, t := range c.app.Tools {
		if t.Page != "" {
			names = append(names, t.Name)
		}
	}
	return fmt.Errorf("--html: %s has no HTML page; the tools with a page are %s", c.tool.Name, strings.Join(names, ", "))
}

// writePage writes the HTML page of the tool to a file. The file contains the answer and all data that the page can show: every section
// of the record, with all its pages.
func (c *call) writePage(ctx context.Context, file string) error {
	if c.tool.Page == "" {
		return c.noPageError()
	}
	var held []pages.Call
	for i, args := range c.pageCalls() {
		read, failure, err := c.readPages(ctx, args)
		if err != nil {
			return err
		}
		if failure != nil {
			if ctx.Err() != nil {
				return exitInterrupted
			}
			showError(c.cmd.ErrOrStderr(), *failure)
			return exitFailed
		}
		if i > 0 && bytes.Equal(read[0].Answer, held[0].Answer) && len(read) == 1 {
			continue // a record without results has the same answer for every section
		}
		held = append(held, read...)
	}
	text, err := pages.File(c.tool.Page, pages.About(c.tool), held)
	if err != nil {
		return err
	}
	if file == "-" {
		_, err = c.cmd.OutOrStdout().Write(text)
		return err
	}
	if err := os.WriteFile(file, text, 0o644); err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	fmt.Fprintf(c.cmd.ErrOrStderr(), "biofact: wrote %s\n", file)
	return nil
}

// pageCalls returns the calls whose answers the HTML page contains: the given call, then one for each section.
func (c *call) pageCalls() []arguments {
	calls := []arguments{maps.Clone(c.arguments)}
	i := slices.IndexFunc(c.tool.Arguments, func(a tool.Argument) bool { return a.Name == sectionArgument })
	if i < 0 {
		return calls
	}
	for _, section := range c.tool.Arguments[i].Words {
		args := arguments{}
		for _, a := range c.tool.Arguments {
			if given, ok := c.arguments[a.Name]; ok && a.Required {
				args[a.Name] = given
			}
		}
		args.set(sectionArgument, section)
		if !maps.EqualFunc(args, c.arguments, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
			calls = append(calls, args)
		}
	}
	return calls
}

// readPages makes a call and follows its cursors to the last page. failure is an error answer, if any.
func (c *call) readPages(ctx context.Context, args arguments) (read []pages.Call, failure *tool.Result, err error) {
	pageArgs := maps.Clone(args)
	i := slices.IndexFunc(c.tool.Arguments, func(a tool.Argument) bool { return a.Name == sizeArgument })
	if i >= 0 && len(pageArgs[sizeArgument]) == 0 {
		pageArgs.set(sizeArgument, strconv.Itoa(c.tool.Arguments[i].Maximum))
	}
	for {
		result := c.callTool(ctx, c.app.Log, pageArgs)
		if result.IsError {
			return nil, &result, nil
		}
		if result, err = completeRows(c.tool.Name, result); err != nil {
			return nil, nil, err
		}
		read = append(read, pages.Call{Arguments: maps.Clone(pageArgs), Answer: result.JSON})
		var answer page
		if err := json.Unmarshal(result.JSON, &answer); err != nil {
			return nil, nil, err
		}
		next := answer.Pagination.Cursor
		if next == "" {
			return read, nil, nil
		}
		if pageArgs.text(cursorArgument) == next {
			return nil, nil, errors.New("a page repeats its own cursor")
		}
		pageArgs.set(cursorArgument, next)
	}
}
