// Command drift reports the changes between the committed structure of an official document and a newer one, and which of them break the
// project: as Markdown on standard output, and as JSON in a file. An official document is an OpenAPI document or a DTD. Without
// -source it reports on all of them. It runs from the root of the repository.
//
// Its exit status is 0 if nothing changed, 1 with breaking changes, 2 if it could not report on a document, and 3 if something changed and
// nothing breaks.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/biofact-mcp/biofact/cmd/internal/drift"
	"github.com/biofact-mcp/biofact/internal/source"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	status := run(ctx, ".", os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// Exit statuses.
const (
	unchanged = iota
	breaking
	noReport
	harmless // something changed, used or not
)

// run prints the reports and returns the exit status.
func run(ctx context.Context, root string, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("drift", flag.ContinueOnError)
	flags.SetOutput(stderr)
	name := flags.String("source", "", "the document, such as ctgov; empty: all")
	from := flags.String("from", "", "the official document: a file or a URL; empty: where its operator publishes it")
	out := flags.String("json", "", "a file to write the report to as JSON, too; needs -source")
	if err := flags.Parse(args); err != nil {
		return noReport // package flag has printed the error
	}
	reports, err := compare(ctx, root, *name, *from)
	if err == nil && *out != "" {
		if err = writeJSON(*out, reports); err != nil {
			reports = nil
		}
	}
	for _, report := range reports {
		_, wrong := io.WriteString(stdout, report.Markdown())
		err = errors.Join(err, wrong)
	}
	status := statusOf(reports)
	if err != nil {
		// Errors of a parser or of the network may have several lines.
		fmt.Fprintln(stderr, "drift:", strings.Join(strings.Fields(err.Error()), " "))
		if status != breaking {
			status = noReport
		}
	}
	return status
}

// statusOf returns the exit status of some reports.
func statusOf(reports []*drift.Report) int {
	status := unchanged
	for _, report := range reports {
		switch {
		case report.Breaking:
			return breaking
		case len(report.Changes) > 0:
			status = harmless
		}
	}
	return status
}

// compare returns the reports on the documents that can be read, and the errors of the others.
func compare(ctx context.Context, root, name, from string) (reports []*drift.Report, failed error) {
	documents, failed := source.Documents(name, from)
	for _, d := range documents {
		var report *drift.Report
		known, err := readProject(root, d)
		if err == nil {
			report, err = known.compare(ctx, d.URL)
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", d.Name, err))
			continue
		}
		reports = append(reports, report)
	}
	return reports, failed
}

func writeJSON(path string, reports []*drift.Report) error {
	if len(reports) != 1 {
		return errors.New("-json writes the report of one source: name it with -source")
	}
	text, err := json.MarshalIndent(reports[0], "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}
