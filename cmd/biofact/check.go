package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/csvtable"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/tool"
)

const (
	maxPart  = 40_000       // characters of a call of check_text
	maxFile  = 16 << 20     // bytes of a file
	exitGaps = exitError(3) // something could not be requested, or was not found

	onlyDifferent = "different"
)

func checkCommand(cfg *config.Config) *cobra.Command {
	view, only := viewTable, ""
	cmd := &cobra.Command{
		Use:   "check FILE",
		Short: "Put the ids, references and numbers of a text beside their records",
		Long: "Put the ids, references and numbers of a text (Markdown, plain text, RIS, NBIB, BibTeX) beside their records. - is " +
			"standard input.\nEach line has the place in the text, the item, the result, and the words of the record.\n" +
			"The exit code is 0 if all is the same, 1 if something differs, does not exist or is retracted, and 3 if something was not " +
			"found or could not be asked.",
		Example: "  biofact check draft.md\n" +
			"  biofact check references.bib --only different\n  biofact check - --csv < draft.txt > check.csv",
		Args: takes(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if only != "" && only != onlyDifferent {
				return fmt.Errorf("--only: must be different, was %s", only)
			}
			text, err := readText(cmd, args[0])
			if err != nil {
				return err
			}
			quiet(cfg)
			a, t, err := openTool(cmd.Context(), cfg, tools.CheckText, arguments{})
			if err != nil {
				return err
			}
			defer a.Close()
			c := &call{cmd: cmd, app: a, tool: t, timeout: cfg.CallTimeout, view: view}
			items, err := c.checkAll(text)
			if err != nil {
				return err
			}
			rows, code := checkRows(text, items, only != "")
			if err := c.showCheck(items, rows); err != nil || code == 0 {
				return err
			}
			return code
		},
	}
	cmd.Flags().BoolFunc("csv", "print a line of CSV for each finding", func(string) error { view = viewCSV; return nil })
	cmd.Flags().BoolFunc("ndjson", "print each item as one line of JSON", func(string) error { view = viewLines; return nil })
	cmd.Flags().BoolFunc("json", "print the answers of check_text", func(string) error { view = viewJSON; return nil })
	cmd.Flags().StringVar(&only, "only", "", "different: leave out what is the same")
	cmd.MarkFlagsMutuallyExclusive("csv", "ndjson", "json")
	return cmd
}

// showCheck prints the items of a text, or the findings about them.
func (c *call) showCheck(items []entity.CheckedItem, rows [][6]string) error {
	out := c.cmd.OutOrStdout()
	switch c.view {
	case viewLines:
		for i := range items {
			line, _ := entity.JSON(items[i]) // it was decoded from JSON
			fmt.Fprintf(out, "%s\n", line)
		}
	case viewCSV:
		var table csvtable.Table
		table.Row("place", "item", "what", "said", "result", "source")
		for _, row := range rows {
			table.Row(row[:]...)
		}
		_, err := io.WriteString(out, table.String())
		return err
	case viewTable:
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		for _, row := range rows {
			claim := cmp.Or(row[3], row[1])
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", row[0], row[4], row[2], entity.Cut(claim, 60), entity.Cut(row[5], 80))
		}
		return w.Flush()
	}
	return nil
}

// readText reads a file, or standard input.
func readText(cmd *cobra.Command, name string) (string, error) {
	in := io.Reader(interruptible{cmd.Context(), cmd.InOrStdin()})
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return "", errors.New("the file cannot be opened")
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	switch {
	case err != nil:
		return "", errors.New("the text cannot be read")
	case len(text) > maxFile:
		return "", fmt.Errorf("the text has more than %d bytes", maxFile)
	case !utf8.Valid(text):
		return "", errors.New("the text is not UTF-8")
	}
	return string(text), nil
}

// parts cuts a text at empty lines into parts that a call takes.
func parts(text string) (list []string) {
	for utf8.RuneCountInString(text) > maxPart {
		end := 0
		for range maxPart {
			_, size := utf8.DecodeRuneInString(text[end:])
			end += size
		}
		if i := strings.LastIndex(text[:end], "\n\n"); i > 0 {
			end = i + 2
		}
		list, text = append(list, text[:end]), text[end:]
	}
	return append(list, text)
}

// checkAll returns the items of all parts and pages of a text, with their places in the whole text.
func (c *call) checkAll(text string) (items []entity.CheckedItem, err error) {
	before := 0
	for _, part := range parts(text) {
		if strings.TrimSpace(part) != "" {
			args := arguments{}
			args.set("text", part)
			last, err := c.follow(c.cmd.Context(), c.app.Log, args, func(result tool.Result, p page) (bool, error) {
				if c.view == viewJSON {
					return true, c.showJSON(result)
				}
				p.printNotices(c.cmd.ErrOrStderr(), c.tool.Origin)
				for _, raw := range p.Items {
					var item entity.CheckedItem
					if err := json.Unmarshal(raw, &item); err != nil {
						return false, err
					}
					item.Start, item.End = item.Start+before, item.End+before
					items = append(items, item)
				}
				return true, nil
			})
			if err == nil && last.IsError {
				failed := cmp.Or(c.showFailed(last), error(exitFailed))
				var envelope entity.ErrorEnvelope
				if json.Unmarshal(last.JSON, &envelope) == nil && errors.Is(failed, exitFailed) &&
					(envelope.Error.Code == entity.UpstreamError || envelope.Error.Code == entity.RateLimited) {
					failed = exitGaps // no source could be asked: nothing of the text differs
				}
				return nil, failed
			}
			if err != nil {
				return nil, err
			}
		}
		before += utf8.RuneCountInString(part)
	}
	return items, nil
}

// showFailed prints an error: the envelope with --json, else its text.
func (c *call) showFailed(result tool.Result) error {
	if c.view == viewJSON {
		return c.showJSON(result)
	}
	showError(c.cmd, result)
	return exitFailed
}

// checkRows returns a row for each finding, as the columns of the CSV, and the exit code.
func checkRows(text string, items []entity.CheckedItem, different bool) (rows [][6]string, code exitError) {
	runes, line, column, at := []rune(text), 1, 1, 0
	add := func(row [6]string, result string) {
		switch result {
		case "different", "false", "notice":
			code = exitFailed
		case "not_found", "unknown":
			if code == 0 {
				code = exitGaps
			}
		}
		if !different || slices.Contains([]string{"different", "false", "notice"}, result) {
			rows = append(rows, row)
		}
	}
	for i := range items {
		item := &items[i]
		for ; at < item.Start && at < len(runes); at++ {
			column++
			if runes[at] == '\n' {
				line, column = line+1, 1
			}
		}
		place, name := fmt.Sprintf("%d:%d", line, column), strings.Join(strings.Fields(item.Text), " ")
		title := ""
		if item.Record != nil {
			title = item.Record.Title
		}
		add([6]string{place, name, "exists", "", item.Exists, title}, item.Exists)
		for _, s := range item.Statements {
			add([6]string{place, name, s.What, s.Claim, s.Result, s.Source}, s.Result)
		}
		for _, n := range item.Notices {
			result := "notice"
			if slices.Contains([]string{"corrected", "preprint", "republished", "notice_of", "replaced"}, n.Kind) {
				result = "same" // it is claim, and changes nothing
			}
			add([6]string{place, name, n.Kind, "", "", n.Text}, result)
		}
	}
	return rows, code
}
