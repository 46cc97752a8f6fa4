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

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/pages"
	"github.com/biofact-mcp/biofact/internal/tool"
)

const (
	// sizeArgument is the argument that sets the page size of such a tool.
	sizeArgument = "page_size"
	// trialArgument is the argument for one trial.
	trialArgument = "nct_id"
	// topArgument is the argument that sets how many groups are counted.
	topArgument = "top"
	// drugPage is the page of a drug, and drugSections the argument that names what it has beside its first answer.
	drugPage, drugSections = "drug", "sections"
	// maxPageSize is the maximum number of items that a page of a file asks for at once.
	maxPageSize = 200
	// maxRows is the maximum number of rows of a search in a file; the page says how many others match.
	maxRows = 1000
)

// writePage writes the HTML page of the tool to a file. The file contains the answer and all data that the page can show: every section
// of the record, with all its pages.
func (c *call) writePage(ctx context.Context, file string) error {
	if hasPage := func(t *tool.Tool) bool { return t.Page != "" }; !hasPage(c.tool) {
		return c.unsupported("--html: %s has no HTML page; the tools with a page are %s", hasPage)
	}
	if file != "-" {
		if err := mayWrite(file, c.flags.force, pages.Made); err != nil {
			return fmt.Errorf("--html: %w", err)
		}
	}
	held, err := c.pageAnswers(ctx)
	if err != nil {
		return err
	}
	about := pages.About(c.tool, buildVersion())
	words := commandWords(c.cmd, []string{"call", c.tool.Name}, pages.Repeated(c.tool.Page, c.arguments))
	words[0] = "biofact"
	about.Command = quotedWords(words)
	text, err := pages.File(c.tool.Page, about, held)
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

// pageAnswers returns the answers that the HTML page contains. An answer that is an error is shown.
func (c *call) pageAnswers(ctx context.Context) (held []pages.Call, err error) {
	top, years := argument(c.tool, topArgument), strings.HasSuffix(c.arguments.text("by"), "_year")
	if top != nil && years && len(c.arguments[topArgument]) == 0 {
		c.arguments.set(topArgument, strconv.Itoa(top.Maximum)) // a series of years is shown without a gap
	}
	calls := c.pageCalls()
	for i := 0; len(calls) > 0; i++ {
		read, last, err := c.readPages(ctx, calls[0])
		calls = calls[1:]
		switch {
		case err != nil:
			return nil, err
		case last.IsError && ctx.Err() != nil:
			return nil, exitInterrupted
		case last.IsError:
			showError(c.cmd, last)
			return nil, exitFailed
		}
		if i > 0 && bytes.Equal(read[0].Answer, held[0].Answer) && len(read) == 1 {
			continue // a record without results has the same answer for every section
		}
		held = append(held, read...)
		if i == 0 && c.tool.Page == drugPage {
			calls = append(calls, c.drugCalls(read[0].Answer)...)
		}
	}
	return append(held, c.besideAnswers(ctx, held[0].Answer)...), nil
}

// besideAnswers returns the answers of other tools that the page also shows: counts of the trials found, changes of a trial, the citation
// of an article. The page does without those that fail.
func (c *call) besideAnswers(ctx context.Context, answer json.RawMessage) (held []pages.Call) {
	var ids struct{ ID, PMID string }
	if json.Unmarshal(answer, &ids) != nil {
		return nil
	}
	other := *c
	ask := func(name string, args arguments) {
		at := slices.IndexFunc(c.app.Tools, func(t *tool.Tool) bool { return t.Name == name })
		if at < 0 {
			return
		}
		other.tool = c.app.Tools[at]
		maps.DeleteFunc(args, func(name string, _ json.RawMessage) bool { // how the list is read
			return argument(c.tool, name) != nil && argument(other.tool, name) == nil
		})
		if result := other.callTool(ctx, c.app.Log, args); !result.IsError {
			held = append(held, pages.Call{Tool: name, Arguments: args, Answer: result.JSON, Meta: result.Meta})
		}
	}
	switch {
	case c.tool.Page == "search" && len(c.arguments["fields"]) == 0:
		for _, by := range []string{"status", "phase", "country"} {
			args := maps.Clone(c.arguments)
			args.set("by", by)
			ask(tools.CountTrials, args)
		}
	case c.tool.Page == "trial" && ids.ID != "":
		args := arguments{}
		args.set("nct_ids", ids.ID)
		args.set("since", "1999-01-01") // before the registry began: the whole history
		ask(tools.TrialChanges, args)
	case c.tool.Page == "article" && ids.PMID != "":
		args := arguments{}
		args.set("sourcePmids", ids.PMID)
		args.set("relationshipType", "citation_formats")
		args.set("citationStyles", "vancouver")
		ask(tools.GetArticleRelationships, args)
	}
	return held
}

// drugCalls returns the calls for each section of a drug that the first answer does not have, if the given call names no section.
func (c *call) drugCalls(answer json.RawMessage) (calls []arguments) {
	var drug entity.Drug
	if len(c.arguments[drugSections]) > 0 || json.Unmarshal(answer, &drug) != nil {
		return nil
	}
	names := []string{"approvals", "labels", "shortages", "recalls"}
	if drug.Label != nil {
		for _, section := range drug.Label.Sections {
			names = append(names, section.ID)
		}
	}
	for _, name := range names {
		args := maps.Clone(c.arguments)
		args.set(drugSections, []string{name})
		calls = append(calls, args)
	}
	return calls
}

// pageCalls returns the calls whose answers the HTML page contains: the given call, then one for each section.
func (c *call) pageCalls() []arguments {
	calls := []arguments{maps.Clone(c.arguments)}
	sections := argument(c.tool, sectionArgument)
	if sections == nil || len(c.arguments[trialArgument]) == 0 { // the page of several trials has one section
		return calls
	}
	for _, section := range sections.Words {
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

// readPages makes a call and follows its cursors to the last page. The last answer may be an error.
func (c *call) readPages(ctx context.Context, args arguments) (read []pages.Call, last tool.Result, err error) {
	pageArgs := maps.Clone(args)
	if size := argument(c.tool, sizeArgument); size != nil && len(pageArgs[sizeArgument]) == 0 {
		items := min(size.Maximum, maxPageSize)
		if c.tool.Page == "sites" && len(args) > 1 { // longer pages of some sites leave out the coordinates
			items = 10
		}
		pageArgs.set(sizeArgument, strconv.Itoa(items))
	}
	rows := 0
	last, err = c.follow(ctx, c.app.Log, pageArgs, func(result tool.Result, p page) (more bool, err error) {
		read = append(read, pages.Call{Arguments: pages.Repeated(c.tool.Page, pageArgs), Answer: result.JSON, Meta: result.Meta})
		if next := p.Pagination.Cursor; next != "" && pageArgs.text(cursorArgument) == next {
			return false, errors.New("a page repeats its own cursor")
		}
		rows += len(p.Items)
		return c.tool.Page != "search" || rows < maxRows, nil // a search can match the whole registry
	})
	return read, last, err
}
